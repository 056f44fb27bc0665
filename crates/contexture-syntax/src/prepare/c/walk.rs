//! Goes through the declaration lists of a file, outermost first, with a stack of its own.

use super::Dialect;
use super::define;
use super::head::{function, is_key, is_keyword, is_loud, is_storage, returns_pointer};
use super::lex::{Tokens, kind};
use super::parts::{CReader, Part, PartKind, Parts, Stop};
use super::write::{after_templates, blank_all, declaration, heads, pointer_heads};
use crate::prepare::page::Page;
use crate::structure::Span;

pub fn walk(text: &str, tokens: &Tokens, dialect: Dialect, page: &mut Page) {
    let reader = CReader::new(text, tokens, dialect);
    let end = reader.len();
    let rest = reader.span(end.saturating_sub(1), end.saturating_sub(1)).end;
    let scopes = vec![Scope { end, what: Inside::List }];
    let mut walk = Walk { reader, page, parts: Vec::new(), scopes, rest, handlers: Vec::new() };
    walk.run();
}

pub(super) struct Walk<'a, 'p> {
    pub(super) reader: CReader<'a>,
    pub(super) page: &'p mut Page,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) scopes: Vec<Scope>,
    /// Where the text begins that is blank up to its end, when the text ends before its braces are closed.
    rest: u32,
    /// Where the next handlers begin of functions whose body is a `try` block, outermost first.
    handlers: Vec<usize>,
}

/// A pair of braces that is being read.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    /// The closing brace.
    pub(super) end: usize,
    what: Inside,
}

#[derive(Clone, Copy)]
pub(super) enum Inside {
    /// The file, a namespace, a linkage block.
    List,
    /// A class with the token of its name; `bare`: nothing says that it names a variable or type behind its braces.
    Type { name: Option<usize>, bare: bool },
    /// A body, blank up to this byte.
    Body { from: u32 },
}

