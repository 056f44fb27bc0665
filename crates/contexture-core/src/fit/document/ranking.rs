//! What each free item is worth to the task, before anything is priced.
//!
//! Takes the items and the past of their project; gives a digest and a score for each, and the passages of what lies outside
//! the composition. Chooses nothing.

use super::super::FreeItem;
use crate::rank::{self, Callers, Digest, LineWeights, Passage, Query, RankEntry, Ranking};
use crate::shape::{self, Tools};
use crate::types::{Body, ItemKind, Options, Past};
use contexture_syntax::Lines;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
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
    let query = options.query.as_deref().map(Query::parse);
    let (outside, inside): (Vec<usize>, Vec<usize>) =
        (0..free.len()).partition(|at| free[*at].item.kind == ItemKind::Retrieved);
    let mut digests: Vec<Option<Arc<Digest>>> = vec![None; free.len()];
    let mut unparsed = BTreeSet::new();
    for places in [&inside, &outside] {
        unparsed.extend(read(free, places, (query.as_ref(), PARSED), tools, &mut digests));
    }
    // Source that is not parsed has no sections, as prose has.
    let entry_of = |at: &usize| {
        let entry = entry(&free[*at], &digests[*at]);
        RankEntry { text: entry.text.filter(|_| !unparsed.contains(at)), ..entry }
    };
    let entries = |places: &[usize]| places.iter().map(entry_of).collect::<Vec<_>>();
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
    /// Whether there is a task with words and none of them occurs in the project. A task without words has a note of its own.
    pub fn is_unmatched(&self) -> bool {
        self.query.as_ref().is_some_and(|query| !query.terms.is_empty()) && !self.ranking.matches
    }

    /// What the lines of the composition are weighed with; nothing without a task.
    pub fn line_weights(&self, free: &[FreeItem<'_>]) -> Option<LineWeights<'_>> {
        let entries: Vec<RankEntry<'_>> = self.inside.iter().map(|at| entry(&free[*at], &self.digests[*at])).collect();
        self.query.as_ref().map(|query| LineWeights::new(query, &entries))
    }

    /// For each item, which of its symbols the most probable bodies call, with the callers; nothing without a task.
    pub fn calls(&self, free: &[FreeItem<'_>]) -> Vec<BTreeMap<u32, Callers>> {
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

/// The most bytes of source that are parsed for a task, the files whose words match it best first: parsing is ten times as slow as
/// reading words, and files after those are hardly shown. It is a million tokens, as much as the largest windows hold. On 63 tasks,
/// 4, 6 and 12 MiB show equally many of the needed bodies, and a first run over django takes 0.62, 0.74 and 1.06 s. It must not
/// depend on the budget, or a larger budget could have a lower total gain.
const PARSED: usize = 4 << 20;

/// Reads the words of some items, and the symbols of those that can matter for the query, up to `most` bytes. Gives the items whose
/// symbols are not read.
fn read(
    free: &[FreeItem<'_>],
    places: &[usize],
    (query, most): (Option<&Query>, usize),
    tools: &Tools<'_>,
    digests: &mut [Option<Arc<Digest>>],
) -> Vec<usize> {
    let of_source = |at: &usize| match &free[*at].item.body {
        Body::Text { text, .. } if shape::language_of(free[*at].item, text).is_some() => text.len(),
        _ => 0,
    };
    let sizes: Vec<usize> = places.par_iter().map(of_source).collect();
    let fill = |digests: &mut [Option<Arc<Digest>>], places: &[usize], is_parsed: bool| {
        let made: Vec<_> = places.par_iter().map(|at| digest(&free[*at], is_parsed, tools)).collect();
        places.iter().zip(made).for_each(|(at, digest)| digests[*at] = digest);
    };
    let Some(query) = query.filter(|_| sizes.iter().sum::<usize>() > most) else {
        fill(digests, places, true);
        return Vec::new();
    };
    fill(digests, places, false);
    let entries: Vec<RankEntry<'_>> = places.iter().map(|at| entry(&free[*at], &digests[*at])).collect();
    let scores = rank::glance(query, &entries);
    let mut order: Vec<usize> = (0..places.len()).filter(|at| sizes[*at] > 0).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut left = most;
    let (first, rest): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|at| {
        let fits = sizes[*at] <= left;
        left -= if fits { sizes[*at] } else { 0 };
        fits
    });
    let place = |at: usize| places[at];
    fill(digests, &first.into_iter().map(place).collect::<Vec<_>>(), true);
    rest.into_iter().map(place).collect()
}

/// The digest of an item; without symbols unless `is_parsed`.
fn digest(free: &FreeItem<'_>, is_parsed: bool, tools: &Tools<'_>) -> Option<Arc<Digest>> {
    let Body::Text { text, .. } = &free.item.body else { return None };
    // The text of a notebook is not what is shown of it: no line of it is a passage.
    let is_rewritten = free.item.kind == ItemKind::Retrieved && shape::is_notebook(&free.item.path);
    if !matches!(free.nature, shape::FileNature::Ordinary) || is_rewritten {
        return None;
    }
    let language = shape::language_of(free.item, text).filter(|_| is_parsed);
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::shape::{FileNature, InProcess};
    use crate::types::{Item, Level, Why};
    use crate::{Forgetful, Meter, Tokenizer};

    /// Which of twenty sources have symbols, when a query lets this many bytes be parsed.
    fn parsed(query: Option<&str>, most: usize) -> Vec<usize> {
        let says = |at: usize| if at.is_multiple_of(2) { "rounding_of_interest" } else { "window_of_glass" };
        let source = |at: usize| format!("def {}_{at:02}():\n    return {at:02}\n", says(at));
        let items: Vec<Item> = (0..20).map(|at| Item::file(&format!("src/{at:02}.py"), &source(at))).collect();
        let free: Vec<FreeItem<'_>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| FreeItem {
                index,
                item,
                nature: FileNature::Ordinary,
                top: Level::Full,
                why: Why::ForceFull,
                rank: 0,
                is_unmatched: false,
                passages: Vec::new(),
                hunks: BTreeMap::new(),
            })
            .collect();
        let places: Vec<usize> = (0..free.len()).collect();
        let mut digests = vec![None; free.len()];
        let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
        let query = query.map(Query::parse);
        let unparsed = read(&free, &places, (query.as_ref(), most), &tools, &mut digests);
        let has_symbols = |at: &usize| !digests[*at].as_ref().unwrap().symbols.is_empty();
        let parsed: Vec<usize> = places.into_iter().filter(has_symbols).collect();
        assert_eq!(parsed.len() + unparsed.len(), free.len());
        parsed
    }

    #[test]
    fn of_much_source_what_matches_is_parsed() {
        let all: Vec<usize> = (0..20).collect();
        assert_eq!(
            parsed(Some("rounding of interest is wrong"), 470),
            all.iter().copied().step_by(2).collect::<Vec<_>>()
        );
        assert_eq!(parsed(Some("rounding of interest is wrong"), 10_000), all);
        assert_eq!(parsed(None, 470), all);
    }
}
