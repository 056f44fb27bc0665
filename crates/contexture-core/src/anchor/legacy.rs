//! Slices that other programs stored: line numbers, perhaps a content hash and a few neighbouring lines, no fingerprint.
//!
//! Takes the slice and the lines; claims only lines whose hash is the stored one. Neighbours alone show where the slice was,
//! not that the text between them is it, so they only help to choose between equal places.

use super::lines::{Line, read};
use super::{Outcome, Resolved, claim, content_hash, nowhere};
use crate::types::{ContentHash, Slice};
use std::ops::Range;

/// Bytes that are hashed in search of the slice, nearest places first: about half a second.
const HASHED: usize = 64 << 20;
/// A hash of nothing takes as long as one of so many bytes.
const LEAST: usize = 256;

pub(super) fn resolve(slice: &Slice, range: &Range<usize>, lines: &[Line<'_>]) -> Resolved {
    let Some(stored) = slice.content_hash.as_deref().filter(|hash| !hash.is_empty()) else {
        let why = "only line numbers are stored; lines that `contexture slice make` marks are found again";
        return nowhere(Outcome::Ambiguous, why);
    };
    let len = range.len();
    let last = match lines.len().checked_sub(len) {
        Some(last) => last,
        None => return nowhere(Outcome::Lost, "the file is shorter than the slice"),
    };
    let (mut found, mut budget, mut complete) = (Vec::new(), HASHED, true);
    for at in outwards(range.start.min(last), last) {
        let part = lines.get(at..at + len).unwrap_or_default();
        let size: usize = part.iter().map(|line| line.text.len() + 1).sum();
        let Some(rest) = budget.checked_sub(size.max(LEAST)) else {
            complete = false;
            break;
        };
        budget = rest;
        if is(part, stored) {
            found.push(at);
        }
    }
    let chosen = match found.as_slice() {
        [] if complete => return nowhere(Outcome::Lost, "no lines have its content hash"),
        [] => return nowhere(Outcome::Lost, "no lines nearby have its content hash"),
        [at] if complete => Some(*at),
        many => by_neighbours(many, slice, len, lines),
    };
    match chosen {
        Some(at) => {
            let (confidence, why) = match found.len() {
                1 => (0.95, "the only lines with its content hash"),
                _ => (0.8, "of the lines with its content hash, the only ones with its neighbours"),
            };
            let resolved = claim(slice, lines, at..at + len, confidence, why.into());
            // The hash is the stored one; a final line end in it makes no other text.
            let outcome = if at == range.start { Outcome::Exact } else { Outcome::Moved };
            Resolved { outcome, ..resolved }
        }
        None => nowhere(
            Outcome::Ambiguous,
            "its content hash fits several places, and its neighbours do not tell which is meant",
        ),
    }
}

/// Programs differ in whether the last line end is hashed too.
fn is(lines: &[Line<'_>], stored: &str) -> bool {
    if content_hash(lines).to_string().eq_ignore_ascii_case(stored) {
        return true;
    }
    let ended: String = lines.iter().flat_map(|line| [line.text, "\n"]).collect();
    ContentHash::of(ended).to_string().eq_ignore_ascii_case(stored)
}

/// The one place that has more of the neighbouring lines around it than any other.
fn by_neighbours(places: &[usize], slice: &Slice, len: usize, lines: &[Line<'_>]) -> Option<usize> {
    let joined = slice.anchor_lines.join("\n");
    let wanted: Vec<_> = read(&joined).iter().map(Line::mark).filter(|mark| mark.class() > 0).collect();
    let around = slice.anchor_lines.len();
    let count = |at: usize| {
        let near = [at.saturating_sub(around)..at, at + len..(at + len + around).min(lines.len())];
        let near: Vec<_> =
            near.into_iter().flat_map(|range| lines.get(range).unwrap_or_default()).map(Line::mark).collect();
        wanted.iter().filter(|mark| near.contains(mark)).count()
    };
    let mut counted: Vec<(usize, usize)> = places.iter().take(MOST_PLACES).map(|at| (count(*at), *at)).collect();
    counted.sort_by_key(|(count, at)| (usize::MAX - count, *at));
    match counted.as_slice() {
        [(best, at)] if *best > 0 => Some(*at),
        [(best, at), (second, _), ..] if best > second => Some(*at),
        _ => None,
    }
}

/// Enough to choose from: further ones are further away than all of these.
const MOST_PLACES: usize = 256;

/// All places from 0 to `last`, those nearest to `from` first.
fn outwards(from: usize, last: usize) -> impl Iterator<Item = usize> {
    let below = (0..from).rev().map(Some).chain(std::iter::repeat(None));
    let above = (from..=last).map(Some).chain(std::iter::repeat(None));
    below.zip(above).flat_map(|(below, above)| [above, below]).flatten().take(last + 1)
}
