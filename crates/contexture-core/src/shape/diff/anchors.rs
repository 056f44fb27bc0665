//! Where two sequences differ, found in time that grows with their length and not with its square.
//!
//! Takes lines as numbers; gives the changes in order. The common head and tail are cut first. A middle of at most
//! [`SEARCHED`] lines is searched by the Myers algorithm of `similar`. A longer one is first divided at the lines that
//! occur once on each side and keep their order; a part between two such lines that is still too long is called
//! replaced as a whole, which is always true and never slow, if not the shortest answer.

use super::Change;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// How many lines of both sides together are searched at once. The worst inputs we could make (two random sequences
/// over few distinct lines) take about 20 ms at this size; ordinary files of any size take less than 1 ms per edit.
pub const SEARCHED: usize = 8_000;

pub fn changes(old: &[u32], new: &[u32]) -> Vec<Change> {
    divided(old, new, SEARCHED)
}

/// The same with a limit of its own, so that tests reach the division with short sequences.
pub fn divided(old: &[u32], new: &[u32], limit: usize) -> Vec<Change> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle = Change { old: head..old.len() - tail, new: head..new.len() - tail };

    let mut found = Vec::new();
    if middle.old.len() + middle.new.len() <= limit {
        search(old, new, middle, limit, &mut found);
        return found;
    }
    let (mut old_at, mut new_at) = (middle.old.start, middle.new.start);
    let anchors = anchors(old, new, &middle);
    for (old_anchor, new_anchor) in anchors.into_iter().chain([(middle.old.end, middle.new.end)]) {
        search(old, new, Change { old: old_at..old_anchor, new: new_at..new_anchor }, limit, &mut found);
        // The anchor itself is equal on both sides; past the last one, nothing is looked at any more.
        (old_at, new_at) = (old_anchor + 1, new_anchor + 1);
    }
    found
}

/// Adds the changes inside one part.
fn search(old: &[u32], new: &[u32], part: Change, limit: usize, found: &mut Vec<Change>) {
    if part.old.is_empty() && part.new.is_empty() {
        return;
    }
    if part.old.is_empty() || part.new.is_empty() || part.old.len() + part.new.len() > limit {
        push(found, part);
        return;
    }
    let base = (part.old.start, part.new.start);
    for op in capture_diff_slices(Algorithm::Myers, &old[part.old], &new[part.new]) {
        if !matches!(op, DiffOp::Equal { .. }) {
            push(found, Change { old: shift(op.old_range(), base.0), new: shift(op.new_range(), base.1) });
        }
    }
}

/// Adds one change, joined to the one before if no line lies between them.
fn push(found: &mut Vec<Change>, change: Change) {
    match found.last_mut() {
        Some(last) if last.old.end == change.old.start && last.new.end == change.new.start => {
            last.old.end = change.old.end;
            last.new.end = change.new.end;
        }
        _ => found.push(change),
    }
}

fn shift(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// The longest rising chain of lines that occur exactly once in each middle.
fn anchors(old: &[u32], new: &[u32], middle: &Change) -> Vec<(usize, usize)> {
    let old_once = once(old, &middle.old);
    let new_once = once(new, &middle.new);
    let pairs: Vec<(usize, usize)> = middle
        .old
        .clone()
        .filter_map(|at| {
            let line = *old.get(at)?;
            (old_once.get(line as usize)? == &Occurrence::At(at)).then_some(())?;
            match new_once.get(line as usize)? {
                Occurrence::At(new_at) => Some((at, *new_at)),
                Occurrence::Never | Occurrence::Often => None,
            }
        })
        .collect();
    rising(&pairs)
}

#[derive(Clone, PartialEq)]
enum Occurrence {
    Never,
    At(usize),
    Often,
}

fn once(lines: &[u32], range: &Range<usize>) -> Vec<Occurrence> {
    let highest = lines[range.clone()].iter().max().map_or(0, |line| *line as usize + 1);
    let mut seen = vec![Occurrence::Never; highest];
    for at in range.clone() {
        if let Some(slot) = lines.get(at).and_then(|line| seen.get_mut(*line as usize)) {
            *slot = if *slot == Occurrence::Never { Occurrence::At(at) } else { Occurrence::Often };
        }
    }
    seen
}

/// The longest subsequence whose second members rise, by patience sorting: n log n.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `tops[k]` is the pair that ends the best chain of length k + 1; `before[i]` is the one before pair i in its chain.
    let mut tops: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let pile = tops.partition_point(|top| pairs[*top].1 < pair.1);
        before.push(pile.checked_sub(1).map(|below| tops[below]));
        match tops.get_mut(pile) {
            Some(top) => *top = index,
            None => tops.push(index),
        }
    }
    let mut chain = Vec::with_capacity(tops.len());
    let mut next = tops.last().copied();
    while let Some(index) = next {
        chain.push(pairs[index]);
        next = before[index];
    }
    chain.reverse();
    chain
}
