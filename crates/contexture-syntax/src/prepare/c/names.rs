//! The names of variables, fields and types in a statement.

use super::head::{
    Function, exports, holds_parameters, inner_name, is_key, is_keyword, is_loud, is_storage, is_trailing, marks_name,
    name_before, points,
};
use super::lex::kind;
use super::parts::{CReader, Part, PartKind, Parts};
use super::write::{blank_all, specifiers};
use crate::prepare::page::Page;
use crate::structure::Span;

/// Keeps the names of variables, fields or types. `typed`: the type is before these parts. `attribute`: words in
/// capitals alone are rather attributes of the type than a name.
pub fn declarators(
    reader: &CReader<'_>,
    page: &mut Page,
    parts: &[Part<'_>],
    mut typed: bool,
    attribute: bool,
) -> bool {
    if attribute && parts.iter().all(|part| part.kind == PartKind::Round || marks_name(part.word)) {
        blank_all(page, parts);
        return true;
    }
    let comma = |at: usize| parts.get(at).filter(|part| part.kind == PartKind::Mark(b','));
    let mut any = typed;
    let mut from = 0;
    for segment in parts.split(|part| part.kind == PartKind::Mark(b',')) {
        let (start, end) = (from, from + segment.len());
        from = end + 1;
        match variable(reader, segment, typed) {
            Some((first, name)) => {
                if !typed && !specifiers(reader, page, segment.get(..first).unwrap_or(&[]), true) {
                    return false;
                }
                any = true;
                for part in segment.iter().skip(if typed { 0 } else { first }) {
                    hide_around(reader, page, part, name);
                }
            }
            None if !any => return false,
            None => {
                blank_all(page, segment);
                if let Some(comma) = comma(end).or_else(|| comma(start.checked_sub(1)?)) {
                    page.blank(comma.span);
                }
            }
        }
        typed = true;
    }
    any
}

/// Blanks a part but for the tokens of the name.
pub fn hide_around(reader: &CReader<'_>, page: &mut Page, part: &Part<'_>, (first, last): (usize, usize)) {
    let is_inside = part.first >= first && part.last <= last;
    if part.first > last || part.last < first || is_inside && part.kind == PartKind::Angle {
        page.blank(part.span);
    } else if !is_inside {
        let kept = reader.span(first, last);
        page.blank(Span { start: part.span.start, end: kept.start });
        page.blank(Span { start: kept.end, end: part.span.end.max(kept.end) });
    }
}

/// The part before which the type ends, and the first and last token of the name.
fn variable(reader: &CReader<'_>, segment: &[Part<'_>], typed: bool) -> Option<(usize, (usize, usize))> {
    for (at, part) in segment.iter().enumerate() {
        let next = segment.kind(at + 1);
        let is_declarator = part.kind == PartKind::Round
            && (matches!(next, Some(PartKind::Round | PartKind::Square)) || at > 0)
            && (points(reader, segment, at) || (part.last == part.first + 2 && next == Some(PartKind::Round)));
        if is_declarator && (at > 0 || typed) {
            let name = inner_name(reader, part)?;
            return Some((at, (name, name)));
        }
    }
    let ends = |part: &Part<'_>| {
        use PartKind::{Brace, Initializers, Mark, Round, Square, Value};
        matches!(part.kind, Square | Brace | Value | Initializers | Round | Mark(b'=' | b':' | b'{'))
    };
    let called = macro_type(reader, segment);
    let mut end = (called..segment.len()).find(|at| segment.get(*at).is_some_and(ends)).unwrap_or(segment.len());
    // Behind `struct` one word is the type, unless it is a macro before it. Macros before that are no words of the type.
    let key = (0..end).find(|at| is_key(segment.word(*at), reader.dialect));
    let from = key.map_or_else(|| behind_storage(reader, segment), |key| key + 1);
    let tag = key.map_or("", |key| segment.word(key + 1));
    let is_type_word = |word: &str| !word.is_empty() && !is_storage(word, reader.dialect);
    let words = |upto: usize| (from..upto).filter(|at| is_type_word(segment.word(*at)));
    // `int x GUARDED_BY(mutex)`, `int x UNUSED`: the last word is no name when there is one before it.
    let is_macro = |at: usize| marks_name(segment.word(at));
    let least = if typed { 2 } else { 3 } + usize::from(exports(tag));
    let is_typedef = segment.word(0) == "typedef";
    let is_named = |at: usize| {
        !is_macro(at)
            || (key.is_some_and(|key| at > key + 1) && !is_loud(tag))
            || segment.word(at + 1).starts_with("__")
    };
    while end > 1
        && !is_typedef
        && is_macro(end - 1)
        && words(end).count() >= least
        && (end < 3 || segment.kind(end - 3) != Some(PartKind::Mark(kind::SCOPE)))
        && !is_keyword(segment.word(end - 2), reader.dialect)
        && is_named(end - 2)
    {
        end -= 1;
    }
    while end > 0 && segment.kind(end - 1) == Some(PartKind::Attribute) {
        end -= 1;
    }
    let first = name_before(reader, segment, end)?;
    let (start, last) = (segment.get(first)?, segment.get(end - 1)?);
    Some((first, (start.first, last.last)))
}

