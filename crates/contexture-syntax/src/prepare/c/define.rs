//! A `#define` as any grammar reads it: name, empty parameters, one word for the value.
//!
//! A replacement of several lines that is no code is a comment instead: lists, values and types are told in full, as the
//! values of variables are.

use super::lex::comment_end;
use crate::prepare::page::Page;
use crate::prepare::scan::{is_blank, is_word, quoted_end, skip};
use crate::structure::Span;

pub fn write(text: &str, span: Span, page: &mut Page) {
    let line = span.of(text);
    let bytes = line.as_bytes();
    let past_blanks = |at: usize| skip(bytes, at, is_blank);
    let name = past_blanks(past_blanks(1) + "define".len());
    let mut at = skip(bytes, name, is_word);
    if at == name || bytes.get(name).is_some_and(u8::is_ascii_digit) {
        page.blank(span);
        return;
    }
    let here = |from: usize, to: usize| Span {
        start: span.start + Span::new(0, from).end,
        end: span.start + Span::new(0, to).end,
    };
    if bytes.get(at) == Some(&b'(') {
        let Some(close) = line.get(at..).and_then(|rest| rest.find(')')).map(|found| at + found) else {
            page.blank(span);
            return;
        };
        page.blank(here(at + 1, close));
        at = close + 1;
    }
    let mut end = line.len();
    let ended = line.ends_with('\n');
    end -= usize::from(ended);
    end -= usize::from(ended && line.ends_with("\r\n"));
    let mut value = past_blanks(at);
    // The value may begin on the next line.
    while bytes.get(value) == Some(&b'\\') && matches!(bytes.get(value + 1), Some(b'\n' | b'\r')) {
        value = past_blanks(value + if bytes.get(value + 1) == Some(&b'\r') { 3 } else { 2 });
    }
    page.blank(here(at, end));
    let replacement = line.get(value..end).unwrap_or("");
    if replacement.contains('\n') && replacement.len() >= "/**/".len() && !is_code(replacement) {
        // As a comment it ends the head and is no body.
        page.write(here(value, end - 2), "/*");
        page.write(here(end - 2, end), "*/");
    } else if value < end {
        page.write(here(value, end), "x");
    }
    // The file ends without a line break, which a directive needs.
    if !ended && end > at {
        page.write(here(end - 1, end), "\n");
    }
}

/// Whether a replacement does something rather than be something: it has statements.
fn is_code(replacement: &str) -> bool {
    let bytes = replacement.as_bytes();
    let mut at = 0;
    // What was before the word, and whether there was what statements have and declarations of fields have not.
    let (mut before, mut ends, mut acts) = (b';', false, false);
    while let Some(byte) = bytes.get(at).copied() {
        let start = at;
        at += 1;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => continue,
            b'/' if matches!(bytes.get(at), Some(b'/' | b'*')) => {
                at = comment_end(bytes, start);
                continue;
            }
            b'"' | b'\'' => at = quoted_end(bytes, start, b"\n"),
            b';' => ends = true,
            b'(' | b'{' | b'=' => acts = true,
            _ if is_word(byte) => {
                at = skip(bytes, at, is_word);
                let word = replacement.get(start..at).unwrap_or("");
                // In lists of words they stand between brackets and commas.
                let behind = replacement.get(at..).unwrap_or("").trim_start_matches([' ', '\t', '\r', '\n', '\\']);
                if is_control(word) && !matches!(before, b'(' | b',') && !behind.starts_with([',', ')']) {
                    return true;
                }
            }
            _ => {}
        }
        before = byte;
    }
    ends && acts
}

fn is_control(word: &str) -> bool {
    matches!(
        word,
        "do" | "while" | "for" | "if" | "else" | "switch" | "case" | "return" | "goto" | "break" | "continue" | "throw"
    )
}
