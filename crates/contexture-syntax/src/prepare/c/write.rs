//! Rewrites the statements of a declaration list so that a grammar can read them.
//!
//! Takes the parts of a statement; leaves of it the words every grammar knows, one word for the type, and the name. Which
//! type it was does not matter to anyone who asks for names, so the first word that is none of the known ones stands for it.

use super::Dialect;
use super::head::{Function, exports, function, is_loud, is_storage, names_one, returns_pointer};
use super::lex::kind;
use super::names::{declarators, hide_around, is_variable};
use super::page::Page;
use super::parts::{Part, Reader, What};
use crate::structure::Span;

pub fn blank_all(reader: &Reader<'_>, page: &mut Page, parts: &[Part]) {
    for part in parts {
        page.blank(reader.span(part.first, part.last));
    }
}

/// A statement that ended with a semicolon. `class` is the name of the class it stands in.
pub fn declaration(reader: &Reader<'_>, page: &mut Page, parts: &[Part], semicolon: usize, class: Option<&str>) {
    if !declares(reader, page, parts, class) {
        blank_all(reader, page, parts);
        page.blank(reader.span(semicolon, semicolon));
    }
}

/// False: there is nothing in it to keep.
fn declares(reader: &Reader<'_>, page: &mut Page, parts: &[Part], class: Option<&str>) -> bool {
    let word = |at: usize| reader.word_of(parts, at);
    let lead = after_templates(reader, parts);
    match word(lead) {
        "using" | "concept" if reader.dialect == Dialect::Cpp => return alias(reader, page, parts, lead),
        "namespace" | "static_assert" | "template" | "friend" | "import" | "module" | "export" | "requires"
            if reader.dialect == Dialect::Cpp =>
        {
            return false;
        }
        "extern" if word(lead + 1) == "template" => return false,
        "_Static_assert" | "asm" | "return" | "goto" | "if" | "else" | "for" | "while" | "do" | "switch" | "case" => {
            return false;
        }
        "struct" | "union" | "enum" | "class" if is_forward(reader, parts, lead) => return false,
        _ => {}
    }
    let found = function(reader, parts);
    let is_typedef = parts.iter().any(|part| part.what == What::Word && reader.word(part.first) == "typedef");
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
    let is_bare = found.name == lead && parts.get(found.name).is_some_and(|part| part.what == What::Word);
    // A call of a macro, unless it is the constructor of its class.
    if is_bare && found.parameters == found.name + 1 && class.is_none_or(|class| word(found.name) != class) {
        return false;
    }
    if is_typedef {
        return declarators(reader, page, parts, false, false);
    }
    // A macro with several values says nothing, and what has neither type nor storage in C is no declaration.
    let before = parts.get(lead..found.name).unwrap_or(&[]);
    let is_call = is_loud(word(found.name)) && is_untyped(reader, parts, lead, found, class);
    let is_nothing = reader.dialect == Dialect::C && !before.iter().any(|part| part.what == What::Word);
    if is_call || is_nothing {
        return false;
    }
    heads(reader, page, parts, found);
    true
}

/// Whether nothing but `static` and its like stands before a name and brackets, so that one of them is a macro.
fn is_untyped(reader: &Reader<'_>, parts: &[Part], lead: usize, found: Function, class: Option<&str>) -> bool {
    let name = reader.word_of(parts, found.name);
    let is_plain = found.parameters == found.name + 1 && !name.is_empty() && class != Some(name);
    is_plain && !parts.get(lead..found.name).unwrap_or(&[]).iter().any(|part| says_type(reader, part))
}

/// Whether a part before a name is more than `static` and its like.
fn says_type(reader: &Reader<'_>, part: &Part) -> bool {
    match part.what {
        What::Word => {
            let word = reader.word(part.first);
            !is_storage(word, reader.dialect) || matches!(word, "explicit" | "virtual" | "friend")
        }
        What::Attribute | What::Angle => true,
        _ => false,
    }
}

/// `static DEFINE_MUTEX(lock);`
fn declares_by_macro(reader: &Reader<'_>, parts: &[Part], lead: usize, found: Function, class: Option<&str>) -> bool {
    let before = parts.get(lead..found.name).unwrap_or(&[]);
    let behind = parts.get(found.parameters + 1).map(|part| part.what);
    class.is_none()
        && is_loud(reader.word_of(parts, found.name))
        && !before.is_empty()
        && before.iter().all(|part| matches!(part.what, What::Word | What::Text))
        && matches!(behind, None | Some(What::Mark(b'=' | b',')))
        && names_one(reader, parts, found.parameters)
        && is_untyped(reader, parts, lead, found, class)
}

