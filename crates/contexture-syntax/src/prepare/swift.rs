//! Swift that its grammar does not read, made readable for it.
//!
//! Takes a text; gives a copy of the same length, or nothing when there is nothing to change: `\/` in a regular expression
//! becomes two letters, because the grammar ends the expression there. Only what stands where a value begins and is closed
//! on its line is taken for one. Strings and comments are not told from code: a changed letter in them changes no tree.
//! Every line is read once.

use super::page::Page;
use super::scan::{lines_with, rest};
use crate::structure::Span;
use memchr::memmem;

pub fn prepare(text: &str) -> Option<String> {
    let mut page = Page::new(text);
    let bytes = text.as_bytes();
    for line in lines_with(bytes, memmem::find_iter(bytes, b"\\/")) {
        expressions(bytes.get(line.clone()).unwrap_or(&[]), line.start, &mut page);
    }
    page.finish_changed()
}

fn expressions(line: &[u8], start: usize, page: &mut Page) {
    let mut at = 0;
    while let Some(offset) = memchr::memchr(b'/', rest(line, at)) {
        let open = at + offset;
        at = open + 1;
        if !is_value(line.get(..open).unwrap_or(&[])) || matches!(line.get(at), None | Some(b' ' | b'\t' | b'/' | b'*'))
        {
            continue;
        }
        let Some(close) = closing_slash(line, at) else { break };
        for escape in memmem::find_iter(line.get(at..close).unwrap_or(&[]), b"\\/") {
            let escape = start + at + escape;
            page.fill(Span::new(escape, escape + 2), b'x');
        }
        at = close + 1;
    }
}

/// Whether a value begins behind this part of a line.
fn is_value(before: &[u8]) -> bool {
    // Enough blanks for any style; more would be read again for every slash.
    let near = before.get(before.len().saturating_sub(20)..).unwrap_or(&[]).trim_ascii_end();
    near.ends_with(b"return") || matches!(near.last(), Some(b'=' | b'(' | b',' | b':' | b'[' | b'?'))
}

/// Where the slash is that closes an expression.
fn closing_slash(line: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match line.get(at)? {
            b'\\' => at += 2,
            b'/' => return Some(at),
            _ => at += 1,
        }
    }
}
