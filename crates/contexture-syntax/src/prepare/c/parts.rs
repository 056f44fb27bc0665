//! A statement of a declaration list, cut into parts at the top level of its brackets.
//!
//! Takes tokens from the beginning of a statement; gives its parts and what ended it. Nothing is judged here but brackets.

use super::Dialect;
use super::head::{is_keyword, is_loud, marks_type};
use super::lex::{ALONE, Token, Tokens, kind};
use crate::structure::Span;
use crate::text::has_word;

/// Some tokens that belong together; both ends are places in the list of tokens, the last included.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    pub kind: PartKind,
    pub first: usize,
    pub last: usize,
    pub span: Span,
    /// Its text when it is a word, else empty.
    pub word: &'a str,
}

/// The parts of a statement by their places. Outside of it there is no kind and no word.
pub trait Parts<'a> {
    fn kind(&self, at: usize) -> Option<PartKind>;
    fn word(&self, at: usize) -> &'a str;
    /// The place of the first part of a kind.
    fn find(&self, kind: PartKind) -> Option<usize>;
}

impl<'a> Parts<'a> for [Part<'a>] {
    fn kind(&self, at: usize) -> Option<PartKind> {
        self.get(at).map(|part| part.kind)
    }

    fn word(&self, at: usize) -> &'a str {
        self.get(at).map_or("", |part| part.word)
    }

    fn find(&self, kind: PartKind) -> Option<usize> {
        self.iter().position(|part| part.kind == kind)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    Word,
    /// `( … )`
    Round,
    /// `[ … ]`
    Square,
    /// `< … >`
    Angle,
    /// `{ … }` that is a value.
    Brace,
    /// `operator` with what follows, up to the parameters.
    Operator,
    /// `__attribute__((…))`, `[[…]]` and their like.
    Attribute,
    Text,
    /// What follows `=`.
    Value,
    /// `: a(1), b{2}` before the body of a constructor.
    Initializers,
    Mark(u8),
}

/// What ended a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Semicolon(usize),
    Brace(usize),
    /// The end of what it stands in.
    End,
    /// A label such as `public:` begins at the first place and ends before the second.
    Label(usize, usize),
    /// A macro was used as if it were a statement, without a semicolon; the next begins here.
    Broken(usize),
}

pub struct CReader<'a> {
    pub text: &'a str,
    pub tokens: &'a Tokens,
    pub dialect: Dialect,
    /// No `<` before this place has a partner.
    no_angle: usize,
}

impl<'a> CReader<'a> {
    pub fn new(text: &'a str, tokens: &'a Tokens, dialect: Dialect) -> Self {
        Self { text, tokens, dialect, no_angle: 0 }
    }

    pub fn len(&self) -> usize {
        self.tokens.list.len()
    }

    pub fn token(&self, at: usize) -> Option<Token> {
        self.tokens.list.get(at).copied()
    }

    /// 0 behind the end.
    pub fn kind(&self, at: usize) -> u8 {
        self.token(at).map_or(0, |token| token.kind)
    }

