//! The names of variables, fields and types in a statement.

use super::head::{Function, holds_parameters, inner_name, is_keyword, is_loud, is_storage, name_before, points};
use super::lex::kind;
use super::page::Page;
use super::parts::{Part, Reader, What};
use super::write::{blank_all, specifiers};
use crate::structure::Span;

/// Keeps the names of variables, fields or types. `typed`: the type is before these parts. `attribute`: a single word in
/// capitals is rather an attribute of the type than a name.
pub fn declarators(reader: &Reader<'_>, page: &mut Page, parts: &[Part], typed: bool, attribute: bool) -> bool {
    let mut typed = typed;
    let mut any = typed;
    let mut from = 0;
    for end in 0..=parts.len() {
        let comma = parts.get(end).filter(|part| part.what == What::Mark(b','));
        if end < parts.len() && comma.is_none() {
            continue;
        }
        let segment = parts.get(from..end).unwrap_or(&[]);
        from = end + 1;
        let is_only = attribute && segment.len() == parts.len() && segment.len() == 1;
        let kept = variable(reader, segment, typed)
            .filter(|(first, _)| !is_only || !segment.get(*first).is_some_and(|part| is_loud(reader.word(part.first))));
        match kept {
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
fn hide_around(reader: &Reader<'_>, page: &mut Page, part: &Part, name: (usize, usize)) {
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
    let mut end = segment.iter().position(ends).unwrap_or(segment.len());
    let words = |upto: usize| {
        segment
            .iter()
            .take(upto)
            .filter(|part| part.what == What::Word && !is_storage(reader.word(part.first), reader.dialect))
    };
    // `int x GUARDED_BY(mutex)`, `int x UNUSED`: the last word is no name when there is one before it.
    let is_macro =
        |at: usize| segment.get(at).is_some_and(|part| part.what == What::Word && is_loud(reader.word(part.first)));
    let least = if typed { 2 } else { 3 };
    let is_typedef = segment.first().is_some_and(|part| reader.word(part.first) == "typedef");
    while end > 1
        && !is_typedef
        && is_macro(end - 1)
        && words(end).count() >= least
        && (end < 3 || segment.get(end - 3).is_some_and(|part| part.what != What::Mark(kind::SCOPE)))
        && segment
            .get(end - 2)
            .is_some_and(|part| part.what == What::Word && !is_keyword(reader.word(part.first), reader.dialect))
        && !is_macro(end - 2)
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

/// Whether what looks like a function is a variable: with a macro behind its name, or with values in brackets.
pub fn is_variable(reader: &Reader<'_>, parts: &[Part], found: Function, class: Option<&str>) -> bool {
    let Some(round) = parts.get(found.parameters) else { return false };
    let name = found.name;
    let is_word = |at: usize| parts.get(at).is_some_and(|part| part.what == What::Word);
    let word = |at: usize| parts.get(at).map_or("", |part| reader.word(part.first));
    if is_word(name) && is_loud(word(name)) && name >= 2 {
        let before = parts.get(name - 1).map(|part| part.what);
        let named =
            before == Some(What::Word) && !is_keyword(word(name - 1), reader.dialect) && !is_loud(word(name - 1));
        let typed = match parts.get(name - 2).map(|part| part.what) {
            Some(What::Word) => !is_storage(word(name - 2), reader.dialect) && !is_loud(word(name - 2)),
            Some(What::Mark(b'*' | b'&') | What::Angle) => true,
            _ => false,
        };
        if (named && typed) || before == Some(What::Square) {
            return true;
        }
    }
    class.is_none() && found.name > 0 && !holds_parameters(reader, round)
}
