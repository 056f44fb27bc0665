//! Rewrites the statements of a declaration list so that a grammar can read them.
//!
//! Takes the parts of a statement; leaves of it the words every grammar knows, one word for the type, and the name. Which
//! type it was does not matter to anyone who asks for names, so the first word that is none of the known ones stands for it.

use super::Dialect;
use super::head::{Function, exports, function, is_loud, is_storage, names_one, returns_pointer};
use super::lex::kind;
use super::names::{declarators, hide_around, is_variable};
use super::parts::{CReader, Part, PartKind, Parts};
use crate::prepare::page::Page;
use crate::structure::Span;

pub fn blank_all(page: &mut Page, parts: &[Part<'_>]) {
    for part in parts {
        page.blank(part.span);
    }
}

/// A statement that ended with a semicolon. `class` is the name of the class it stands in.
pub fn declaration(reader: &CReader<'_>, page: &mut Page, parts: &[Part<'_>], semicolon: usize, class: Option<&str>) {
    if !declares(reader, page, parts, class) {
        blank_all(page, parts);
        page.blank(reader.span(semicolon, semicolon));
    }
}

/// False: there is nothing in it to keep.
fn declares(reader: &CReader<'_>, page: &mut Page, parts: &[Part<'_>], class: Option<&str>) -> bool {
    let lead = after_templates(reader, parts);
    match parts.word(lead) {
        "using" | "concept" if reader.dialect == Dialect::Cpp => return alias(reader, page, parts, lead),
        "namespace" | "static_assert" | "template" | "friend" | "import" | "module" | "export" | "requires"
            if reader.dialect == Dialect::Cpp =>
        {
            return false;
        }
        "extern" if parts.word(lead + 1) == "template" => return false,
        "_Static_assert" | "asm" | "return" | "goto" | "if" | "else" | "for" | "while" | "do" | "switch" | "case" => {
            return false;
        }
        "struct" | "union" | "enum" | "class" if is_forward(reader, parts, lead) => return false,
        _ => {}
    }
    let found = function(reader, parts);
    let is_typedef = parts.iter().any(|part| part.word == "typedef");
    if !is_typedef && let Some(found) = returns_pointer(reader, parts) {
        pointer_heads(reader, page, parts, found);
        return true;
    }
    if let Some(found) = found
        && declares_by_macro(reader, parts, lead, found, class)
    {
        macro_variable(reader, page, parts, found);
        return true;
    }
    let Some(found) = found.filter(|found| !is_variable(reader, parts, *found, class)) else {
        return declarators(reader, page, parts, false, false);
    };
    let name = parts.word(found.name);
    // A call of a macro, unless it is the constructor of its class.
    if found.name == lead && found.parameters == lead + 1 && !name.is_empty() && class != Some(name) {
        return false;
    }
    if is_typedef {
        return declarators(reader, page, parts, false, false);
    }
    // A macro with several values says nothing, and what has neither type nor storage in C is no declaration.
    let before = parts.get(lead..found.name).unwrap_or(&[]);
    let is_call = is_loud(name) && is_untyped(reader, parts, lead, found, class);
    let is_nothing = reader.dialect == Dialect::C && before.find(PartKind::Word).is_none();
    if is_call || is_nothing {
        return false;
    }
    heads(reader, page, parts, found);
    true
}

/// Whether nothing but `static` and its like stands before a name and brackets, so that one of them is a macro.
fn is_untyped(reader: &CReader<'_>, parts: &[Part<'_>], lead: usize, found: Function, class: Option<&str>) -> bool {
    let name = parts.word(found.name);
    let says_type = |part: &Part<'_>| match part.kind {
        PartKind::Word => {
            !is_storage(part.word, reader.dialect) || matches!(part.word, "explicit" | "virtual" | "friend")
        }
        PartKind::Attribute | PartKind::Angle => true,
        _ => false,
    };
    let is_plain = found.parameters == found.name + 1 && !name.is_empty() && class != Some(name);
    is_plain && !parts.get(lead..found.name).unwrap_or(&[]).iter().any(says_type)
}

