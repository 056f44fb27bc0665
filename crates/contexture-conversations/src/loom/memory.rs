//! What an agent keeps in sight: pins, stashes and what was done; and what is connected to a node.

use super::blocks::Blocks;
use super::names::{nearest, node_by_id, node_seqs, tree_by_id};
use super::records::{records, shape, shapes};
use super::store::{Link, Marks, Name, Result, Rows, Seq, Shape, TreeRow};
use super::{Fault, Loom, acted, did};
use contexture_core::{Action, EdgeType, LoomNode, RawResponse, SourceRole, Stash, Text};

/// What an agent keeps in sight of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeMemory {
    /// In the order of pinning, without those that are hidden.
    pub pins: Vec<LoomNode>,
    pub stashes: Vec<Stash>,
    /// The newest, the oldest of them first, without those that name what is hidden or not there any more.
    pub actions: Vec<Action>,
}

/// How many nodes are connected to a node, without those that are hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Connections {
    pub continuations: u32,
    pub annotations: u32,
    /// It and its versions.
    pub versions: u32,
}

/// As many as a model has use for.
const RECENT: usize = 20;
/// What is done with a node, as actions say it.
const OF_NODES: &str = "add edit annotate exclude include bookmark unbookmark prune restore pin unpin path fork choose";
/// Nodes this close together are asked about in one go.
const NEAR: Seq = 16;

impl Loom {
    /// Pins the node with this id, or takes the pin away.
    pub fn pin(&mut self, node: &str, is_pinned: bool) -> Result<()> {
        self.write(|rows, now| {
            let (tree, node) = node_by_id(rows, node)?;
            rows.set_pin(tree.seq, node, is_pinned)?;
            let verb = if is_pinned { "pin" } else { "unpin" };
            did(rows, tree.seq, now, verb, node)
        })
    }

    /// Puts a text away under a label, in place of what was there.
    pub fn stash(&mut self, tree: &str, label: &str, text: Text) -> Result<()> {
        self.write(|rows, now| {
            let tree = tree_by_id(rows, tree)?;
            rows.set_stash(tree.seq, &Stash { label: label.into(), text, recalled: false })?;
            acted(rows, tree.seq, now, format!("stash {label}"))
        })
    }

    /// Shows a stash with its text from now on, or by its label alone.
    pub fn recall(&mut self, tree: &str, label: &str, is_recalled: bool) -> Result<Stash> {
        self.write(|rows, now| {
            let tree = tree_by_id(rows, tree)?;
            let stash = Stash { recalled: is_recalled, ..stash_named(rows, &tree, label)? };
            rows.set_stash(tree.seq, &stash)?;
            let verb = if is_recalled { "recall" } else { "put away" };
            acted(rows, tree.seq, now, format!("{verb} {label}"))?;
            Ok(stash)
        })
    }

    /// Forgets what was put away under a label; a label that nothing has is an error.
    pub fn drop_stash(&mut self, tree: &str, label: &str) -> Result<()> {
        self.write(|rows, now| {
            let tree = tree_by_id(rows, tree)?;
            stash_named(rows, &tree, label)?;
            rows.drop_stash(tree.seq, label)?;
            acted(rows, tree.seq, now, format!("drop {label}"))
        })
    }

    /// The pins, stashes and newest actions of the tree with this id.
    pub fn memory(&mut self, tree: &str) -> Result<TreeMemory> {
        self.read(|rows| {
            let tree = tree_by_id(rows, tree)?;
            let pinned = rows.pins(tree.seq)?;
            let mut order = pinned.clone();
            order.sort_unstable();
            let mut shapes = shapes(rows, tree.seq, &order)?;
            shapes.retain(|shape| !is_hidden(shape) && !shape.marks.has(Marks::ANNOTATION));
            let nodes = records(rows, &shapes)?;
            let place = |seq: &Seq| shapes.binary_search_by_key(seq, |shape| shape.seq).ok();
            let pins = pinned.iter().filter_map(place).filter_map(|at| nodes.get(at).cloned()).collect();
            let stashes = rows.stashes(tree.seq)?;
            let mut actions = Vec::new();
            for action in rows.actions(tree.seq)?.into_iter().rev() {
                if actions.len() < RECENT && may_be_told(rows, &stashes, &action.text)? {
                    actions.push(action);
                }
            }
            actions.reverse();
            Ok(TreeMemory { pins, stashes, actions })
        })
    }

