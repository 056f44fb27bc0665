//! Where the parts of a JSON document lie, also in a damaged one.
//!
//! Takes bytes; gives the places of the members of the outermost object and of the elements of its list of messages, each a
//! whole JSON value to the letter, and what is broken between them. Must not build values: a file is changed by putting new
//! bytes between old ones, so that nothing else in it changes.

use std::ops::Range;

use super::value::{balanced, blank, member, whole};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Top {
    Object,
    Array,
    Other,
}

#[derive(Debug)]
pub(super) struct Outline {
    pub top: Top,
    /// All but the list, in order.
    pub members: Vec<Member>,
    pub list: Option<List>,
    /// None in a document that is whole.
    pub breaks: Vec<Break>,
    /// Where the outermost `}` or `]` is.
    pub close: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Member {
    pub key: String,
    /// With its quotes.
    pub name: Range<usize>,
    pub value: Range<usize>,
}

#[derive(Debug)]
pub(super) struct List {
    pub key: Option<String>,
    pub open: usize,
    pub elements: Vec<Range<usize>>,
    pub close: Option<usize>,
}

/// Something that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Break {
    pub at: usize,
    pub what: &'static str,
}

/// `list_keys` name the members whose array is taken apart; the first that is met counts.
pub(super) fn outline(bytes: &[u8], list_keys: &[&str]) -> Outline {
    let start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let at = blank(bytes, start);
    let mut scan = Scan {
        bytes,
        // Failed tries may go over the same bytes again, a few times at most on average.
        fuel: bytes.len().saturating_mul(16).saturating_add(1 << 16),
        out: Outline { top: Top::Other, members: Vec::new(), list: None, breaks: Vec::new(), close: None },
    };
    match bytes.get(at) {
        Some(b'{') => {
            scan.out.top = Top::Object;
            scan.object(at + 1, list_keys);
        }
        Some(b'[') => {
            scan.out.top = Top::Array;
            scan.list(at, None);
            scan.out.close = scan.out.list.as_ref().and_then(|list| list.close);
        }
        Some(_) => scan.broken(at, "no JSON object begins here"),
        None => scan.broken(at, "nothing is here"),
    }
    if let Some(close) = scan.out.close {
        let after = blank(bytes, close + 1);
        if after < bytes.len() {
            scan.broken(after, "something follows the end");
        }
    }
    if let Err(error) = std::str::from_utf8(bytes) {
        scan.broken(error.valid_up_to(), "bytes are not UTF-8");
    }
    scan.out
}

struct Scan<'a> {
    bytes: &'a [u8],
    fuel: usize,
    out: Outline,
}

