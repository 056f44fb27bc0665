//! Words of the shell that the grammar cannot read.
//!
//! Takes a text; gives a copy of the same length with plain words in their place, or `None` where there are none. Such words
//! are patterns in expansions (`${host%%]:*}`), descriptors opened for both ways (`8<>pipe`) and tests that go on in the
//! next line (`-o \`). None of them defines anything, but after one of them the grammar may lose the rest of the file. What
//! is changed stays on its line and in its quotes, so that even where it is not code nothing else is read otherwise.

use crate::prepare::page::Page;
use crate::prepare::scan::skip;
use crate::structure::Span;
use memchr::memmem;

pub fn prepare(text: &str) -> Option<String> {
    let mut page = Page::new(text);
    let bytes = text.as_bytes();
    let mut done = 0;
    for start in memmem::find_iter(bytes, b"${") {
        // An expansion in a pattern is part of it.
        if start < done {
            continue;
        }
        if let Some((from, end)) = pattern(bytes, start + 2) {
            page.fill(Span::new(from, end), b'x');
            page.put(from, "%");
            done = end;
        }
    }
    for at in memmem::find_iter(bytes, b"<>") {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        if before.is_some_and(u8::is_ascii_digit) {
            page.put(at, "> ");
        }
    }
    for word in [b" -o \\\n", b" -a \\\n"] {
        for at in memmem::find_iter(bytes, word) {
            if !in_comment(bytes, at) {
                page.put(at + 4, "  ");
            }
        }
    }
    page.finish_changed()
}

/// Where the pattern of an expansion begins and ends, when it is one of those that are misread.
fn pattern(bytes: &[u8], name: usize) -> Option<(usize, usize)> {
    let from = skip(bytes, name, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if from == name || !matches!(bytes.get(from)?, b'%' | b'#' | b'/' | b':' | b'-' | b'+') {
        return None;
    }
    let mut depth = 1;
    let mut odd = false;
    // Longer ones are not written on one line, and a limit keeps lines of many open braces linear.
    for (at, byte) in bytes.iter().enumerate().skip(from).take(LONGEST) {
        match byte {
            b'\n' | b'\r' | b'\'' | b'"' | b'`' => return None,
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return (odd && at > from + 1).then_some((from, at));
                }
            }
            b'[' | b']' | b'&' | b'<' | b'>' | b'(' | b')' | b'^' => odd = true,
            b'$' => odd |= at == from + 1,
            _ => {}
        }
    }
    None
}

const LONGEST: usize = 200;

fn in_comment(bytes: &[u8], at: usize) -> bool {
    let line = bytes.get(..at).unwrap_or(&[]);
    let line = line.get(memchr::memrchr(b'\n', line).map_or(0, |end| end + 1)..).unwrap_or(&[]);
    line.trim_ascii_start().starts_with(b"#")
}
