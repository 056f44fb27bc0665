//! What a compilation is asked for. The doors resolve flags, files and personas into this once.

use super::{Api, Level, StrategySource, Text, Tokens, TreeMode, Truncation};
use crate::keywords;

/// What a compilation is asked for. The default is every file in its own view, as Markdown, without a budget.
#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: Strategy,
    /// `--view`: beats the strategy and the composition, but neither `force_full` nor `none`.
    pub view: Option<Level>,
    /// There is a focus: the items in it in full, what is around them in less.
    pub focused: bool,
    pub history: History,
    pub format: Format,
    pub tree: Tree,
    pub order: FileOrder,
    pub frame: DocumentFrame,
    /// Whether every line of the source that is shown has its number.
    pub line_numbers: bool,
    /// The most tokens the output may have; `None` for no limit.
    pub budget: Option<Tokens>,
    /// What the document is for: the text of a task.
    pub query: Option<String>,
    /// How many tokens passages from outside the composition may take.
    pub retrieve: Tokens,
    /// The path of a file about which everything is to be told.
    pub explain: Option<String>,
    pub agent: AgentOptions,
    pub request: RequestOptions,
    /// Set where a path through a tree is assembled.
    pub loom: Option<LoomOptions>,
}

/// How a path through a tree becomes a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoomOptions {
    pub mode: TreeMode,
    pub truncation: Truncation,
    /// Of the newest nodes so many are kept if they fit at all.
    pub minimum_recent: usize,
}

/// How an agent's context is put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentOptions {
    /// The newest so many messages of the history at most; `None` for all.
    pub max_messages: Option<usize>,
    /// So many memories at most.
    pub max_memories: usize,
    /// What memories may take together.
    pub memory_tokens: Tokens,
    /// Memories, and skills that the message names, stand next to the current message instead of in their layer: what is chosen
    /// anew for each message then leaves the prefix before it as it was.
    pub near: bool,
}

/// What a request says besides its messages.
#[derive(Clone, PartialEq, Debug)]
pub struct RequestOptions {
    /// As the provider spells it; `None` leaves the field out.
    pub model: Option<String>,
    /// The longest answer, in tokens.
    pub max_answer: Option<u64>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    /// Around a document: who answers.
    pub system: Option<Text>,
    /// Behind a document: what is asked.
    pub message: Option<Text>,
    /// Whether marks for the provider's cache are put in, where its rule has any.
    pub marks: bool,
}

impl Default for RequestOptions {
    fn default() -> Self {
        Self { model: None, max_answer: None, temperature: None, top_p: None, system: None, message: None, marks: true }
    }
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self { max_messages: Some(50), max_memories: 20, memory_tokens: Tokens(2_000), near: false }
    }
}

/// Some ten functions.
pub const RETRIEVE: Tokens = Tokens(2_000);

impl Default for Options {
    fn default() -> Self {
        Self {
            strategy: Strategy { mode: StrategyMode::OwnView, name: "auto", source: StrategySource::Default },
            view: None,
            focused: false,
            history: History::With,
            format: Format::Markdown,
            tree: Tree::None,
            order: FileOrder::Path,
            frame: DocumentFrame::default(),
            line_numbers: false,
            budget: None,
            query: None,
            retrieve: RETRIEVE,
            explain: None,
            agent: AgentOptions::default(),
            request: RequestOptions::default(),
            loom: None,
        }
    }
}

/// What is written around the files of a document that is for a task.
#[derive(Clone, Debug, Default)]
pub struct DocumentFrame {
    /// The name of the project, where a header before the files is to say what is shown of it and what the marks mean.
    pub header: Option<String>,
    /// Standing instructions, after everything else.
    pub instructions: Option<Text>,
    /// The task itself, at the end. The start of a task that would take too much of the budget.
    pub task: Option<Text>,
}

/// In which order the files of a document stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileOrder {
    /// Files that were ranked for a task: the most relevant first. Without a task by path.
    Relevance,
    Path,
}

keywords!(FileOrder { Relevance = "relevance", Path = "path" });

/// The strategy that holds, and who set it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    pub mode: StrategyMode,
    /// As it is called where it was set.
    pub name: &'static str,
    pub source: StrategySource,
}

/// What a strategy makes of files that nobody wished anything for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StrategyMode {
    /// Every file in its own view; `full` when it has none.
    OwnView,
    /// Every file as its summary.
    Summarize,
    /// Files without a view of their own as outlines.
    Outline,
    /// Files without a view of their own as skeletons.
    Skeleton,
}

/// Whether a discussion is part of the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    With,
    /// `--no-history`
    Without,
    /// `--history-only`
    Only,
}

keywords!(History { With = "with", Without = "without", Only = "only" });

/// What the output is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Markdown,
    Xml,
    Json,
    /// A conversation as a list of messages, the same for all providers.
    Messages,
    /// The body of a request to a provider.
    Request(Api),
    /// Continuous text, nothing around it.
    Text,
}

impl Format {
    /// What a document can be written as: every format but continuous text.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::Markdown; 4 + Api::ALL.len()];
        (all[1], all[2], all[3]) = (Self::Xml, Self::Json, Self::Messages);
        let mut at = 0;
        while at < Api::ALL.len() {
            all[4 + at] = Self::Request(Api::ALL[at]);
            at += 1;
        }
        all
    };

    /// The words of [`Format::ALL`], in the same order.
    pub const WORDS: &'static [&'static str] = &{
        let mut words = [""; Self::ALL.len()];
        let mut at = 0;
        while at < words.len() {
            words[at] = Self::ALL[at].as_str();
            at += 1;
        }
        words
    };

    /// Whose request this is the body of.
    pub fn api(self) -> Option<Api> {
        match self {
            Self::Request(api) => Some(api),
            Self::Markdown | Self::Xml | Self::Json | Self::Messages | Self::Text => None,
        }
    }

    /// The format with this word, continuous text included; the opposite of [`Format::as_str`].
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().chain([Self::Text]).find(|format| format.as_str() == word)
    }

    /// The word that `--format` takes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Xml => "xml",
            Self::Json => "json",
            Self::Messages => "messages",
            Self::Request(api) => api.as_str(),
            Self::Text => "text",
        }
    }
}

keywords!(impl Format);

/// The `## Tree` section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tree {
    None,
    /// The files that are shown.
    Selected,
    /// Every file of the walk.
    Full,
}

keywords!(Tree { None = "none", Selected = "selected", Full = "full" });
