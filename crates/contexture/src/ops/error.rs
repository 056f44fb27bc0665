//! Why an operation gave nothing. The door turns the kind into an exit code or a status.
//!
//! All errors of the crates below become an [`OpError`] here.

use super::safety;
use contexture_conversations::loom::{LoomError, LoomErrorKind};
use contexture_conversations::sessions::{Fault, SessionError};
use contexture_core::check::Refused;
use contexture_core::safety::{Denied, Report};
use contexture_core::{CompileError, Note, OverBudget, keywords};
use contexture_gather::GatherError;
use contexture_gather::config::ConfigError;
use contexture_gather::outputs::OutputError;
use contexture_gather::runs::RunsError;
use contexture_gather::summaries::SummaryError;
use contexture_providers::ProviderError;
use std::io;
use std::path::Path;

/// The kinds of failure, with the exit codes of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    Failed = 1,
    Usage = 2,
    OverBudget = 3,
    /// By a policy: secrets, hidden characters.
    Blocked = 4,
    Unreadable = 5,
    Conflict = 6,
    Provider = 7,
    Verification = 8,
    Interrupted = 130,
}

keywords!(ErrorKind {
    Failed = "failed",
    Usage = "usage",
    OverBudget = "over_budget",
    Blocked = "blocked",
    Unreadable = "unreadable",
    Conflict = "conflict",
    Provider = "provider",
    Verification = "verification",
    Interrupted = "interrupted",
});

/// Why an operation gave nothing: the cause, and hints on what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum OpError {
    /// A cause with hints; its kind decides the exit code.
    #[error("{message}")]
    Plain { kind: ErrorKind, message: String, hints: Vec<String> },
    #[error("{0}")]
    OverBudget(OverBudget),
    /// What must be in an agent's context is over its limit.
    #[error("what must be shown needs {} tokens, the limit is {}", .0.needed, .0.budget)]
    OverLimit(OverBudget),
    /// Something could not be read or shown, and the request was strict.
    #[error("{}", strict_message(.notes))]
    Unreadable { notes: Vec<Note> },
    /// A policy keeps secrets or hidden characters from being written or sent.
    #[error("{}", safety::denied(.0))]
    Denied(Box<Report>),
    /// The caller cancelled the operation.
    #[error("interrupted")]
    Interrupted,
}

impl OpError {
    /// The error of a conversation that does not fit: its limit has another flag than a document's budget.
    pub(super) fn over_limit(self) -> Self {
        match self {
            Self::OverBudget(over) => Self::OverLimit(over),
            other => other,
        }
    }

    /// An error of this kind, without hints.
    pub fn of(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::Plain { kind, message: message.into(), hints: Vec::new() }
    }

    /// A wrong argument or a wrong configuration.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::of(ErrorKind::Usage, message)
    }

    /// A failure that no other kind describes.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::of(ErrorKind::Failed, message)
    }

    /// Adds a hint. Errors that make their own hints keep those alone.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        self.with_hints([hint])
    }

    /// The same with any number of hints.
    pub(super) fn with_hints(mut self, more: impl IntoIterator<Item = impl Into<String>>) -> Self {
        if let Self::Plain { hints, .. } = &mut self {
            hints.extend(more.into_iter().map(Into::into));
        }
        self
    }

    /// What to do about it, the best first.
    pub fn hints(&self) -> Vec<String> {
        let largest = |over: &OverBudget| {
            let list: Vec<String> = over.largest.iter().map(|(path, tokens)| format!("`{path}` {tokens}")).collect();
            format!("the largest are {}", list.join(", "))
        };
        match self {
            Self::Plain { hints, .. } => hints.clone(),
            Self::OverBudget(over) => {
                let largest = (!over.largest.is_empty()).then(|| largest(over));
                largest.into_iter().chain([format!("`--budget {}` would do", over.needed)]).collect()
            }
            Self::OverLimit(over) => vec![largest(over), format!("`--max-tokens {}` would do", over.needed)],
            Self::Denied(report) => safety::denied_hints(report),
            Self::Interrupted => vec!["what was done stays done".into()],
            Self::Unreadable { .. } => {
                vec!["without `--strict` the document is written with these errors in place".into()]
            }
        }
    }

    /// The kind of failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Plain { kind, .. } => *kind,
            Self::OverBudget(_) | Self::OverLimit(_) => ErrorKind::OverBudget,
            Self::Denied(_) => ErrorKind::Blocked,
            Self::Unreadable { .. } => ErrorKind::Unreadable,
            Self::Interrupted => ErrorKind::Interrupted,
        }
    }

    /// An error of the file system, with its kind and the path as the user wrote it.
    pub fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::failed(format!("{what} `{}`: {}", path.display(), error.kind()))
    }
}

