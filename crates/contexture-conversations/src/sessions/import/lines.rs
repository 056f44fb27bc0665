//! The lines of a file, one at a time: plain or compressed, with a mark in front or not, of any length up to a limit.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader};

use super::super::error::Result;
use super::super::json::{self, Object};
use super::super::ours::MAX_BYTES;
use super::super::tally::Tally;
use super::broken;
use super::zst::Frames;
use contexture_core::{Note, Topic};

/// Ten megabytes are met in practice, where a tool printed a file or a picture; what is far above is not held at all.
const MAX_LINE: usize = 256 << 20;

#[derive(Debug, thiserror::Error)]
#[error("larger than {} MiB", .0 >> 20)]
pub(crate) struct TooLarge(pub u64);

pub(crate) struct Line {
    /// Counted from 1.
    pub number: usize,
    /// Without its end. Empty for a line that was too long.
    pub bytes: Vec<u8>,
    pub too_long: bool,
    /// Whether a line end follows; the last line of a file being written has none.
    pub ended: bool,
}

pub(crate) struct Lines<'a> {
    source: Box<dyn BufRead + 'a>,
    /// Lines that were looked at and not yet taken. None of them is blank.
    held: VecDeque<Line>,
    number: usize,
    /// Compressed data broke off here; what came before it is good.
    pub cut: Option<String>,
}

impl<'a> Lines<'a> {
    pub fn new(mut source: Box<dyn BufRead + 'a>) -> io::Result<Self> {
        if source.fill_buf()?.starts_with(&super::zst::MAGIC) {
            source = Box::new(BufReader::with_capacity(1 << 17, Frames::new(source)));
        }
        Ok(Self { source, held: VecDeque::new(), number: 0, cut: None })
    }

    /// The line so many lines ahead that is not blank.
    pub fn peek(&mut self, index: usize) -> io::Result<Option<&[u8]>> {
        while self.held.len() <= index {
            match self.pull()? {
                Some(line) => self.held.push_back(line),
                None => return Ok(None),
            }
        }
        Ok(self.held.get(index).map(|line| &*line.bytes))
    }

    /// The next line that is not blank.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        match self.held.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.pull(),
        }
    }

    /// All that has not been taken, as one piece. Blank lines at the front are kept as such, so that places stay in their
    /// lines.
    pub fn rest(mut self) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        let mut line_of_end = 1;
        for mut line in self.held.drain(..) {
            if line.too_long {
                return Err(io::Error::other(TooLarge(MAX_LINE as u64)));
            }
            all.resize(all.len() + line.number.saturating_sub(line_of_end), b'\n');
            line_of_end = line.number;
            if all.is_empty() {
                // It may be the whole document: then it is not held twice.
                all = line.bytes;
            } else {
                all.append(&mut line.bytes);
            }
            if line.ended {
                all.push(b'\n');
                line_of_end += 1;
            }
        }
        loop {
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // Half a document is still read as far as it goes.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => break,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                break;
            }
            let length = buffer.len();
            all.extend_from_slice(buffer);
            self.source.consume(length);
            if all.len() as u64 > MAX_BYTES {
                return Err(io::Error::other(TooLarge(MAX_BYTES)));
            }
        }
        Ok(all)
    }

    fn pull(&mut self) -> io::Result<Option<Line>> {
        loop {
            let Some(mut line) = self.read()? else { return Ok(None) };
            if line.number == 1 && line.bytes.starts_with(b"\xEF\xBB\xBF") {
                line.bytes.drain(..3);
            }
            if line.too_long || !line.bytes.trim_ascii().is_empty() {
                return Ok(Some(line));
            }
        }
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut line = Line { number: self.number + 1, bytes: Vec::new(), too_long: false, ended: false };
        let mut any = false;
        while !line.ended {
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    self.cut.get_or_insert_with(|| error.to_string());
                    break;
                }
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = memchr::memchr(b'\n', buffer);
            let piece = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
            if line.bytes.len() + piece.len() > MAX_LINE {
                (line.too_long, line.bytes) = (true, Vec::new());
            } else if !line.too_long {
                line.bytes.extend_from_slice(piece);
            }
            let used = piece.len() + usize::from(end.is_some());
            line.ended = end.is_some();
            self.source.consume(used);
        }
        self.number += usize::from(any);
        Ok(any.then_some(line))
    }
}

/// The objects of a file of lines; what is no object is counted and told.
pub(crate) struct Records<'a> {
    lines: Lines<'a>,
    pub tally: Tally,
}

impl<'a> Records<'a> {
    pub fn new(lines: Lines<'a>) -> Self {
        Self { lines, tally: Tally::default() }
    }

    /// The next object and its line.
    pub fn next(&mut self) -> Result<Option<(usize, Object)>> {
        while let Some(line) = self.lines.next().map_err(broken)? {
            match json::object(&line.bytes) {
                Some(object) => return Ok(Some((line.number, object))),
                None if line.too_long => self.tally.lose("a line is too long", line.number),
                None if !line.ended => self.tally.lose("the last line is half written", line.number),
                None => self.tally.lose("a line cannot be read", line.number),
            }
        }
        if let Some(why) = self.lines.cut.take() {
            self.tally.note(Note::new(Topic::Unread, format!("{why}: what comes before it is used")));
        }
        Ok(None)
    }
}
