//! Fits the items that nobody set by hand into what a budget leaves: ranks them, lays out their ladders, climbs.
//!
//! Takes what is free and what is fixed; gives what is shown of each free item, with a reason. The choice itself is made in
//! `fit`, from numbers; here the numbers are gathered and the real bytes are measured.

use crate::compile::{Free, Made, Tools, made, render};
use crate::explain::Story;
use crate::fit::{self, After, Extent, Offered, OverBudget, Part, Step};
use crate::model::{Body, Fit, LeftOut, Named, Snapshot, Tokens, Why};
use crate::options::Options;
use crate::rank::{self, Digest, Entry, Query, Ranking};
use crate::render::printable;
use crate::shape;
use contexture_syntax::{self as syntax, Language, Lines, Shown, Structure};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) struct Fitted {
    pub shown: Vec<(usize, Box<Made>)>,
    pub left_out: Vec<LeftOut>,
    pub fit: Fit,
}

pub(crate) fn fit(
    snapshot: &Snapshot,
    free: Vec<Free<'_>>,
    fixed: &[(usize, Box<Made>)],
    budget: Tokens,
    options: &Options,
    tools: &Tools<'_>,
) -> Result<Fitted, OverBudget> {
    let digests: Vec<Option<Arc<Digest>>> = free.par_iter().map(|free| digest(free, tools)).collect();
    let ranking = ranking(&free, &digests, options);
    let mut steps = Vec::new();
    for (at, free) in free.iter().enumerate() {
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
    let mut fitting = Fitting { snapshot, free: &free, fixed, options, tools, known: BTreeMap::new() };
    // What was named by hand is there at least by name.
    let floor: Vec<Extent> = free
        .iter()
        .map(|free| {
            let mut extent = Extent::default();
            if free.item.named == Named::ByHand {
                extent.take(Part::Name);
            }
            extent
        })
        .collect();
    let least = fitting.measure(&floor);
    if least > budget {
        return Err(fitting.over(&floor, least, budget));
    }
    let mut prices = Prices { steps: &steps, free: &free, tools, known: BTreeMap::new() };
    let order = fit::order(&steps, least.0, budget.0, |step| prices.of(step));
    let mut sum = 0.0;
    let costs: Vec<f64> = order
        .iter()
        .map(|step| {
            sum += prices.of(&steps[*step as usize]);
            sum
        })
        .collect();
    let after = |count: usize| {
        let mut extents = floor.clone();
        for step in &order[..count] {
            let Step { item, part, .. } = steps[*step as usize];
            extents[item as usize].take(part);
        }
        extents
    };
    let mut taken = fit::climb(&costs, least.0, budget.0, |count| fitting.measure(&after(count)).0);
    let mut extents = after(taken);
    // Measured by the climb already; said again because nothing may ever be over.
    while fitting.measure(&extents) > budget && taken > 0 {
        taken -= 1;
        extents = after(taken);
    }
    if extents.iter().all(|extent| extent.level.is_none()) && fixed.is_empty() && !order.is_empty() {
        let first = after(1);
        let needed = fitting.measure(&first);
        return Err(fitting.over(&first, needed, budget));
    }
    let mut shown = Vec::new();
    let mut left_out = Vec::new();
    for (at, extent) in extents.iter().enumerate() {
        let free = &free[at];
        let score = &ranking.files[at];
        let place = (score.rank + 1, free_count(&ranking));
        match fitting.known.remove(&(at, extent.clone())) {
            Some(mut made) => {
                let (whole, signatures) = extent.counts();
                let of = digests[at].as_ref().map_or(0, |digest| digest.symbols.len());
                made.pick.why = Why::Fitted { rank: place.0, of: place.1, whole, signatures, symbols: of };
                shown.push((free.index, made));
            }
            None => {
                left_out.push(LeftOut { path: free.item.path.clone(), why: Why::NoRoom { rank: place.0, of: place.1 } })
            }
        }
    }
    let mut fit = summary(&steps, &order, taken, least, budget);
    let story = Story { free: &free, ranking: &ranking, steps: &steps, order: &order, taken, extents: &extents };
    (fit.last, fit.next) = story.border(&mut prices);
    fit.explained = options.explain.as_ref().and_then(|path| story.item(path, &mut prices));
    Ok(Fitted { shown, left_out, fit })
}

fn free_count(ranking: &Ranking) -> u32 {
    ranking.files.len() as u32
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
    let (mut bound, mut room) = (0.0f64, spent + next.min((budget.0 - least.0) as f64));
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
    if !matches!(free.nature, shape::Nature::Ordinary) {
        return None;
    }
    Some(tools.code.digest(shape::language_of(free.item, text), text, free.item.hash.as_ref()))
}

fn ranking(free: &[Free<'_>], digests: &[Option<Arc<Digest>>], options: &Options) -> Ranking {
    let entries: Vec<Entry<'_>> = free
        .iter()
        .zip(digests)
        .map(|(free, digest)| Entry {
            path: &free.item.path,
            digest: digest.as_deref(),
            text: match &free.item.body {
                Body::Text { text, .. } => Some(text),
                _ => None,
            },
        })
        .collect();
    let query = options.query.as_deref().map(Query::parse).unwrap_or_default();
    rank::rank(&query, &entries)
}

/// What steps cost in real tokens, asked for when it matters.
pub(crate) struct Prices<'a> {
    steps: &'a [Step],
    free: &'a [Free<'a>],
    tools: &'a Tools<'a>,
    known: BTreeMap<u32, Option<Source<'a>>>,
}

