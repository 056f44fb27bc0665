//! Trees of conversations: making and changing trees and nodes, walking paths, and turning paths into contexts.
//!
//! A request says what to do in a tree; [`WhichTree`] says in which. The command line takes the tree as a flag of all verbs, JSON as one
//! more field of the same object: [`InTree`].

mod context;
mod nodes;
mod trees;

pub use context::{AssembleRequest, GenerateRequest, PathFormat, PathOptions};
pub use nodes::{
    AddNodeRequest, BookmarkRequest, ForkRequest, MarkNodeRequest, NodeAuthor, NodeOnPathRequest, NodeRequest,
    NodeTextRequest, OutlineRequest, RecallRequest, StashLabelRequest, StashRequest, WalkPathRequest,
};
pub use trees::{
    AgentSettings, ExportTreeRequest, ImportTreesRequest, LoomAgentRequest, NewTreeRequest, SetTreeRequest,
    TreeImportOptions, TreeSetting, TreeSettings, UseTreeRequest, VerifyTreesRequest,
};

use super::{TokenCount, Word};
use contexture_core::Truncation;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// The tree to work in.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[schemars(deny_unknown_fields)]
pub struct WhichTree {
    /// Store of trees [default: store.url, else a file in your data folder]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE", global = true, help_heading = "Store and tree"))]
    #[serde(skip)]
    pub store: Option<PathBuf>,
    /// Tree, by id, short id or title [default: the last one used]
    #[cfg_attr(feature = "cli", arg(long, value_name = "TREE", global = true, help_heading = "Store and tree"))]
    pub tree: Option<String>,
}

/// A request and the tree it is about, as one object.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
// serde cannot refuse unknown fields of flattened parts; `read` does, by the schema.
#[schemars(extend("additionalProperties" = false))]
pub struct InTree<Q> {
    #[serde(flatten)]
    pub which: WhichTree,
    #[serde(flatten)]
    pub request: Q,
}

/// How to shorten a path that does not fit.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct TruncationOptions {
    /// How to cut a path [default: the tree's, else budget.truncation_strategy]
    #[cfg_attr(feature = "cli", arg(long, value_name = "S"))]
    pub strategy: Option<Word<Truncation>>,
    /// Keep this many of the newest nodes if they fit [default: the tree's]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", alias = "minimum-recent"))]
    pub minimum_recent_nodes: Option<u64>,
    /// Tokens of a window to keep free besides the answer [default: the tree's]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub token_buffer: Option<TokenCount>,
}

#[cfg(test)]
mod tests {
    use super::super::{read, schema};
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_and_its_tree_are_one_object() {
        let asked: InTree<GenerateRequest> =
            read(json!({"tree": "t", "base_url": "u", "strategy": "stopAtLimit", "token_buffer": "8k"})).unwrap();
        assert_eq!(asked.which.tree.as_deref(), Some("t"));
        let GenerateRequest { path, n, max_answer, timeout, .. } = asked.request;
        assert_eq!((n, max_answer, timeout), (1, 1024, 600));
        assert_eq!(path.truncation.strategy, Some(Word(Truncation::Stop)));
        assert_eq!(path.truncation.token_buffer, Some(TokenCount(8_000)));
    }

    #[test]
    fn fields_of_flattened_parts_are_checked() {
        let wrong = |value| read::<InTree<AssembleRequest>>(value).unwrap_err();
        assert!(wrong(json!({"nod": "a"})).contains("did you mean `node`?"));
        assert!(wrong(json!({"store": "x"})).contains("not known"));
        assert!(wrong(json!({"max_answer": 5})).contains("not known"));
        assert!(wrong(json!({"format": "xml"})).contains("one of messages"));
        assert!(read::<InTree<AssembleRequest>>(json!({"format": "text", "choose": ["a"]})).is_ok());
        assert!(read::<InTree<NodeRequest>>(json!({})).unwrap_err().contains("`node` is missing"));
        for schema in [schema::<InTree<AssembleRequest>>(), schema::<NewTreeRequest>(), schema::<LoomAgentRequest>()] {
            assert_eq!(schema.get("additionalProperties"), Some(&json!(false)), "{schema:?}");
        }
    }
}
