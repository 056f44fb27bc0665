//! Fits the items that nobody set by hand into what a budget leaves: ranks them, lays out their ladders, climbs.
//!
//! Takes what is free and what is fixed; gives what is shown of each free item, with a reason. The choice itself is made in
//! `fit`, from numbers; here the numbers are gathered and the real bytes are measured.

mod explain;
mod guess;
pub(crate) mod layers;
mod once;
pub(crate) mod path;
mod prices;
mod ranked;

use crate::compile::{Free, Made, Tools};
use crate::fit::{self, After, Extent, Offered, OverBudget, Part, Step};
use crate::model::{Fit, ItemKind, LeftOut, Snapshot, Tokens, Why};
use crate::options::Options;
use crate::rank::Passage;
use explain::Story;
use guess::{Chosen, Fitting};
use once::Once;
use prices::Prices;
use ranked::Ranked;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

pub(crate) struct Fitted {
    pub shown: Vec<(usize, Box<Made>)>,
    pub left_out: Vec<LeftOut>,
    pub fit: Fit,
}

pub(crate) fn fit(
    snapshot: &Snapshot,
    mut free: Vec<Free<'_>>,
    fixed: &[(usize, Box<Made>)],
    options: &Options,
    tools: &Tools<'_>,
) -> Result<Fitted, OverBudget> {
    let ranked = ranked::ranked(&free, &snapshot.past, options, tools);
    let found = passages(&ranked, &mut free);
    let mut steps = retrieved(found, &free, options, tools);
    offer(&ranked, &free, options.query.is_some(), &mut steps);
    let once = Once { code: tools.code, known: Mutex::default() };
    let tools = &Tools { code: &once, ..*tools };
    let ladders = Ladders { free: &free, steps: &steps, options, tools };
    let budget = options.budget.unwrap_or(Tokens(u64::MAX));
    let mut fitting = Fitting {
        snapshot,
        ladders,
        fixed,
        budget,
        best: Chosen::new(),
        last: Chosen::new(),
        smallest: Tokens(u64::MAX),
    };
    let least = fitting.measure(&[]);
    // With nothing to show but frames, the first thing that is shown decides what is needed.
    let is_bare = fixed.is_empty() && fitting.last.is_empty() && !steps.is_empty();
    if least > budget && !is_bare {
        return Err(fitting.over(least));
    }
    let mut prices = Prices::new(ladders);
    let (order, taken) = climbed(&steps, least, &mut prices, &mut fitting);
    if taken == 0 && is_bare {
        // Any of the places that were looked at would have been something.
        return Err(fitting.over(fitting.smallest));
    }
    let mut extents = vec![Extent::default(); free.len()];
    let mut shown = Vec::new();
    for (at, (extent, made)) in std::mem::take(&mut fitting.best) {
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
    let story = Story { free: &free, ranking: &ranked.ranking, steps: &steps, order: &order, taken, extents: &extents };
    (fit.last, fit.next) = story.border(&mut prices);
    fit.explained = options.explain.as_ref().and_then(|path| story.item(path, &mut prices));
    Ok(Fitted { shown, left_out, fit })
}

/// The free items with their steps, and what is needed to look at them.
#[derive(Clone, Copy)]
struct Ladders<'a> {
    free: &'a [Free<'a>],
    steps: &'a [Step],
    options: &'a Options,
    tools: &'a Tools<'a>,
}

/// Writes down which lines of which items are passages; a step for each.
fn passages(ranked: &Ranked, free: &mut [Free<'_>]) -> Vec<Step> {
    let step = |passage: &Passage| {
        let place = ranked.outside[passage.file];
        let lines = &mut free[place].passages;
        let part = Part::Passage(lines.len() as u32);
        lines.push((passage.lines.0 as u64, passage.lines.1 as u64));
        let (gain, cost) = (passage.needed * OUTSIDE, passage.cost);
        Step { item: place as u32, part, after: After::Nothing, gain, cost }
    };
    ranked.passages.iter().map(step).collect()
}

/// Adds the steps of what is in the composition.
fn offer(ranked: &Ranked, free: &[Free<'_>], has_task: bool, steps: &mut Vec<Step>) {
    for at in ranked.inside.iter().copied() {
        let offered = Offered {
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
        fit::steps(&offered, steps);
    }
}

/// The order of the steps, as far as it matters, and how many of them are taken.
fn climbed(steps: &[Step], least: Tokens, prices: &mut Prices<'_>, fitting: &mut Fitting<'_>) -> (Vec<u32>, usize) {
    let everything = fitting.fits_everything();
    let mut taken = 0;
    let enough = |order: &[u32]| {
        if everything || fitting.fits(order) {
            taken = order.len();
        }
        taken < order.len()
    };
    let order = fit::order(steps, least.0, |step| prices.of(step), enough);
    if taken < order.len() {
        taken = fit::climb(taken, order.len(), |count| fitting.fits(&order[..count]));
    }
    (order, taken)
}

fn why_shown(ranked: &Ranked, free: &[Free<'_>], at: usize, extent: &Extent) -> Why {
    let (rank, of) = ranked.place(at);
    if free[at].item.kind == ItemKind::Retrieved {
        return Why::Retrieved { rank, of, passages: extent.counts(0).0 };
    }
    let symbols = ranked.digests[at].as_ref().map_or(0, |digest| digest.symbols.len());
    let (whole, signatures) = extent.counts(symbols);
    Why::Fitted { rank, of, whole, signatures, symbols }
}

fn why_left(ranked: &Ranked, free: &[Free<'_>], at: usize) -> Why {
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
fn retrieved(steps: Vec<Step>, free: &[Free<'_>], options: &Options, tools: &Tools<'_>) -> Vec<Step> {
    let mut prices = Prices::new(Ladders { free, steps: &steps, options, tools });
    let order = fit::order(&steps, 0, |step| prices.of(step), |_| false);
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
