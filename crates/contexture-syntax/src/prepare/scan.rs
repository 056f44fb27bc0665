//! Where words, lines, comments and strings end, for every language that is read byte by byte.
//!
//! Takes bytes and the place of a beginning; gives the place behind the end, or that of the last byte.

use memchr::{memchr, memmem, memrchr};
use std::ops::Range;

/// A letter, a digit, or what else names are made of in most languages.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub fn rest(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(at..).unwrap_or(&[])
}

/// Behind all bytes of a kind.
pub fn skip(bytes: &[u8], at: usize, is_kind: impl Fn(u8) -> bool) -> usize {
    at + rest(bytes, at).iter().take_while(|byte| is_kind(**byte)).count()
}

/// The word that begins here; of a longer one only the beginning, which is enough to tell what it is not.
pub fn word(bytes: &[u8], at: usize) -> &[u8] {
    let near = rest(bytes, at);
    let near = near.get(..16).unwrap_or(near);
    near.split(|byte| !is_word(*byte)).next().unwrap_or(&[])
}

/// Whether a word has a letter here; false before the first byte.
pub fn is_part(bytes: &[u8], at: Option<usize>) -> bool {
    at.and_then(|at| bytes.get(at)).is_some_and(|byte| is_word(*byte))
}

/// The lines with any of these places, each once.
pub fn lines_with(bytes: &[u8], places: impl Iterator<Item = usize>) -> impl Iterator<Item = Range<usize>> {
    let mut done = 0;
    places.filter_map(move |at| {
        let start = memrchr(b'\n', bytes.get(done..at)?).map_or(done, |found| done + found + 1);
        done = memchr(b'\n', rest(bytes, at)).map_or(bytes.len(), |found| at + found);
        Some(start..done)
    })
}

/// After the line break.
pub fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', rest(bytes, at)).map_or(bytes.len(), |found| at + found + 1)
}

/// Whether the line break at this place is preceded by a backslash.
pub fn continues(bytes: &[u8], line_break: usize) -> bool {
    let before = bytes.get(..line_break).unwrap_or(&[]);
    before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\")
}

/// After a block comment that begins here.
pub fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    memmem::find(rest(bytes, start + 2), b"*/").map_or(bytes.len(), |found| start + found + 4)
}

/// After a string or character that begins with a quote here and ends with its line at the latest.
pub fn quoted_end(bytes: &[u8], start: usize, line_breaks: &[u8]) -> usize {
    let quote = bytes.get(start).copied();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if bytes.get(at + 1..at + 3) == Some(b"\r\n") => at += 3,
            b'\\' => at += 2,
            _ if line_breaks.contains(byte) => return at,
            _ if Some(*byte) == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}
