//! Why runs cannot be written or read.

use super::FILE;
use crate::database::{SqliteFault, StoreError};
use std::io;

/// Why a run could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum RunsError {
    #[error("cannot {what}: {}", .cause.kind())]
    Io { what: &'static str, cause: io::Error },
    #[error("another process holds the file of runs for too long")]
    Busy,
    #[error("the file of runs is damaged: {0}")]
    Damaged(String),
    #[error("`{FILE}` is the file of another program")]
    Foreign,
    #[error("the file of runs was written by a newer version")]
    Newer,
    #[error("there is no run {0}")]
    NoRun(u64),
    #[error("the file of runs cannot be used: {0}")]
    Store(String),
}

pub(super) type Result<T> = std::result::Result<T, RunsError>;

pub(super) fn damage(cause: &str) -> RunsError {
    RunsError::Damaged(cause.to_owned())
}

impl From<rusqlite::Error> for RunsError {
    fn from(error: rusqlite::Error) -> Self {
        let denied = |what| Self::Io { what, cause: io::ErrorKind::PermissionDenied.into() };
        match SqliteFault::of(&error) {
            SqliteFault::Busy => Self::Busy,
            SqliteFault::Damaged => Self::Damaged(error.to_string()),
            SqliteFault::ReadOnly => denied("write to the file of runs"),
            SqliteFault::CannotOpen => denied("open the file of runs"),
            SqliteFault::Unknown | SqliteFault::Other => Self::Store(error.to_string()),
        }
    }
}

impl StoreError for RunsError {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Busy)
    }
}
