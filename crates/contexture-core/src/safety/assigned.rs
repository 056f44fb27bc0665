//! Secrets that only their names give away: `password = "…"`, `"token": "…"`, `<secret>…</secret>`, `--api-key …`, `Bearer …`.
//!
//! Takes a text and the place of a telling word in it; gives where the value stands, if there is one and it is no reference, placeholder or
//! word. Looks at one line and seldom at the next, and at no more of them than a long line of settings has, so that the cost of each word is bounded.

use super::rules::{Name, whole_characters};
use super::value::{is_password, is_placeholder, is_random};
use std::ops::Range;

/// The longest rest of a name, and the longest value, that are looked at.
const NAME: usize = 40;
const VALUE: usize = 512;
/// How far back a host and a name stand before their password, and how long a block of settings is.
const LOGIN: usize = 160;
const BLOCK: usize = 800;

/// The value that is given to a name with a telling word in it.
pub(super) fn assigned(text: &str, word: Range<usize>, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = word.end;
    let limit = bytes.len().min(word.end + NAME);
    while at < limit && is_name(bytes[at]) {
        at += 1;
    }
    let rest = &text[word.end..at];
    // `token_type`, `password_hash`, `secret_name` name something else; `tokenize` and `secretary` too, and `_pass_through`.
    if is_other(rest)
        || (text[word.clone()].ends_with("ass") || text[word.clone()].ends_with("ASS")) && !rest.is_empty()
    {
        return None;
    }
    // What stands before the word on its line: the beginning of its name, and a sign before that.
    let head = &text[text.floor_char_boundary(word.start.saturating_sub(NAME))..word.start];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
    let start = head.trim_end_matches(is_part);
    let is_option = head[start.len()..].starts_with("--");
    let before = Before { line: start, name: &head[start.len()..] };
    let opens_tag = || start.ends_with('<');
    if bytes.get(at) == Some(&b'>') && opens_tag() {
        let value = taken(bytes, at + 1, |byte| byte != b'<' && byte != b'\n');
        let closes = bytes[value.end..].starts_with(b"</");
        return if closes { judged(text, value, name, Quoted::Yes) } else { None };
    }
    let closes = bytes[at..].iter().take_while(|byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\')).count();
    at += closes.min(4);
    let gap = blanks(bytes, at);
    let sign = at + gap;
    match bytes.get(sign) {
        Some(b'=' | b':') => {}
        // `--password VALUE`, `PASSWORD 'VALUE'`.
        Some(b'"' | b'\'') if gap > 0 => return value_at(text, sign, name, Quoted::Yes),
        Some(_) if gap > 0 && closes == 0 && (is_option || before.is_env() || before.is_login(text, word.start)) => {
            return value_at(text, sign, name, Quoted::No);
        }
        Some(b'(') if gap == 0 && closes == 0 && before.is_setter() => return argument(text, sign + 1, name),
        _ if before.is_label() => return labelled(text, at, name),
        Some(b'{') if before.is_variable() => return default_of(text, sign, name),
        _ => return None,
    }
    at = sign;
    while at < bytes.len().min(sign + 4) && matches!(bytes[at], b'=' | b':' | b'>' | b'~') {
        at += 1;
    }
    // `a::b` is a path, `a == b` a question.
    let signs = &bytes[sign..at];
    if signs == b"::" || signs == b"===" {
        return None;
    }
    at += blanks(bytes, at);
    if bytes[sign] == b':' && signs == b":" {
        at = past_type(bytes, at).unwrap_or(at);
        if let Some(line) = block_line(bytes, at) {
            return judged(text, line, name, Quoted::No);
        }
    }
    value_at(text, at, name, Quoted::No)
}

/// What stands before a telling word: the beginning of its name, and what is before that.
struct Before<'a> {
    line: &'a str,
    name: &'a str,
}

