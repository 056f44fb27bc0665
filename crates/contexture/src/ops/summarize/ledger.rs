//! Which file is next, what the requests have cost, and whether to go on.
//!
//! Threads that ask share one ledger. It sets money aside before a request and settles it afterwards, so that `--max-cost` holds
//! whatever is under way. It sends nothing.

use super::{StopReason, SummaryJob};
use contexture_providers::{Cancel, ProviderError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// After so many errors of the provider in a row, and not one answer between them, there will be no better ones.
const IN_A_ROW: usize = 5;

/// What is asked next, what it has cost, and whether to go on.
pub struct Ledger {
    book: Mutex<Book>,
    changed: Condvar,
    max_cost: Option<f64>,
}

#[derive(Default)]
pub struct Book {
    next: usize,
    pub spent: f64,
    /// For questions that are on their way.
    reserved: f64,
    pub stopped: Option<StopReason>,
    failures: usize,
}

impl Ledger {
    pub fn new(max_cost: Option<f64>) -> Self {
        Self { book: Mutex::default(), changed: Condvar::new(), max_cost }
    }

    pub fn lock(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn next<'j, 'i>(&self, jobs: &'j [SummaryJob<'i>], cancel: &Cancel) -> Option<&'j SummaryJob<'i>> {
        let mut book = self.lock();
        if book.stopped.is_some() || cancel.is_cancelled() {
            return None;
        }
        let job = jobs.get(book.next);
        book.next += 1;
        job
    }

    /// Sets money aside. What others have set aside and will not need is waited for.
    pub fn reserve(&self, cost: f64, cancel: &Cancel) -> bool {
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
                book.stopped = Some(StopReason::MaxCost { max_cost: max, next_cost: cost });
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
    pub fn renew(&self, reserved: f64, cost: f64) -> bool {
        let mut book = self.lock();
        match self.max_cost {
            Some(max) if cost > 0.0 && book.spent + cost + book.reserved > max => {
                book.stopped.get_or_insert(StopReason::MaxCost { max_cost: max, next_cost: reserved });
                self.changed.notify_all();
                false
            }
            _ => {
                book.spent += cost;
                true
            }
        }
    }

    pub fn settle(&self, reserved: f64, cost: f64) {
        let mut book = self.lock();
        book.spent += cost;
        book.reserved -= reserved;
        // Sums of fractions never come back to nothing.
        if book.reserved < 1e-12 {
            book.reserved = 0.0;
        }
        self.changed.notify_all();
    }

    pub fn answered(&self) {
        self.lock().failures = 0;
    }

    pub fn failed(&self, error: &ProviderError) {
        let mut book = self.lock();
        if is_about_the_file(error) {
            return;
        }
        book.failures += 1;
        if is_final(error) || book.failures >= IN_A_ROW {
            let hint = error.hint();
            book.stopped.get_or_insert(StopReason::Provider { message: error.to_string(), hint });
            self.changed.notify_all();
        }
    }

    pub fn stop(&self, stopped: StopReason) {
        self.lock().stopped.get_or_insert(stopped);
        self.changed.notify_all();
    }
}

/// Whether no other question would get another answer.
fn is_final(error: &ProviderError) -> bool {
    use ProviderError as E;
    matches!(
        error,
        E::BaseUrl(_)
            | E::Model(_)
            | E::Key(_)
            | E::Request(_)
            | E::Client(_)
            | E::Connect { .. }
            | E::Spent { .. }
            | E::KeyRejected { .. }
            | E::Redirected { .. }
            | E::Refused { status: 404 | 405, .. }
            | E::NoProgram { .. }
    )
}

/// Whether another file may well get an answer.
fn is_about_the_file(error: &ProviderError) -> bool {
    matches!(error, ProviderError::Refusal { .. } | ProviderError::Empty | ProviderError::Refused { status: 413, .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_above_the_cost_limit_are_not_sent() {
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
        assert_eq!(ledger.lock().stopped, Some(StopReason::MaxCost { max_cost: 1.0, next_cost: 0.6 }));
        assert!((ledger.lock().spent - 0.5).abs() < 1e-9);
        assert!(!ledger.reserve(0.0, &cancel));
    }

    #[test]
    fn retries_count_towards_the_cost_limit() {
        let ledger = Ledger::new(Some(1.0));
        assert!(ledger.reserve(0.4, &Cancel::new()));
        assert!(ledger.renew(0.4, 0.0) && ledger.renew(0.4, 0.3) && ledger.renew(0.4, 0.3));
        assert!(!ledger.renew(0.4, 0.3));
        assert_eq!(ledger.lock().stopped, Some(StopReason::MaxCost { max_cost: 1.0, next_cost: 0.4 }));
        ledger.settle(0.4, 0.3);
        assert!((ledger.lock().spent - 0.9).abs() < 1e-9);
    }

    #[test]
    fn repeated_provider_errors_stop_the_work() {
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
        assert!(matches!(ledger.lock().stopped, Some(StopReason::Provider { .. })));
        let ledger = Ledger::new(None);
        ledger.failed(&ProviderError::KeyRejected { status: 401, message: String::new() });
        assert!(ledger.lock().stopped.is_some());
    }
}
