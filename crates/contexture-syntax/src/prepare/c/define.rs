//! A `#define` as any grammar reads it: name, empty parameters, one word for the value.

use super::lex::is_word;
use super::page::Page;
use crate::structure::Span;

pub fn write(text: &str, span: Span, page: &mut Page) {
    let line = span.of(text);
    let bytes = line.as_bytes();
    let skip = |mut at: usize| {
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    };
    let name = skip(skip(1) + "define".len());
    let mut at = name;
    while bytes.get(at).is_some_and(|byte| is_word(*byte)) {
        at += 1;
    }
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
    let mut value = skip(at);
    // The value may begin on the next line.
    while bytes.get(value) == Some(&b'\\') && matches!(bytes.get(value + 1), Some(b'\n' | b'\r')) {
        value = skip(value + if bytes.get(value + 1) == Some(&b'\r') { 3 } else { 2 });
    }
    page.blank(here(at, end));
    if value < end {
        page.write(here(value, end), "x");
    }
    // The file ends without a line break, which a directive needs.
    if !ended && end > at {
        page.write(here(end - 1, end), "\n");
    }
}
