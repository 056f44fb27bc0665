//! What each free item is worth to the task, before anything is priced.
//!
//! Takes the items and the past of their project; gives a digest and a score for each, and the passages of what lies outside
//! the composition. Chooses nothing.

use super::super::FreeItem;
use crate::rank::{self, Digest, LineWeights, Passage, Query, RankEntry, Ranking};
use crate::shape::{self, Tools};
use crate::types::{Body, ItemKind, Options, Past};
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
    RankedItems { digests, ranking, inside, outside, passages, query }
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
