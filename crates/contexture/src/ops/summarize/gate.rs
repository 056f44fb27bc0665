//! How many may ask at once, and when: one gate for all who ask the same server.
//!
//! Takes the waits that the server wishes; lets nobody through before they are over. After such a wish half as many may ask at
//! once, and each time that all of them got an answer one more. A server that only fails is waited for once by all together, not
//! by each anew. Asks nobody itself.

use contexture_providers::{Cancel, Wait};
use std::cell::Cell;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub struct Gate {
    turns: Mutex<Turns>,
    changed: Condvar,
}

/// How long a server is waited for that gives no answer to anybody.
#[derive(Clone, Copy)]
pub struct Patience {
    /// After so many waits in a row nobody waits any more.
    pub retries: u32,
    /// The first wait where the server names none; doubled with each.
    pub first: Duration,
    pub longest: Duration,
}

/// Who may ask. It knows how often the gate had been shut when it was let in.
pub struct Turn(Cell<u64>);

/// The longest that somebody waits before looking whether all is to stop.
const STEP: Duration = Duration::from_millis(20);

impl Gate {
    pub fn new(jobs: usize, patience: Patience) -> Self {
        Self { turns: Mutex::new(Turns::new(jobs, patience)), changed: Condvar::new() }
    }

    /// Waits for a turn. `None` when all is to stop.
    pub fn enter(&self, cancel: &Cancel) -> Option<Turn> {
        let shut = self.wait(self.lock(), |_| cancel.is_cancelled()).ok()?;
        Some(Turn(Cell::new(shut)))
    }

    /// Gives a turn back.
    pub fn leave(&self, outcome: Outcome) {
        self.lock().leave(outcome);
        self.changed.notify_all();
    }

