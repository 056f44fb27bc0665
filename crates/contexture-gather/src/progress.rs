//! How far a run is, for whoever wants to show it. Nothing depends on it.

use contexture_core::render::grouped;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Default, Debug)]
pub struct Progress {
    pub total: AtomicU64,
    pub read: AtomicU64,
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
