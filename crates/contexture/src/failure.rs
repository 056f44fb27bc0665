//! How a run ends badly: one kind for each exit code, the causes, and one thing to do.

use crate::ui::Ui;
use contexture_gather::config::ConfigError;
pub use contexture_server::ops::Kind;
use contexture_server::ops::OpError;
use contexture_server::wire;
use serde_json::Value;
use std::io;
use std::process::ExitCode;

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
        let mut told = wire::failure(self.kind, &self.message, &self.hints);
        if let Some(safety) = &self.safety {
            told["error"]["safety"] = (**safety).clone();
        }
        told
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
        let kind = error.kind();
        let safety = match &error {
            OpError::Denied(report) => Some(Box::new(wire::safety(report))),
            _ => None,
        };
        Self { kind, message: error.to_string(), hints: error.hints(), quiet: false, is_told: false, safety }
    }
}
