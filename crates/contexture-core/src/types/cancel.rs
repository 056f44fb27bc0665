//! A wish to stop, which any thread may have.
//!
//! One flag that those who work look at often enough. Setting it takes no lock and no memory, so even the handler of a signal may.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Clones are the same wish. It cannot be taken back.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A wish that no one has had yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops what waits, and what is asked later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether someone wished to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
