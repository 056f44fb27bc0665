//! One JSON value in bytes: where it ends, or where it breaks.
//!
//! Right to the letter, so that what passes can be put into another file as it stands. No recursion: nesting costs one byte
//! of memory a level.

use super::json;
use std::ops::Range;

/// Whether a line ends within a string: no document is broken into lines there.
pub(crate) fn ends_in_string(line: &[u8]) -> bool {
    let mut at = 0;
    while let Some(quote) = line.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        match quoted(line, at + quote) {
            Ok(end) => at = end,
            Err(_) => return true,
        }
    }
    false
}

/// The end of the JSON value that begins here, or where it breaks.
pub(crate) fn whole(bytes: &[u8], start: usize) -> Result<usize, usize> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Due {
        Value,
        ValueOrEnd,
        Key,
        KeyOrEnd,
        CommaOrEnd,
    }
    let mut open: Vec<u8> = Vec::new();
    let mut due = Due::Value;
    let mut at = start;
    loop {
        at = blank(bytes, at);
        let &byte = bytes.get(at).ok_or(at)?;
        let closes = matches!((byte, open.last()), (b'}', Some(b'{')) | (b']', Some(b'[')));
        match due {
            Due::ValueOrEnd | Due::KeyOrEnd | Due::CommaOrEnd if closes => {
                open.pop();
                at += 1;
                due = Due::CommaOrEnd;
            }
            Due::CommaOrEnd if byte == b',' => {
                due = if open.last() == Some(&b'{') { Due::Key } else { Due::Value };
                at += 1;
                continue;
            }
            Due::CommaOrEnd => return Err(at),
            Due::Key | Due::KeyOrEnd => {
                if byte != b'"' {
                    return Err(at);
                }
                at = blank(bytes, string(bytes, at)?);
                match bytes.get(at) {
                    Some(b':') => at += 1,
                    _ => return Err(at),
                }
                due = Due::Value;
                continue;
            }
            Due::Value | Due::ValueOrEnd => match byte {
                b'{' | b'[' => {
                    open.push(byte);
                    due = if byte == b'{' { Due::KeyOrEnd } else { Due::ValueOrEnd };
                    at += 1;
                    continue;
                }
                b'"' => {
                    at = string(bytes, at)?;
                    due = Due::CommaOrEnd;
                }
                _ => {
                    at = literal(bytes, at)?;
                    due = Due::CommaOrEnd;
                }
            },
        }
        if open.is_empty() {
            return Ok(at);
        }
    }
}

/// The end of what begins here by its brackets and quotes alone, or where even they fail.
pub(crate) fn balanced(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut open: Vec<u8> = Vec::new();
    let mut at = start;
    loop {
        let &byte = bytes.get(at).ok_or(at)?;
        match byte {
            b'"' => {
                let end = quoted(bytes, at)?;
                // No string of JSON goes over a line's end: a quote is missing somewhere.
                if bytes.get(at..end).is_some_and(|text| memchr::memchr(b'\n', text).is_some()) {
                    return Err(at);
                }
                at = end;
                continue;
            }
            b'{' | b'[' => open.push(byte),
            b',' | b']' if open.is_empty() && at > start => return Ok(at),
            b'}' | b']' => {
                if !matches!((byte, open.pop()), (b'}', Some(b'{')) | (b']', Some(b'['))) {
                    return Err(at);
                }
                if open.is_empty() {
                    return Ok(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// A key with its colon: the key, where it stands with its quotes, and where its value begins.
pub(crate) fn member(bytes: &[u8], at: usize) -> Option<(String, Range<usize>, usize)> {
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let end = string(bytes, at).ok()?;
    let serde_json::Value::String(key) = json::value(bytes.get(at..end)?)? else { return None };
    let colon = blank(bytes, end);
    (bytes.get(colon) == Some(&b':')).then(|| (key, at..end, blank(bytes, colon + 1)))
}

/// The end of a string that is right to the letter.
fn string(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let end = quoted(bytes, start)?;
    let body = bytes.get(start + 1..end - 1).unwrap_or_default();
    if let Some(at) = body.iter().position(|&byte| byte < 0x20) {
        return Err(start + 1 + at);
    }
    let mut from = 0;
    while let Some(at) = body.get(from..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let slash = from + at;
        from = match body.get(slash + 1) {
            Some(b'u') if body.get(slash + 2..slash + 6).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => {
                slash + 6
            }
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => slash + 2,
            _ => return Err(start + 1 + slash),
        };
    }
    Ok(end)
}

/// Behind the quote that ends the string; the end of everything if none does.
fn quoted(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start + 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let found = at + memchr::memchr2(b'"', b'\\', rest).ok_or(bytes.len())?;
        if bytes.get(found) == Some(&b'"') {
            return Ok(found + 1);
        }
        at = found + 2;
        if at > bytes.len() {
            return Err(bytes.len());
        }
    }
}

fn literal(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let rest = bytes.get(start..).unwrap_or_default();
    let length = rest.iter().position(|b| !matches!(b, b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z'));
    let end = start + length.unwrap_or(rest.len());
    let word = bytes.get(start..end).unwrap_or_default();
    match word {
        b"true" | b"false" | b"null" => Ok(end),
        _ if is_number(word) => Ok(end),
        // At the very end more may have followed.
        _ if length.is_none() => Err(end),
        _ => Err(start),
    }
}

fn is_number(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let digits = |from: usize| word.get(from..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = digits(0);
    if at == 0 || (at > 1 && word.first() == Some(&b'0')) {
        return false;
    }
    if word.get(at) == Some(&b'.') {
        let more = digits(at + 1);
        if more == 0 {
            return false;
        }
        at += 1 + more;
    }
    if matches!(word.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(word.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        let more = digits(at);
        if more == 0 {
            return false;
        }
        at += more;
    }
    at == word.len()
}

pub(crate) fn blank(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).unwrap_or(rest.len())
}
