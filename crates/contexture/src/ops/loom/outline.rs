//! The outline of a tree: which nodes are drawn, in which order, how deep, and what each costs.
//!
//! A chain stays in its column; where a path forks, the other branches stand before its own continuation, one column further.
//! Of a tree with many nodes the beginning, the end and what is around the end of the path are drawn.

use super::Trees;
use crate::ops::OpError;
use crate::ops::budget::known_tokenizer;
use crate::requests::{OutlineRequest, PathOptions};
use contexture_conversations::loom::{OutlineRow, PathQuery};
use contexture_core::{Counter, LoomNode, LoomPath, LoomTree, Tokenizer, TreeMode};
use std::collections::BTreeSet;

/// A tree as it is drawn.
pub struct Outline {
    pub tree: LoomTree,
    pub path: LoomPath,
    pub nodes: usize,
    pub branches: usize,
    pub lines: Vec<OutlineLine>,
    /// Of all texts on the path that are not hidden; `None` where it cannot be walked, with the reason.
    pub path_tokens: Option<u64>,
    pub path_trouble: Option<String>,
    pub tokenizer: &'static str,
    pub exact: bool,
}

/// One line of an outline.
pub enum OutlineLine {
    Node(Box<OutlineNode>),
    /// So many nodes are not drawn here.
    Gap(usize),
}

/// A node in an outline.
pub struct OutlineNode {
    pub node: LoomNode,
    pub author: String,
    pub parent: Option<String>,
    pub place: DrawnRow,
    pub row: OutlineRow,
    pub is_active: bool,
    pub is_pinned: bool,
    pub tokens: u64,
}

/// Where a node is drawn.
#[derive(Clone, Copy, Debug)]
pub struct DrawnRow {
    row: usize,
    /// How many branches it is away from the path's own column.
    pub depth: usize,
    /// The first of its branch.
    pub is_head: bool,
    pub is_on_path: bool,
    /// How many nodes continue it.
    pub continuations: usize,
}

/// Nodes that are drawn at the beginning, at the end, before and behind the end of the path. Together some screens.
const EDGE: usize = 20;
const BEFORE: usize = 100;
const BEHIND: usize = 40;

impl Trees<'_> {
    /// The outline of the tree: all nodes, or those around the path.
    pub fn outline(&mut self, request: &OutlineRequest) -> Result<Outline, OpError> {
        let tokenizer = match (request.tokenizer, &self.config.budget.tokenizer) {
            (Some(word), _) => word.get(),
            (None, Some(name)) => known_tokenizer(name)?,
            (None, None) => Tokenizer::O200k,
        };
        let tree = self.tree()?;
        let path = self.loom.path_of(&tree.id, None)?;
        let mut rows = self.loom.outline(&tree.id)?;
        let names = self.names()?;
        // Where the path cannot be walked, its end is known all the same.
        let way = self.loom.way(&tree.id, &PathQuery::default()).ok();
        let way = match (way, &path.active) {
            (Some(way), _) => way,
            (None, Some(active)) => vec![self.loom.place(&tree.id, active)?],
            (None, None) => Vec::new(),
        };
        let way: Vec<usize> = way.iter().filter_map(|seq| rows.binary_search_by_key(seq, |row| row.seq).ok()).collect();
        let active = way.last().copied();
        let is_on_path = follow(&mut rows, &way);
        let order = order(&rows, &is_on_path);
        let drawn = if request.all { (0..order.len()).collect() } else { window(&order, active) };
        let seqs: Vec<_> = drawn.iter().map(|at| rows[order[*at].row].seq).collect();
        let nodes = self.loom.nodes(&tree.id, &seqs)?;
        let memory = self.loom.memory(&tree.id)?;
        let pins: BTreeSet<&str> = memory.pins.iter().map(|node| node.id.as_str()).collect();
        let parents: Vec<_> =
            drawn.iter().filter_map(|at| Some(rows[rows[order[*at].row].parent? as usize].seq)).collect();
        let parents = self.loom.locals(&parents)?;
        let mut lines = Vec::with_capacity(nodes.len() + 3);
        let mut next = 0;
        for (at, node) in drawn.iter().zip(nodes) {
            if *at > next {
                lines.push(OutlineLine::Gap(at - next));
            }
            next = at + 1;
            let place = order[*at];
            let row = rows[place.row];
            let parent = row.parent.and_then(|parent| parents.get(&rows[parent as usize].seq).cloned());
            lines.push(OutlineLine::Node(Box::new(OutlineNode {
                author: names.name(&node),
                tokens: tokenizer.count(&node.message.text()),
                is_pinned: pins.contains(node.id.as_str()),
                parent,
                place,
                row,
                is_active: active == Some(place.row),
                node,
            })));
        }
        if next < order.len() {
            lines.push(OutlineLine::Gap(order.len() - next));
        }
        let (path_tokens, path_trouble) = self.path_tokens(tokenizer);
        // An older version is no branch of its own in continuous text.
        let is_end = |place: &&DrawnRow| {
            let row = &rows[place.row];
            let is_old = tree.mode == TreeMode::Buffer && row.is_versioned && !place.is_on_path;
            place.continuations == 0 && !row.is_annotation && !is_old
        };
        let branches = order.iter().filter(is_end).count();
        let (tokenizer, exact) = (tokenizer.as_str(), tokenizer.exact());
        let nodes = rows.len();
        Ok(Outline { tree, path, nodes, branches, lines, path_tokens, path_trouble, tokenizer, exact })
    }

    fn path_tokens(&mut self, tokenizer: Tokenizer) -> (Option<u64>, Option<String>) {
        use rayon::prelude::*;
        match self.walk(&PathOptions::default()) {
            Ok((_, walked)) => {
                let steps = walked.steps.par_iter().with_min_len(256);
                (Some(steps.map(|step| tokenizer.count(&step.node.message.text())).sum()), None)
            }
            Err(error) => (None, Some(error.to_string())),
        }
    }
}

