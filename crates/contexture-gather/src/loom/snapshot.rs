//! Makes a snapshot of a path: the system context, its nodes, and what is said now. Reads nothing.

use super::walk::{Hidden, Walked};
use contexture_core::shape::loom::Label;
use contexture_core::{
    Base, Body, ContentHash, Item, ItemId, ItemKind, Layer, LeftOut, LoomNode, Message, Named, Role, Snapshot, Text,
    Why, Wish,
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
pub fn snapshot(walked: Walked, around: Around) -> Snapshot {
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
        item(Layer::Current, name, ItemId(format!("now/{name}").into()), Body::Message(Arc::new(message)))
    }));
    let hidden = walked.hidden.into_iter().map(|(local, hidden)| {
        let why = match hidden {
            Hidden::Excluded => "excluded",
            Hidden::Pruned => "pruned",
            Hidden::Annotation => "an annotation",
        };
        LeftOut { path: local, why: Why::Layer(why.into()) }
    });
    let unused = unused.iter().map(|node| {
        let why = "an instruction, and no system context stands before continuous text";
        LeftOut { path: node.local.clone(), why: Why::Layer(why.into()) }
    });
    Snapshot { items, left_out: hidden.chain(unused).collect(), ..Snapshot::default() }
}

fn of_text(name: &str, text: Text) -> Item {
    let id = ItemId(format!("system/{name}").into());
    let hash = ContentHash::of(&*text);
    Item { hash: Some(hash), ..item(Layer::System, name, id, Body::Text { text, base: Base::NotAsked }) }
}

fn of_node(node: LoomNode, label: Option<&Label>) -> Item {
    let message = match label {
        Some(label) => Arc::new(label.on(&node.message)),
        None => node.message,
    };
    // Without a hash: of a million nodes it would be a tenth of the time, and a node has its id.
    let item = item(Layer::History, "", ItemId(node.id.into()), Body::Message(message));
    Item { path: node.local, ..item }
}

fn item(layer: Layer, name: &str, id: ItemId, body: Body) -> Item {
    let size = match &body {
        Body::Text { text, .. } => text.len() as u64,
        Body::Message(message) => message.bytes(),
        _ => 0,
    };
    let (kind, path, named) = (ItemKind::Layer(layer), name.to_owned(), Named::ByHand);
    Item {
        id,
        kind,
        path,
        named,
        body,
        hash: None,
        size,
        modified: 0,
        wish: Wish::default(),
        written: None,
        located: None,
    }
}
