//! Anchored slices: a marked range of lines that is found again after the file changed, or honestly reported as gone.
//!
//! [`make`] takes text and a range and gives a [`Slice`] that knows what it needs to be found; [`resolve`] takes that
//! slice and a later text and says where it is now, or that it cannot tell. It never names lines it is not sure of: being wrong
//! silently is the one result that is not allowed. Reads nothing, writes nothing; the cost is linear in the text.

mod border;
mod chain;
mod code;
mod field;
mod find;
mod fingerprint;
mod legacy;
mod lines;
mod remains;
mod sketch;
#[cfg(test)]
mod tests;

pub use crate::types::{Outcome, Resolved};

use crate::types::{ContentHash, Slice};
use find::Find;
use fingerprint::Fingerprint;
use lines::Line;
use std::fmt;
use std::ops::Range;

/// Why a range is no slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSlice {
    /// Lines are counted from 1, and the last is not before the first.
    Backwards { start: u64, end: u64 },
    /// The file ends before the range does.
    Beyond { end: u64, lines: u64 },
}

impl fmt::Display for NoSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backwards { start, end } => write!(f, "not a range of lines, counted from 1: `{start}-{end}`"),
            Self::Beyond { end, lines } => write!(f, "the range ends at line {end}, the file has {lines}"),
        }
    }
}

impl std::error::Error for NoSlice {}

/// Lines before and after a slice that are kept as text, for people and for other programs.
const ANCHOR_LINES: usize = 2;

/// A slice of the lines `start` to `end`, counted from 1, both included.
pub fn make(text: &str, start: u64, end: u64, tag: Option<&str>, comment: Option<&str>) -> Result<Slice, NoSlice> {
    if start == 0 || end < start {
        return Err(NoSlice::Backwards { start, end });
    }
    let lines = lines::read(text);
    let count = lines.len();
    let range = range_of(start, end).filter(|range| range.end <= count);
    let range = range.ok_or(NoSlice::Beyond { end, lines: count as u64 })?;
    let hash = content_hash(lines.get(range.clone()).unwrap_or_default());
    let [a, b, c, d, ..] = hash.0;
    let print = Fingerprint::take(&lines, &range, u32::from_be_bytes([a, b, c, d]));
    let before = range.start.saturating_sub(ANCHOR_LINES)..range.start;
    let after = range.end..(range.end + ANCHOR_LINES).min(count);
    let texts = |range: Range<usize>| lines.get(range).unwrap_or_default().iter().map(|line| line.text.to_owned());
    Ok(Slice {
        start_line: start,
        end_line: end,
        tag: tag.map(str::to_owned),
        comment: comment.map(str::to_owned),
        content_hash: Some(hash.to_string()),
        anchor_lines: texts(before).chain(texts(after)).collect(),
        fingerprint: Some(print.to_text()),
    })
}

/// Where a slice is in a text.
pub fn resolve(slice: &Slice, text: &str) -> Resolved {
    let lines = lines::read(text);
    let Some(range) = range_of(slice.start_line, slice.end_line) else {
        return nowhere(Outcome::Ambiguous, "its stored lines are no range");
    };
    let Some(print) = slice.fingerprint.as_deref().and_then(Fingerprint::of_text).filter(|print| belongs(print, slice))
    else {
        return legacy::resolve(slice, &range, &lines);
    };
    if print.len != range.len() {
        let why = "its stored lines were changed by hand: they are not as many as its fingerprint holds";
        return nowhere(Outcome::Ambiguous, why);
    }
    match find::find(&print, &lines) {
        Find::Here { at, confidence, why } => claim(slice, &lines, at, confidence, why),
        Find::Ambiguous(why) => nowhere(Outcome::Ambiguous, why),
        Find::Lost(why) => nowhere(Outcome::Lost, why),
    }
}

/// Whether a text holds, word for word, all slices whose content is known; with none known, it does not.
pub fn holds(slices: &[Slice], text: &str) -> bool {
    let mut known = slices.iter().filter(|slice| slice.content_hash.is_some()).peekable();
    known.peek().is_some() && known.all(|slice| matches!(resolve(slice, text).outcome, Outcome::Exact | Outcome::Moved))
}

/// A fingerprint of other text than the content hash says is not used.
fn belongs(print: &Fingerprint, slice: &Slice) -> bool {
    slice.content_hash.as_deref().is_none_or(|hash| belongs_to(print, hash))
}

fn belongs_to(print: &Fingerprint, hash: &str) -> bool {
    hash.to_ascii_lowercase().starts_with(&format!("{:08x}", print.content))
}

fn claim(slice: &Slice, lines: &[Line<'_>], at: Range<usize>, confidence: f64, why: String) -> Resolved {
    let hash = content_hash(lines.get(at.clone()).unwrap_or_default()).to_string();
    let same = match (&slice.content_hash, slice.fingerprint.as_deref().and_then(Fingerprint::of_text)) {
        (Some(stored), _) => stored.eq_ignore_ascii_case(&hash),
        (None, Some(print)) => belongs_to(&print, &hash),
        (None, None) => false,
    };
    let outcome = match same {
        true if at.start as u64 + 1 == slice.start_line => Outcome::Exact,
        true => Outcome::Moved,
        false => Outcome::Changed,
    };
    Resolved { outcome, lines: Some((at.start as u64 + 1, at.end as u64)), confidence, why }
}

fn nowhere(outcome: Outcome, why: impl Into<String>) -> Resolved {
    Resolved { outcome, lines: None, confidence: 0.0, why: why.into() }
}

/// Lines counted from 1 as a range counted from 0.
fn range_of(start: u64, end: u64) -> Option<Range<usize>> {
    let range = usize::try_from(start.checked_sub(1)?).ok()?..usize::try_from(end).ok()?;
    (!range.is_empty()).then_some(range)
}

/// SHA-256 of the lines without their ends, joined with `\n`: the same under CRLF, and other programs can make it.
fn content_hash(lines: &[Line<'_>]) -> ContentHash {
    let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
    ContentHash::of(texts.join("\n"))
}
