//! Asks for many summaries at once and keeps each before it counts.
//!
//! Takes questions and a store; gives for each what became of it. Threads ask, one thread keeps: what is told as done is on disk.
//! Stops before a question that could cost more than there is, when the server will have nothing of it, or when somebody wishes so.

use super::answer_check::{AnswerTarget, check_answer};
use super::gate::{Gate, Outcome, Patience};
use super::ledger::Ledger;
use super::model::SummaryModel;
use super::prompt::{PromptSettings, SummaryPrompt, write_prompt};
use super::{FailedSummary, FinishedSummary, StopReason, SummarizeStep, SummaryJob};
use crate::requests::{DAY, SummarizeRequest};
use contexture_core::models::{self, margin};
use contexture_core::{Counter, Level, Tools};
use contexture_gather::summaries::{Summaries, SummaryEntry};
use contexture_providers::{
    Answer, Cancel, Endpoint, Key, ModelRequest, Policy, ProviderError, Unanswered, Usage, Wait,
};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// One transaction for as many as have come meanwhile; a sync of the disk is what takes the time.
const BATCH: usize = 64;
const MOST_JOBS: u64 = 64;
const RETRIES: u32 = 5;
const FIRST_DELAY: Duration = Duration::from_millis(500);
/// Limits of providers are counted by the minute, so a wait may be that long.
const LONGEST_DELAY: Duration = Duration::from_secs(90);

/// What all questions have in common.
pub struct WorkSettings<'a> {
    pub request: &'a SummarizeRequest,
    pub prompt: PromptSettings<'a>,
    pub key: Option<Key>,
    pub tools: Tools<'a>,
    /// RFC 3339.
    pub now: String,
    /// Before the path in an entry.
    pub project: &'a str,
    pub cancel: &'a Cancel,
}

/// What became of all of it.
#[derive(Default)]
pub struct WorkResult {
    pub done: Vec<FinishedSummary>,
    pub failed: Vec<FailedSummary>,
    pub stopped: Option<StopReason>,
    pub usage: Usage,
    /// US dollars, where a price is known.
    pub cost: Option<f64>,
}

