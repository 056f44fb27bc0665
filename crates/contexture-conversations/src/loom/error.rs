//! What can go wrong with a tree: the place, the cause, and one thing to do.

use crate::sessions::place;
use contexture_core::render::printable;
use std::io;
use std::path::{Path, PathBuf};

/// What went wrong with a tree, with the file and the line where it is known.
#[derive(Debug, thiserror::Error)]
#[error("{}{fault}", place(path.as_deref(), *line))]
pub struct LoomError {
    /// The file, where one is meant.
    pub path: Option<PathBuf>,
    /// Counted from 1.
    pub line: Option<usize>,
    /// The id of the record that is at fault, where the fault does not name it.
    record: Option<Box<RecordId>>,
    #[source]
    pub fault: Fault,
}

/// In a box of its own, as every result has room for an error.
#[derive(Debug)]
struct RecordId(String);

/// What is wrong with a store, a tree or what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// `what` is `tree`, `node`, `agent`, `path` or `stash`.
    #[error("there is no {what} `{}`", printable(.word))]
    Unknown { what: &'static str, word: String, near: Vec<String> },
    #[error("several {what}s are meant by `{}`", printable(.word))]
    Several { what: &'static str, word: String, choices: Vec<String> },
    #[error("there is no store yet: {}", printable(&.0.to_string_lossy()))]
    NoStore(PathBuf),
    /// A file of another program.
    #[error("not a store of trees")]
    Foreign,
    /// A folder, a pipe or a device.
    #[error("not a regular file")]
    NotRegular,
    #[error("the store has no tree yet")]
    NoTree,
    #[error("the tree has no node yet")]
    NoNode,
    /// A node with several continuation edges that lead to it, and none chosen.
    #[error("`{node}` continues several nodes, and the path chooses none of them")]
    Fork { node: String, choices: Vec<String> },
    #[error("a cycle: `{node}` would be its own ancestor")]
    Cycle { node: String },
    #[error("`{}` names {} that is not in the tree: `{}`", printable(.node), with_article(.role), printable(.source_node))]
    Dangling { node: String, role: &'static str, source_node: String },
    #[error("{what} `{}` is there already", printable(.id))]
    Duplicate { what: &'static str, id: String },
    #[error("a second root: `{second}`; the root is `{first}`")]
    SecondRoot { first: String, second: String },
    #[error("unknown {what}: `{}`", printable(.word))]
    Word { what: &'static str, word: String, known: &'static [&'static str] },
    /// The wish does not go with what is there.
    #[error("{message}")]
    Refused { message: String, hint: String },
    #[error("not a tree of a known format")]
    Format,
    #[error("broken: {0}")]
    Broken(String),
    #[error("larger than {} MiB", .0 >> 20)]
    TooLarge(u64),
    #[error("another program writes to the store for too long")]
    Busy,
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// A repair that found nothing; the file is where it was, and a copy of it beside.
    #[error("nothing of the store can be saved: {cause}")]
    Lost { cause: String, aside: PathBuf },
    #[error("the store was written by a newer version")]
    Newer,
    #[error("cannot {what}: {cause}")]
    Io { what: &'static str, cause: io::Error },
    #[error("the store failed: {0}")]
    Store(String),
}

/// What a door makes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoomErrorKind {
    Usage,
    Conflict,
    Verification,
    Failed,
}

/// More would not be read by anybody.
const SHOWN: usize = 10;

impl LoomError {
    /// Which exit code and which status it deserves.
    pub fn kind(&self) -> LoomErrorKind {
        match &self.fault {
            Fault::Unknown { .. }
            | Fault::Several { .. }
            | Fault::NoStore(_)
            | Fault::NotRegular
            | Fault::NoTree
            | Fault::NoNode
            | Fault::Word { .. } => LoomErrorKind::Usage,
            Fault::Fork { .. } | Fault::Duplicate { .. } | Fault::Refused { .. } | Fault::Foreign => {
                LoomErrorKind::Conflict
            }
            Fault::Damaged(_) | Fault::Lost { .. } => LoomErrorKind::Verification,
            Fault::Cycle { .. }
            | Fault::Dangling { .. }
            | Fault::SecondRoot { .. }
            | Fault::Format
            | Fault::Broken(_)
            | Fault::TooLarge(_)
            | Fault::Busy
            | Fault::Newer
            | Fault::Io { .. }
            | Fault::Store(_) => LoomErrorKind::Failed,
        }
    }

    /// One thing to do about it.
    pub fn hint(&self) -> String {
        match &self.fault {
            Fault::Unknown { near, .. } if !near.is_empty() => format!("did you mean {}?", listed(near)),
            Fault::Unknown { what: "tree", .. } => "`contexture loom list` shows all".into(),
            Fault::Unknown { what: "agent", .. } => "`contexture loom agent NAME --kind human` makes one".into(),
            Fault::Unknown { what: "path", .. } => "`contexture loom path --list` shows all".into(),
            Fault::Unknown { what: "stash", .. } => "`contexture loom stash` shows all".into(),
            Fault::Unknown { .. } => "`contexture loom show` shows the tree".into(),
            Fault::Several { choices, .. } => format!("it can be {}", listed(choices)),
            Fault::NoTree | Fault::NoStore(_) => "`contexture loom new TITLE` makes one".into(),
            Fault::Foreign | Fault::NotRegular => "name another file for the store: `--store FILE`".into(),
            Fault::NoNode => "`contexture loom add TEXT` adds the first".into(),
            Fault::Fork { choices, .. } => {
                format!("`contexture loom path --choose NODE` chooses: {}", listed(choices))
            }
            Fault::Cycle { .. } => "take one of the edges of the circle out".into(),
            Fault::Dangling { .. } => "add that node, or name another".into(),
            Fault::Duplicate { .. } => "`--copy` imports it under new ids".into(),
            Fault::SecondRoot { .. } => "give it a parent, or put it into a tree of its own".into(),
            Fault::Word { known, .. } => {
                format!("one of {}", known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "))
            }
            Fault::Refused { hint, .. } => hint.clone(),
            Fault::Format => "known are: contexture, pyloom, loomsidian, loom-engine, pi, chatgpt".into(),
            Fault::Broken(_) => "mend that place, or export the tree again".into(),
            Fault::TooLarge(_) => "split the file".into(),
            Fault::Busy => "try again when it is done".into(),
            Fault::Damaged(_) => "`contexture loom verify --repair` copies it aside and saves what can be read".into(),
            Fault::Lost { aside, .. } => {
                let aside = printable(&aside.to_string_lossy()).into_owned();
                format!("the file is where it was, a copy is `{aside}`; `--store FILE` makes another store")
            }
            Fault::Newer => "use that version of contexture, or another store: `--store FILE`".into(),
            Fault::Io { cause, .. } => match cause.kind() {
                io::ErrorKind::NotFound => "check the path with `ls`".into(),
                _ => "check that the file and its folder can be read and written".into(),
            },
            Fault::Store(_) => "`contexture loom verify` checks the store".into(),
        }
    }

    /// The id of the record that is at fault, where there is one.
    pub fn record(&self) -> Option<&str> {
        self.record.as_ref().map(|record| record.0.as_str()).or(match &self.fault {
            Fault::Cycle { node } | Fault::Dangling { node, .. } => Some(node),
            Fault::Duplicate { id, .. } => Some(id),
            Fault::SecondRoot { second, .. } => Some(second),
            _ => None,
        })
    }

    /// The record with this id is at fault.
    pub fn of(mut self, record: &str) -> Self {
        self.record.get_or_insert_with(|| Box::new(RecordId(record.into())));
        self
    }

    /// The same about this file, unless it names one.
    pub fn at(mut self, path: &Path) -> Self {
        self.path.get_or_insert_with(|| path.into());
        self
    }

    /// The same about this line, counted from 1, unless it names one.
    pub fn on_line(mut self, line: usize) -> Self {
        self.line.get_or_insert(line);
        self
    }
}

impl From<Fault> for LoomError {
    fn from(fault: Fault) -> Self {
        Self { path: None, line: None, record: None, fault }
    }
}

fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {word}")
}

fn listed(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", printable(name))).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}
