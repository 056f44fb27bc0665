//! A wish to stop, which any thread may have.
//!
//! Takes the wish; gives it to whoever waits. It is one flag that is looked at often enough: setting it takes no lock and no memory,
//! so even the handler of a signal may.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Clones are the same wish. It cannot be taken back.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

/// How often those who wait look: a fifth of the tenth of a second within which everything stops.
const STEP: Duration = Duration::from_millis(20);

impl Cancel {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Blocks for so long, or until the wish comes.
    pub fn pause(&self, time: Duration) {
        let begun = Instant::now();
        while !self.is_cancelled() {
            let left = time.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(STEP));
        }
    }

    /// Ends when the wish comes.
    pub(super) async fn wished(&self) {
        while !self.is_cancelled() {
            tokio::time::sleep(STEP).await;
        }
    }

    /// The longest that somebody who cannot be woken may wait before it looks again.
    pub(super) const fn step() -> Duration {
        STEP
    }
}
