//! Definitions of types: heads, lists of constants, and the names behind their braces.

use super::Dialect;
use super::head::{is_keyword, is_loud, is_storage, marks_type};
use super::lex::kind;
use super::names::declarators;
use super::parts::{Part, Stop, What, is_attribute};
use super::walk::{Inside, Walk};
use super::write::blank_all;

impl Walk<'_, '_> {
    /// Whether braces behind `struct …` define it, rather than be the body of a function that returns one.
    pub(super) fn is_type(&self, parts: &[Part], key: usize) -> bool {
        let mut names = 0;
        let mut after_scope = false;
        for (at, part) in parts.iter().enumerate().skip(key + 1) {
            match part.what {
                What::Mark(b':') => return true,
                What::Mark(b'*' | b'&') | What::Operator | What::Initializers | What::Mark(b'=') => return false,
                What::Word if !after_scope && !matches!(self.reader.word(part.first), "class" | "struct" | "final") => {
                    names += 1
                }
                // Brackets behind capitals hold the values of an attribute, if a name follows.
                What::Round if names > 1 => {
                    let rest = parts.get(at + 1..).unwrap_or(&[]);
                    let loud = parts
                        .get(key + 1..at)
                        .unwrap_or(&[])
                        .iter()
                        .all(|part| part.what != What::Word || is_loud(self.reader.word(part.first)));
                    if !loud || !rest.iter().any(|part| part.what == What::Word) {
                        return false;
                    }
                }
                _ => {}
            }
            after_scope = part.what == What::Mark(kind::SCOPE);
        }
        true
    }

    /// Keeps `template <> struct name`.
    pub(super) fn type_head(&mut self, parts: &[Part], lead: usize, key: usize, brace: usize, end: usize) -> usize {
        let word = |at: usize| self.reader.word_of(parts, at);
        let is_enum = word(key) == "enum";
        let scoped = usize::from(is_enum && matches!(word(key + 1), "class" | "struct"));
        let until = (key..parts.len())
            .find(|at| parts.get(*at).is_some_and(|part| part.what == What::Mark(b':')))
            .unwrap_or(parts.len());
        let is_name =
            |at: &usize| !matches!(word(*at), "" | "final" | "sealed") && !is_keyword(word(*at), self.reader.dialect);
        let name = (key + 1 + scoped..until).rev().find(is_name);
        // `class Name SEALED {`: a macro behind the name.
        let name = name.map(|last| match last.checked_sub(1).filter(|before| *before > key + scoped) {
            Some(before) if is_loud(word(last)) && is_name(&before) && !marks_type(word(before)) => before,
            _ => last,
        });
        let mut first = name.unwrap_or(key);
        while let Some(name) = name
            && first > key + 2
            && parts.get(first - 1).is_some_and(|part| part.what == What::Mark(kind::SCOPE))
        {
            let before =
                if parts.get(first - 2).is_some_and(|part| part.what == What::Angle) { first - 3 } else { first - 2 };
            if !is_name(&before) || before <= key || before > name {
                break;
            }
            first = before;
        }
        for (at, part) in parts.iter().enumerate() {
            let span = self.reader.span(part.first, part.last);
            let keep = match part.what {
                What::Angle if at < lead => {
                    if part.last > part.first + 1 {
                        self.page.blank(self.reader.span(part.first + 1, part.last - 1));
                    }
                    true
                }
                What::Word if at < lead => word(at) == "template",
                What::Word if at < key => is_storage(word(at), self.reader.dialect),
                What::Text => at < key,
                What::Angle => false,
                _ => (at >= key && at <= key + scoped) || name.is_some_and(|name| at >= first && at <= name),
            };
            if !keep {
                self.page.blank(span);
            }
        }
        let bare = name.is_some() && !(0..key).any(|at| is_storage(word(at), self.reader.dialect));
        if is_enum {
            let close = self.reader.partner(brace).filter(|close| *close > brace).unwrap_or(end).min(end);
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
            let opens = matches!(self.reader.kind(at), b'(' | b'[' | b'{');
            let behind = self.reader.partner(at).filter(|close| opens && *close > at).unwrap_or(at) + 1;
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
                if parts.iter().any(|part| part.what == What::Mark(kind::DEFINE)) {
                    blank_all(&self.reader, self.page, &parts);
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
        match (reader.word(at), reader.dialect) {
            ("struct" | "union" | "enum", _) | ("class", Dialect::Cpp) => {}
            _ => return None,
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
