//! The nouns of a comparison: what is not alike in two runs.

use crate::requests::Word;
use contexture_core::keywords;
use contexture_gather::runs::ItemRecord;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Everything that differs between two runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    pub added: Vec<ItemRecord>,
    pub removed: Vec<ItemRecord>,
    pub changed: Vec<ItemChange>,
    pub altered: Vec<AlteredOption>,
    /// `None`: the outputs are the same.
    pub first: Option<DifferenceStart>,
    pub common: CommonPrefix,
}

/// An item of both runs that is not shown alike.
#[derive(Clone, PartialEq, Debug)]
pub struct ItemChange {
    pub old: ItemRecord,
    pub new: ItemRecord,
    /// What it holds differs, not only how it is shown.
    pub content: bool,
}

/// An option or a setting that changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct AlteredOption {
    pub what: Word<AlteredKind>,
    pub name: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

/// Where an altered value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AlteredKind {
    /// What came of flags, personas and settings together.
    Option,
    /// A flag or a path.
    Request,
    /// A key of the configuration.
    Setting,
    /// The program itself.
    Version,
}

keywords!(AlteredKind { Option = "option", Request = "request", Setting = "setting", Version = "version" });

/// Where the outputs part.
#[derive(Clone, PartialEq, Debug)]
pub struct DifferenceStart {
    /// Counted from 0. Of an output that ends where the other goes on, this is its end.
    pub byte: u64,
    /// Where the block ends that it is in. `None`: the byte is exact.
    pub until: Option<u64>,
    /// The items whose blocks part, in the earlier and the later output; `None` in a heading and at the end.
    pub old: Option<String>,
    pub new: Option<String>,
    /// Of a request: the block that the byte is in, `messages[0].content[1]`.
    pub place: Option<String>,
    pub cause: Cause,
}

/// Why two outputs differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    Content(String),
    /// The file is the same; what a model wrote about it is not, or is gone, or is new.
    Written(String),
    View {
        path: String,
        old: (String, String),
        new: (String, String),
    },
    /// The same content in the same view, for two reasons.
    Reason {
        path: String,
        old: String,
        new: String,
    },
    Added(String),
    Removed(String),
    Order,
    /// Names of what was altered.
    Settings(Vec<String>),
    Unknown,
}

impl Cause {
    /// Every word of [`Self::as_str`].
    pub const WORDS: &'static [&'static str] =
        &["content", "written", "view", "reason", "added", "removed", "order", "settings", "unknown"];

    /// The word for it in answers.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Content(_) => "content",
            Self::Written(_) => "written",
            Self::View { .. } => "view",
            Self::Reason { .. } => "reason",
            Self::Added(_) => "added",
            Self::Removed(_) => "removed",
            Self::Order => "order",
            Self::Settings(_) => "settings",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Content(path) => write!(f, "the content of `{path}` changed"),
            Self::Written(path) => write!(f, "`{path}` has another written summary, or none; the file is the same"),
            Self::View { path, old, new } => {
                write!(f, "`{path}` was shown as `{}` ({}), now as `{}` ({})", old.0, old.1, new.0, new.1)
            }
            Self::Reason { path, old, new } => write!(f, "`{path}` is shown otherwise: {old}; now {new}"),
            Self::Added(path) => write!(f, "`{path}` was added"),
            Self::Removed(path) => write!(f, "`{path}` is gone"),
            Self::Order => f.write_str("the order changed"),
            Self::Settings(names) => write!(f, "altered: {}", names.join(", ")),
            Self::Unknown => f.write_str("the manifests do not tell why"),
        }
    }
}

/// The common beginning of two outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CommonPrefix {
    pub bytes: u64,
    pub tokens: u64,
    /// Whether the tokens were counted on these bytes
    // Else they are a sum of blocks and a part of one, or an estimate.
    pub exact: bool,
}

/// Why outputs part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CauseAnswer {
    #[schemars(extend("enum" = Cause::WORDS))]
    pub cause: &'static str,
    /// The cause as a sentence
    pub why: String,
}

impl From<&Cause> for CauseAnswer {
    fn from(cause: &Cause) -> Self {
        Self { cause: cause.as_str(), why: cause.to_string() }
    }
}
