//! Words and marks of C and C++, with the conditions of the preprocessor decided.
//!
//! Takes a text; gives its tokens without comments, which bracket closes which, and the parts of the text that are to be
//! blank: directives and the branches that were not taken. One pass, linear in the text.

use super::Dialect;
use super::pairs::pairs;
use crate::prepare::scan::{block_comment_end, continues, is_blank, is_word, line_end, quoted_end, rest, skip};
use crate::structure::Span;

/// What a token is: one of these, or the byte of a mark.
pub mod kind {
    pub const WORD: u8 = b'w';
    pub const NUMBER: u8 = b'0';
    /// A string or a character.
    pub const TEXT: u8 = b'"';
    /// A whole `#define`, with its line break.
    pub const DEFINE: u8 = b'#';
    /// `::`
    pub const SCOPE: u8 = b's';
    /// `->`
    pub const ARROW: u8 = b'a';
    /// `==`, `<=`, `<<`, `+=` and their like: nothing that closes or assigns at the top level of a declaration.
    pub const OPERATOR: u8 = b'o';
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: u8,
    pub span: Span,
}

#[derive(Debug, Default)]
pub struct Tokens {
    pub list: Vec<Token>,
    /// For each bracket the place of its partner, else [`ALONE`].
    pub pairs: Vec<u32>,
    /// Directives and branches that were not taken.
    pub dead: Vec<Span>,
}

pub const ALONE: u32 = u32::MAX;

pub fn tokens(text: &str, dialect: Dialect) -> Tokens {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
        dialect,
        // About one token in four bytes of ordinary code.
        list: Vec::with_capacity(text.len() / 4),
        dead: Vec::new(),
        branches: Vec::new(),
        braces: 0,
        rounds: 0,
    };
    lexer.run();
    let Lexer { list, dead, .. } = lexer;
    let (mut pairs, balanced) = pairs(text, &list, false);
    if !balanced {
        // Branches that close other brackets than they opened. A brace at the beginning of a line ends a function then.
        pairs = super::pairs::pairs(text, &list, true).0;
    }
    Tokens { list, pairs, dead }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    dialect: Dialect,
    list: Vec<Token>,
    dead: Vec<Span>,
    branches: Vec<Branch>,
    braces: i32,
    rounds: i32,
}

/// A branch of a condition that is being read.
struct Branch {
    start: Progress,
    /// Whether the branches that follow are left out.
    decided: bool,
}

/// How far the text was read when a directive came: open brackets, number of tokens and what the last one ended.
#[derive(Clone, Copy)]
struct Progress {
    braces: i32,
    rounds: i32,
    tokens: usize,
    edge: Edge,
}

/// What the text was doing when a directive came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// A statement had come to its end.
    Statement,
    /// An item of a list had.
    Item,
    /// Brackets were closed: a macro may have ended there, or the head of a function.
    Call,
    Middle,
}

