//! The second round: what the first hits use, what uses them, and what speaks with their words.

use super::parts::{LIKE_HITS, TEST, USED, USED_BY_TESTS, USES};
use super::score::{Ranking, lengths, saturated};
use super::search::{LOOSE, search};
use super::terms::Term;
use super::{Digest, RankEntry};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The first hits: so many that a right one is among them, so few that wrong ones do not drown it.
const SEEDS: usize = 16;
/// Of how many of their words the second round is made, and among how many these are chosen.
const WORDS: usize = 24;
const CANDIDATES: usize = 144;
/// A name that more symbols than this share leads nowhere.
const NAMESAKES: usize = 8;

struct Seed {
    file: usize,
    symbol: u32,
    weight: f32,
}

pub fn second_round(files: &[RankEntry<'_>], ranking: &mut Ranking) {
    let defined = definitions(files);
    let hits = seeds(files, ranking, |test| !test);
    let tests = seeds(files, ranking, |test| test);
    follow(files, &hits, &defined, USED, ranking);
    follow(files, &tests, &defined, USED_BY_TESTS, ranking);
    like(files, &hits, ranking);
}

/// The most probable functions, the first with weight 1.
fn seeds(files: &[RankEntry<'_>], ranking: &Ranking, wanted: impl Fn(bool) -> bool) -> Vec<Seed> {
    let mut all: Vec<Seed> = Vec::new();
    for (file, scores) in ranking.symbols.iter().enumerate() {
        let Some(digest) = files[file].digest else { continue };
        for (symbol, score) in scores.iter().enumerate() {
            if digest.symbols[symbol].kind.is_callable() && wanted(score.parts[TEST] > 0.0) {
                all.push(Seed { file, symbol: symbol as u32, weight: score.probability });
            }
        }
    }
    let order = |a: &Seed, b: &Seed| b.weight.total_cmp(&a.weight).then((a.file, a.symbol).cmp(&(b.file, b.symbol)));
    if all.len() > SEEDS {
        all.select_nth_unstable_by(SEEDS, order);
        all.truncate(SEEDS);
    }
    all.sort_by(order);
    let top = all.first().map_or(1.0, |first| first.weight).max(f32::MIN_POSITIVE);
    all.iter_mut().for_each(|seed| seed.weight = (seed.weight / top).sqrt());
    all
}

/// Where each name is defined, sorted.
fn definitions(files: &[RankEntry<'_>]) -> Vec<(Term, u32, u32)> {
    let mut all = Vec::new();
    for (index, file) in files.iter().enumerate() {
        for (at, symbol) in file.digest.iter().flat_map(|digest| digest.symbols.iter().enumerate()) {
            if !symbol.kind.is_value() {
                all.push((symbol.name, index as u32, at as u32));
            }
        }
    }
    all.par_sort_unstable();
    all
}

/// Adds to each definition that a seed uses.
fn follow(files: &[RankEntry<'_>], seeds: &[Seed], defined: &[(Term, u32, u32)], part: usize, ranking: &mut Ranking) {
    for seed in seeds {
        let Some(digest) = files[seed.file].digest else { continue };
        for (term, _) in words_of(digest, seed.symbol) {
            let from = defined.partition_point(|(name, ..)| *name < term);
            let same = &defined[from..];
            let count = same.iter().take(NAMESAKES + 1).take_while(|(name, ..)| *name == term).count();
            if count > NAMESAKES {
                continue;
            }
            for (_, file, symbol) in &same[..count] {
                let (file, at) = (*file as usize, *symbol as usize);
                if (file, *symbol) == (seed.file, seed.symbol) {
                    continue;
                }
                let compound = files[file].digest.is_some_and(|digest| digest.symbols[at].compound);
                let looks = if compound { 1.0 } else { 0.4 };
                ranking.symbols[file][at].parts[part] += seed.weight * looks / (count as f32).sqrt();
            }
        }
    }
}

/// Adds to symbols that have the words which set the seeds apart, and to those that use the seeds' names.
fn like(files: &[RankEntry<'_>], seeds: &[Seed], ranking: &mut Ranking) {
    let mut words: BTreeMap<Term, f32> = BTreeMap::new();
    let mut names: BTreeMap<Term, f32> = BTreeMap::new();
    for seed in seeds {
        let Some(digest) = files[seed.file].digest else { continue };
        names.entry(digest.symbols[seed.symbol as usize].name).or_insert(seed.weight);
        for (term, times) in words_of(digest, seed.symbol) {
            *words.entry(term).or_default() += seed.weight * (times.min(4) as f32).sqrt();
        }
    }
    let mut words: Vec<(Term, f32)> = words.into_iter().collect();
    words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    words.truncate(CANDIDATES);
    let terms: BTreeSet<Term> = names.keys().copied().chain(words.iter().map(|(term, _)| *term)).collect();
    let terms: Vec<Term> = terms.into_iter().collect();
    let found = search(files, &terms);
    let mut telling: Vec<(Term, f32)> = words
        .into_iter()
        .filter_map(|(term, weight)| {
            let at = terms.binary_search(&term).ok()?;
            Some((term, weight * found.rare[at].in_symbols))
        })
        .collect();
    telling.sort_by(|a, b| b.1.total_cmp(&a.1));
    telling.truncate(WORDS);
    let telling: BTreeMap<Term, f32> = telling.into_iter().collect();
    let worth = |of: &BTreeMap<Term, f32>| -> Vec<f32> {
        terms.iter().map(|term| of.get(term).copied().unwrap_or(0.0)).collect()
    };
    let (names, telling) = (worth(&names), worth(&telling));
    files.par_iter().zip(&found.hits).zip(&mut ranking.symbols).for_each(|((file, hits), symbols)| {
        let Some(digest) = file.digest.filter(|_| !hits.is_empty()) else { return };
        let lengths = lengths(digest);
        for hit in hits.iter().filter(|hit| hit.symbol != LOOSE) {
            let (at, term) = (hit.symbol as usize, hit.term as usize);
            if !hit.in_name {
                symbols[at].parts[USES] += names[term] / (1.0 + found.rare[term].symbols as f32).sqrt();
            }
            // Sixty words are a function of ordinary length.
            symbols[at].parts[LIKE_HITS] += telling[term] * saturated(hit.all, lengths[at] as f32 / 60.0, 0.5);
        }
    });
}

/// The words of a symbol and of what is in it, without its documentation.
fn words_of(digest: &Digest, symbol: u32) -> Vec<(Term, u32)> {
    let mut inside = vec![false; digest.symbols.len()];
    for (index, one) in digest.symbols.iter().enumerate() {
        inside[index] = index as u32 == symbol || one.parent.is_some_and(|parent| inside[parent as usize]);
    }
    let mut all: Vec<(Term, u32)> = Vec::new();
    digest.each(|term, post| {
        if post.symbol.is_some_and(|symbol| inside[symbol as usize]) {
            let times = post.in_signature + post.in_code;
            match all.last_mut().filter(|last| last.0 == term) {
                Some(last) => last.1 += times,
                None => all.push((term, times)),
            }
        }
    });
    all
}
