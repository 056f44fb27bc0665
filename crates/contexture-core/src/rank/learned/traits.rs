//! What a candidate looks like to the trees: its parts, those of its file, and how it compares with the task, the project and
//! its neighbors.
//!
//! Takes the ranking of the linear rounds; gives a row of numbers for each of its first symbols. Reads words and numbers only.

use super::super::parts::{FILE, SYMBOL, parts};
use super::super::query::Query;
use super::super::score::{Ranking, ranks};
use super::super::search::{Hit, LOOSE, TermHits};
use super::super::{RankEntry, past::CommitHistory};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many symbols are looked at: nine of ten that tasks need are among them.
pub const CANDIDATES: usize = 400;

/// A symbol that is looked at, by its place in the ranking.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub file: u32,
    pub symbol: u32,
    /// Its traits, then the parts of the symbol, then those of its file.
    pub row: [f32; ROW],
}

/// How many numbers a row has.
pub const ROW: usize = TRAIT + SYMBOL + FILE;

parts! { TRAIT TRAITS:
    PLACE "place",
    LOG "logarithm of its probability",
    BEHIND "score behind the first",
    PLACE_IN_FILE "place in its file",
    FILE_PLACE "place of its file",
    WHOLE "tokens",
    HEAD "tokens of the signature",
    KIND "kind",
    DEPTH "depth",
    MATCHED "words of the task, number",
    COVER "words of the task, worth",
    RAREST "rarest word",
    TOP_WORDS "words of the task that matter most",
    NAME_COVER "share of its name that the task says",
    NAME_WORTH "words in the name, worth",
    TITLE_COVER "words of the first line, worth",
    TEXT_COVER "words of the text, worth",
    CODE_COVER "words of the code, worth",
    DOC_COVER "words in the documentation, worth",
    HEAD_COVER "words in the signature, worth",
    PARENT "symbol around it",
    CHILD "best symbol inside",
    SIBLING "best neighbor",
    COMPANY "candidates in its file",
    FILE_SHARE "share of what is probable in its file",
    FILE_COVER "words of the task in its file, worth",
    CHURN "commits that changed its file",
    RECENT "changed lately",
    SYMBOLS "symbols in its file",
    PROJECT_FILES "files of the project",
    PROJECT_SYMBOLS "symbols of the project",
    TASK_WORDS "words of the task that the project has",
    TASK_FRAMES "the task has a traceback",
    TASK_NAMES "symbols that the task names",
    TOP "probability of the first",
}

/// The words of a task as the project knows them.
struct Task {
    /// What each word is worth.
    worth: Vec<f32>,
    /// All of them, and those of each zone.
    all: f32,
    zones: [f32; 3],
    present: usize,
    rarest: f32,
    /// Whether a word is one of those that matter most, and how many these are.
    matters: Vec<bool>,
    most: usize,
}

/// How many words matter most.
const MOST: usize = 8;

impl Task {
    fn of(query: &Query, found: &TermHits) -> Self {
        let rare = |at: usize| found.rare.get(at).filter(|rare| rare.files > 0);
        let worth: Vec<f32> = (query.terms.iter().enumerate())
            .map(|(at, (_, weight))| rare(at).map_or(0.0, |rare| weight * rare.in_symbols))
            .collect();
        let mut zones = [0.0; 3];
        for (worth, said) in worth.iter().zip(&query.zones) {
            zones.iter_mut().zip(said).filter(|(_, said)| **said > 0.0).for_each(|(sum, _)| *sum += worth);
        }
        let mut order: Vec<usize> = (0..worth.len()).filter(|at| worth[*at] > 0.0).collect();
        let present = order.len();
        order.sort_by(|a, b| worth[*b].total_cmp(&worth[*a]).then(a.cmp(b)));
        order.truncate(MOST);
        let mut matters = vec![false; worth.len()];
        order.iter().for_each(|at| matters[*at] = true);
        let rarest = (0..worth.len()).filter_map(rare).map(|rare| rare.in_symbols).fold(0.0, f32::max);
        Self { all: worth.iter().sum(), worth, zones, present, rarest, matters, most: order.len() }
    }
}

/// What of the task a symbol, or a file, says.
#[derive(Clone, Default)]
struct Said {
    words: usize,
    all: f32,
    rarest: f32,
    most: usize,
    names: usize,
    name: f32,
    zones: [f32; 3],
    doc: f32,
    head: f32,
}

impl Said {
    fn add(&mut self, hit: &Hit, task: &Task, query: &Query, found: &TermHits) {
        let at = hit.term as usize;
        let (Some(worth), Some(rare)) = (task.worth.get(at), found.rare.get(at)) else { return };
        self.words += 1;
        self.all += worth;
        self.rarest = self.rarest.max(rare.in_symbols);
        self.most += usize::from(task.matters[at]);
        if hit.in_name {
            self.names += 1;
            self.name += worth;
        }
        self.doc += if hit.in_doc > 0 { *worth } else { 0.0 };
        self.head += if hit.in_signature > 0 { *worth } else { 0.0 };
        let said = query.zones.get(at).copied().unwrap_or_default();
        self.zones.iter_mut().zip(said).filter(|(_, said)| *said > 0.0).for_each(|(sum, _)| *sum += worth);
    }
}