/// Which rows are on the path. A row on it is drawn below the one before it, also where others come first among its parents.
fn follow(rows: &mut [OutlineRow], way: &[usize]) -> Vec<bool> {
    let mut is_on_path = vec![false; rows.len()];
    let mut before: Option<usize> = None;
    for row in way.iter().copied() {
        if is_on_path[row] {
            continue;
        }
        is_on_path[row] = true;
        if let (Some(before), Some(_)) = (before.and_then(|row| u32::try_from(row).ok()), rows[row].parent) {
            rows[row].parent = Some(before);
        }
        before = Some(row);
    }
    is_on_path
}

/// All rows in the order they are drawn, without recursion.
fn order(rows: &[OutlineRow], is_on_path: &[bool]) -> Vec<DrawnRow> {
    // Children of each row, in order of writing: counted, then placed.
    let mut starts = vec![0usize; rows.len() + 1];
    rows.iter().filter_map(|row| row.parent).for_each(|parent| starts[parent as usize + 1] += 1);
    (0..rows.len()).for_each(|at| starts[at + 1] += starts[at]);
    let mut children = vec![0usize; starts[rows.len()]];
    let mut filled = starts.clone();
    for (at, row) in rows.iter().enumerate() {
        if let Some(parent) = row.parent {
            children[filled[parent as usize]] = at;
            filled[parent as usize] += 1;
        }
    }
    let of = |row: usize| &children[starts[row]..starts[row + 1]];
    let mut order = Vec::with_capacity(rows.len());
    let mut waiting: Vec<(usize, usize, bool)> =
        (0..rows.len()).rev().filter(|at| rows[*at].parent.is_none()).map(|at| (at, 0, true)).collect();
    while let Some((row, depth, is_head)) = waiting.pop() {
        let continuing: Vec<usize> = of(row).iter().copied().filter(|child| !rows[*child].is_annotation).collect();
        order.push(DrawnRow { row, depth, is_head, is_on_path: is_on_path[row], continuations: continuing.len() });
        // What goes on in this column: the path, else the only one.
        let only = continuing.first().copied().filter(|_| continuing.len() == 1);
        let main = continuing.iter().copied().find(|child| is_on_path[*child]).or(only);
        waiting.extend(main.map(|main| (main, depth, false)));
        let others = of(row).iter().copied().filter(|child| Some(*child) != main);
        waiting.extend(others.collect::<Vec<_>>().into_iter().rev().map(|child| (child, depth + 1, true)));
    }
    order
}

fn window(order: &[DrawnRow], active: Option<usize>) -> Vec<usize> {
    let all = order.len();
    if all <= 2 * EDGE + BEFORE + BEHIND {
        return (0..all).collect();
    }
    let end = order.iter().position(|place| Some(place.row) == active).unwrap_or(all - 1);
    let around = end.saturating_sub(BEFORE)..(end + BEHIND).min(all);
    let kept: BTreeSet<usize> = (0..EDGE).chain(around).chain(all - EDGE..all).collect();
    kept.into_iter().collect()
}
