//! Asks a model for the summaries that are missing (S4).
//!
//! Takes which files and who is asked; gives what was written, what was not and why, and what it cost. What is done is kept before it
//! is told. Nothing is kept that is no summary: for such files the summary that is made from the file itself is shown, as before.

mod gate;
pub(super) mod place;
mod prompt;
mod screen;
mod text;
pub(super) mod wanted;
mod whom;
mod work;

pub use prompt::{Sort, Tier};
pub use whom::Whom;

use super::OpError;
use super::document::Memory;
use super::open::{Door, Opened, Request};
use super::whom::{require_key, strangers};
use super::written::{Access, summaries};
use crate::provider::{Cancel, Key, Usage};
use contexture_core::models;
use contexture_core::render::printable;
use contexture_core::safety::{Screened, screen};
use contexture_core::{Api, ContentHash, Counter, Item, ItemKind, Meter, Note, Tools, Topic};
use contexture_gather::config::StrategyName;
use contexture_gather::snapshot;
use contexture_gather::summaries::SummaryKey;
use prompt::{Manner, asked};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;
use wanted::{judged, key};
use whom::whom;
use work::{Shift, work};

/// The most tokens of a file that are shown: what it is for stands at its beginning, and the outline tells of the rest. Some
/// thousand lines.
const MOST_INPUT: u64 = 8_000;

pub struct SummarizeRequest<'a> {
    /// Which files, which persona and which tier.
    pub files: Request,
    pub api: Option<Api>,
    pub model: Option<String>,
    pub base_url: Option<String>,
    /// The key of an API, where there is one.
    pub key: &'a (dyn Fn(Api) -> Result<Option<Key>, OpError> + Sync),
    /// How many are asked for at once.
    pub jobs: usize,
    /// US dollars.
    pub max_cost: Option<f64>,
    /// US dollars for a million tokens.
    pub price_in: Option<f64>,
    pub price_out: Option<f64>,
    pub which: Which,
    /// For one summary, waiting included.
    pub timeout: Duration,
    pub retries: u32,
    pub first_delay: Duration,
    pub longest_delay: Duration,
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    Missing,
    /// Also what is there already.
    All,
}

impl<'a> SummarizeRequest<'a> {
    /// What is missing of everything. Limits of providers are counted by the minute, so a wait may be that long.
    pub fn new(key: &'a (dyn Fn(Api) -> Result<Option<Key>, OpError> + Sync)) -> Self {
        Self {
            files: Request::default(),
            api: None,
            model: None,
            base_url: None,
            key,
            jobs: 4,
            max_cost: None,
            price_in: None,
            price_out: None,
            which: Which::Missing,
            timeout: Duration::from_secs(300),
            retries: 5,
            first_delay: Duration::from_millis(500),
            longest_delay: Duration::from_secs(90),
        }
    }
}

/// What happens while summaries are written.
pub enum Step<'a> {
    Begun {
        total: usize,
    },
    /// It is kept. With what all of them cost so far.
    Done {
        done: &'a Done,
        cost: f64,
    },
    Failed(&'a Failed),
    /// Nobody is asked for so long.
    Waiting {
        delay: Duration,
        reason: &'a str,
    },
}

/// A summary that is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct Done {
    pub path: String,
    /// Of the summary, as our counter has them.
    pub tokens: u64,
    pub usage: Usage,
    pub cost: Option<f64>,
}

/// A file without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    pub path: String,
    pub reason: String,
    /// What to do about it, where that is known.
    pub hint: Option<String>,
}

/// Why not everything was asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Stopped {
    /// The next one could have cost so much that all would be above the limit.
    MaxCost {
        max: f64,
        next: f64,
    },
    Provider {
        message: String,
        hint: String,
    },
    Interrupted,
    Store {
        message: String,
        hint: &'static str,
    },
}

pub struct Summarized {
    pub whom: Whom,
    pub tier: Tier,
    pub done: Vec<Done>,
    pub failed: Vec<Failed>,
    /// What was not asked for.
    pub left: Vec<String>,
    /// Files whose summary was there already.
    pub fresh: usize,
    /// Files that nobody is asked about, with the reason.
    pub unfit: Vec<(String, String)>,
    pub stopped: Option<Stopped>,
    pub usage: Usage,
    /// US dollars, where a price is known.
    pub cost: Option<f64>,
    pub notes: Vec<Note>,
}

/// What would be asked for.
pub struct Planned {
    pub whom: Whom,
    pub tier: Tier,
    pub files: Vec<PlannedFile>,
    pub fresh: usize,
    pub unfit: Vec<(String, String)>,
    /// US dollars, where a price is known.
    pub cost: Option<f64>,
    pub notes: Vec<Note>,
}

/// Tokens and dollars are expected, not measured.
pub struct PlannedFile {
    pub path: String,
    pub sort: Sort,
    pub input: u64,
    pub output: u64,
    pub cost: Option<f64>,
}

/// One summary that is asked for.
pub struct Job<'a> {
    item: &'a Item,
    hash: ContentHash,
    sort: Sort,
}

