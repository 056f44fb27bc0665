//! A statement of a declaration list, cut into parts at the top level of its brackets.
//!
//! Takes tokens from the beginning of a statement; gives its parts and what ended it. Nothing is judged here but brackets.

use super::Dialect;
use super::head::{is_keyword, is_loud, marks_type};
use super::lex::{ALONE, Token, Tokens, kind};
use crate::structure::Span;

/// Some tokens that belong together; both ends are places in the list of tokens, the last included.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub what: What,
    pub first: usize,
    pub last: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
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

pub struct Reader<'a> {
    pub text: &'a str,
    pub tokens: &'a Tokens,
    pub dialect: Dialect,
    /// No `<` before this place has a partner.
    no_angle: usize,
}

impl<'a> Reader<'a> {
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

    /// The word that a part is, when it is one.
    pub fn word_of(&self, parts: &[Part], at: usize) -> &'a str {
        parts.get(at).filter(|part| part.what == What::Word).map_or("", |part| self.word(part.first))
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

    /// Behind the bracket that closes this one, or behind this one.
    fn behind(&self, at: usize) -> usize {
        self.partner(at).filter(|close| *close > at).unwrap_or(at) + 1
    }

    /// Reads parts until the statement ends.
    pub fn statement(&mut self, first: usize, end: usize, parts: &mut Vec<Part>) -> Stop {
        parts.clear();
        let mut at = first;
        while at < end {
            let push = |parts: &mut Vec<Part>, what, last| parts.push(Part { what, first: at, last });
            match self.kind(at) {
                b';' => return Stop::Semicolon(at),
                b'{' => {
                    let close = self.partner(at);
                    let follows = close.map_or(0, |close| self.kind(close + 1));
                    if !matches!(follows, b';' | b',') || !is_value(self, parts, at) {
                        return Stop::Brace(at);
                    }
                    push(parts, What::Brace, close.unwrap_or(at));
                }
                b'(' => match self.partner(at) {
                    Some(close) => push(parts, What::Round, close),
                    None => push(parts, What::Mark(b'('), at),
                },
                b'[' => match self.partner(at) {
                    Some(close) if self.kind(at + 1) == b'[' => push(parts, What::Attribute, close),
                    Some(close) => push(parts, What::Square, close),
                    None => push(parts, What::Mark(b'['), at),
                },
                b'<' if self.dialect == Dialect::Cpp => match self.angle(at, end, parts) {
                    Some(close) => push(parts, What::Angle, close),
                    None => push(parts, What::Mark(b'<'), at),
                },
                b'=' => {
                    let is_call = parts.last().is_some_and(|part| part.what == What::Round) && parts.len() == 2;
                    push(parts, What::Mark(b'='), at);
                    match self.value(at + 1, end, is_call) {
                        (next, true) => return Stop::Broken(next),
                        (next, false) if next > at + 1 => {
                            parts.push(Part { what: What::Value, first: at + 1, last: next - 1 });
                        }
                        _ => {}
                    }
                }
                b':' if self.dialect == Dialect::Cpp && initializes(self, parts) => {
                    let last = self.initializers(at, end);
                    push(parts, What::Initializers, last);
                }
                kind::TEXT => push(parts, What::Text, at),
                kind::WORD => {
                    let word = self.word(at);
                    if word == "operator" && self.dialect == Dialect::Cpp {
                        let last = self.operator(at, end);
                        push(parts, What::Operator, last);
                    } else if let Some(behind) = self.label(at, word) {
                        return Stop::Label(at, behind);
                    } else if is_attribute(word) && self.kind(at + 1) == b'(' {
                        let close = self.behind(at + 1) - 1;
                        push(parts, What::Attribute, close);
                    } else {
                        push(parts, What::Word, at);
                    }
                }
                kind => push(parts, What::Mark(kind), at),
            }
            at = parts.last().map_or(at, |part| part.last) + 1;
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
            at = match self.kind(at) {
                b'(' | b'[' | b'{' => self.behind(at),
                _ => at + 1,
            };
        }
        (at.min(end), false)
    }