/// Behind the macros and the `static` that a declaration begins with.
fn behind_storage(reader: &CReader<'_>, segment: &[Part<'_>]) -> usize {
    let mut from = 0;
    for (at, part) in segment.iter().enumerate() {
        if is_storage(part.word, reader.dialect) || exports(part.word) {
            from = at + 1;
        } else if !is_loud(part.word) {
            break;
        }
    }
    from
}

/// Behind `static LIST_ENTRY(node)` or `struct s ALIGNED(16)` when a name follows, so that the brackets are no parameters;
/// else 0.
fn macro_type(reader: &CReader<'_>, parts: &[Part<'_>]) -> usize {
    let Some(at) = parts.find(PartKind::Round) else { return 0 };
    let Some(called) = at.checked_sub(1).filter(|called| is_loud(parts.word(*called))) else { return 0 };
    let untyped = (0..called).all(|before| is_storage(parts.word(before), reader.dialect));
    if !untyped && !parts.get(at).is_some_and(|round| holds_value(reader, round)) {
        return 0;
    }
    let ends = |at: &usize| !matches!(parts.kind(*at), Some(PartKind::Word | PartKind::Mark(b'*')));
    let end = (at + 1..parts.len()).find(ends).unwrap_or(parts.len());
    let name = parts.word(end - 1);
    let is_typedef = parts.word(0) == "typedef";
    let is_name = !is_keyword(name, reader.dialect) && !is_trailing(name) && (is_typedef || !marks_name(name));
    let is_end = matches!(parts.kind(end), None | Some(PartKind::Mark(b'=' | b',' | b':') | PartKind::Square));
    if is_name && is_end { at + 1 } else { 0 }
}

/// Whether what looks like a function is a variable: with a macro behind its name, or with values in brackets.
pub fn is_variable(reader: &CReader<'_>, parts: &[Part<'_>], found: Function, class: Option<&str>) -> bool {
    let Some(round) = parts.get(found.parameters) else { return false };
    if macro_type(reader, parts) > found.parameters {
        return true;
    }
    let name = found.name;
    let word = parts.word(name);
    if name >= 2 && (is_loud(word) || word.starts_with("__") && holds_value(reader, round)) {
        let before = parts.word(name - 1);
        let named = !is_keyword(before, reader.dialect) && !is_loud(before);
        let typed = match parts.kind(name - 2) {
            Some(PartKind::Word) => {
                let word = parts.word(name - 2);
                !is_storage(word, reader.dialect) && !marks_name(word) && !is_key(word, reader.dialect)
            }
            Some(PartKind::Mark(b'*' | b'&') | PartKind::Angle) => true,
            _ => false,
        };
        if (named && typed) || parts.kind(name - 1) == Some(PartKind::Square) {
            return true;
        }
    }
    class.is_none() && name > 0 && !holds_parameters(reader, round)
}

/// Whether brackets hold a number, a name in capitals or an address: what attributes have, and parameters have not.
fn holds_value(reader: &CReader<'_>, round: &Part<'_>) -> bool {
    let first = round.first + 1;
    match reader.kind(first) {
        kind::NUMBER | b'&' => true,
        kind::WORD => reader.word(first) == "sizeof" || (is_loud(reader.word(first)) && round.last == first + 1),
        _ => false,
    }
}
