//! How a run ends badly: one kind for each exit code, the causes, and one thing to do.

use crate::ui::Ui;
use contexture_gather::config::ConfigError;
use contexture_server::ops::OpError;
use contexture_server::wire;
use serde_json::{Value, json};
use std::io;
use std::process::ExitCode;

/// The exit codes of the program (X4).
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

#[derive(Debug)]
pub struct Failure {
    pub kind: Kind,
    pub message: String,
    pub hints: Vec<String>,
    /// The reader of our output went away: nothing to complain about.
    quiet: bool,
    /// Standard output has all of it.
    is_told: bool,
    /// What a policy found, for JSON.
    safety: Option<Box<Value>>,
}

impl Failure {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new(), quiet: false, is_told: false, safety: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// In JSON, what was found stands there already.
    pub fn said_already(mut self, ui: &Ui) -> Self {
        self.is_told = ui.json;
        self
    }

    pub fn to_json(&self) -> Value {
        let mut error = json!({"code": self.kind as u8, "message": self.message, "hints": self.hints});
        if let (Some(safety), Some(object)) = (&self.safety, error.as_object_mut()) {
            object.insert("safety".into(), (**safety).clone());
        }
        json!({"v": 1, "error": error})
    }

    pub fn report(&self, ui: &Ui) -> ExitCode {
        if self.quiet {
            return ExitCode::SUCCESS;
        }
        if ui.json && !self.is_told {
            // The exit code says it too, so a failure to say more is let go.
            let _ = ui.print_json(&self.to_json());
        }
        ui.error(&self.message, &self.hints);
        ExitCode::from(self.kind as u8)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let quiet = error.kind() == io::ErrorKind::BrokenPipe;
        Self { kind: Kind::Failed, message: error.to_string(), hints: Vec::new(), quiet, is_told: false, safety: None }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        OpError::from(error).into()
    }
}

impl From<OpError> for Failure {
    fn from(error: OpError) -> Self {
        let kind = match &error {
            OpError::Usage { .. } => Kind::Usage,
            OpError::OverBudget(_) | OpError::OverLimit(_) => Kind::OverBudget,
            OpError::Unreadable { .. } => Kind::Unreadable,
            OpError::Denied(_) => Kind::Blocked,
            OpError::Conflict { .. } => Kind::Conflict,
            OpError::Provider { .. } => Kind::Provider,
            OpError::Verification { .. } => Kind::Verification,
            OpError::Interrupted => Kind::Interrupted,
            OpError::Failed { .. } => Kind::Failed,
        };
        let safety = match &error {
            OpError::Denied(report) => Some(Box::new(wire::safety(report))),
            _ => None,
        };
        Self { kind, message: error.to_string(), hints: error.hints(), quiet: false, is_told: false, safety }
    }
}
