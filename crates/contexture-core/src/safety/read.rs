//! Where a value begins and ends, and whether it is one: strings with their quotes, prefixes and escapes, and words without.
//!
//! Takes a text and a place in it, and the name that led there; gives the place of the value. Looks at one line, and at no more of it
//! than a long value has.

use super::names::Name;
use super::rules::whole_characters;
use super::value::{
    is_app_password, is_by_chance, is_noise, is_password, is_placeholder, is_random, is_raw_key, is_strong,
};
use std::ops::Range;

/// The rule that matched, and where the value is.
pub(super) type RuleMatch = Option<(&'static str, Range<usize>)>;

/// The longest value that is looked at.
const VALUE: usize = 512;
/// How much longer a value may be that was found: keys as base64 have some kilobytes.
const LONGEST: usize = 8192;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoted {
    Yes,
    No,
}

pub(super) fn value_at(text: &str, mut at: usize, name: Name, how: Quoted) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // Prefixes of strings, backslashes of strings in strings, and a call around one: b"x", \"x\", Some("x").
    if let Some(open) = bytes[at..].iter().take(24).position(|byte| matches!(byte, b'"' | b'\'' | b'`')) {
        let before = &bytes[at..at + open];
        let is_prefix = before.iter().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'\\' | b'@' | b'(' | b':' | b'#' | b'_' | b'=')
        });
        let is_default = before.ends_with(b"(default=");
        let is_call = before.last() == Some(&b'(') || is_default || before.len() <= 2 || before.last() == Some(&b'\\');
        let is_lookup = before.contains(&b'(') && text[at..at + open].to_ascii_lowercase().contains("env");
        if is_prefix && is_call && !is_lookup {
            at += open;
        }
    }
    let quote = *bytes.get(at)?;
    if matches!(quote, b'"' | b'\'' | b'`') {
        let marks = bytes[at..].iter().take(3).take_while(|byte| **byte == quote).count();
        let start = at + if marks == 3 { 3 } else { 1 };
        let is_escaped = at > 0 && bytes[at - 1] == b'\\';
        let mut escaped = false;
        let mut end = start;
        while end < bytes.len().min(start + VALUE) && bytes[end] != b'\n' {
            if bytes[end] == quote && (!escaped || is_escaped) {
                // The backslash belongs to the quote.
                end -= usize::from(escaped);
                break;
            }
            escaped = bytes[end] == b'\\' && !escaped;
            end += 1;
        }
        return judge(text, start..end.max(start), name, Quoted::Yes);
    }
    let range = value_range(bytes, at, |byte| !b" \t\n\r\"'`,;)}]&<|\\".contains(&byte));
    judge(text, range, name, how)
}

pub(super) fn judge(text: &str, range: Range<usize>, name: Name, how: Quoted) -> Option<Range<usize>> {
    let range = whole_characters(text, range)?;
    let said = text.get(range.clone())?;
    let trimmed = said.trim();
    let start = range.start + (said.len() - said.trim_start().len());
    let range = start..start + trimmed.len();
    let value = trimmed;
    if value.len() < 6 {
        return None;
    }
    let is_meant = match (name, how) {
        (Name::Password, Quoted::Yes) if is_app_password(value) => return Some(whole(text, range)),
        (Name::Password, Quoted::Yes) => is_password(value),
        // Without quotes it may be the name of a variable, or the next word of a sentence.
        (Name::Password, Quoted::No) => {
            is_password(value) && !is_code(value) && (has_mixture(value) || is_by_chance(value))
        }
        // The name is that of other things, too.
        (Name::Pass, Quoted::Yes) => is_strong(value),
        (Name::Pass, Quoted::No) => is_strong(value) && !is_code(value) && has_mixture(value),
        (Name::Secret | Name::Token, _) if is_raw_key(value) => return Some(whole(text, range)),
        (Name::Secret | Name::Token, Quoted::Yes) if is_noise(value) => return Some(whole(text, range)),
        (Name::Secret | Name::ApiKey, Quoted::Yes) => is_random(value, 12),
        (Name::Secret | Name::ApiKey, Quoted::No) => is_random(value, 16) && !is_code(value),
        (Name::Token, Quoted::Yes) => is_random(value, 16),
        (Name::Token, Quoted::No) => is_random(value, 20) && !is_code(value),
    };
    (is_meant && !is_placeholder(value) && !is_number(value)).then(|| whole(text, range))
}

/// What goes on behind the bound is masked as far as it is of one piece, and as far as values go.
fn whole(text: &str, range: Range<usize>) -> Range<usize> {
    let is_part = |byte: &&u8| is_name(**byte) || matches!(byte, b'+' | b'/' | b'=');
    let more = if range.len() >= VALUE {
        text.as_bytes()[range.end..].iter().take(LONGEST).take_while(is_part).count()
    } else {
        0
    };
    range.start..range.end + more
}

/// A path of names, as code has it: `config.auth.token2`, `Some::Path`, `a->b`, `x++`.
pub(super) fn is_code(value: &str) -> bool {
    let parts = value.split('.').filter(|part| !part.is_empty());
    let is_path = value.contains('.')
        && parts.clone().count() > 1
        && parts.clone().all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && super::value::look(part).rarity < 0.5
        });
    is_path
        || value.contains(['(', ')', '{', '}', '[', ']'])
        || value.ends_with([':', '.', '?', '!']) && value.len() < 10 && !value.bytes().any(|byte| byte.is_ascii_digit())
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

pub(super) fn blanks(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take(16).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

pub(super) fn value_range(bytes: &[u8], at: usize, is_part: impl Fn(u8) -> bool) -> Range<usize> {
    at..at + bytes[at..].iter().take(VALUE).take_while(|byte| is_part(**byte)).count()
}

/// A number as code writes it: `2151809298u32`, `-16384L`, `1_000`, `1.5e10`.
pub(super) fn is_number(value: &str) -> bool {
    let digits =
        value.trim_start_matches(['-', '+']).trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '.'));
    digits.len() < value.len()
        && digits.len() <= 4
        && digits.chars().all(|c| c.is_ascii_alphanumeric())
        && value.bytes().filter(u8::is_ascii_digit).count() > digits.len()
}

/// Digits beside letters, or signs that no name has.
pub(super) fn has_mixture(value: &str) -> bool {
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    (digit && letter && value.len() >= 8) || value.contains(['!', '#', '%', '^', '@', '~', '$', '*'])
}

/// The first argument of a call, when it is a string.
pub(super) fn argument(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let at = at + blanks(bytes, at);
    matches!(bytes.get(at), Some(b'"' | b'\'' | b'`' | b'\\')).then(|| value_at(text, at, name, Quoted::Yes)).flatten()
}
