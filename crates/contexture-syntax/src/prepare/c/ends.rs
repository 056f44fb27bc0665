//! Where lines, comments, strings and directives end.
//!
//! Takes bytes and the place of a beginning; gives the place behind the end, or that of the last byte.

/// After the line break.
pub fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', bytes.get(at..).unwrap_or(&[])).map_or(bytes.len(), |found| at + found + 1)
}

/// Whether the line break at this place is preceded by a backslash.
fn continues(bytes: &[u8], line_break: usize) -> bool {
    let before = bytes.get(..line_break).unwrap_or(&[]);
    let before = before.strip_suffix(b"\r").unwrap_or(before);
    before.ends_with(b"\\")
}

/// After a comment that begins here; a line comment ends before its line break.
pub fn comment_end(bytes: &[u8], start: usize) -> usize {
    if bytes.get(start + 1) == Some(&b'*') {
        let rest = bytes.get(start + 2..).unwrap_or(&[]);
        return memchr::memmem::find(rest, b"*/").map_or(bytes.len(), |found| start + 2 + found + 2);
    }
    let mut at = start;
    loop {
        match memchr::memchr(b'\n', bytes.get(at..).unwrap_or(&[])) {
            None => return bytes.len(),
            Some(found) if continues(bytes, at + found) => at += found + 1,
            Some(found) => return at + found,
        }
    }
}

/// After a string or character that begins here.
pub fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', bytes.get(at..).unwrap_or(&[])) {
        at += found;
        match bytes.get(at) {
            Some(b'\\') if bytes.get(at + 1) == Some(&b'\r') && bytes.get(at + 2) == Some(&b'\n') => at += 3,
            Some(b'\\') => at += 2,
            Some(b'\n') => return at,
            _ => return at + 1,
        }
    }
    bytes.len()
}

/// After the line break of a directive that begins here, with its continued lines and comments.
pub fn directive_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' if !continues(bytes, at) => return at + 1,
            b'/' if matches!(bytes.get(at + 1), Some(b'*' | b'/')) => at = comment_end(bytes, at),
            // Only a whole character: an apostrophe in `#error` is none.
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 3,
            b'\'' if bytes.get(at + 1) == Some(&b'\\') && bytes.get(at + 3) == Some(&b'\'') => at += 4,
            b'"' => at = quoted_end(bytes, at, b'"'),
            _ => at += 1,
        }
    }
    bytes.len()
}
