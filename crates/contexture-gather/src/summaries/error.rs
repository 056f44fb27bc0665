//! What can go wrong with the store as a whole: the cause, and one thing to do.

use std::io;

/// Why the store of summaries gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    #[error("the store of summaries is damaged: {0}")]
    Damaged(String),
    #[error("another program uses the store of summaries for too long")]
    Busy,
    #[error("the store of summaries was written by a newer version")]
    Newer,
    #[error("cannot {what}: {cause}")]
    Io { what: &'static str, cause: io::Error },
    /// A server that cannot be reached, a full disk, and whatever else a database says.
    #[error("the store of summaries failed: {0}")]
    Store(String),
}

impl SummaryError {
    /// One thing to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Damaged(_) => "`contexture cache verify --repair` sets it aside and saves what can be read",
            Self::Busy => "try again when it is done",
            Self::Newer => "use that version of contexture",
            Self::Io { .. } => "check that the folder can be read and written; `contexture doctor` names it",
            Self::Store(_) => "`contexture doctor` tells where the store is",
        }
    }
}
