//! Words among commands, by where they stand: words of the language, settings, names of functions, and all others.

use super::bones::ScriptReader;
use super::state::{Open, OpenKind, Pos};
use super::tokens::is_name;
use crate::prepare::scan::{is_blank, skip};

impl ScriptReader<'_> {
    /// The word that is being read, if there is one, ends here.
    pub fn end_word(&mut self) -> Option<()> {
        let Some(start) = self.list.word.take() else { return Some(()) };
        let end = self.at;
        if let Some(redirect) = self.list.redirect.take() {
            return self.end_redirection(redirect, start);
        }
        if self.in_test() {
            if self.part(start, end) == b"]]" {
                let open = self.open.pop()?;
                self.fill(open.start, end, b'x');
                self.close(&open, end);
            }
            return Some(());
        }
        match self.list.pos {
            Pos::Command | Pos::Joined => {
                if !self.read_reserved(start)? {
                    self.command(start);
                }
            }
            Pos::Closed => {
                // Right behind a block no separator is needed; the grammar wants one.
                if start.checked_sub(1).is_some_and(|at| matches!(self.byte(at), b' ' | b'\t')) {
                    self.put(start - 1, b';');
                }
                self.read_one_of("then do else elif fi done esac }", start)?;
            }
            Pos::Head => self.read_one_of("{ [[ if for select while until case", start)?,
            Pos::Header(words) => {
                let begins = matches!(self.part(start, end), b"do" | b"{");
                if words != 1 || !begins || !self.read_reserved(start)? {
                    self.list.pos = Pos::Header(words + 1);
                }
            }
            Pos::Assigned | Pos::Declaring => {
                if !self.setting(start) {
                    self.fill(start, end, b'x');
                    if self.list.pos == Pos::Assigned {
                        self.list.pos = Pos::Args;
                    }
                }
            }
            Pos::Args => self.fill(start, end, b'x'),
            Pos::FunctionName => self.function_name(start, end),
            Pos::CaseWord => {
                self.fill(start, end, b'x');
                self.list.pos = Pos::CaseIn;
            }
            Pos::CaseIn => {
                if self.part(start, end) != b"in" {
                    return None;
                }
                self.keyword(start, Pos::Pattern);
                // What is left of the head of a case is a command of its own.
                if self.is_flat() {
                    self.put(start, b'\n');
                }
            }
            Pos::Pattern => {
                let is_end = self.part(start, end) == b"esac";
                let Some(Open { kind: OpenKind::Case { pattern }, .. }) = self.open.last_mut() else { return None };
                if is_end && pattern.is_none() {
                    self.end_block(start)?;
                } else {
                    pattern.get_or_insert(start);
                }
            }
        }
        Some(())
    }

    /// A word of the language where a command may stand; `None` where it stands wrong.
    fn read_reserved(&mut self, start: usize) -> Option<bool> {
        let end = self.at;
        match self.part(start, end) {
            b"{" => {
                if self.in_header() {
                    // `for ((;;)) { … }`
                    let head = self.open.pop()?;
                    self.fill(head.start, start, b' ');
                    self.open.push(Open { kind: OpenKind::Group(b'}'), start, function: head.function });
                } else {
                    self.push(OpenKind::Group(b'}'), start);
                }
                // Two in a row would be a sum.
                if !self.behind_parenthesis(start) {
                    self.put(start, b'(');
                }
                self.list.pos = Pos::Command;
            }
            b"}" => {
                let open = self.open.pop()?;
                if !matches!(open.kind, OpenKind::Group(b'}')) {
                    return None;
                }
                if self.page.get(open.start) == Some(&b'(') {
                    self.put(start, b')');
                }
                self.close(&open, end);
            }
            b"if" => self.begin_block(OpenKind::If, start, Pos::Command),
            b"while" | b"until" => {
                self.begin_block(OpenKind::Loop { header: None, body: false }, start, Pos::Command);
            }
            b"for" | b"select" => {
                self.begin_block(OpenKind::Loop { header: Some(end), body: false }, start, Pos::Header(0));
            }
            b"case" => self.begin_block(OpenKind::Case { pattern: None }, start, Pos::CaseWord),
            b"then" | b"elif" | b"else" | b"fi" if !matches!(self.innermost()?, OpenKind::If) => return None,
            b"done" if !matches!(self.innermost()?, OpenKind::Loop { body: true, .. }) => return None,
            b"esac" if !matches!(self.innermost()?, OpenKind::Case { .. }) => return None,
            b"then" | b"elif" | b"else" => self.keyword(start, Pos::Command),
            b"fi" | b"done" | b"esac" => self.end_block(start)?,
            b"in" if self.in_header() => self.list.pos = Pos::Header(2),
            b"do" => {
                let flat = self.is_flat();
                let OpenKind::Loop { header, body } = &mut self.open.last_mut()?.kind else { return None };
                if std::mem::replace(body, true) {
                    return None;
                }
                if let Some(from) = *header {
                    self.fill(from, start, if flat { b' ' } else { b'x' });
                    if !flat {
                        self.put(from, b' ');
                        self.put(start - 1, b';');
                    }
                }
                self.keyword(start, Pos::Command);
            }
            b"[[" => {
                self.push(OpenKind::Test, start);
                self.list.pos = Pos::Command;
            }
            b"function" => self.list.pos = Pos::FunctionName,
            b"!" | b"coproc" => self.fill(start, end, b' '),
            b"time" if !self.ends_command() => self.fill(start, end, b' '),
            _ => return Some(false),
        }
        Some(true)
    }

    /// One of a few words of the language, which alone may stand here.
    fn read_one_of(&mut self, known: &str, start: usize) -> Option<()> {
        let word = self.part(start, self.at);
        let is_known = known.split(' ').any(|one| one.as_bytes() == word);
        (is_known && self.read_reserved(start)?).then_some(())
    }

    /// Between `for` and its `do`.
    fn in_header(&self) -> bool {
        matches!(self.innermost(), Some(OpenKind::Loop { header: Some(_), body: false }))
    }

    /// A word of a block stays. The body of a function becomes one list, so there the words between go.
    fn keyword(&mut self, start: usize, next: Pos) {
        if self.is_flat() {
            self.fill(start, self.at, b' ');
        }
        self.list.pos = next;
    }

    fn begin_block(&mut self, kind: OpenKind, start: usize, next: Pos) {
        self.push(kind, start);
        self.keyword(start, next);
    }

    fn end_block(&mut self, start: usize) -> Option<()> {
        self.keyword(start, Pos::Closed);
        let open = self.open.pop()?;
        self.close(&open, self.at);
        Some(())
    }

    fn is_flat(&self) -> bool {
        self.open.last().is_some_and(|open| open.function.is_some())
    }

    /// Whether nothing follows on this command.
    fn ends_command(&self) -> bool {
        let next = self.byte(skip(self.bytes, self.at, is_blank));
        matches!(next, b'\n' | b'\r' | b';' | b'&' | b'|' | b')' | b'#')
    }

    /// The first word of a command.
    fn command(&mut self, start: usize) {
        let end = self.at;
        if self.setting(start) {
            self.list.pos = Pos::Assigned;
        } else if matches!(self.part(start, end), b"declare" | b"typeset" | b"export" | b"readonly" | b"local") {
            self.list.pos = Pos::Declaring;
        } else if self.empty_parentheses(end).is_some() {
            self.function_name(start, end);
        } else {
            self.fill(start, end, b'x');
            self.list.pos = Pos::Args;
        }
    }

    fn function_name(&mut self, start: usize, end: usize) {
        self.fill(start, end, b'x');
        self.at = self.empty_parentheses(end).unwrap_or(end);
        self.list.pos = Pos::Head;
    }

    /// `NAME=value` and `NAME+=value` keep their name; what cannot be one is left as it is.
    fn setting(&mut self, start: usize) -> bool {
        let end = self.at;
        let word = self.part(start, end);
        let Some(sign) = memchr::memchr(b'=', word) else { return false };
        let name = word.get(..sign).unwrap_or(&[]);
        if !is_name(name.strip_suffix(b"+").unwrap_or(name)) {
            return false;
        }
        self.fill(start + sign + 1, end, b'x');
        true
    }
}
