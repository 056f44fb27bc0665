//! How far a run is, for whoever wants to show it, and the wish that it stop. No byte of a document depends on it.

use contexture_core::Cancel;
use contexture_core::render::grouped;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counters that a run moves on, for another thread to show, and the wish that it stop.
#[derive(Default, Debug)]
pub struct Progress {
    /// Files that are to be read; 0 while they are looked for.
    pub total: AtomicU64,
    /// Files that were read.
    pub read: AtomicU64,
    /// The wish that it stop.
    pub cancel: Cancel,
}

impl Progress {
    /// Nobody waits for the result any more: what has not been read stays unread.
    pub fn stop(&self) {
        self.cancel.cancel();
    }

    /// Whether nobody waits for the result any more.
    pub fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

/// Tells work that nobody waits for it any more, however the waiting ended.
pub struct Abandon(pub Arc<Progress>);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.total.load(Relaxed), self.read.load(Relaxed)) {
            (0, _) => f.write_str("looking for files"),
            (total, read) if read < total => write!(f, "reading {} of {} files", grouped(read), grouped(total)),
            (total, _) => write!(f, "counting {} files", grouped(total)),
        }
    }
}
