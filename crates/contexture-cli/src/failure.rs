//! How a run ends badly: one kind for each exit code, the causes, and one thing to do.

use crate::ui::Ui;
use contexture::answers::{ErrorAnswer, SafetyAnswer, Versioned, versioned};
pub use contexture::ops::ErrorKind;
use contexture::ops::OpError;
use contexture_gather::config::ConfigError;
use std::io;
use std::process::ExitCode;

#[derive(Debug)]
pub struct Failure {
    pub kind: ErrorKind,
    pub message: String,
    pub hints: Vec<String>,
    /// The reader of our output went away: nothing to complain about.
    quiet: bool,
    /// Standard output has all of it.
    is_told: bool,
    /// What a policy found, for JSON.
    safety: Option<Box<SafetyAnswer>>,
}

impl Failure {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
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

    pub fn answer(&self) -> Versioned<ErrorAnswer> {
        let mut answer = ErrorAnswer::new(self.kind, &self.message, &self.hints);
        answer.error.safety = self.safety.as_deref().cloned();
        versioned(answer)
    }

    pub fn report(&self, ui: &Ui) -> ExitCode {
        if self.quiet {
            return ExitCode::SUCCESS;
        }
        if ui.json && !self.is_told {
            // The exit code says it too, so a failure to say more is let go.
            let _ = ui.print_json(&self.answer());
        }
        ui.error(&self.message, &self.hints);
        ExitCode::from(self.kind as u8)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let quiet = error.kind() == io::ErrorKind::BrokenPipe;
        Self { quiet, ..Self::new(ErrorKind::Failed, error.to_string()) }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        OpError::from(error).into()
    }
}

impl From<OpError> for Failure {
    fn from(error: OpError) -> Self {
        let kind = error.kind();
        let safety = match &error {
            OpError::Denied(report) => Some(Box::new(SafetyAnswer::from(&**report))),
            _ => None,
        };
        Self { hints: error.hints(), safety, ..Self::new(kind, error.to_string()) }
    }
}
