//! A conversation that branches: trees, nodes, the edges between them, and who takes part.
//!
//! Plain data. A node never changes; an edit is a new node that says what it was edited from. Records name each other by
//! id, and a [`Bundle`] is a whole tree with all its records, in the order they were written.

use super::{ContentHash, Message, Role, Text};
use crate::keywords;
use std::sync::Arc;

/// How the nodes of a tree become a context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum TreeMode {
    /// Messages of people and models.
    #[default]
    Dialogue,
    /// One continuous text.
    Buffer,
}

/// Who wrote a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AuthorType {
    Human,
    Model,
}

/// What a source is to the node that an edge leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SourceRole {
    /// What the node continues.
    Primary,
    /// Stands before the primary as reference.
    Context,
    /// Is added to the system context.
    Instruction,
}

/// How a node follows from its sources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EdgeType {
    Continuation,
    /// A remark about its source; not part of the conversation.
    Annotation,
}

/// What becomes of a context that is larger than its budget.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Truncation {
    /// The beginning and the newest nodes stay.
    #[default]
    Middle,
    /// The newest nodes that fit.
    Rolling,
    /// An error.
    Stop,
}

keywords!(TreeMode { Dialogue = "dialogue", Buffer = "buffer" });
keywords!(AuthorType { Human = "human", Model = "model" });
keywords!(SourceRole { Primary = "primary", Context = "context", Instruction = "instruction" });
keywords!(EdgeType { Continuation = "continuation", Annotation = "annotation" });
keywords!(Truncation { Middle = "truncateMiddle", Rolling = "rollingWindow", Stop = "stopAtLimit" });

/// What a tree sets for itself; `None` is what holds for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Preferences {
    pub truncation: Option<Truncation>,
    pub minimum_recent_nodes: Option<u64>,
    pub token_buffer: Option<u64>,
}

/// A tree without its nodes: what it is called and how paths through it are assembled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoomTree {
    pub id: String,
    /// Short, for people and models; it stays the same.
    pub local: String,
    pub title: String,
    pub mode: TreeMode,
    pub system_context: Option<Text>,
    /// Whether the system context stands before a buffer.
    pub buffer_mode_system_context: bool,
    pub preferences: Preferences,
    /// Milliseconds since the epoch.
    pub created: i64,
}

/// Something that was said, by whom and when, and what was decided about showing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoomNode {
    pub id: String,
    /// Short, for people and models; it stays the same.
    pub local: String,
    /// What it says. The role is the assistant's for a model, a tool's for the result of a call, else the user's.
    pub message: Arc<Message>,
    /// The id of an agent.
    pub author: Arc<str>,
    pub author_type: AuthorType,
    /// The id of the node that it is a version of.
    pub edited_from: Option<String>,
    /// Milliseconds since the epoch.
    pub created: i64,
    /// Somebody hid it, and it alone.
    pub excluded: bool,
    /// The id of the node that was pruned, and with it this one.
    pub pruned: Option<String>,
    /// The label, which may be empty.
    pub bookmark: Option<String>,
    /// Its id in the program it was imported from.
    pub origin: Option<String>,
}

impl LoomNode {
    /// The hash of what never changes: what it says, by whom, when, and what it was edited from.
    pub fn hash(&self) -> ContentHash {
        let said = self.message.hash();
        ContentHash::of_parts([
            &said.0[..],
            self.author.as_bytes(),
            self.author_type.as_str().as_bytes(),
            self.edited_from.as_deref().unwrap_or_default().as_bytes(),
            &self.created.to_le_bytes()[..],
        ])
    }

    /// The role of a message by whoever wrote it.
    pub fn role(author: AuthorType) -> Role {
        match author {
            AuthorType::Human => Role::User,
            AuthorType::Model => Role::Assistant,
        }
    }
}

/// A node that an edge leads from, and what it is to the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeSource {
    /// The id of a node.
    pub node: String,
    pub role: SourceRole,
}

/// From one or more nodes to the one that was made from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoomEdge {
    pub id: String,
    /// In order; at least one.
    pub sources: Vec<EdgeSource>,
    /// The id of a node.
    pub target: String,
    pub kind: EdgeType,
    /// Milliseconds since the epoch.
    pub created: i64,
}

/// What an agent may do in a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Permissions {
    /// It is told about the tree.
    pub loom_aware: bool,
    pub loom_write: bool,
    pub loom_generate: bool,
    pub doc_read: bool,
    pub doc_write: bool,
}

impl Permissions {
    /// The words for permissions, in the order of the fields.
    pub const WORDS: [&str; 5] = ["loom_aware", "loom_write", "loom_generate", "doc_read", "doc_write"];

    /// Whether each of the words is granted.
    fn each(&mut self) -> [&mut bool; 5] {
        let Self { loom_aware, loom_write, loom_generate, doc_read, doc_write } = self;
        [loom_aware, loom_write, loom_generate, doc_read, doc_write]
    }

    /// Grants what a word stands for; `false` for a word that stands for nothing.
    pub fn grant(&mut self, word: &str) -> bool {
        let place = Self::WORDS.iter().position(|known| *known == word);
        place.is_some_and(|place| {
            *self.each()[place] = true;
            true
        })
    }

    /// The words of what is granted.
    pub fn granted(mut self) -> Vec<&'static str> {
        Self::WORDS.into_iter().zip(self.each()).filter(|(_, granted)| **granted).map(|(word, _)| word).collect()
    }
}

/// Somebody who takes part in trees: a person or a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoomAgent {
    pub id: String,
    /// Unique among the agents of a store.
    pub name: String,
    pub kind: AuthorType,
    pub system_prompt: Option<Text>,
    /// `provider:model`, or a model's name alone.
    pub model: Option<String>,
    pub permissions: Permissions,
}

/// A way through a tree: where it ends, and what was chosen where there are several ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoomPath {
    pub id: String,
    /// Unique in its tree.
    pub name: String,
    /// The id of a node; `None` in a tree without nodes.
    pub active: Option<String>,
    pub choices: Vec<PathChoice>,
}

/// At `target`, this edge of several, or this version of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathChoice {
    /// The id of a node.
    pub target: String,
    /// The id of an edge that leads to it.
    pub edge: Option<String>,
    /// The id of a node that it is to continue.
    pub source: Option<String>,
}

/// A text that an agent put away under a label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stash {
    pub label: String,
    pub text: Text,
    /// Shown with its text; else by its label alone.
    pub recalled: bool,
}

/// Something that was done in a tree, as a person would type it: `edit a7x2`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Milliseconds since the epoch.
    pub at: i64,
    pub text: String,
}

/// What a provider answered, as it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawResponse {
    /// The id of the node that was made of it.
    pub node: String,
    pub provider: String,
    pub model: String,
    pub body: Text,
    /// What the provider counted.
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub latency_ms: u64,
    /// Milliseconds since the epoch.
    pub created: i64,
}

/// A tree with everything that belongs to it. Lists are in the order of writing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bundle {
    pub tree: LoomTree,
    pub agents: Vec<LoomAgent>,
    pub nodes: Vec<LoomNode>,
    pub edges: Vec<LoomEdge>,
    pub paths: Vec<LoomPath>,
    /// The name of the path that is in use.
    pub path: Option<String>,
    /// Ids of nodes.
    pub pins: Vec<String>,
    pub stashes: Vec<Stash>,
    pub actions: Vec<Action>,
    pub responses: Vec<RawResponse>,
}