    pub fn word(&self, at: usize) -> &'a str {
        self.token(at).filter(|token| token.kind == kind::WORD).map_or("", |token| token.span.of(self.text))
    }

    pub fn partner(&self, at: usize) -> Option<usize> {
        self.tokens.pairs.get(at).copied().filter(|place| *place != ALONE).map(|place| place as usize)
    }

    /// From one token to another, both included. Behind the last token is the end of the text.
    pub fn span(&self, first: usize, last: usize) -> Span {
        let end = Span::new(self.text.len(), self.text.len());
        let start = self.token(first).map_or(end, |token| token.span).start;
        Span { start, end: self.token(last).map_or(end, |token| token.span).end.max(start) }
    }

    /// How many line breaks stand between two tokens.
    pub fn line_breaks(&self, before: usize, after: usize) -> usize {
        let (start, end) = (self.span(before, before).end, self.span(after, after).start);
        Span { start, end: end.max(start) }.of(self.text).bytes().filter(|byte| *byte == b'\n').count()
    }

    /// The bracket that closes this one, or where what it stands in ends.
    pub fn closing(&self, at: usize, end: usize) -> usize {
        self.partner(at).filter(|close| *close > at).unwrap_or(end).min(end)
    }

    /// Behind a token, and behind the bracket that closes it when it opens one.
    pub fn behind(&self, at: usize) -> usize {
        self.partner(at).filter(|close| *close > at).unwrap_or(at) + 1
    }

    fn part(&self, kind: PartKind, first: usize, last: usize) -> Part<'a> {
        let word = if kind == PartKind::Word { self.word(first) } else { "" };
        Part { kind, first, last, span: self.span(first, last), word }
    }

    /// Reads parts until the statement ends.
    pub fn statement(&mut self, first: usize, end: usize, parts: &mut Vec<Part<'a>>) -> Stop {
        parts.clear();
        let mut at = first;
        while at < end {
            let mark = (PartKind::Mark(self.kind(at)), at);
            let paired = |kind: PartKind| self.partner(at).map_or(mark, |close| (kind, close));
            let (kind, last) = match self.kind(at) {
                b';' => return Stop::Semicolon(at),
                b'{' => {
                    let close = self.partner(at);
                    let follows = close.map_or(0, |close| self.kind(close + 1));
                    if !matches!(follows, b';' | b',') || !is_value(self, parts, at) {
                        return Stop::Brace(at);
                    }
                    (PartKind::Brace, close.unwrap_or(at))
                }
                b'(' => paired(PartKind::Round),
                b'[' if self.kind(at + 1) == b'[' => paired(PartKind::Attribute),
                b'[' => paired(PartKind::Square),
                b'<' if self.dialect == Dialect::Cpp => {
                    self.angle(at, end, parts).map_or(mark, |close| (PartKind::Angle, close))
                }
                b'=' => {
                    let is_call = parts.len() == 2 && parts.kind(1) == Some(PartKind::Round);
                    parts.push(self.part(mark.0, at, at));
                    at += 1;
                    match self.value(at, end, is_call) {
                        (next, true) => return Stop::Broken(next),
                        (next, false) if next > at => (PartKind::Value, next - 1),
                        _ => continue,
                    }
                }
                b':' if self.dialect == Dialect::Cpp && initializes(parts) => {
                    (PartKind::Initializers, self.initializers(at, end))
                }
                kind::TEXT => (PartKind::Text, at),
                kind::WORD => {
                    let word = self.word(at);
                    if let Some(behind) = self.label(at, word) {
                        return Stop::Label(at, behind);
                    }
                    if word == "operator" && self.dialect == Dialect::Cpp {
                        (PartKind::Operator, self.operator(at, end))
                    } else if is_attribute(word) && self.kind(at + 1) == b'(' {
                        (PartKind::Attribute, self.behind(at + 1) - 1)
                    } else {
                        (PartKind::Word, at)
                    }
                }
                _ => mark,
            };
            parts.push(self.part(kind, at, last));
            at = last + 1;
        }
        Stop::End
    }

    /// Where the value that begins here ends, and whether the statement ends there without a semicolon.
    fn value(&self, first: usize, end: usize, is_call: bool) -> (usize, bool) {
        let mut at = first;
        let mut has_angle = false;
        while at < end {
            match self.kind(at) {
                b';' => break,
                b',' if !has_angle => break,
                b'<' => has_angle = true,
                kind::WORD if is_call && at > first && matches!(self.kind(at - 1), b')' | b'}') => return (at, true),
                _ => {}
            }
            at = self.behind(at);
        }
        (at.min(end), false)
    }

    /// The last token of `: a(1), b{2}`.
    fn initializers(&self, colon: usize, end: usize) -> usize {
        let mut at = colon + 1;
        while at < end {
            match self.kind(at) {
                b';' => break,
                b'{' if !matches!(self.kind(at - 1), kind::WORD | b'>') => break,
                _ => at = self.behind(at),
            }
        }
        at.min(end) - 1
    }

    /// The last token of an operator's name.
    fn operator(&self, at: usize, end: usize) -> usize {
        if self.kind(at + 1) == b'(' && self.kind(at + 2) == b')' {
            return at + 2;
        }
        let mut next = at + 1;
        // Only the name of a type has angle brackets, in which others may stand.
        let converts = self.kind(next) == kind::WORD;
        let mut depth = 0;
        while next < end && !matches!(self.kind(next), b';' | b'{' | b'}') {
            match self.kind(next) {
                b'<' if converts => depth += 1,
                b'>' if converts => depth -= 1,
                b'(' if depth > 0 => {
                    next = self.behind(next);
                    continue;
                }
                b'(' => break,
                _ => {}
            }
            next += 1;
        }
        next.min(end) - 1
    }

    /// The `>` for a `<`. What cannot stand between them ends the search, and it is not made twice over the same tokens.
    fn angle(&mut self, open: usize, end: usize, parts: &[Part<'_>]) -> Option<usize> {
        let before = parts.last()?;
        let named = matches!(before.kind, PartKind::Word | PartKind::Operator);
        if open < self.no_angle || !named || parts.find(PartKind::Mark(b'=')).is_some() {
            return None;
        }
        let is_template = before.word == "template";
        let mut depth = 0_usize;
        let mut at = open;
        while at < end {
            match self.kind(at) {
                b'<' => depth += 1,
                b'>' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                b';' | b'}' => break,
                b'{' if !is_template => break,
                _ => {}
            }
            at = self.behind(at);
        }
        self.no_angle = at;
        None
    }

    /// Behind the colon of `public:`, `private slots:`, `signals:`.
    fn label(&self, at: usize, word: &str) -> Option<usize> {
        let is_access = matches!(word, "public" | "private" | "protected");
        if self.dialect == Dialect::C || !(is_access || matches!(word, "signals" | "Q_SIGNALS")) {
            return None;
        }
        if self.kind(at + 1) == b':' {
            return Some(at + 2);
        }
        let follows = self.word(at + 1);
        (is_access && !matches!(follows, "" | "virtual") && self.kind(at + 2) == b':').then_some(at + 3)
    }
}

