//! Small questions about a text: lines, columns, white space.

use crate::structure::Span;

/// Whether a list of words, with spaces between them, has this one.
pub fn has_word(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}

/// The words between two places. Only the first kilobyte is read: words that matter come first, and a declaration of
/// thousands of names must not be read again for each of them.
pub(crate) fn first_words(text: &str, start: u32, end: u32) -> impl Iterator<Item = &str> + Clone {
    let part = Span { start, end: end.max(start) }.of(text);
    let part = part.get(..part.floor_char_boundary(1000)).unwrap_or("");
    part.split(|c: char| !c.is_alphanumeric() && c != '_')
}

pub(crate) fn trimmed(text: &str, span: Span) -> Span {
    let inner = span.of(text);
    let start = span.start as usize + (inner.len() - inner.trim_start().len());
    Span::new(start, start + inner.trim().len())
}

/// Whether only white space stands before it on its line.
pub(crate) fn begins_line(text: &str, at: u32) -> bool {
    let before = text.get(..at as usize).unwrap_or("");
    before.bytes().rev().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Bytes between the beginning of the line and here.
pub(crate) fn column(text: &str, at: u32) -> usize {
    text.get(..at as usize).unwrap_or("").bytes().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count()
}

/// Whether nothing but one line break stands between. A comment may have taken its line break along.
pub(crate) fn adjacent(text: &str, end: u32, start: u32) -> bool {
    let end = text.get(..end as usize).unwrap_or("").trim_end().len();
    let between = text.get(end..start as usize).unwrap_or("x");
    between.trim().is_empty() && between.bytes().filter(|byte| *byte == b'\n').count() <= 1
}

/// A letter, a digit, or what joins them in a name.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
