//! Fits the items that nobody set by hand into what a budget leaves: ranks them, lays out their ladders, climbs.
//!
//! Takes what is free and what is fixed; gives what is shown of each free item, with a reason. The choice itself is made in
//! `fit`, from numbers; here the numbers are gathered and the real bytes are measured.

mod explain;
mod guess;
pub(crate) mod layers;
mod once;
mod prices;

use crate::compile::{Free, Made, Tools};
use crate::fit::{self, After, Extent, Offered, OverBudget, Part, Step};
use crate::model::{Body, Fit, ItemKind, LeftOut, Snapshot, Tokens, Why};
use crate::options::Options;
use crate::rank::{self, Digest, Entry, Passage, Query, Ranking};
use crate::shape;
use explain::Story;
use guess::Fitting;
use once::Once;
use prices::Prices;
use rayon::prelude::*;
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
    let digests: Vec<Option<Arc<Digest>>> = free.par_iter().map(|free| digest(free, tools)).collect();
    let query = options.query.as_deref().map(Query::parse);
    let (outside, inside): (Vec<usize>, Vec<usize>) =
        (0..free.len()).partition(|at| free[*at].item.kind == ItemKind::Retrieved);
    let entries = |places: &[usize]| places.iter().map(|at| entry(&free[*at], &digests[*at])).collect::<Vec<_>>();
    let rank = |entries: &[Entry<'_>]| match &query {
        Some(query) => rank::rank(query, entries, &snapshot.past),
        None => rank::importance(entries, &snapshot.past),
    };
    // Ranked apart: which passages there are depends on nothing but what lies outside.
    let around = entries(&outside);
    let (chosen, rest) = (rank(&entries(&inside)), rank(&around));
    let found: Vec<Passage> = query.as_ref().map(|query| rank::passages(query, &around, &rest)).unwrap_or_default();
    let ranking = Ranking::merged(free.len(), [(&inside, chosen), (&outside, rest)]);
    let budget = options.budget.unwrap_or(Tokens(u64::MAX));
    let mut steps = Vec::new();
    for passage in found {
        let place = outside[passage.file];
        let one = &mut free[place];
        let part = Part::Passage(one.passages.len() as u32);
        one.passages.push((passage.lines.0 as u64, passage.lines.1 as u64));
        let (item, after, gain, cost) = (place as u32, After::Nothing, passage.needed * OUTSIDE, passage.cost);
        steps.push(Step { item, part, after, gain, cost });
    }
    let mut steps = retrieved(steps, &free, options, tools);
    for at in inside.iter().copied() {
        let free = &free[at];
        let offered = Offered {
            item: at as u32,
            path: &free.item.path,
            top: free.top,
            digest: digests[at].as_deref(),
            size: free.item.size,
            file: &ranking.files[at],
            symbols: &ranking.symbols[at],
        };
        fit::steps(&offered, &mut steps);
    }
    let once = Once { code: tools.code, known: Mutex::default() };
    let tools = &Tools { code: &once, ..*tools };
    let mut fitting = Fitting::new(snapshot, &free, &steps, fixed, budget, options, tools);
    let least = fitting.measure(&[]);
    // With nothing to show but frames, the first thing that is shown decides what is needed.
    let is_bare = fixed.is_empty() && fitting.last.is_empty() && !steps.is_empty();
    if least > budget && !is_bare {
        return Err(fitting.over(least));
    }
    let mut prices = Prices::new(&steps, &free, options, tools);
    let everything = fitting.fits_everything();
    let mut taken = 0;
    let order = fit::order(
        &steps,
        least.0,
        |step| prices.of(step),
        |order| {
            if everything || fitting.fits(order) {
                taken = order.len();
            }
            taken < order.len()
        },
    );
    if taken < order.len() {
        taken = fit::climb(taken, order.len(), |count| fitting.fits(&order[..count]));
    }
    if taken == 0 && is_bare {
        // Any of the places that were looked at would have been something.
        return Err(fitting.over(fitting.smallest));
    }
    let mut extents = vec![Extent::default(); free.len()];
    let place = |at: usize| {
        let of = if free[at].item.kind == ItemKind::Retrieved { &outside } else { &inside };
        (ranking.files[at].rank + 1, of.len() as u32)
    };
    let mut shown = Vec::new();
    for (at, (extent, made)) in std::mem::take(&mut fitting.best) {
        let symbols = digests[at].as_ref().map_or(0, |digest| digest.symbols.len());
        let (whole, signatures) = match free[at].item.kind {
            ItemKind::Retrieved => extent.counts(0),
            _ => extent.counts(symbols),
        };
        let (rank, of) = place(at);
        let mut made = Box::new(Arc::unwrap_or_clone(made));
        made.pick.why = match free[at].item.kind {
            ItemKind::Retrieved => Why::Retrieved { rank, of, passages: whole },
            _ => Why::Fitted { rank, of, whole, signatures, symbols },
        };
        shown.push((free[at].index, made));
        extents[at] = extent;
    }
    let is_left = |at: &usize| extents[*at].level.is_none();
    let why = |at: usize| {
        let (rank, of) = place(at);
        match free[at].item.kind {
            ItemKind::Retrieved if free[at].passages.is_empty() => Why::NotRetrieved { rank, of },
            _ => Why::NoRoom { rank, of },
        }
    };
    let left_out =
        (0..free.len()).filter(is_left).map(|at| LeftOut { path: free[at].item.path.clone(), why: why(at) }).collect();
    let mut fit = summary(&steps, &order, taken, least, budget);
    let story = Story { free: &free, ranking: &ranking, steps: &steps, order: &order, taken, extents: &extents };
    (fit.last, fit.next) = story.border(&mut prices);
    fit.explained = options.explain.as_ref().and_then(|path| story.item(path, &mut prices));
    Ok(Fitted { shown, left_out, fit })
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

fn digest(free: &Free<'_>, tools: &Tools<'_>) -> Option<Arc<Digest>> {
    let Body::Text { text, .. } = &free.item.body else { return None };
    // The text of a notebook is not what is shown of it: no line of it is a passage.
    let is_rewritten = free.item.kind == ItemKind::Retrieved && shape::is_notebook(&free.item.path);
    if !matches!(free.nature, shape::Nature::Ordinary) || is_rewritten {
        return None;
    }
    Some(tools.code.digest(shape::language_of(free.item, text), text, free.item.hash.as_ref()))
}

/// The steps of passages that there is room for, measured. They have one order for all sizes of the room, so that more room
/// never shows less.
fn retrieved(steps: Vec<Step>, free: &[Free<'_>], options: &Options, tools: &Tools<'_>) -> Vec<Step> {
    let mut prices = Prices::new(&steps, free, options, tools);
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

fn entry<'a>(free: &'a Free<'_>, digest: &'a Option<Arc<Digest>>) -> Entry<'a> {
    Entry {
        path: &free.item.path,
        digest: digest.as_deref(),
        text: match &free.item.body {
            Body::Text { text, .. } => Some(text),
            _ => None,
        },
    }
}
