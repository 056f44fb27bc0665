//! Fits the items that nobody set by hand into what a budget leaves: ranks them, lays out their ladders, climbs.
//!
//! Takes what is free and what is fixed; gives what is shown of each free item, with a reason. [`Offer`]s become steps, the steps
//! one order for all budgets, and a budget takes as many of them as are measured to fit.

mod explain;
mod ladder;
mod memo;
mod offer;
mod prices;
mod ranking;
mod trial;

use super::search::climb;
use super::{FreeItem, OverBudget, ShownItem, Writer};
use crate::rank::Passage;
use crate::shape::{Extent, ExtentPart, Tools};
use crate::types::{Fit, ItemKind, LeftOut, Options, Past, Tokens, Why};
use explain::Explainer;
use ladder::{After, Step};
use memo::CodeMemo;
use offer::Offer;
use prices::Prices;
use ranking::RankedItems;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use trial::{Chosen, Trials};

/// What is shown of the free items.
pub struct FittedItems {
    pub shown: Vec<(usize, Box<ShownItem>)>,
    pub left_out: Vec<LeftOut>,
    pub fit: Fit,
}

pub fn fit(
    mut free: Vec<FreeItem<'_>>,
    fixed: &[(usize, Box<ShownItem>)],
    past: &Past,
    options: &Options,
    tools: &Tools<'_>,
    writer: &dyn Writer,
) -> Result<FittedItems, OverBudget> {
    let ranked = ranking::rank(&free, past, options, tools);
    let found = passages(&ranked, &mut free);
    let mut steps = passage_steps(found, &free, options, tools, writer);
    offer(&ranked, &free, options.query.is_some(), &mut steps);
    let memo = CodeMemo { code: tools.code, known: Mutex::default() };
    let tools = &Tools { code: &memo, ..*tools };
    let ladders = Ladders { free: &free, steps: &steps, options, tools, writer };
    let budget = options.budget.unwrap_or(Tokens(u64::MAX));
    let mut trials =
        Trials { ladders, fixed, budget, best: Chosen::new(), last: Chosen::new(), smallest: Tokens(u64::MAX) };
    let least = trials.measure(&[]);
    // With nothing to show but frames, the first thing that is shown decides what is needed.
    let is_bare = fixed.is_empty() && trials.last.is_empty() && !steps.is_empty();
    if least > budget && !is_bare {
        return Err(trials.over(least));
    }
    let mut prices = Prices::new(ladders);
    let (order, taken) = take_steps(&steps, least, &mut prices, &mut trials);
    if taken == 0 && is_bare {
        // Any of the places that were looked at would have been something.
        return Err(trials.over(trials.smallest));
    }
    let mut extents = vec![Extent::default(); free.len()];
    let mut shown = Vec::new();
    for (at, (extent, made)) in std::mem::take(&mut trials.best) {
        let mut made = Box::new(Arc::unwrap_or_clone(made));
        made.pick.why = why_shown(&ranked, &free, at, &extent);
        shown.push((free[at].index, made));
        extents[at] = extent;
    }
    let left_out = (0..free.len())
        .filter(|at| extents[*at].level.is_none())
        .map(|at| LeftOut { path: free[at].item.path.clone(), why: why_left(&ranked, &free, at) })
        .collect();
    let mut fit = summary(&steps, &order, taken, least, budget);
    let explainer =
        Explainer { free: &free, ranking: &ranked.ranking, steps: &steps, order: &order, taken, extents: &extents };
    (fit.last, fit.next) = explainer.border(&mut prices);
    fit.explained = options.explain.as_ref().and_then(|path| explainer.item(path, &mut prices));
    Ok(FittedItems { shown, left_out, fit })
}

/// The free items with their steps, and what is needed to look at them.
#[derive(Clone, Copy)]
struct Ladders<'a> {
    free: &'a [FreeItem<'a>],
    steps: &'a [Step],
    options: &'a Options,
    tools: &'a Tools<'a>,
    writer: &'a dyn Writer,
}

