//! How much each line of a text says about a task.
//!
//! Takes the query, how rare its words are in the project, and the lines of one definition; gives a weight for each line. Chooses
//! nothing.

use super::RankEntry;
use super::query::Query;
use super::search::search;
use super::terms::{self, Term};
use std::collections::BTreeMap;

/// The words of a task, each with what finding it on a line is worth.
pub struct LineWeights<'a> {
    query: &'a Query,
    /// For each of [`Query::terms`].
    worths: Vec<f32>,
}

impl<'a> LineWeights<'a> {
    /// Rare words are worth more: `files` are those of the project.
    pub fn new(query: &'a Query, files: &[RankEntry<'_>]) -> Self {
        let words: Vec<Term> = query.terms.iter().map(|(term, _)| *term).collect();
        let rare = search(files, &words).rare;
        let worths = query.terms.iter().zip(rare).map(|((_, weight), rare)| weight * rare.in_symbols).collect();
        Self { query, worths }
    }

    /// A word that many of these lines have says little about which of them is meant.
    pub fn of(&self, lines: &[&str]) -> Vec<f32> {
        let found: Vec<BTreeMap<usize, f32>> = lines.iter().map(|line| self.words(line)).collect();
        let mut counts: BTreeMap<usize, f32> = BTreeMap::new();
        found.iter().flat_map(BTreeMap::keys).for_each(|term| *counts.entry(*term).or_default() += 1.0);
        let weight = |(term, worth): (&usize, &f32)| worth / (1.0 + counts.get(term).copied().unwrap_or(1.0).ln());
        found.iter().map(|words| words.iter().map(weight).sum()).collect()
    }

    /// The words of the task on a line, by their place. A name that the task spells exactly so counts more.
    fn words(&self, line: &str) -> BTreeMap<usize, f32> {
        let mut found: BTreeMap<usize, f32> = BTreeMap::new();
        terms::words(line, |word| {
            let named = 1.0 + self.query.names.get(&terms::exact(word)).copied().unwrap_or(0.0);
            terms::word_terms(word, |term| {
                if let Ok(at) = self.query.terms.binary_search_by_key(&term, |(term, _)| *term) {
                    let worth = found.entry(at).or_default();
                    *worth = worth.max(self.worths[at] * named);
                }
            });
        });
        found
    }
}
