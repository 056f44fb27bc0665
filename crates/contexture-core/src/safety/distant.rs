//! Values that stand apart from their names: beside a label, in the element below, in a block, as the default of a variable.
//!
//! Takes a text and where the name ends in it; gives the place of the value. How far is looked is bounded for each form.

use super::names::Name;
use super::read::{Quoted, blanks, is_name, judge, value_at, value_range};
use std::ops::Range;

/// How far back a host and a name stand before their password; how long a block of settings is; how far a value is from its label.
const LOGIN: usize = 160;
const BLOCK: usize = 800;
const NEAR: usize = 160;

const ENV: &[&str] = &["env", "setenv", "set -x", "set -gx", "set -Ux", "setx"];

/// What stands before a telling word: the beginning of its name, and what is before that.
pub(super) struct Before<'a> {
    pub line: &'a str,
    pub name: &'a str,
}

impl Before<'_> {
    /// `ENV DB_PASSWORD value` of a Dockerfile, `setenv` and `set -x` of shells.
    pub fn is_env(&self) -> bool {
        let line = self.line.rsplit('\n').next().unwrap_or_default();
        line.len() > line.trim_end().len() && ENV.iter().any(|known| line.trim().eq_ignore_ascii_case(known))
    }

    /// `machine host login name password value` of a .netrc, on one line or on several.
    pub fn is_login(&self, text: &str, word: usize) -> bool {
        if !self.name.is_empty() {
            return false;
        }
        let head = &text[text.floor_char_boundary(word.saturating_sub(LOGIN))..word];
        let mut words = head.split_ascii_whitespace().rev().skip(1);
        words.next() == Some("login") && (words.next() == Some("default") || words.next() == Some("machine"))
    }

    /// `setPassword("…")`, `with_token("…")`, `.password("…")`.
    pub fn is_setter(&self) -> bool {
        let lower = self.name.to_ascii_lowercase();
        let verb = lower.trim_end_matches('_');
        verb.ends_with("set") || verb.ends_with("with") || self.name.ends_with('.')
    }

    /// The telling word is itself the value of a name: `name: DB_PASSWORD`, `key="Password"`, `"name": "DB_PASSWORD"`.
    pub fn is_label(&self) -> bool {
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
        tail(4).eq_ignore_ascii_case("name")
            || tail(3).eq_ignore_ascii_case("key")
            || self.is_tag() && (tail(4).eq_ignore_ascii_case("type") || tail(2).eq_ignore_ascii_case("id"))
    }

    /// Within a tag: `<input type="password" `.
    pub fn is_tag(&self) -> bool {
        self.line.rsplit_once('<').is_some_and(|(_, tag)| !tag.contains('>'))
    }

    /// `variable "db_password" {` of Terraform.
    pub fn is_variable(&self) -> bool {
        self.line.strip_suffix('"').is_some_and(|line| line.trim_end().ends_with("variable"))
    }
}

/// The value that stands beside a name or on a line below it, in the same element: `value: …`, `value="…"`, `"value": "…"`.
pub(super) fn labelled_value(text: &str, at: usize, name: Name, is_tag: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let near = &bytes[at..bytes.len().min(at + NEAR)];
    let near = &near[..near.iter().position(|byte| matches!(byte, b'{' | b'}' | b'<' | b'>')).unwrap_or(near.len())];
    memchr::memmem::find_iter(near, b"alue").find_map(|found| {
        let start = at + found - near[..found].iter().rev().take_while(|byte| is_name(**byte)).count();
        let between = text.get(at..start)?.to_ascii_lowercase();
        // The value of this name and not that of the one after it.
        let is_own = !between.is_empty() && (is_tag || !["name", "key"].iter().any(|label| between.contains(label)));
        let end = at + found + 4;
        let end = end + bytes[end..].iter().take(2).take_while(|byte| matches!(byte, b'"' | b'\'' | b'\\')).count();
        let sign = end + blanks(bytes, end);
        let is_label =
            matches!(bytes.get(at + found - 1), Some(b'v' | b'V')) && matches!(bytes.get(sign), Some(b':' | b'='));
        (is_own && is_label).then(|| value_at(text, sign + 1 + blanks(bytes, sign + 1), name, Quoted::No)).flatten()
    })
}

/// The text of the element that a name opens or that follows it: `<password>…</`, `<key>Password</key><string>…</`, `name="password">…</`.
pub(super) fn element(text: &str, at: usize, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(at + NEAR);
    let mut at = at + usize::from(bytes.get(at) == Some(&b'>'));
    loop {
        at += bytes[at..limit.max(at)].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if bytes[at..].starts_with(b"<![CDATA[") {
            at += 9;
            break;
        }
        if bytes.get(at) != Some(&b'<') {
            break;
        }
        at += 1 + memchr::memchr(b'>', &bytes[at..limit.max(at)])?;
    }
    let value = value_range(bytes, at, |byte| !matches!(byte, b'<' | b'\n' | b'\r'));
    let value = match memchr::memmem::find(&bytes[value.clone()], b"]]>") {
        Some(end) => value.start..value.start + end,
        None => value,
    };
    let closes = value.end + bytes[value.end..].iter().take(NEAR).take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_closed = bytes[closes..].starts_with(b"</") || bytes[closes..].starts_with(b"]]>");
    is_closed.then(|| judge(text, value, name, Quoted::Yes)).flatten()
}

/// The default of a variable, in the block that begins here; other lines may stand before it.
pub(super) fn default_of(text: &str, open: usize, name: Name) -> Option<Range<usize>> {
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
pub(super) fn block_line(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    matches!(bytes.get(at), Some(b'|' | b'>')).then_some(())?;
    let signs = bytes[at + 1..].iter().take(2).take_while(|byte| matches!(byte, b'+' | b'-' | b'1'..=b'9')).count();
    let end = at + 1 + signs;
    let end = end + blanks(bytes, end);
    let end = end + usize::from(bytes.get(end) == Some(&b'\r'));
    (bytes.get(end) == Some(&b'\n')).then(|| value_range(bytes, end + 1, |byte| byte != b'\n'))
}
