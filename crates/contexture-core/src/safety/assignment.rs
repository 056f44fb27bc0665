//! Secrets that only their names give away: `password = "…"`, `"token": "…"`, `<secret>…</secret>`, `--api-key …`, `put("token", "…")`.
//!
//! Takes a text and the place of a telling word in it; gives where the value stands, if there is one and it is no reference, placeholder or
//! word. Looks at one line and seldom at the next, and at no more of them than a long line of settings has, so that the cost of each word is bounded.

use super::distant::{Before, block_line, default_of, element, labelled_value};
use super::names::{Name, is_begun, is_other, is_public};
use super::read::{Quoted, RuleMatch, argument, blanks, is_name, judge, value_at, value_range};
use super::text_kind::TextKind;
use super::value::{is_not_a_word, is_phrase};
use std::ops::Range;

/// The longest rest of a name, and how far behind a reference its substitute stands.
const NAME: usize = 40;
const NEAR: usize = 120;

/// The value that is given to a name with a telling word in it. In code it is on the line of its name.
pub(super) fn assigned_value(text: &str, kind: TextKind, word: Range<usize>, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let said = &text[word.clone()];
    let mut at = word.end;
    let limit = bytes.len().min(word.end + NAME);
    while at < limit && is_name(bytes[at]) {
        at += 1;
    }
    let rest = &text[word.end..at];
    // `token_type`, `password_hash`, `secret_name` name something else; `tokenize` and `secretary` too, and `_pass_through`.
    if is_other(rest) || !is_begun(text, word.start, said) || (name == Name::Pass && !rest.is_empty()) {
        return None;
    }
    // What stands before the word on its line: the beginning of its name, and a sign before that.
    let head = &text[text.floor_char_boundary(word.start.saturating_sub(NAME))..word.start];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
    let start = head.trim_end_matches(is_part);
    let is_option = head[start.len()..].starts_with("--");
    let before = Before { line: start, name: &head[start.len()..] };
    if name == Name::Token && is_public(before.name) {
        return None;
    }
    if bytes.get(at) == Some(&b'>') && start.ends_with('<') || bytes[at..].starts_with(b"</") && start.ends_with('>') {
        return element(text, at, name);
    }
    let is_closing = |byte: &&u8| matches!(byte, b'"' | b'\'' | b'`' | b'[' | b']' | b'\\' | b'*');
    let closes = bytes[at..].iter().take_while(is_closing).count().min(4);
    let is_string = closes > 0 && matches!(bytes[at + closes - 1], b'"' | b'\'');
    at += closes;
    let gap = blanks(bytes, at);
    let sign = at + gap;
    let next = &bytes[sign..];
    match next.first() {
        Some(b'=' | b':') => {}
        _ if before.is_label() => {
            let beside = labelled_value(text, at, name, before.is_tag());
            return beside.or_else(|| element(text, sign, name).filter(|_| next.starts_with(b">")));
        }
        // `put("password", "VALUE")`, `["--token", "VALUE"]`.
        Some(b',') if is_string => return argument(text, sign + 1, name),
        Some(b'>') if is_string => return element(text, sign, name),
        // `--password VALUE`, `PASSWORD 'VALUE'`.
        Some(b'"' | b'\'') if gap > 0 && name != Name::Pass => return value_at(text, sign, name, Quoted::Yes),
        Some(b'`') if gap > 0 => {
            return value_at(text, sign, name, Quoted::Yes).filter(|range| is_not_a_word(&text[range.clone()]));
        }
        Some(_) if gap > 0 && closes == 0 && (is_option || before.is_env() || before.is_login(text, word.start)) => {
            return value_at(text, sign, name, Quoted::No);
        }
        Some(b'\r' | b'\n') if is_option && kind == TextKind::Data => return listed(text, sign, name),
        Some(b'(') if gap == 0 && closes == 0 && before.is_setter() => return argument(text, sign + 1, name),
        Some(b'{') if before.is_variable() => return default_of(text, sign, name),
        Some(b'?') if next.starts_with(b"?=") => {}
        Some(b'%') if next.starts_with(b"%3D") || next.starts_with(b"%3d") => return escaped(text, sign + 3, name),
        Some(b'<') if next.starts_with(b"<-") => return argument(text, sign + 2, name),
        Some(b'i') if gap > 0 && next.starts_with(b"is ") => return in_sentence(text, sign + 3, name),
        Some(_) => return substitute(text, at, name).or_else(|| typed(text, sign, name)),
        None => return None,
    }
    at = sign + usize::from(next.starts_with(b"?"));
    while at < bytes.len().min(sign + 4) && matches!(bytes[at], b'=' | b':' | b'>' | b'~') {
        at += 1;
    }
    // `a::b` is a path, `a == b` a question.
    let signs = &bytes[sign..at];
    if signs == b"::" || signs == b"===" {
        return None;
    }
    // `**Password:** value` of Markdown.
    at += if bytes[at..].starts_with(b"**") { 2 } else { 0 };
    at += blanks(bytes, at);
    if bytes[sign] == b':' && signs == b":" {
        at = past_type(bytes, at).unwrap_or(at);
        if kind == TextKind::Data
            && let Some(line) = block_line(bytes, at)
        {
            return judge(text, line, name, Quoted::No);
        }
    }
    match bytes.get(at) {
        Some(b'\r' | b'\n' | b'\\' | b'(') => {
            let below = (kind == TextKind::Data).then(|| below(text, at, name)).flatten();
            below.or_else(|| value_at(text, at, name, Quoted::No))
        }
        _ => value_at(text, at, name, Quoted::No).or_else(|| substitute(text, at, name)),
    }
}

