//! How much of earlier requests a provider finds again for a later one, by its rule.
//!
//! Takes requests in the order they were sent; gives tokens, and where the last two part. What a provider keeps of answers is not counted:
//! nobody knows them before.

use super::request::Section;
use super::{CacheKind, Request, Rule};
use crate::keywords;

/// How much of a request is found again in those before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reuse {
    /// Tokens that are found again.
    pub tokens: u64,
    /// Of the later request.
    pub of: u64,
    /// Tokens of the later request that are kept anew; these may cost more than others.
    pub written: u64,
    /// Where it parts from the last one before it; `None` when both are the same.
    pub difference: Option<Difference>,
}

/// The first byte that is another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// In the body of the later request; in the earlier one.
    pub byte: usize,
    pub earlier_byte: usize,
    /// The block it is in: `messages[2].content[0]`.
    pub place: String,
    pub change: Change,
    /// Tokens of the blocks before it.
    pub before: u64,
}

/// What two requests differ by, where they part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The block says something else.
    Changed,
    /// The earlier request ended here.
    GoesOn,
    /// The later request ends here.
    Ends,
    /// Another model: nothing of the other is found again.
    Model,
}

keywords!(Change { Changed = "changed", GoesOn = "goes_on", Ends = "ends", Model = "model" });

