//! What each free item is worth to the task, before anything is priced.
//!
//! Takes the items and the past of their project; gives a digest and a score for each, and the passages of what lies outside
//! the composition. Chooses nothing.

use super::super::FreeItem;
use crate::rank::{self, Digest, Passage, Query, RankEntry, Ranking};
use crate::shape::{self, Tools};
use crate::types::{Body, ItemKind, Options, Past};
use rayon::prelude::*;
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
    let ranking = Ranking::merged(free.len(), [(&inside, chosen), (&outside, rest)]);
    RankedItems { digests, ranking, inside, outside, passages }
}

impl RankedItems {
    /// The rank of an item, from 1, and among how many.
    pub fn place(&self, at: usize) -> (u32, u32) {
        let of = if self.outside.binary_search(&at).is_ok() { &self.outside } else { &self.inside };
        (self.ranking.files[at].rank + 1, of.len() as u32)
    }
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