impl Before<'_> {
    /// `ENV DB_PASSWORD value` of a Dockerfile.
    fn is_env(&self) -> bool {
        let line = self.line.rsplit('\n').next().unwrap_or_default();
        line.len() > line.trim_end().len() && line.trim().eq_ignore_ascii_case("env")
    }

    /// `machine host login name password value` of a .netrc, on one line or on several.
    fn is_login(&self, text: &str, word: usize) -> bool {
        if !self.name.is_empty() {
            return false;
        }
        let head = &text[text.floor_char_boundary(word.saturating_sub(LOGIN))..word];
        let mut words = head.split_ascii_whitespace().rev().skip(1);
        words.next() == Some("login") && (words.next() == Some("default") || words.next() == Some("machine"))
    }

    /// `setPassword("…")`, `with_token("…")`, `.password("…")`.
    fn is_setter(&self) -> bool {
        let lower = self.name.to_ascii_lowercase();
        let verb = lower.trim_end_matches('_');
        verb.ends_with("set") || verb.ends_with("with") || self.name.ends_with('.')
    }

    /// The telling word is itself the value of a name: `name: DB_PASSWORD`, `key="Password"`, `"name": "DB_PASSWORD"`.
    fn is_label(&self) -> bool {
        // `name:DB_PASSWORD` without a blank is taken for one name.
        let mut said = self.line.trim_end_matches(['"', '\'', '\\', ' ', '\t']);
        if let Some((label, _)) = self.name.rsplit_once(':') {
            said = label;
        } else if let Some(label) = said.strip_suffix([':', '=']) {
            said = label.trim_end_matches(['"', '\'', '\\', ' ', '\t']);
        } else {
            return false;
        }
        let tail = |length: usize| said.len().checked_sub(length).and_then(|at| said.get(at..)).unwrap_or_default();
        tail(4).eq_ignore_ascii_case("name") || tail(3).eq_ignore_ascii_case("key")
    }

    /// `variable "db_password" {` of Terraform.
    fn is_variable(&self) -> bool {
        self.line.strip_suffix('"').is_some_and(|line| line.trim_end().ends_with("variable"))
    }
}

/// The first argument of a call, when it is a string.
fn argument(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let at = at + blanks(bytes, at);
    matches!(bytes.get(at), Some(b'"' | b'\'' | b'`' | b'\\')).then(|| value_at(text, at, name, Quoted::Yes)).flatten()
}

/// The value that stands beside a name, or on the line below it: `value: …`, `value="…"`, `"value": "…"`.
fn labelled(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_between = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'"' | b'\'' | b'\\' | b'+');
    let start = at + bytes[at..].iter().take(NAME).take_while(|byte| is_between(byte)).count();
    let end = start + bytes[start..].iter().take(NAME).take_while(|byte| is_name(**byte)).count();
    // The value of this name and not that of the one after it.
    let is_near = memchr::memchr_iter(b'\n', &bytes[at..start]).count() <= 1;
    let label = text.get(start..end)?.to_ascii_lowercase();
    let end = end + bytes[end..].iter().take(2).take_while(|byte| matches!(byte, b'"' | b'\'' | b'\\')).count();
    let sign = end + blanks(bytes, end);
    if start == at || !is_near || !label.ends_with("value") || !matches!(bytes.get(sign), Some(b':' | b'=')) {
        return None;
    }
    value_at(text, sign + 1 + blanks(bytes, sign + 1), name, Quoted::No)
}

/// The default of a variable, in the block that begins here; other lines may stand before it.
fn default_of(text: &str, open: usize, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let block = &bytes[open..bytes.len().min(open + BLOCK)];
    // A block on one line ends on it.
    let ends = memchr::memchr2(b'\n', b'}', block).filter(|at| block[*at] == b'}');
    let ends = ends.or_else(|| memchr::memmem::find(block, b"\n}")).unwrap_or(block.len());
    let block = &block[..ends];
    memchr::memmem::find_iter(block, b"default").find_map(|at| {
        let sign = open + at + 7 + blanks(bytes, open + at + 7);
        let is_alone = matches!(block[at - 1], b' ' | b'\t' | b'\n' | b'{');
        (is_alone && bytes.get(sign) == Some(&b'='))
            .then(|| value_at(text, sign + 1 + blanks(bytes, sign + 1), name, Quoted::No))
            .flatten()
    })
}

/// The first line of a block of YAML, when one begins here: `|`, `>-`, `|2+`.
fn block_line(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    matches!(bytes.get(at), Some(b'|' | b'>')).then_some(())?;
    let signs = bytes[at + 1..].iter().take(2).take_while(|byte| matches!(byte, b'+' | b'-' | b'1'..=b'9')).count();
    let end = at + 1 + signs;
    let end = end + blanks(bytes, end);
    let end = end + usize::from(bytes.get(end) == Some(&b'\r'));
    (bytes.get(end) == Some(&b'\n')).then(|| taken(bytes, end + 1, |byte| byte != b'\n'))
}

