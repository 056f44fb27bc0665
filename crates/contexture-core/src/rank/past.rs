//! What the history of a project says for a file: that it is being changed, was lately, changes when others do, or was
//! changed for something like the task.
//!
//! Takes paths as a [`Past`] has them; gives numbers between 0 and 1 for the files of a ranking, 0 for all where there is no
//! history. Costs as much as there are paths in it.

use super::RankEntry;
use super::bag::{Bag, worths};
use super::parts::{F_OPEN, F_SAID, F_TOGETHER};
use super::query::Query;
use super::score::Ranking;
use crate::types::Past;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many of the first files the others are compared with.
const SEEDS: usize = 8;
/// A file that was changed twice, both times with another, is not yet bound to it.
const DOUBT: f32 = 3.0;
/// Each commit counts this much of the one after it, so that some forty are lately.
const LATELY: f32 = 0.95;
/// So many files can be one piece of work. Of more, each says less.
const ONE_WORK: f32 = 8.0;

/// Weighs files, with what the history says of them and of those that come first so far.
pub fn remember(known: &CommitHistory, query: &Query, ranking: &mut Ranking) {
    for (file, value) in known.by_message(query) {
        ranking.files[file].parts[F_SAID] = value;
    }
    for (file, value) in known.open() {
        ranking.files[file].parts[F_OPEN] = value;
    }
    ranking.weigh_files();
    if known.commits.is_empty() {
        return;
    }
    let first = ranking.files.iter().map(|file| file.probability).enumerate().collect();
    for (file, value) in known.together(first) {
        ranking.files[file].parts[F_TOGETHER] = value;
    }
    ranking.weigh_files();
}

/// A history, by the numbers of files.
#[derive(Default)]
pub struct CommitHistory<'a> {
    commits: Vec<Vec<u32>>,
    past: Option<&'a Past>,
    open: Vec<u32>,
    /// In how many commits each file is.
    counts: Vec<u32>,
}

impl<'a> CommitHistory<'a> {
    pub fn of(past: &'a Past, files: &[RankEntry<'_>]) -> Self {
        if past.commits.is_empty() && past.open.is_empty() {
            return Self::default();
        }
        let numbers: BTreeMap<&str, u32> = (0..).zip(files).map(|(index, file)| (file.path, index)).collect();
        let number = |paths: &[String]| paths.iter().filter_map(|path| numbers.get(path.as_str()).copied()).collect();
        let commits: Vec<Vec<u32>> = past.commits.iter().map(|commit| number(&commit.paths)).collect();
        let mut counts = vec![0; files.len()];
        commits.iter().flatten().for_each(|file| counts[*file as usize] += 1);
        Self { commits, past: Some(past), open: number(&past.open), counts }
    }

    /// How many commits changed a file.
    pub fn times(&self, file: usize) -> u32 {
        self.counts.get(file).copied().unwrap_or(0)
    }

    /// Files that are being changed: 1, or less where they are many.
    pub fn open(&self) -> impl Iterator<Item = (usize, f32)> {
        let each = (ONE_WORK / self.open.len().max(1) as f32).min(1.0).sqrt();
        self.open.iter().map(move |file| (*file as usize, each))
    }

    /// Files that were changed by commits whose messages say what the task says: 1 for the first of them.
    pub fn by_message(&self, query: &Query) -> BTreeMap<usize, f32> {
        let Some(past) = self.past.filter(|past| !past.commits.is_empty()) else { return BTreeMap::new() };
        let message = |text: &str| {
            let mut bag = Bag::default();
            text.lines().filter(|line| !is_trailer(line)).for_each(|line| bag.add(line, query));
            bag
        };
        let messages: Vec<Bag> = past.commits.par_iter().map(|commit| message(&commit.message)).collect();
        let worths = worths(&messages.iter().collect::<Vec<_>>(), query);
        let mut said: BTreeMap<usize, f32> = BTreeMap::new();
        for ((worth, commit), files) in worths.iter().zip(&past.commits).zip(&self.commits) {
            // Of many files, each says less.
            let each = worth / (commit.paths.len() as f32).powf(0.25);
            files.iter().for_each(|file| *said.entry(*file as usize).or_default() += each.powi(3));
        }
        // Several commits that say it are a little more than one.
        let top = said.values().copied().fold(f32::MIN_POSITIVE, f32::max);
        said.values_mut().for_each(|value| *value = (*value / top).cbrt());
        said
    }

    /// Files that were changed in the last commits.
    pub fn recent(&self) -> BTreeMap<usize, f32> {
        let mut recent = BTreeMap::new();
        let mut weight = 1.0;
        for commit in self.commits.iter().take(100) {
            for file in commit {
                *recent.entry(*file as usize).or_default() += weight / commit.len() as f32;
            }
            weight *= LATELY;
        }
        recent
    }

    /// Files that were changed together with the first of these, which come with a weight. Commits of many files say
    /// little about each, and files that change with everything say nothing.
    pub fn together(&self, mut first: Vec<(usize, f32)>) -> BTreeMap<usize, f32> {
        first.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        first.truncate(SEEDS);
        let sum = first.iter().map(|(_, weight)| weight).sum::<f32>().max(f32::MIN_POSITIVE);
        let times = |file: usize| self.counts.get(file).map_or(0.0, |count| *count as f32);
        // What a single commit says about the files beside a seed.
        let seeds: BTreeMap<u32, f32> =
            first.iter().map(|(file, weight)| (*file as u32, weight / sum / (times(*file) + DOUBT))).collect();
        let mut together: BTreeMap<usize, f32> = BTreeMap::new();
        for commit in &self.commits {
            let said: f32 = commit.iter().filter_map(|file| seeds.get(file)).sum();
            if said == 0.0 {
                continue;
            }
            for file in commit {
                let others = said - seeds.get(file).copied().unwrap_or(0.0);
                *together.entry(*file as usize).or_default() += others.max(0.0) / commit.len() as f32;
            }
        }
        let all = self.commits.len().max(1) as f32;
        // The root, because most are small and their order matters more than how much larger the first is.
        together.iter_mut().for_each(|(file, value)| *value = (*value * (1.0 - times(*file) / (all + DOUBT))).sqrt());
        together
    }
}

/// `Signed-off-by: somebody`
fn is_trailer(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(key, _)| key.ends_with("-by"))
}
