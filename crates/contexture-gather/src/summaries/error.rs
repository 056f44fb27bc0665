//! What can go wrong with the store as a whole: the cause, and one thing to do.

use crate::database::{SqliteFault, StoreError};
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

impl From<rusqlite::Error> for SummaryError {
    fn from(error: rusqlite::Error) -> Self {
        let cause = error.to_string();
        match SqliteFault::of(&error) {
            SqliteFault::Busy => Self::Busy,
            SqliteFault::Damaged | SqliteFault::Unknown => Self::Damaged(cause),
            SqliteFault::ReadOnly | SqliteFault::CannotOpen => {
                let cause = io::Error::new(io::ErrorKind::PermissionDenied, cause);
                Self::Io { what: "use the store of summaries", cause }
            }
            SqliteFault::Other => Self::Store(cause),
        }
    }
}

impl StoreError for SummaryError {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Busy)
    }
}
