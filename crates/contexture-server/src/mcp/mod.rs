//! The MCP door: tools, resources and prompts for agents, over standard input and output or over HTTP.
//!
//! Takes what the protocol asks for; translates it to `ops` and answers in the shapes of `wire`. Speaks every generation of the
//! protocol that the SDK knows; none of this depends on sessions. No logic of its own, and nothing is printed: standard output
//! belongs to the protocol.

mod answers;
mod args;
mod call;
mod complete;
mod handler;
pub mod http;
mod loom;
mod narrow;
mod page;
mod prompts;
mod resources;
mod stdio;
mod tools;
mod uri;

pub use stdio::serve_stdio;

use crate::http::ending::Ending;
use crate::ops::Door;
use contexture_gather::Env;
use narrow::Narrowed;
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
    narrowed: Arc<Narrowed>,
    /// Of the server that this is a part of: what is asked here holds it up.
    ending: Ending,
}

struct Shared {
    env: Env,
    roots: Vec<PathBuf>,
    config_file: Option<PathBuf>,
    no_cache: bool,
    threads: usize,
    writes: Writes,
    slots: Arc<Semaphore>,
}

impl Shared {
    /// What the command line allows.
    fn roots_or_cwd(&self) -> Vec<PathBuf> {
        match self.roots.is_empty() {
            true => vec![self.env.cwd.clone()],
            false => self.roots.iter().map(|root| self.env.cwd.join(root)).collect(),
        }
    }
}

impl Mcp {
    pub fn new(door: Door, writes: Writes) -> Self {
        let Door { env, roots, config_file, no_cache, threads, progress: _, input: _ } = door;
        let slots = Arc::new(Semaphore::new(AT_ONCE));
        let shared = Shared { env, roots, config_file, no_cache, threads, writes, slots };
        Self { shared: Arc::new(shared), narrowed: Arc::default(), ending: Ending::default() }
    }

    /// The same as a part of this server.
    pub(crate) fn until(self, ending: &Ending) -> Self {
        Self { ending: ending.clone(), ..self }
    }

    /// The same server for another client.
    pub fn for_another(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), narrowed: Arc::default(), ending: self.ending.clone() }
    }

    /// What an operation gets to know. The clock is read for each: a server lives for days.
    fn door(&self, roots: Vec<PathBuf>) -> Door {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        Door {
            env: Env { now, ..self.shared.env.clone() },
            roots,
            config_file: self.shared.config_file.clone(),
            no_cache: self.shared.no_cache,
            threads: self.shared.threads,
            progress: Arc::default(),
            input: None,
        }
    }
}