    /// The last token of `: a(1), b{2}`.
    fn initializers(&mut self, colon: usize, end: usize) -> usize {
        let mut at = colon + 1;
        while at < end {
            match self.kind(at) {
                b';' => break,
                b'{' if !matches!(self.kind(at - 1), kind::WORD | b'>') => break,
                b'(' | b'[' | b'{' => at = self.behind(at),
                _ => at += 1,
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
    fn angle(&mut self, open: usize, end: usize, parts: &[Part]) -> Option<usize> {
        let before = parts.last()?;
        let named = matches!(before.what, What::Word | What::Operator);
        if open < self.no_angle || !named || parts.iter().any(|part| part.what == What::Mark(b'=')) {
            return None;
        }
        let is_template = self.word(before.first) == "template";
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
            at = match self.kind(at) {
                b'(' | b'[' | b'{' => self.behind(at),
                _ => at + 1,
            };
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
fn is_value(reader: &Reader<'_>, parts: &[Part], brace: usize) -> bool {
    let Some(last) = parts.last() else { return false };
    let word = |at: usize| reader.word_of(parts, at);
    let key = (0..parts.len()).find(|at| matches!(word(*at), "struct" | "class" | "union" | "enum" | "namespace"));
    // Behind a first variable others follow.
    let has_one = parts.iter().any(|part| part.what == What::Brace);
    (has_one || key.is_none_or(|key| names_variable(reader, parts, key, brace)))
        && matches!(last.what, What::Word | What::Angle | What::Square)
        && parts.iter().all(|part| part.what != What::Round)
}

/// Whether braces behind `struct tag name` are its value rather than the type, with a macro before or behind its name.
fn names_variable(reader: &Reader<'_>, parts: &[Part], key: usize, brace: usize) -> bool {
    let word = |at: usize| reader.word_of(parts, at);
    let what = |at: usize| parts.get(at).map(|part| part.what);
    let mut tag = key + 1;
    while what(tag + 1) == Some(What::Mark(kind::SCOPE)) {
        tag += 2;
    }
    let name = tag + 1 + usize::from(what(tag + 1) == Some(What::Angle));
    let is_named = !is_keyword(word(tag), reader.dialect)
        && !is_keyword(word(name), reader.dialect)
        && !matches!(word(name), "final" | "sealed");
    let ends = name + 1 == parts.len() || what(name + 1) == Some(What::Square);
    if reader.dialect == Dialect::C || word(key) == "namespace" || marks_type(word(key + 1)) || !is_named || !ends {
        return false;
    }
    let close = reader.partner(brace).unwrap_or(brace);
    if close == brace + 1 {
        // Nothing in them says what they are. A macro is rather written with a space behind it.
        return !is_loud(word(name)) || reader.span(brace - 1, brace - 1).end == reader.span(brace, brace).start;
    }
    holds_values(reader, brace, close)
}

/// Whether braces hold values rather than members. What they are shows in their first words: a member ends with a
/// semicolon or a body, and lists of values may be long.
fn holds_values(reader: &Reader<'_>, open: usize, close: usize) -> bool {
    let mut at = open + 1;
    for _ in 0..64 {
        match reader.kind(at) {
            _ if at >= close => break,
            b';' | b':' => return false,
            b'{' if reader.kind(at - 1) == b')' || reader.word(at - 1) == "const" => return false,
            b'(' | b'[' | b'{' => at = reader.behind(at),
            _ => at += 1,
        }
    }
    true
}

/// Whether a colon behind these parts begins the initializers of a constructor.
fn initializes(reader: &Reader<'_>, parts: &[Part]) -> bool {
    parts.iter().any(|part| part.what == What::Round)
        && !parts.iter().any(|part| {
            part.what == What::Word && matches!(reader.word(part.first), "struct" | "class" | "union" | "enum")
        })
}

pub fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "__declspec"
            | "alignas"
            | "_Alignas"
            | "asm"
            | "__asm"
            | "__asm__"
            | "_Pragma"
            | "__pragma"
            | "noexcept"
            | "throw"
    )
}
