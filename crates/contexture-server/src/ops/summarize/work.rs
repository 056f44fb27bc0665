//! Asks for many summaries at once and keeps each before it counts.
//!
//! Takes questions and a store; gives for each what became of it. Threads ask, one thread keeps: what is told as done is on disk.
//! Stops before a question that could cost more than there is, when the server will have nothing of it, or when somebody wishes so.

use super::gate::{Gate, Outcome, Patience};
use super::prompt::{Asked, Manner, asked};
use super::screen::{Against, screen};
use super::whom::Whom;
use super::{Done, Failed, Job, Step, Stopped, SummarizeRequest};
use crate::provider::{self, Answer, Ask, Cancel, Endpoint, Key, Policy, ProviderError, Unanswered, Usage, Wait};
use contexture_core::models::{self, margin};
use contexture_core::{Counter, Level, Tools};
use contexture_gather::summaries::{Entry, Summaries};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// After so many errors of the provider in a row, and not one answer between them, there will be no better ones.
const IN_A_ROW: usize = 5;
/// One transaction for as many as have come meanwhile; a sync of the disk is what takes the time.
const BATCH: usize = 64;

/// What all questions have in common.
pub struct Shift<'a> {
    pub request: &'a SummarizeRequest<'a>,
    pub whom: &'a Whom,
    pub manner: Manner<'a>,
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
pub struct Worked {
    pub done: Vec<Done>,
    pub failed: Vec<Failed>,
    pub stopped: Option<Stopped>,
    pub usage: Usage,
    /// US dollars, where a price is known.
    pub cost: Option<f64>,
}

pub fn work(shift: &Shift<'_>, jobs: &[Job<'_>], store: &mut Summaries, tell: &mut dyn FnMut(Step<'_>)) -> Worked {
    let ledger = Ledger::new(shift.request.max_cost);
    let SummarizeRequest { jobs: most, retries, first_delay: first, longest_delay: longest, .. } = *shift.request;
    let gate = Gate::new(most, Patience { retries, first, longest });
    let (sender, receiver) = mpsc::channel();
    let mut worked = std::thread::scope(|scope| {
        for _ in 0..shift.request.jobs.clamp(1, jobs.len().max(1)) {
            let sender = sender.clone();
            let (ledger, gate) = (&ledger, &gate);
            scope.spawn(move || serve(shift, jobs, ledger, gate, &sender));
        }
        drop(sender);
        collect(&receiver, store, &ledger, tell)
    });
    let book = ledger.lock();
    worked.stopped = book.stopped.clone();
    if worked.stopped.is_none() && shift.cancel.is_cancelled() {
        worked.stopped = Some(Stopped::Interrupted);
    }
    worked.cost = shift.whom.rates.map(|_| book.spent);
    worked
}

/// What a thread tells.
enum Told {
    /// All wait so long, and why.
    Waiting(Duration, String),
    Written(Box<Entry>, Done),
    Failed(Failed, Usage, f64),
}

/// One thread: question after question.
fn serve(shift: &Shift<'_>, jobs: &[Job<'_>], ledger: &Ledger, gate: &Gate, sender: &Sender<Told>) {
    while let Some(job) = ledger.next(jobs, shift.cancel) {
        let asked = match asked(job.item, &job.hash, &shift.manner, &shift.tools) {
            Ok(asked) => asked,
            Err(error) => {
                let hint = error.hints().into_iter().next();
                let failed = Failed { path: job.item.path.clone(), reason: error.to_string(), hint };
                let _ = sender.send(Told::Failed(failed, Usage::default(), 0.0));
                continue;
            }
        };
        let most = (most_input(shift, &asked), shift.whom.max_answer);
        let reserve = shift.whom.cost(&Usage::default(), most).unwrap_or(0.0);
        if !ledger.reserve(reserve, shift.cancel) {
            return;
        }
        let Some(turn) = gate.enter(shift.cancel) else {
            ledger.settle(reserve, 0.0);
            return;
        };
        let tell = |delay, error: &ProviderError| {
            // The receiver stays until all threads are gone.
            let _ = sender.send(Told::Waiting(delay, error.to_string()));
        };
        let expected = (asked.input, shift.manner.tier.limit(job.item.size));
        let cost_of = |usage: Usage| shift.whom.cost(&usage, expected).unwrap_or(0.0);
        let pause = |wait: &Wait<'_>, cancel: &Cancel| {
            gate.pause(&turn, wait, cancel, |delay| tell(delay, wait.error))
                && ledger.renew(reserve, wait.usage.map_or(0.0, cost_of))
        };
        let result = ask(shift, &asked, &pause);
        gate.leave(if result.is_ok() { Outcome::Answered } else { Outcome::Failed });
        // What is no answer costs as much as one.
        let (last, before) = match &result {
            Ok(answer) => (Some(answer.usage), &answer.before),
            Err(unanswered) => (unanswered.came.as_ref().map(|came| came.usage), &unanswered.before),
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
                let failed = Failed { path: job.item.path.clone(), reason, hint };
                Told::Failed(failed, usage, cost)
            }
            Ok(answer) => {
                ledger.answered();
                judged(shift, job, &asked, &answer, (usage, cost))
            }
        };
        let _ = sender.send(told);
    }
}

