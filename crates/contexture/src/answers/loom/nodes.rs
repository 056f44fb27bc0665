//! Nodes, one by one and as an outline, and paths through them.

use super::super::record::{Show, answers};
use super::trees::TreeRow;
use super::{message, time};
use crate::ops::loom::{NodeDetails, Outline, OutlineLine, OutlineNode};
use crate::requests::Word;
use contexture_conversations::loom::{Connections, HiddenReason, Neighbour, PathStep, StepRole, TreeNode, WalkedPath};
use contexture_core::{
    AuthorType, EdgeType, LoomNode, LoomPath, LoomTree, PathChoice, RawResponse, SourceRole, Tokenizer,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

answers! {
    /// A node without its connections.
    pub struct NodeRow of LoomNode {
        id: String,
        /// Short id, which stays the same
        local: String,
        text: String = |node| node.message.text().to_string(),
        /// As `--format messages` writes it
        message: Value = |node| message(&node.message),
        #[serde(flatten)]
        record: NodeRecord = |node| node.show(),
    }

    /// A node as far as it is not its text.
    pub struct NodeRecord of LoomNode {
        /// Id of an agent
        author: String,
        author_type: Word<AuthorType>,
        /// Id of the node that it is a version of
        edited_from: Option<String>,
        created: String = |node| time(node.created),
        hash: String = |node| node.hash().to_string(),
        excluded: bool,
        pruned: bool = |node| node.pruned.is_some(),
        /// Id of the node that it was pruned with
        pruned_with: Option<String> = |node| node.pruned.clone(),
        bookmarked: bool = |node| node.bookmark.is_some(),
        /// Label of the bookmark
        bookmark: Option<String>,
        /// Id in the program that it was imported from
        origin: Option<String>,
    }

    /// A node and its tree.
    pub struct NodeAnswer of TreeNode {
        tree: TreeRow,
        node: NodeRow,
        /// The path that leads to it, after a path was changed
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<PathRow> = |_| None,
    }

    /// A node that was added, and its tree. The text is left out: its writer has it.
    pub struct AddedNodeAnswer of TreeNode {
        tree: TreeRow,
        node: AddedNodeRow,
    }

    pub struct AddedNodeRow of LoomNode {
        id: String,
        /// Short id, which stays the same
        local: String,
        #[serde(flatten)]
        record: NodeRecord = |node| node.show(),
    }

    /// A node that was changed.
    pub struct ChangedNode of (TreeNode, Option<usize>) {
        #[serde(flatten)]
        node: NodeRow = |(found, _)| found.node.show(),
        /// Number of nodes that were changed with it
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<usize> = |(_, count)| *count,
    }
}

impl From<&(TreeNode, LoomPath)> for NodeAnswer {
    fn from((found, path): &(TreeNode, LoomPath)) -> Self {
        Self { path: Some(path.show()), ..found.show() }
    }
}

/// Nodes that were changed. A single one is also given like a node that was looked up.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangedNodesAnswer {
    #[serde(flatten)]
    pub single: Option<NodeAnswer>,
    /// Number of nodes that were changed with a single one
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    pub nodes: Vec<ChangedNode>,
}

impl From<&[(TreeNode, Option<usize>)]> for ChangedNodesAnswer {
    fn from(all: &[(TreeNode, Option<usize>)]) -> Self {
        let (single, count) = match all {
            [(one, count)] => (Some(one.show()), *count),
            _ => (None, None),
        };
        Self { single, count, nodes: all.show() }
    }
}