impl Scan<'_> {
    fn broken(&mut self, at: usize, what: &'static str) {
        self.out.breaks.push(Break { at, what });
    }

    fn object(&mut self, mut at: usize, list_keys: &[&str]) {
        let mut comma = true;
        let mut first = true;
        loop {
            at = blank(self.bytes, at);
            match self.bytes.get(at) {
                Some(b'}') => {
                    if comma && !first {
                        self.broken(at, "a comma too much");
                    }
                    self.out.close = Some(at);
                    return;
                }
                Some(b',') if !comma => {
                    comma = true;
                    at += 1;
                    continue;
                }
                _ => {}
            }
            if !comma {
                self.broken(at, "a comma is missing");
            }
            (comma, first) = (false, false);
            let Some((key, name, value)) = member(self.bytes, at) else {
                self.broken(
                    at,
                    if at < self.bytes.len() { "a member cannot be read" } else { "the file ends too early" },
                );
                match self.find_list(at, list_keys) {
                    Some(next) => at = next,
                    None => return,
                }
                continue;
            };
            if self.out.list.is_none() && list_keys.contains(&&*key) && self.bytes.get(value) == Some(&b'[') {
                self.list(value, Some(key));
                match self.out.list.as_ref().and_then(|list| list.close) {
                    Some(close) => at = close + 1,
                    None => return,
                }
                continue;
            }
            match whole(self.bytes, value) {
                Ok(end) => {
                    self.out.members.push(Member { key, name, value: value..end });
                    at = end;
                }
                Err(_) => {
                    self.broken(at, "a member cannot be read");
                    match self.find_list(at, list_keys) {
                        Some(next) => at = next,
                        None => return,
                    }
                    // What stood between is reported already, with its comma.
                    comma = true;
                }
            }
        }
    }

    /// Behind damage in the head the list can still be found by its key.
    fn find_list(&self, from: usize, list_keys: &[&str]) -> Option<usize> {
        if self.out.list.is_some() {
            return None;
        }
        let rest = self.bytes.get(from + 1..)?;
        let finds = list_keys.iter().filter_map(|key| {
            let quoted = format!("\"{key}\"");
            memchr::memmem::find_iter(rest, quoted.as_bytes())
                .map(|at| from + 1 + at)
                .find(|&at| member(self.bytes, at).is_some_and(|(_, _, value)| self.bytes.get(value) == Some(&b'[')))
        });
        finds.min()
    }

    fn list(&mut self, open: usize, key: Option<String>) {
        let mut list = List { key, open, elements: Vec::new(), close: None };
        let mut at = open + 1;
        let mut comma = true;
        loop {
            at = blank(self.bytes, at);
            match self.bytes.get(at) {
                None => {
                    self.broken(at, "the file ends too early");
                    break;
                }
                Some(b']') if !self.closes(at, list.key.is_some()) => {
                    // A bracket out of a torn text, if the lines tell where the next message begins.
                    let width = list.elements.last().and_then(|last| indent(self.bytes, last.start)).filter(|&w| w > 0);
                    match width.and_then(|width| next_line(self.bytes, at, width)) {
                        Some(next) => {
                            self.broken(at, "a message cannot be read");
                            comma = self.bytes.get(next) == Some(&b'{');
                            at = next;
                        }
                        None => {
                            list.close = Some(at);
                            break;
                        }
                    }
                }
                Some(b']') => {
                    if comma && !list.elements.is_empty() {
                        self.broken(at, "a comma too much");
                    }
                    list.close = Some(at);
                    break;
                }
                Some(b',') => {
                    if comma {
                        self.broken(at, "a comma too much");
                    }
                    comma = true;
                    at += 1;
                }
                Some(_) => {
                    if !comma {
                        self.broken(at, "a comma is missing");
                    }
                    comma = false;
                    match whole(self.bytes, at) {
                        Ok(end) => {
                            list.elements.push(at..end);
                            at = end;
                        }
                        Err(stop) => {
                            let cut = stop >= self.bytes.len();
                            self.broken(at, if cut { "a message is cut off" } else { "a message cannot be read" });
                            match self.behind(at, stop) {
                                Some(next) => {
                                    comma = self.bytes.get(next) == Some(&b'{');
                                    at = next;
                                }
                                None => break,
                            }
                        }
                    }
                }
            }
        }
        self.out.list = Some(list);
    }

    /// Whether something can follow this bracket that follows a list.
    fn closes(&self, at: usize, is_member: bool) -> bool {
        match self.bytes.get(blank(self.bytes, at + 1)) {
            Some(b',' | b'}') => is_member,
            Some(_) => false,
            None => true,
        }
    }

    /// Where to go on behind the element at `start` that cannot be read: where the next one begins. Lines tell best, for no
    /// string goes over the end of one; without them the brackets have to.
    fn behind(&mut self, start: usize, stop: usize) -> Option<usize> {
        const OPENING: &[u8] = b"{\"role\"";
        let rest = self.bytes.get(start + 1..)?;
        if let Some(width) = indent(self.bytes, start).filter(|&width| width > 0) {
            self.fuel = self.fuel.checked_sub(stop.saturating_sub(start))?;
            let line = rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))?;
            let beside = memchr::memmem::find(line, OPENING).map(|at| start + 1 + at);
            return beside.or_else(|| next_line(self.bytes, start, width));
        }
        let balanced = balanced(self.bytes, start);
        let cost = stop.max(balanced.unwrap_or_else(|stop| stop)).saturating_sub(start);
        self.fuel = self.fuel.checked_sub(cost)?;
        let fits = |end: usize| {
            let at = blank(self.bytes, end);
            let after = self.bytes.get(blank(self.bytes, at + 1));
            match self.bytes.get(at) {
                Some(b',') => after == Some(&b'{'),
                Some(b']') => matches!(after, Some(b',' | b'}') | None),
                _ => false,
            }
        };
        match balanced {
            Ok(end) if fits(end) => Some(end),
            _ => memchr::memmem::find(rest, OPENING).map(|at| start + 1 + at),
        }
    }
}

/// The next line that begins like the element of this indentation, or that closes the list.
fn next_line(bytes: &[u8], from: usize, width: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    memchr::memchr_iter(b'\n', rest).map(|at| from + at + 1).find_map(|line| {
        let at = blank(bytes, line);
        match bytes.get(at) {
            Some(b'{') => (at - line == width).then_some(at),
            Some(b']') => (at - line < width || width == 0).then_some(at),
            _ => None,
        }
    })
}

/// How far the line is indented, if nothing but blanks stands before the place.
pub(super) fn indent(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes.get(..at)?;
    let line = memchr::memrchr(b'\n', before)? + 1;
    before.get(line..)?.iter().all(|byte| matches!(byte, b' ' | b'\t')).then(|| at - line)
}
