//! Why an operation gave nothing. The door turns the kind into an exit code or a status.

use super::safety;
use contexture_core::check::Refused;
use contexture_core::safety::Report;
use contexture_core::{CompileError, Note, OverBudget};
use contexture_gather::GatherError;
use contexture_gather::config::ConfigError;
use contexture_gather::outputs::OutputError;
use std::io;
use std::path::Path;

/// The kinds of failure, with the exit codes of the terminal (X4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
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

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::OverBudget => "over_budget",
            Self::Blocked => "blocked",
            Self::Unreadable => "unreadable",
            Self::Conflict => "conflict",
            Self::Provider => "provider",
            Self::Verification => "verification",
            Self::Interrupted => "interrupted",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OpError {
    /// Wrong words or a wrong configuration.
    #[error("{message}")]
    Usage { message: String, hints: Vec<String> },
    #[error("{0}")]
    OverBudget(OverBudget),
    /// What must be in an agent's context is over its limit.
    #[error("what must be shown needs {} tokens, the limit is {}", .0.needed, .0.budget)]
    OverLimit(OverBudget),
    /// Something could not be read or shown, and the request was strict.
    #[error("{}", strict_message(.notes))]
    Unreadable { notes: Vec<Note> },
    /// A policy keeps what was found from leaving.
    #[error("{}", safety::denied(.0))]
    Denied(Box<Report>),
    /// Something is there already.
    #[error("{message}")]
    Conflict { message: String, hints: Vec<String> },
    /// A provider gave no answer.
    #[error("{message}")]
    Provider { message: String, hints: Vec<String> },
    /// What is stored is not what it should be.
    #[error("{message}")]
    Verification { message: String, hints: Vec<String> },
    /// Somebody wished to stop.
    #[error("interrupted")]
    Interrupted,
    #[error("{message}")]
    Failed { message: String, hints: Vec<String> },
}

impl OpError {
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hints: Vec::new() }
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: message.into(), hints: Vec::new() }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        match &mut self {
            Self::Usage { hints, .. }
            | Self::Conflict { hints, .. }
            | Self::Provider { hints, .. }
            | Self::Verification { hints, .. }
            | Self::Failed { hints, .. } => hints.push(hint.into()),
            Self::OverBudget(_)
            | Self::OverLimit(_)
            | Self::Unreadable { .. }
            | Self::Denied(_)
            | Self::Interrupted => {}
        }
        self
    }

    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Usage { hints, .. }
            | Self::Conflict { hints, .. }
            | Self::Provider { hints, .. }
            | Self::Verification { hints, .. }
            | Self::Failed { hints, .. } => hints.clone(),
            Self::OverBudget(over) => {
                let list: Vec<String> =
                    over.largest.iter().map(|(path, tokens)| format!("`{path}` {tokens}")).collect();
                let largest = (!list.is_empty()).then(|| format!("the largest are {}", list.join(", ")));
                largest.into_iter().chain([format!("`--budget {}` would do", over.needed)]).collect()
            }
            Self::OverLimit(over) => Self::limit_hints(over),
            Self::Denied(report) => safety::denied_hints(report),
            Self::Interrupted => vec!["what was done stays done".into()],
            Self::Unreadable { .. } => {
                vec!["without `--strict` the document is written with these errors in place".into()]
            }
        }
    }

    pub fn kind(&self) -> Kind {
        match self {
            Self::Failed { .. } => Kind::Failed,
            Self::Usage { .. } => Kind::Usage,
            Self::OverBudget(_) | Self::OverLimit(_) => Kind::OverBudget,
            Self::Denied(_) => Kind::Blocked,
            Self::Unreadable { .. } => Kind::Unreadable,
            Self::Conflict { .. } => Kind::Conflict,
            Self::Provider { .. } => Kind::Provider,
            Self::Verification { .. } => Kind::Verification,
            Self::Interrupted => Kind::Interrupted,
        }
    }

    /// An error of the file system, told by its kind and the path as the person wrote it.
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
        let hints = refused.hint().into_iter().map(str::to_owned).collect();
        Self::Verification { message: refused.to_string(), hints }
    }
}

fn strict_message(notes: &[Note]) -> String {
    let first: Vec<String> = notes.iter().take(5).map(ToString::to_string).collect();
    let more = if notes.len() > 5 { format!(" and {} more", notes.len() - 5) } else { String::new() };
    format!("nothing was written: {}{more}", first.join("; "))
}

impl From<ConfigError> for OpError {
    fn from(error: ConfigError) -> Self {
        let hints = error.hint.clone().into_iter().collect();
        Self::Usage { message: error.to_string(), hints }
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
        let kind_of_setting = matches!(error, OutputError::Namespace { .. });
        let (message, hints) = (error.to_string(), vec![error.hint()]);
        if kind_of_setting { Self::Usage { message, hints } } else { Self::Failed { message, hints } }
    }
}