/// Whether a brace behind these parts is a value, as in `int x{5};`.
fn is_value(reader: &CReader<'_>, parts: &[Part<'_>], brace: usize) -> bool {
    let Some(last) = parts.last() else { return false };
    let key = parts.iter().position(|part| is_type_key(part.word) || part.word == "namespace");
    // Behind a first variable others follow.
    let has_one = parts.find(PartKind::Brace).is_some();
    (has_one || key.is_none_or(|key| names_variable(reader, parts, key, brace)))
        && matches!(last.kind, PartKind::Word | PartKind::Angle | PartKind::Square)
        && parts.find(PartKind::Round).is_none()
}

/// Whether braces behind `struct tag name` are its value rather than the type, with a macro before or behind its name.
fn names_variable(reader: &CReader<'_>, parts: &[Part<'_>], key: usize, brace: usize) -> bool {
    let mut tag = key + 1;
    while parts.kind(tag + 1) == Some(PartKind::Mark(kind::SCOPE)) {
        tag += 2;
    }
    let name = tag + 1 + usize::from(parts.kind(tag + 1) == Some(PartKind::Angle));
    let is_named = !is_keyword(parts.word(tag), reader.dialect)
        && !is_keyword(parts.word(name), reader.dialect)
        && !matches!(parts.word(name), "final" | "sealed");
    let ends = name + 1 == parts.len() || parts.kind(name + 1) == Some(PartKind::Square);
    let is_type = parts.word(key) == "namespace" || marks_type(parts.word(key + 1));
    if reader.dialect == Dialect::C || is_type || !is_named || !ends {
        return false;
    }
    let close = reader.partner(brace).unwrap_or(brace);
    if close == brace + 1 {
        // Nothing in them says what they are. A macro is rather written with a space behind it.
        return !is_loud(parts.word(name)) || reader.span(brace - 1, brace - 1).end == reader.span(brace, brace).start;
    }
    holds_values(reader, brace, close)
}

/// Whether braces hold values rather than members. What they are shows in their first words: a member ends with a
/// semicolon or a body, and lists of values may be long.
fn holds_values(reader: &CReader<'_>, open: usize, close: usize) -> bool {
    let mut at = open + 1;
    for _ in 0..64 {
        match reader.kind(at) {
            _ if at >= close => break,
            b';' | b':' => return false,
            b'{' if reader.kind(at - 1) == b')' || reader.word(at - 1) == "const" => return false,
            _ => at = reader.behind(at),
        }
    }
    true
}

/// Whether a colon behind these parts begins the initializers of a constructor.
fn initializes(parts: &[Part<'_>]) -> bool {
    parts.find(PartKind::Round).is_some() && !parts.iter().any(|part| is_type_key(part.word))
}

/// A word before the name of a type, in either dialect.
fn is_type_key(word: &str) -> bool {
    matches!(word, "struct" | "class" | "union" | "enum")
}

pub fn is_attribute(word: &str) -> bool {
    const WORDS: &str =
        "__attribute__ __attribute __declspec alignas _Alignas asm __asm __asm__ _Pragma __pragma noexcept throw";
    has_word(WORDS, word)
}
