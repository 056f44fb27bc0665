//! Definitions of types: heads, lists of constants, and the names behind their braces.

use super::Dialect;
use super::head::{is_key, is_keyword, is_loud, is_storage, marks_type};
use super::lex::kind;
use super::names::declarators;
use super::parts::{Part, PartKind, Parts, Stop, is_attribute};
use super::walk::{Inside, Walk};
use super::write::{blank_all, empty};

impl<'a> Walk<'a, '_> {
    /// Whether braces behind `struct …` define it, rather than be the body of a function that returns one.
    pub(super) fn is_type(&self, parts: &[Part<'a>], key: usize) -> bool {
        let mut names = 0;
        let mut after_scope = false;
        for (at, part) in parts.iter().enumerate().skip(key + 1) {
            match part.kind {
                PartKind::Mark(b':') => return true,
                PartKind::Mark(b'*' | b'&' | b'=') | PartKind::Operator | PartKind::Initializers => return false,
                PartKind::Word if !after_scope && !matches!(part.word, "class" | "struct" | "final") => names += 1,
                // Brackets behind capitals hold the values of an attribute, if a name follows.
                PartKind::Round if names > 1 => {
                    let mut before = parts.iter().take(at).skip(key + 1);
                    let is_quiet = before.any(|part| part.kind == PartKind::Word && !is_loud(part.word));
                    if is_quiet || !parts.iter().skip(at + 1).any(|part| part.kind == PartKind::Word) {
                        return false;
                    }
                }
                _ => {}
            }
            after_scope = part.kind == PartKind::Mark(kind::SCOPE);
        }
        true
    }

    /// Keeps `template <> struct name`.
    pub(super) fn type_head(&mut self, parts: &[Part<'a>], lead: usize, key: usize, brace: usize, end: usize) -> usize {
        let dialect = self.reader.dialect;
        let is_enum = parts.word(key) == "enum";
        let scoped = usize::from(is_enum && matches!(parts.word(key + 1), "class" | "struct"));
        let is_colon = |at: &usize| parts.kind(*at) == Some(PartKind::Mark(b':'));
        let until = (key..parts.len()).find(is_colon).unwrap_or(parts.len());
        let is_name =
            |at: &usize| !is_keyword(parts.word(*at), dialect) && !matches!(parts.word(*at), "final" | "sealed");
        let name = (key + 1 + scoped..until).rev().find(is_name);
        // `class Name SEALED {`: a macro behind the name.
        let name = name.map(|last| match last.checked_sub(1).filter(|before| *before > key + scoped) {
            Some(before) if is_loud(parts.word(last)) && is_name(&before) && !marks_type(parts.word(before)) => before,
            _ => last,
        });
        let mut first = name.unwrap_or(key);
        while let Some(name) = name
            && first > key + 2
            && parts.kind(first - 1) == Some(PartKind::Mark(kind::SCOPE))
        {
            let is_angle = parts.kind(first - 2) == Some(PartKind::Angle);
            let before = if is_angle { first - 3 } else { first - 2 };
            if !is_name(&before) || before <= key || before > name {
                break;
            }
            first = before;
        }
        for (at, part) in parts.iter().enumerate() {
            let keep = match part.kind {
                PartKind::Angle if at < lead => {
                    empty(&self.reader, self.page, part);
                    true
                }
                PartKind::Word if at < lead => part.word == "template",
                PartKind::Word if at < key => is_storage(part.word, dialect),
                PartKind::Text => at < key,
                PartKind::Angle => false,
                _ => (at >= key && at <= key + scoped) || name.is_some_and(|name| at >= first && at <= name),
            };
            if !keep {
                self.page.blank(part.span);
            }
        }
        let bare = name.is_some() && !parts.iter().take(key).any(|part| is_storage(part.word, dialect));
        if is_enum {
            let close = self.reader.closing(brace, end);
            self.enumerators(brace + 1, close);
            return self.tail(close + 1, bare);
        }
        let name = name.and_then(|name| parts.get(name)).map(|part| part.first);
        self.open(brace, end, |_| Inside::Type { name, bare })
    }

    /// Keeps the names of a list `A, B = 1, MACRO(C) D`.
    fn enumerators(&mut self, first: usize, close: usize) {
        let mut at = first;
        let mut named = false;
        while at < close {
            let behind = self.reader.behind(at);
            let keep = match self.reader.kind(at) {
                kind::WORD if !named && self.reader.kind(at + 1) != b'(' => {
                    named = true;
                    true
                }
                b',' => std::mem::take(&mut named),
                _ => false,
            };
            if !keep {
                self.page.blank(self.reader.span(at, behind.min(close) - 1));
            }
            at = behind;
        }
    }

    /// What follows the braces of a type: names of variables, or of the type.
    pub(super) fn tail(&mut self, first: usize, bare: bool) -> usize {
        let end = self.scopes.last().map_or(first, |scope| scope.end);
        let word = self.reader.word(first);
        let goes_on = match self.reader.kind(first) {
            b';' => return first + 1,
            b'*' | b'&' | b'[' | b'=' => true,
            // A keyword on the next line begins another statement, where the semicolon was forgotten or is in a macro.
            kind::WORD => {
                self.reader.line_breaks(first - 1, first) == 0
                    || !is_keyword(word, self.reader.dialect)
                    || is_attribute(word)
            }
            _ => false,
        };
        if !goes_on || first >= end {
            return first;
        }
        let mut parts = std::mem::take(&mut self.parts);
        let stop = self.reader.statement(first, end, &mut parts);
        let next = match stop {
            Stop::Semicolon(at) => {
                if parts.find(PartKind::Mark(kind::DEFINE)).is_some() {
                    blank_all(self.page, &parts);
                } else {
                    declarators(&self.reader, self.page, &parts, true, bare);
                }
                at + 1
            }
            _ => first,
        };
        self.parts = parts;
        next
    }

    /// Where the statement begins, when this word begins the definition of a type in it.
    pub(super) fn local_type(&self, first: usize, at: usize) -> Option<usize> {
        let reader = &self.reader;
        if !is_key(reader.word(at), reader.dialect) {
            return None;
        }
        let mut start = at;
        while start > first
            && (matches!(reader.word(start - 1), "typedef" | "static" | "const") || is_loud(reader.word(start - 1)))
        {
            start -= 1;
        }
        if start > first && !matches!(reader.kind(start - 1), b';' | b'{' | b'}' | b':' | b')' | kind::DEFINE) {
            return None;
        }
        let mut next = at + 1;
        if matches!(reader.word(next), "class" | "struct") {
            next += 1;
        }
        if is_loud(reader.word(next)) && reader.kind(next + 1) == kind::WORD {
            next += 1;
        }
        if reader.kind(next) == kind::WORD {
            next += 1;
            while reader.kind(next) == kind::SCOPE && reader.kind(next + 1) == kind::WORD {
                next += 2;
            }
        }
        if reader.word(next) == "final" {
            next += 1;
        }
        if reader.kind(next) == b':' && reader.dialect == Dialect::Cpp {
            // Bases are few words.
            let upto = next + 64;
            next += 1;
            while next < upto
                && matches!(
                    reader.kind(next),
                    kind::WORD | kind::NUMBER | kind::SCOPE | b',' | b'<' | b'>' | b'*' | b'&'
                )
            {
                next += 1;
            }
        }
        (reader.kind(next) == b'{').then_some(start)
    }
}
