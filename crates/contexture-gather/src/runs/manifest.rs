//! The nouns of a run: plain data, the same before it is stored and after it was read.
//!
//! Answers show these records as they are: the order of the fields and their descriptions are those of `runs/show` and `runs/list`.

use contexture_core::{ContentHash, LeftOut, keywords};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;

/// Everything that is known of a run but the bytes themselves.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Manifest {
    // Given by the store, once, ever; 0 before.
    pub number: u64,
    pub kind: RunKind,
    /// RFC 3339
    pub created: String,
    pub options: EffectiveOptions,
    pub tokens: RunTokens,
    pub output: RunOutput,
    /// The request that was sent, if any
    pub sent: Option<SentRequest>,
    /// Version of the program
    pub version: String,
    /// The request as it was made
    // Its shape belongs to whoever makes requests.
    pub request: Value,
    pub prefix: RunPrefix,
    /// Hash of all settings
    #[serde(serialize_with = "text")]
    #[schemars(with = "String")]
    pub config: ContentHash,
    /// Settings that are not defaults
    // By key: their value, or the hash of a long one.
    pub settings: BTreeMap<String, String>,
    pub items: Vec<ItemRecord>,
    pub left_out: Vec<LeftRecord>,
    pub notes: Vec<NoteRecord>,
    /// The output in its order, so that two runs can be compared though neither was kept. An answer names the items of blocks, so it
    /// writes them itself.
    #[serde(skip)]
    pub blocks: Vec<BlockRecord>,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum RunKind {
    Build,
    Send,
    Agent,
}

keywords!(RunKind { Build = "build", Send = "send", Agent = "agent" });

/// Options in effect, and who set them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunOptions")]
pub struct EffectiveOptions {
    pub strategy: String,
    pub strategy_from: String,
    pub format: String,
    pub tokenizer: String,
    pub budget: Option<u64>,
    pub budget_from: Option<String>,
}

/// Tokens of a whole document, and how many it might have had.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunTokens {
    pub count: u64,
    /// Whether it was counted, not estimated
    pub exact: bool,
    pub tokenizer: String,
    pub budget: Option<u64>,
}

/// The output of a run, without its bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunOutput {
    /// SHA-256
    #[serde(with = "super::head::hex")]
    #[schemars(with = "String")]
    pub hash: ContentHash,
    pub bytes: u64,
    /// File it was written to
    // Absolute, as `names::display_path` writes it.
    pub path: Option<String>,
}

/// The part that does not change while only questions and history do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CachedPrefix")]
pub struct RunPrefix {
    pub bytes: u64,
    pub tokens: u64,
}

/// An item that a run showed.
// Words of an earlier version may no longer be in the lists of kinds and views.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "RunItem")]
pub struct ItemRecord {
    pub path: String,
    pub kind: String,
    pub view: String,
    pub tokens: u64,
    /// SHA-256 of its content
    #[serde(serialize_with = "maybe_text")]
    #[schemars(with = "Option<String>")]
    pub hash: Option<ContentHash>,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Hash of the model's summary that is shown
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "maybe_text")]
    #[schemars(with = "Option<String>")]
    pub written: Option<ContentHash>,
}

/// A file or another item that is left out, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PathReason")]
pub struct LeftRecord {
    pub path: String,
    pub reason: String,
}

impl From<&LeftOut> for LeftRecord {
    fn from(left: &LeftOut) -> Self {
        Self { path: left.path.clone(), reason: left.why.to_string() }
    }
}

/// One note of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunNote")]
pub struct NoteRecord {
    pub topic: String,
    pub path: Option<String>,
    pub text: String,
    /// One thing to do about it
    pub hint: Option<String>,
}

/// Bytes of the output that depend on one item, or on none: a heading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockRecord {
    /// Its place in [`Manifest::items`].
    pub item: Option<usize>,
    pub bytes: u64,
    pub tokens: u64,
    pub hash: ContentHash,
}

/// A request that was sent, and its outcome.
// The raw answer is kept beside the manifest.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SentAnswer")]
pub struct SentRequest {
    pub provider: String,
    pub model: String,
    /// The address of a server that was named; `None` is the provider's own. Answers do not show it.
    #[serde(skip)]
    pub server: Option<String>,
    pub usage: Option<Usage>,
    pub latency_ms: Option<u64>,
    /// US dollars
    pub cost: Option<f64>,
    pub error: Option<String>,
}

/// Tokens that a provider reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunUsage")]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    /// Input tokens read from the cache
    pub cached: u64,
    /// Input tokens written to the cache
    pub written: u64,
}

/// One run of a list.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "RunRow")]
pub struct Summary {
    pub number: u64,
    pub kind: RunKind,
    /// RFC 3339
    pub created: String,
    pub options: EffectiveOptions,
    pub tokens: RunTokens,
    pub output: RunOutput,
    /// The request that was sent, if any
    pub sent: Option<SentRequest>,
    /// Number of items that were shown
    pub items: u64,
    /// Number of items that were not
    pub left_out: u64,
}

fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn maybe_text<S: Serializer>(value: &Option<impl Display>, serializer: S) -> Result<S::Ok, S::Error> {
    value.as_ref().map(ToString::to_string).serialize(serializer)
}
