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
use futures_util::StreamExt;
use serde_json::json;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::broadcast::{self, Sender, error::RecvError};

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
    let first = VecDeque::from([hello]);
    let events = futures_util::stream::unfold((first, receiver), async |(mut due, mut receiver)| {
        while due.is_empty() {
            match receiver.recv().await {
                Ok(told) => due.push_back(told),
                // What was missed may have been anything.
                Err(RecvError::Lagged(_)) => due.extend(everything()),
                Err(RecvError::Closed) => return None,
            }
        }
        let told = due.pop_front()?;
        let event = Event::default().event(told.name).data(&*told.data);
        Some((Ok::<_, Infallible>(event), (due, receiver)))
    });
    // Nobody is to wait for a panel that is open.
    let events = events.take_until(Box::pin(served.ending.clone().near()));
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}
