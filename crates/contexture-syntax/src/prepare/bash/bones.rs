//! The bones of a script: its functions, blocks, settings and comments.
//!
//! Takes a text; gives a copy of the same length, or `None` where the text is not a whole script. Every command is a row of
//! `x` in the copy, every block stands in parentheses, every value is a row of `x` behind its name, and the lines of
//! here-documents are blank. So nothing is left that the grammar could misread. A function whose last line opens a
//! here-document reaches to the end of it. Where a body cannot be taken out without tearing a here-document, the copy has a
//! test in its place (`[ x ]`), whose rule in the query file has no body. One pass with a stack of its own.

use super::heredoc::Heredoc;
use super::state::{Function, List, Open, OpenKind, Pos};

pub(super) fn prepare(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut reader = ScriptReader {
        bytes,
        page: bytes.to_vec(),
        at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
        open: Vec::new(),
        list: List::new(Pos::Command, 0),
        pending: Vec::new(),
        inner: 0,
        read: 0,
        spare: bytes.len(),
        whole: Vec::new(),
    };
    while reader.at < bytes.len() {
        reader.step()?;
    }
    reader.finish()
}

pub(super) struct ScriptReader<'a> {
    pub bytes: &'a [u8],
    /// The copy.
    pub page: Vec<u8>,
    pub at: usize,
    pub open: Vec<Open>,
    pub list: List,
    /// Here-documents whose lines are still to come, of all lists.
    pub pending: Vec<Heredoc>,
    /// How many substitutions are open: what stands in them is part of a word.
    pub inner: usize,
    /// How many here-documents were read.
    pub read: usize,
    /// How many bytes may be read twice. A list in two parentheses looks like a sum until it ends; with a limit for all of
    /// them together the cost stays linear.
    pub spare: usize,
    /// Bodies of functions that must not be cut.
    whole: Vec<(usize, usize)>,
}

