//! Trees, their agents and memory, and trees as files.

use super::super::NoteAnswer;
use super::super::record::{Show, answers};
use super::time;
use crate::ops::loom::{ImportedTree, TreeFiles, TreesImported};
use crate::requests::Word;
use contexture_conversations::loom::formats::TreeFormat;
use contexture_conversations::loom::{Problem, Repaired, TreeInfo, TreeMemory, Verified};
use contexture_core::{
    Action, AuthorType, LoomAgent, LoomNode, LoomTree, Permissions, Preferences, Stash, TreeMode, Truncation,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

answers! {
    /// Settings of a tree.
    pub struct TreeRow of LoomTree {
        id: String,
        /// Short id, which stays the same
        local: String,
        title: String,
        mode: Word<TreeMode>,
        system_context: Option<String>,
        buffer_mode_system_context: bool,
        preferences: TreePreferences,
        created: String = |tree| time(tree.created),
        /// Number of nodes, in lists of trees
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<u64> = |_| None,
        /// Whether it is the tree in use, in lists of trees
        #[serde(skip_serializing_if = "Option::is_none")]
        in_use: Option<bool> = |_| None,
    }

    /// What a tree sets instead of the general settings.
    pub struct TreePreferences of Preferences {
        truncation_strategy: Option<Word<Truncation>> = |preferences| preferences.truncation.show(),
        minimum_recent_nodes: Option<u64>,
        token_buffer: Option<u64>,
    }

    /// One tree.
    pub struct TreeAnswer of LoomTree {
        tree: TreeRow = |tree| tree.show(),
    }

    /// Trees of a store.
    pub struct TreesAnswer of [TreeInfo] {
        trees: Vec<TreeRow> = |all| all.show(),
    }

    /// An author of nodes.
    pub struct AgentRow of LoomAgent {
        id: String,
        name: String,
        kind: Word<AuthorType>,
        system_prompt: Option<String>,
        model: Option<String>,
        permissions: PermissionFlags,
    }

    pub struct PermissionFlags of Permissions {
        loom_aware: bool,
        loom_write: bool,
        loom_generate: bool,
        doc_read: bool,
        doc_write: bool,
    }

    /// One agent of trees.
    pub struct LoomAgentAnswer of LoomAgent {
        agent: AgentRow = |agent| agent.show(),
    }

    /// All agents of a store.
    pub struct LoomAgentsAnswer of [LoomAgent] {
        agents: Vec<AgentRow> = |all| all.show(),
    }

    /// The operational memory of agents that know of the tree.
    pub struct TreeMemoryAnswer of TreeMemory {
        pins: Vec<PinRow>,
        stashes: Vec<StashRow>,
        actions: Vec<ActionRow>,
    }

    pub struct PinRow of LoomNode {
        id: String,
        local: String,
        text: String = |node| node.message.text().to_string(),
    }

    /// A text under a label.
    pub struct StashRow of Stash {
        label: String,
        text: String,
        /// Whether contexts show the text, not only the label
        recalled: bool,
    }

    pub struct ActionRow of Action {
        at: String = |action| time(action.at),
        text: String,
    }

    /// One stash.
    pub struct StashAnswer of Stash {
        stash: StashRow = |stash| stash.show(),
    }
}

impl Show<TreeRow> for TreeInfo {
    fn show(&self) -> TreeRow {
        TreeRow { nodes: Some(self.nodes), in_use: Some(self.is_current), ..self.tree.show() }
    }
}

impl Show<TreeRow> for ImportedTree {
    fn show(&self) -> TreeRow {
        TreeRow { nodes: Some(self.nodes as u64), ..self.tree.show() }
    }
}

/// The label of a stash that was dropped.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StashDroppedAnswer {
    pub dropped: String,
}

answers! {
    /// Trees that were imported.
    pub struct TreesImportedAnswer of TreesImported {
        #[schemars(extend("enum" = TreeFormat::WORDS))]
        format: &'static str,
        trees: Vec<TreeRow>,
        /// Number of records that were left out, by kind
        skipped: BTreeMap<String, usize> = |imported| imported.skipped.clone(),
        notes: Vec<NoteAnswer>,
    }
}

/// A tree as files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TreeFilesAnswer {
    pub tree: TreeRow,
    pub format: Word<TreeFormat>,
    /// Where the files were written
    pub path: Option<String>,
    pub files: Vec<TreeFileRow>,
    pub notes: Vec<NoteAnswer>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TreeFileRow {
    pub path: String,
    pub bytes: usize,
    /// Its text, unless it was written
    pub text: Option<String>,
}

impl TreeFilesAnswer {
    /// `path` is where the files were written, if anywhere.
    pub fn new(exported: &TreeFiles, path: Option<String>) -> Self {
        let file = |(place, text): &(String, String)| TreeFileRow {
            path: place.clone(),
            bytes: text.len(),
            text: path.is_none().then(|| text.clone()),
        };
        Self {
            tree: exported.tree.show(),
            format: exported.format.into(),
            files: exported.files.iter().map(file).collect(),
            notes: exported.notes.show(),
            path,
        }
    }
}

/// The state of a store, or what a repair saved of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TreesVerifiedAnswer {
    Verified {
        ok: bool,
        trees: u64,
        nodes: u64,
        edges: u64,
        problems: Vec<ProblemRow>,
    },
    Repaired {
        /// Copies of the damaged store
        aside: Vec<String>,
        trees: u64,
        nodes: u64,
        /// Records that could not be read or had to be changed
        lost: Vec<String>,
    },
}

answers! {
    pub struct ProblemRow of Problem {
        what: String,
        /// Id of a tree or a node
        id: String,
        hint: String,
    }
}

impl From<&Verified> for TreesVerifiedAnswer {
    fn from(Verified { trees, nodes, edges, problems }: &Verified) -> Self {
        let ok = problems.is_empty();
        Self::Verified { ok, trees: *trees, nodes: *nodes, edges: *edges, problems: problems.show() }
    }
}

impl From<&Repaired> for TreesVerifiedAnswer {
    fn from(Repaired { aside, trees, nodes, lost }: &Repaired) -> Self {
        let aside = aside.iter().map(|file| file.display().to_string()).collect();
        Self::Repaired { aside, trees: *trees, nodes: *nodes, lost: lost.clone() }
    }
}