/// Keeps of `static DEFINE_MUTEX(lock)` the macro as the type and the name in its brackets.
fn macro_variable(reader: &Reader<'_>, page: &mut Page, parts: &[Part], found: Function) {
    specifiers(reader, page, parts.get(..=found.name).unwrap_or(&[]), true);
    for part in parts.iter().skip(found.parameters) {
        hide_around(
            reader,
            page,
            part,
            parts.get(found.parameters).map_or((0, 0), |round| (round.first + 1, round.first + 1)),
        );
    }
}

/// What precedes the name of a function, the name, empty parameters, and nothing behind them.
pub fn heads(reader: &Reader<'_>, page: &mut Page, parts: &[Part], found: Function) {
    let converts = parts.get(found.parameters.wrapping_sub(1)).is_some_and(|part| {
        let after = reader.word(part.first + 1);
        part.what == What::Operator
            && reader.kind(part.first + 1) == kind::WORD
            && !matches!(after, "new" | "delete" | "co_await")
    });
    // Constructors and destructors have no type, and a grammar insists on it where it can tell them.
    let untyped = parts.iter().any(|part| match part.what {
        What::Initializers => true,
        What::Word => reader.dialect == Dialect::Cpp && reader.word(part.first) == "explicit",
        _ => false,
    });
    let destroys =
        parts.get(found.name..found.parameters).unwrap_or(&[]).iter().any(|part| part.what == What::Mark(b'~'));
    let with_type = !converts && !untyped && !destroys;
    let has_type = specifiers(reader, page, parts.get(..found.name).unwrap_or(&[]), with_type);
    let mut word_before = false;
    for (at, part) in parts.iter().enumerate().take(found.parameters).skip(found.name) {
        let span = reader.span(part.first, part.last);
        match part.what {
            // An operator's name is as good as any other, and easier to read.
            What::Operator => page.fill(span, b'o'),
            What::Angle => page.blank(span),
            What::Round if found.name + 1 != found.parameters => page.blank(span),
            // A macro between name and parameters, and a scope that would take the type for its name.
            What::Word if word_before => page.blank(span),
            What::Mark(kind::SCOPE) if at == found.name => page.blank(span),
            _ => {}
        }
        word_before = part.what == What::Word;
    }
    let Some(round) = parts.get(found.parameters) else { return };
    let defaults = parts.iter().any(|part| {
        part.what == What::Value && part.first == part.last && matches!(reader.word(part.first), "default" | "delete")
    });
    let storage = parts.iter().take(found.name).find(|part| part.what == What::Word);
    if let Some(storage) = storage.filter(|_| !has_type && reader.dialect == Dialect::C) {
        // `static f()` as C once had it.
        page.fill(reader.span(storage.first, storage.first), b'T');
    }
    if has_type || storage.is_some() || reader.dialect == Dialect::Cpp {
        page.blank(reader.span(round.first + 1, round.last - 1));
        page.write(reader.span(round.first, round.first), "(");
        page.write(reader.span(round.last, round.last), ")");
    } else {
        // C knows no function without a type: its name is taken for the type of another.
        page.blank(reader.span(round.first, round.last));
        page.write(reader.span(round.last, round.last), "f");
    }
    for part in parts.get(found.parameters + 1..).unwrap_or(&[]) {
        let span = reader.span(part.first, part.last);
        match part.what {
            What::Initializers => page.write(span, ":f()"),
            // Outside of a class a constructor cannot be announced, but it can be given by default.
            What::Mark(b'=') | What::Value if defaults && !has_type => {}
            _ => page.blank(span),
        }
    }
}

/// `int (*name(…))(…)`: as if it returned anything else.
pub fn pointer_heads(reader: &Reader<'_>, page: &mut Page, parts: &[Part], (at, name): (usize, usize)) {
    specifiers(reader, page, parts.get(..at).unwrap_or(&[]), true);
    let close = reader.partner(name + 1).unwrap_or(name + 1);
    for part in parts.iter().skip(at) {
        if part.first < name && name < part.last {
            let (whole, open, shut) =
                (reader.span(part.first, part.last), reader.span(name, name + 1), reader.span(close, close));
            page.blank(Span { start: whole.start, end: open.start });
            page.blank(Span { start: open.end, end: shut.start.max(open.end) });
            page.blank(Span { start: shut.end, end: whole.end.max(shut.end) });
        } else {
            page.blank(reader.span(part.first, part.last));
        }
    }
}

