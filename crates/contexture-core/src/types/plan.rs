//! Which view of which item is shown, and why; what is not, and why not.

use super::{ContentHash, Item, ItemId, ItemKind, Layer, Level, Tokens, Truncation, WrittenSummary};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Who set the strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrategySource {
    Flag,
    Persona(String),
    Tier(u8),
    Project,
    Aggregation,
    Default,
}

impl fmt::Display for StrategySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("the command line"),
            Self::Persona(name) => write!(f, "persona `{name}`"),
            Self::Tier(tier) => write!(f, "tier {tier}"),
            Self::Project => f.write_str("[project]"),
            Self::Aggregation => f.write_str("[aggregation] default_mode"),
            Self::Default => f.write_str("the default"),
        }
    }
}

/// The reason for a view, or for nothing.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    ForceFull,
    /// `view_mode` in the composition.
    HandSet(Level),
    ViewFlag(Level),
    /// `--focus`, or `tier = 3` while there is a focus.
    Focus,
    /// There is a focus, and this is not in it.
    OutOfFocus,
    /// The composition marks parts of the file, and sets no view.
    Marked(&'static str),
    Strategy {
        name: &'static str,
        source: StrategySource,
    },
    /// The kind of file decides: lock, minified, generated, notebook, data, binary, huge.
    Kind(String),
    /// The wished view could not be made.
    FellBack {
        wished: Level,
        cause: String,
    },
    Failed(String),
    Section(&'static str),
    NotAggregated,
    SameFile(String),
    Symlink,
    HistoryFile,
    SecretName(String),
    DependencyFolder(&'static str),
    OwnOutput,
    /// An exclude pattern matches.
    Excluded(String),
    /// There are include patterns, and none matches.
    NotIncluded,
    HistoryFlag(&'static str),
    /// The budget decided: its rank among the free items, and how many of its symbols are shown.
    Fitted {
        rank: u32,
        of: u32,
        whole: usize,
        hunks: usize,
        signatures: usize,
        symbols: usize,
    },
    /// Outside the composition, with passages that answer the task.
    Retrieved {
        rank: u32,
        of: u32,
        passages: usize,
    },
    /// Outside the composition, and nothing in it is among the best answers.
    NotRetrieved {
        rank: u32,
        of: u32,
    },
    /// A part of an agent's context.
    Layer(Cow<'static, str>),
    /// A turn of a history that is older than what has room.
    OlderTurn,
    /// A node that a path has no room for.
    CutAway(Truncation),
    /// Another part of an agent's context that has no room.
    NoPlace,
    /// A memory that is shown.
    Remembered {
        rank: u32,
        of: u32,
        score: f32,
    },
    /// There was no room for it.
    NoRoom {
        rank: u32,
        of: u32,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ForceFull => f.write_str("`force_full` is set"),
            Self::HandSet(level) => write!(f, "`view_mode = \"{level}\"` is set by hand"),
            Self::ViewFlag(level) => write!(f, "`--view {level}`"),
            Self::Focus => f.write_str("in focus"),
            Self::OutOfFocus => f.write_str("around the focus"),
            Self::Marked(key) => write!(f, "`{key}` is set by hand"),
            Self::Strategy { name, source } => write!(f, "strategy `{name}`, set by {source}"),
            Self::Kind(what) => f.write_str(what),
            Self::FellBack { wished, cause } => write!(f, "`{wished}` was wished: {cause}"),
            Self::Failed(cause) => f.write_str(cause),
            Self::Section(name) => write!(f, "asked for by {name}"),
            Self::NotAggregated => f.write_str("`auto_aggregate = false`"),
            Self::SameFile(path) => write!(f, "the same file as `{path}`"),
            Self::Symlink => f.write_str("symbolic link, not followed while walking; name it to include it"),
            Self::HistoryFile => f.write_str("a history file never enters as a file"),
            Self::SecretName(rule) => {
                write!(f, "the name matches `{rule}`, which often holds secrets; name it to include it")
            }
            Self::DependencyFolder(what) => write!(f, "{what}; name it to include it"),
            Self::OwnOutput => f.write_str("written by contexture itself"),
            Self::Excluded(pattern) => write!(f, "`exclude` has `{pattern}`"),
            Self::NotIncluded => f.write_str("no `include` pattern matches"),
            Self::HistoryFlag(flag) => write!(f, "left out by `{flag}`"),
            Self::Fitted { rank, of, whole, hunks, signatures, symbols } => {
                write!(f, "rank {rank} of {of}")?;
                if *whole + *hunks + *signatures > 0 {
                    let hunks = if *hunks > 0 { format!(", {hunks} in hunks") } else { String::new() };
                    write!(f, "; of {symbols} symbols {whole} whole{hunks} and {signatures} by signature")?;
                }
                Ok(())
            }
            Self::Retrieved { rank, of, passages } => {
                let s = if *passages == 1 { "" } else { "s" };
                write!(f, "outside the composition, rank {rank} of {of}; {passages} passage{s} for the task")
            }
            Self::NotRetrieved { rank, of } => {
                write!(f, "outside the composition, and no passage of it is among the best: rank {rank} of {of}")
            }
            Self::Layer(reason) => f.write_str(reason),
            Self::OlderTurn => f.write_str("an older turn, and there is no room for it"),
            Self::CutAway(strategy) => write!(f, "there is no room for it under `{strategy}`"),
            Self::NoPlace => f.write_str("there is no room for it"),
            Self::Remembered { rank, of, score } => {
                write!(f, "rank {rank} of {of} memories for the message, score {score:.2}")
            }
            Self::NoRoom { rank, of } => write!(f, "no room in the budget: rank {rank} of {of}"),
        }
    }
}

/// An item that is shown.
#[derive(Clone, Debug)]
pub struct Pick {
    pub item: ItemId,
    pub kind: ItemKind,
    pub path: String,
    pub level: Level,
    /// What its block costs in the document, frame included.
    pub tokens: Tokens,
    /// Of what was read; `None` for what has no bytes of its own.
    pub hash: Option<ContentHash>,
    pub why: Why,
    /// The `ERROR …` line that stands in the document.
    pub error: Option<String>,
    /// What a model wrote, where that is shown.
    pub written: Option<Arc<WrittenSummary>>,
}

impl Pick {
    pub(crate) fn of(item: &Item, level: Level, tokens: Tokens, why: Why) -> Self {
        let Item { id, kind, path, hash, .. } = item;
        let (item, path) = (id.clone(), path.clone());
        Self { item, kind: *kind, path, level, tokens, hash: *hash, why, error: None, written: None }
    }

    /// Why it is shown like this, and who wrote what is shown if it was not the file's author.
    pub fn reason(&self) -> String {
        match &self.written {
            Some(written) => format!("{}; summary written by {}", self.why, written.by),
            None => self.why.to_string(),
        }
    }
}

/// Something that is not shown.
#[derive(Clone, PartialEq, Debug)]
pub struct LeftOut {
    pub path: String,
    pub why: Why,
}

/// Every item of the snapshot exactly once: picked or left out.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub picks: Vec<Pick>,
    pub left_out: Vec<LeftOut>,
}

/// How a path was cut to fit its budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truncated {
    pub strategy: Truncation,
    /// Whether anything is missing.
    pub truncated: bool,
    /// Ids of nodes that are not shown, and of those that are shown in part.
    pub removed: Vec<ItemId>,
    pub shortened: Vec<ItemId>,
    /// Of everything, and of what is shown.
    pub before: Tokens,
    pub after: Tokens,
    /// Of the newest nodes so many were to be kept, and so many are.
    pub minimum_recent: usize,
    pub recent: usize,
}

impl Truncated {
    /// Fewer of the newest nodes are shown than were to be kept.
    pub fn is_shrunk(&self) -> bool {
        self.recent < self.minimum_recent
    }
}

/// What a layer of an agent's context takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerSize {
    pub layer: Layer,
    pub tokens: Tokens,
    /// Bytes of its texts as they are, and as they are shown.
    pub raw_bytes: u64,
    pub shown_bytes: u64,
    /// How many it has, and how many are shown.
    pub items: usize,
    pub shown_items: usize,
}
