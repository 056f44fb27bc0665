//! What a database must be able to do to hold trees: rows in, rows out, all of it in transactions.
//!
//! Rows name each other by number, in the order of writing. No rule of trees is kept here: what may be written, what follows
//! from it and what is shown is decided once, above, for every database.

use super::LoomError;
use contexture_core::{
    Action, AuthorType, ContentHash, EdgeType, LoomAgent, LoomTree, Message, RawResponse, SourceRole, Stash,
};
use std::sync::Arc;

/// The number of a row. Later rows of a table have greater ones.
pub type Seq = i64;

/// What every operation on trees gives.
pub type Result<T> = std::result::Result<T, LoomError>;

/// What is done within a transaction.
pub type Work<'a> = &'a mut dyn FnMut(&mut dyn Rows) -> Result<()>;

/// A database of trees.
pub trait Store: Send {
    /// Everything that `work` writes is on disk when this returns, or nothing of it is there. `work` is called at most once.
    fn write(&mut self, work: Work<'_>) -> Result<()>;

    /// `work` sees one moment of the store.
    fn read(&mut self, work: Work<'_>) -> Result<()>;

    /// What the database finds wrong with its own files.
    fn check(&mut self) -> Result<Vec<String>>;
}

/// All that can be done within a transaction.
pub trait Rows: Trees + Nodes + Edges + Paths + Memories {}

impl<T: Trees + Nodes + Edges + Paths + Memories> Rows for T {}

/// Rows of trees and of agents.
pub trait Trees {
    /// Writes a tree and gives its number; that in the row does not count.
    fn insert_tree(&mut self, row: &TreeRow) -> Result<Seq>;
    /// Writes the tree with the number in the row anew.
    fn update_tree(&mut self, row: &TreeRow) -> Result<()>;
    /// The tree with this number.
    fn tree(&mut self, seq: Seq) -> Result<Option<TreeRow>>;
    /// Every tree, in the order of writing.
    fn trees(&mut self) -> Result<Vec<TreeRow>>;
    /// The tree in use.
    fn current(&mut self) -> Result<Option<Seq>>;
    /// Says which tree is in use.
    fn set_current(&mut self, tree: Seq) -> Result<()>;
    /// Writes an agent and gives its number.
    fn insert_agent(&mut self, agent: &LoomAgent) -> Result<Seq>;
    /// Writes the agent with this number anew.
    fn update_agent(&mut self, seq: Seq, agent: &LoomAgent) -> Result<()>;
    /// Every agent with its number, in the order of writing.
    fn agents(&mut self) -> Result<Vec<(Seq, LoomAgent)>>;
}

/// Rows of nodes, how they stand in their trees, and their bookmarks.
pub trait Nodes {
    /// What has this id; else what has this short one.
    fn named(&mut self, word: &str) -> Result<Option<Name>>;
    /// Whether any tree or node has this id or this short id.
    fn is_taken(&mut self, word: &str) -> Result<bool>;
    /// Ids that begin like this, in order.
    fn beginning(&mut self, word: &str, limit: usize) -> Result<Vec<Name>>;
    /// The number of the node that was written last, 0 without one.
    fn last_node(&mut self) -> Result<Seq>;
    /// Under `row.seq`.
    fn insert_node(&mut self, row: &NodeRow) -> Result<()>;
    /// Writes how a node stands in its tree.
    fn insert_shape(&mut self, tree: Seq, shape: &Shape) -> Result<()>;
    /// Writes anew how the node with the number in the shape stands in its tree.
    fn update_shape(&mut self, tree: Seq, shape: &Shape) -> Result<()>;
    /// The nodes of a tree from one number to another, in order. Both ends are meant.
    fn shapes(&mut self, tree: Seq, from: Seq, to: Seq, take: &mut dyn FnMut(Shape)) -> Result<()>;
    /// Marks the nodes of a tree from one number to another as pruned with `by`. Both ends are meant.
    fn set_pruned(&mut self, tree: Seq, from: Seq, to: Seq, by: Seq) -> Result<()>;
    /// Takes these marks away again; from how many.
    fn restore_with(&mut self, tree: Seq, by: Seq) -> Result<usize>;
    /// What these nodes say. The numbers ascend, and the rows come in their order; what is not there is left out.
    fn said(&mut self, seqs: &[Seq], take: &mut dyn FnMut(SaidRow)) -> Result<()>;
    /// The whole rows, in the same way.
    fn nodes(&mut self, seqs: &[Seq], take: &mut dyn FnMut(NodeRow)) -> Result<()>;
    /// What a node came from, without its text.
    fn head(&mut self, seq: Seq) -> Result<Option<Head>>;
    /// All nodes of a lineage, in order.
    fn lineage(&mut self, first: Seq) -> Result<Vec<Seq>>;
    /// The label of a node that is bookmarked, which may be empty.
    fn bookmark(&mut self, node: Seq) -> Result<Option<String>>;
    /// Bookmarks a node under a label, or takes the bookmark away.
    fn set_bookmark(&mut self, node: Seq, label: Option<&str>) -> Result<()>;
}

/// Rows of edges with their sources.
pub trait Edges {
    /// Writes an edge and gives its number; that in the row does not count.
    fn insert_edge(&mut self, tree: Seq, edge: &EdgeRow) -> Result<Seq>;
    /// Other sources for an edge that is there.
    fn set_sources(&mut self, edge: &EdgeRow) -> Result<()>;
    /// The edge with this number.
    fn edge(&mut self, seq: Seq) -> Result<Option<EdgeRow>>;
    /// The number of the edge with this id and that of its target.
    fn edge_named(&mut self, id: &str) -> Result<Option<(Seq, Seq)>>;
    /// In order.
    fn edges_into(&mut self, target: Seq) -> Result<Vec<EdgeRow>>;
    /// In the order of the sources, then of the targets. Both ends are meant.
    fn links(&mut self, from: Seq, to: Seq, take: &mut dyn FnMut(Link)) -> Result<()>;
    /// In order.
    fn edges_of(&mut self, tree: Seq, take: &mut dyn FnMut(EdgeRow)) -> Result<()>;
}

/// Rows of paths and of what they choose.
pub trait Paths {
    /// Writes a path and gives its number; that in the row does not count.
    fn insert_path(&mut self, tree: Seq, path: &PathRow) -> Result<Seq>;
    /// Where it ends.
    fn set_active(&mut self, path: Seq, active: Option<Seq>) -> Result<()>;
    /// Every path of a tree, in the order of writing.
    fn paths(&mut self, tree: Seq) -> Result<Vec<PathRow>>;
    /// The path with this number.
    fn path(&mut self, seq: Seq) -> Result<Option<PathRow>>;
    /// Whether any path of any tree has this id.
    fn has_path_id(&mut self, id: &str) -> Result<bool>;
    /// In the order they were made.
    fn choices(&mut self, path: Seq) -> Result<Vec<Choice>>;
    /// What a path chooses at one node, in the order of choosing.
    fn choices_at(&mut self, path: Seq, target: Seq) -> Result<Vec<Choice>>;
    /// In place of all that were made there.
    fn set_choices(&mut self, path: Seq, target: Seq, choices: &[Choice]) -> Result<()>;
}

/// Rows of pins, stashes, actions and raw responses.
pub trait Memories {
    /// In the order of pinning.
    fn pins(&mut self, tree: Seq) -> Result<Vec<Seq>>;
    /// Pins a node as the last, unless it is pinned already, or takes the pin away.
    fn set_pin(&mut self, tree: Seq, node: Seq, is_pinned: bool) -> Result<()>;
    /// Every stash of a tree, in the order of writing.
    fn stashes(&mut self, tree: Seq) -> Result<Vec<Stash>>;
    /// In place of one with this label, or as the last.
    fn set_stash(&mut self, tree: Seq, stash: &Stash) -> Result<()>;
    /// Takes a stash away.
    fn drop_stash(&mut self, tree: Seq, label: &str) -> Result<()>;
    /// Only the newest `keep` of the tree stay.
    fn add_action(&mut self, tree: Seq, action: &Action, keep: usize) -> Result<()>;
    /// The oldest first.
    fn actions(&mut self, tree: Seq) -> Result<Vec<Action>>;
    /// Keeps a raw response of a node, behind those it has.
    fn add_response(&mut self, node: Seq, response: &RawResponse) -> Result<()>;
    /// `response.node` is empty: whoever asked knows it.
    fn responses(&mut self, node: Seq) -> Result<Vec<RawResponse>>;
    /// Nodes of the tree that have responses, in the order of these.
    fn answered(&mut self, tree: Seq) -> Result<Vec<(Seq, RawResponse)>>;
}

/// A tree, and where it begins.
#[derive(Clone, Debug)]
pub struct TreeRow {
    pub seq: Seq,
    pub tree: LoomTree,
    /// How many it has.
    pub nodes: u64,
    pub root: Option<Seq>,
    /// The path in use.
    pub path: Option<Seq>,
}

/// A tree, or a node of it.
#[derive(Clone, Debug)]
pub struct Name {
    pub local: String,
    pub tree: Seq,
    /// `None` for the tree itself.
    pub node: Option<Seq>,
}

/// What never changes about a node.
#[derive(Clone, Debug)]
pub struct NodeRow {
    pub seq: Seq,
    pub tree: Seq,
    pub id: String,
    pub local: String,
    pub message: Arc<Message>,
    pub author: Seq,
    pub author_type: AuthorType,
    pub edited_from: Option<Seq>,
    /// The node that it and all its versions were edited from in the end; itself when it is no edit.
    pub lineage: Seq,
    /// Milliseconds since the epoch.
    pub created: i64,
    /// Its id in the program it was imported from.
    pub origin: Option<String>,
    /// As `LoomNode::hash` has it.
    pub hash: ContentHash,
}

/// A [`NodeRow`] as far as it is shown: a path has a million of them.
#[derive(Clone, Debug)]
pub struct SaidRow {
    pub seq: Seq,
    pub id: String,
    pub local: String,
    pub message: Arc<Message>,
    pub author: Seq,
    pub author_type: AuthorType,
    pub edited_from: Option<Seq>,
    /// Milliseconds since the epoch.
    pub created: i64,
    pub origin: Option<String>,
}

/// A [`NodeRow`] as far as it is small.
#[derive(Clone, Debug)]
pub struct Head {
    pub id: String,
    pub local: String,
    pub lineage: Seq,
}

/// How a node stands in its tree, and what changes about it. Small, so that a whole tree of them is read quickly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub seq: Seq,
    /// The first primary source of the first edge that leads to it.
    pub parent: Option<Seq>,
    pub marks: Marks,
    /// What was pruned, and this with it.
    pub pruned: Option<Seq>,
}

/// What is known of a node without reading more, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks(pub u8);

impl Marks {
    /// Somebody hid it, and it alone.
    pub const EXCLUDED: u8 = 1;
    /// Edges lead to it, and each is an annotation or comes from such nodes alone: it is not part of the conversation.
    pub const ANNOTATION: u8 = 2;
    /// One edge with one source leads to it, from its parent, so that no edge has to be read to go up.
    pub const SIMPLE: u8 = 4;
    /// Annotations may lead from it.
    pub const ANNOTATED: u8 = 8;
    /// It has a bookmark.
    pub const BOOKMARKED: u8 = 16;
    /// Some node is a version of it.
    pub const VERSIONED: u8 = 32;