/// `static DEFINE_MUTEX(lock);`
fn declares_by_macro(
    reader: &CReader<'_>,
    parts: &[Part<'_>],
    lead: usize,
    found: Function,
    class: Option<&str>,
) -> bool {
    let before = parts.get(lead..found.name).unwrap_or(&[]);
    class.is_none()
        && is_loud(parts.word(found.name))
        && !before.is_empty()
        && before.iter().all(|part| matches!(part.kind, PartKind::Word | PartKind::Text))
        && matches!(parts.kind(found.parameters + 1), None | Some(PartKind::Mark(b'=' | b',')))
        && names_one(reader, parts, found.parameters)
        && is_untyped(reader, parts, lead, found, class)
}

/// Keeps of `static DEFINE_MUTEX(lock)` the macro as the type and the name in its brackets.
fn macro_variable(reader: &CReader<'_>, page: &mut Page, parts: &[Part<'_>], found: Function) {
    specifiers(reader, page, parts.get(..=found.name).unwrap_or(&[]), true);
    let name = parts.get(found.parameters).map_or(0, |round| round.first + 1);
    for part in parts.iter().skip(found.parameters) {
        hide_around(reader, page, part, (name, name));
    }
}

/// What precedes the name of a function, the name, empty parameters, and nothing behind them.
pub fn heads(reader: &CReader<'_>, page: &mut Page, parts: &[Part<'_>], found: Function) {
    let converts = parts.get(found.parameters.wrapping_sub(1)).is_some_and(|part| {
        let after = reader.word(part.first + 1);
        part.kind == PartKind::Operator && !matches!(after, "" | "new" | "delete" | "co_await")
    });
    // Constructors and destructors have no type, and a grammar insists on it where it can tell them.
    let is_explicit = |part: &Part<'_>| reader.dialect == Dialect::Cpp && part.word == "explicit";
    let untyped = parts.iter().any(|part| part.kind == PartKind::Initializers || is_explicit(part));
    let named = parts.get(found.name..found.parameters).unwrap_or(&[]);
    let with_type = !converts && !untyped && named.find(PartKind::Mark(b'~')).is_none();
    let has_type = specifiers(reader, page, parts.get(..found.name).unwrap_or(&[]), with_type);
    let mut word_before = false;
    for (at, part) in named.iter().enumerate() {
        match part.kind {
            // An operator's name is as good as any other, and easier to read.
            PartKind::Operator => page.fill(part.span, b'o'),
            PartKind::Angle => page.blank(part.span),
            PartKind::Round if named.len() != 1 => page.blank(part.span),
            // A macro between name and parameters, and a scope that would take the type for its name.
            PartKind::Word if word_before => page.blank(part.span),
            PartKind::Mark(kind::SCOPE) if at == 0 => page.blank(part.span),
            _ => {}
        }
        word_before = part.kind == PartKind::Word;
    }
    let Some(round) = parts.get(found.parameters) else { return };
    let defaults = parts.iter().any(|part| {
        part.kind == PartKind::Value
            && part.first == part.last
            && matches!(reader.word(part.first), "default" | "delete")
    });
    let storage = parts.iter().take(found.name).find(|part| part.kind == PartKind::Word);
    if let Some(storage) = storage.filter(|_| !has_type && reader.dialect == Dialect::C) {
        // `static f()` as C once had it.
        page.fill(storage.span, b'T');
    }
    if has_type || storage.is_some() || reader.dialect == Dialect::Cpp {
        page.blank(reader.span(round.first + 1, round.last - 1));
        page.write(reader.span(round.first, round.first), "(");
        page.write(reader.span(round.last, round.last), ")");
    } else {
        // C knows no function without a type: its name is taken for the type of another.
        page.blank(round.span);
        page.write(reader.span(round.last, round.last), "f");
    }
    for part in parts.iter().skip(found.parameters + 1) {
        match part.kind {
            PartKind::Initializers => page.write(part.span, ":f()"),
            // Outside of a class a constructor cannot be announced, but it can be given by default.
            PartKind::Mark(b'=') | PartKind::Value if defaults && !has_type => {}
            _ => page.blank(part.span),
        }
    }
}

/// `int (*name(…))(…)`: as if it returned anything else.
pub fn pointer_heads(reader: &CReader<'_>, page: &mut Page, parts: &[Part<'_>], (at, name): (usize, usize)) {
    specifiers(reader, page, parts.get(..at).unwrap_or(&[]), true);
    let close = reader.partner(name + 1).unwrap_or(name + 1);
    for part in parts.iter().skip(at) {
        if part.first < name && name < part.last {
            let (whole, open, shut) = (part.span, reader.span(name, name + 1), reader.span(close, close));
            page.blank(Span { start: whole.start, end: open.start });
            page.blank(Span { start: open.end, end: shut.start.max(open.end) });
            page.blank(Span { start: shut.end, end: whole.end.max(shut.end) });
        } else {
            page.blank(part.span);
        }
    }
}

