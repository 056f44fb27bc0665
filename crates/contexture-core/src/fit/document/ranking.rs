//! What each free item is worth to the task, before anything is priced.
//!
//! Takes the items and the past of their project; gives a digest and a score for each, and the passages of what lies outside
//! the composition. Chooses nothing.

use super::super::FreeItem;
use crate::rank::{self, Digest, LineWeights, Passage, Query, RankEntry, Ranking};
use crate::shape::{self, Tools};
use crate::types::{Body, ItemKind, Options, Past};
use contexture_syntax::Lines;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct RankedItems {
    /// Of each item, as are the scores.
    pub digests: Vec<Option<Arc<Digest>>>,
    pub ranking: Ranking,
    /// Places of the items in the composition, and of those outside.
    pub inside: Vec<usize>,
    pub outside: Vec<usize>,
    /// Their `file` is a place in `outside`.
    pub passages: Vec<Passage>,
    pub query: Option<Query>,
    /// The symbols with changed lines of each item, and those lines.
    pub changed: BTreeMap<(usize, u32), Vec<(u64, u64)>>,
}

pub fn rank(free: &[FreeItem<'_>], past: &Past, options: &Options, tools: &Tools<'_>) -> RankedItems {
    let digests: Vec<Option<Arc<Digest>>> = free.par_iter().map(|free| digest(free, tools)).collect();
    let query = options.query.as_deref().map(Query::parse);
    let (outside, inside): (Vec<usize>, Vec<usize>) =
        (0..free.len()).partition(|at| free[*at].item.kind == ItemKind::Retrieved);
    let entries = |places: &[usize]| places.iter().map(|at| entry(&free[*at], &digests[*at])).collect::<Vec<_>>();
    let rank = |entries: &[RankEntry<'_>]| match &query {
        Some(query) => rank::rank(query, entries, past),
        None => rank::importance(entries, past),
    };
    // Ranked apart: which passages there are depends on nothing but what lies outside.
    let around = entries(&outside);
    let (chosen, rest) = (rank(&entries(&inside)), rank(&around));
    let passages = query.as_ref().map(|query| rank::passages(query, &around, &rest)).unwrap_or_default();
    let mut ranking = Ranking::merged(free.len(), [(&inside, chosen), (&outside, rest)]);
    let changed = raise_changed(free, &digests, past, &mut ranking);
    RankedItems { digests, ranking, inside, outside, passages, query, changed }
}

impl RankedItems {
    /// What the lines of the composition are weighed with; nothing without a task.
    pub fn line_weights(&self, free: &[FreeItem<'_>]) -> Option<LineWeights<'_>> {
        let entries: Vec<RankEntry<'_>> = self.inside.iter().map(|at| entry(&free[*at], &self.digests[*at])).collect();
        self.query.as_ref().map(|query| LineWeights::new(query, &entries))
    }

    /// For each item, which of its symbols the most probable bodies call, and how probable those are; nothing without a task.
    pub fn calls(&self, free: &[FreeItem<'_>]) -> Vec<BTreeMap<u32, f32>> {
        if self.query.is_none() {
            return vec![BTreeMap::new(); free.len()];
        }
        let is_inside = |at: usize| self.inside.binary_search(&at).is_ok();
        let digest = |at: usize| if is_inside(at) { &self.digests[at] } else { &None };
        let entries: Vec<RankEntry<'_>> = (0..free.len()).map(|at| entry(&free[at], digest(at))).collect();
        rank::calls(&entries, &self.ranking)
    }

    /// The rank of an item, from 1, and among how many.
    pub fn place(&self, at: usize) -> (u32, u32) {
        let of = if self.outside.binary_search(&at).is_ok() { &self.outside } else { &self.inside };
        (self.ranking.files[at].rank + 1, of.len() as u32)
    }
}

/// What a changed symbol has beyond its own probability: more than all others together, so that it is shown before them.
const CHANGED: f32 = 2.0;

/// Gives the innermost symbols around changed lines more than every other symbol has.
fn raise_changed(
    free: &[FreeItem<'_>],
    digests: &[Option<Arc<Digest>>],
    past: &Past,
    ranking: &mut Ranking,
) -> BTreeMap<(usize, u32), Vec<(u64, u64)>> {
    let mut changed: BTreeMap<(usize, u32), Vec<(u64, u64)>> = BTreeMap::new();
    for (at, item) in free.iter().map(|free| free.item).enumerate().filter(|(_, item)| item.kind == ItemKind::File) {
        let (Some(ranges), Body::Text { text, .. }) = (past.changed.get(&item.path), &item.body) else { continue };
        let Some(digest) = digests[at].as_deref() else { continue };
        let lines = Lines::of(text);
        let spans: Vec<(u64, u64)> = digest
            .symbols
            .iter()
            .map(|symbol| {
                let last = symbol.span.end.max(symbol.span.start + 1) - 1;
                (lines.line(symbol.span.start) as u64, lines.line(last) as u64)
            })
            .collect();
        for range in ranges {
            // Symbols inside others come after them.
            let overlaps = |symbol: &usize| spans[*symbol].0 <= range.1 && range.0 <= spans[*symbol].1;
            let touched: Vec<usize> = (0..spans.len()).filter(overlaps).collect();
            let is_around = |outer: usize| {
                touched.iter().any(|inner| {
                    digest.symbols[*inner].parent == u32::try_from(outer).ok()
                        && spans[*inner].0 <= range.0
                        && range.1 <= spans[*inner].1
                })
            };
            for symbol in touched.iter().copied().filter(|symbol| !is_around(*symbol)) {
                changed.entry((at, symbol as u32)).or_default().push(*range);
            }
        }
        ranking.files[at].probability += CHANGED;
    }
    for (at, symbol) in changed.keys() {
        ranking.symbols[*at][*symbol as usize].probability += CHANGED;
    }
    changed
}

fn digest(free: &FreeItem<'_>, tools: &Tools<'_>) -> Option<Arc<Digest>> {
    let Body::Text { text, .. } = &free.item.body else { return None };
    // The text of a notebook is not what is shown of it: no line of it is a passage.
    let is_rewritten = free.item.kind == ItemKind::Retrieved && shape::is_notebook(&free.item.path);
    if !matches!(free.nature, shape::FileNature::Ordinary) || is_rewritten {
        return None;
    }
    let language = shape::language_of(free.item, text);
    Some(tools.code.digest(language, text, shape::TextForm::of(free.item), free.item.hash.as_ref()))
}

fn entry<'a>(free: &'a FreeItem<'_>, digest: &'a Option<Arc<Digest>>) -> RankEntry<'a> {
    RankEntry {
        path: &free.item.path,
        digest: digest.as_deref(),
        text: match &free.item.body {
            Body::Text { text, .. } => Some(text),
            _ => None,
        },
    }
}
