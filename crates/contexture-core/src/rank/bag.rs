//! How well short texts match a task: BM25 over messages of commits, or sections of prose.

use super::query::Query;
use super::score::saturated;
use super::terms::terms;
use std::collections::BTreeMap;

/// The words of a text.
#[derive(Default)]
pub struct Bag {
    /// How often it says each word of the task, by its place there.
    times: BTreeMap<usize, u32>,
    words: u32,
}

impl Bag {
    pub fn add(&mut self, text: &str, query: &Query) {
        terms(text, |term| {
            self.words += 1;
            if let Ok(at) = query.terms.binary_search_by_key(&term, |(term, _)| *term) {
                *self.times.entry(at).or_default() += 1;
            }
        });
    }
}

/// What each of some texts is worth. A word that many of them have says little.
pub fn worths(bags: &[&Bag], query: &Query) -> Vec<f32> {
    let all = bags.len() as f32;
    let mean = (bags.iter().map(|bag| bag.words).sum::<u32>() as f32 / all.max(1.0)).max(1.0);
    let mut counts: BTreeMap<usize, f32> = BTreeMap::new();
    bags.iter().flat_map(|bag| bag.times.keys()).for_each(|term| *counts.entry(*term).or_default() += 1.0);
    let rare = |term: &usize| counts.get(term).map_or(0.0, |count| ((all - count + 0.5) / (count + 0.5)).ln_1p());
    let worth = |bag: &&Bag| {
        let length = bag.words as f32 / mean;
        bag.times.iter().map(|(at, times)| query.terms[*at].1 * rare(at) * saturated(*times, length, 0.75)).sum()
    };
    bags.iter().map(worth).collect()
}