impl From<CompileError> for OpError {
    fn from(error: CompileError) -> Self {
        match error {
            CompileError::OverBudget(over) => Self::OverBudget(over),
            CompileError::Refused(refused) => refused.into(),
            CompileError::Denied(denied) => denied.into(),
        }
    }
}

impl From<Refused> for OpError {
    fn from(refused: Refused) -> Self {
        Self::of(ErrorKind::Verification, refused.to_string()).with_hints(refused.hint())
    }
}

impl From<Denied> for OpError {
    fn from(Denied(report): Denied) -> Self {
        Self::Denied(Box::new(report))
    }
}

impl From<ConfigError> for OpError {
    fn from(error: ConfigError) -> Self {
        Self::usage(error.to_string()).with_hints(error.hint)
    }
}

impl From<GatherError> for OpError {
    fn from(error: GatherError) -> Self {
        let hint = match &error {
            GatherError::Pattern(_) => "quote patterns in the shell, and escape `[`, `{` in names with a backslash",
            GatherError::Revision(error) => error.hint().unwrap_or("name a revision that git knows"),
            GatherError::BaseDir { .. } => "add the folder with `--root DIR`",
            GatherError::Stopped => return Self::Interrupted,
        };
        Self::usage(error.to_string()).hint(hint)
    }
}

impl From<OutputError> for OpError {
    fn from(error: OutputError) -> Self {
        let kind = match error {
            OutputError::Namespace { .. } => ErrorKind::Usage,
            _ => ErrorKind::Failed,
        };
        Self::of(kind, error.to_string()).hint(error.hint())
    }
}

impl From<ProviderError> for OpError {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Cancelled => Self::Interrupted,
            error => Self::of(ErrorKind::Provider, error.to_string()).hint(error.hint()),
        }
    }
}

impl From<SummaryError> for OpError {
    fn from(error: SummaryError) -> Self {
        let kind = match error {
            SummaryError::Damaged(_) => ErrorKind::Verification,
            SummaryError::Busy | SummaryError::Newer | SummaryError::Io { .. } | SummaryError::Store(_) => {
                ErrorKind::Failed
            }
        };
        Self::of(kind, error.to_string()).hint(error.hint())
    }
}

impl From<SessionError> for OpError {
    fn from(error: SessionError) -> Self {
        let kind = match error.fault {
            Fault::Foreign => ErrorKind::Conflict,
            _ => ErrorKind::Failed,
        };
        Self::of(kind, error.to_string()).hint(error.hint())
    }
}

impl From<LoomError> for OpError {
    fn from(error: LoomError) -> Self {
        let kind = match error.kind() {
            LoomErrorKind::Usage => ErrorKind::Usage,
            LoomErrorKind::Conflict => ErrorKind::Conflict,
            LoomErrorKind::Verification => ErrorKind::Verification,
            LoomErrorKind::Failed => ErrorKind::Failed,
        };
        Self::of(kind, error.to_string()).hint(error.hint())
    }
}

impl From<RunsError> for OpError {
    fn from(error: RunsError) -> Self {
        let (kind, hint) = match error {
            RunsError::NoRun(_) => (ErrorKind::Usage, "`contexture runs` lists what there is"),
            RunsError::Busy => (ErrorKind::Failed, "try again"),
            RunsError::Damaged(_) | RunsError::Foreign => {
                (ErrorKind::Failed, "move the file away; `contexture doctor` says where it is")
            }
            RunsError::Newer => (ErrorKind::Failed, "use that version"),
            RunsError::Io { .. } | RunsError::Store(_) => (ErrorKind::Failed, "see `contexture doctor`"),
        };
        Self::of(kind, error.to_string()).hint(hint)
    }
}

fn strict_message(notes: &[Note]) -> String {
    let first: Vec<String> = notes.iter().take(5).map(ToString::to_string).collect();
    let more = if notes.len() > 5 { format!(" and {} more", notes.len() - 5) } else { String::new() };
    format!("nothing was written: {}{more}", first.join("; "))
}
