//! Asks a model for the summaries that are missing.
//!
//! Takes which files and who is asked; gives what was written, what was not and why, and what it cost. What is done is kept before it
//! is told. Nothing is kept that is no summary: for such files the summary that is made from the file itself is shown, as before.

mod answer_check;
pub(super) mod eligible;
pub(super) mod entry_path;
mod gate;
mod ledger;
mod model;
mod prompt;
mod text;
mod work;

pub use model::SummaryModel;
pub use prompt::{PromptKind, Tier};

use super::driver::Driver;
use super::model_choice::{self, KeySource, require_key, unknown_providers_note};
use super::open::{Door, Opened};
use super::summary_store::{Access, summaries};
use super::{ErrorKind, OpError};
use crate::requests::{DocumentRequest, SummarizeRequest, Word};
use contexture_core::models;
use contexture_core::render::printable;
use contexture_core::safety::Screened;
use contexture_core::{ContentHash, Item, ItemKind, Note, Tools, Topic};
use contexture_gather::config::StrategyName;
use contexture_gather::summaries::SummaryKey;
use contexture_providers::Usage;
use eligible::{check_eligible, summary_key};
use model::choose_model;
use prompt::{PromptSettings, write_prompt};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::Duration;
use work::{WorkSettings, work};

/// The most tokens of a file that are shown: what it is for stands at its beginning, and the outline tells of the rest. Some
/// thousand lines.
const MOST_INPUT: u64 = 8_000;

/// What happens while summaries are written.
pub enum SummarizeStep<'a> {
    Begun {
        total: usize,
    },
    /// It is kept. With what all of them cost so far.
    Done {
        done: &'a FinishedSummary,
        cost: f64,
    },
    Failed(&'a FailedSummary),
    /// Nobody is asked for so long.
    Waiting {
        delay: Duration,
        reason: &'a str,
    },
}

/// A summary that is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedSummary {
    pub path: String,
    /// Of the summary, as our counter has them.
    pub tokens: u64,
    pub usage: Usage,
    pub cost: Option<f64>,
}

/// A file without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedSummary {
    pub path: String,
    pub reason: String,
    /// What to do about it, where that is known.
    pub hint: Option<String>,
}

/// Why not all summaries were requested.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum StopReason {
    // The next one could have cost so much that all would be above the limit.
    MaxCost {
        max_cost: f64,
        next_cost: f64,
    },
    Provider {
        message: String,
        #[serde(skip)]
        hint: String,
    },
    Interrupt,
    Store {
        message: String,
        #[serde(skip)]
        hint: &'static str,
    },
}

/// The summaries that were written, those that were not, and the cost.
pub struct Summarized {
    pub writer: SummaryModel,
    pub tier: Tier,
    pub done: Vec<FinishedSummary>,
    pub failed: Vec<FailedSummary>,
    /// What was not asked for.
    pub left: Vec<String>,
    /// Files whose summary was there already.
    pub fresh: usize,
    /// Files that nobody is asked about, with the reason.
    pub unfit: Vec<(String, String)>,
    pub stopped: Option<StopReason>,
    pub usage: Usage,
    /// US dollars, where a price is known.
    pub cost: Option<f64>,
    pub notes: Vec<Note>,
}

/// What would be asked for.
pub struct SummaryPlan {
    pub writer: SummaryModel,
    pub tier: Tier,
    pub files: Vec<PlannedRow>,
    pub fresh: usize,
    pub unfit: Vec<(String, String)>,
    /// US dollars, where a price is known.
    pub cost: Option<f64>,
    pub notes: Vec<Note>,
}

/// A file to summarize. Tokens and cost are estimates.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlannedRow {
    pub path: String,
    pub kind: Word<PromptKind>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// US dollars
    pub cost: Option<f64>,
}

/// One summary that is asked for.
struct SummaryJob<'a> {
    item: &'a Item,
    hash: ContentHash,
    kind: PromptKind,
}

