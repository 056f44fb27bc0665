//! What an agent keeps in sight: pins, stashes and what was done; and what is connected to a node.

use super::names::{nearest, node_by_id, tree_by_id};
use super::records::{records, shape, shapes};
use super::store::{Marks, Result, Rows, Seq, Shape, TreeRow};
use super::{Fault, Loom, acted, did};
use contexture_core::{Action, EdgeType, LoomNode, RawResponse, SourceRole, Stash, Text};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// In the order of pinning, without those that are hidden.
    pub pins: Vec<LoomNode>,
    pub stashes: Vec<Stash>,
    /// The newest, the oldest of them first.
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

impl Loom {
    pub fn pin(&mut self, node: &str, is_pinned: bool) -> Result<()> {
        let now = self.now;
        self.write(|rows| {
            let (tree, node) = node_by_id(rows, node)?;
            rows.set_pin(tree.seq, node, is_pinned)?;
            let verb = if is_pinned { "pin" } else { "unpin" };
            did(rows, tree.seq, now, verb, node)
        })
    }

    /// Puts a text away under a label, in place of what was there.
    pub fn stash(&mut self, tree: &str, label: &str, text: Text) -> Result<()> {
        let now = self.now;
        self.write(|rows| {
            let tree = tree_by_id(rows, tree)?;
            rows.set_stash(tree.seq, &Stash { label: label.into(), text, recalled: false })?;
            acted(rows, tree.seq, now, format!("stash {label}"))
        })
    }

    /// Shows a stash with its text from now on, or by its label alone.
    pub fn recall(&mut self, tree: &str, label: &str, is_recalled: bool) -> Result<Stash> {
        let now = self.now;
        self.write(|rows| {
            let tree = tree_by_id(rows, tree)?;
            let stash = Stash { recalled: is_recalled, ..stash_named(rows, &tree, label)? };
            rows.set_stash(tree.seq, &stash)?;
            acted(rows, tree.seq, now, format!("recall {label}"))?;
            Ok(stash)
        })
    }

    pub fn drop_stash(&mut self, tree: &str, label: &str) -> Result<()> {
        let now = self.now;
        self.write(|rows| {
            let tree = tree_by_id(rows, tree)?;
            stash_named(rows, &tree, label)?;
            rows.drop_stash(tree.seq, label)?;
            acted(rows, tree.seq, now, format!("drop {label}"))
        })
    }

    pub fn memory(&mut self, tree: &str) -> Result<Memory> {
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
            let mut actions = rows.actions(tree.seq)?;
            actions.drain(..actions.len().saturating_sub(RECENT));
            Ok(Memory { pins, stashes: rows.stashes(tree.seq)?, actions })
        })
    }

    /// For each of these nodes, in order.
    pub fn connections(&mut self, nodes: &[&str]) -> Result<Vec<Connections>> {
        self.read(|rows| {
            nodes
                .iter()
                .map(|node| {
                    let (tree, node) = node_by_id(rows, node)?;
                    connections(rows, tree.seq, node)
                })
                .collect()
        })
    }

    /// Keeps what a provider answered.
    pub fn record(&mut self, response: &RawResponse) -> Result<()> {
        self.write(|rows| {
            let (_, node) = node_by_id(rows, &response.node)?;
            rows.add_response(node, response)
        })
    }

    pub fn responses(&mut self, node: &str) -> Result<Vec<RawResponse>> {
        self.read(|rows| {
            let (_, seq) = node_by_id(rows, node)?;
            let id = rows.head(seq)?.map(|head| head.id).unwrap_or_default();
            let all = rows.responses(seq)?;
            Ok(all.into_iter().map(|response| RawResponse { node: id.clone(), ..response }).collect())
        })
    }
}

fn stash_named(rows: &mut dyn Rows, tree: &TreeRow, label: &str) -> Result<Stash> {
    let all = rows.stashes(tree.seq)?;
    if let Some(stash) = all.iter().find(|stash| stash.label == label) {
        return Ok(stash.clone());
    }
    let near = nearest(label, all.iter().map(|stash| stash.label.as_str()));
    Err(Fault::Unknown { what: "stash", word: label.into(), near }.into())
}

fn connections(rows: &mut dyn Rows, tree: Seq, node: Seq) -> Result<Connections> {
    let mut found = Connections { versions: 1, ..Connections::default() };
    let mut last = None;
    for link in rows.edges_from(node)? {
        if link.role != SourceRole::Primary || last.replace((link.target, link.kind)) == Some((link.target, link.kind))
        {
            continue;
        }
        if is_hidden(&shape(rows, tree, link.target)?) {
            continue;
        }
        match link.kind {
            EdgeType::Continuation => found.continuations += 1,
            EdgeType::Annotation => found.annotations += 1,
        }
    }
    if shape(rows, tree, node)?.marks.has(Marks::VERSIONED)
        && let Some(head) = rows.head(node)?
    {
        for version in rows.lineage(head.lineage)? {
            if version != node && !is_hidden(&shape(rows, tree, version)?) {
                found.versions += 1;
            }
        }
    }
    Ok(found)
}

fn is_hidden(shape: &Shape) -> bool {
    shape.marks.has(Marks::EXCLUDED) || shape.pruned.is_some()
}
