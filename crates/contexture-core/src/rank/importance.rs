//! What to show of a project when nobody says what for: what the rest is built on, where it begins, what describes it.
//!
//! Takes paths, digests and the history; gives the same [`Ranking`] as a task does. Its parts are shares: of each kind, all files (or all
//! symbols) together have 1, and a probability is their weighted sum. So a project of ten files and one of ten thousand
//! give the same part of the whole to their read-me.

use super::parts::*;
use super::past::CommitHistory;
use super::roles::{OTHER, Roles, roles};
use super::score::{Basis, FileScore, Ranking, SymbolScore, in_tests, ranks};
use super::uses::{Uses, uses};
use super::{Digest, RankEntry, paths};
use crate::types::Past;

/// A text without symbols tells about the code, but is not it; of what has no text there is only the name.
const PROSE: f32 = 0.15;
const NO_TEXT: f32 = 0.02;
/// How much of the walk begins at prose, other than the read-me: it says names, and often those of the past.
const PROSE_BEGINS: f32 = 0.02;
/// Below 1, what is used ten times as much is not ten times as important.
const FLATTER: f32 = 0.7;

/// Ranks files without a task: by what the rest is built on, where the project begins, what describes it, and what was changed of
/// late. The order of `files` makes no difference.
pub fn importance(files: &[RankEntry<'_>], past: &Past) -> Ranking {
    // Sums depend on the order of what is added, so there is one order.
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|index| files[*index].path);
    let sorted: Vec<RankEntry<'_>> = order.iter().map(|index| files[*index]).collect();
    let (scores, symbols) = shares(&sorted, &CommitHistory::of(past, &sorted));
    let mut back: Vec<(usize, FileScore, Vec<SymbolScore>)> =
        order.into_iter().zip(scores).zip(symbols).map(|((index, file), symbols)| (index, file, symbols)).collect();
    back.sort_by_key(|(index, ..)| *index);
    let (files, symbols) = back.into_iter().map(|(_, file, symbols)| (file, symbols)).unzip();
    Ranking { files, symbols, basis: Basis::Importance, matches: false }
}

fn shares(files: &[RankEntry<'_>], known: &CommitHistory<'_>) -> (Vec<FileScore>, Vec<Vec<SymbolScore>>) {
    let roles: Vec<Roles> = files.iter().map(|file| roles(file.path)).collect();
    let begin: Vec<f32> = files.iter().zip(&roles).map(|(file, roles)| begin(file, roles)).collect();
    let Uses { files: came, symbols: used } = uses(files, &begin);

    let mut scores: Vec<FileScore> = files
        .iter()
        .zip(&roles)
        .zip(came)
        .map(|((file, roles), came)| {
            let mut parts = [0.0; FILE];
            let has_text = file.digest.is_some_and(|digest| digest.cost > 4);
            let text = if has_text { 1.0 } else { NO_TEXT };
            parts[F_USED] = came.powf(FLATTER) * text * roles.own;
            parts[F_README] = roles.readme * text;
            parts[F_MANIFEST] = roles.manifest * text;
            parts[F_ENTRY] = roles.entry * text;
            parts[F_SHALLOW] = roles.shallow * roles.own * nature(file);
            FileScore { parts, score: 0.0, probability: 0.0, rank: 0 }
        })
        .collect();
    for (file, value) in known.open() {
        scores[file].parts[F_OPEN] = value;
    }
    for (file, value) in known.together(known.open().collect()) {
        scores[file].parts[F_TOGETHER] = value;
    }
    for (file, value) in known.recent() {
        scores[file].parts[F_RECENT] = value;
    }
    for part in [F_USED, F_README, F_MANIFEST, F_ENTRY, F_SHALLOW, F_OPEN, F_TOGETHER, F_RECENT] {
        normalise(scores.iter_mut().map(|file| &mut file.parts[part]));
    }
    for file in &mut scores {
        file.score = dot(&file.parts, &FILE_IMPORTANCE);
        file.probability = file.score;
    }
    normalise(scores.iter_mut().map(|file| &mut file.probability));
    let places = ranks(scores.iter().map(|file| file.probability));
    for ((file, rank), one) in scores.iter_mut().zip(places).zip(files) {
        file.rank = rank;
        file.parts[F_TEST] = if paths::is_test(one.path) { 1.0 } else { 0.0 };
        file.parts[F_ASIDE] = if paths::is_aside(one.path) { 1.0 } else { 0.0 };
    }

    let mut symbols: Vec<Vec<SymbolScore>> = used
        .iter()
        .zip(files)
        .zip(scores.iter().zip(&roles))
        .map(|((used, file), (score, roles))| {
            file.digest.map_or_else(Vec::new, |digest| of_file(digest, used, score, roles.own))
        })
        .collect();
    for part in [USED_OUTSIDE, SHARE] {
        normalise(symbols.iter_mut().flatten().map(|symbol| &mut symbol.parts[part]));
    }
    for symbol in symbols.iter_mut().flatten() {
        symbol.score = dot(&symbol.parts, &SYMBOL_IMPORTANCE);
        symbol.probability = symbol.score;
    }
    normalise(symbols.iter_mut().flatten().map(|symbol| &mut symbol.probability));
    (scores, symbols)
}

/// How much of the walk begins at a file. The read-me names what people are to use.
fn begin(file: &RankEntry<'_>, roles: &Roles) -> f32 {
    match file.digest {
        None => 0.0,
        Some(digest) if digest.symbols.is_empty() && roles.entry == 0.0 => {
            roles.own * (PROSE_BEGINS + roles.readme * 5.0)
        }
        Some(_) => roles.own * (1.0 + roles.entry * 3.0),
    }
}

/// What kind of text counts how much by itself.
fn nature(file: &RankEntry<'_>) -> f32 {
    match file.digest {
        None => NO_TEXT,
        Some(digest) if digest.symbols.is_empty() => PROSE,
        Some(_) => 1.0,
    }
}

fn of_file(digest: &Digest, used: &[f32], file: &FileScore, own: f32) -> Vec<SymbolScore> {
    let mut symbols: Vec<SymbolScore> = digest
        .symbols
        .iter()
        .zip(used)
        .zip(in_tests(digest))
        .map(|((symbol, used), is_test)| {
            let mut parts = [0.0; SYMBOL];
            let own = if is_test { own.min(OTHER) } else { own };
            parts[USED_OUTSIDE] = used.powf(FLATTER) * own;
            // Types and functions at the top tell what a file is; values and what is further inside tell less.
            let kind = if symbol.kind.is_value() { 0.15 } else { 1.0 };
            parts[SHARE] = kind * if symbol.parent.is_some() { 0.3 } else { 1.0 } * if is_test { OTHER } else { 1.0 };
            parts[TEST] = if is_test { 1.0 } else { file.parts[F_TEST] };
            parts[ASIDE] = file.parts[F_ASIDE];
            SymbolScore { parts, score: 0.0, learned: 0.0, probability: 0.0 }
        })
        .collect();
    // One value does not stand for a whole file.
    let all = symbols.iter().map(|symbol| symbol.parts[SHARE]).sum::<f32>().max(1.0);
    symbols.iter_mut().for_each(|symbol| symbol.parts[SHARE] *= file.probability / all);
    symbols
}

/// Makes shares sum up to 1, if there are any.
fn normalise<'a>(shares: impl Iterator<Item = &'a mut f32>) {
    let shares: Vec<&mut f32> = shares.collect();
    let sum: f64 = shares.iter().map(|share| f64::from(**share)).sum();
    if sum > 0.0 {
        shares.into_iter().for_each(|share| *share = (f64::from(*share) / sum) as f32);
    }
}
