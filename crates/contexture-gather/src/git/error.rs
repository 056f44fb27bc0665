//! Why git could not answer. None of it stops a run: the caller notes it and goes on without.

/// Why git gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    #[error("`git` was not found")]
    NoGit,
    #[error("not in a git repository")]
    NoRepository,
    #[error("the git repository is not read: {0}")]
    Refused(&'static str),
    #[error("the repository has no commits")]
    NoCommits,
    #[error("not a revision: `{}`", .0.escape_debug())]
    BadRevision(String),
    #[error("unknown revision: `{}`", .0.escape_debug())]
    UnknownRevision(String),
    #[error("`git {command}` failed: {detail}")]
    Failed { command: &'static str, detail: String },
    #[error("`git {command}` did not end within {seconds} seconds")]
    Slow { command: &'static str, seconds: u64 },
    #[error("`git {0}` said too much")]
    TooMuch(&'static str),
}

impl GitError {
    /// One thing to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoGit => Some("install git, or put its folder on `PATH`"),
            Self::NoRepository => Some("run `git init`, or leave out `--diff` and `--log`"),
            Self::NoCommits => Some("run `git commit` first: there is nothing to compare with"),
            Self::BadRevision(_) | Self::UnknownRevision(_) => {
                Some("run `git log --oneline --all` to see the revisions")
            }
            Self::Refused(_) => Some("run `git clone` of it into a folder of its own"),
            Self::Failed { .. } | Self::Slow { .. } | Self::TooMuch(_) => Some("run `git fsck` in that folder"),
        }
    }
}