/// The first symbols of a ranking, best first.
pub fn candidates(
    query: &Query,
    files: &[RankEntry<'_>],
    found: &TermHits,
    history: &CommitHistory<'_>,
    ranking: &Ranking,
) -> Vec<Candidate> {
    let first = ranking.first(CANDIDATES);
    let Some(top) = first.first().map(|(file, symbol)| &ranking.symbols[*file][*symbol]) else { return Vec::new() };
    let task = Task::of(query, found);
    let mut by_file: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (place, (file, symbol)) in first.iter().enumerate() {
        by_file.entry(*file).or_default().push((*symbol, place));
    }
    let by_file: Vec<(usize, Vec<(usize, usize)>)> = by_file.into_iter().collect();
    let recent = history.recent();
    let symbols: usize = ranking.symbols.iter().map(Vec::len).sum();
    let named =
        ranking.symbols.iter().flatten().filter(|symbol| symbol.parts[super::super::parts::NAMED] > 0.0).count();
    let ratio = |part: f32, all: f32| if all > 0.0 { part / all } else { 0.0 };
    let log = |count: usize| (count as f32).ln_1p();
    let of_file = |(file, own): &(usize, Vec<(usize, usize)>)| -> Vec<(usize, Candidate)> {
        let (file, Some(digest)) = (*file, files[*file].digest) else { return Vec::new() };
        let (score, scores) = (&ranking.files[file], &ranking.symbols[file]);
        let mut said = vec![Said::default(); scores.len()];
        let mut of_file = Said::default();
        let hits = found.hits.get(file).map_or(&[][..], Vec::as_slice);
        for same in hits.chunk_by(|a, b| a.term == b.term) {
            of_file.add(&same[0], &task, query, found);
            for hit in same.iter().filter(|hit| hit.symbol != LOOSE) {
                if let Some(said) = said.get_mut(hit.symbol as usize) {
                    said.add(hit, &task, query, found);
                }
            }
        }
        let in_file = ranks(scores.iter().map(|symbol| symbol.score));
        let inside: f32 = scores.iter().map(|symbol| symbol.probability).sum();
        let mut best_child = vec![f32::NEG_INFINITY; scores.len()];
        // The two best of those that share a parent, by the place of the parent, and at the end those without one.
        let mut best = vec![[f32::NEG_INFINITY; 2]; scores.len() + 1];
        for (symbol, one) in digest.symbols.iter().zip(scores) {
            let parent = symbol.parent.map_or(scores.len(), |parent| parent as usize);
            if let Some(child) = best_child.get_mut(parent) {
                *child = child.max(one.score);
            }
            let two = &mut best[parent];
            if one.score > two[0] {
                *two = [one.score, two[0]];
            } else {
                two[1] = two[1].max(one.score);
            }
        }
        let beside = |other: f32, own: f32| if other.is_finite() { (other - own).clamp(-20.0, 20.0) } else { -20.0 };
        own.iter()
            .map(|(at, place)| {
                let (symbol, one, said) = (&digest.symbols[*at], &scores[*at], &said[*at]);
                let parent = symbol.parent.map_or(scores.len(), |parent| parent as usize);
                let mut depth = 0;
                let mut above = symbol.parent;
                while let Some(outer) = above.and_then(|outer| digest.symbols.get(outer as usize)) {
                    (depth, above) = (depth + 1, outer.parent);
                }
                let two = best[parent];
                let sibling = if one.score >= two[0] { two[1] } else { two[0] };
                let mut row = [0.0; ROW];
                for (part, value) in [
                    (PLACE, log(*place)),
                    (LOG, one.probability.max(1e-9).ln()),
                    (BEHIND, top.score - one.score),
                    (PLACE_IN_FILE, log(in_file[*at] as usize)),
                    (FILE_PLACE, log(score.rank as usize)),
                    (WHOLE, log(symbol.whole as usize)),
                    (HEAD, log(symbol.signature as usize)),
                    (KIND, f32::from(symbol.kind as u8)),
                    (DEPTH, depth as f32),
                    (MATCHED, ratio(said.words as f32, task.present as f32)),
                    (COVER, ratio(said.all, task.all)),
                    (RAREST, ratio(said.rarest, task.rarest)),
                    (TOP_WORDS, ratio(said.most as f32, task.most as f32)),
                    (NAME_COVER, ratio(said.names as f32, f32::from(symbol.name_terms))),
                    (NAME_WORTH, ratio(said.name, task.all)),
                    (TITLE_COVER, ratio(said.zones[0], task.zones[0])),
                    (TEXT_COVER, ratio(said.zones[1], task.zones[1])),
                    (CODE_COVER, ratio(said.zones[2], task.zones[2])),
                    (DOC_COVER, ratio(said.doc, task.all)),
                    (HEAD_COVER, ratio(said.head, task.all)),
                    (PARENT, beside(scores.get(parent).map_or(f32::NEG_INFINITY, |one| one.score), one.score)),
                    (CHILD, beside(best_child[*at], one.score)),
                    (SIBLING, beside(sibling, one.score)),
                    (COMPANY, log(own.len())),
                    (FILE_SHARE, ratio(one.probability, inside)),
                    (FILE_COVER, ratio(of_file.all, task.all)),
                    (CHURN, log(history.times(file) as usize)),
                    (RECENT, recent.get(&file).copied().unwrap_or(0.0)),
                    (SYMBOLS, log(scores.len())),
                    (PROJECT_FILES, log(files.len())),
                    (PROJECT_SYMBOLS, log(symbols)),
                    (TASK_WORDS, log(task.present)),
                    (TASK_FRAMES, if query.frames.is_empty() { 0.0 } else { 1.0 }),
                    (TASK_NAMES, log(named)),
                    (TOP, top.probability),
                ] {
                    row[part] = value;
                }
                row[TRAIT..TRAIT + SYMBOL].copy_from_slice(&one.parts);
                row[TRAIT + SYMBOL..].copy_from_slice(&score.parts);
                (*place, Candidate { file: file as u32, symbol: *at as u32, row })
            })
            .collect()
    };
    let mut all: Vec<(usize, Candidate)> = by_file.par_iter().flat_map_iter(of_file).collect();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, candidate)| candidate).collect()
}
