//! What can go wrong with a session: the place, the cause, and one thing to do.

use std::io;
use std::path::{Path, PathBuf};

use contexture_core::render::printable;

use contexture_gather::outputs::OutputError;

/// What went wrong with a session, with the file and the line where it is known.
#[derive(Debug, thiserror::Error)]
#[error("{}{fault}", place(path.as_deref(), *line))]
pub struct SessionError {
    /// The file, where one is meant.
    pub path: Option<PathBuf>,
    /// Counted from 1.
    pub line: Option<usize>,
    #[source]
    pub fault: Fault,
}

/// What is wrong with a session or with what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("unknown role: `{}`", printable(.0))]
    Role(String),
    #[error("not a conversation of a known format")]
    Format,
    #[error("not a session of ours: nothing was added")]
    Foreign,
    #[error("not a regular file")]
    Special,
    #[error("nothing is in the file")]
    Empty,
    #[error("nothing has this id: `{}`", printable(.wanted))]
    Leaf { wanted: String, known: Vec<String> },
    #[error("no conversation has this id or title: `{}`", printable(.wanted))]
    Conversation { wanted: String, known: Vec<String> },
    #[error("several conversations have this in their title: `{}`", printable(.wanted))]
    Ambiguous { wanted: String, known: Vec<String> },
    #[error("cannot be used in a file name: {what} `{}`: {why}", printable(.value))]
    Name { what: &'static str, value: String, why: &'static str },
    #[error("larger than {} MiB", .0 >> 20)]
    TooLarge(u64),
    #[error("cannot {what}: {cause}")]
    Io { what: &'static str, cause: io::Error },
    #[error(transparent)]
    Output(#[from] OutputError),
}

pub(super) type Result<T> = std::result::Result<T, SessionError>;

/// More would not be read by anybody.
const SHOWN: usize = 10;

impl SessionError {
    /// One thing to do about it.
    pub fn hint(&self) -> String {
        match &self.fault {
            Fault::Role(_) => "write one of `system`, `user`, `assistant`, `tool` there, or delete the message".into(),
            Fault::Foreign => {
                "choose another file; `contexture session import FILE -o NEW` makes a session of a conversation".into()
            }
            Fault::Special => "pipe it in: `-` is standard input".into(),
            Fault::Format => format!("known are: {}", super::KNOWN.join(", ")),
            Fault::Empty => "choose another file: some programs make theirs before anything is said".into(),
            Fault::Leaf { known, .. } => one_of("--leaf", known),
            Fault::Conversation { known, .. } | Fault::Ambiguous { known, .. } => one_of("--conversation", known),
            Fault::Name { .. } => "choose another channel or chat id".into(),
            Fault::TooLarge(_) => "split the file, or export fewer conversations".into(),
            Fault::Io { cause, .. } => match cause.kind() {
                io::ErrorKind::NotFound => "check the path with `ls`".into(),
                io::ErrorKind::Unsupported => {
                    "this file system cannot lock files: keep the sessions on another one".into()
                }
                _ => "check that the file and its folder can be read and written".into(),
            },
            Fault::Output(error) => error.hint(),
        }
    }

    pub(super) fn at(mut self, path: &Path) -> Self {
        self.path.get_or_insert_with(|| path.into());
        self
    }
}

impl From<Fault> for SessionError {
    fn from(fault: Fault) -> Self {
        Self { path: None, line: None, fault }
    }
}

pub(crate) fn role(line: usize, word: &str) -> SessionError {
    // A role is a word; what is longer is cut so that a message stays a message.
    SessionError { path: None, line: Some(line), fault: Fault::Role(word.chars().take(64).collect()) }
}

pub(super) fn doing(what: &'static str, path: &Path, cause: io::Error) -> SessionError {
    SessionError { path: Some(path.into()), line: None, fault: Fault::Io { what, cause } }
}

fn one_of(flag: &str, known: &[String]) -> String {
    let shown: Vec<_> = known.iter().take(SHOWN).map(|name| format!("`{}`", printable(name))).collect();
    match (shown.len(), known.len()) {
        (0, _) => format!("leave `{flag}` out"),
        (some, all) if some < all => format!("`{flag}` can be {} and {} more", shown.join(", "), all - some),
        _ => format!("`{flag}` can be {}", shown.join(", ")),
    }
}

/// What stands before a message about a place in a file.
pub(crate) fn place(path: Option<&Path>, line: Option<usize>) -> String {
    let path = path.map(|path| format!("{}: ", printable(&path.to_string_lossy())));
    let line = line.map(|line| format!("line {line}: "));
    path.into_iter().chain(line).collect()
}