/// Says what would be asked for and what that may cost. Sends nothing.
pub fn summarize_plan(door: &Door, request: &SummarizeRequest<'_>) -> Result<Planned, OpError> {
    let ready = prepare(door, request)?;
    let jobs = ready.jobs();
    let memory = Memory::for_counts(door, &ready.opened.roots, &ready.opened.config, ready.whom.tokenizer);
    let code = memory.code(door);
    let tools = Tools { meter: Meter::new(&ready.whom.tokenizer, memory.memo()), code: &code };
    let manner = ready.manner();
    let plan = |job: &Job<'_>| {
        let input = asked(job.item, &job.hash, &manner, &tools)?.input;
        let output = ready.tier.limit(job.item.size);
        let cost = ready.whom.cost(&Usage::default(), (input, output));
        Ok(PlannedFile { path: job.item.path.clone(), sort: job.sort, input, output, cost })
    };
    let files = jobs.par_iter().map(plan).collect::<Result<Vec<_>, OpError>>()?;
    memory.save();
    let cost = files.iter().map(|file| file.cost).sum();
    let Ready { whom, tier, fresh, unfit, notes, .. } = ready;
    Ok(Planned { whom, tier, files, fresh, unfit, cost, notes })
}

/// Asks for what is missing.
pub fn summarize(
    door: &Door,
    request: &SummarizeRequest<'_>,
    tell: &mut dyn FnMut(Step<'_>),
    cancel: &Cancel,
) -> Result<Summarized, OpError> {
    let ready = prepare(door, request)?;
    let jobs = ready.jobs();
    tell(Step::Begun { total: jobs.len() });
    let mut worked = work::Worked::default();
    if !jobs.is_empty() {
        let opened = summaries(door, &ready.opened.roots, &ready.opened.config, Access::Write)?;
        let Some(mut opened) = opened else { return Err(OpError::failed("there is no place for summaries")) };
        let memory = Memory::for_counts(door, &ready.opened.roots, &ready.opened.config, ready.whom.tokenizer);
        let code = memory.code(door);
        let key = (request.key)(ready.whom.api)?;
        require_key(ready.whom.api, request.base_url.as_deref(), key.as_ref())?;
        let shift = Shift {
            request,
            whom: &ready.whom,
            manner: ready.manner(),
            key,
            tools: Tools { meter: Meter::new(&ready.whom.tokenizer, memory.memo()), code: &code },
            now: door.env.timestamp(),
            project: &ready.opened.namespace,
            cancel,
        };
        worked = work(&shift, &jobs, &mut opened.summaries, tell);
        memory.save();
    }
    let told: BTreeSet<&str> =
        worked.done.iter().map(|done| &*done.path).chain(worked.failed.iter().map(|failed| &*failed.path)).collect();
    let left = jobs.iter().map(|job| &job.item.path).filter(|path| !told.contains(path.as_str())).cloned().collect();
    let mut summarized = Summarized {
        left,
        done: worked.done,
        failed: worked.failed,
        stopped: worked.stopped,
        usage: worked.usage,
        cost: worked.cost,
        whom: ready.whom,
        tier: ready.tier,
        fresh: ready.fresh,
        unfit: ready.unfit,
        notes: ready.notes,
    };
    summarized.notes.extend(summarized.remarks());
    Ok(summarized)
}

impl Summarized {
    /// Whether this is an end that a door must tell as a failure.
    pub fn verdict(&self, strict: bool) -> Result<(), OpError> {
        let hints = |hint: &str| vec![hint.to_owned()];
        let shown = "until then the summary that is made from the file itself is shown";
        match &self.stopped {
            Some(Stopped::Interrupted) => return Err(OpError::Interrupted),
            Some(Stopped::Store { message, hint }) => {
                return Err(OpError::Failed { message: message.clone(), hints: hints(hint) });
            }
            Some(Stopped::Provider { message, hint }) => {
                let kept = "what is done is kept; the same command goes on with what is missing";
                let then = if self.done.is_empty() { shown } else { kept };
                return Err(OpError::Provider { message: message.clone(), hints: vec![hint.clone(), then.to_owned()] });
            }
            Some(Stopped::MaxCost { .. }) | None => {}
        }
        match self.failed.first() {
            Some(first) if self.done.is_empty() => {
                let message = format!("no summary was made: {}: {}", printable(&first.path), first.reason);
                Err(OpError::Provider { message, hints: first.hint.iter().cloned().chain(hints(shown)).collect() })
            }
            Some(_) if strict => {
                let notes = self.failed.iter().map(Failed::note).collect();
                Err(OpError::Unreadable { notes })
            }
            Some(_) | None => Ok(()),
        }
    }

    fn remarks(&self) -> Vec<Note> {
        let left = self.left.len();
        // What stops everything is said once, at the end.
        let is_told = |failed: &&Failed| match &self.stopped {
            Some(Stopped::Provider { message, .. }) => failed.reason == *message,
            Some(Stopped::MaxCost { .. } | Stopped::Interrupted | Stopped::Store { .. }) | None => false,
        };
        let mut notes: Vec<Note> = self.failed.iter().filter(|failed| !is_told(failed)).map(Failed::note).collect();
        match &self.stopped {
            Some(Stopped::MaxCost { max, next }) => {
                let text = format!("stopped before `--max-cost {max}` could be passed: {left} left");
                // With less than one may cost, the same command would end here again.
                let hint = match next > max {
                    true => format!("the next one may cost up to {next:.5}: a `--max-cost` above that lets it through"),
                    false => "the same command goes on with what is missing".to_owned(),
                };
                notes.push(Note::new(Topic::Setting, text).hint(hint));
            }
            Some(Stopped::Interrupted | Stopped::Store { .. } | Stopped::Provider { .. }) | None => {}
        }
        notes
    }
}

impl Failed {
    fn note(&self) -> Note {
        let text = format!("no summary, the one from the file itself is shown: {}", self.reason);
        Note::new(Topic::Reduced, text).at(&self.path)
    }
}

/// Everything before the first question.
struct Ready {
    opened: Opened,
    snapshot: Screened,
    whom: Whom,
    tier: Tier,
    /// By place in the snapshot.
    missing: Vec<(usize, ContentHash, Sort)>,
    fresh: usize,
    unfit: Vec<(String, String)>,
    notes: Vec<Note>,
}

impl Ready {
    fn jobs(&self) -> Vec<Job<'_>> {
        let job = |(at, hash, sort): &(usize, ContentHash, Sort)| {
            self.snapshot.items.get(*at).map(|item| Job { item, hash: *hash, sort: *sort })
        };
        self.missing.iter().filter_map(job).collect()
    }

    fn manner(&self) -> Manner<'_> {
        let window = models::find(&self.whom.model).map_or(u64::MAX, |model| model.window / 2);
        Manner {
            api: self.whom.api,
            model: &self.whom.model,
            tier: self.tier,
            temperature: self.whom.temperature,
            top_p: self.whom.top_p,
            max_answer: self.whom.max_answer,
            most: MOST_INPUT.min(window),
            safety: &self.opened.safety,
        }
    }
}

