//! Trees: their settings and agents, their store, and trees as files.

use super::TruncationOptions;
use crate::requests::Word;
use contexture_conversations::loom::formats::TreeFormat;
use contexture_core::{AuthorType, TreeMode, keywords};
use schemars::JsonSchema;
use serde::Deserialize;

/// Settings of a tree.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct TreeSettings {
    /// Text that the tree adds to the system context; empty for none
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", allow_hyphen_values = true))]
    pub system: Option<String>,
    /// Whether to put the system context before continuous text
    #[cfg_attr(feature = "cli", arg(long, value_name = "BOOL"))]
    pub buffer_system: Option<bool>,
    #[serde(flatten)]
    #[cfg_attr(feature = "cli", command(flatten))]
    pub truncation: TruncationOptions,
}

/// A new tree.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[schemars(extend("additionalProperties" = false))]
pub struct NewTreeRequest {
    /// Title of the tree
    pub title: String,
    /// Messages of people and models, or one continuous text [default: dialogue]
    #[cfg_attr(feature = "cli", arg(long, value_name = "MODE"))]
    pub mode: Option<Word<TreeMode>>,
    #[serde(flatten)]
    #[cfg_attr(feature = "cli", command(flatten))]
    pub settings: TreeSettings,
}

/// A tree to use from now on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UseTreeRequest {
    /// Tree, by id, short id or title
    pub tree: String,
}

/// A setting that a tree can leave to the general settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeSetting {
    Strategy,
    MinimumRecentNodes,
    TokenBuffer,
}

keywords!(TreeSetting {
    Strategy = "strategy",
    MinimumRecentNodes = "minimum_recent_nodes" | "minimum-recent-nodes",
    TokenBuffer = "token_buffer" | "token-buffer",
});

/// Changes to a tree. Without any, the tree is only shown.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct SetTreeRequest {
    /// Use this tree from now on
    #[cfg_attr(feature = "cli", arg(long = "use"))]
    #[serde(default, rename = "use")]
    pub in_use: bool,
    /// New title
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT"))]
    pub title: Option<String>,
    #[serde(flatten)]
    #[cfg_attr(feature = "cli", command(flatten))]
    pub settings: TreeSettings,
    /// Setting to leave to the general settings again; may be repeated
    #[cfg_attr(feature = "cli", arg(long, value_name = "KEY", value_parser = tree_settings()))]
    #[serde(default)]
    pub unset: Vec<Word<TreeSetting>>,
}

/// Changes to an agent. Without any, the agent is only shown.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct AgentSettings {
    /// Person or model [default: model]
    #[cfg_attr(feature = "cli", arg(long, value_name = "KIND"))]
    pub kind: Option<Word<AuthorType>>,
    /// Text at the start of the system context; empty for none
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT"))]
    pub system: Option<String>,
    /// Model that answers for the agent; empty for none
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub model: Option<String>,
    /// Permissions: loom_aware, loom_write, loom_generate, doc_read, doc_write
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST", value_delimiter = ','))]
    pub allow: Option<Vec<String>>,
}

impl AgentSettings {
    /// Whether nothing is to be changed.
    pub fn is_empty(&self) -> bool {
        let Self { kind, system, model, allow } = self;
        kind.is_none() && system.is_none() && model.is_none() && allow.is_none()
    }
}

/// An agent by name, with changes to it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct LoomAgentRequest {
    /// Name of the agent
    pub name: String,
    #[serde(flatten)]
    pub settings: AgentSettings,
}

/// A check of the store.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct VerifyTreesRequest {
    /// Copy a damaged store aside and save everything that can be read
    #[cfg_attr(feature = "cli", arg(long))]
    pub repair: bool,
}

/// A tree as files.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct ExportTreeRequest {
    /// Format of the files [default: contexture]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT"))]
    pub format: Option<Word<TreeFormat>>,
}

/// Which trees of a file to import, and under which ids.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct TreeImportOptions {
    /// Give all records new ids, so that a tree can be imported twice
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub copy: bool,
    /// Conversation to import, by id or title [default: all]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub conversation: Option<String>,
}

/// Trees in the text of a file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct ImportTreesRequest {
    /// Name of the file; the title of a tree without one
    pub name: String,
    /// Text of the file
    pub text: String,
    /// Refuse a file of another format [default: detect the format]
    pub format: Option<Word<TreeFormat>>,
    #[serde(flatten)]
    pub options: TreeImportOptions,
}

/// With hyphens, as flags have them.
#[cfg(feature = "cli")]
fn tree_settings() -> impl clap::builder::TypedValueParser<Value = Word<TreeSetting>> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(["strategy", "minimum-recent-nodes", "token-buffer"])
        .try_map(|word| TreeSetting::parse(&word).map(Word).ok_or("not one of the words"))
}
