//! Conditional parts of C# that the grammar cannot read.
//!
//! Takes a text; gives a copy of the same length in which such conditions are blank, or `None` where there are none. The
//! grammar reads `#if … #endif` around whole declarations and statements and shows all branches. Anywhere else (in a list of
//! bases, around half of an `if`, between accessors) only the first branch is kept, so that what follows is read rightly.

use super::page::Page;
use super::scan::{block_comment_end, quoted_end, rest, skip};
use crate::structure::Span;
use memchr::{memchr, memchr2, memmem};

pub fn prepare(text: &str) -> Option<String> {
    let mut page = Page::new(text);
    for span in torn(&pieces(text)) {
        page.blank_words(span);
    }
    page.finish_changed()
}

/// A directive of a condition, or the code between two of them.
enum Piece<'a> {
    If(Span),
    Else(Span),
    End(Span),
    Code(Code<'a>),
}

#[derive(Default)]
struct Code<'a> {
    /// The first word or sign.
    first: &'a str,
    /// The last byte that is neither white space nor comment.
    last: u8,
    /// How many brackets it opens more than it closes, at its end and where that is least.
    net: i32,
    low: i32,
}

/// A condition that is open.
struct Group {
    start: Span,
    /// What came before it.
    before: u8,
    depth: i32,
    /// Whether all branches are whole so far.
    whole: bool,
    /// Whether the branch has had no code yet.
    fresh: bool,
    first: Option<Branch>,
    low: i32,
}

/// How the first branch ended: what follows the condition goes on from there.
#[derive(Clone, Copy)]
struct Branch {
    end: u32,
    last: u8,
    depth: i32,
    low: i32,
}

/// Words that go on with what stands before a condition, or that the grammar has no place for under one.
const GOES_ON: &[&str] = &[
    "else", "catch", "finally", "case", "default", "get", "set", "init", "add", "remove", "where", "when", "is", "as",
];

/// The spans to blank.
fn torn(pieces: &[Piece<'_>]) -> Vec<Span> {
    let mut blank = Vec::new();
    let mut open: Vec<Group> = Vec::new();
    let mut closed: Option<(Group, Span)> = None;
    let (mut last, mut depth) = (0, 0);
    for piece in pieces {
        if let Some((group, end)) = closed.take() {
            let goes_on = matches!(piece, Piece::Code(code) if GOES_ON.contains(&code.first));
            settle(group, end, !goes_on, &mut blank);
        }
        match piece {
            Piece::Code(code) => {
                if let Some(group) = open.last_mut() {
                    group.whole &= !group.fresh || begins(code.first);
                    group.fresh = false;
                    group.low = group.low.min(depth + code.low);
                }
                depth += code.net;
                last = code.last;
            }
            Piece::If(span) => {
                let whole = matches!(last, 0 | b'{' | b'}' | b';' | b']');
                open.push(Group { start: *span, before: last, depth, whole, fresh: true, first: None, low: depth });
            }
            Piece::Else(span) | Piece::End(span) => {
                let Some(mut group) = open.pop() else { continue };
                group.whole &= group.fresh || matches!(last, b'}' | b';' | b']');
                group.whole &= depth == group.depth && group.low >= group.depth;
                let first = *group.first.get_or_insert(Branch { end: span.start, last, depth, low: group.low });
                if matches!(piece, Piece::Else(_)) {
                    (last, depth) = (group.before, group.depth);
                    open.push(Group { fresh: true, low: group.depth, ..group });
                    continue;
                }
                (last, depth) = (first.last, first.depth);
                if let Some(outer) = open.last_mut() {
                    outer.low = outer.low.min(first.low);
                    // A condition at the beginning of a branch begins it.
                    outer.whole &= !outer.fresh || group.whole;
                    outer.fresh &= group.fresh;
                }
                closed = Some((group, *span));
            }
        }
    }
    if let Some((group, end)) = closed {
        settle(group, end, true, &mut blank);
    }
    blank
}

/// Decides on a condition when it is known what follows it.
fn settle(group: Group, end: Span, is_over: bool, blank: &mut Vec<Span>) {
    if group.whole && is_over {
        return;
    }
    blank.push(group.start);
    blank.push(Span { start: group.first.map_or(end.start, |first| first.end), end: end.end });
}

/// Whether a declaration or a statement can begin so.
fn begins(first: &str) -> bool {
    let sign = first
        .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '[' | '{' | '(' | '@' | '~' | '*' | '+' | '-'));
    sign && !GOES_ON.contains(&first)
}

/// Reads as much of the language as tells code from text.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let mut code = Code::default();
    let mut begins_line = true;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'\n' | b'\r' => {
                begins_line = true;
                continue;
            }
            byte if byte.is_ascii_whitespace() || *byte >= 0x80 => continue,
            b'#' if begins_line => {
                at = line_end(bytes, at);
                let span = Span::new(start, at);
                let word = text.get(start + 1..at).unwrap_or("").trim_start();
                let word = word.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
                let directive = match word {
                    "if" => Piece::If(span),
                    "else" | "elif" => Piece::Else(span),
                    "endif" => Piece::End(span),
                    _ => continue,
                };
                if !code.first.is_empty() {
                    pieces.push(Piece::Code(std::mem::take(&mut code)));
                }
                pieces.push(directive);
                continue;
            }
            b'/' if bytes.get(at) == Some(&b'/') => {
                at = line_end(bytes, at);
                continue;
            }
            b'/' if bytes.get(at) == Some(&b'*') => {
                at = block_comment_end(bytes, start);
                continue;
            }
            b'"' => at = string_end(bytes, start),
            b'\'' => at = quoted_end(bytes, start, b"\r\n"),
            b'(' | b'[' | b'{' => code.net += 1,
            b')' | b']' | b'}' => {
                code.net -= 1;
                code.low = code.low.min(code.net);
            }
            byte if is_word(*byte) => at = skip(bytes, at, is_word),
            _ => {}
        }
        begins_line = false;
        if code.first.is_empty() {
            code.first = text.get(start..at).unwrap_or("?");
        }
        code.last = bytes.get(at - 1).copied().unwrap_or(*byte);
    }
    if !code.first.is_empty() {
        pieces.push(Piece::Code(code));
    }
    pieces
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    memchr2(b'\n', b'\r', rest(bytes, from)).map_or(bytes.len(), |end| from + end)
}

/// The end of a string that begins at a quote: a plain one, `@"…"` or `"""…"""`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let behind = skip(bytes, start, |byte| byte == b'"');
    let fence = bytes.get(start..behind).unwrap_or(&[]);
    if fence.len() >= 3 {
        return memmem::find(rest(bytes, behind), fence).map_or(bytes.len(), |end| behind + end + fence.len());
    }
    let before = bytes.get(start.saturating_sub(2)..start).unwrap_or(&[]);
    if !before.ends_with(b"@") && before != b"@$" {
        return quoted_end(bytes, start, b"\r\n");
    }
    let mut at = start + 1;
    while let Some(end) = memchr(b'"', rest(bytes, at)) {
        at += end + 1;
        // A quote in such a string is written twice.
        if bytes.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    bytes.len()
}
