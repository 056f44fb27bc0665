//! Nodes: adding, changing and marking them, walking paths through them, and what agents keep beside them.

use crate::requests::Word;
use contexture_core::{AuthorType, Tokenizer};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// The author of a node.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct NodeAuthor {
    /// Person or model [default: the kind of the author, else human]
    #[cfg_attr(feature = "cli", arg(long = "as", value_name = "KIND"))]
    pub author_type: Option<Word<AuthorType>>,
    /// Name of an agent
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub author: Option<String>,
}

/// A new node.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct AddNodeRequest {
    /// Text of the node, kept exactly
    #[cfg_attr(feature = "cli", arg(allow_hyphen_values = true))]
    pub text: String,
    /// Node to continue [default: the end of the path]; may be repeated
    #[cfg_attr(feature = "cli", arg(long = "parent", short = 'p', value_name = "NODE"))]
    #[serde(default)]
    pub parents: Vec<String>,
    #[serde(flatten)]
    #[cfg_attr(feature = "cli", command(flatten))]
    pub by: NodeAuthor,
    /// Node to show before the continued one, for reference; may be repeated
    #[cfg_attr(feature = "cli", arg(long = "context", value_name = "NODE"))]
    #[serde(default)]
    pub contexts: Vec<String>,
    /// Node to add to the system context; may be repeated
    #[cfg_attr(feature = "cli", arg(long = "instruction", value_name = "NODE"))]
    #[serde(default)]
    pub instructions: Vec<String>,
    /// Picture that belongs to the text; may be repeated
    // A server reads no file because a page names it.
    #[cfg_attr(feature = "cli", arg(long = "image", value_name = "FILE"))]
    #[serde(skip)]
    pub images: Vec<PathBuf>,
    /// Leave the end of the path where it is
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub stay: bool,
}

/// A text about a node: its new version, or a remark.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct NodeTextRequest {
    /// Node, by id or short id
    pub node: String,
    /// Text, kept exactly
    #[cfg_attr(feature = "cli", arg(allow_hyphen_values = true))]
    pub text: String,
    #[serde(flatten)]
    #[cfg_attr(feature = "cli", command(flatten))]
    pub by: NodeAuthor,
}

/// One node.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NodeRequest {
    /// Node, by id or short id
    pub node: String,
}

/// A mark on a node.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct MarkNodeRequest {
    /// Node, by id or short id
    pub node: String,
    /// Remove the mark
    #[serde(default)]
    pub undo: bool,
}

/// A bookmark on a node.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct BookmarkRequest {
    /// Node, by id or short id
    pub node: String,
    /// Label of the bookmark
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", default_value = ""))]
    #[serde(default)]
    pub label: String,
    /// Remove the bookmark
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub undo: bool,
}

/// A new path that ends at a node.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct ForkRequest {
    /// Node, by id or short id
    pub node: String,
    /// Name of the path [default: the short id of the node]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub name: Option<String>,
}

/// A node for a path to go to or through.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NodeOnPathRequest {
    /// Node, by id or short id
    pub node: String,
    /// Path to change [default: the one in use]
    pub path: Option<String>,
}

/// A path from its root to its end, after changes to it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct WalkPathRequest {
    /// Node to move the end of the path to
    pub node: Option<String>,
    /// Path to walk [default: the one in use]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub name: Option<String>,
    /// Node to go through at a fork or among versions; may be repeated
    #[cfg_attr(feature = "cli", arg(long, value_name = "NODE"))]
    #[serde(default)]
    pub choose: Vec<String>,
    /// Use the named path from now on
    #[cfg_attr(feature = "cli", arg(long = "use", requires = "name", conflicts_with = "node"))]
    #[serde(default, rename = "use")]
    pub in_use: bool,
}

/// The outline of a tree.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct OutlineRequest {
    /// Show every node of a large tree
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub all: bool,
    #[doc = help!(tokenizer)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", help = help!(tokenizer)))]
    pub tokenizer: Option<Word<Tokenizer>>,
}

/// A text to keep under a label.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct StashRequest {
    /// Label of the stash
    pub label: String,
    /// Text to keep
    pub text: String,
    /// Show the text in contexts
    #[serde(default)]
    pub recall: bool,
}

/// A stash to show in contexts, or not.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RecallRequest {
    /// Label of the stash
    pub label: String,
    /// Show only the label again
    #[serde(default)]
    pub undo: bool,
}

/// One stash.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct StashLabelRequest {
    /// Label of the stash
    pub label: String,
}