    /// For each of these nodes, in order.
    pub fn connections(&mut self, nodes: &[&str]) -> Result<Vec<Connections>> {
        self.read(|rows| {
            let mut asked: Vec<(Seq, Seq, usize)> = Vec::with_capacity(nodes.len());
            for (place, word) in nodes.iter().enumerate() {
                let (tree, node) = node_seqs(rows, word)?;
                asked.push((tree, node, place));
            }
            asked.sort_unstable();
            let mut found = vec![Connections::default(); nodes.len()];
            for part in asked.chunk_by(|one, next| one.0 == next.0 && next.1 - one.1 <= NEAR) {
                connections(rows, part, &mut found)?;
            }
            Ok(found)
        })
    }

    /// Keeps what a provider answered.
    pub fn record(&mut self, response: &RawResponse) -> Result<()> {
        self.write(|rows, _| {
            let (_, node) = node_by_id(rows, &response.node)?;
            rows.add_response(node, response)
        })
    }

    /// The raw responses that the node with this id came in, in order.
    pub fn responses(&mut self, node: &str) -> Result<Vec<RawResponse>> {
        self.read(|rows| {
            let (_, seq) = node_by_id(rows, node)?;
            let id = rows.head(seq)?.map(|head| head.id).unwrap_or_default();
            let all = rows.responses(seq)?;
            Ok(all.into_iter().map(|response| RawResponse { node: id.clone(), ..response }).collect())
        })
    }
}

/// Whether an action names only what is there and to be seen. Those of other programs may say anything, so every word of
/// them is looked at.
fn may_be_told(rows: &mut dyn Rows, stashes: &[Stash], text: &str) -> Result<bool> {
    if let Some(label) = ["stash ", "recall ", "put away ", "drop "].iter().find_map(|verb| text.strip_prefix(verb)) {
        return Ok(stashes.iter().any(|stash| stash.label == label));
    }
    for word in text.split_whitespace() {
        for word in [word, word.trim_matches(|letter: char| !letter.is_alphanumeric())] {
            if let Some(Name { tree, node: Some(node), .. }) = rows.named(word)? {
                let shape = shape(rows, tree, node)?;
                if is_hidden(&shape) || shape.marks.has(Marks::ANNOTATION) {
                    return Ok(false);
                }
            }
        }
    }
    let of_node = text.split_once(' ').filter(|(verb, _)| OF_NODES.split(' ').any(|known| known == *verb));
    of_node.map_or(Ok(true), |(_, name)| Ok(rows.named(name)?.is_some()))
}

fn stash_named(rows: &mut dyn Rows, tree: &TreeRow, label: &str) -> Result<Stash> {
    let all = rows.stashes(tree.seq)?;
    if let Some(stash) = all.iter().find(|stash| stash.label == label) {
        return Ok(stash.clone());
    }
    let near = nearest(label, all.iter().map(|stash| stash.label.as_str()));
    Err(Fault::Unknown { what: "stash", word: label.into(), near }.into())
}

/// Fills in those of nodes of one tree that were written close together: tree, node and place of each, in order.
fn connections(rows: &mut dyn Rows, asked: &[(Seq, Seq, usize)], found: &mut [Connections]) -> Result<()> {
    let (Some((tree, first, _)), Some((_, last, _))) = (asked.first(), asked.last()) else { return Ok(()) };
    let mut links: Vec<Link> = Vec::new();
    rows.links(*first, *last, &mut |link| links.push(link))?;
    links.retain(|link| link.role == SourceRole::Primary);
    links.dedup_by_key(|link| (link.source, link.target, link.kind));
    let mut ahead = Blocks::new(*tree);
    for (_, node, place) in asked {
        let mut own = Connections { versions: 1, ..Connections::default() };
        let shape = ahead.ahead(rows, *node)?;
        let start = links.partition_point(|link| link.source < *node);
        for link in links.iter().skip(start).take_while(|link| link.source == *node) {
            if is_hidden(&ahead.look(rows, link.target)?) {
                continue;
            }
            match link.kind {
                EdgeType::Continuation => own.continuations += 1,
                EdgeType::Annotation => own.annotations += 1,
            }
        }
        if shape.marks.has(Marks::VERSIONED)
            && let Some(head) = rows.head(*node)?
        {
            for version in rows.lineage(head.lineage)? {
                let other = ahead.look(rows, version)?;
                let is_outside = other.marks.has(Marks::ANNOTATION) && !shape.marks.has(Marks::ANNOTATION);
                if version != *node && !is_hidden(&other) && !is_outside {
                    own.versions += 1;
                }
            }
        }
        found.iter_mut().skip(*place).take(1).for_each(|place| *place = own);
    }
    Ok(())
}

fn is_hidden(shape: &Shape) -> bool {
    shape.marks.has(Marks::EXCLUDED) || shape.pruned.is_some()
}
