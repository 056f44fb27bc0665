//! What can go wrong with an output: the cause, the place, and one thing to do.

use std::io;
use std::path::{Path, PathBuf};

use contexture_core::render::printable;

/// Why an output could not be written or cleared away.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error("namespace cannot be used in a file name: {}: {why}", quoted(namespace))]
    Namespace { namespace: String, why: &'static str },
    #[error("extension is not known: {}", quoted(.0))]
    Extension(String),
    #[error("no number is left above the highest one: {}", place(path))]
    Exhausted { path: PathBuf },
    #[error("disk is full: {}: {needed} bytes needed: {cause}", place(path))]
    Full { path: PathBuf, needed: u64, cause: io::Error },
    #[error("folder does not exist: {}", place(.0))]
    NoFolder(PathBuf),
    #[error("a folder is in the way: {}", place(.0))]
    IsFolder(PathBuf),
    #[error("not a regular file: {}", place(.0))]
    NotRegular(PathBuf),
    #[error("cannot {what}: {}: {cause}", place(path))]
    Io { what: &'static str, path: PathBuf, cause: io::Error },
}

impl OutputError {
    /// One thing to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Namespace { .. } => {
                "set another name: `contexture config set output.namespace NAME` (1 to 64 characters)".into()
            }
            Self::Extension(_) => format!("use one of: {}", super::EXTENSIONS.join(", ")),
            Self::Exhausted { .. } => {
                "a file or the sequence file beside it carries the largest number: rename or delete it".into()
            }
            Self::NoFolder(path) => format!("make it first: `mkdir -p {}`", printable(&path.to_string_lossy())),
            Self::IsFolder(_) => "name a file inside it: `-o FOLDER/FILE`".into(),
            Self::NotRegular(_) => "move it away and run the command again".into(),
            Self::Full { cause, .. } | Self::Io { cause, .. } if is_full(cause) => {
                "free some space with `contexture prune`, or write elsewhere with `-o FILE`".into()
            }
            Self::Io { cause, .. } if cause.kind() == io::ErrorKind::Unsupported => {
                "this file system cannot lock files: write elsewhere with `-o FILE`".into()
            }
            Self::Full { .. } | Self::Io { .. } => {
                "check that the folder can be written, or write elsewhere with `-o FILE` or `-o -`".into()
            }
        }
    }
}

/// Names the step and the place of an error of the system. Use [`full_or`] where the size of the content is known.
pub(super) fn doing(what: &'static str, path: &Path, cause: io::Error) -> OutputError {
    OutputError::Io { what, path: path.into(), cause }
}

pub(super) fn full_or(what: &'static str, path: &Path, needed: u64, cause: io::Error) -> OutputError {
    if is_full(&cause) { OutputError::Full { path: path.into(), needed, cause } } else { doing(what, path, cause) }
}

/// No room on the disk, in the quota, or below the limit on file sizes.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

fn place(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

fn quoted(text: &str) -> String {
    format!("`{}`", printable(text))
}
