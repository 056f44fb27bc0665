//! The structure of a tree without its texts, and the nodes of it that somebody looks at.

use super::Loom;
use super::names::tree_by_id;
use super::records::{records, shapes};
use super::store::{Marks, Result, Seq, Shape};
use contexture_core::LoomNode;

/// A node in the list of all nodes of its tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutlineRow {
    pub seq: Seq,
    /// The place of its parent in the list: the first primary of the first edge that leads to it.
    pub parent: Option<u32>,
    pub is_annotation: bool,
    pub is_excluded: bool,
    pub is_pruned: bool,
    pub is_bookmarked: bool,
    /// There is a version of it.
    pub is_versioned: bool,
    /// Several edges or sources lead to it.
    pub is_joined: bool,
}

impl Loom {
    /// All nodes of a tree, in the order of writing.
    pub fn outline(&mut self, tree: &str) -> Result<Vec<OutlineRow>> {
        let shapes = self.read(|rows| {
            let tree = tree_by_id(rows, tree)?;
            let mut shapes = Vec::with_capacity(usize::try_from(tree.nodes).unwrap_or(0).min(1 << 24));
            rows.shapes(tree.seq, 0, Seq::MAX, &mut |shape| shapes.push(shape))?;
            Ok(shapes)
        })?;
        Ok(shapes.iter().enumerate().map(|(at, shape)| row(&shapes, at, shape)).collect())
    }

    /// The nodes of these rows, in the order of the rows.
    pub fn nodes(&mut self, tree: &str, seqs: &[Seq]) -> Result<Vec<LoomNode>> {
        self.read(|rows| {
            let tree = tree_by_id(rows, tree)?;
            let mut order = seqs.to_vec();
            order.sort_unstable();
            order.dedup();
            let shapes = shapes(rows, tree.seq, &order)?;
            let all = records(rows, &shapes)?;
            if seqs == order {
                return Ok(all);
            }
            let place = |seq: &Seq| shapes.binary_search_by_key(seq, |shape| shape.seq).ok();
            Ok(seqs.iter().filter_map(place).filter_map(|at| all.get(at).cloned()).collect())
        })
    }
}

fn row(shapes: &[Shape], at: usize, shape: &Shape) -> OutlineRow {
    let place = |parent: Seq| {
        // Where no other tree was written in between, the place is the difference.
        let guess = usize::try_from(shape.seq - parent).ok().and_then(|back| at.checked_sub(back));
        let is_right = |at: &usize| shapes.get(*at).is_some_and(|shape| shape.seq == parent);
        guess.filter(is_right).or_else(|| shapes.binary_search_by_key(&parent, |shape| shape.seq).ok())
    };
    OutlineRow {
        seq: shape.seq,
        parent: shape.parent.and_then(place).and_then(|at| u32::try_from(at).ok()),
        is_annotation: shape.marks.has(Marks::ANNOTATION),
        is_excluded: shape.marks.has(Marks::EXCLUDED),
        is_pruned: shape.pruned.is_some(),
        is_bookmarked: shape.marks.has(Marks::BOOKMARKED),
        is_versioned: shape.marks.has(Marks::VERSIONED),
        is_joined: shape.parent.is_some() && !shape.marks.has(Marks::SIMPLE),
    }
}
