//! The names of variables, fields and types in a statement.

use super::head::{
    Function, exports, holds_parameters, inner_name, is_key, is_keyword, is_loud, is_storage, is_trailing, marks_name,
    name_before, points,
};
use super::lex::kind;
use super::page::Page;
use super::parts::{Part, Reader, What};
use super::write::{blank_all, specifiers};
use crate::structure::Span;

/// Keeps the names of variables, fields or types. `typed`: the type is before these parts. `attribute`: words in
/// capitals alone are rather attributes of the type than a name.
pub fn declarators(reader: &Reader<'_>, page: &mut Page, parts: &[Part], typed: bool, attribute: bool) -> bool {
    let mut typed = typed;
    let may_mark = |part: &Part| match part.what {
        What::Word => marks_name(reader.word(part.first)),
        _ => part.what == What::Round,
    };
    if attribute && parts.iter().all(may_mark) {
        blank_all(reader, page, parts);
        return true;
    }
    let mut any = typed;
    let mut from = 0;
    for end in 0..=parts.len() {
        let comma = parts.get(end).filter(|part| part.what == What::Mark(b','));
        if end < parts.len() && comma.is_none() {
            continue;
        }
        let segment = parts.get(from..end).unwrap_or(&[]);
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
                blank_all(reader, page, segment);
                if let Some(comma) = comma.or_else(|| before(parts, end, segment)) {
                    page.blank(reader.span(comma.first, comma.last));
                }
            }
        }
        typed = true;
    }
    any
}

/// The comma before a segment without a name.
fn before<'p>(parts: &'p [Part], end: usize, segment: &[Part]) -> Option<&'p Part> {
    let place = end.checked_sub(segment.len() + 1)?;
    parts.get(place).filter(|part| part.what == What::Mark(b','))
}

/// Blanks a part but for the tokens of the name.
pub fn hide_around(reader: &Reader<'_>, page: &mut Page, part: &Part, name: (usize, usize)) {
    let (first, last) = name;
    if part.first > last || part.last < first {
        page.blank(reader.span(part.first, part.last));
        return;
    }
    if part.first >= first && part.last <= last {
        if part.what == What::Angle {
            page.blank(reader.span(part.first, part.last));
        }
        return;
    }
    let (whole, kept) = (reader.span(part.first, part.last), reader.span(first, last));
    page.blank(Span { start: whole.start, end: kept.start });
    page.blank(Span { start: kept.end, end: whole.end.max(kept.end) });
}

/// The part before which the type ends, and the first and last token of the name.
fn variable(reader: &Reader<'_>, segment: &[Part], typed: bool) -> Option<(usize, (usize, usize))> {
    for (at, part) in segment.iter().enumerate() {
        let next = segment.get(at + 1).map(|part| part.what);
        let is_declarator = part.what == What::Round
            && (matches!(next, Some(What::Round | What::Square)) || at > 0)
            && (points(reader, segment, at) || (part.last == part.first + 2 && next == Some(What::Round)));
        if is_declarator && (at > 0 || typed) {
            let name = inner_name(reader, part)?;
            return Some((at, (name, name)));
        }
    }
    let ends = |part: &Part| {
        matches!(
            part.what,
            What::Square
                | What::Brace
                | What::Value
                | What::Initializers
                | What::Round
                | What::Mark(b'=' | b':' | b'{')
        )
    };
    let called = macro_type(reader, segment);
    let mut end = (called..segment.len()).find(|at| segment.get(*at).is_some_and(ends)).unwrap_or(segment.len());
    // Behind `struct` one word is the type, unless it is a macro before it. Macros before that are no words of the type.
    let key = (0..end).find(|at| is_key(reader.word_of(segment, *at), reader.dialect));
    let from = key.map_or_else(|| behind_storage(reader, segment), |key| key + 1);
    let tag = key.map_or("", |key| reader.word_of(segment, key + 1));
    let is_type_word = |word: &str| !word.is_empty() && !is_storage(word, reader.dialect);
    let words = |upto: usize| (from..upto).filter(|at| is_type_word(reader.word_of(segment, *at)));
    // `int x GUARDED_BY(mutex)`, `int x UNUSED`: the last word is no name when there is one before it.
    let is_macro = |at: usize| marks_name(reader.word_of(segment, at));
    let least = if typed { 2 } else { 3 } + usize::from(exports(tag));
    let is_typedef = segment.first().is_some_and(|part| reader.word(part.first) == "typedef");
    let is_named = |at: usize| {
        !is_macro(at)
            || (key.is_some_and(|key| at > key + 1) && !is_loud(tag))
            || reader.word_of(segment, at + 1).starts_with("__")
    };
    while end > 1
        && !is_typedef
        && is_macro(end - 1)
        && words(end).count() >= least
        && (end < 3 || segment.get(end - 3).is_some_and(|part| part.what != What::Mark(kind::SCOPE)))
        && segment
            .get(end - 2)
            .is_some_and(|part| part.what == What::Word && !is_keyword(reader.word(part.first), reader.dialect))
        && is_named(end - 2)
    {
        end -= 1;
    }
    while end > 0 && segment.get(end - 1).is_some_and(|part| part.what == What::Attribute) {
        end -= 1;
    }
    let first = name_before(reader, segment, end)?;
    let (start, last) = (segment.get(first)?, segment.get(end - 1)?);
    Some((first, (start.first, last.last)))
}

