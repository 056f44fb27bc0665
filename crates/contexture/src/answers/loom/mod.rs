//! Trees of conversations, and contexts made of paths through them.

mod nodes;
mod trees;

pub use nodes::{
    AddedNodeAnswer, ChangedNodesAnswer, NodeAnswer, NodeDetailsAnswer, OutlineAnswer, PathsAnswer, WalkedPathAnswer,
};
pub use trees::{
    LoomAgentAnswer, LoomAgentsAnswer, StashAnswer, StashDroppedAnswer, TreeAnswer, TreeFilesAnswer, TreeMemoryAnswer,
    TreesAnswer, TreesImportedAnswer, TreesVerifiedAnswer,
};

use super::record::{Show, answers};
use super::{DocumentAnswer, NoteAnswer, TokenTotal, message};
use crate::ops::loom::{AssembledPath, GeneratedNodes};
use crate::requests::Word;
use contexture_core::{Format, Tokenizer, TreeMode, Truncated, Truncation};
use nodes::NodeRow;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use trees::TreeRow;

/// A path as a context: what a document has, its messages or its text, and how it was cut.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AssembledPathAnswer {
    #[serde(flatten)]
    pub compiled: DocumentAnswer,
    pub tree: TreeRow,
    /// Id of the node where the path ends
    pub leaf: String,
    /// Name of the agent it is for
    pub agent: Option<String>,
    pub truncation: Option<TruncationAnswer>,
    /// Messages of a dialogue, as `--format messages` writes them
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Value>>,
    /// Continuous text
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The body of a request, or the text of a document
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
}

impl AssembledPathAnswer {
    /// `file` is where the context was written, if anywhere.
    pub fn new(made: &AssembledPath, file: Option<&str>) -> Self {
        let (budget, budget_from) = made.limit.clone().unzip();
        let count = made.compiled.measured.0;
        let tokens = TokenTotal { count, exact: made.exact, tokenizer: made.tokenizer, budget, budget_from };
        let text = || made.compiled.output.text().to_string();
        let is_dialogue = made.tree.mode == TreeMode::Dialogue;
        Self {
            compiled: DocumentAnswer::compiled(&made.compiled, file, tokens),
            tree: made.tree.show(),
            leaf: made.leaf.clone(),
            agent: made.agent.as_ref().map(|agent| agent.name.clone()),
            truncation: made.compiled.truncation.show(),
            messages: is_dialogue.then(|| made.compiled.messages.iter().map(|said| message(said)).collect()),
            text: (!is_dialogue && made.format == Format::Text).then(text),
            request: match made.format {
                Format::Request(_) => serde_json::from_str(&text()).ok(),
                Format::Markdown => Some(text().into()),
                Format::Messages | Format::Xml | Format::Json | Format::Text => None,
            },
        }
    }
}

answers! {
    /// How a path was cut.
    pub struct TruncationAnswer of Truncated {
        truncated: bool,
        strategy: Word<Truncation>,
        removed: Vec<String>,
        shortened: Vec<String>,
        tokens_before: u64 = |cut| cut.before.0,
        tokens_after: u64 = |cut| cut.after.0,
        minimum_recent_nodes: usize = |cut| cut.minimum_recent,
        recent_nodes: usize = |cut| cut.recent,
        /// Whether fewer of the newest nodes fit than the setting keeps
        minimum_recent_shrunk: bool = |cut| cut.is_shrunk(),
    }

    /// Nodes that a model's answers became.
    pub struct GeneratedNodesAnswer of GeneratedNodes {
        tree: TreeRow = |generated| generated.context.tree.show(),
        nodes: Vec<NodeRow>,
        /// Tokens as the server counts them
        usage: GenerationUsage = |generated| generated.show(),
        sent: SentTokens = |generated| generated.context.show(),
        truncation: Option<TruncationAnswer> = |generated| generated.context.compiled.truncation.show(),
        notes: Vec<NoteAnswer>,
    }

    pub struct GenerationUsage of GeneratedNodes {
        input_tokens: Option<u64>,
        output_tokens: Option<u64>,
    }

    /// Tokens of the path that was sent.
    pub struct SentTokens of AssembledPath {
        tokens: u64 = |made| made.compiled.measured.0,
        exact: bool,
        #[schemars(extend("enum" = Tokenizer::WORDS))]
        tokenizer: &'static str,
    }
}

/// RFC 3339, to the millisecond where there are any.
fn time(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).unwrap_or_default().to_string()
}