/// Keeps the words that a grammar knows and one word for the type; says whether there was one.
pub fn specifiers(reader: &CReader<'_>, page: &mut Page, parts: &[Part<'_>], with_type: bool) -> bool {
    let mut has_type = false;
    let lead = after_templates(reader, parts);
    let is_friend = |part: &Part<'_>| part.word == "friend" && reader.dialect == Dialect::Cpp;
    let friend = parts.iter().position(is_friend).unwrap_or(0);
    for (at, part) in parts.iter().enumerate() {
        match part.kind {
            PartKind::Word if at < lead && part.word == "template" => {}
            PartKind::Angle if at < lead => empty(reader, page, part),
            // Nothing may stand before `friend`.
            _ if at < friend => page.blank(part.span),
            PartKind::Word if is_storage(part.word, reader.dialect) => {}
            PartKind::Text if at > 0 => {}
            PartKind::Word | PartKind::Attribute if with_type && !has_type && at >= lead => {
                has_type = true;
                page.fill(part.span, b'T');
            }
            // The definition begins where its first word stands.
            PartKind::Word | PartKind::Attribute if at == 0 && part.span.len() >= "const".len() => {
                page.write(part.span, "const");
            }
            _ => page.blank(part.span),
        }
    }
    has_type
}

/// What stands between the brackets goes.
pub fn empty(reader: &CReader<'_>, page: &mut Page, part: &Part<'_>) {
    if part.last > part.first + 1 {
        page.blank(reader.span(part.first + 1, part.last - 1));
    }
}

/// `using name = type;`, `concept name = value;`
fn alias(reader: &CReader<'_>, page: &mut Page, parts: &[Part<'_>], lead: usize) -> bool {
    let Some(value) = parts.find(PartKind::Value) else { return false };
    if parts.kind(lead + 1) != Some(PartKind::Word) {
        return false;
    }
    for (at, part) in parts.iter().enumerate() {
        match part.kind {
            PartKind::Word if at < lead && part.word == "template" => {}
            PartKind::Angle if at < lead => empty(reader, page, part),
            PartKind::Mark(b'=') => {}
            _ if at == value => page.write(part.span, "T"),
            _ if at == lead || at == lead + 1 => {}
            _ => page.blank(part.span),
        }
    }
    true
}

/// Whether a statement that begins with `struct` only announces a type.
fn is_forward(reader: &CReader<'_>, parts: &[Part<'_>], lead: usize) -> bool {
    let is_class = reader.dialect == Dialect::Cpp && parts.word(lead) == "class";
    let mut names = 0;
    let mut after_scope = false;
    for part in parts.iter().skip(lead + 1) {
        match part.kind {
            PartKind::Word => {
                let marks = names == 0 && (exports(part.word) || is_class && is_loud(part.word));
                if !after_scope && !marks && !matches!(part.word, "class" | "struct" | "final") {
                    names += 1;
                }
            }
            // What follows is the type of an enumeration, or the bits of a field.
            PartKind::Mark(b':') => break,
            PartKind::Mark(kind::SCOPE) | PartKind::Angle | PartKind::Attribute => {}
            _ => return false,
        }
        after_scope = part.kind == PartKind::Mark(kind::SCOPE);
    }
    names <= 1
}

/// Behind `template <…>` and its requirements.
pub fn after_templates(reader: &CReader<'_>, parts: &[Part<'_>]) -> usize {
    let is = |at: usize, kind: PartKind| parts.kind(at) == Some(kind);
    let mut at = 0;
    if reader.dialect == Dialect::C {
        return 0;
    }
    while parts.word(at) == "template" && is(at + 1, PartKind::Angle) {
        at += 2;
        loop {
            if parts.word(at) == "requires" {
                at += 1;
            } else if at > 2 && is(at, PartKind::Mark(b'&')) && is(at + 1, PartKind::Mark(b'&')) {
                at += 2;
            } else {
                break;
            }
            while is(at, PartKind::Mark(b'!')) {
                at += 1;
            }
            at += 1;
            if is(at - 1, PartKind::Round) {
                continue;
            }
            while is(at, PartKind::Mark(kind::SCOPE)) {
                at += 2;
            }
            at += usize::from(is(at, PartKind::Angle));
        }
    }
    at.min(parts.len())
}
