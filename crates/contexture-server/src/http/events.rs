//! What changes, told to everybody who listens: files of the project, runs, trees, summaries, settings.
//!
//! Takes what the watch of the disk sees; gives a stream of server-sent events to each listener. Who does not keep up is told that
//! everything may have changed, never less than that.

use super::Served;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use contexture::answers::to_value;
use contexture::ops::Door;
use contexture_gather::watch::{Change, Watch, watch};
use futures_util::{Stream, StreamExt};
use serde::Serialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::broadcast::{self, Receiver, Sender, error::RecvError};

/// Paths that are named one by one; of more it is said that all may have changed.
const NAMED: usize = 1_000;

pub struct Events {
    sender: Sender<ServerEvent>,
    watch: Option<Watch>,
}

#[derive(Clone)]
struct ServerEvent {
    name: &'static str,
    data: Arc<str>,
}

impl ServerEvent {
    fn of(name: &'static str, data: &impl Serialize) -> Self {
        Self { name, data: to_value(data).to_string().into() }
    }
}

/// The first event of a stream.
#[derive(Serialize)]
struct HelloEvent {
    v: u32,
    version: &'static str,
    /// Grows with every change of files
    generation: u64,
}

/// Files that may have changed.
#[derive(Serialize)]
struct FilesEvent<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    generation: Option<u64>,
    paths: &'a [&'a str],
    /// Whether others may have changed, too
    all: bool,
}

/// Something that is told by its name alone.
#[derive(Serialize)]
struct StoreEvent {}

impl Events {
    pub fn watch(door: &Door, generation: Arc<AtomicU64>) -> Self {
        let (sender, _) = broadcast::channel(256);
        let event_sender = sender.clone();
        let tell = move |changes: Vec<Change>| {
            for event in events_of(&changes, &generation) {
                // Nobody may be listening.
                let _ = event_sender.send(event);
            }
        };
        let watch = watch(&door.root_paths(), &door.env, Box::new(tell)).ok();
        Self { sender, watch }
    }

    /// From now on, these are told whatever ignore files say of them.
    pub fn name(&self, literals: Vec<PathBuf>) {
        if let Some(watch) = &self.watch {
            watch.name(literals);
        }
    }

    pub fn note(&self) -> Option<&'static str> {
        match &self.watch {
            None => Some("changes of files are not seen: nothing can be watched here"),
            Some(watch) if watch.is_polling() => Some("changes of files are seen late: too many folders to be told of"),
            Some(_) => None,
        }
    }
}

fn events_of(changes: &[Change], generation: &AtomicU64) -> Vec<ServerEvent> {
    let is_any = |wanted: &Change| changes.contains(wanted);
    let paths: Vec<&str> = changes
        .iter()
        .filter_map(|change| match change {
            Change::File(path) => Some(path.as_str()),
            Change::Everything | Change::Runs | Change::Trees | Change::Summaries | Change::Settings => None,
        })
        .collect();
    let mut all = Vec::new();
    if !paths.is_empty() || is_any(&Change::Everything) {
        let is_all = is_any(&Change::Everything) || paths.len() > NAMED;
        let generation = Some(generation.fetch_add(1, Ordering::Relaxed) + 1);
        let files = FilesEvent { generation, paths: &paths[..paths.len().min(NAMED)], all: is_all };
        all.push(ServerEvent::of("files", &files));
    }
    for (change, name) in STORES {
        if is_any(change) {
            all.push(ServerEvent::of(name, &StoreEvent {}));
        }
    }
    all
}

/// What is told by its name alone.
const STORES: &[(Change, &str)] =
    &[(Change::Runs, "runs"), (Change::Trees, "loom"), (Change::Summaries, "cache"), (Change::Settings, "config")];

fn everything() -> impl Iterator<Item = ServerEvent> {
    let files = ServerEvent::of("files", &FilesEvent { generation: None, paths: &[], all: true });
    let stores = STORES.iter().map(|(_, name)| ServerEvent::of(name, &StoreEvent {}));
    [files].into_iter().chain(stores)
}

pub async fn stream(State(served): State<Arc<Served>>) -> impl IntoResponse {
    let receiver = served.events.sender.subscribe();
    let generation = served.generation.load(Ordering::Relaxed);
    let hello = ServerEvent::of("hello", &HelloEvent { v: 1, version: env!("CARGO_PKG_VERSION"), generation });
    let events = listening(hello, receiver).map(|event| {
        let event = Event::default().event(event.name).data(&*event.data);
        Ok::<_, Infallible>(event)
    });
    // Nobody is to wait for a panel that is open.
    let events = events.take_until(Box::pin(served.shutdown.clone().near()));
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

/// What one listener is told, one after the other.
fn listening(hello: ServerEvent, receiver: Receiver<ServerEvent>) -> impl Stream<Item = ServerEvent> {
    let first = VecDeque::from([hello]);
    futures_util::stream::unfold((first, receiver), async |(mut due, mut receiver)| {
        while due.is_empty() {
            match receiver.recv().await {
                Ok(event) => due.push_back(event),
                // What was missed may have been anything.
                Err(RecvError::Lagged(_)) => due.extend(everything()),
                Err(RecvError::Closed) => return None,
            }
        }
        Some((due.pop_front()?, (due, receiver)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_keep_up_is_told_everything() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (sender, receiver) = broadcast::channel(2);
            let event = |name| ServerEvent { name, data: "{}".into() };
            let mut heard = Box::pin(listening(event("hello"), receiver));
            assert_eq!(heard.next().await.unwrap().name, "hello");
            for name in ["lost", "runs", "loom"] {
                assert!(sender.send(event(name)).is_ok());
            }
            drop(sender);
            let all: Vec<ServerEvent> = heard.collect().await;
            let names: Vec<&str> = all.iter().map(|event| event.name).collect();
            // All that can be told, and then what was not lost.
            assert_eq!(names, ["files", "runs", "loom", "cache", "config", "runs", "loom"]);
            let files: serde_json::Value = serde_json::from_str(&all[0].data).unwrap();
            assert_eq!(files, serde_json::json!({"paths": [], "all": true}));
        });
    }

    #[test]
    fn everything_is_all_that_a_change_can_be() {
        let changes = [Change::Everything, Change::Runs, Change::Trees, Change::Summaries, Change::Settings];
        let one_by_one: Vec<&str> = events_of(&changes, &AtomicU64::new(0)).iter().map(|event| event.name).collect();
        assert_eq!(everything().map(|event| event.name).collect::<Vec<_>>(), one_by_one);
    }
}