fn ask(shift: &Shift<'_>, asked: &Asked, pause: &dyn Fn(&Wait<'_>, &Cancel) -> bool) -> Result<Answer, Unanswered> {
    let ask = Ask {
        api: shift.whom.api,
        model: &shift.whom.model,
        base_url: shift.request.base_url.as_deref(),
        key: shift.key.as_ref(),
        body: &asked.body,
        endpoint: Endpoint::Chat,
        timeout: shift.request.timeout,
    };
    let policy = Policy {
        retries: shift.request.retries,
        first_delay: shift.request.first_delay,
        longest_delay: shift.request.longest_delay,
        // A summary is a page at most.
        largest: 4 << 20,
        pause,
        ..Policy::default()
    };
    provider::complete(&ask, &policy, shift.cancel)
}

/// With what all attempts together have cost.
fn judged(shift: &Shift<'_>, job: &Job<'_>, asked: &Asked, answer: &Answer, (usage, cost): (Usage, f64)) -> Told {
    let against = Against {
        path: &job.item.path,
        text: &asked.shown.text,
        system: &asked.system,
        nonce: &asked.nonce,
        limit: shift.manner.tier.limit(job.item.size),
    };
    let count = |text: &str| shift.whom.tokenizer.count(text);
    let path = job.item.path.clone();
    let summary = match screen(answer, &against, &count) {
        Ok(summary) => summary,
        Err(refused) => {
            return Told::Failed(Failed { path, reason: refused.to_string(), hint: None }, usage, cost);
        }
    };
    let entry = Entry {
        file_path: super::place::entry_path(shift.project, &path),
        file_hash: job.hash,
        outline: asked.shown.outline.clone().unwrap_or_default(),
        generated_at: shift.now.clone(),
        generator_tier: shift.manner.tier.number(),
        generator: shift.whom.generator(job.sort, shift.manner.tier),
        view: Level::Summary.as_str().to_owned(),
        params: shift.whom.params(),
        input_tokens: answer.usage.input,
        output_tokens: answer.usage.output,
        summary,
    };
    let tokens = count(&entry.summary);
    let cost = shift.whom.rates.map(|_| cost);
    Told::Written(Box::new(entry), Done { path, tokens, usage, cost })
}

/// What the input of a question can be at most, though our counter may count too low.
pub fn most_input(shift: &Shift<'_>, asked: &Asked) -> u64 {
    bounded(asked.input, shift.whom)
}

/// A count with the error that its counter may have, where the model's own is not known.
fn bounded(count: u64, whom: &Whom) -> u64 {
    let counter = models::find(&whom.model).map_or(whom.tokenizer, |model| model.tokenizer);
    // The margin is a part of the true count.
    count.saturating_mul(100).div_ceil(100_u64.saturating_sub(margin(counter)).max(1))
}