/// What follows `Bearer ` or `Basic `.
pub(super) fn behind_scheme(text: &str, word: Range<usize>) -> Option<(&'static str, Range<usize>)> {
    let bytes = text.as_bytes();
    if word.start > 0 && bytes[word.start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let at = word.end + blanks(bytes, word.end);
    let range = taken(bytes, at, |byte| {
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    Yes,
    No,
}

fn value_at(text: &str, mut at: usize, name: Name, how: Quoted) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // Prefixes of strings, backslashes of strings in strings, and a call around one: b"x", \"x\", Some("x").
    if let Some(open) = bytes[at..].iter().take(24).position(|byte| matches!(byte, b'"' | b'\'' | b'`')) {
        let before = &bytes[at..at + open];
        let is_prefix = before
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'\\' | b'@' | b'(' | b':' | b'#' | b'_'));
        let is_call = before.last() == Some(&b'(') || before.len() <= 2 || before.last() == Some(&b'\\');
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
        return judged(text, start..end.max(start), name, Quoted::Yes);
    }
    let range = taken(bytes, at, |byte| {
        !matches!(
            byte,
            b' ' | b'\t'
                | b'\n'
                | b'\r'
                | b'"'
                | b'\''
                | b'`'
                | b','
                | b';'
                | b')'
                | b'}'
                | b']'
                | b'&'
                | b'<'
                | b'|'
                | b'\\'
        )
    });
    judged(text, range, name, how)
}

fn judged(text: &str, range: Range<usize>, name: Name, how: Quoted) -> Option<Range<usize>> {
    let range = whole_characters(text, range)?;
    let said = text.get(range.clone())?;
    let trimmed = said.trim();
    let start = range.start + (said.len() - said.trim_start().len());
    let range = start..start + trimmed.len();
    let value = trimmed;
    // What goes on behind the bound is masked as far as it is of one piece.
    let value_end =
        text.as_bytes()[range.end..].iter().take_while(|byte| value.len() >= VALUE && is_name(**byte)).count();
    let range = range.start..range.end + value_end;
    if value.len() < 6 {
        return None;
    }
    let is_meant = match (name, how) {
        (Name::Password, Quoted::Yes) => is_password(value),
        // Without quotes it may be the name of a variable, or the next word of a sentence.
        (Name::Password, Quoted::No) => is_password(value) && !is_code(value) && has_mixture(value),
        (Name::Secret | Name::ApiKey, Quoted::Yes) => is_random(value, 12),
        (Name::Secret | Name::ApiKey, Quoted::No) => is_random(value, 16) && !is_code(value),
        (Name::Token, Quoted::Yes) => is_random(value, 16),
        (Name::Token, Quoted::No) => is_random(value, 20) && !is_code(value),
    };
    (is_meant && !is_placeholder(value) && !is_number(value)).then_some(range)
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
    (digit && letter && value.len() >= 8) || value.contains(['!', '#', '%', '^', '@', '~'])
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
        || value.ends_with([':', '.', '?', '!']) && value.len() < 10
}

/// Parts of a name behind the telling word that make it the name of something else.
fn is_other(rest: &str) -> bool {
    const OTHER: &[&str] = &[
        "type",
        "name",
        "hash",
        "length",
        "len",
        "count",
        "id",
        "url",
        "uri",
        "path",
        "file",
        "dir",
        "field",
        "label",
        "hint",
        "prompt",
        "policy",
        "regex",
        "pattern",
        "format",
        "encoder",
        "encoding",
        "prefix",
        "suffix",
        "limit",
        "max",
        "min",
        "size",
        "index",
        "offset",
        "version",
        "expiry",
        "expires",
        "expiration",
        "ttl",
        "timeout",
        "endpoint",
        "header",
        "param",
        "kind",
        "class",
        "input",
        "placeholder",
        "validator",
        "env",
        "arn",
        "ref",
        "var",
        "manager",
        "algorithm",
        "alg",
        "salt",
        "digest",
        "checksum",
        "fingerprint",
        "public",
        "error",
        "message",
        "text",
        "description",
        "title",
        "help",
        "budget",
        "usage",
        "stream",
        "set",
        "list",
        "map",
        "izer",
        "ize",
        "ized",
        "ization",
        "ary",
        "less",
        "s_",
    ];
    let rest = rest.trim_start_matches(['_', '-', '.']).to_ascii_lowercase();
    if rest.is_empty() || rest == "s" || rest == "ord" || rest == "d" || rest == "word" {
        return false;
    }
    let last = rest.rsplit(['_', '-', '.']).next().unwrap_or(&rest);
    OTHER.iter().any(|other| last == *other || rest == *other || (other.len() > 3 && last.ends_with(other)))
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn blanks(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take(16).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

fn taken(bytes: &[u8], at: usize, is_part: impl Fn(u8) -> bool) -> Range<usize> {
    at..at + bytes[at..].iter().take(VALUE).take_while(|byte| is_part(**byte)).count()
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
