//! Runs: listed, shown, and compiled again.

use super::DifferenceAnswer;
use crate::ops::runs::ReplayedRun;
use crate::requests::Word;
use contexture_gather::runs::{KeptBody, Manifest, RunOutput, Summary};
use schemars::JsonSchema;
use serde::Serialize;

/// Runs, the newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunsAnswer {
    pub runs: Vec<Summary>,
}

/// Everything that is known of one run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunAnswer {
    #[serde(flatten)]
    pub run: Manifest,
    /// The parts of the output, in its order
    pub blocks: Vec<RunBlock>,
}

/// Bytes of the output that depend on one item, or on none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunBlock {
    /// Index of the item
    pub item: Option<usize>,
    pub path: Option<String>,
    pub bytes: u64,
    pub tokens: u64,
    pub hash: String,
}

impl From<&Manifest> for RunAnswer {
    fn from(run: &Manifest) -> Self {
        let blocks = run.blocks.iter().map(|block| RunBlock {
            item: block.item,
            path: block.item.and_then(|item| run.items.get(item)).map(|item| item.path.clone()),
            bytes: block.bytes,
            tokens: block.tokens,
            hash: block.hash.to_string(),
        });
        Self { blocks: blocks.collect(), run: run.clone() }
    }
}

/// The exact text of a request or of its answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunTextAnswer {
    pub what: Word<KeptBody>,
    pub text: String,
}

impl RunTextAnswer {
    /// The request or the answer of a run as text.
    pub fn new(what: KeptBody, bytes: &[u8]) -> Self {
        Self { what: what.into(), text: String::from_utf8_lossy(bytes).into_owned() }
    }
}

/// A run that was compiled again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReplayAnswer {
    pub number: u64,
    /// Whether the bytes are the same
    pub same: bool,
    /// File it was written to
    pub path: Option<String>,
    /// The output that the run recorded
    pub output: RunOutput,
    pub difference: Option<DifferenceAnswer>,
    /// The document, if it is the same or was requested anyway
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}

impl ReplayAnswer {
    /// `path` is where the bytes were written, if anywhere; `with_text` adds them to the answer.
    pub fn new(replayed: &ReplayedRun, path: Option<&str>, with_text: bool) -> Self {
        Self {
            number: replayed.manifest.number,
            same: replayed.difference.is_none(),
            path: path.map(str::to_owned),
            output: replayed.manifest.output.clone(),
            difference: replayed.difference.as_ref().map(DifferenceAnswer::from),
            document: with_text.then(|| replayed.document.compiled.output.text()),
        }
    }
}
