//! Documents that might do: made, measured, and the best one kept.

use super::super::{FreeItem, OverBudget, ShownItem, sort_shown};
use super::Ladders;
use super::ladder::Step;
use crate::shape::{self, Extent, ExtentPart};
use crate::types::{ItemKind, SelectedBy, Tokens};
use contexture_syntax::SymbolExtent;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most tokens of a step that are not text: a heading, a frame, a mark.
const AROUND: f64 = 40.0;

/// What is shown of some free items, by their place.
pub type Chosen = BTreeMap<usize, (Extent, Arc<ShownItem>)>;

/// What was made so far, so that a guess costs only what it changes.
pub struct Trials<'a> {
    pub ladders: Ladders<'a>,
    pub fixed: &'a [(usize, Box<ShownItem>)],
    pub budget: Tokens,
    /// The last choice that fitted, and the last that was measured.
    pub best: Chosen,
    pub last: Chosen,
    /// The least that was measured with a step taken.
    pub smallest: Option<OverBudget>,
}

impl Trials<'_> {
    /// Whether the document without a budget is within it. It is only made where it is likely to have up to `room` tokens: estimates of
    /// texts are never four times too high, and those of what is around the parts of a file may be.
    pub fn fits_everything(&mut self, room: Tokens) -> bool {
        let likely: f64 = self.ladders.steps.iter().map(|step| f64::from(step.cost)).sum();
        let around = AROUND * self.ladders.steps.len() as f64;
        let all: Vec<u32> = (0..self.ladders.steps.len() as u32).collect();
        likely - around <= 4.0 * room.0 as f64 && self.fits(&all)
    }

    /// Whether the document after some steps is within the budget.
    pub fn fits(&mut self, steps: &[u32]) -> bool {
        self.measure(steps) <= self.budget
    }

    pub fn measure(&mut self, steps: &[u32]) -> Tokens {
        let mut chosen = Chosen::new();
        let mut missing = Vec::new();
        for (at, extent) in self.extents(steps) {
            let known =
                [&self.best, &self.last].into_iter().find_map(|known| known.get(&at).filter(|one| one.0 == extent));
            match known {
                Some((_, made)) => {
                    chosen.insert(at, (extent, made.clone()));
                }
                None => missing.push((at, extent)),
            }
        }
        let new: Vec<Arc<ShownItem>> =
            missing.par_iter().map(|(at, extent)| Arc::new(self.show(*at, extent))).collect();
        chosen.extend(missing.into_iter().zip(new).map(|((at, extent), made)| (at, (extent, made))));
        let free = chosen.iter().map(|(at, (_, made))| (self.ladders.free[*at].index, &**made));
        let mut all: Vec<(usize, &ShownItem)> =
            self.fixed.iter().map(|(index, made)| (*index, &**made)).chain(free).collect();
        sort_shown(&mut all, self.ladders.options.order);
        let measured = self.ladders.writer.measure_items(&all);
        if measured <= self.budget {
            self.best = chosen.clone();
        }
        self.last = chosen;
        if !steps.is_empty() && self.smallest.as_ref().is_none_or(|known| measured < known.needed) {
            self.smallest = Some(self.over(measured));
        }
        measured
    }

    /// How much is shown of what is shown at all. What was named by hand is there at least by name.
    fn extents(&self, steps: &[u32]) -> BTreeMap<usize, Extent> {
        let mut extents: BTreeMap<usize, Extent> = BTreeMap::new();
        for (at, _) in
            self.ladders.free.iter().enumerate().filter(|(_, free)| free.item.selected_by == SelectedBy::Path)
        {
            extents.entry(at).or_default().take(ExtentPart::Name);
        }
        for step in steps {
            let Step { item, part, .. } = self.ladders.steps[*step as usize];
            extents.entry(item as usize).or_default().take(part);
        }
        extents
    }

    fn show(&self, at: usize, extent: &Extent) -> ShownItem {
        let Ladders { free, options, tools, writer, .. } = self.ladders;
        let FreeItem { item, nature, top, why, rank, is_unmatched, passages, hunks, .. } = &free[at];
        let view = if item.kind == ItemKind::Retrieved {
            let is_shown = |at: &usize| extent.shown.get(*at) == Some(&SymbolExtent::Whole);
            let shown: Vec<(u64, u64)> = (0..passages.len()).filter(is_shown).map(|at| passages[at]).collect();
            shape::passages(item, &shown, options)
        } else {
            shape::extent(item, (extent, hunks), *top, nature, options, tools)
        };
        ShownItem { rank: *rank, is_unmatched: *is_unmatched, ..writer.item(item, view, why.clone()) }
    }

    /// What was measured last is too much.
    pub fn over(&self, needed: Tokens) -> OverBudget {
        let all = self.fixed.iter().map(|(_, made)| &**made).chain(self.last.values().map(|(_, made)| &**made));
        OverBudget::new(all.map(|made| (made.pick.path.clone(), made.pick.tokens)), needed, self.budget)
    }
}
