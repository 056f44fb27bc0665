//! What stands in words: quotes, expansions, substitutions, sums.

use super::bones::ScriptReader;
use super::state::{Open, OpenKind, Pos};
use memchr::memchr;

impl ScriptReader<'_> {
    /// Reads what begins at a byte of a word. `None` where a quote never ends.
    pub fn in_word(&mut self, in_quotes: bool) -> Option<()> {
        let next = self.byte(self.at + 1);
        match self.byte(self.at) {
            b'\\' => self.at += 2,
            b'`' => self.skip_to(b'`', 1, true)?,
            b'\'' if !in_quotes => self.skip_to(b'\'', 1, false)?,
            b'"' if !in_quotes => self.push_word(OpenKind::Quote, 1),
            b'$' => match next {
                b'(' if self.byte(self.at + 2) == b'(' => {
                    self.push_word(OpenKind::Arithmetic { depth: 2, dollar: true, pending: self.pending.len() }, 3);
                }
                b'(' => self.push_list(2),
                b'{' => self.push_word(OpenKind::Parameter, 2),
                b'[' => self.push_word(OpenKind::balanced(b'[', b']'), 2),
                b'\'' if !in_quotes => self.skip_to(b'\'', 2, true)?,
                b'$' => self.at += 2,
                _ => self.at += 1,
            },
            _ => self.at += 1,
        }
        Some(())
    }

    /// Goes behind the next such byte.
    fn skip_to(&mut self, byte: u8, lead: usize, escapes: bool) -> Option<()> {
        let mut at = self.at + lead;
        loop {
            let rest = self.bytes.get(at..)?;
            let found = if escapes { memchr::memchr2(byte, b'\\', rest)? } else { memchr(byte, rest)? };
            at += found + 1;
            if self.byte(at - 1) == byte {
                self.at = at;
                return Some(());
            }
            at += 1;
        }
    }

    /// In a quote or an expansion, which the first such byte that is not quoted itself ends.
    pub fn up_to(&mut self, close: u8) -> Option<()> {
        if self.byte(self.at) != close {
            return self.in_word(close == b'"');
        }
        self.open.pop();
        self.at += 1;
        Some(())
    }

    pub fn in_arithmetic(&mut self) -> Option<()> {
        let byte = self.byte(self.at);
        if !matches!(byte, b'(' | b')') {
            return self.in_word(false);
        }
        let twice = self.byte(self.at + 1) == b')';
        self.at += 1;
        let Some(Open { kind: OpenKind::Arithmetic { depth, .. }, .. }) = self.open.last_mut() else { return None };
        if byte == b'(' {
            *depth += 1;
            return Some(());
        }
        *depth -= 1;
        if *depth > 1 {
            return Some(());
        }
        let mut open = self.open.pop()?;
        let OpenKind::Arithmetic { dollar, pending, .. } = open.kind else { return None };
        if !twice {
            // A lone parenthesis: it was no sum but a list that begins with one in parentheses, `((a); b)`.
            self.spare = self.spare.checked_sub(self.at - open.start)?;
            self.pending.truncate(pending);
        }
        match (dollar, twice) {
            (true, true) => self.at += 1,
            (true, false) => {
                self.at = open.start;
                self.push_list(2);
            }
            (false, true) => {
                self.at += 1;
                self.fill(open.start, self.at, b'x');
                match self.list.pos {
                    Pos::Header(_) => self.list.pos = Pos::Header(1),
                    _ => self.close(&open, self.at),
                }
            }
            (false, false) if matches!(self.list.pos, Pos::Header(_)) => return None,
            (false, false) => {
                self.at = open.start + 1;
                self.part_parentheses(open.start);
                open.kind = OpenKind::Group(b')');
                self.open.push(open);
                self.list.pos = Pos::Command;
            }
        }
        Some(())
    }

    /// Subscripts, patterns and lists of values.
    pub fn in_balanced(&mut self) -> Option<()> {
        let at = self.at;
        let byte = self.byte(at);
        let behind_blank = matches!(self.byte(at.saturating_sub(1)), b' ' | b'\t' | b'\n' | b'(');
        let Some(Open { kind: OpenKind::Balanced { depth, open, close }, .. }) = self.open.last_mut() else {
            return None;
        };
        if byte == *open {
            *depth += 1;
        } else if byte == *close {
            *depth -= 1;
            if *depth == 0 {
                self.open.pop();
            }
        } else if byte == b'#' && behind_blank && *close == b')' {
            let rest = self.bytes.get(at..)?;
            self.at += memchr(b'\n', rest)?;
            return Some(());
        } else {
            return self.in_word(false);
        }
        self.at += 1;
        Some(())
    }
}