/// The value on the line below its name: a string, or a word alone behind a colon or a backslash.
fn below(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let at = at + usize::from(matches!(bytes.get(at), Some(b'\\' | b'(')));
    let at = at + usize::from(bytes.get(at) == Some(&b'\r'));
    if bytes.get(at) != Some(&b'\n') {
        return None;
    }
    let at = at + 1 + bytes[at + 1..].iter().take(NAME).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if matches!(bytes.get(at), Some(b'"' | b'\'' | b'`')) {
        return value_at(text, at, name, Quoted::Yes);
    }
    let word = value_range(bytes, at, |byte| !byte.is_ascii_whitespace());
    let is_alone = bytes.get(word.end).is_none_or(|byte| matches!(byte, b'\r' | b'\n'));
    is_alone.then(|| judge(text, word, name, Quoted::No)).flatten()
}

/// The item of a list below an option: `- --token` and `- VALUE`.
fn listed(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let line = text[at..].trim_start_matches(['\r', '\n', ' ', '\t']);
    let start = text.len() - line.len();
    let is_item = start - at < NAME && line.starts_with("- ");
    is_item.then(|| value_at(text, start + 2, name, Quoted::No)).flatten()
}

/// What stands in for a reference that is not there: `process.env.TOKEN || '…'`, `get("TOKEN") or "…"`.
fn substitute(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let line = &text.as_bytes()[at..text.len().min(at + NEAR)];
    let line = &line[..memchr::memchr2(b'\n', b';', line).unwrap_or(line.len())];
    let found = |sign: &&[u8]| memchr::memmem::find(line, sign).map(|found| at + found + sign.len());
    let signs: [&[u8]; 4] = [b"||", b"??", b" or ", b"?:"];
    signs.iter().find_map(found).and_then(|at| argument(text, at, name))
}

/// A value behind a type, or behind what a property can do: `Password string = "…"`, `Password { get; set; } = "…"`.
fn typed(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let line = &text.as_bytes()[at..text.len().min(at + NAME)];
    let sign = memchr::memmem::find(line, b" = ")?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" ;{}*[]._<>?".contains(byte);
    line[..sign].iter().all(is_plain).then(|| argument(text, at + sign + 3, name)).flatten()
}

/// A value in an address that is a part of another: `token%3D…%26`.
fn escaped(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let word =
        value_range(text.as_bytes(), at, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    judge(text, word, name, Quoted::No)
}

/// `the password is …`: in a sentence only what no word is.
fn in_sentence(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let range = value_at(text, at + blanks(text.as_bytes(), at), name, Quoted::No)?;
    let value = text[range.clone()].trim_end_matches(['.', ',', '!', '?']);
    is_not_a_word(value).then_some(range.start..range.start + value.len())
}

/// The words of a purse behind their name.
pub(super) fn phrase(text: &str, word: Range<usize>) -> RuleMatch {
    let bytes = text.as_bytes();
    let at = word.end
        + bytes[word.end..]
            .iter()
            .take(NAME)
            .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b':'))
            .count();
    let at = at + bytes[at..].iter().take(8).take_while(|byte| b" =:\"'`\\".contains(byte)).count();
    let range = value_range(bytes, at, |byte| byte.is_ascii_lowercase() || byte == b' ');
    is_phrase(text[range.clone()].trim_end()).then_some(("recovery-phrase", range))
}

/// Behind a type and the sign after it: `password: &str = "…"`.
fn past_type(bytes: &[u8], at: usize) -> Option<usize> {
    let is_type = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'&' | b'_' | b'<' | b'>' | b'[' | b']' | b'\'' | b'?' | b' ' | b'|' | b':' | b'*')
    };
    let length = bytes[at..].iter().take(NAME).take_while(|byte| is_type(byte)).count();
    let sign = at + length;
    (length > 0 && bytes.get(sign) == Some(&b'=') && bytes.get(sign + 1) != Some(&b'='))
        .then(|| sign + 1 + blanks(bytes, sign + 1))
}
