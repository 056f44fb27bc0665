//! Rows as the records that others see.

use super::Fault;
use super::store::{Head, Link, Marks, Result, Rows, SaidRow, Seq, Shape, TreeRow};
use contexture_core::LoomNode;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) fn tree(rows: &mut dyn Rows, seq: Seq) -> Result<TreeRow> {
    rows.tree(seq)?.ok_or_else(|| damaged("a tree is missing"))
}

pub(super) fn record(rows: &mut dyn Rows, tree: Seq, node: Seq) -> Result<LoomNode> {
    let shape = shape(rows, tree, node)?;
    records(rows, &[shape])?.pop().ok_or_else(|| damaged("a node is missing"))
}

pub(super) fn shape(rows: &mut dyn Rows, tree: Seq, node: Seq) -> Result<Shape> {
    let mut found = None;
    rows.shapes(tree, node, node, &mut |shape| found = Some(shape))?;
    found.ok_or_else(|| damaged("a node is missing"))
}

/// The shapes of nodes of one tree; the numbers ascend.
pub(super) fn shapes(rows: &mut dyn Rows, tree: Seq, seqs: &[Seq]) -> Result<Vec<Shape>> {
    let mut all = Vec::with_capacity(seqs.len());
    for run in seqs.chunk_by(|one, next| next - one <= 8) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let mut wanted = run.iter().copied().peekable();
        rows.shapes(tree, *first, *last, &mut |shape| {
            while wanted.next_if(|next| *next < shape.seq).is_some() {}
            if wanted.next_if_eq(&shape.seq).is_some() {
                all.push(shape);
            }
        })?;
    }
    Ok(all)
}

/// The nodes with these shapes, which ascend. The text of no other node is read.
pub(super) fn records(rows: &mut dyn Rows, shapes: &[Shape]) -> Result<Vec<LoomNode>> {
    records_as(rows, shapes, |shape| shape, |_, node| node, |node| node)
}

/// The same for what has a shape, as what has a node: a million nodes are not moved from one list to another.
pub(super) fn records_as<S, T>(
    rows: &mut dyn Rows,
    items: &[S],
    shape: fn(&S) -> &Shape,
    wrap: fn(&S, LoomNode) -> T,
    node: fn(&mut T) -> &mut LoomNode,
) -> Result<Vec<T>> {
    let authors: HashMap<Seq, Arc<str>> =
        rows.agents()?.into_iter().map(|(seq, agent)| (seq, Arc::from(agent.id))).collect();
    let seqs: Vec<Seq> = items.iter().map(|item| shape(item).seq).collect();
    let mut all: Vec<T> = Vec::with_capacity(items.len());
    // Names of other nodes are looked up when this list is read.
    let mut edits: Vec<(usize, Seq)> = Vec::new();
    let mut is_odd = false;
    rows.said(&seqs, &mut |row| {
        let SaidRow { seq, id, local, message, author, author_type, edited_from, created, origin } = row;
        let (Some(item), Some(author)) = (items.get(all.len()), authors.get(&author).cloned()) else {
            is_odd = true;
            return;
        };
        is_odd |= shape(item).seq != seq;
        edits.extend(edited_from.map(|edited| (all.len(), edited)));
        let excluded = shape(item).marks.has(Marks::EXCLUDED);
        let (edited_from, pruned, bookmark) = (None, None, None);
        let node = LoomNode {
            id,
            local,
            message,
            author,
            author_type,
            edited_from,
            created,
            excluded,
            pruned,
            bookmark,
            origin,
        };
        all.push(wrap(item, node));
    })?;
    if is_odd || all.len() != items.len() {
        return Err(damaged("a node or its author is missing"));
    }
    let mut ids: HashMap<Seq, String> = HashMap::new();
    let mut id = |rows: &mut dyn Rows, seq: Seq| -> Result<String> {
        if let Some(id) = ids.get(&seq) {
            return Ok(id.clone());
        }
        let id = head(rows, seq)?.id;
        ids.insert(seq, id.clone());
        Ok(id)
    };
    for (at, seq) in edits {
        let edited = id(rows, seq)?;
        if let Some(item) = all.get_mut(at) {
            node(item).edited_from = Some(edited);
        }
    }
    for (item, shape) in all.iter_mut().zip(items.iter().map(shape)) {
        if let Some(by) = shape.pruned {
            node(item).pruned = Some(id(rows, by)?);
        }
        if shape.marks.has(Marks::BOOKMARKED) {
            node(item).bookmark = rows.bookmark(shape.seq)?;
        }
    }
    Ok(all)
}

/// The edges that lead from a node, in the order of their targets.
pub(super) fn links(rows: &mut dyn Rows, node: Seq) -> Result<Vec<Link>> {
    let mut all = Vec::new();
    rows.links(node, node, &mut |link| all.push(link))?;
    Ok(all)
}

pub(super) fn head(rows: &mut dyn Rows, seq: Seq) -> Result<Head> {
    rows.head(seq)?.ok_or_else(|| damaged("a node is missing"))
}

pub(super) fn local(rows: &mut dyn Rows, seq: Seq) -> Result<String> {
    Ok(head(rows, seq)?.local)
}

pub(super) fn damaged(what: &str) -> super::LoomError {
    Fault::Damaged(what.into()).into()
}