fn prepare(door: &Door, request: &SummarizeRequest<'_>) -> Result<Ready, OpError> {
    // Everything that is not set to be shown otherwise may be shown as a summary.
    let files = Request { strategy: Some(StrategyName::Summarize), budget: None, model: None, ..request.files.clone() };
    let opened = door.open(&files)?;
    let name = files.persona.clone().or_else(|| opened.config.project.persona.clone());
    let persona = name.as_deref().map(|name| opened.config.persona(name)).transpose()?;
    let whom = whom(request, persona)?;
    let tier = Tier::new(files.tier.or_else(|| persona?.tier));
    let mut ask = opened.ask.clone();
    ask.files_only = true;
    let snapshot = snapshot(&opened.roots, &opened.config, &ask, &door.progress)?;
    let mut notes = snapshot.notes.clone();
    notes.extend(persona.and_then(|persona| strangers(&persona.preferred_models)));
    let judge = |item: &Item| judged(item, &opened.options).map(|hash| (hash, Sort::of(item)));
    let verdicts: Vec<_> =
        snapshot.items.par_iter().map(|item| (item.kind == ItemKind::File).then(|| judge(item))).collect();
    let mut able = Vec::new();
    let mut unfit = Vec::new();
    for (at, (verdict, item)) in verdicts.into_iter().zip(&snapshot.items).enumerate() {
        match verdict {
            Some(Ok((hash, sort))) => able.push((at, hash, sort, key(&whom, sort, tier, &hash))),
            Some(Err(reason)) => unfit.push((item.path.clone(), reason)),
            None => {}
        }
    }
    let keys: Vec<SummaryKey> = able.iter().map(|(.., key)| *key).collect();
    let there = match request.which {
        Which::All => BTreeSet::new(),
        Which::Missing => match summaries(door, &opened.roots, &opened.config, Access::Read)? {
            Some(mut store) => {
                notes.extend(store.note.take());
                let found = store.summaries.get(&keys).map_err(|error| super::written::refused(&error))?;
                found.entries.into_keys().collect()
            }
            None => BTreeSet::new(),
        },
    };
    // What was judged is the file as it is; what a model is shown is what may leave.
    let memory = Memory::for_counts(door, &opened.roots, &opened.config, whom.tokenizer);
    let snapshot = screen(snapshot, &opened.safety, &memory.clean);
    snapshot.passed()?;
    memory.save();
    notes.extend(snapshot.report().notes());
    notes.extend(opened.notes.iter().filter(|note| note.topic == Topic::Setting).cloned());
    let fresh = keys.iter().filter(|key| there.contains(key)).count();
    let mut seen = there;
    // Files with the same bytes have the same summary.
    let missing = able.into_iter().filter(|(.., key)| seen.insert(*key)).map(|(at, hash, sort, _)| (at, hash, sort));
    let missing = missing.collect();
    Ok(Ready { missing, opened, snapshot, whom, tier, fresh, unfit, notes })
}

/// Whether counts of this model are exact, for whoever shows them.
pub fn is_exact(whom: &Whom) -> bool {
    whom.tokenizer.exact()
}
