//! Passages that answer a task: functions of code, sections of prose.
//!
//! Takes a ranking and the files that passages may come from; gives the best lines for their tokens, none of them twice. What
//! hardly matches is no passage.

use super::bag::{Bag, worths};
use super::parts::{FRAME, NAMED, SCOPED, WORDS};
use super::query::Query;
use super::score::{Ranking, SymbolScore};
use super::{Digest, RankEntry, Symbol};
use std::collections::BTreeMap;

/// Some lines of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Passage {
    /// The place of its file.
    pub file: usize,
    /// The first and the last, counted from 1.
    pub lines: (usize, usize),
    /// How probable it is that the task needs it.
    pub needed: f32,
    /// About how many tokens it takes, with what stands around it.
    pub cost: f32,
}

/// Less probable than this part of the best is no answer.
const HARDLY: f32 = 1.0 / 100.0;
/// The ranking is of what a task changes, and that is seldom prose. What explains it often is: this takes back most of what
/// being code is worth there.
const PROSE: f32 = 3.0;
/// A log of changes speaks of everything. Of one text, so many sections are enough.
const SECTIONS: usize = 3;
/// Tokens of a heading and a fence.
const AROUND: f32 = 25.0;
/// How many files of prose are looked into.
const LOOKED_INTO: usize = 40;
/// A section of prose ends at a heading, or at the first blank line after so many lines, or at the last of so many.
const SECTION: usize = 12;
const LONGEST_SECTION: usize = 40;
/// A type of so few tokens is a passage; of a larger one its functions are.
const SMALL_TYPE: u32 = 200;
/// A function of more tokens does not come with what stands in it.
const LARGE_FUNCTION: u32 = 800;

/// How many passages are offered at most.
const MOST: usize = 200;

/// The best passages, by file and line.
pub fn passages(query: &Query, files: &[RankEntry<'_>], ranking: &Ranking) -> Vec<Passage> {
    let mut found: Vec<Passage> = (0..files.len()).flat_map(|place| of_code(files, ranking, place)).collect();
    found.extend(of_prose(query, files, ranking));
    let least = found.iter().map(|passage| passage.needed).fold(0.0, f32::max) * HARDLY;
    found.retain(|passage| passage.needed > 0.0 && passage.needed >= least);
    let worth = |passage: &Passage| passage.needed / passage.cost;
    found.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then((a.file, a.lines).cmp(&(b.file, b.lines))));
    let mut chosen: Vec<Passage> = Vec::new();
    for passage in found {
        let again = |other: &Passage| {
            other.file == passage.file && other.lines.0 <= passage.lines.1 && passage.lines.0 <= other.lines.1
        };
        if chosen.len() < MOST && !chosen.iter().any(again) {
            chosen.push(passage);
        }
    }
    chosen.sort_by_key(|passage| (passage.file, passage.lines));
    chosen
}

/// Functions, values and small types. What stands in a function is shown with it.
fn of_code(files: &[RankEntry<'_>], ranking: &Ranking, file: usize) -> Vec<Passage> {
    let Some((digest, text)) = files[file].digest.zip(files[file].text) else { return Vec::new() };
    let is_passage =
        |symbol: &Symbol| symbol.kind.is_callable() || symbol.kind.is_value() || symbol.whole <= SMALL_TYPE;
    let lines = Starts::of(text);
    // What is only used by what matches is no answer itself.
    let is_said = |score: &SymbolScore| [WORDS, NAMED, SCOPED, FRAME].iter().any(|part| score.parts[*part] > 0.0);
    let mut needed: Vec<f32> = ranking.symbols[file]
        .iter()
        .zip(&digest.symbols)
        .map(|(score, symbol)| if is_passage(symbol) && is_said(score) { score.probability } else { 0.0 })
        .collect();
    for (index, symbol) in digest.symbols.iter().enumerate().rev() {
        let around = symbol.parent.map(|parent| parent as usize);
        if let Some(parent) = around.filter(|parent| {
            digest.symbols.get(*parent).is_some_and(|outer| outer.kind.is_callable() && outer.whole <= LARGE_FUNCTION)
        }) {
            needed[parent] = needed[parent].max(std::mem::take(&mut needed[index]));
        }
    }
    let said = digest.symbols.iter().zip(needed).filter(|(_, needed)| *needed > 0.0);
    said.map(|(symbol, needed)| Passage {
        file,
        lines: (lines.of_byte(symbol.span.start as usize), lines.of_byte((symbol.span.end as usize).saturating_sub(1))),
        needed,
        cost: symbol.whole as f32 + AROUND,
    })
    .collect()
}

/// Where lines begin.
struct Starts(Vec<usize>);

impl Starts {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect())
    }

    fn of_byte(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte)
    }
}

/// Sections of the files without symbols that come first. The probability of a file is shared out among its sections by the
/// words of the task they have.
fn of_prose(query: &Query, files: &[RankEntry<'_>], ranking: &Ranking) -> Vec<Passage> {
    let is_prose = |place: &usize| files[*place].digest.is_some_and(|digest: &Digest| digest.symbols.is_empty());
    let mut places: Vec<usize> = (0..files.len()).filter(is_prose).collect();
    places.sort_by(|a, b| ranking.files[*b].probability.total_cmp(&ranking.files[*a].probability).then(a.cmp(b)));
    places.truncate(LOOKED_INTO);
    let sections: Vec<(usize, Section)> = places
        .iter()
        .flat_map(|place| {
            files[*place].text.into_iter().flat_map(|text| sections(text, query)).map(|one| (*place, one))
        })
        .collect();
    let worths = worths(&sections.iter().map(|(_, one)| &one.bag).collect::<Vec<_>>(), query);
    let mut sums: BTreeMap<usize, f32> = BTreeMap::new();
    sections.iter().zip(&worths).for_each(|((place, _), worth)| *sums.entry(*place).or_default() += worth);
    let mut best: Vec<usize> = (0..sections.len()).collect();
    best.sort_by(|a, b| worths[*b].total_cmp(&worths[*a]).then(a.cmp(b)));
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    best.retain(|one| {
        let taken = taken.entry(sections[*one].0).or_default();
        *taken += 1;
        *taken <= SECTIONS
    });
    best.into_iter()
        .map(|at| (&sections[at], worths[at]))
        .map(|((place, one), worth)| Passage {
            file: *place,
            lines: one.lines,
            needed: ranking.files[*place].probability * PROSE * worth / sums[place].max(f32::MIN_POSITIVE),
            cost: one.bytes as f32 / 4.0 + AROUND,
        })
        .collect()
}

struct Section {
    lines: (usize, usize),
    bytes: usize,
    bag: Bag,
}

fn sections(text: &str, query: &Query) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(text.lines()) {
        let blank = line.trim().is_empty();
        let long = all.last().is_some_and(|one| number - one.lines.0 >= if blank { SECTION } else { LONGEST_SECTION });
        open &= !line.starts_with('#') && !long;
        if blank {
            continue;
        }
        if !open {
            all.push(Section { lines: (number, number), bytes: 0, bag: Bag::default() });
            open = true;
        }
        let Some(one) = all.last_mut() else { continue };
        one.lines.1 = number;
        one.bytes += line.len() + 1;
        one.bag.add(line, query);
    }
    all
}
