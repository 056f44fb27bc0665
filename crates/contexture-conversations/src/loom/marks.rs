//! What changes about a node: whether it is left out, pruned, or has a bookmark.

use super::blocks::{Blocks, Links};
use super::names::node_by_id;
use super::records::{local, shape};
use super::store::{EdgeRow, Marks, Result, Rows, Seq};
use super::{Fault, Loom, acted, did};
use contexture_core::SourceRole;
use std::collections::BTreeSet;

impl Loom {
    /// Leaves the node out of everything that is assembled, or takes it in again.
    pub fn exclude(&mut self, node: &str, is_excluded: bool) -> Result<()> {
        self.write(|rows, now| {
            let (tree, node) = node_by_id(rows, node)?;
            let mut shape = shape(rows, tree.seq, node)?;
            shape.marks.set(Marks::EXCLUDED, is_excluded);
            rows.update_shape(tree.seq, &shape)?;
            let verb = if is_excluded { "exclude" } else { "include" };
            did(rows, tree.seq, now, verb, node)
        })
    }

    /// A label, which may be empty; `None` takes the bookmark away.
    pub fn bookmark(&mut self, node: &str, label: Option<String>) -> Result<()> {
        self.write(|rows, now| {
            let (tree, node) = node_by_id(rows, node)?;
            let mut shape = shape(rows, tree.seq, node)?;
            shape.marks.set(Marks::BOOKMARKED, label.is_some());
            rows.update_shape(tree.seq, &shape)?;
            rows.set_bookmark(node, label.as_deref())?;
            let verb = if label.is_some() { "bookmark" } else { "unbookmark" };
            did(rows, tree.seq, now, verb, node)
        })
    }

    /// Hides the node and all that has no other way left. How many that were.
    pub fn prune(&mut self, node: &str) -> Result<usize> {
        self.write(|rows, now| {
            let (tree, node) = node_by_id(rows, node)?;
            if shape(rows, tree.seq, node)?.pruned.is_some() {
                return Ok(0);
            }
            let count = cascade(rows, tree.seq, node)?;
            did(rows, tree.seq, now, "prune", node)?;
            Ok(count)
        })
    }

    /// Takes back what pruning this node did. How many nodes are there again.
    pub fn restore(&mut self, node: &str) -> Result<usize> {
        self.write(|rows, now| {
            let (tree, node) = node_by_id(rows, node)?;
            let name = local(rows, node)?;
            let Some(by) = shape(rows, tree.seq, node)?.pruned else { return Ok(0) };
            if by != node {
                let by = local(rows, by)?;
                let message = format!("`{name}` was pruned with `{by}`");
                return Err(Fault::Refused { message, hint: format!("`contexture loom restore {by}`") }.into());
            }
            refuse_hanging(rows, tree.seq, node, &name)?;
            let count = rows.restore_with(tree.seq, node)?;
            acted(rows, tree.seq, now, format!("restore {name}"))?;
            Ok(count)
        })
    }
}

/// Marks a node and all that lose their last live way by it. From old to new, as most were written, so that rows are read in
/// blocks; and marked in runs, as a query for each would take most of the time.
fn cascade(rows: &mut dyn Rows, tree: Seq, first: Seq) -> Result<usize> {
    let (mut shapes, mut links) = (Blocks::new(tree), Links::default());
    let mut marked = BTreeSet::from([first]);
    let mut todo = BTreeSet::from([first]);
    while let Some(node) = todo.pop_first() {
        let mut last = None;
        for link in links.of(rows, node)? {
            if link.role != SourceRole::Primary || last.replace(link.target) == Some(link.target) {
                continue;
            }
            let shape = shapes.ahead(rows, link.target)?;
            if shape.pruned.is_some() || marked.contains(&shape.seq) {
                continue;
            }
            if shape.marks.has(Marks::SIMPLE) || !has_live_way(rows, tree, shape.seq, &marked)? {
                marked.insert(shape.seq);
                todo.insert(shape.seq);
            }
        }
    }
    let all: Vec<Seq> = marked.into_iter().collect();
    for run in all.chunk_by(|one, next| next - one == 1) {
        if let (Some(from), Some(to)) = (run.first(), run.last()) {
            rows.set_pruned(tree, *from, *to, first)?;
        }
    }
    Ok(all.len())
}

/// Besides by way of those that are being marked.
fn has_live_way(rows: &mut dyn Rows, tree: Seq, node: Seq, marked: &BTreeSet<Seq>) -> Result<bool> {
    for mut edge in rows.edges_into(node)? {
        edge.sources.retain(|(source, _)| !marked.contains(source));
        if is_live(rows, tree, &edge)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether any of its primaries is not pruned.
pub(super) fn is_live(rows: &mut dyn Rows, tree: Seq, edge: &EdgeRow) -> Result<bool> {
    for source in edge.of(SourceRole::Primary) {
        if shape(rows, tree, source)?.pruned.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A node whose primaries are all pruned would hang in the air.
fn refuse_hanging(rows: &mut dyn Rows, tree: Seq, node: Seq, name: &str) -> Result<()> {
    let edges = rows.edges_into(node)?;
    let mut dead = None;
    for edge in &edges {
        if is_live(rows, tree, edge)? {
            return Ok(());
        }
        dead = dead.or(edge.of(SourceRole::Primary).next());
    }
    let Some(dead) = dead else { return Ok(()) };
    let by = shape(rows, tree, dead)?.pruned.unwrap_or(dead);
    let message = format!("`{name}` continues `{}`, which is pruned", local(rows, dead)?);
    Err(Fault::Refused { message, hint: format!("`contexture loom restore {}` first", local(rows, by)?) }.into())
}