pub fn work(
    settings: &WorkSettings<'_>,
    jobs: &[SummaryJob<'_>],
    store: &mut Summaries,
    tell: &mut dyn FnMut(SummarizeStep<'_>),
) -> WorkResult {
    let ledger = Ledger::new(settings.request.max_cost);
    let most = settings.request.jobs.clamp(1, MOST_JOBS) as usize;
    let gate = Gate::new(most, Patience { retries: RETRIES, first: FIRST_DELAY, longest: LONGEST_DELAY });
    let (sender, receiver) = mpsc::channel();
    let mut worked = std::thread::scope(|scope| {
        for _ in 0..most.min(jobs.len().max(1)) {
            let sender = sender.clone();
            let (ledger, gate) = (&ledger, &gate);
            scope.spawn(move || ask_in_turn(settings, jobs, ledger, gate, &sender));
        }
        drop(sender);
        collect(&receiver, store, &ledger, tell)
    });
    let book = ledger.lock();
    worked.stopped = book.stopped.clone();
    if worked.stopped.is_none() && settings.cancel.is_cancelled() {
        worked.stopped = Some(StopReason::Interrupt);
    }
    worked.cost = settings.prompt.writer.rates.map(|_| book.spent);
    worked
}

/// What a thread tells.
enum WorkerMessage {
    /// All wait so long, and why.
    Waiting(Duration, String),
    Written(Box<SummaryEntry>, FinishedSummary),
    Failed(FailedSummary, Usage, f64),
}

/// One thread: question after question.
fn ask_in_turn(
    settings: &WorkSettings<'_>,
    jobs: &[SummaryJob<'_>],
    ledger: &Ledger,
    gate: &Gate,
    sender: &Sender<WorkerMessage>,
) {
    while let Some(job) = ledger.next(jobs, settings.cancel) {
        let asked = match write_prompt(job.item, &job.hash, &settings.prompt, &settings.tools) {
            Ok(asked) => asked,
            Err(error) => {
                let hint = error.hints().into_iter().next();
                let failed = FailedSummary { path: job.item.path.clone(), reason: error.to_string(), hint };
                let _ = sender.send(WorkerMessage::Failed(failed, Usage::default(), 0.0));
                continue;
            }
        };
        let most = (most_input(asked.input, settings.prompt.writer), settings.prompt.writer.max_answer);
        let reserve = settings.prompt.writer.cost(&Usage::default(), most).unwrap_or(0.0);
        if !ledger.reserve(reserve, settings.cancel) {
            return;
        }
        let Some(turn) = gate.enter(settings.cancel) else {
            ledger.settle(reserve, 0.0);
            return;
        };
        let tell = |delay, error: &ProviderError| {
            // The receiver stays until all threads are gone.
            let _ = sender.send(WorkerMessage::Waiting(delay, error.to_string()));
        };
        let expected = (asked.input, settings.prompt.tier.limit(job.item.size));
        let cost_of = |usage: Usage| settings.prompt.writer.cost(&usage, expected).unwrap_or(0.0);
        let pause = |wait: &Wait<'_>, cancel: &Cancel| {
            gate.pause(&turn, wait, cancel, |delay| tell(delay, wait.error))
                && ledger.renew(reserve, wait.usage.map_or(0.0, cost_of))
        };
        let result = ask(settings, &asked, &pause);
        gate.leave(if result.is_ok() { Outcome::Answered } else { Outcome::Failed });
        // What is no answer costs as much as one.
        let (last, before) = match &result {
            Ok(answer) => (Some(answer.usage), &answer.before),
            Err(unanswered) => (unanswered.partial.as_ref().map(|partial| partial.usage), &unanswered.before),
        };
        // Those before the last were settled when it was asked again.
        ledger.settle(reserve, last.map_or(0.0, cost_of));
        let (mut usage, mut cost) = (Usage::default(), 0.0);
        for attempt in before.iter().chain(&last) {
            add(&mut usage, attempt);
            cost += cost_of(*attempt);
        }
        let told = match result {
            Err(Unanswered { error: ProviderError::Cancelled, .. }) => return,
            Err(Unanswered { error, .. }) => {
                ledger.failed(&error);
                let (reason, hint) = (error.to_string(), Some(error.hint()));
                let failed = FailedSummary { path: job.item.path.clone(), reason, hint };
                WorkerMessage::Failed(failed, usage, cost)
            }
            Ok(answer) => {
                ledger.answered();
                check_and_store(settings, job, &asked, &answer, (usage, cost))
            }
        };
        let _ = sender.send(told);
    }
}

fn ask(
    settings: &WorkSettings<'_>,
    asked: &SummaryPrompt,
    pause: &dyn Fn(&Wait<'_>, &Cancel) -> bool,
) -> Result<Answer, Unanswered> {
    let ask = ModelRequest {
        api: settings.prompt.writer.api,
        model: &settings.prompt.writer.model,
        base_url: settings.request.base_url.as_deref(),
        key: settings.key.as_ref(),
        body: &asked.body,
        endpoint: Endpoint::Chat,
        timeout: Duration::from_secs(settings.request.timeout.clamp(1, DAY)),
    };
    let policy = Policy {
        retries: RETRIES,
        first_delay: FIRST_DELAY,
        longest_delay: LONGEST_DELAY,
        // A summary is a page at most.
        largest: 4 << 20,
        pause,
        ..Policy::default()
    };
    contexture_providers::complete(&ask, &policy, settings.cancel)
}

/// With what all attempts together have cost.
fn check_and_store(
    settings: &WorkSettings<'_>,
    job: &SummaryJob<'_>,
    asked: &SummaryPrompt,
    answer: &Answer,
    (usage, cost): (Usage, f64),
) -> WorkerMessage {
    let target = AnswerTarget {
        path: &job.item.path,
        text: &asked.shown.text,
        system: &asked.system,
        nonce: &asked.nonce,
        limit: settings.prompt.tier.limit(job.item.size),
    };
    let count = |text: &str| settings.prompt.writer.tokenizer.count(text);
    let path = job.item.path.clone();
    let summary = match check_answer(answer, &target, &count) {
        Ok(summary) => summary,
        Err(refused) => {
            return WorkerMessage::Failed(FailedSummary { path, reason: refused.to_string(), hint: None }, usage, cost);
        }
    };
    let entry = SummaryEntry {
        file_path: super::entry_path::entry_path(settings.project, &path),
        file_hash: job.hash,
        outline: asked.shown.outline.clone().unwrap_or_default(),
        generated_at: settings.now.clone(),
        generator_tier: settings.prompt.tier.number(),
        generator: settings.prompt.writer.generator(job.kind, settings.prompt.tier),
        view: Level::Summary.as_str().to_owned(),
        params: settings.prompt.writer.params(),
        input_tokens: answer.usage.input,
        output_tokens: answer.usage.output,
        summary,
    };
    let tokens = count(&entry.summary);
    let cost = settings.prompt.writer.rates.map(|_| cost);
    WorkerMessage::Written(Box::new(entry), FinishedSummary { path, tokens, usage, cost })
}

/// What the input of a question can be at most, with the error that our counter may have where the model's own is not known.
fn most_input(count: u64, writer: &SummaryModel) -> u64 {
    let counter = models::find(&writer.model).map_or(writer.tokenizer, |model| model.tokenizer);
    // The margin is a part of the true count.
    count.saturating_mul(100).div_ceil(100_u64.saturating_sub(margin(counter)).max(1))
}

/// Keeps what comes, and tells it.
fn collect(
    receiver: &Receiver<WorkerMessage>,
    store: &mut Summaries,
    ledger: &Ledger,
    tell: &mut dyn FnMut(SummarizeStep<'_>),
) -> WorkResult {
    let (mut worked, mut spent) = (WorkResult::default(), 0.0);
    while let Ok(first) = receiver.recv() {
        let (mut entries, mut written, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for told in std::iter::once(first).chain(receiver.try_iter().take(BATCH - 1)) {
            match told {
                WorkerMessage::Waiting(delay, reason) => tell(SummarizeStep::Waiting { delay, reason: &reason }),
                WorkerMessage::Written(entry, done) => {
                    entries.push(*entry);
                    written.push(done);
                }
                WorkerMessage::Failed(told, usage, cost) => failed.push((told, usage, cost)),
            }
        }
        if let Err(error) = store.put(&entries) {
            let reason = format!("it could not be kept: {error}");
            failed.extend(written.drain(..).map(|FinishedSummary { path, usage, cost, .. }| {
                let hint = Some(error.hint().to_owned());
                (FailedSummary { path, reason: reason.clone(), hint }, usage, cost.unwrap_or(0.0))
            }));
            ledger.stop(StopReason::Store { message: error.to_string(), hint: error.hint() });
        }
        for done in written {
            add(&mut worked.usage, &done.usage);
            spent += done.cost.unwrap_or(0.0);
            tell(SummarizeStep::Done { done: &done, cost: spent });
            worked.done.push(done);
        }
        for (failed, usage, cost) in failed {
            add(&mut worked.usage, &usage);
            spent += cost;
            tell(SummarizeStep::Failed(&failed));
            worked.failed.push(failed);
        }
    }
    worked.done.sort_by(|a, b| a.path.cmp(&b.path));
    worked.failed.sort_by(|a, b| a.path.cmp(&b.path));
    worked
}

fn add(sum: &mut Usage, more: &Usage) {
    let plus = |sum: &mut Option<u64>, more: Option<u64>| {
        if let Some(more) = more {
            *sum = Some(sum.unwrap_or(0).saturating_add(more));
        }
    };
    plus(&mut sum.input, more.input);
    plus(&mut sum.output, more.output);
    plus(&mut sum.cached, more.cached);
    plus(&mut sum.written, more.written);
    plus(&mut sum.thinking, more.thinking);
}