impl Lexer<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: u8, start: usize) {
        self.list.push(Token { kind, span: Span::new(start, self.at) });
    }

    fn run(&mut self) {
        let mut fresh = true;
        while self.at < self.bytes.len() {
            let start = self.at;
            let byte = self.byte(start);
            match byte {
                b'\n' => {
                    fresh = true;
                    self.at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b'\\' => {
                    self.at += 1;
                    continue;
                }
                b'/' if matches!(self.byte(start + 1), b'/' | b'*') => {
                    self.at = comment_end(self.bytes, start);
                    continue;
                }
                b'#' if fresh => {
                    self.directive(start);
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => self.word(start),
                b'0'..=b'9' => self.number(start),
                b'"' | b'\'' => self.read_quoted(start),
                _ => self.mark(start, byte),
            }
            fresh = false;
        }
    }

    fn word(&mut self, start: usize) {
        self.at = skip(self.bytes, self.at, is_word);
        let word = self.bytes.get(start..self.at).unwrap_or(&[]);
        match self.byte(self.at) {
            b'"' if matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") && self.dialect == Dialect::Cpp => {
                self.raw(start)
            }
            b'"' | b'\'' if matches!(word, b"L" | b"u" | b"U" | b"u8") => self.read_quoted(start),
            _ => self.push(kind::WORD, start),
        }
    }

    fn number(&mut self, start: usize) {
        loop {
            let byte = self.byte(self.at);
            let signed = matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(self.byte(self.at + 1), b'+' | b'-');
            let split = byte == b'\'' && self.dialect == Dialect::Cpp && is_word(self.byte(self.at + 1));
            if signed || split {
                self.at += 2;
            } else if is_word(byte) || byte == b'.' {
                self.at += 1;
            } else {
                break;
            }
        }
        self.push(kind::NUMBER, start);
    }

    /// A string or character up to its quote or the end of its line.
    fn read_quoted(&mut self, start: usize) {
        self.at = quoted_end(self.bytes, self.at, b"\n");
        self.push(kind::TEXT, start);
    }

    fn raw(&mut self, start: usize) {
        // The standard allows a delimiter of 16 bytes; without a `(` after it this is a string like others.
        let inner = rest(self.bytes, self.at + 1);
        let Some(long) = inner.iter().take(17).position(|byte| *byte == b'(') else { return self.read_quoted(start) };
        let close = [b")", inner.get(..long).unwrap_or(&[]), b"\""].concat();
        let from = self.at + 1 + long;
        let found = memchr::memmem::find(rest(self.bytes, from), &close);
        self.at = found.map_or(self.bytes.len(), |found| from + found + close.len());
        self.push(kind::TEXT, start);
    }

    fn mark(&mut self, start: usize, byte: u8) {
        let next = self.byte(start + 1);
        let (kind, long) = match (byte, next) {
            (b':', b':') => (kind::SCOPE, 2),
            (b'-', b'>') => (kind::ARROW, 2),
            (b'<', b'<' | b'=') => (kind::OPERATOR, 2),
            (b'=' | b'!' | b'+' | b'-' | b'/' | b'%' | b'|' | b'^', b'=') => (kind::OPERATOR, 2),
            (b'|', b'|') => (kind::OPERATOR, 2),
            _ => (byte, 1),
        };
        match kind {
            b'{' => self.braces += 1,
            b'}' => self.braces -= 1,
            b'(' => self.rounds += 1,
            b')' => self.rounds -= 1,
            _ => {}
        }
        self.at = start + long;
        self.push(kind, start);
    }

    fn progress(&self) -> Progress {
        let edge = match self.list.last().map(|last| last.kind) {
            None | Some(b';' | b'{' | b'}' | b':' | kind::DEFINE) => Edge::Statement,
            Some(b',' | b'(') => Edge::Item,
            Some(b')') => Edge::Call,
            Some(_) => Edge::Middle,
        };
        Progress { braces: self.braces, rounds: self.rounds, tokens: self.list.len(), edge }
    }

    fn directive(&mut self, start: usize) {
        let end = directive_end(self.bytes, start);
        self.at = end;
        let line = self.text.get(start..end).unwrap_or("");
        let line = line.strip_prefix('#').unwrap_or(line).trim_start();
        let word_end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
        let (word, rest) = line.split_at(word_end);
        if word == "define" {
            self.push(kind::DEFINE, start);
            return;
        }
        self.dead.push(Span::new(start, end));
        match word {
            "if" | "ifdef" | "ifndef" => {
                // What follows the part for C is the part for C++.
                let for_c = self.dialect == Dialect::C && rest.contains("__cplusplus");
                let decided = for_c && (word == "ifndef" || rest.trim_start().starts_with('!'));
                self.branches.push(Branch { start: self.progress(), decided });
                if self.is_never(word, rest) {
                    self.skip(false);
                }
            }
            "elif" | "else" | "elifdef" | "elifndef" => {
                self.end_branch();
                if self.branches.last().is_some_and(|branch| branch.decided) {
                    self.skip(true);
                } else if word == "elif" && self.is_never("if", rest) {
                    self.skip(false);
                }
            }
            "endif" => {
                self.branches.pop();
            }
            _ => {}
        }
    }

    /// A branch that ends elsewhere than it began can only be one of several ways to write the same text: one is enough.
    fn end_branch(&mut self) {
        let end = self.progress();
        let Some(Branch { start, decided }) = self.branches.last_mut() else { return };
        let same = end.braces == start.braces && end.rounds == start.rounds;
        let whole = end.tokens == start.tokens
            || (end.edge == Edge::Statement && start.edge != Edge::Middle)
            || (end.edge == Edge::Item && start.edge == Edge::Item);
        *decided |= !(same && whole);
        start.tokens = end.tokens;
    }

    /// Whether a branch is never compiled: what stands in it need not be code.
    fn is_never(&self, word: &str, rest: &str) -> bool {
        let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let first = words.next().unwrap_or("");
        // Some libraries give the macro another name, with the same ending.
        let for_cpp = |word: &str| self.dialect == Dialect::C && word.ends_with("cplusplus");
        let is_never = match (word, first) {
            ("if", "0") => true,
            ("if", "defined") => for_cpp(words.next().unwrap_or("")),
            ("if" | "ifdef", _) => for_cpp(first),
            _ => false,
        };
        is_never && !rest.contains("||") && (first == "0" || !rest.trim_start().starts_with('!'))
    }

    /// Passes by what follows, to the `#endif`, or only to the next branch.
    fn skip(&mut self, to_end: bool) {
        let mut depth = 0;
        while self.at < self.bytes.len() {
            let first = skip(self.bytes, self.at, is_blank);
            if self.byte(first) == b'#' {
                let end = directive_end(self.bytes, first);
                let word = self.text.get(first + 1..end).unwrap_or("").trim_start();
                if word.starts_with("if") {
                    depth += 1;
                } else if depth > 0 {
                    depth -= i32::from(word.starts_with("endif"));
                } else if word.starts_with("endif") || (!to_end && word.starts_with("el")) {
                    break;
                }
                self.at = end;
            } else if self.byte(first) == b'/' && self.byte(first + 1) == b'*' {
                self.at = line_end(self.bytes, comment_end(self.bytes, first));
            } else {
                self.at = line_end(self.bytes, first);
            }
        }
        // The directive before it is the last that was noted.
        if let Some(directive) = self.dead.last_mut() {
            *directive = Span::new(directive.start as usize, self.at);
        }
    }
}

/// After a comment that begins here; a line comment ends before its line break.
pub fn comment_end(bytes: &[u8], start: usize) -> usize {
    if bytes.get(start + 1) == Some(&b'*') {
        return block_comment_end(bytes, start);
    }
    let mut breaks = memchr::memchr_iter(b'\n', rest(bytes, start)).map(|found| start + found);
    breaks.find(|at| !continues(bytes, *at)).unwrap_or(bytes.len())
}

/// After the line break of a directive that begins here, with its continued lines and comments.
fn directive_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' if !continues(bytes, at) => return at + 1,
            b'/' if matches!(bytes.get(at + 1), Some(b'*' | b'/')) => at = comment_end(bytes, at),
            // Only a whole character: an apostrophe in `#error` is none.
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 3,
            b'\'' if bytes.get(at + 1) == Some(&b'\\') && bytes.get(at + 3) == Some(&b'\'') => at += 4,
            b'"' => at = quoted_end(bytes, at, b"\n"),
            _ => at += 1,
        }
    }
    bytes.len()
}