impl ScriptReader<'_> {
    fn step(&mut self) -> Option<()> {
        match self.innermost() {
            Some(OpenKind::Quote) => self.up_to(b'"'),
            Some(OpenKind::Parameter) => self.up_to(b'}'),
            Some(OpenKind::Arithmetic { .. }) => self.in_arithmetic(),
            Some(OpenKind::Balanced { .. }) => self.in_balanced(),
            _ => self.among_commands(),
        }
    }

    pub fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(b'\n')
    }

    pub fn part(&self, start: usize, end: usize) -> &[u8] {
        self.bytes.get(start..end).unwrap_or(&[])
    }

    /// Writes into the copy; what stands in a substitution is written with the word it is part of.
    pub fn fill(&mut self, start: usize, end: usize, byte: u8) {
        if self.inner == 0
            && let Some(part) = self.page.get_mut(start..end)
        {
            part.fill(byte);
        }
    }

    pub fn put(&mut self, at: usize, byte: u8) {
        self.fill(at, at + 1, byte);
    }

    pub fn behind_parenthesis(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|before| self.page.get(before)) == Some(&b'(')
    }

    /// Opens something among commands, which is the body of a function where one is awaited.
    pub fn push(&mut self, kind: OpenKind, start: usize) {
        let function = (self.list.pos == Pos::Head)
            .then_some(Function { below: self.pending.len() > self.list.pending, read: self.read });
        self.open.push(Open { kind, start, function });
    }

    /// What begins in parentheses right behind another parenthesis would be a sum for the grammar.
    pub fn part_parentheses(&mut self, at: usize) {
        if self.behind_parenthesis(at) {
            self.put(at, b' ');
        }
    }

    /// Opens something in a word, behind the bytes that begin it.
    pub fn push_word(&mut self, kind: OpenKind, length: usize) {
        self.open.push(Open { kind, start: self.at, function: None });
        self.at += length;
    }

    /// What is open and was opened last.
    pub fn innermost(&self) -> Option<&OpenKind> {
        self.open.last().map(|open| &open.kind)
    }

    /// Opens a list of commands in a word, behind the bytes that begin it.
    pub fn push_list(&mut self, length: usize) {
        let outer = std::mem::replace(&mut self.list, List::new(Pos::Command, self.pending.len()));
        self.push_word(OpenKind::Commands(Box::new(outer)), length);
        self.inner += 1;
    }

    pub fn in_test(&self) -> bool {
        matches!(self.innermost(), Some(OpenKind::Test))
    }

    /// The end of a substitution. The lines of here-documents that it left open come below the line of the word.
    pub fn pop_list(&mut self, outer: List) {
        self.list = outer;
        self.inner -= 1;
    }

    /// The end of something among commands.
    pub fn close(&mut self, open: &Open, end: usize) {
        self.list.pos = Pos::Closed;
        self.list.tail = None;
        let Some(function) = open.function.as_ref().filter(|_| self.inner == 0) else { return };
        self.list.tail = Some((end, false));
        self.put(open.start, b'(');
        self.put(end - 1, b')');
        let torn = function.below && self.read != function.read;
        // The mark of a body is a word of its own: `function f(x)` has no room for it.
        let stuck = !open.start.checked_sub(1).is_some_and(|at| matches!(self.byte(at), b' ' | b'\t' | b'\n' | b')'));
        let is_inside = |one: Option<&Heredoc>| one.is_some_and(|one| one.at >= open.start);
        let below = is_inside(self.pending.last());
        // Lines of others come before its own.
        let mixed = below && !is_inside(self.pending.get(self.list.pending));
        if torn || stuck || mixed {
            self.whole.push((open.start, end));
        } else if below {
            self.list.late = Some((open.start, end));
        }
    }

    /// A function whose here-documents end below it is not alone on its line.
    pub fn not_alone(&mut self) {
        self.whole.extend(self.list.late.take());
    }

    /// A line break among commands, with the here-documents below it.
    pub fn new_line(&mut self) -> Option<()> {
        if self.list.redirect.is_some() {
            return None;
        }
        let here = self.at;
        self.at += 1;
        if self.pending.len() > self.list.pending {
            self.read_heredocs();
        }
        match self.list.pos {
            _ if self.in_test() => {}
            Pos::Joined => self.put(here, b' '),
            Pos::FunctionName | Pos::CaseWord | Pos::Header(0) => return None,
            Pos::Command | Pos::Head | Pos::CaseIn | Pos::Pattern => {}
            _ => self.list.pos = Pos::Command,
        }
        Some(())
    }

    fn read_heredocs(&mut self) {
        let from = self.at;
        let mut stop = from;
        let alone = self.pending.len() == self.list.pending + 1;
        for heredoc in self.pending.drain(self.list.pending..) {
            stop = heredoc.stop(self.bytes, self.at, self.inner > 0);
            self.at = stop + 1;
            self.read += 1;
        }
        // The line break behind the last word is read like any other.
        self.at = stop;
        self.fill(from, stop, b' ');
        if let Some((_, end)) = self.list.late.take() {
            self.fill(end - 1, stop, b' ');
            self.put(end - 1, b'\n');
            self.put(stop - 1, b')');
        } else if let Some((tail, true)) = self.list.tail
            && self.list.pos == Pos::Closed
            && alone
        {
            self.fill(tail, stop, b'x');
        }
    }

    fn finish(mut self) -> Option<String> {
        // A backslash may have been the last byte.
        self.at = self.bytes.len();
        self.end_word()?;
        let awaits = matches!(
            self.list.pos,
            Pos::Head | Pos::FunctionName | Pos::Header(_) | Pos::CaseWord | Pos::CaseIn | Pos::Pattern
        );
        if awaits || !self.open.is_empty() || self.list.redirect.is_some() {
            return None;
        }
        // What stands in another is written with it.
        self.whole.sort_unstable();
        let mut upto = 0;
        for (start, end) in std::mem::take(&mut self.whole) {
            if start < upto {
                continue;
            }
            upto = end;
            self.fill(start, end, b'x');
            self.put(start, b'[');
            self.put(end - 1, b']');
            if end - start > 4 {
                self.put(start + 1, b' ');
                self.put(end - 2, b' ');
            }
        }
        String::from_utf8(self.page).ok()
    }
}
