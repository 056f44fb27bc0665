//! The keys of a configuration by their first level: what is shown of it when not everything fits.
//!
//! Readers note every key with the place of its line; of these come one line for each key of the first level and the
//! number of keys that were left out. Chooses nothing: the ranks do.

use super::lines::{RankedLine, clip};
use super::secret::mask_words;
use std::collections::{BTreeMap, BTreeSet};

/// Names listed of a table; its other keys are counted.
const LISTED: usize = 8;
/// Keys of the first level beyond this many never fit into 400 tokens.
const MOST_TOPS: usize = 400;

#[derive(Default)]
pub struct Keys {
    pub total: usize,
    tops: Vec<Top>,
    places: BTreeMap<String, usize>,
    /// The places of lines with keys, and their keys of the first level.
    lines: BTreeMap<usize, usize>,
}

struct Top {
    name: String,
    listed: Vec<String>,
    seen: BTreeSet<String>,
}

impl Keys {
    pub fn note(&mut self, key: &str, line: Option<usize>) {
        self.total += 1;
        let (name, rest) = key.split_once('.').map_or((key, None), |(name, rest)| (name, Some(rest)));
        let place = match self.places.get(name) {
            Some(place) => *place,
            None if self.tops.len() >= MOST_TOPS => return,
            None => {
                self.places.insert(name.to_owned(), self.tops.len());
                self.tops.push(Top { name: name.to_owned(), listed: Vec::new(), seen: BTreeSet::new() });
                self.tops.len() - 1
            }
        };
        if let Some(line) = line {
            self.lines.insert(line, place);
        }
        let child = rest.and_then(|rest| rest.split('.').next());
        if let (Some(top), Some(child)) = (self.tops.get_mut(place), child)
            && top.seen.insert(child.to_owned())
            && top.listed.len() < LISTED
        {
            top.listed.push(clip(child, 30));
        }
    }

    /// Keys that have no line among the first `lines`.
    pub fn missing(&self, lines: usize) -> usize {
        self.total.saturating_sub(self.lines.range(..lines).count())
    }

    /// The lines of the first level for those keys that hold others: `services: {web, db}`.
    pub fn groups(&self) -> Vec<Option<String>> {
        let shown = |top: &Top| {
            let more = match top.seen.len().saturating_sub(top.listed.len()) {
                0 => String::new(),
                more => format!(", … {more} more"),
            };
            let names = top.listed.join(", ");
            // Names only: what is secret is their values.
            (!top.seen.is_empty()).then(|| mask_words(&format!("{}: {{{names}{more}}}", clip(&top.name, 60))))
        };
        self.tops.iter().map(shown).map(|line| line.map(|line| line.replace(char::is_control, " "))).collect()
    }

    /// The same in short: `services (2 keys)`.
    pub fn brief_groups(&self) -> Vec<Option<String>> {
        let shown = |top: &Top| {
            let plural = if top.seen.len() == 1 { "" } else { "s" };
            let name = mask_words(&clip(&top.name, 20)).replace(char::is_control, " ");
            (!top.seen.is_empty()).then(|| format!("{name} ({} key{plural})", top.seen.len()))
        };
        self.tops.iter().map(shown).collect()
    }

    /// All lines, with that of its group before the first line of each.
    pub fn overview<'a>(&self, lines: &'a [(u8, String)], groups: &'a [Option<String>]) -> Vec<RankedLine<'a>> {
        let mut overview = Vec::with_capacity(lines.len() + groups.len());
        let mut told = BTreeSet::new();
        for (at, (rank, line)) in lines.iter().enumerate() {
            let top = self.lines.get(&at);
            if let Some(group) = top.filter(|top| told.insert(**top)).and_then(|top| groups.get(*top)?.as_deref()) {
                overview.push(RankedLine::new(1, group));
            }
            overview.push(RankedLine { rank: *rank, line, keys: usize::from(top.is_some()) });
        }
        let untold = groups.iter().enumerate().filter(|(at, _)| !told.contains(at));
        overview.extend(untold.filter_map(|(_, group)| group.as_deref()).map(|group| RankedLine::new(1, group)));
        overview
    }
}
