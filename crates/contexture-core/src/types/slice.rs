//! A marked range of lines, as it is stored: what `anchor` makes and finds again.

use crate::keywords;

/// Line numbers are a memory of where the slice was, never what it is shown by.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Slice {
    /// Counted from 1, both included.
    pub start_line: u64,
    pub end_line: u64,
    /// What a person called it.
    pub tag: Option<String>,
    /// What a person said about it.
    pub comment: Option<String>,
    /// SHA-256 of the lines without their ends, joined with `\n`, as hexadecimal digits.
    pub content_hash: Option<String>,
    /// The lines right before and right after, as text.
    pub anchor_lines: Vec<String>,
    /// Hashes and sketches of the slice and its surroundings, as one word.
    pub fingerprint: Option<String>,
}

/// What became of a slice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// The same text on the same lines.
    Exact,
    /// The same text on other lines.
    Moved,
    /// The same place, the text edited.
    Changed,
    /// It could be in several places, or nothing tells whether it is there.
    Ambiguous,
    /// Nothing in the text is enough like it.
    Lost,
}

keywords!(Outcome {
    Exact = "exact",
    Moved = "moved",
    Changed = "changed",
    Ambiguous = "ambiguous",
    Lost = "lost",
});

/// Where a slice is now.
#[derive(Clone, PartialEq, Debug)]
pub struct Resolved {
    pub outcome: Outcome,
    /// First and last line, counted from 1; `None` when no line is claimed.
    pub lines: Option<(u64, u64)>,
    /// That these lines are the slice, from 0 to 1; 0 when no line is claimed.
    pub confidence: f64,
    /// One sentence.
    pub why: String,
}
