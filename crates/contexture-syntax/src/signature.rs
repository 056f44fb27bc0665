//! The head of a definition on one line: without comments, and without the line breaks between its brackets.

use crate::language::Language;
use crate::structure::{Def, SymbolKind};

/// The longest signature that is told; a value behind a constant may be a table of a thousand lines.
const LONGEST: usize = 400;

/// A value is told as far as its first line goes.
pub fn signature(language: &Language, def: &Def, text: &str) -> String {
    let head = def.head.of(text);
    // A declaration of thousands of names is not to be told in full for each of them.
    let long = head.floor_char_boundary(LONGEST * 4);
    let mut is_cut = long < head.len();
    let mut head = head.get(..long).unwrap_or(head);
    if def.kind.is_value() || def.kind == SymbolKind::Variant {
        let name = (def.name.end.saturating_sub(def.head.start)) as usize;
        let end = head.get(name..).and_then(|rest| rest.find(['\n', '\r'])).map_or(head.len(), |at| name + at);
        is_cut |= end < head.len();
        head = head.get(..end).unwrap_or(head);
    }
    let mut line = on_one_line(language, head);
    if !is_cut {
        line.truncate(line.trim_end_matches([' ', ';', '{', ',', '\\']).len());
        for end in [":", "=>", "="] {
            line.truncate(line.strip_suffix(end).unwrap_or(&line).trim_end().len());
        }
    }
    if line.len() > LONGEST || is_cut {
        line.truncate(line.floor_char_boundary(LONGEST));
        line.push_str(" …");
    }
    line
}

/// Comments and white space of any length as one space, or as nothing where a line was broken after an opening bracket or
/// before a closing one. What stands in quotes stays as it is.
fn on_one_line(language: &Language, head: &str) -> String {
    let mut out = String::with_capacity(head.len());
    let (mut spaces, mut broken, mut depth) = (false, false, 0_usize);
    let mut rest = head;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = after_comment(language, rest) {
            (spaces, broken, rest) = (true, true, after);
            continue;
        }
        if first.is_whitespace() {
            spaces = true;
            broken |= matches!(first, '\n' | '\r');
            rest = rest.get(first.len_utf8()..).unwrap_or("");
            continue;
        }
        let opened = out.ends_with(['(', '[', '<']);
        let closes = matches!(first, ')' | ']' | '>');
        if broken && closes && (depth == 1 || first == '>') && out.ends_with(',') {
            out.pop();
        } else if spaces && !out.is_empty() && !(broken && (opened || closes)) {
            out.push(' ');
        }
        (spaces, broken) = (false, false);
        match first {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let (same, after) = rest.split_at(quoted_len(rest).unwrap_or(first.len_utf8()));
        out.push_str(same);
        rest = after;
    }
    out
}

/// What follows a comment, when one stands here.
fn after_comment<'t>(language: &Language, text: &'t str) -> Option<&'t str> {
    if let Some(comment) = language.line_comments.last().and_then(|mark| text.strip_prefix(mark)) {
        // `#[attribute]` is none.
        return (!comment.starts_with('['))
            .then(|| comment.find(['\n', '\r']).and_then(|at| comment.get(at..)).unwrap_or(""));
    }
    let comment = text.strip_prefix("/*").filter(|_| language.block_comments.contains(&("/*", "*/")))?;
    comment.find("*/").and_then(|at| comment.get(at + 2..))
}

/// How long a string is that begins here and ends on its line.
fn quoted_len(text: &str) -> Option<usize> {
    let quote = text.bytes().next().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'\n' | b'\r' => return None,
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
