//! What a task needs, as a list: files and symbols by relevance, and the passages that answer it.
//!
//! Takes the items that passages may come from; gives the same ranking that documents are fitted by. Chooses nothing.

use super::super::{FreeItem, Writer};
use super::prices::Prices;
use super::{Ladders, passage_steps, passages, ranking};
use crate::rank::{self, file_reasons, symbol_reasons};
use crate::shape::{self, ExtentPart, Tools};
use crate::types::{FileHit, Options, PassageHit, Past, SearchHits, SymbolHit};
use std::collections::BTreeMap;

/// How many reasons a hit has.
const REASONS: usize = 3;

/// The `top` files and symbols, and passages for as many tokens as [`Options::retrieve`] allows.
pub fn search(
    mut free: Vec<FreeItem<'_>>,
    past: &Past,
    top: usize,
    options: &Options,
    tools: &Tools<'_>,
    writer: &dyn Writer,
) -> SearchHits {
    let ranked = ranking::rank(&free, past, options, tools);
    let steps = passages(&ranked, &mut free);
    let steps = passage_steps(steps, &free, options, tools, writer);
    let ranking = &ranked.ranking;
    if !ranking.matches {
        return SearchHits { ranked: free.len(), ..SearchHits::default() };
    }
    let mut files: Vec<usize> = ranked.outside.clone();
    files.sort_by_key(|at| (ranking.files[*at].rank, *at));
    let of_file = |at: &usize| FileHit {
        path: free[*at].item.path.clone(),
        score: ranking.files[*at].probability,
        reasons: telling(file_reasons(&ranking.files[*at], ranking.basis)),
    };
    let mut symbols: Vec<(usize, usize, f32)> = Vec::new();
    for at in &ranked.outside {
        let scores = ranking.symbols[*at].iter().enumerate();
        symbols.extend(scores.map(|(symbol, score)| (*at, symbol, score.probability)));
    }
    symbols.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
    let mut prices = Prices::new(Ladders { free: &free, steps: &steps, options, tools, writer });
    let mut of_symbol = |(at, symbol, score): (usize, usize, f32)| {
        let place = prices.place(at as u32, symbol as u32)?;
        Some(SymbolHit {
            path: free[at].item.path.clone(),
            qualified: prices.name(at as u32, symbol as u32)?,
            kind: place.kind,
            lines: place.lines,
            score,
            reasons: telling(symbol_reasons(&ranking.symbols[at][symbol], ranking.basis)),
        })
    };
    let symbols = symbols.into_iter().filter_map(&mut of_symbol).take(top).collect();
    let mut found: BTreeMap<(u32, usize), Vec<(u64, u64)>> = BTreeMap::new();
    for step in &steps {
        let ExtentPart::Passage(nth) = step.part else { continue };
        let at = step.item as usize;
        let lines = free[at].passages.get(nth as usize).copied();
        found.entry((ranking.files[at].rank, at)).or_default().extend(lines);
    }
    let passages = found
        .into_iter()
        .map(|((rank, at), lines)| {
            let view = shape::passages(free[at].item, &lines, options);
            let (lines, text) = (view.label.clone().unwrap_or_default(), view.text.clone());
            let tokens = writer.item(free[at].item, view, free[at].why.clone()).pick.tokens;
            PassageHit { path: free[at].item.path.clone(), lines, rank: rank + 1, text, tokens }
        })
        .collect();
    SearchHits {
        files: files.iter().take(top).map(of_file).collect(),
        symbols,
        passages,
        ranked: free.len(),
        matches: true,
    }
}

fn telling(reasons: Vec<(&'static str, f64)>) -> Vec<&'static str> {
    let mut telling: Vec<&'static str> = Vec::new();
    for (name, _) in reasons.into_iter().filter(|(name, weight)| *weight > 0.0 && !rank::PLAIN.contains(name)) {
        // Two ways of weighing the same words are one reason.
        let kind = |name: &'static str| name.split(',').next();
        if telling.len() < REASONS && !telling.iter().any(|known| kind(known) == kind(name)) {
            telling.push(name);
        }
    }
    telling
}
