//! The files of an agent's workspace, read for its next call.
//!
//! Takes a folder; gives what its `SOUL.md`, `AGENTS.md`, `TOOLS.md`, memory and skills say. Nothing here fails: what is
//! missing has a built-in default or is left out, what cannot be read is told in a note, and no byte comes from outside of
//! the folders that were named. Nothing here chooses what is shown, and nothing is written.

mod agents;
mod part;
mod reader;
mod skills;
mod snapshot;
#[cfg(test)]
mod tests;

pub use agents::agents_chain;
#[cfg(test)]
pub(crate) use part::LAYER_CAP;
pub use reader::WorkspaceReader;
pub use snapshot::{TurnRequest, snapshot};

use contexture_core::{ContentHash, Memory, Note, Text, keywords};
use std::ops::Deref;
use std::sync::Arc;

/// What a workspace says.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub soul: Document,
    /// The workspace's own `AGENTS.md`, then the chain of a folder where one was asked for, from its repository down.
    pub agents: Vec<Document>,
    pub tools: Document,
    pub memory: Option<MemoryFile>,
    /// By name, bytewise; each name once.
    pub skills: Vec<Skill>,
    pub notes: Vec<Note>,
}

/// A file that is shown as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// As shown: relative to the workspace; of a chain, behind the name of the repository's folder.
    pub path: String,
    pub text: Text,
    /// Of the file on disk; 0 when there is none.
    pub raw_bytes: u64,
    pub state: State,
    /// Of the bytes that were read.
    pub hash: Option<ContentHash>,
}

/// What became of a file of a workspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Ok,
    /// Cut at a line because it is too long.
    Truncated,
    /// Not there, and there is no default for it.
    Missing,
    /// Not there, not usable or empty: the built-in text stands for it.
    Default,
}

keywords!(State { Ok = "ok", Truncated = "truncated", Missing = "missing", Default = "default" });

/// `memory/MEMORY.md` and what it remembers.
#[derive(Clone, Debug)]
pub struct MemoryFile {
    pub document: Document,
    /// In the order of the file.
    pub entries: Arc<[Arc<Memory>]>,
}

/// A skill and where it is from.
#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    pub says: Arc<contexture_core::Skill>,
    /// As shown: relative to the workspace or to the project.
    pub path: String,
    pub raw_bytes: u64,
    pub hash: ContentHash,
}

impl Deref for Skill {
    type Target = contexture_core::Skill;
    fn deref(&self) -> &Self::Target {
        &self.says
    }
}