/// Says what would be asked for and what that may cost. Sends nothing.
pub fn summarize_plan(door: &Door, request: &SummarizeRequest) -> Result<SummaryPlan, OpError> {
    let ready = prepare(door, request)?;
    let jobs = ready.jobs();
    let prompt = ready.prompt();
    let plan = |job: &SummaryJob<'_>, tools: &Tools<'_>| {
        let input_tokens = write_prompt(job.item, &job.hash, &prompt, tools)?.input;
        let output_tokens = ready.tier.limit(job.item.size);
        let cost = ready.writer.cost(&Usage::default(), (input_tokens, output_tokens));
        Ok(PlannedRow { path: job.item.path.clone(), kind: job.kind.into(), input_tokens, output_tokens, cost })
    };
    let files: Result<Vec<_>, OpError> =
        ready.driver.work(|tools| jobs.par_iter().map(|job| plan(job, tools)).collect())?;
    let files = files?;
    let cost = files.iter().map(|file| file.cost).sum();
    let PreparedSummaries { writer, tier, fresh, unfit, notes, .. } = ready;
    Ok(SummaryPlan { writer, tier, files, fresh, unfit, cost, notes })
}

/// Asks for what is missing.
pub fn summarize(
    door: &Door,
    request: &SummarizeRequest,
    key: KeySource<'_>,
    tell: &mut dyn FnMut(SummarizeStep<'_>),
) -> Result<Summarized, OpError> {
    let ready = prepare(door, request)?;
    let jobs = ready.jobs();
    tell(SummarizeStep::Begun { total: jobs.len() });
    let mut worked = work::WorkResult::default();
    if !jobs.is_empty() {
        let opened = summaries(door, &ready.opened.roots, &ready.opened.config, Access::Write)?;
        let Some(mut opened) = opened else { return Err(OpError::failed("there is no place for summaries")) };
        let memory = &ready.driver.memory;
        let code = memory.code(door);
        let key = key(ready.writer.api)?;
        require_key(ready.writer.api, request.base_url.as_deref(), key.as_ref())?;
        let settings = WorkSettings {
            request,
            prompt: ready.prompt(),
            key,
            // Not those of the driver: what was answered before someone wished to stop is kept.
            tools: memory.tools(&code),
            now: door.env.timestamp(),
            project: &ready.opened.namespace,
            cancel: &door.progress.cancel,
        };
        worked = work(&settings, &jobs, &mut opened.summaries, tell);
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
        writer: ready.writer,
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
        let shown = "until then the summary that is made from the file itself is shown";
        match &self.stopped {
            Some(StopReason::Interrupt) => return Err(OpError::Interrupted),
            Some(StopReason::Store { message, hint }) => {
                return Err(OpError::failed(message).hint(*hint));
            }
            Some(StopReason::Provider { message, hint }) => {
                let kept = "what is done is kept; the same command goes on with what is missing";
                let then = if self.done.is_empty() { shown } else { kept };
                return Err(OpError::of(ErrorKind::Provider, message).hint(hint).hint(then));
            }
            Some(StopReason::MaxCost { .. }) | None => {}
        }
        match self.failed.first() {
            Some(first) if self.done.is_empty() => {
                let message = format!("no summary was made: {}: {}", printable(&first.path), first.reason);
                Err(OpError::of(ErrorKind::Provider, message).with_hints(&first.hint).hint(shown))
            }
            Some(_) if strict => {
                let notes = self.failed.iter().map(FailedSummary::note).collect();
                Err(OpError::Unreadable { notes })
            }
            Some(_) | None => Ok(()),
        }
    }

    fn remarks(&self) -> Vec<Note> {
        let left = self.left.len();
        // What stops everything is said once, at the end.
        let is_told = |failed: &&FailedSummary| matches!(&self.stopped, Some(StopReason::Provider { message, .. }) if failed.reason == *message);
        let mut notes: Vec<Note> =
            self.failed.iter().filter(|failed| !is_told(failed)).map(FailedSummary::note).collect();
        if let Some(StopReason::MaxCost { max_cost: max, next_cost: next }) = &self.stopped {
            let text = format!("stopped before `--max-cost {max}` could be passed: {left} left");
            // With less than one may cost, the same command would end here again.
            let hint = match next > max {
                true => format!("the next one may cost up to {next:.5}: a `--max-cost` above that lets it through"),
                false => "the same command goes on with what is missing".to_owned(),
            };
            notes.push(Note::new(Topic::Setting, text).hint(hint));
        }
        notes
    }
}

impl FailedSummary {
    fn note(&self) -> Note {
        let text = format!("no summary, the one from the file itself is shown: {}", self.reason);
        Note::new(Topic::Reduced, text).at(&self.path)
    }
}

/// Everything before the first question.
struct PreparedSummaries<'a> {
    driver: Driver<'a>,
    opened: Opened,
    snapshot: Screened,
    writer: SummaryModel,
    tier: Tier,
    /// By place in the snapshot.
    missing: Vec<(usize, ContentHash, PromptKind)>,
    fresh: usize,
    unfit: Vec<(String, String)>,
    notes: Vec<Note>,
}

