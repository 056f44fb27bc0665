//! Where marks for a provider's cache stand in a request.
//!
//! Takes the blocks of a request in the order they are kept, each with the tokens up to its end; gives the blocks that get a mark. Too few
//! tokens get none, and there are never more than the rule allows.

use super::{CacheKind, Rule};

/// A block of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// Of the request up to the end of this block; `None` for a block that can have no mark.
    pub tokens: Option<u64>,
    pub anchor: Option<Anchor>,
}

/// What ends with a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Anchor {
    Tools,
    /// What stays over all turns.
    Static,
    /// What was said before this turn.
    Session,
    Tail,
}

/// Marks are at most so many blocks apart where there are marks to spare: a turn may add a few blocks before it is looked back from.
const APART: usize = 15;

/// The numbers of the blocks that get a mark, ascending.
pub fn places(spots: &[Spot], rule: &Rule) -> Vec<usize> {
    let enough = |at: usize| spots[at].tokens.is_some_and(|tokens| tokens >= rule.minimum);
    let at = |anchor: Anchor| (0..spots.len()).rev().find(|at| spots[*at].anchor == Some(anchor) && enough(*at));
    match rule.kind {
        CacheKind::Marks { most, .. } => {
            // What the next turn is found by, then what other conversations share, then what was said.
            let wanted = [at(Anchor::Tail), at(Anchor::Static), at(Anchor::Session)];
            let mut marks: Vec<usize> = Vec::with_capacity(most);
            for place in wanted.into_iter().flatten() {
                if marks.len() < most && !marks.contains(&place) {
                    marks.push(place);
                }
            }
            marks.sort_unstable();
            bridge(&mut marks, most, &enough);
            if let Some(tools) = at(Anchor::Tools).filter(|tools| !marks.contains(tools))
                && marks.len() < most
            {
                marks.push(tools);
            }
            marks.sort_unstable();
            marks
        }
        // The end of the newest message is kept anyway. What stays is never found by that.
        CacheKind::Points { .. } => {
            at(Anchor::Static).filter(|place| Some(*place) != at(Anchor::Tail)).into_iter().collect()
        }
        CacheKind::Steps(_) | CacheKind::Prefix | CacheKind::Units => Vec::new(),
    }
}

/// Adds marks between those that are far apart, from the end on.
fn bridge(marks: &mut Vec<usize>, most: usize, enough: &impl Fn(usize) -> bool) {
    let Some(mut end) = marks.last().copied() else { return };
    while marks.len() < most {
        match marks.iter().copied().filter(|mark| *mark < end).max() {
            Some(before) if end - before <= APART => end = before,
            None if end <= APART => return,
            before => {
                let from = end.saturating_sub(APART);
                let Some(place) = (from..end).find(|at| Some(*at) > before && enough(*at)) else { return };
                marks.push(place);
                end = place;
            }
        }
    }
}