/// Behind the macros and the `static` that a declaration begins with.
fn behind_storage(reader: &Reader<'_>, segment: &[Part]) -> usize {
    let mut from = 0;
    for at in 0..segment.len() {
        let word = reader.word_of(segment, at);
        if is_storage(word, reader.dialect) || exports(word) {
            from = at + 1;
        } else if !is_loud(word) {
            break;
        }
    }
    from
}

/// Behind `static LIST_ENTRY(node)` or `struct s ALIGNED(16)` when a name follows, so that the brackets are no parameters;
/// else 0.
fn macro_type(reader: &Reader<'_>, parts: &[Part]) -> usize {
    let word = |at: usize| reader.word_of(parts, at);
    let what = |at: usize| parts.get(at).map(|part| part.what);
    let Some(at) = parts.iter().position(|part| part.what == What::Round) else { return 0 };
    let Some(called) = at.checked_sub(1).filter(|called| is_loud(word(*called))) else { return 0 };
    let untyped = (0..called).all(|before| is_storage(word(before), reader.dialect));
    if !untyped && !parts.get(at).is_some_and(|round| holds_value(reader, round)) {
        return 0;
    }
    let ends = |at: &usize| !matches!(what(*at), Some(What::Word | What::Mark(b'*')));
    let end = (at + 1..parts.len()).find(ends).unwrap_or(parts.len());
    let name = word(end - 1);
    let is_name =
        !is_keyword(name, reader.dialect) && !is_trailing(name) && (word(0) == "typedef" || !marks_name(name));
    let is_end = matches!(what(end), None | Some(What::Mark(b'=' | b',' | b':') | What::Square));
    if is_name && is_end { at + 1 } else { 0 }
}

/// Whether what looks like a function is a variable: with a macro behind its name, or with values in brackets.
pub fn is_variable(reader: &Reader<'_>, parts: &[Part], found: Function, class: Option<&str>) -> bool {
    let Some(round) = parts.get(found.parameters) else { return false };
    if macro_type(reader, parts) > found.parameters {
        return true;
    }
    let name = found.name;
    let is_word = |at: usize| parts.get(at).is_some_and(|part| part.what == What::Word);
    let word = |at: usize| parts.get(at).map_or("", |part| reader.word(part.first));
    if is_word(name) && name >= 2 && (is_loud(word(name)) || word(name).starts_with("__") && holds_value(reader, round))
    {
        let before = parts.get(name - 1).map(|part| part.what);
        let named =
            before == Some(What::Word) && !is_keyword(word(name - 1), reader.dialect) && !is_loud(word(name - 1));
        let typed = match parts.get(name - 2).map(|part| part.what) {
            Some(What::Word) => {
                let word = word(name - 2);
                !is_storage(word, reader.dialect) && !marks_name(word) && !is_key(word, reader.dialect)
            }
            Some(What::Mark(b'*' | b'&') | What::Angle) => true,
            _ => false,
        };
        if (named && typed) || before == Some(What::Square) {
            return true;
        }
    }
    class.is_none() && found.name > 0 && !holds_parameters(reader, round)
}

/// Whether brackets hold a number, a name in capitals or an address: what attributes have, and parameters have not.
fn holds_value(reader: &Reader<'_>, round: &Part) -> bool {
    let first = round.first + 1;
    match reader.kind(first) {
        kind::NUMBER | b'&' => true,
        kind::WORD => reader.word(first) == "sizeof" || (is_loud(reader.word(first)) && round.last == first + 1),
        _ => false,
    }
}
