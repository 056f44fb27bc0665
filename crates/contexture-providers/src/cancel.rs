//! Waiting that a wish to stop ends.

use contexture_core::Cancel;
use std::time::{Duration, Instant};

/// How often those who wait look: a fifth of the tenth of a second within which everything stops. Nobody who cannot be woken may wait
/// longer before looking again.
pub(crate) const STEP: Duration = Duration::from_millis(20);

/// Blocks for so long, or until the wish comes.
pub fn pause(cancel: &Cancel, time: Duration) {
    let begun = Instant::now();
    while !cancel.is_cancelled() {
        let left = time.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(STEP));
    }
}

/// Ends when the wish comes.
pub(crate) async fn cancelled(cancel: &Cancel) {
    while !cancel.is_cancelled() {
        tokio::time::sleep(STEP).await;
    }
}
