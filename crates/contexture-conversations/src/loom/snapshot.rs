//! Makes a snapshot of a path: the system context, its nodes, and what is said now. Reads nothing.

use super::walk::WalkedPath;
use contexture_core::shape::loom::Label;
use contexture_core::{
    Body, ContentHash, Item, ItemId, ItemKind, Layer, LeftOut, LoomNode, Message, Role, Snapshot, Text, Why,
};
use rayon::prelude::*;
use std::sync::Arc;

/// What stands around the nodes.
#[derive(Default)]
pub struct Around {
    /// Whether there is a system context at all; without one, instructions have no place either.
    pub has_system: bool,
    /// Of the agent, then of the tree, each with what it is called; instructions follow them.
    pub system: Vec<(&'static str, Text)>,
    /// Behind the instructions.
    pub addendum: Option<Text>,
    /// For each step of the path, where the agent knows of the tree.
    pub labels: Option<Vec<Label>>,
    /// At the end, each with what it is called.
    pub now: Vec<(&'static str, Text)>,
}

/// Makes items of a path. The result still has to be screened before it is compiled.
pub fn snapshot(walked: WalkedPath, around: Around) -> Snapshot {
    let Around { has_system, system, addendum, labels, now } = around;
    let mut items: Vec<Item> = Vec::with_capacity(walked.steps.len() + walked.instructions.len() + 8);
    items.extend(system.into_iter().map(|(name, text)| of_text(name, text)));
    let (instructed, unused) = walked.instructions.split_at(if has_system { walked.instructions.len() } else { 0 });
    items.extend(instructed.iter().map(|node| {
        let item = of_text(&node.local, node.message.text());
        Item { id: ItemId(format!("instruction/{}", node.id).into()), ..item }
    }));
    items.extend(addendum.map(|text| of_text("loom addendum", text)));
    let labels = labels.unwrap_or_default();
    let nodes = walked.steps.into_par_iter().with_min_len(256).enumerate().map(|(nth, step)| {
        let label = labels.get(nth);
        of_node(step.node, label)
    });
    items.par_extend(nodes);
    items.extend(now.into_iter().map(|(name, text)| {
        let message = Message::new(Role::User, text);
        let item = Item::layer(Layer::Current, name, Body::Message(Arc::new(message)));
        Item { id: ItemId(format!("now/{name}").into()), ..item }
    }));
    let hidden = walked.hidden.into_iter();
    let hidden = hidden.map(|(local, reason)| LeftOut { path: local, why: Why::Layer(reason.as_str().into()) });
    let unused = unused.iter().map(|node| {
        let why = "an instruction, and no system context stands before continuous text";
        LeftOut { path: node.local.clone(), why: Why::Layer(why.into()) }
    });
    Snapshot { items, left_out: hidden.chain(unused).collect(), ..Snapshot::default() }
}

fn of_text(name: &str, text: Text) -> Item {
    Item { hash: Some(ContentHash::of(&*text)), ..Item::layer(Layer::System, name, Body::text(text)) }
}

fn of_node(node: LoomNode, label: Option<&Label>) -> Item {
    let message = match label {
        Some(label) => Arc::new(label.on(&node.message)),
        None => node.message,
    };
    // Without a hash: of a million nodes it would be a tenth of the time, and a node has its id.
    let (kind, size) = (ItemKind::Layer(Layer::History), message.bytes());
    Item { size, ..Item::new(node.id, kind, node.local, Body::Message(message)) }
}