impl<'a> Walk<'a, '_> {
    fn run(&mut self) {
        let mut at = 0;
        let mut missing = String::new();
        while let Some(scope) = self.scopes.last().copied() {
            if at >= scope.end {
                self.scopes.pop();
                if scope.end >= self.reader.len() && !self.scopes.is_empty() {
                    if let Inside::Body { from } = scope.what {
                        self.rest = self.rest.min(from);
                    }
                    missing.push_str(if matches!(scope.what, Inside::Type { .. }) { "};" } else { "}" });
                }
                at = match scope.what {
                    Inside::List => scope.end + 1,
                    Inside::Type { bare, .. } => self.tail(scope.end + 1, bare),
                    Inside::Body { from } => {
                        self.page
                            .hide(Span { start: from, end: self.reader.span(scope.end, scope.end).start.max(from) });
                        scope.end + 1
                    }
                };
                self.resume(at);
                continue;
            }
            at = match scope.what {
                Inside::Body { from } => self.body(at, scope.end, from),
                Inside::List | Inside::Type { .. } => self.statement(at, scope.end),
            };
        }
        // What the end of the text has cut off is closed in the blank behind the last statement, if that is long enough.
        let end = Span::new(self.reader.text.len(), self.reader.text.len()).end;
        if !missing.is_empty() && (end - self.rest.min(end)) as usize > missing.len() {
            self.page.blank(Span { start: self.rest, end });
            self.page.write(Span { start: end - Span::new(0, missing.len()).end, end }, &missing);
        }
    }

    /// Behind a type that was defined in a body: from here on it is blank again.
    fn resume(&mut self, at: usize) {
        let before = at.saturating_sub(1);
        let end = self.reader.span(before, before).end;
        if let Some(Scope { what: Inside::Body { from }, .. }) = self.scopes.last_mut() {
            *from = end.max(*from);
        }
    }

    fn statement(&mut self, first: usize, end: usize) -> usize {
        match self.reader.kind(first) {
            b'}' | b')' | b']' => {
                self.page.blank(self.reader.span(first, first));
                return first + 1;
            }
            kind::DEFINE => {
                define::write(self.reader.text, self.reader.span(first, first), self.page);
                return first + 1;
            }
            kind::WORD => {
                if let Some(behind) = self.lone_macro(first, end) {
                    self.page.blank(self.reader.span(first, behind - 1));
                    return behind;
                }
            }
            _ => {}
        }
        let mut parts = std::mem::take(&mut self.parts);
        let stop = self.reader.statement(first, end, &mut parts);
        parts.retain(|part| {
            let is_define = part.kind == PartKind::Mark(kind::DEFINE);
            if is_define {
                self.page.blank(part.span);
            }
            !is_define
        });
        let next = match stop {
            Stop::Semicolon(at) => self.semicolon(&parts, at, end),
            Stop::Brace(at) => self.brace(&parts, at, end),
            Stop::End => {
                blank_all(self.page, &parts);
                if end >= self.reader.len() {
                    self.rest = self.rest.min(self.reader.span(first, first).start);
                }
                end
            }
            Stop::Label(label, behind) => {
                blank_all(self.page, &parts);
                if behind == label + 3 {
                    self.page.blank(self.reader.span(label + 1, label + 1));
                } else if !matches!(self.reader.word(label), "public" | "private" | "protected") {
                    self.page.blank(self.reader.span(label, behind - 1));
                }
                behind
            }
            Stop::Broken(at) => {
                self.page.blank(self.reader.span(first, at - 1));
                at
            }
        };
        self.parts = parts;
        next
    }

    /// A macro that stands on lines of its own as if it were a statement.
    fn lone_macro(&self, first: usize, end: usize) -> Option<usize> {
        let reader = &self.reader;
        let loud = is_loud(reader.word(first));
        let is_call = reader.kind(first + 1) == b'(';
        if !loud && (!is_call || is_keyword(reader.word(first), reader.dialect)) {
            return None;
        }
        let behind = if is_call { reader.partner(first + 1)? + 1 } else { first + 1 };
        let lines = reader.line_breaks(behind - 1, behind);
        if behind >= end || lines == 0 {
            return None;
        }
        let next = reader.word(behind);
        let begins = matches!(
            next,
            "namespace" | "class" | "template" | "using" | "typedef" | "public" | "private" | "protected"
        );
        let lone = match reader.kind(behind) {
            kind::DEFINE => true,
            kind::WORD if lines > 1 => true,
            // Behind a call a type may follow, or the name of a function whose type it is.
            kind::WORD if is_call => {
                let declares = begins
                    || is_storage(next, reader.dialect)
                    || matches!(next, "struct" | "union" | "enum")
                    || next == reader.word(first);
                let is_name = reader.kind(behind + 1) == b'(' && !self.opens_declarator(behind + 1);
                declares || loud && (!is_name || is_loud(next))
            }
            kind::WORD => begins,
            _ => false,
        };
        lone.then_some(behind)
    }

    /// Whether brackets behind a word hold a name, as in `int (*name)(…)`, so that the word is a type.
    fn opens_declarator(&self, open: usize) -> bool {
        let reader = &self.reader;
        let close = reader.partner(open).unwrap_or(open);
        reader.kind(open + 1) == b'*'
            || is_keyword(reader.word(open - 1), reader.dialect)
            || reader.kind(close + 1) == b'('
    }

    fn semicolon(&mut self, parts: &[Part<'a>], at: usize, end: usize) -> usize {
        if self.reader.dialect == Dialect::C
            && let Some(brace) = self.old_style(parts, at, end)
            && let Some(found) = function(&self.reader, parts)
        {
            heads(&self.reader, self.page, parts, found);
            self.page.blank(Span { start: self.reader.span(at, at).start, end: self.reader.span(brace, brace).start });
            return self.open_body(brace, end);
        }
        let class = match self.scopes.last().map(|scope| scope.what) {
            Some(Inside::Type { name, .. }) => Some(name.map_or("", |name| self.reader.word(name))),
            _ => None,
        };
        declaration(&self.reader, self.page, parts, at, class);
        at + 1
    }

    /// The brace of `int f(a, b) int a; char *b; {`.
    fn old_style(&self, parts: &[Part<'a>], semicolon: usize, end: usize) -> Option<usize> {
        let round = parts.iter().rposition(|part| part.kind == PartKind::Round)?;
        let pointer = parts.find(PartKind::Round)?;
        if (round == 0 || parts.len() < round + 3) && (pointer == round || pointer == 0) {
            return None;
        }
        // Lists of parameters are short; what is longer is something else.
        for at in semicolon + 1..end.min(semicolon + 400) {
            match self.reader.kind(at) {
                b'{' => return (self.reader.kind(at - 1) == b';').then_some(at),
                kind::WORD | b'*' | b',' | b';' | b'[' | b']' | b'(' | b')' | kind::NUMBER => {}
                _ => return None,
            }
        }
        None
    }

    /// Enters the braces that open here.
    pub(super) fn open(&mut self, brace: usize, end: usize, inside: impl FnOnce(u32) -> Inside) -> usize {
        let open = self.reader.span(brace, brace).end;
        self.scopes.push(Scope { end: self.reader.closing(brace, end), what: inside(open) });
        brace + 1
    }

    fn open_body(&mut self, brace: usize, end: usize) -> usize {
        self.open(brace, end, |open| Inside::Body { from: open })
    }

    fn brace(&mut self, parts: &[Part<'a>], brace: usize, end: usize) -> usize {
        let dialect = self.reader.dialect;
        let is_cpp = dialect == Dialect::Cpp;
        if let Some(at) = parts.iter().position(|part| is_cpp && part.word == "namespace") {
            self.namespace(parts, at);
            return self.open(brace, end, |_| Inside::List);
        }
        if let [before @ .., linkage, text] = parts
            && linkage.word == "extern"
            && text.kind == PartKind::Text
        {
            blank_all(self.page, before);
            return self.open(brace, end, |_| Inside::List);
        }
        let lead = after_templates(&self.reader, parts);
        let key = (lead..parts.len()).find(|at| is_key(parts.word(*at), dialect));
        if let Some(key) = key.filter(|key| self.is_type(parts, *key)) {
            return self.type_head(parts, lead, key, brace, end);
        }
        if let Some(found) = returns_pointer(&self.reader, parts) {
            pointer_heads(&self.reader, self.page, parts, found);
            return self.open_body(brace, end);
        }
        if parts.word(lead) != "catch"
            && let Some(found) = function(&self.reader, parts)
        {
            heads(&self.reader, self.page, parts, found);
            let mut behind = parts.iter().skip(found.parameters);
            if let Some(part) = behind.find(|part| is_cpp && part.word == "try")
                && self.expect_handler(brace)
            {
                self.page.write(part.span, "try");
            }
            return self.open_body(brace, end);
        }
        if let Some(Part { first, .. }) = parts.first()
            && self.handlers.last() == Some(first)
        {
            self.handlers.pop();
            self.expect_handler(brace);
            self.page.blank(self.reader.span(first + 2, brace - 2));
            return self.open_body(brace, end);
        }
        // Nothing that has a name.
        blank_all(self.page, parts);
        let close = self.reader.closing(brace, end);
        self.page.blank(self.reader.span(brace, close));
        close + 1
    }

    /// Notes that `catch (…) {` follows these braces, if so.
    fn expect_handler(&mut self, brace: usize) -> bool {
        let reader = &self.reader;
        let handler = reader.partner(brace).map_or(0, |close| close + 1);
        let brackets = reader.partner(handler + 1).filter(|_| reader.kind(handler + 1) == b'(');
        let follows = reader.word(handler) == "catch" && brackets.is_some_and(|close| reader.kind(close + 1) == b'{');
        if follows {
            self.handlers.push(handler);
        }
        follows
    }

    /// Keeps `inline namespace a::b`, and of `namespace a::inline b` the last name.
    fn namespace(&mut self, parts: &[Part<'a>], at: usize) {
        let mut first = at + 1;
        let mut last = first;
        while parts.kind(last) == Some(PartKind::Word) && parts.kind(last + 1) == Some(PartKind::Mark(kind::SCOPE)) {
            last += 2;
            if parts.word(last) == "inline" {
                last += 1;
                first = last;
            }
        }
        for (place, part) in parts.iter().enumerate() {
            let lead = place + 1 == at && part.word == "inline";
            if place != at && !lead && !(first..=last).contains(&place) {
                self.page.blank(part.span);
            }
        }
    }

    /// Blanks a body up to the next type that is defined in it.
    fn body(&mut self, first: usize, end: usize, from: u32) -> usize {
        let mut from = from;
        for at in first..end {
            match self.reader.kind(at) {
                kind::DEFINE => {
                    let span = self.reader.span(at, at);
                    self.page.blank(Span { start: from, end: span.start.max(from) });
                    define::write(self.reader.text, span, self.page);
                    from = span.end;
                }
                kind::WORD => {
                    if let Some(start) = self.local_type(first, at) {
                        let span = self.reader.span(start, start);
                        self.page.hide(Span { start: from, end: span.start.max(from) });
                        if let Some(Scope { what: Inside::Body { from }, .. }) = self.scopes.last_mut() {
                            *from = span.start;
                        }
                        let depth = self.scopes.len();
                        let behind = self.statement(start, end);
                        if self.scopes.len() == depth {
                            self.resume(behind);
                        }
                        return behind.max(at + 1);
                    }
                }
                _ => {}
            }
        }
        if let Some(Scope { what: Inside::Body { from: place }, .. }) = self.scopes.last_mut() {
            *place = from;
        }
        end
    }
}