/// What `next` finds of the requests before it, the oldest first.
pub fn predict(rule: &Rule, earlier: &[&Request<'_>], next: &Request<'_>) -> Reuse {
    let of = next.tokens(next.segments.len());
    let known: Vec<(&Request<'_>, usize)> = earlier
        .iter()
        .filter(|request| request.model == next.model && request.api == next.api)
        .map(|request| (*request, common(request, next)))
        .collect();
    let tokens = match rule.kind {
        CacheKind::Marks { lookback, .. } => {
            let found = known.iter().filter_map(|(request, common)| {
                let written = marked(request, rule.minimum);
                let found = found_back(next, &written, *common, lookback);
                found.filter(|blocks| request.settings == next.settings || *blocks <= before_messages(next))
            });
            found.max().map_or(0, |blocks| next.tokens(blocks))
        }
        CacheKind::Points { most, lookback } => {
            let asked = points(next, lookback);
            let found = known.iter().flat_map(|(request, common)| {
                written_points(request, rule.minimum, most).into_iter().filter(move |blocks| *blocks <= *common)
            });
            let found = found.filter(|blocks| asked.binary_search(blocks).is_ok());
            found.max().map_or(0, |blocks| next.tokens(blocks))
        }
        CacheKind::Steps(_) | CacheKind::Prefix => {
            let step = if let CacheKind::Steps(step) = rule.kind { step } else { 1 };
            let most = known.iter().map(|(request, common)| shared(request, next, *common)).max().unwrap_or(0);
            if most < rule.minimum { 0 } else { most / step * step }
        }
        CacheKind::Units => units(&known).into_iter().max().map_or(0, |blocks| next.tokens(blocks)),
    };
    let kept = match rule.kind {
        CacheKind::Marks { .. } => marked(next, rule.minimum).last().copied(),
        CacheKind::Points { most, .. } => written_points(next, rule.minimum, most).last().copied(),
        CacheKind::Steps(_) | CacheKind::Prefix | CacheKind::Units => Some(next.segments.len()),
    };
    let written = kept.map_or(0, |blocks| next.tokens(blocks)).saturating_sub(tokens);
    Reuse { tokens, of, written, difference: earlier.last().and_then(|last| difference(last, next)) }
}

/// How many blocks two requests begin with together.
fn common(a: &Request<'_>, b: &Request<'_>) -> usize {
    a.segments.iter().zip(&b.segments).take_while(|(a, b)| a.hash == b.hash && a.section == b.section).count()
}

/// After how many blocks a mark keeps something, ascending.
fn marked(request: &Request<'_>, minimum: u64) -> Vec<usize> {
    ends(request, minimum, |segment| segment.is_marked)
}

fn ends(request: &Request<'_>, minimum: u64, is_end: impl Fn(&super::Segment) -> bool) -> Vec<usize> {
    let mut tokens = 0;
    let mut ends = Vec::new();
    for (at, segment) in request.segments.iter().enumerate() {
        tokens += segment.tokens;
        if is_end(segment) && tokens >= minimum {
            ends.push(at + 1);
        }
    }
    ends
}

/// The most blocks of what was kept that looking back from a mark finds.
fn found_back(next: &Request<'_>, written: &[usize], common: usize, lookback: usize) -> Option<usize> {
    let marks = next.segments.iter().enumerate().filter(|(_, segment)| segment.is_marked).map(|(at, _)| at + 1);
    marks
        .filter_map(|mark| {
            let reaches = |blocks: &&usize| **blocks <= mark && mark - **blocks < lookback && **blocks <= common;
            written.iter().rev().find(reaches).copied()
        })
        .max()
}

fn before_messages(request: &Request<'_>) -> usize {
    request.segments.iter().take_while(|segment| segment.section != Section::Messages).count()
}

/// Where something may be found: marks, and the ends of messages; the newest of them, ascending.
fn points(request: &Request<'_>, lookback: usize) -> Vec<usize> {
    let all = ends(request, 0, |segment| segment.is_marked || (segment.ends_message && !request.is_explicit));
    all[all.len().saturating_sub(lookback)..].to_vec()
}

/// Where something is kept: the newest marks, and the end of the request unless only marks count.
fn written_points(request: &Request<'_>, minimum: u64, most: usize) -> Vec<usize> {
    let end = request.segments.len();
    let most = if request.is_explicit { most } else { most.saturating_sub(1) };
    let marks = ends(request, 0, |segment| segment.is_marked);
    let mut kept = marks[marks.len().saturating_sub(most)..].to_vec();
    if !request.is_explicit && kept.last() != Some(&end) {
        kept.push(end);
    }
    kept.retain(|blocks| request.tokens(*blocks) >= minimum);
    kept
}

/// The tokens two requests begin with, to the word.
fn shared(a: &Request<'_>, b: &Request<'_>, common: usize) -> u64 {
    let whole = b.tokens(common);
    match (a.segments.get(common), b.segments.get(common)) {
        (Some(x), Some(y)) if x.section == y.section && x.role == y.role => {
            let (Some(from), Some(to)) = (a.text(x), b.text(y)) else { return whole };
            let same =
                from.chars().zip(to.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum::<usize>();
            // The last word may go on in another way, and the block as a whole is not the same.
            let tokens = (b.count)(&to[..same]).min(y.tokens);
            whole + tokens.saturating_sub(1)
        }
        _ => whole,
    }
}

/// What is kept whole and found whole: each earlier request, and what two of them begin with.
fn units(known: &[(&Request<'_>, usize)]) -> Vec<usize> {
    let mut found = Vec::new();
    for (nth, (request, shared)) in known.iter().enumerate() {
        if *shared == request.segments.len() {
            found.push(*shared);
        }
        for (other, _) in &known[..nth] {
            let unit = common(request, other);
            if unit <= *shared {
                found.push(unit);
            }
        }
    }
    found
}

fn difference(a: &Request<'_>, b: &Request<'_>) -> Option<Difference> {
    if a.model != b.model || a.api != b.api {
        let place = "model".to_owned();
        return Some(Difference { byte: 0, earlier_byte: 0, place, change: Change::Model, before: 0 });
    }
    let at = common(a, b);
    let end = |request: &Request<'_>| request.segments.last().map_or(0, |segment| segment.bytes.end);
    let (byte, earlier_byte, place, change) = match (a.segments.get(at), b.segments.get(at)) {
        (None, None) => return None,
        (Some(x), Some(y)) => {
            let (from, to) = (&a.body[x.bytes.clone()], &b.body[y.bytes.clone()]);
            let same = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
            (y.bytes.start + same, x.bytes.start + same, &y.place, Change::Changed)
        }
        (None, Some(y)) => (y.bytes.start, end(a), &y.place, Change::GoesOn),
        (Some(x), None) => (end(b), x.bytes.start, &x.place, Change::Ends),
    };
    Some(Difference { byte, earlier_byte, place: place.clone(), change, before: b.tokens(at) })
}
