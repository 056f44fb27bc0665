//! The nouns of a run: plain data, the same before it is stored and after it was read.

use contexture_core::ContentHash;
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything that is known of a run but the bytes themselves.
#[derive(Clone, PartialEq, Debug)]
pub struct Manifest {
    /// Given by the store, once, ever; 0 before.
    pub number: u64,
    pub kind: RunKind,
    /// RFC 3339.
    pub created: String,
    /// Of the program.
    pub version: String,
    /// As it was made. Its shape belongs to whoever makes requests.
    pub request: Value,
    pub options: Effective,
    pub tokens: RunTokens,
    pub output: RunOutput,
    pub prefix: RunPrefix,
    /// Of all settings that were in force, whoever made them.
    pub config: ContentHash,
    /// Those that somebody set, by key: their value, or the hash of a long one.
    pub settings: BTreeMap<String, String>,
    pub items: Vec<ItemRecord>,
    pub left_out: Vec<LeftRecord>,
    pub notes: Vec<NoteRecord>,
    /// The output in its order, so that two runs can be compared though neither was kept.
    pub blocks: Vec<BlockRecord>,
    /// Of a request that left.
    pub sent: Option<Sent>,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunKind {
    Build,
    Send,
    Agent,
}

impl RunKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Build, Self::Send, Self::Agent];

    /// The word for it in manifests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Send => "send",
            Self::Agent => "agent",
        }
    }

    /// The kind with this word; the opposite of [`RunKind::as_str`].
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// What decided the bytes, after everyone with a say was heard.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effective {
    pub strategy: String,
    /// Who set it.
    pub strategy_from: String,
    pub format: String,
    pub tokenizer: String,
    pub budget: Option<u64>,
    pub budget_from: Option<String>,
}

/// How many tokens the output has, who counted them, and how many it might have had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunTokens {
    pub count: u64,
    pub exact: bool,
    pub tokenizer: String,
    pub budget: Option<u64>,
}

/// What the output was, without its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunOutput {
    /// SHA-256 of the bytes.
    pub hash: ContentHash,
    pub bytes: u64,
    /// Where they were written, absolute, as `names::shown` writes it; `None` when no file was.
    pub path: Option<String>,
}

/// How long the static prefix of the output is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunPrefix {
    pub bytes: u64,
    pub tokens: u64,
}

/// One item that was shown: in which view, from what, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItemRecord {
    pub path: String,
    pub kind: String,
    pub view: String,
    /// Of what was read; `None` for what has no bytes of its own.
    pub hash: Option<ContentHash>,
    pub tokens: u64,
    pub reason: String,
    pub error: Option<String>,
    /// Of a text that a model wrote and that is shown here.
    pub written: Option<ContentHash>,
}

/// One item that was not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftRecord {
    pub path: String,
    pub reason: String,
}

/// One note of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoteRecord {
    pub topic: String,
    pub path: Option<String>,
    pub text: String,
    pub hint: Option<String>,
}

/// A run of bytes that depends on one item, or on none: a heading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockRecord {
    /// Its place in [`Manifest::items`].
    pub item: Option<usize>,
    pub bytes: u64,
    pub tokens: u64,
    pub hash: ContentHash,
}

/// A request that went to a provider, and what came of it. The raw answer is kept beside the manifest.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sent {
    pub provider: String,
    pub model: String,
    /// The address of a server that was named; `None` is the provider's own.
    pub server: Option<String>,
    /// As the provider reported it.
    pub usage: Option<Usage>,
    pub latency_ms: Option<u64>,
    /// In US dollars.
    pub cost: Option<f64>,
    pub error: Option<String>,
}

/// What a request took, in tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    /// Of the input: read from the provider's cache, and written to it.
    pub cached: u64,
    pub written: u64,
}

/// A run without its lists.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    pub number: u64,
    pub kind: RunKind,
    pub created: String,
    pub options: Effective,
    pub tokens: RunTokens,
    pub output: RunOutput,
    pub items: u64,
    pub left_out: u64,
    pub sent: Option<Sent>,
}