/// Keeps the words that a grammar knows and one word for the type; says whether there was one.
pub fn specifiers(reader: &Reader<'_>, page: &mut Page, parts: &[Part], with_type: bool) -> bool {
    let mut has_type = false;
    let lead = after_templates(reader, parts);
    let is_friend = |part: &Part| part.what == What::Word && reader.word(part.first) == "friend";
    let friend = parts.iter().position(is_friend).filter(|_| reader.dialect == Dialect::Cpp).unwrap_or(0);
    for (at, part) in parts.iter().enumerate() {
        let span = reader.span(part.first, part.last);
        match part.what {
            What::Word if at < lead && reader.word(part.first) == "template" => {}
            What::Angle if at < lead => empty(reader, page, part),
            // Nothing may stand before `friend`.
            _ if at < friend => page.blank(span),
            What::Word if is_storage(reader.word(part.first), reader.dialect) => {}
            What::Text if at > 0 => {}
            What::Word | What::Attribute if with_type && !has_type && at >= lead => {
                has_type = true;
                page.fill(span, b'T');
            }
            // The definition begins where its first word stands.
            What::Word | What::Attribute if at == 0 && span.len() >= "const".len() => page.write(span, "const"),
            _ => page.blank(span),
        }
    }
    has_type
}

/// What stands between the brackets goes.
fn empty(reader: &Reader<'_>, page: &mut Page, part: &Part) {
    if part.last > part.first + 1 {
        page.blank(reader.span(part.first + 1, part.last - 1));
    }
}

/// `using name = type;`, `concept name = value;`
fn alias(reader: &Reader<'_>, page: &mut Page, parts: &[Part], lead: usize) -> bool {
    let is_named = parts.get(lead + 1).is_some_and(|part| part.what == What::Word);
    let Some(value) = parts.iter().find(|part| part.what == What::Value).filter(|_| is_named) else { return false };
    for (at, part) in parts.iter().enumerate() {
        let span = reader.span(part.first, part.last);
        match part.what {
            What::Word if at < lead && reader.word(part.first) == "template" => {}
            What::Angle if at < lead => empty(reader, page, part),
            What::Mark(b'=') => {}
            What::Value if part.first == value.first => page.write(span, "T"),
            _ if at == lead || at == lead + 1 => {}
            _ => page.blank(span),
        }
    }
    true
}

/// Whether a statement that begins with `struct` only announces a type.
fn is_forward(reader: &Reader<'_>, parts: &[Part], lead: usize) -> bool {
    let mut names = 0;
    let mut after_scope = false;
    for part in parts.iter().skip(lead + 1) {
        match part.what {
            What::Word => {
                let word = reader.word(part.first);
                let is_class = reader.dialect == Dialect::Cpp && reader.word_of(parts, lead) == "class";
                let marks = names == 0 && (exports(word) || is_class && is_loud(word));
                if !after_scope && !marks && !matches!(word, "class" | "struct" | "final") {
                    names += 1;
                }
            }
            // What follows is the type of an enumeration, or the bits of a field.
            What::Mark(b':') => break,
            What::Mark(kind::SCOPE) | What::Angle | What::Attribute => {}
            _ => return false,
        }
        after_scope = part.what == What::Mark(kind::SCOPE);
    }
    names <= 1
}

/// Behind `template <…>` and its requirements.
pub fn after_templates(reader: &Reader<'_>, parts: &[Part]) -> usize {
    let word = |at: usize| reader.word_of(parts, at);
    let what = |at: usize| parts.get(at).map(|part| part.what);
    let mut at = 0;
    if reader.dialect == Dialect::C {
        return 0;
    }
    while word(at) == "template" && what(at + 1) == Some(What::Angle) {
        at += 2;
        while word(at) == "requires"
            || (at > 2 && what(at) == Some(What::Mark(b'&')) && what(at + 1) == Some(What::Mark(b'&')))
        {
            at += if word(at) == "requires" { 1 } else { 2 };
            while matches!(what(at), Some(What::Mark(b'!'))) {
                at += 1;
            }
            if what(at) == Some(What::Round) {
                at += 1;
                continue;
            }
            at += 1;
            while what(at) == Some(What::Mark(kind::SCOPE)) {
                at += 2;
            }
            if what(at) == Some(What::Angle) {
                at += 1;
            }
        }
    }
    at.min(parts.len())
}
