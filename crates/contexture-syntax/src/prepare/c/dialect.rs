//! Whether a header is C++.
//!
//! Takes a text, or its beginning; says yes when something in it is no C. What stands between `#ifdef __cplusplus` and its
//! end says nothing: it is there because the rest is C.

use super::Dialect;
use super::lex::{Token, Tokens, kind, tokens};

/// How much of a header is looked at: the longest table of constants before the first class of a real header was shorter.
const ENOUGH: usize = 256 * 1024;

pub fn is_cpp(text: &str) -> bool {
    let text = text.get(..text.floor_char_boundary(ENOUGH)).unwrap_or(text);
    let Tokens { list, dead, .. } = tokens(text, Dialect::C);
    if dead.iter().any(|span| includes_cpp(span.of(text))) || (0..list.len()).any(|at| says_cpp(text, &list, at)) {
        return true;
    }
    // Most of it may stand between `#ifdef __cplusplus` and its end.
    let all = tokens(text, Dialect::Cpp).list;
    if all.len() < list.len() * 2 {
        return false;
    }
    let list = all;
    let is_linkage = |at: usize| list.get(at).is_some_and(|token| token.span.of(text) == "extern");
    (0..list.len()).any(|at| !is_linkage(at) && says_cpp(text, &list, at))
}

/// The library of C++ has headers without endings.
fn includes_cpp(directive: &str) -> bool {
    let header = directive
        .strip_prefix('#')
        .and_then(|rest| rest.trim_start().strip_prefix("include"))
        .and_then(|rest| rest.trim_start().strip_prefix('<'))
        .and_then(|rest| rest.split_once('>'));
    header.is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

fn says_cpp(text: &str, list: &[Token], at: usize) -> bool {
    let kind = |place: usize| list.get(place).map_or(0, |token| token.kind);
    let word =
        |place: usize| list.get(place).filter(|token| token.kind == kind::WORD).map_or("", |token| token.span.of(text));
    let before = at.checked_sub(1).map_or(b';', kind);
    let starts = matches!(before, b';' | b'{' | b'}' | b'>' | kind::DEFINE);
    let is_name = |place: usize| kind(place) == kind::WORD;
    match kind(at) {
        kind::SCOPE => is_name(at + 1) && at.checked_sub(2).map_or(0, kind) != b'[' && before != b'[',
        b'~' => starts && is_name(at + 1) && kind(at + 2) == b'(',
        kind::WORD => match word(at) {
            "class" => starts && is_name(at + 1) && matches!(kind(at + 2), b'{' | b':' | b';' | b'<' | kind::WORD),
            "struct" => is_name(at + 1) && kind(at + 2) == b':' && is_name(at + 3),
            "enum" => matches!(word(at + 1), "class" | "struct") && is_name(at + 2),
            "namespace" => {
                starts && (kind(at + 1) == b'{' || is_name(at + 1) && matches!(kind(at + 2), b'{' | b'=' | kind::SCOPE))
            }
            "template" => starts && kind(at + 1) == b'<',
            "using" => starts && is_name(at + 1) && (kind(at + 2) == b'=' || word(at + 1) == "namespace"),
            "public" | "private" | "protected" => starts && kind(at + 1) == b':',
            "virtual" | "explicit" => starts && (is_name(at + 1) || kind(at + 1) == b'~'),
            "operator" => {
                !is_name(at + 1)
                    && !matches!(kind(at + 1), b';' | b',' | b')' | b'=' | b'[' | 0)
                    && is_name(at.wrapping_sub(1))
            }
            "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" => kind(at + 1) == b'<',
            "const" => is_name(at + 1) && kind(at + 2) == b'&' && kind(at + 3) != b'&',
            "extern" => kind(at + 1) == kind::TEXT,
            _ => false,
        },
        _ => false,
    }
}
