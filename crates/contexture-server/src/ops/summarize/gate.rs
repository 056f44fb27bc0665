//! How many may ask at once, and when: one gate for all who ask the same server.
//!
//! Takes the waits that the server wishes; lets nobody through before they are over. After such a wish half as many may ask at
//! once, and each time that all of them got an answer one more. Asks nobody itself.

use crate::provider::Cancel;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub struct Gate {
    turns: Mutex<Turns>,
    changed: Condvar,
}

/// The longest that somebody waits before looking whether all is to stop.
const STEP: Duration = Duration::from_millis(20);

impl Gate {
    pub fn new(jobs: usize) -> Self {
        Self { turns: Mutex::new(Turns::new(jobs)), changed: Condvar::new() }
    }

    /// Waits for a turn. `false` when all is to stop.
    pub fn enter(&self, cancel: &Cancel) -> bool {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        while !cancel.is_cancelled() {
            match turns.enter(Instant::now()) {
                Ok(()) => return true,
                Err(wait) => {
                    let waited = self.changed.wait_timeout(turns, wait.min(STEP));
                    turns = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        false
    }

    /// Gives a turn back.
    pub fn leave(&self, outcome: Outcome) {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner).leave(outcome);
        self.changed.notify_all();
    }

    /// Somebody who has a turn is told to wait: so do all others who have not asked yet. Waits, and has a turn again.
    pub fn pause(&self, delay: Duration, cancel: &Cancel) {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner).shut(Instant::now(), delay);
        self.changed.notify_all();
        if !self.enter(cancel) {
            // Whoever stops gives its turn back all the same.
            self.turns.lock().unwrap_or_else(PoisonError::into_inner).inside += 1;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Answered,
    Failed,
}

/// The state of the gate at moments that are given to it.
struct Turns {
    /// As many as were asked for.
    most: usize,
    /// As many as may be inside now.
    allowed: usize,
    inside: usize,
    /// Shut until then.
    until: Option<Instant>,
    /// Answers since the last change.
    answered: usize,
}

impl Turns {
    fn new(jobs: usize) -> Self {
        let most = jobs.max(1);
        Self { most, allowed: most, inside: 0, until: None, answered: 0 }
    }

    /// A turn, or how long to wait before asking for it again.
    fn enter(&mut self, now: Instant) -> Result<(), Duration> {
        if let Some(until) = self.until.filter(|until| *until > now) {
            return Err(until - now);
        }
        if self.inside >= self.allowed {
            return Err(STEP);
        }
        self.inside += 1;
        Ok(())
    }

    fn leave(&mut self, outcome: Outcome) {
        self.inside = self.inside.saturating_sub(1);
        match outcome {
            Outcome::Failed => self.answered = 0,
            Outcome::Answered => self.answered += 1,
        }
        if self.answered >= self.allowed && self.allowed < self.most {
            self.allowed += 1;
            self.answered = 0;
        }
    }

    /// Takes a turn back and lets nobody in for a while. Of several who are told at about the same time only the first halves.
    fn shut(&mut self, now: Instant, delay: Duration) {
        self.inside = self.inside.saturating_sub(1);
        if self.until.is_none_or(|until| until <= now) {
            self.allowed = (self.allowed / 2).max(1);
        }
        self.answered = 0;
        self.until = self.until.max(now.checked_add(delay));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn everybody_waits_for_the_longest_wish_and_half_go_on() {
        let now = Instant::now();
        let mut turns = Turns::new(8);
        for _ in 0..8 {
            assert_eq!(turns.enter(now), Ok(()));
        }
        assert_eq!(turns.enter(now), Err(STEP));
        turns.shut(now, 3 * SECOND);
        turns.shut(now + SECOND, 5 * SECOND);
        turns.shut(now + SECOND, SECOND);
        assert_eq!((turns.allowed, turns.inside), (4, 5));
        assert_eq!(turns.enter(now + 2 * SECOND), Err(4 * SECOND));
        turns.leave(Outcome::Answered);
        turns.leave(Outcome::Failed);
        assert_eq!(turns.enter(now + 6 * SECOND), Ok(()));
        assert_eq!(turns.enter(now + 6 * SECOND), Err(STEP));
        turns.shut(now + 7 * SECOND, SECOND);
        turns.shut(now + 9 * SECOND, SECOND);
        turns.shut(now + 11 * SECOND, SECOND);
        assert_eq!(turns.allowed, 1);
        turns.shut(now + 13 * SECOND, SECOND);
        assert_eq!((turns.allowed, turns.inside), (1, 0));
    }

    #[test]
    fn answers_bring_them_back_one_by_one() {
        let now = Instant::now();
        let mut turns = Turns::new(3);
        assert_eq!(turns.enter(now), Ok(()));
        turns.shut(now, Duration::ZERO);
        let mut seen = Vec::new();
        for _ in 0..8 {
            assert_eq!(turns.enter(now), Ok(()));
            turns.leave(Outcome::Answered);
            seen.push(turns.allowed);
        }
        assert_eq!(seen, [2, 2, 3, 3, 3, 3, 3, 3]);
        // A failure begins the count anew.
        turns.shut(now, Duration::ZERO);
        for outcome in [Outcome::Failed, Outcome::Answered] {
            assert_eq!(turns.enter(now), Ok(()));
            turns.leave(outcome);
        }
        assert_eq!(turns.allowed, 2);
        // A delay beyond all time is none.
        turns.shut(now, Duration::MAX);
        assert_eq!(turns.enter(now), Ok(()));
    }

    #[test]
    fn a_wish_to_stop_ends_every_wait() {
        let gate = Gate::new(1);
        let cancel = Cancel::new();
        assert!(gate.enter(&cancel));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.enter(&cancel));
            let paused = scope.spawn(|| gate.pause(Duration::from_secs(3_600), &cancel));
            cancel.cancel();
            assert!(!waiting.join().unwrap());
            paused.join().unwrap();
        });
        gate.leave(Outcome::Failed);
    }
}
