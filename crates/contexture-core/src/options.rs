//! What a compilation is asked for. The doors resolve flags, files and personas into this once.

use crate::model::{Level, Source, Tokens};

#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: Strategy,
    /// `--view`: beats the strategy and the composition, but neither `force_full` nor `none`.
    pub view: Option<Level>,
    /// There is a focus: the items in it in full, what is around them in less (F14).
    pub focused: bool,
    pub history: History,
    pub format: Format,
    pub tree: Tree,
    pub line_numbers: bool,
    pub budget: Option<Tokens>,
    /// What the document is for: the text of a task.
    pub query: Option<String>,
    /// How many tokens passages from outside the composition may take.
    pub retrieve: Tokens,
    /// The path of a file about which everything is to be told.
    pub explain: Option<String>,
}

/// Some ten functions.
pub const RETRIEVE: Tokens = Tokens(2_000);

impl Default for Options {
    fn default() -> Self {
        Self {
            strategy: Strategy { mode: Mode::OwnView, name: "auto", source: Source::Default },
            view: None,
            focused: false,
            history: History::With,
            format: Format::Markdown,
            tree: Tree::None,
            line_numbers: false,
            budget: None,
            query: None,
            retrieve: RETRIEVE,
            explain: None,
        }
    }
}

/// The strategy that holds, and who set it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    pub mode: Mode,
    /// As it is called where it was set.
    pub name: &'static str,
    pub source: Source,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Every file in its own view; `full` when it has none.
    OwnView,
    /// Every file as its summary.
    Summarize,
    /// Files without a view of their own as outlines.
    Outline,
    /// Files without a view of their own as skeletons.
    Skeleton,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    With,
    /// `--no-history`
    Without,
    /// `--history-only`
    Only,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Markdown,
    Xml,
    Json,
}

impl Format {
    pub const NAMES: [(&'static str, Self); 3] = [("md", Self::Markdown), ("xml", Self::Xml), ("json", Self::Json)];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Xml => "xml",
            Self::Json => "json",
        }
    }
}

/// The `## Tree` section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tree {
    None,
    /// The files that are shown.
    Selected,
    /// Every file of the walk.
    Full,
}
