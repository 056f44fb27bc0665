//! Credentials in headers: `Bearer …`, `Basic …`, `Authorization: token …`, and `name:password` as base64 in settings.

use super::names::Name;
use super::read::{Quoted, RuleMatch, blanks, judge, value_range};
use super::value::{is_placeholder, is_random};
use std::ops::Range;

/// What follows `Bearer ` or `Basic `.
pub(super) fn behind_scheme(text: &str, word: Range<usize>) -> RuleMatch {
    let bytes = text.as_bytes();
    if word.start > 0 && bytes[word.start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let at = word.end + blanks(bytes, word.end);
    let range = value_range(bytes, at, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'.' | b'-' | b'~')
    });
    let value = text.get(range.clone())?;
    let is_basic = bytes[word.start].eq_ignore_ascii_case(&b'b') && bytes[word.start + 1].eq_ignore_ascii_case(&b'a');
    let (id, least) = if is_basic { ("basic-auth", 12) } else { ("bearer-token", 16) };
    // The name and the password of somebody as base64: most of it is no chance.
    let is_meant = match is_basic {
        true => is_pair(value),
        false => is_random(value, least) && !is_placeholder(value),
    };
    is_meant.then_some((id, range))
}

/// Whether a word is base64 of `name:password`.
fn is_pair(value: &str) -> bool {
    let body = value.trim_end_matches('=');
    if body.len() < 12 || !value.len().is_multiple_of(4) {
        return false;
    }
    let six = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bits, mut held, mut plain) = (0_u32, 0, Vec::with_capacity(body.len()));
    for byte in body.bytes() {
        let Some(value) = six(byte) else { return false };
        bits = (bits << 6 | u32::from(value)) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            plain.push((bits >> held & 0xFF) as u8);
        }
    }
    let is_text = plain.iter().all(|byte| (0x20..0x7F).contains(byte));
    let password = plain.iter().position(|byte| *byte == b':').map(|at| &plain[at + 1..]);
    is_text
        && password.is_some_and(|password| password.len() >= 4 && !is_placeholder(&String::from_utf8_lossy(password)))
}

/// What is given to `Authorization`, behind the name of a scheme or without one.
pub(super) fn authorization(text: &str, word: Range<usize>) -> RuleMatch {
    let bytes = text.as_bytes();
    let at = past_sign(bytes, word.end)?;
    let scheme = value_range(bytes, at, |byte| byte.is_ascii_alphabetic());
    let is_scheme = scheme.len() < 12 && bytes.get(scheme.end) == Some(&b' ');
    // These two are looked for wherever they stand.
    if ["basic", "bearer"].iter().any(|known| text[scheme.clone()].eq_ignore_ascii_case(known)) {
        return None;
    }
    let start = if is_scheme { scheme.end + 1 } else { at };
    let range = value_range(bytes, start, is_token);
    judge(text, range, Name::Token, Quoted::No).map(|range| ("authorization-header", range))
}

/// The name and the password of somebody behind `auth`.
pub(super) fn pair(text: &str, word: Range<usize>) -> RuleMatch {
    let bytes = text.as_bytes();
    let range = value_range(bytes, past_sign(bytes, word.end)?, is_token);
    is_pair(text.get(range.clone())?).then_some(("basic-auth", range))
}

/// Behind the end of a name, its sign, and the quotes of both.
fn past_sign(bytes: &[u8], at: usize) -> Option<usize> {
    let quotes = |at: usize| {
        bytes[at..].iter().take(4).take_while(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b']')).count()
    };
    let at = at + quotes(at);
    let at = at + blanks(bytes, at);
    let sign = bytes[at..].iter().take(2).take_while(|byte| matches!(byte, b':' | b'=' | b',' | b'>')).count();
    let at = at + sign + blanks(bytes, at + sign);
    (sign > 0).then(|| at + quotes(at))
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'.' | b'-' | b'~')
}