/// Writes down which lines of which items are passages; a step for each.
fn passages(ranked: &RankedItems, free: &mut [FreeItem<'_>]) -> Vec<Step> {
    let step = |passage: &Passage| {
        let place = ranked.outside[passage.file];
        let lines = &mut free[place].passages;
        let part = ExtentPart::Passage(lines.len() as u32);
        lines.push((passage.lines.0 as u64, passage.lines.1 as u64));
        let (gain, cost) = (passage.needed * OUTSIDE, passage.cost);
        Step { item: place as u32, part, after: After::Nothing, gain, cost }
    };
    ranked.passages.iter().map(step).collect()
}

/// Adds the steps of what is in the composition.
fn offer(ranked: &RankedItems, free: &[FreeItem<'_>], has_task: bool, steps: &mut Vec<Step>) {
    for at in ranked.inside.iter().copied() {
        let offer = Offer {
            item: at as u32,
            path: &free[at].item.path,
            top: free[at].top,
            digest: ranked.digests[at].as_deref(),
            size: free[at].item.size,
            // About four bytes a token, as prose has.
            written: free[at].item.written.as_ref().map(|written| written.text.len() as f32 / 4.0),
            has_task,
            file: &ranked.ranking.files[at],
            symbols: &ranked.ranking.symbols[at],
        };
        offer.steps(steps);
    }
}

/// The order of the steps, as far as it matters, and how many of them are taken.
fn take_steps(steps: &[Step], least: Tokens, prices: &mut Prices<'_>, trials: &mut Trials<'_>) -> (Vec<u32>, usize) {
    let everything = trials.fits_everything();
    let mut taken = 0;
    let enough = |order: &[u32]| {
        if everything || trials.fits(order) {
            taken = order.len();
        }
        taken < order.len()
    };
    let order = ladder::order(steps, least.0, |step| prices.of(step), enough);
    if taken < order.len() {
        taken = climb(taken as u64, order.len() as u64, |count| trials.fits(&order[..count as usize])) as usize;
    }
    (order, taken)
}

fn why_shown(ranked: &RankedItems, free: &[FreeItem<'_>], at: usize, extent: &Extent) -> Why {
    let (rank, of) = ranked.place(at);
    if free[at].item.kind == ItemKind::Retrieved {
        return Why::Retrieved { rank, of, passages: extent.counts(0).0 };
    }
    let symbols = ranked.digests[at].as_ref().map_or(0, |digest| digest.symbols.len());
    let (whole, signatures) = extent.counts(symbols);
    Why::Fitted { rank, of, whole, signatures, symbols }
}

fn why_left(ranked: &RankedItems, free: &[FreeItem<'_>], at: usize) -> Why {
    let (rank, of) = ranked.place(at);
    match free[at].item.kind {
        ItemKind::Retrieved if free[at].passages.is_empty() => Why::NotRetrieved { rank, of },
        _ => Why::NoRoom { rank, of },
    }
}

/// How near the choice comes to what no choice can beat: the same steps, taken by gain per token alone, the last one in part.
fn summary(steps: &[Step], order: &[u32], taken: usize, least: Tokens, budget: Tokens) -> Fit {
    let (mut value, mut spent) = (0.0f64, 0.0f64);
    for step in &order[..taken] {
        value += f64::from(steps[*step as usize].gain);
        spent += f64::from(steps[*step as usize].cost);
    }
    let mut best: Vec<(f32, f32)> = steps.iter().map(|step| (step.gain, step.cost)).collect();
    best.sort_by(|a, b| (b.0 / b.1.max(0.1)).total_cmp(&(a.0 / a.1.max(0.1))));
    let next = order.get(taken).map_or(0.0, |step| f64::from(steps[*step as usize].cost));
    let (mut bound, mut room) = (0.0f64, spent + next.min(budget.0.saturating_sub(least.0) as f64));
    for (gain, cost) in best {
        let part = (room / f64::from(cost).max(0.1)).clamp(0.0, 1.0);
        bound += f64::from(gain) * part;
        room -= f64::from(cost);
        if room <= 0.0 {
            break;
        }
    }
    let all: f64 = steps.iter().map(|step| f64::from(step.gain)).sum();
    Fit { value, bound: bound.min(all).max(value), ..Fit::default() }
}

/// The steps of passages that there is room for, measured. They have one order for all sizes of the room, so that more room
/// never shows less.
fn passage_steps(
    steps: Vec<Step>,
    free: &[FreeItem<'_>],
    options: &Options,
    tools: &Tools<'_>,
    writer: &dyn Writer,
) -> Vec<Step> {
    let mut prices = Prices::new(Ladders { free, steps: &steps, options, tools, writer });
    let order = ladder::order(&steps, 0, |step| prices.of(step), |_| false);
    let mut left = options.retrieve.0 as f64;
    let mut kept: BTreeSet<u32> = BTreeSet::new();
    for step in order {
        left -= prices.of(&steps[step as usize]);
        if left < 0.0 {
            break;
        }
        kept.insert(step);
    }
    kept.into_iter().map(|step| steps[step as usize]).collect()
}

/// What everything outside the composition is worth, where everything in it is worth 1: whoever chose it had reasons.
const OUTSIDE: f32 = 0.25;