    /// Whether any of these bits is set.
    pub fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    /// Sets these bits, or clears them.
    pub fn set(&mut self, mark: u8, on: bool) {
        self.0 = if on { self.0 | mark } else { self.0 & !mark };
    }
}

/// An edge with its sources in order.
#[derive(Clone, Debug)]
pub struct EdgeRow {
    pub seq: Seq,
    pub id: String,
    pub target: Seq,
    pub kind: EdgeType,
    /// Milliseconds since the epoch.
    pub created: i64,
    /// In order; at least one.
    pub sources: Vec<(Seq, SourceRole)>,
}

impl EdgeRow {
    /// The sources that have this role, in order.
    pub fn of(&self, role: SourceRole) -> impl Iterator<Item = Seq> {
        self.sources.iter().filter(move |(_, is)| *is == role).map(|(node, _)| *node)
    }
}

/// One source of an edge, seen from the source.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub source: Seq,
    pub edge: Seq,
    pub target: Seq,
    pub kind: EdgeType,
    pub role: SourceRole,
}

/// A path, and the node where it ends.
#[derive(Clone, Debug)]
pub struct PathRow {
    pub seq: Seq,
    pub id: String,
    pub name: String,
    /// The node where it ends; `None` in a tree without nodes.
    pub active: Option<Seq>,
}

/// Which edge and which source a path follows from a node that has several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub target: Seq,
    pub edge: Option<Seq>,
    pub source: Option<Seq>,
}