/// Keeps what comes, and tells it.
fn collect(
    receiver: &Receiver<Told>,
    store: &mut Summaries,
    ledger: &Ledger,
    tell: &mut dyn FnMut(Step<'_>),
) -> Worked {
    let (mut worked, mut spent) = (Worked::default(), 0.0);
    while let Ok(first) = receiver.recv() {
        let (mut entries, mut written, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for told in std::iter::once(first).chain(receiver.try_iter().take(BATCH - 1)) {
            match told {
                Told::Waiting(delay, reason) => tell(Step::Waiting { delay, reason: &reason }),
                Told::Written(entry, done) => {
                    entries.push(*entry);
                    written.push(done);
                }
                Told::Failed(told, usage, cost) => failed.push((told, usage, cost)),
            }
        }
        if let Err(error) = store.put(&entries) {
            let reason = format!("it could not be kept: {error}");
            failed.extend(written.drain(..).map(|Done { path, usage, cost, .. }| {
                let hint = Some(error.hint().to_owned());
                (Failed { path, reason: reason.clone(), hint }, usage, cost.unwrap_or(0.0))
            }));
            ledger.stop(Stopped::Store { message: error.to_string(), hint: error.hint() });
        }
        for done in written {
            add(&mut worked.usage, &done.usage);
            spent += done.cost.unwrap_or(0.0);
            tell(Step::Done { done: &done, cost: spent });
            worked.done.push(done);
        }
        for (failed, usage, cost) in failed {
            add(&mut worked.usage, &usage);
            spent += cost;
            tell(Step::Failed(&failed));
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

/// What is asked next, what it has cost, and whether to go on.
struct Ledger {
    book: Mutex<Book>,
    changed: Condvar,
    max_cost: Option<f64>,
}

#[derive(Default)]
struct Book {
    next: usize,
    spent: f64,
    /// For questions that are on their way.
    reserved: f64,
    stopped: Option<Stopped>,
    failures: usize,
}

impl Ledger {
    fn new(max_cost: Option<f64>) -> Self {
        Self { book: Mutex::default(), changed: Condvar::new(), max_cost }
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next<'j, 'i>(&self, jobs: &'j [Job<'i>], cancel: &Cancel) -> Option<&'j Job<'i>> {
        let mut book = self.lock();
        if book.stopped.is_some() || cancel.is_cancelled() {
            return None;
        }
        let job = jobs.get(book.next);
        book.next += 1;
        job
    }

    /// Sets money aside. What others have set aside and will not need is waited for.
    fn reserve(&self, cost: f64, cancel: &Cancel) -> bool {
        let mut book = self.lock();
        loop {
            if book.stopped.is_some() || cancel.is_cancelled() {
                return false;
            }
            let Some(max) = self.max_cost else { break };
            if book.spent + book.reserved + cost <= max {
                break;
            }
            if book.reserved <= 0.0 {
                book.stopped = Some(Stopped::MaxCost { max, next: cost });
                self.changed.notify_all();
                return false;
            }
            let waited = self.changed.wait_timeout(book, Duration::from_millis(20));
            book = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        book.reserved += cost;
        true
    }

    /// An attempt cost so much and is to be repeated, with what was set aside for it. Gives whether there is enough for that.
    fn renew(&self, reserved: f64, cost: f64) -> bool {
        let mut book = self.lock();
        match self.max_cost {
            Some(max) if cost > 0.0 && book.spent + cost + book.reserved > max => {
                book.stopped.get_or_insert(Stopped::MaxCost { max, next: reserved });
                self.changed.notify_all();
                false
            }
            _ => {
                book.spent += cost;
                true
            }
        }
    }

    fn settle(&self, reserved: f64, cost: f64) {
        let mut book = self.lock();
        book.spent += cost;
        book.reserved -= reserved;
        // Sums of fractions never come back to nothing.
        if book.reserved < 1e-12 {
            book.reserved = 0.0;
        }
        self.changed.notify_all();
    }

    fn answered(&self) {
        self.lock().failures = 0;
    }

    fn failed(&self, error: &ProviderError) {
        let mut book = self.lock();
        if is_about_the_file(error) {
            return;
        }
        book.failures += 1;
        if is_final(error) || book.failures >= IN_A_ROW {
            let hint = error.hint();
            book.stopped.get_or_insert(Stopped::Provider { message: error.to_string(), hint });
            self.changed.notify_all();
        }
    }

    fn stop(&self, stopped: Stopped) {
        self.lock().stopped.get_or_insert(stopped);
        self.changed.notify_all();
    }
}

/// Whether no other question would get another answer.
fn is_final(error: &ProviderError) -> bool {
    match error {
        ProviderError::BaseUrl(_)
        | ProviderError::Model(_)
        | ProviderError::Key(_)
        | ProviderError::Request(_)
        | ProviderError::Client(_)
        | ProviderError::Connect { .. }
        | ProviderError::KeyRejected { .. }
        | ProviderError::Spent { .. }
        | ProviderError::Redirected { .. }
        | ProviderError::Refused { status: 404 | 405, .. }
        | ProviderError::NoProgram { .. } => true,
        ProviderError::Broken { .. }
        | ProviderError::TimedOut { .. }
        | ProviderError::Silent { .. }
        | ProviderError::Cut { .. }
        | ProviderError::Cancelled
        | ProviderError::TooManyRequests { .. }
        | ProviderError::Server { .. }
        | ProviderError::Refused { .. }
        | ProviderError::NotApi(_)
        | ProviderError::NotJson(_)
        | ProviderError::NotAnswer(_)
        | ProviderError::TooLarge { .. }
        | ProviderError::Empty
        | ProviderError::Refusal { .. }
        | ProviderError::Program { .. }
        | ProviderError::PromptTooLarge { .. } => false,
    }
}

/// Whether another file may well get an answer.
fn is_about_the_file(error: &ProviderError) -> bool {
    matches!(error, ProviderError::Refusal { .. } | ProviderError::Empty | ProviderError::Refused { status: 413, .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_cost_too_much_is_not_asked() {
        let ledger = Ledger::new(Some(1.0));
        let cancel = Cancel::new();
        assert!(ledger.reserve(0.6, &cancel));
        // It cost less than was set aside, so there is room for another.
        ledger.settle(0.6, 0.1);
        assert!(ledger.reserve(0.6, &cancel));
        std::thread::scope(|scope| {
            // Waits for the one before it, which may cost less than was set aside.
            let waiting = scope.spawn(|| ledger.reserve(0.6, &cancel));
            ledger.settle(0.6, 0.2);
            assert!(waiting.join().unwrap());
        });
        ledger.settle(0.6, 0.2);
        assert!(!ledger.reserve(0.6, &cancel));
        assert_eq!(ledger.lock().stopped, Some(Stopped::MaxCost { max: 1.0, next: 0.6 }));
        assert!((ledger.lock().spent - 0.5).abs() < 1e-9);
        assert!(!ledger.reserve(0.0, &cancel));
    }

    #[test]
    fn what_is_asked_again_must_be_paid_again() {
        let ledger = Ledger::new(Some(1.0));
        assert!(ledger.reserve(0.4, &Cancel::new()));
        assert!(ledger.renew(0.4, 0.0) && ledger.renew(0.4, 0.3) && ledger.renew(0.4, 0.3));
        assert!(!ledger.renew(0.4, 0.3));
        assert_eq!(ledger.lock().stopped, Some(Stopped::MaxCost { max: 1.0, next: 0.4 }));
        ledger.settle(0.4, 0.3);
        assert!((ledger.lock().spent - 0.9).abs() < 1e-9);
    }

    #[test]
    fn a_server_that_fails_again_and_again_is_left_alone() {
        let failure = ProviderError::Server { status: 500, message: String::new() };
        let ledger = Ledger::new(None);
        for _ in 1..IN_A_ROW {
            ledger.failed(&failure);
        }
        ledger.answered();
        for _ in 1..IN_A_ROW {
            ledger.failed(&failure);
            ledger.failed(&ProviderError::Empty);
        }
        assert_eq!(ledger.lock().stopped, None);
        ledger.failed(&failure);
        assert!(matches!(ledger.lock().stopped, Some(Stopped::Provider { .. })));
        let ledger = Ledger::new(None);
        ledger.failed(&ProviderError::KeyRejected { status: 401, message: String::new() });
        assert!(ledger.lock().stopped.is_some());
    }
}
