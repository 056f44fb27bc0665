//! Definitions with a unique name that the task mentions: a reader of the task looks for them first, however common their words are.
//!
//! Takes a ranking; gives such definitions a least probability. A task that consists of one name asks for the definitions with
//! that name: they come before everything else.

use super::RankEntry;
use super::parts::SCOPED;
use super::query::Query;
use super::score::Ranking;
use std::collections::BTreeMap;

/// A word counts as a name when it looks like one (`snake_case`, `CamelCase`) or is quoted as code.
const LIKE_A_NAME: f32 = 1.0;
/// The least probability of a named definition, where a few are named: with it, most of them are in 4,000 tokens.
const LEAST: f32 = 0.01;
/// The least probability of all named definitions together, where many are named.
const ALL: f32 = 0.1;
/// More than all other symbols together.
const ONLY: f32 = 2.0;

pub fn raise(query: &Query, files: &[RankEntry<'_>], ranking: &mut Ranking) {
    let mut named: BTreeMap<_, Vec<(usize, usize)>> = BTreeMap::new();
    for (file, digest) in files.iter().enumerate().filter_map(|(file, entry)| Some((file, entry.digest?))) {
        for (at, symbol) in digest.symbols.iter().enumerate() {
            let looks = query.names.get(&symbol.exact).copied().unwrap_or(0.0);
            let is_meant = looks >= LIKE_A_NAME || query.only == Some(symbol.exact);
            if is_meant && !ranking.symbols[file][at].is_beside() {
                named.entry(symbol.exact).or_default().push((file, at));
            }
        }
    }
    let only = query.only.and_then(|name| named.remove(&name)).unwrap_or_default();
    let alone: Vec<(usize, usize)> =
        named.into_values().filter(|places| places.len() == 1).map(|places| places[0]).collect();
    let least = LEAST.min(ALL / alone.len().max(1) as f32);
    for (file, at) in alone {
        let probability = &mut ranking.symbols[file][at].probability;
        *probability = probability.max(least);
    }
    let is_scoped = |place: &&(usize, usize)| ranking.symbols[place.0][place.1].parts[SCOPED] > 0.0;
    let scoped: Vec<(usize, usize)> = only.iter().filter(is_scoped).copied().collect();
    for (file, at) in if scoped.is_empty() { only } else { scoped } {
        ranking.symbols[file][at].probability += ONLY;
    }
    let all: f32 = ranking.symbols.iter().flatten().map(|symbol| symbol.probability).sum();
    if all > 0.0 {
        ranking.symbols.iter_mut().flatten().for_each(|symbol| symbol.probability /= all);
    }
}