/// A text with what it defines.
struct Source<'a> {
    language: &'static Language,
    text: &'a str,
    structure: Arc<Structure>,
    lines: Lines,
}

impl<'a> Prices<'a> {
    /// The qualified name of a symbol.
    pub fn name(&mut self, item: u32, at: u32) -> Option<String> {
        let source = self.source(item)?;
        let names = syntax::qualified_names(source.language, &source.structure, source.text);
        names.into_iter().nth(at as usize)
    }

    fn source(&mut self, item: u32) -> Option<&Source<'a>> {
        let (free, tools) = (&self.free[item as usize], self.tools);
        let made = self.known.entry(item).or_insert_with(|| {
            let Body::Text { text, .. } = &free.item.body else { return None };
            let language = shape::language_of(free.item, text)?;
            let structure = tools.code.structure(language, text, free.item.hash.as_ref()).ok()?;
            Some(Source { language, text, structure, lines: Lines::of(text) })
        });
        made.as_ref()
    }

    pub fn of(&mut self, step: &Step) -> f64 {
        let free = &self.free[step.item as usize];
        let count = |text: &str| self.tools.meter.words(text).0 as f64;
        let heading = |label: &str| format!("### `{}`{label}\n\n", printable(&free.item.path));
        let symbol = match step.part {
            Part::Name => return count(&heading("")),
            Part::Frame => return count(&heading(" (masked)")) - count(&heading("")) + 6.0,
            Part::Signature(at) => (at, false),
            Part::Whole(at) => (at, true),
            Part::Summary | Part::Outline | Part::Skeleton | Part::Full => return f64::from(step.cost),
        };
        let (steps, meter) = (self.steps, self.tools.meter);
        let count = |text: &str| meter.words(text).0 as f64;
        let def = |source: &&Source<'_>| source.structure.defs.get(symbol.0 as usize).cloned();
        let Some((source, def)) = self.source(step.item).and_then(|source| Some((source, def(&source)?))) else {
            return f64::from(step.cost);
        };
        let (at, whole) = symbol;
        let price = |how| count(&syntax::excerpt_of(source.language, &def, source.text, &source.lines, how));
        if !whole {
            return price(Shown::Signature);
        }
        // A signature that had a step of its own is there already.
        let had = matches!(step.after, After::Step(before) if steps[before as usize].part == Part::Signature(at));
        price(Shown::Whole) - if had { price(Shown::Signature) } else { 0.0 }
    }
}

/// What was made so far, so that a guess costs only what it changes.
struct Fitting<'a> {
    snapshot: &'a Snapshot,
    free: &'a [Free<'a>],
    fixed: &'a [(usize, Box<Made>)],
    options: &'a Options,
    tools: &'a Tools<'a>,
    known: BTreeMap<(usize, Extent), Box<Made>>,
}

impl Fitting<'_> {
    fn measure(&mut self, extents: &[Extent]) -> Tokens {
        let missing: Vec<(usize, &Extent)> = extents
            .iter()
            .enumerate()
            .filter(|(at, extent)| extent.level.is_some() && !self.known.contains_key(&(*at, (*extent).clone())))
            .collect();
        let new: Vec<Box<Made>> = missing
            .par_iter()
            .map(|(at, extent)| {
                let Free { item, nature, why, .. } = &self.free[*at];
                let view = shape::extent(item, extent, nature, self.options, self.tools);
                Box::new(made(item, 0, view, why.clone(), self.options, self.tools))
            })
            .collect();
        for ((at, extent), made) in missing.into_iter().zip(new) {
            self.known.insert((at, extent.clone()), made);
        }
        let free = extents
            .iter()
            .enumerate()
            .filter_map(|(at, extent)| Some((self.free[at].index, &**self.known.get(&(at, extent.clone()))?)));
        let mut all: Vec<(usize, &Made)> =
            self.fixed.iter().map(|(index, made)| (*index, &**made)).chain(free).collect();
        all.sort_by_key(|(index, _)| *index);
        render(self.snapshot, all.into_iter(), self.options, self.tools).1
    }

    fn over(&self, floor: &[Extent], needed: Tokens, budget: Tokens) -> OverBudget {
        let free = floor.iter().enumerate().filter_map(|(at, extent)| self.known.get(&(at, extent.clone())));
        let all = self.fixed.iter().map(|(_, made)| made).chain(free);
        OverBudget::new(all.map(|made| (made.pick.path.clone(), made.pick.tokens)), needed, budget)
    }
}
