//! Looks at the first hits again: words that follow each other in the task and in the text say more than words alone.

use super::RankEntry;
use super::parts::PAIRS;
use super::query::{Query, is_filler};
use super::score::Ranking;
use super::terms::{self, Term};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many symbols are looked at.
const LOOKED_AT: usize = 600;

pub fn look_again(query: &Query, files: &[RankEntry<'_>], ranking: &mut Ranking) {
    let top = ranking.first(LOOKED_AT);
    let found: Vec<Vec<(Term, Term)>> = top
        .par_iter()
        .map(|(file, symbol)| {
            let Some((digest, text)) = files[*file].digest.zip(files[*file].text) else { return Vec::new() };
            let mut pairs = Vec::new();
            let mut last = None;
            terms::words(digest.symbols[*symbol].span.of(text), |word| {
                if is_filler(word) {
                    return;
                }
                terms::plain_terms(word, |term| {
                    if let Some(last) = last.replace(term)
                        && query.pairs.contains_key(&(last, term))
                    {
                        pairs.push((last, term));
                    }
                });
            });
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        })
        .collect();
    let mut counts: BTreeMap<(Term, Term), u32> = BTreeMap::new();
    found.iter().flatten().for_each(|pair| *counts.entry(*pair).or_default() += 1);
    for ((file, symbol), pairs) in top.iter().zip(&found) {
        let worth = |pair: &(Term, Term)| {
            let said = query.pairs.get(pair).map_or(0.0, |times| 1.0 + times.ln_1p());
            said * (1.0 + top.len() as f32 / counts.get(pair).map_or(1.0, |count| *count as f32)).ln()
        };
        ranking.symbols[*file][*symbol].parts[PAIRS] = pairs.iter().map(worth).sum();
    }
}
