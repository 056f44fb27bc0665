//! The objects of a file of lines; what is no object is counted and told.

use super::super::error::SessionError;
use super::super::json::{self, Object};
use super::super::tally::Tally;
use super::broken;
use super::lines::Lines;
use contexture_core::{Note, Topic};

pub(crate) struct Records<'a> {
    lines: Lines<'a>,
    pub tally: Tally,
}

impl<'a> Records<'a> {
    pub fn new(lines: Lines<'a>) -> Self {
        Self { lines, tally: Tally::default() }
    }

    /// The next object and its line.
    pub fn next(&mut self) -> Result<Option<(usize, Object)>, SessionError> {
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
