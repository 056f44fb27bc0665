//! The end of a server: who waits for it, and what it waits for.
//!
//! Work holds it up; streams that have no end of their own listen for it. Knows nothing of connections.

use std::sync::Arc;
use tokio::sync::watch;

#[derive(Clone)]
pub struct Shutdown(Arc<Inner>);

struct Inner {
    /// Has a receiver for each piece of work.
    work: watch::Sender<()>,
    is_near: watch::Sender<bool>,
}

/// Work that is under way, as long as it is held.
pub struct ShutdownHold(#[expect(dead_code, reason = "it counts as long as it is there")] watch::Receiver<()>);

impl Default for Shutdown {
    fn default() -> Self {
        Self(Arc::new(Inner { work: watch::Sender::new(()), is_near: watch::Sender::new(false) }))
    }
}

impl Shutdown {
    pub fn hold(&self) -> ShutdownHold {
        ShutdownHold(self.0.work.subscribe())
    }

    /// The server is to stop.
    pub fn begin(&self) {
        self.0.is_near.send_replace(true);
    }

    /// Comes back when it is to stop.
    pub async fn near(self) {
        // It is held here, so that nobody can have dropped it.
        let _ = self.0.is_near.subscribe().wait_for(|is_near| *is_near).await;
    }

    /// Comes back when nothing is under way.
    pub async fn done(&self) {
        self.0.work.closed().await;
    }

    pub fn is_done(&self) -> bool {
        self.0.work.is_closed()
    }
}
