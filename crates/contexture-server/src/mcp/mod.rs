//! The MCP door: tools, resources and prompts for agents, over standard input and output or over HTTP.
//!
//! Takes what the protocol asks for; translates it to `ops` and answers in the shapes of `contexture::answers`. Speaks every generation of the
//! protocol that the SDK knows; none of this depends on sessions. No logic of its own, and nothing is printed: standard output
//! belongs to the protocol.

mod answers;
mod arguments;
mod call;
mod complete;
mod handler;
pub mod http;
mod loom;
mod narrow;
mod page;
mod resources;
mod tools;
mod uri;

pub use http::serve_stdio;

use crate::transport::shutdown::Shutdown;
use contexture::ops::Door;
use contexture_gather::Env;
use narrow::NarrowedRoots;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Semaphore;

/// Whether agents may change anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writes {
    Refused,
    /// Nodes of trees, and numbered documents.
    Allowed,
}

/// How many operations go on at once. Each uses all cores, so more would only take memory.
const AT_ONCE: usize = 4;

/// The server of one connection. Clones are the same connection.
#[derive(Clone)]
pub struct Mcp {
    shared: Arc<Shared>,
    /// What the client at the other end lets us see of the roots.
    narrowed: Arc<NarrowedRoots>,
    /// Of the server that this is a part of: what is asked here holds it up.
    shutdown: Shutdown,
}

struct Shared {
    door: Door,
    writes: Writes,
    slots: Arc<Semaphore>,
}

impl Mcp {
    pub fn new(door: Door, writes: Writes) -> Self {
        let shared = Shared { door, writes, slots: Arc::new(Semaphore::new(AT_ONCE)) };
        Self { shared: Arc::new(shared), narrowed: Arc::default(), shutdown: Shutdown::default() }
    }

    /// The same as a part of this server.
    pub(crate) fn until(self, shutdown: &Shutdown) -> Self {
        Self { shutdown: shutdown.clone(), ..self }
    }

    /// The same server for another client.
    pub(crate) fn for_another(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), narrowed: Arc::default(), shutdown: self.shutdown.clone() }
    }

    /// What an operation gets to know. The clock is read for each: a server lives for days.
    fn door(&self, roots: Vec<PathBuf>) -> Door {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        Door {
            env: Env { now, ..self.shared.door.env.clone() },
            roots,
            progress: Arc::default(),
            input: None,
            ..self.shared.door.clone()
        }
    }
}
