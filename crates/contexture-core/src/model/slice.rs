//! A marked range of lines, as it is stored: what `anchor` makes and finds again.

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
