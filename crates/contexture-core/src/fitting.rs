//! Fits the items that nobody set by hand into what a budget leaves: ranks them, lays out their ladders, climbs.
//!
//! Takes what is free and what is fixed; gives what is shown of each free item, with a reason. The choice itself is made in
//! `fit`, from numbers; here the numbers are gathered and the real bytes are measured.

use crate::compile::{Free, Made, Tools, made, render};
use crate::explain::Story;
use crate::fit::{self, After, Extent, Offered, OverBudget, Part, Step};
use crate::model::{Body, ContentHash, Fit, ItemKind, LeftOut, Level, Named, Snapshot, Tokens, Why};
use crate::options::Options;
use crate::rank::{self, Digest, Entry, Passage, Query, Ranking};
use crate::render::printable;
use crate::shape::{self, CodeReader};
use contexture_syntax::{self as syntax, Language, Lines, Shown, Structure};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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
    let (ranking, found) = {
        let entries = entries(&free, &digests);
        let ranking = match &query {
            Some(query) => rank::rank(query, &entries, &snapshot.past),
            None => rank::importance(&entries, &snapshot.past),
        };
        let found = query.as_ref().map(|query| passages(query, &free, &entries, &ranking, options)).unwrap_or_default();
        (ranking, found)
    };
    let budget = options.budget.unwrap_or(Tokens(u64::MAX));
    let mut steps = Vec::new();
    for passage in found {
        let one = &mut free[passage.file];
        let part = Part::Passage(one.passages.len() as u32);
        one.passages.push((passage.lines.0 as u64, passage.lines.1 as u64));
        let (item, after, gain, cost) = (passage.file as u32, After::Nothing, passage.needed * OUTSIDE, passage.cost);
        steps.push(Step { item, part, after, gain, cost });
    }
    for (at, free) in free.iter().enumerate().filter(|(_, free)| free.item.kind != ItemKind::Retrieved) {
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
    let mut shown = Vec::new();
    for (at, (extent, made)) in std::mem::take(&mut fitting.best) {
        let (whole, signatures) = extent.counts();
        let symbols = digests[at].as_ref().map_or(0, |digest| digest.symbols.len());
        let (rank, of) = (ranking.files[at].rank + 1, free_count(&ranking));
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
        let (rank, of) = (ranking.files[at].rank + 1, free_count(&ranking));
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
    if !matches!(free.nature, shape::Nature::Ordinary) {
        return None;
    }
    Some(tools.code.digest(shape::language_of(free.item, text), text, free.item.hash.as_ref()))
}

/// What passages of files outside the composition are worth, where the same in it is worth 1: whoever chose it had reasons.
const OUTSIDE: f32 = 0.25;

fn passages(
    query: &Query,
    free: &[Free<'_>],
    entries: &[Entry<'_>],
    ranking: &Ranking,
    options: &Options,
) -> Vec<Passage> {
    let may = |at: usize| free[at].item.kind == ItemKind::Retrieved;
    rank::passages(query, entries, ranking, may, options.retrieve.0 as f32)
}

fn entries<'a>(free: &'a [Free<'_>], digests: &'a [Option<Arc<Digest>>]) -> Vec<Entry<'a>> {
    free.iter()
        .zip(digests)
        .map(|(free, digest)| Entry {
            path: &free.item.path,
            digest: digest.as_deref(),
            text: match &free.item.body {
                Body::Text { text, .. } => Some(text),
                _ => None,
            },
        })
        .collect()
}

/// What steps cost in real tokens, asked for when it matters.
pub(crate) struct Prices<'a> {
    steps: &'a [Step],
    free: &'a [Free<'a>],
    options: &'a Options,
    tools: &'a Tools<'a>,
    known: BTreeMap<u32, Option<Source<'a>>>,
    /// A step that is too large for a level is asked for again at the next.
    told: BTreeMap<(u32, Part), f64>,
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

    fn new(steps: &'a [Step], free: &'a [Free<'a>], options: &'a Options, tools: &'a Tools<'a>) -> Self {
        Self { steps, free, options, tools, known: BTreeMap::new(), told: BTreeMap::new() }
    }

    pub fn of(&mut self, step: &Step) -> f64 {
        if let Some(told) = self.told.get(&(step.item, step.part)) {
            return *told;
        }
        let price = self.count(step);
        self.told.insert((step.item, step.part), price);
        price
    }

    fn count(&mut self, step: &Step) -> f64 {
        let free = &self.free[step.item as usize];
        let count = |text: &str| self.tools.meter.words(text).0 as f64;
        let heading = |label: &str| format!("### `{}`{label}\n\n", printable(&free.item.path));
        let symbol = match step.part {
            Part::Name if free.top == Level::Name => {
                let view = shape::view(free.item, free.top, &free.nature, self.options, self.tools);
                return made(free.item, 0, view, free.why.clone(), self.options, self.tools).pick.tokens.0 as f64;
            }
            Part::Name => return count(&heading("")),
            Part::Frame => return count(&heading(" (masked)")) - count(&heading("")) + 6.0,
            Part::Signature(at) => (at, false),
            Part::Whole(at) => (at, true),
            Part::Passage(at) => {
                let lines = free.passages.get(at as usize).copied();
                let view = shape::passages(free.item, lines.as_slice(), self.options);
                return made(free.item, 0, view, free.why.clone(), self.options, self.tools).pick.tokens.0 as f64;
            }
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

/// What is shown of some free items, by their place.
type Chosen = BTreeMap<usize, (Extent, Arc<Made>)>;

/// What was made so far, so that a guess costs only what it changes.
struct Fitting<'a> {
    snapshot: &'a Snapshot,
    free: &'a [Free<'a>],
    steps: &'a [Step],
    fixed: &'a [(usize, Box<Made>)],
    budget: Tokens,
    options: &'a Options,
    tools: &'a Tools<'a>,
    /// The last choice that fitted, and the last that was measured.
    best: Chosen,
    last: Chosen,
    /// The least that was measured with a step taken.
    smallest: Tokens,
}

impl<'a> Fitting<'a> {
    fn new(
        snapshot: &'a Snapshot,
        free: &'a [Free<'a>],
        steps: &'a [Step],
        fixed: &'a [(usize, Box<Made>)],
        budget: Tokens,
        options: &'a Options,
        tools: &'a Tools<'a>,
    ) -> Self {
        let (best, last, smallest) = (Chosen::new(), Chosen::new(), Tokens(u64::MAX));
        Self { snapshot, free, steps, fixed, budget, options, tools, best, last, smallest }
    }

    /// Whether the document without a budget is within it. It is only made where that is likely: estimates are never four
    /// times too high.
    fn fits_everything(&mut self) -> bool {
        let likely: f64 = self.steps.iter().map(|step| f64::from(step.cost)).sum();
        let all: Vec<u32> = (0..self.steps.len() as u32).collect();
        likely <= 4.0 * self.budget.0 as f64 && self.fits(&all)
    }

    /// Whether the document after some steps is within the budget.
    fn fits(&mut self, steps: &[u32]) -> bool {
        self.measure(steps) <= self.budget
    }

    fn measure(&mut self, steps: &[u32]) -> Tokens {
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
        let new: Vec<Arc<Made>> = missing.par_iter().map(|(at, extent)| Arc::new(self.made(*at, extent))).collect();
        chosen.extend(missing.into_iter().zip(new).map(|((at, extent), made)| (at, (extent, made))));
        let free = chosen.iter().map(|(at, (_, made))| (self.free[*at].index, &**made));
        let mut all: Vec<(usize, &Made)> =
            self.fixed.iter().map(|(index, made)| (*index, &**made)).chain(free).collect();
        all.sort_by_key(|(index, _)| *index);
        let measured = render(self.snapshot, all.into_iter(), self.options, self.tools).1;
        if !steps.is_empty() {
            self.smallest = self.smallest.min(measured);
        }
        if measured <= self.budget {
            self.best = chosen.clone();
        }
        self.last = chosen;
        measured
    }

    /// How much is shown of what is shown at all. What was named by hand is there at least by name.
    fn extents(&self, steps: &[u32]) -> BTreeMap<usize, Extent> {
        let mut extents: BTreeMap<usize, Extent> = BTreeMap::new();
        for (at, _) in self.free.iter().enumerate().filter(|(_, free)| free.item.named == Named::ByHand) {
            extents.entry(at).or_default().take(Part::Name);
        }
        for step in steps {
            let Step { item, part, .. } = self.steps[*step as usize];
            extents.entry(item as usize).or_default().take(part);
        }
        extents
    }

    fn made(&self, at: usize, extent: &Extent) -> Made {
        let Free { item, nature, top, why, passages, .. } = &self.free[at];
        let view = if item.kind == ItemKind::Retrieved {
            let is_shown = |at: &usize| extent.shown.get(*at) == Some(&Shown::Whole);
            let shown: Vec<(u64, u64)> = (0..passages.len()).filter(is_shown).map(|at| passages[at]).collect();
            shape::passages(item, &shown, self.options)
        } else {
            shape::extent(item, extent, *top, nature, self.options, self.tools)
        };
        made(item, 0, view, why.clone(), self.options, self.tools)
    }

    /// What was measured last is too much.
    fn over(&self, needed: Tokens) -> OverBudget {
        let all = self.fixed.iter().map(|(_, made)| &**made).chain(self.last.values().map(|(_, made)| &**made));
        OverBudget::new(all.map(|made| (made.pick.path.clone(), made.pick.tokens)), needed, self.budget)
    }
}

/// The address and length of a text, which stays where it is as long as the snapshot is lent, and its language.
type Place = (usize, usize, &'static str);

/// Finds out what a text defines only once: guess after guess asks for it.
struct Once<'a> {
    code: &'a dyn CodeReader,
    known: Mutex<BTreeMap<Place, Result<Arc<Structure>, String>>>,
}

impl CodeReader for Once<'_> {
    fn structure(
        &self,
        language: &'static Language,
        text: &str,
        hash: Option<&ContentHash>,
    ) -> Result<Arc<Structure>, String> {
        let place = (text.as_ptr() as usize, text.len(), language.name);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = known().get(&place) {
            return made.clone();
        }
        let made = self.code.structure(language, text, hash);
        known().insert(place, made.clone());
        made
    }

    fn digest(&self, language: Option<&'static Language>, text: &str, hash: Option<&ContentHash>) -> Arc<Digest> {
        self.code.digest(language, text, hash)
    }
}