answers! {
    /// A node with its connections and the responses it came in.
    pub struct NodeDetailsAnswer of NodeDetails {
        tree: TreeRow,
        node: NodeDetailsRow = |details| details.show(),
    }

    pub struct NodeDetailsRow of NodeDetails {
        #[serde(flatten)]
        node: NodeRow,
        author_name: String = |details| details.author.clone(),
        connections: ConnectionCounts,
        sources: Vec<NeighborRow> = |details| details.neighbours.sources.show(),
        targets: Vec<NeighborRow> = |details| details.neighbours.targets.show(),
        /// Its other versions
        versions: Vec<VersionRow> = |details| details.neighbours.versions.show(),
        responses: Vec<ResponseRow>,
    }

    /// Numbers of visible nodes that are connected to a node.
    pub struct ConnectionCounts of Connections {
        continuations: u32,
        annotations: u32,
        /// The node and its versions
        versions: u32,
    }

    pub struct NeighborRow of Neighbour {
        id: String,
        local: String,
        role: Word<SourceRole>,
        edge: Word<EdgeType> = |neighbor| neighbor.kind.into(),
    }

    pub struct VersionRow of (String, String) {
        id: String = |(id, _)| id.clone(),
        local: String = |(_, local)| local.clone(),
    }

    /// What a provider answered.
    pub struct ResponseRow of RawResponse {
        provider: String,
        model: String,
        input_tokens: Option<u64>,
        output_tokens: Option<u64>,
        latency_ms: u64,
        created: String = |response| time(response.created),
        /// The response as it came
        body: String,
    }

    /// A tree in the order in which it is drawn.
    pub struct OutlineAnswer of Outline {
        tree: TreeRow,
        path: PathRow,
        nodes: usize,
        branches: usize,
        /// Tokens of all visible texts on the path
        path_tokens: Option<u64>,
        /// Why the path cannot be walked
        path_trouble: Option<String>,
        #[schemars(extend("enum" = Tokenizer::WORDS))]
        tokenizer: &'static str,
        exact: bool,
        outline: Vec<OutlineRow> = |outline| outline.lines.show(),
    }

    pub struct OutlineNodeRow of OutlineNode {
        #[serde(flatten)]
        node: NodeRow,
        author_name: String = |shown| shown.author.clone(),
        /// Short id of the node above it
        parent: Option<String>,
        /// Number of branches away from the column of the path
        depth: usize = |shown| shown.place.depth,
        on_path: bool = |shown| shown.place.is_on_path,
        /// Whether the path ends here
        active: bool = |shown| shown.is_active,
        pinned: bool = |shown| shown.is_pinned,
        annotation: bool = |shown| shown.row.is_annotation,
        continuations: usize = |shown| shown.place.continuations,
        tokens: u64,
    }
}

/// A line of an outline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OutlineRow {
    Node(Box<OutlineNodeRow>),
    Gap {
        /// Number of nodes that are not listed here
        left_out: usize,
    },
}

impl Show<OutlineRow> for OutlineLine {
    fn show(&self) -> OutlineRow {
        match self {
            Self::Gap(left_out) => OutlineRow::Gap { left_out: *left_out },
            Self::Node(node) => OutlineRow::Node(Box::new(node.show())),
        }
    }
}

answers! {
    /// A path: where it ends, and what it chooses at forks.
    pub struct PathRow of LoomPath {
        id: String,
        name: String,
        /// Id of the node where it ends
        active: Option<String>,
        choices: Vec<PathChoiceRow>,
    }

    pub struct PathChoiceRow of PathChoice {
        target: String,
        edge: Option<String>,
        source: Option<String>,
    }

    /// All paths of a tree.
    pub struct PathsAnswer of (LoomTree, Vec<LoomPath>, LoomPath) {
        tree: TreeRow = |(tree, ..)| tree.show(),
        paths: Vec<PathRow> = |(_, all, _)| all.show(),
        /// Name of the path in use
        in_use: String = |(.., used)| used.name.clone(),
    }

    /// A path, node by node.
    pub struct WalkedPathAnswer of (LoomTree, WalkedPath) {
        tree: TreeRow = |(tree, _)| tree.show(),
        /// Id of the node where it ends
        leaf: String = |(_, walked)| walked.leaf.clone(),
        nodes: Vec<PathNodeRow> = |(_, walked)| walked.steps.show(),
        /// Nodes that are added to the system context
        instructions: Vec<NodeRow> = |(_, walked)| walked.instructions.show(),
        hidden: Vec<HiddenNodeRow> = |(_, walked)| walked.hidden.show(),
    }

    pub struct PathNodeRow of PathStep {
        #[serde(flatten)]
        node: NodeRow,
        role: Word<StepRole>,
    }

    pub struct HiddenNodeRow of (String, HiddenReason) {
        local: String = |(local, _)| local.clone(),
        reason: Word<HiddenReason> = |(_, reason)| reason.show(),
    }
}