impl PreparedSummaries<'_> {
    fn jobs(&self) -> Vec<SummaryJob<'_>> {
        let job = |(at, hash, kind): &(usize, ContentHash, PromptKind)| {
            self.snapshot.items.get(*at).map(|item| SummaryJob { item, hash: *hash, kind: *kind })
        };
        self.missing.iter().filter_map(job).collect()
    }

    fn prompt(&self) -> PromptSettings<'_> {
        let window = models::find(&self.writer.model).map_or(u64::MAX, |model| model.window / 2);
        let (most, safety) = (MOST_INPUT.min(window), &self.opened.safety);
        PromptSettings { writer: &self.writer, tier: self.tier, most, safety }
    }
}

fn prepare<'a>(door: &'a Door, request: &SummarizeRequest) -> Result<PreparedSummaries<'a>, OpError> {
    // Everything that is not set to be shown otherwise may be shown as a summary.
    let files = DocumentRequest {
        strategy: Some(StrategyName::Summarize.into()),
        budget: None,
        model: None,
        ..request.request.clone()
    };
    let opened = door.open(&files)?;
    let persona = model_choice::persona(&opened.config, &files)?;
    let writer = choose_model(request, persona)?;
    let tier = Tier::new(files.tier.or_else(|| persona?.tier));
    let snapshot = opened.read_files(door)?;
    let mut notes = snapshot.notes.clone();
    notes.extend(persona.and_then(|persona| unknown_providers_note(&persona.preferred_models)));
    let judge = |item: &Item| check_eligible(item, &opened.options).map(|hash| (hash, PromptKind::of(item)));
    let verdicts: Vec<_> =
        snapshot.items.par_iter().map(|item| (item.kind == ItemKind::File).then(|| judge(item))).collect();
    let mut able = Vec::new();
    let mut unfit = Vec::new();
    for (at, (verdict, item)) in verdicts.into_iter().zip(&snapshot.items).enumerate() {
        match verdict {
            Some(Ok((hash, kind))) => able.push((at, hash, kind, summary_key(&writer, kind, tier, &hash))),
            Some(Err(reason)) => unfit.push((item.path.clone(), reason)),
            None => {}
        }
    }
    let keys: Vec<SummaryKey> = able.iter().map(|(.., key)| *key).collect();
    let there = match request.again {
        true => BTreeSet::new(),
        false => match summaries(door, &opened.roots, &opened.config, Access::Read)? {
            Some(mut store) => {
                notes.extend(store.note.take());
                let found = store.summaries.get(&keys)?;
                found.entries.into_keys().collect()
            }
            None => BTreeSet::new(),
        },
    };
    // What was judged is the file as it is; what a model is shown is what may leave.
    let mut driver = Driver::for_messages(door, &opened.roots, &opened.config, writer.tokenizer);
    let snapshot = driver.screen(snapshot, &opened.safety)?;
    snapshot.passed()?;
    driver.memory.save();
    notes.extend(snapshot.report().notes());
    notes.extend(opened.notes.iter().filter(|note| note.topic == Topic::Setting).cloned());
    let fresh = keys.iter().filter(|key| there.contains(key)).count();
    let mut seen = there;
    // Files with the same bytes have the same summary.
    let missing = able.into_iter().filter(|(.., key)| seen.insert(*key)).map(|(at, hash, kind, _)| (at, hash, kind));
    let missing = missing.collect();
    Ok(PreparedSummaries { driver, missing, opened, snapshot, writer, tier, fresh, unfit, notes })
}
