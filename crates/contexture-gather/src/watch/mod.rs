//! Sees what changes on disk: files that the project could show, and what other processes write into the stores.
//!
//! Takes the roots and where the stores are; tells changes in batches, a tenth of a second after the first of each. What ignore files leave
//! out is not told, and its folders are not watched, unless it was named literally. Where the system cannot tell of so many folders, it
//! looks by itself every second and says that it does. Reads no file but those rules.

mod batch;
mod layout;
mod scan;
mod targets;
mod watcher;

use crate::env::Env;
use batch::EventBatch;
use notify::{ErrorKind, Event};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use watcher::FolderWatcher;

/// Something that changed on disk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// A file or folder as documents name it.
    File(String),
    /// More than could be told one by one.
    Everything,
    Runs,
    Trees,
    Summaries,
    Settings,
}

/// Tells as long as it is held.
pub struct Watch {
    messages: Sender<Message>,
    is_polling: bool,
}

enum Message {
    Event(notify::Result<Event>),
    Named(Vec<PathBuf>, Sender<()>),
    End,
}

/// Changes that belong together, such as a checkout, are told together.
const BATCH: Duration = Duration::from_millis(100);

/// Tells `tell` what changes below the roots and in the stores, on a thread of its own, until what is given is dropped.
pub fn watch(roots: &[PathBuf], env: &Env, tell: Box<dyn Fn(Vec<Change>) + Send>) -> notify::Result<Watch> {
    let (messages, due) = mpsc::channel();
    let mut watcher = FolderWatcher::new(roots, env, messages.clone())?;
    watcher.update_watches();
    let is_polling = watcher.is_polling();
    std::thread::Builder::new()
        .name("watch".into())
        .spawn(move || attend(watcher, &due, &*tell))
        .map_err(|error| notify::Error::new(ErrorKind::Io(error)))?;
    Ok(Watch { messages, is_polling })
}

impl Watch {
    /// Whether it looks by itself, which takes longer.
    pub fn is_polling(&self) -> bool {
        self.is_polling
    }

    /// From now on, these are told whatever ignore files say of them. When it comes back, what happens to them is seen.
    pub fn name(&self, literals: Vec<PathBuf>) {
        let (done, wait) = mpsc::channel();
        if self.messages.send(Message::Named(literals, done)).is_ok() {
            // An error says that it is done, too: nobody watches any more.
            let _ = wait.recv();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.messages.send(Message::End);
    }
}

fn attend(mut watcher: FolderWatcher, messages: &Receiver<Message>, tell: &dyn Fn(Vec<Change>)) {
    let mut batch = EventBatch::default();
    let mut end_of_batch: Option<Instant> = None;
    loop {
        let message = match end_of_batch.map(|end| end.saturating_duration_since(Instant::now())) {
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
            // What keeps coming must not keep a batch open.
            Some(Duration::ZERO) => Err(RecvTimeoutError::Timeout),
            Some(left) => messages.recv_timeout(left),
        };
        match message {
            Ok(Message::Event(event)) => {
                if batch.take(event) {
                    end_of_batch.get_or_insert_with(|| Instant::now() + BATCH);
                }
            }
            Ok(Message::Named(literals, done)) => {
                watcher.add_literals(literals);
                let _ = done.send(());
            }
            Err(RecvTimeoutError::Timeout) => {
                end_of_batch = None;
                let changes = watcher.changes(std::mem::take(&mut batch));
                if !changes.is_empty() {
                    tell(changes);
                }
            }
            Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
