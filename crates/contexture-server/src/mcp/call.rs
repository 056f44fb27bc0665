//! Runs an operation away from the runtime, tells the client how far it is, and stops when the client wishes.
//!
//! Takes a request's context and the work; gives the result, or a protocol error where there is nobody to have one. Operations
//! block and use all cores, so each gets a thread; how many go on at once is bounded.

use super::Mcp;
use contexture::ops::{Door, OpError};
use contexture_gather::{Abandon, Progress};
use rmcp::RoleServer;
use rmcp::model::{ErrorData, ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// The protocol's own limit is ten a second.
const STEP: Duration = Duration::from_millis(100);

impl Mcp {
    pub(super) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Door) -> Result<T, OpError> + Send + 'static,
    ) -> Result<Result<T, OpError>, ErrorData> {
        let _held = self.shutdown.hold();
        let gone = || ErrorData::internal_error("cancelled", None);
        let roots = match self.roots(context).await {
            Ok(roots) => roots,
            Err(error) => return Ok(Err(error)),
        };
        let slot = tokio::select! {
            slot = Arc::clone(&self.shared.slots).acquire_owned() => slot.map_err(|_| gone())?,
            () = context.ct.cancelled() => return Err(gone()),
        };
        let door = self.door(roots);
        let progress = Arc::clone(&door.progress);
        let _abandon = Abandon(Arc::clone(&progress));
        let mut work = tokio::task::spawn_blocking(move || {
            let done = work(&door);
            drop(slot);
            done
        });
        let mut reporter = ProgressReporter::new(context, progress);
        loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => return Err(gone()),
                done = &mut work => {
                    return Ok(done.unwrap_or_else(|_| {
                        Err(OpError::failed("the operation broke off by a fault of contexture").hint("try it with `contexture` in a terminal"))
                    }));
                }
                () = reporter.next() => {}
            }
        }
    }
}

/// What the client has been told of the progress.
struct ProgressReporter {
    token: Option<ProgressToken>,
    peer: Peer<RoleServer>,
    progress: Arc<Progress>,
    ticks: tokio::time::Interval,
    last: Option<u64>,
}

impl ProgressReporter {
    fn new(context: &RequestContext<RoleServer>, progress: Arc<Progress>) -> Self {
        let mut ticks = tokio::time::interval(STEP);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { token: context.meta.get_progress_token(), peer: context.peer.clone(), progress, ticks, last: None }
    }

    /// Ends when something new was told; never where nobody wants to know.
    async fn next(&mut self) {
        let Some(token) = self.token.clone() else { return std::future::pending().await };
        loop {
            self.ticks.tick().await;
            let (total, read) = (self.progress.total.load(Relaxed), self.progress.read.load(Relaxed));
            // It rises each time, or nothing is said.
            if self.last.is_some_and(|last| read <= last) {
                continue;
            }
            self.last = Some(read);
            let said = ProgressNotificationParam::new(token, read as f64).with_message(self.progress.to_string());
            let said = if total > 0 { said.with_total(total.max(read) as f64) } else { said };
            // A client that cannot be told cannot be answered either.
            let _ = self.peer.notify_progress(said).await;
            return;
        }
    }
}
