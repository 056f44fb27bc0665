//! TypeScript that is newer than its grammar, made readable for it.
//!
//! Takes a text; gives a copy of the same length in which a few words are blank, or nothing when there is none of them:
//! variance (`<in out T>`), `import("m").T<U>` in types, type arguments before a template (``sql<Row>`…` ``),
//! `export type *`. Overloads in an object type that end with their line get the `;` that the grammar does not see. No
//! strings or comments are told from code: a blank in a string changes no tree. Every search is bounded, so the work is
//! linear.

use super::page::Page;
use super::scan::{is_part, is_word, rest, skip, word};
use crate::structure::Span;
use memchr::memmem;

/// How far a list of type parameters or arguments may reach. The longest in four large projects had 600 bytes.
const LONGEST: usize = 1000;

pub fn prepare(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut page = Page::new(text);
    let mut floor = 0;
    for at in memchr::memchr3_iter(b'<', b',', b'`', bytes) {
        match bytes.get(at) {
            Some(b'`') => template_arguments(bytes, at, &mut page),
            Some(b'<') => {
                variance(bytes, at + 1, &mut page);
                overload(text, at, &mut floor, &mut page);
            }
            _ => variance(bytes, at + 1, &mut page),
        }
    }
    for at in memmem::find_iter(bytes, b"import(") {
        imported_type(bytes, at, &mut page);
    }
    for at in memmem::find_iter(bytes, b"export type") {
        if bytes.get(space(bytes, at + 11)) == Some(&b'*') {
            page.blank(Span::new(at + 7, at + 11));
        }
    }
    page.finish_changed()
}

/// `in T`, `out T` or `in out T` at the beginning of a parameter. Elsewhere no name stands behind these words but an
/// operator that is a word.
fn variance(bytes: &[u8], from: usize, page: &mut Page) {
    let start = past_comments(bytes, from);
    let first = word(bytes, start);
    if !matches!(first, b"in" | b"out") {
        return;
    }
    let mut end = start + first.len();
    let at = space(bytes, end);
    let mut next = word(bytes, at);
    if first == b"in" && next == b"out" {
        let third = word(bytes, space(bytes, at + 3));
        if is_parameter(third) {
            (end, next) = (at + 3, third);
        }
    }
    if is_parameter(next) {
        page.blank_words(Span::new(start, end));
    }
}

fn is_parameter(name: &[u8]) -> bool {
    !matches!(name, b"" | b"as" | b"extends" | b"in" | b"instanceof" | b"is" | b"of" | b"satisfies")
}

/// A line that begins with `<T>(` below a finished one. What was looked at for the line before, above `floor`, is not looked
/// at again.
fn overload(text: &str, at: usize, floor: &mut usize, page: &mut Page) {
    let bytes = text.as_bytes();
    let Some(before) = text.get(*floor..at) else { return };
    let above = before.trim_end_matches([' ', '\t']);
    let is_line = above.ends_with('\n') && above.len() < before.len();
    let is_list =
        bytes.get(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'\n' | b'\r' | b'_'));
    if is_line && is_list {
        *floor = at;
        if is_finished(code_above(above)) && is_called(bytes, at) {
            page.put(at - 1, ";");
        }
    }
}

/// The text before, without the comments that it ends with.
fn code_above(mut before: &str) -> &str {
    loop {
        before = before.trim_end();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        if before.ends_with("*/") {
            let Some(at) = before.rfind("/*") else { return before };
            before = &before[..at];
        } else if let Some(at) = before[line..].find("//") {
            before = &before[..line + at];
        } else {
            return before;
        }
    }
}

fn is_finished(code: &str) -> bool {
    let Some(last) = code.chars().next_back() else { return false };
    let unfinished =
        ["return", "default", "extends", "implements", "new", "keyof", "typeof", "yield", "await", "async"];
    match last {
        '>' => !code.ends_with("=>"),
        ')' | ']' | '}' | '"' | '\'' | '`' => true,
        _ => is_name(last) && !unfinished.iter().any(|word| code.ends_with(word)),
    }
}

/// Whether `(` follows what is in angle brackets.
fn is_called(bytes: &[u8], at: usize) -> bool {
    let mut depth = 0_usize;
    for (place, byte) in bytes.iter().enumerate().skip(at).take(LONGEST) {
        match byte {
            b'<' => depth += 1,
            b'>' if bytes.get(place - 1) != Some(&b'=') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return bytes.get(place + 1) == Some(&b'(');
        }
    }
    false
}

/// ``name<T>` ``: the arguments go.
fn template_arguments(bytes: &[u8], at: usize, page: &mut Page) {
    if at == 0 || bytes.get(at - 1) != Some(&b'>') {
        return;
    }
    let mut depth = 0_usize;
    for place in (at.saturating_sub(LONGEST)..at).rev() {
        match bytes.get(place) {
            Some(b'>') if place == 0 || bytes.get(place - 1) != Some(&b'=') => depth += 1,
            Some(b'<') => depth = depth.saturating_sub(1),
            Some(b'`') => return,
            _ => {}
        }
        if depth == 0 {
            if is_part(bytes, place.checked_sub(1)) {
                page.blank_words(Span::new(place, at));
            }
            return;
        }
    }
}

/// `import("m").T` where no call follows: the type stays.
fn imported_type(bytes: &[u8], at: usize, page: &mut Page) {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    if before.is_some_and(|byte| is_word(*byte) || *byte == b'.') {
        return;
    }
    let Some(quote @ (b'"' | b'\'')) = bytes.get(at + 7) else { return };
    let inner = rest(bytes, at + 8);
    let inner = inner.get(..LONGEST).unwrap_or(inner);
    let Some(close) = memchr::memchr2(*quote, b'\n', inner).map(|length| at + 8 + length) else { return };
    if bytes.get(close + 1..close + 3) != Some(b").") {
        return;
    }
    let mut end = close + 3;
    while bytes.get(end).is_some_and(|byte| is_word(*byte) || *byte == b'.') && end < close + LONGEST {
        end += 1;
    }
    if bytes.get(end) != Some(&b'(') {
        page.blank_words(Span::new(at, close + 3));
    }
}

fn space(bytes: &[u8], from: usize) -> usize {
    skip(bytes, from, |byte| byte.is_ascii_whitespace())
}

/// Behind white space and the comments in it.
fn past_comments(bytes: &[u8], from: usize) -> usize {
    let mut at = space(bytes, from);
    while at < from + LONGEST {
        let rest = bytes.get(at..(at + LONGEST).min(bytes.len())).unwrap_or(&[]);
        let (close, length) = match rest.get(..2) {
            Some(b"//") => (memchr::memchr(b'\n', rest), 1),
            Some(b"/*") => (memmem::find(rest, b"*/"), 2),
            _ => break,
        };
        let Some(close) = close else { break };
        at = space(bytes, at + close + length);
    }
    at
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}
