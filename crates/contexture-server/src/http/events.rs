//! What changes, told to everybody who listens: files of the project, runs, trees, summaries, settings.
//!
//! Takes what the watch of the disk sees; gives a stream of server-sent events to each listener. Who does not keep up is told that
//! everything may have changed, never less than that.

use super::Served;
use crate::ops::Door;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use contexture_gather::watch::{Change, Watch, watch};
use futures_util::{Stream, StreamExt};
use serde_json::json;
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
    sender: Sender<Told>,
    watch: Option<Watch>,
}

#[derive(Clone)]
struct Told {
    name: &'static str,
    data: Arc<str>,
}

impl Events {
    pub fn watch(door: &Door, generation: Arc<AtomicU64>) -> Self {
        let (sender, _) = broadcast::channel(256);
        let teller = sender.clone();
        let tell = move |changes: Vec<Change>| {
            for told in told(&changes, &generation) {
                // Nobody may be listening.
                let _ = teller.send(told);
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

fn told(changes: &[Change], generation: &AtomicU64) -> Vec<Told> {
    let is_any = |wanted: &Change| changes.contains(wanted);
    let paths: Vec<&str> = changes
        .iter()
        .filter_map(|change| match change {
            Change::File(path) => Some(path.as_str()),
            Change::Everything | Change::Runs | Change::Trees | Change::Summaries | Change::Settings => None,
        })
        .collect();
    let mut all = Vec::new();
    let mut put = |name, data: serde_json::Value| all.push(Told { name, data: data.to_string().into() });
    if !paths.is_empty() || is_any(&Change::Everything) {
        let is_all = is_any(&Change::Everything) || paths.len() > NAMED;
        let generation = generation.fetch_add(1, Ordering::Relaxed) + 1;
        put("files", json!({"generation": generation, "paths": &paths[..paths.len().min(NAMED)], "all": is_all}));
    }
    for (change, name) in STORES {
        if is_any(change) {
            put(name, json!({}));
        }
    }
    all
}

/// What is told by its name alone.
const STORES: &[(Change, &str)] =
    &[(Change::Runs, "runs"), (Change::Trees, "loom"), (Change::Summaries, "cache"), (Change::Settings, "config")];

fn everything() -> impl Iterator<Item = Told> {
    let files = Told { name: "files", data: json!({"paths": [], "all": true}).to_string().into() };
    let stores = STORES.iter().map(|(_, name)| Told { name, data: "{}".into() });
    [files].into_iter().chain(stores)
}

pub async fn stream(State(served): State<Arc<Served>>) -> impl IntoResponse {
    let receiver = served.events.sender.subscribe();
    let hello = Told { name: "hello", data: json!({"v": 1, "version": env!("CARGO_PKG_VERSION"), "generation": served.generation.load(Ordering::Relaxed)}).to_string().into() };
    let events = listening(hello, receiver).map(|told| {
        let event = Event::default().event(told.name).data(&*told.data);
        Ok::<_, Infallible>(event)
    });
    // Nobody is to wait for a panel that is open.
    let events = events.take_until(Box::pin(served.ending.clone().near()));
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

/// What one listener is told, one after the other.
fn listening(hello: Told, receiver: Receiver<Told>) -> impl Stream<Item = Told> {
    let first = VecDeque::from([hello]);
    futures_util::stream::unfold((first, receiver), async |(mut due, mut receiver)| {
        while due.is_empty() {
            match receiver.recv().await {
                Ok(told) => due.push_back(told),
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
            let told = |name| Told { name, data: "{}".into() };
            let mut heard = Box::pin(listening(told("hello"), receiver));
            assert_eq!(heard.next().await.unwrap().name, "hello");
            for name in ["lost", "runs", "loom"] {
                assert!(sender.send(told(name)).is_ok());
            }
            drop(sender);
            let all: Vec<Told> = heard.collect().await;
            let names: Vec<&str> = all.iter().map(|told| told.name).collect();
            // All that can be told, and then what was not lost.
            assert_eq!(names, ["files", "runs", "loom", "cache", "config", "runs", "loom"]);
            let files: serde_json::Value = serde_json::from_str(&all[0].data).unwrap();
            assert_eq!(files, json!({"paths": [], "all": true}));
        });
    }

    #[test]
    fn everything_is_all_that_a_change_can_be() {
        let changes = [Change::Everything, Change::Runs, Change::Trees, Change::Summaries, Change::Settings];
        let one_by_one: Vec<&str> = told(&changes, &AtomicU64::new(0)).iter().map(|told| told.name).collect();
        assert_eq!(everything().map(|told| told.name).collect::<Vec<_>>(), one_by_one);
    }
}
