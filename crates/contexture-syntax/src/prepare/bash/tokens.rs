//! What stands among commands: words, operators, redirections, comments.

use super::bones::ScriptReader;
use super::heredoc::Heredoc;
use super::state::{Open, OpenKind, Pos};
use crate::prepare::scan::{is_blank, skip};

/// Names of settings are shorter; a limit keeps words of many brackets linear.
const LONGEST_NAME: usize = 200;

impl ScriptReader<'_> {
    pub fn among_commands(&mut self) -> Option<()> {
        let at = self.at;
        let (byte, next) = (self.byte(at), self.byte(at + 1));
        match byte {
            b' ' | b'\t' => self.blank()?,
            b'\r' if next == b'\n' => self.blank()?,
            b'\\' if next == b'\n' => self.go_on(2),
            b'\\' if next == b'\r' && self.byte(at + 2) == b'\n' => self.go_on(3),
            b'\n' => {
                self.end_word()?;
                self.new_line()?;
            }
            b'#' if self.list.word.is_none() => {
                let rest = self.bytes.get(at..)?;
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                // Where line breaks do not count, nothing would end it.
                if self.list.pos == Pos::Joined {
                    self.fill(at, self.at, b' ');
                }
            }
            b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => self.operator(byte, next)?,
            _ => {
                self.not_alone();
                let start = *self.list.word.get_or_insert(at);
                if byte == b'[' && self.takes_subscript(start) {
                    self.push_word(OpenKind::balanced(b'[', b']'), 1);
                } else {
                    self.in_word(false)?;
                }
            }
        }
        Some(())
    }

    fn blank(&mut self) -> Option<()> {
        self.end_word()?;
        self.at += 1;
        Some(())
    }

    /// A line that goes on in the next one.
    fn go_on(&mut self, length: usize) {
        if self.list.word.is_none() {
            self.fill(self.at, self.at + length, b' ');
        }
        self.at += length;
    }

    fn takes_subscript(&self, start: usize) -> bool {
        matches!(self.list.pos, Pos::Command | Pos::Joined | Pos::Assigned | Pos::Declaring)
            && self.at - start <= LONGEST_NAME
            && is_name(self.part(start, self.at))
    }

    fn operator(&mut self, byte: u8, next: u8) -> Option<()> {
        if matches!(byte, b'<' | b'>') && next == b'(' {
            self.list.word.get_or_insert(self.at);
            self.push_list(2);
            return Some(());
        }
        if byte == b'(' && self.opens_in_word() {
            self.push_word(OpenKind::balanced(b'(', b')'), 1);
            return Some(());
        }
        if self.in_test() {
            self.end_word()?;
            // The word may have been the end of it.
            if self.in_test() {
                self.at += 1;
                return Some(());
            }
        }
        if matches!(byte, b'<' | b'>') || byte == b'&' && next == b'>' {
            return self.redirect();
        }
        let before = self.at;
        self.end_word()?;
        self.not_alone();
        if self.at > before {
            // The word was the name of a function and took its parentheses along.
            return Some(());
        }
        if self.list.redirect.is_some() {
            return None;
        }
        match byte {
            b'(' => self.parenthesis(next),
            b')' => self.end_parenthesis(),
            b'|' if self.list.pos == Pos::Pattern => {
                self.at += 1;
                Some(())
            }
            b';' if matches!(next, b';' | b'&') => self.end_case_item(),
            _ => self.separator(byte, next),
        }
    }

    /// Whether a parenthesis belongs to the word before it: a list of values, or a pattern like `@(a|b)`.
    fn opens_in_word(&self) -> bool {
        let Some(start) = self.list.word else { return false };
        match self.byte(self.at - 1) {
            b'=' => true,
            b'!' if self.at - start == 1 && matches!(self.list.pos, Pos::Command | Pos::Joined) => false,
            b'?' | b'*' | b'+' | b'@' | b'!' => {
                !(matches!(self.list.pos, Pos::Command | Pos::Joined | Pos::FunctionName)
                    && self.empty_parentheses(self.at).is_some())
            }
            _ => false,
        }
    }

    /// `;`, `&`, `|`, `&&`, `||`, `|&`.
    fn separator(&mut self, byte: u8, next: u8) -> Option<()> {
        let twice = next == byte && byte != b';';
        let joins = twice || byte == b'|';
        match self.list.pos {
            Pos::Args | Pos::Assigned | Pos::Declaring | Pos::Closed => {}
            Pos::Header(words) if words > 0 && byte == b';' => {}
            _ => return None,
        }
        if byte == b'|' && next == b'&' {
            self.put(self.at + 1, b' ');
            self.at += 1;
        }
        self.at += if twice { 2 } else { 1 };
        self.list.pos = if joins { Pos::Joined } else { Pos::Command };
        Some(())
    }

    fn parenthesis(&mut self, next: u8) -> Option<()> {
        let at = self.at;
        match self.list.pos {
            Pos::Command | Pos::Joined | Pos::Head | Pos::Header(0) if next == b'(' => {
                let header = matches!(self.list.pos, Pos::Header(_));
                self.push(OpenKind::Arithmetic { depth: 2, dollar: false, pending: self.pending.len() }, at);
                if !header {
                    self.list.pos = Pos::Command;
                }
                self.at += 2;
            }
            Pos::Command | Pos::Joined | Pos::Head => {
                self.push(OpenKind::Group(b')'), at);
                self.list.pos = Pos::Command;
                self.part_parentheses(at);
                self.at += 1;
            }
            Pos::Pattern => {
                let Some(Open { kind: OpenKind::Case { pattern }, .. }) = self.open.last_mut() else { return None };
                if pattern.replace(at).is_some() {
                    return None;
                }
                self.at += 1;
            }
            _ => return None,
        }
        Some(())
    }

    fn end_parenthesis(&mut self) -> Option<()> {
        let at = self.at;
        self.at += 1;
        let in_pattern = self.list.pos == Pos::Pattern;
        let open = self.open.last_mut()?;
        match &mut open.kind {
            OpenKind::Case { pattern } if in_pattern => {
                let (from, flat) = (pattern.take()?, open.function.is_some());
                self.fill(from, at, if flat { b' ' } else { b'x' });
                if flat {
                    self.put(at, b' ');
                }
                self.list.pos = Pos::Command;
            }
            OpenKind::Group(b')') => {
                let open = self.open.pop()?;
                if self.page.get(open.start) == Some(&b' ') {
                    self.put(at, b' ');
                    if self.byte(at - 1) == b';' {
                        self.put(at - 1, b' ');
                    }
                }
                self.close(&open, at + 1);
            }
            OpenKind::Commands(_) => {
                let OpenKind::Commands(outer) = self.open.pop()?.kind else { return None };
                self.pop_list(*outer);
            }
            _ => return None,
        }
        Some(())
    }

    /// `;;`, `;&` and `;;&`, which the grammar does not read everywhere.
    fn end_case_item(&mut self) -> Option<()> {
        let Some(Open { kind: OpenKind::Case { .. }, function, .. }) = self.open.last() else { return None };
        let flat = function.is_some();
        if self.list.pos == Pos::Pattern {
            return None;
        }
        let length = if self.byte(self.at + 1) == b';' && self.byte(self.at + 2) == b'&' { 3 } else { 2 };
        self.fill(self.at, self.at + 2, if flat { b'\n' } else { b';' });
        self.fill(self.at + 2, self.at + length, b' ');
        self.at += length;
        self.list.pos = Pos::Pattern;
        Some(())
    }

    fn redirect(&mut self) -> Option<()> {
        let mut start = self.at;
        if let Some(word) = self.list.word
            && is_descriptor(self.part(word, self.at))
            && self.list.redirect.is_none()
        {
            start = word;
            self.list.word = None;
        }
        self.end_word()?;
        self.not_alone();
        if self.list.redirect.is_some() {
            return None;
        }
        let rest = self.bytes.get(self.at..)?;
        let operators: [&[u8]; 12] =
            [b"<<<", b"<<-", b"<<", b"<&", b"<>", b"<", b"&>>", b"&>", b">>", b">|", b">&", b">"];
        let operator = operators.into_iter().find(|one| rest.starts_with(one))?;
        self.at += operator.len();
        let heredoc = match operator {
            b"<<-" => Some(true),
            b"<<" => Some(false),
            _ => None,
        };
        self.list.redirect = Some((start, heredoc));
        Some(())
    }

    /// A redirection and its word are read.
    pub fn end_redirection(&mut self, (start, heredoc): (usize, Option<bool>), word: usize) -> Option<()> {
        let end = self.at;
        match self.list.pos {
            Pos::Command | Pos::Joined | Pos::Args => {
                self.fill(start, end, b'x');
                self.list.pos = Pos::Args;
            }
            Pos::Assigned | Pos::Declaring => self.fill(start, end, b' '),
            // The grammar reads but one behind a function.
            Pos::Closed => match self.list.tail {
                Some((tail, more)) => {
                    self.fill(if more { tail } else { start }, end, b'x');
                    if !more {
                        self.put(start, b'>');
                    }
                    self.list.tail = Some((end, true));
                }
                None => self.fill(start, end, b' '),
            },
            _ => return None,
        }
        if let Some(dash) = heredoc {
            let heredoc = Heredoc::new(start, dash, self.part(word, end));
            self.pending.push(heredoc);
        }
        Some(())
    }

    /// Where empty parentheses end that come next.
    pub fn empty_parentheses(&self, at: usize) -> Option<usize> {
        let open = skip(self.bytes, at, is_blank);
        let close = skip(self.bytes, open + 1, is_blank);
        (self.byte(open) == b'(' && self.byte(close) == b')').then_some(close + 1)
    }
}

pub(super) fn is_name(word: &[u8]) -> bool {
    word.first().is_some_and(|first| !first.is_ascii_digit())
        && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// `2` or `{fd}` before a redirection.
fn is_descriptor(word: &[u8]) -> bool {
    let named = word.strip_prefix(b"{").and_then(|word| word.strip_suffix(b"}")).is_some_and(is_name);
    named || word.iter().all(u8::is_ascii_digit)
}
