//! What a reader leaves out and why: counted by kind, the losses told in notes.

use std::collections::BTreeMap;

use contexture_core::{Note, Topic};

/// A hostile file could invent a type for each of its lines.
const MAX_KINDS: usize = 200;

/// Types are words; what is longer is cut.
const MAX_WORD: usize = 40;

/// Line numbers in one note: enough to find the place, few enough to read.
const MAX_LINES: usize = 10;

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub skipped: BTreeMap<String, usize>,
    pub notes: Vec<Note>,
    losses: BTreeMap<&'static str, (usize, Vec<usize>)>,
}

impl Tally {
    /// Counts something that was left out on purpose.
    pub fn skip(&mut self, what: &str) {
        self.skip_many(what, 1);
    }

    /// The same, where nothing comes of it.
    pub fn leave<T>(&mut self, what: &str) -> Option<T> {
        self.skip(what);
        None
    }

    /// Counts something of a type that the file names.
    pub fn skip_typed(&mut self, what: &str, kind: &str) {
        let kind: String = kind.chars().filter(|c| !c.is_control()).take(MAX_WORD).collect();
        self.skip(&format!("{what} {kind}"));
    }

    pub fn skip_many(&mut self, what: &str, count: usize) {
        if count == 0 {
            return;
        }
        let what = if self.skipped.len() < MAX_KINDS || self.skipped.contains_key(what) { what } else { "other" };
        *self.skipped.entry(what.into()).or_default() += count;
    }

    /// Something could not be read that should have been: counted, and told with its line.
    pub fn lose(&mut self, what: &'static str, line: usize) {
        self.skip(what);
        let (count, lines) = self.losses.entry(what).or_default();
        *count += 1;
        if lines.len() < MAX_LINES {
            lines.push(line);
        }
    }

    pub fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// The notes, one for each kind of loss, and the counts.
    pub fn close(mut self) -> (Vec<Note>, BTreeMap<String, usize>) {
        for (what, (count, lines)) in self.losses {
            let more = count - lines.len();
            let lines = lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            let text = match (count, more) {
                (1, _) => format!("{what}: line {lines}"),
                (_, 0) => format!("{what}: lines {lines}"),
                _ => format!("{what}: lines {lines} and {more} more"),
            };
            self.notes.push(Note::new(Topic::Unread, text));
        }
        (self.notes, self.skipped)
    }
}