    /// Somebody who has a turn is to ask again: until then all wait who have not asked yet. Those who fail together are `told` once.
    /// Gives whether it has a turn again to ask with, or nobody waits for this server any more.
    pub fn pause(&self, turn: &Turn, wait: &Wait<'_>, cancel: &Cancel, told: impl FnOnce(Duration)) -> bool {
        let mut turns = self.lock();
        turns.shut(Instant::now(), turn.0.get(), wait.is_by_server.then_some(wait.delay)).map(told);
        self.changed.notify_all();
        match self.wait(turns, |turns| cancel.is_cancelled() || turns.is_given_up()) {
            Ok(shut) => {
                turn.0.set(shut);
                true
            }
            Err(mut turns) => {
                // Whoever stops gives its turn back all the same.
                turns.inside += 1;
                cancel.is_cancelled()
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(
        &self,
        mut turns: MutexGuard<'a, Turns>,
        is_over: impl Fn(&Turns) -> bool,
    ) -> Result<u64, MutexGuard<'a, Turns>> {
        while !is_over(&turns) {
            match turns.enter(Instant::now()) {
                Ok(shut) => return Ok(shut),
                Err(wait) => {
                    let waited = self.changed.wait_timeout(turns, wait.min(STEP));
                    turns = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        Err(turns)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Answered,
    Failed,
}

/// The state of the gate at moments that are given to it.
struct Turns {
    patience: Patience,
    /// As many as were asked for.
    most: usize,
    /// As many as may be inside now.
    allowed: usize,
    inside: usize,
    /// Shut until then.
    until: Option<Instant>,
    /// How often it was shut, ever.
    shut: u64,
    /// How often it was shut since the last answer.
    failures: u32,
    /// Answers since the last change.
    answered: usize,
}

impl Turns {
    fn new(jobs: usize, patience: Patience) -> Self {
        let most = jobs.max(1);
        Self { patience, most, allowed: most, inside: 0, until: None, shut: 0, failures: 0, answered: 0 }
    }

    /// A turn, with how often the gate was shut before it, or how long to wait before asking for it again.
    fn enter(&mut self, now: Instant) -> Result<u64, Duration> {
        if let Some(until) = self.until.filter(|until| *until > now) {
            return Err(until - now);
        }
        if self.inside >= self.allowed {
            return Err(STEP);
        }
        self.inside += 1;
        Ok(self.shut)
    }

    fn leave(&mut self, outcome: Outcome) {
        self.inside = self.inside.saturating_sub(1);
        match outcome {
            Outcome::Failed => self.answered = 0,
            Outcome::Answered => {
                self.answered += 1;
                self.failures = 0;
            }
        }
        if self.answered >= self.allowed && self.allowed < self.most {
            self.allowed += 1;
            self.answered = 0;
        }
    }

    /// Takes a turn back that was given after the gate had been shut so often, and lets nobody in for a while. Gives how long,
    /// where that is news: of those who asked before it was shut only the first counts.
    fn shut(&mut self, now: Instant, before: u64, wished: Option<Duration>) -> Option<Duration> {
        self.inside = self.inside.saturating_sub(1);
        self.answered = 0;
        let is_news = self.shut == before;
        if is_news {
            self.allowed = (self.allowed / 2).max(1);
            self.shut += 1;
            self.failures = self.failures.saturating_add(1);
        }
        if self.is_given_up() {
            return None;
        }
        let Patience { first, longest, .. } = self.patience;
        let doubled = || first.saturating_mul(2_u32.saturating_pow(self.failures.saturating_sub(1)));
        let delay = wished.unwrap_or_else(doubled).min(longest);
        self.until = self.until.max(now.checked_add(delay));
        is_news.then_some(delay)
    }

    fn is_given_up(&self) -> bool {
        self.failures > self.patience.retries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contexture_providers::ProviderError;

    const SECOND: Duration = Duration::from_secs(1);
    const PATIENCE: Patience = Patience { retries: 3, first: SECOND, longest: Duration::from_secs(90) };

    #[test]
    fn all_wait_for_the_longest_delay_and_half_continue() {
        let now = Instant::now();
        let mut turns = Turns::new(8, PATIENCE);
        for _ in 0..8 {
            assert_eq!(turns.enter(now), Ok(0));
        }
        assert_eq!(turns.enter(now), Err(STEP));
        assert_eq!(turns.shut(now, 0, Some(3 * SECOND)), Some(3 * SECOND));
        // They asked before, so this is no news, even when the wait is over.
        assert_eq!(turns.shut(now + SECOND, 0, Some(5 * SECOND)), None);
        assert_eq!(turns.shut(now + SECOND, 0, Some(SECOND)), None);
        assert_eq!((turns.allowed, turns.inside), (4, 5));
        assert_eq!(turns.enter(now + 2 * SECOND), Err(4 * SECOND));
        turns.leave(Outcome::Answered);
        turns.leave(Outcome::Failed);
        assert_eq!(turns.enter(now + 6 * SECOND), Ok(1));
        assert_eq!(turns.enter(now + 6 * SECOND), Err(STEP));
        assert_eq!(turns.shut(now + 7 * SECOND, 0, Some(SECOND)), None);
        assert_eq!(turns.allowed, 4);
        assert_eq!(turns.shut(now + 9 * SECOND, 1, Some(SECOND)), Some(SECOND));
        assert_eq!(turns.allowed, 2);
    }

    #[test]
    fn repeated_failures_share_one_doubling_wait() {
        let mut now = Instant::now();
        let mut turns = Turns::new(4, PATIENCE);
        let mut waits = Vec::new();
        for _ in 0..4 {
            // Whoever may, asks and fails.
            let seen: Vec<u64> = std::iter::from_fn(|| turns.enter(now).ok()).collect();
            let told: Vec<Duration> = seen.iter().filter_map(|seen| turns.shut(now, *seen, None)).collect();
            waits.push((seen.len(), told));
            now = turns.until.unwrap();
        }
        assert_eq!(waits, [(4, vec![SECOND]), (2, vec![2 * SECOND]), (1, vec![4 * SECOND]), (1, vec![])]);
        assert!(turns.is_given_up());
        // An answer to anybody, and there is reason to wait again.
        assert_eq!(turns.enter(now), Ok(4));
        turns.leave(Outcome::Answered);
        assert!(!turns.is_given_up());
        assert_eq!(turns.shut(now, 4, None), Some(SECOND));
    }

    #[test]
    fn answers_raise_the_limit_one_by_one() {
        let now = Instant::now();
        let mut turns = Turns::new(3, PATIENCE);
        assert_eq!(turns.enter(now), Ok(0));
        turns.shut(now, 0, Some(Duration::ZERO));
        let mut seen = Vec::new();
        for _ in 0..8 {
            assert_eq!(turns.enter(now), Ok(1));
            turns.leave(Outcome::Answered);
            seen.push(turns.allowed);
        }
        assert_eq!(seen, [2, 2, 3, 3, 3, 3, 3, 3]);
        // A failure begins the count anew.
        turns.shut(now, 1, Some(Duration::ZERO));
        for outcome in [Outcome::Failed, Outcome::Answered] {
            assert_eq!(turns.enter(now), Ok(2));
            turns.leave(outcome);
        }
        assert_eq!(turns.allowed, 2);
    }

    #[test]
    fn cancelling_ends_every_wait() {
        let gate = Gate::new(1, PATIENCE);
        let cancel = Cancel::new();
        let turn = gate.enter(&cancel).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.enter(&cancel).is_none());
            let (gate, cancel) = (&gate, &cancel);
            let paused = scope.spawn(move || {
                let error = ProviderError::Server { status: 500, message: String::new() };
                let wait = Wait { error: &error, delay: Duration::from_secs(3_600), is_by_server: true, usage: None };
                gate.pause(&turn, &wait, cancel, |_| {})
            });
            cancel.cancel();
            assert!(waiting.join().unwrap());
            assert!(paused.join().unwrap());
        });
        gate.leave(Outcome::Failed);
    }
}
