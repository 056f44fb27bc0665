//! Fits the items that nobody set by hand into what a budget leaves: ranks them, lays out their ladders, climbs.
//!
//! Takes what is free and what is fixed; gives what is shown of each free item, with a reason. [`Offer`]s become steps in one order;
//! a room takes those that fit, best first; and the largest room whose document is measured to fit is searched.

mod explain;
mod hunks;
mod ladder;
mod memo;
mod offer;
mod prices;
mod ranking;
mod search;
mod trial;

pub use search::search;

use super::{FreeItem, OverBudget, ShownItem, Writer};
use crate::rank::{Callers, Digest, Passage};
use crate::shape::{Extent, ExtentPart, Tools};
use crate::types::{Fit, ItemKind, LeftOut, Options, Past, Tokens, Why};
use explain::Explainer;
use hunks::Hunks;
use ladder::{After, Choice, Step, Unit};
use memo::CodeMemo;
use offer::Offer;
use prices::Prices;
use ranking::RankedItems;
use std::collections::{BTreeMap, BTreeSet};
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
    for (at, free) in free.iter_mut().enumerate() {
        (free.rank, free.is_unmatched) = (ranked.place(at).0, ranked.is_unmatched());
    }
    let found = passages(&ranked, &mut free);
    let mut steps = passage_steps(found, &free, options, tools, writer);
    let memo = CodeMemo { code: tools.code, known: Mutex::default() };
    let tools = &Tools { code: &memo, ..*tools };
    let hunks = hunks::hunks(&ranked, &free, tools.code);
    let calls = ranked.calls(&free);
    offer(&ranked, &free, &hunks, &calls, &mut steps);
    for (free, hunks) in free.iter_mut().zip(hunks) {
        free.hunks = hunks.into_iter().map(|(symbol, hunks)| (symbol, hunks.rows)).collect();
    }
    priced(&mut steps, &free, options, tools, writer);
    add_frames(&mut steps, &ranked.digests);
    let ladders = Ladders { free: &free, steps: &steps, options, tools, writer };
    let budget = options.budget.unwrap_or(Tokens(u64::MAX));
    let mut trials = Trials { ladders, fixed, budget, best: Chosen::new(), last: Chosen::new(), smallest: None };
    let least = trials.measure(&[]);
    // With nothing to show but frames, the first thing that is shown decides what is needed.
    let is_bare = fixed.is_empty() && trials.last.is_empty() && !steps.is_empty();
    if least > budget && !is_bare {
        let over = trials.over(least);
        // Of a tiny file, all may be shorter than the line that says it is not shown. Whether that is tried must not depend on the
        // budget, or the smallest one that is named would.
        if !trials.fits_everything(least) {
            // All of it may also be too much, and still be less than that.
            return Err(trials.smallest.take().filter(|all| all.needed < over.needed).unwrap_or(over));
        }
    }
    let units = ladder::units(&steps);
    let mut choice = take_steps(&steps, &units, &mut trials);
    if choice.steps.is_empty() && is_bare {
        choice = cheapest(&units, &mut trials);
    }
    let Choice { steps: taken, gain } = choice;
    if taken.is_empty() && is_bare {
        // Any of the places that were looked at would have been something.
        return Err(trials.smallest.take().unwrap_or_else(|| trials.over(least)));
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
    let left: Vec<u32> = left_steps(&units, &taken);
    let mut fit = summary(&steps, &units, &taken, gain, &left, least, budget);
    let priorities = ladder::priorities(&steps, &units);
    let explainer = Explainer {
        free: &free,
        ranking: &ranked.ranking,
        steps: &steps,
        priorities: &priorities,
        taken: &taken,
        left: &left,
        extents: &extents,
        calls: &calls,
    };
    let mut prices = Prices::new(ladders);
    fit.is_unmatched = ranked.is_unmatched();
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
fn offer(
    ranked: &RankedItems,
    free: &[FreeItem<'_>],
    hunks: &[BTreeMap<u32, Hunks>],
    calls: &[BTreeMap<u32, Callers>],
    steps: &mut Vec<Step>,
) {
    for at in ranked.inside.iter().copied() {
        let offer = Offer {
            item: at as u32,
            path: &free[at].item.path,
            top: free[at].top,
            digest: ranked.digests[at].as_deref(),
            size: free[at].item.size,
            // About four bytes a token, as prose has.
            written: free[at].item.written.as_ref().map(|written| written.text.len() as f32 / 4.0),
            has_task: ranked.query.is_some(),
            hunks: &hunks[at],
            calls: &calls[at],
            file: &ranked.ranking.files[at],
            symbols: &ranked.ranking.symbols[at],
        };
        offer.steps(steps);
    }
}

/// How many of the best units are priced: a few times more than a large budget shows.
const PRICED: usize = 500;

/// Counts what the best steps cost; the others keep their estimates. Which ones are counted does not depend on the budget.
fn priced(steps: &mut [Step], free: &[FreeItem<'_>], options: &Options, tools: &Tools<'_>, writer: &dyn Writer) {
    let best: Vec<u32> = ladder::units(steps).iter().take(PRICED).flat_map(Unit::steps).collect();
    let mut prices = Prices::new(Ladders { free, steps, options, tools, writer });
    let costs: Vec<(u32, f32)> =
        best.into_iter().filter_map(|at| Some((at, prices.of_symbol(&steps[at as usize])? as f32))).collect();
    for (at, cost) in &costs {
        steps[*at as usize].cost = cost.max(1.0);
    }
}

/// Adds to the first symbol of each file what it brings: the heading of the file, and to the first one in each other symbol the
/// signatures of those around it. A signature alone in a file costs several times as much as beside others.
fn add_frames(steps: &mut [Step], digests: &[Option<Arc<Digest>>]) {
    let priorities = ladder::priorities(steps, &ladder::units(steps));
    let mut firsts: Vec<(u32, usize, u32)> = (0..steps.len())
        .filter(|at| steps[*at].after == After::Nothing)
        .filter_map(|at| Some((steps[at].item, at, steps[at].part.symbol()?)))
        .collect();
    firsts.sort_by(|a, b| a.0.cmp(&b.0).then(priorities[b.1].total_cmp(&priorities[a.1])).then(a.1.cmp(&b.1)));
    for same in firsts.chunk_by(|a, b| a.0 == b.0) {
        let (item, best, _) = same[0];
        let Some(digest) = &digests[item as usize] else { continue };
        steps[best].cost += HEADING;
        let mut is_shown = vec![false; digest.symbols.len()];
        for (_, at, symbol) in same {
            let mut around = digest.symbols.get(*symbol as usize).and_then(|symbol| symbol.parent);
            while let Some(outer) = around.filter(|outer| !is_shown[*outer as usize]) {
                is_shown[outer as usize] = true;
                steps[*at].cost += digest.symbols[outer as usize].signature as f32 + GAP;
                around = digest.symbols[outer as usize].parent;
            }
            is_shown[*symbol as usize] = true;
        }
    }
}

/// Tokens of a file's heading and fence, beside its path.
const HEADING: f32 = 18.0;
/// Tokens of a gap mark.
const GAP: f32 = 6.0;

/// The steps that are taken, best first: those of the largest room whose document is measured to fit.
///
/// The room is found by doubling and then by halves, down to a share of it that no reader would miss. None of the rooms that are
/// tried depends on the budget, so a larger budget never ends in a smaller room.
fn take_steps(steps: &[Step], units: &[Unit], trials: &mut Trials<'_>) -> Choice {
    if trials.fits_everything(trials.budget) {
        return ladder::choose(steps, units, f64::MAX);
    }
    let mut best = Choice::default();
    let mut fits = |room: u64| {
        let chosen = ladder::choose(steps, units, room as f64);
        let is_all = chosen.steps.len() == steps.len();
        let does = trials.fits(&chosen.steps);
        if does {
            best = chosen;
        }
        (does, is_all)
    };
    let (mut under, mut over) = (0, FIRST_ROOM);
    loop {
        match fits(over) {
            (true, false) if over < u64::MAX / 2 => (under, over) = (over, over * 2),
            (true, _) => break,
            (false, _) => {
                while over - under > (under / FINENESS).max(1) {
                    let middle = under + (over - under) / 2;
                    if fits(middle).0 { under = middle } else { over = middle }
                }
                break;
            }
        }
    }
    best
}

/// How many units are tried one by one where nothing else fits.
const TRIED_ALONE: usize = 64;

/// The best of the cheapest units that fits alone. Without it, which places were tried would decide which budget is said to be enough.
fn cheapest(units: &[Unit], trials: &mut Trials<'_>) -> Choice {
    let mut alone: Vec<&Unit> = units.iter().filter(|unit| unit.is_first(trials.ladders.steps)).collect();
    alone.sort_by(|a, b| a.cost().total_cmp(&b.cost()).then(b.cmp(a)));
    alone.truncate(TRIED_ALONE);
    let mut best = Choice::default();
    for unit in alone {
        let all: Vec<u32> = unit.steps().collect();
        // A part of it may be smaller, or it the smaller one.
        for steps in [&all[..1], &all[..]] {
            let gain: f64 = steps.iter().map(|step| f64::from(trials.ladders.steps[*step as usize].gain)).sum();
            if trials.fits(steps) && (best.steps.is_empty() || gain > best.gain) {
                best = Choice { steps: steps.to_vec(), gain };
            }
        }
    }
    // The document that is kept is that of the best.
    if !best.steps.is_empty() {
        trials.fits(&best.steps);
    }
    best
}

/// The first room that is tried; a document of a few lines.
const FIRST_ROOM: u64 = 64;
/// Rooms are found to this part of them.
const FINENESS: u64 = 256;

fn why_shown(ranked: &RankedItems, free: &[FreeItem<'_>], at: usize, extent: &Extent) -> Why {
    let (rank, of) = ranked.place(at);
    if free[at].item.kind == ItemKind::Retrieved {
        return Why::Retrieved { rank, of, passages: extent.counts(0)[0] };
    }
    let symbols = ranked.digests[at].as_ref().map_or(0, |digest| digest.symbols.len());
    let [whole, hunks, signatures] = extent.counts(symbols);
    Why::Fitted { rank, of, whole, hunks, signatures, symbols }
}

fn why_left(ranked: &RankedItems, free: &[FreeItem<'_>], at: usize) -> Why {
    let (rank, of) = ranked.place(at);
    match free[at].item.kind {
        ItemKind::Retrieved if free[at].passages.is_empty() => Why::NotRetrieved { rank, of },
        _ => Why::NoRoom { rank, of },
    }
}

/// The steps that are not taken, best first.
fn left_steps(units: &[Unit], taken: &[u32]) -> Vec<u32> {
    let taken: BTreeSet<u32> = taken.iter().copied().collect();
    units.iter().flat_map(Unit::steps).filter(|step| !taken.contains(step)).collect()
}

/// How near the choice comes to what no choice can beat: the same units, the last one in part.
fn summary(
    steps: &[Step],
    units: &[Unit],
    taken: &[u32],
    value: f64,
    left: &[u32],
    least: Tokens,
    budget: Tokens,
) -> Fit {
    let spent: f64 = taken.iter().map(|step| f64::from(steps[*step as usize].cost)).sum();
    let next = left.first().map_or(0.0, |step| f64::from(steps[*step as usize].cost));
    let room = spent + next.min(budget.0.saturating_sub(least.0) as f64);
    Fit { value, bound: ladder::bound(units, room).max(value), ..Fit::default() }
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
    let order: Vec<u32> = ladder::units(&steps).iter().flat_map(Unit::steps).collect();
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
