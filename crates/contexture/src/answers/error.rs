//! Why an operation gave no answer.

use super::SafetyAnswer;
use crate::ops::{ErrorKind, OpError};
use contexture_core::safety::{Report, Safety, TextKind};
use schemars::JsonSchema;
use serde::Serialize;

/// Why there is no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorAnswer {
    pub error: ErrorCause,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorCause {
    /// Exit code of the command line
    pub code: u8,
    /// Kind of the cause
    // An open list: a door has kinds of its own beside those of `ErrorKind`.
    pub kind: String,
    pub message: String,
    /// Things to do about it
    pub hints: Vec<String>,
    /// What a policy found
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<SafetyAnswer>,
}

impl ErrorAnswer {
    /// Causes and hints quote names, and a name close to the one that was asked for may hold a secret: it is masked.
    pub fn new(kind: ErrorKind, message: &str, hints: &[String]) -> Self {
        Self::of_door(kind, kind.as_str(), &masked(message), hints.iter().map(|hint| masked(hint)).collect())
    }

    /// A cause that only a door knows, such as a missing token.
    pub fn of_door(code: ErrorKind, kind: &str, message: &str, hints: Vec<String>) -> Self {
        let (kind, message) = (kind.to_owned(), message.to_owned());
        Self { error: ErrorCause { code: code as u8, kind, message, hints, safety: None } }
    }
}

impl From<&OpError> for ErrorAnswer {
    fn from(error: &OpError) -> Self {
        let mut answer = Self::new(error.kind(), &error.to_string(), &error.hints());
        if let OpError::Denied(report) = error {
            answer.error.safety = Some(SafetyAnswer::from(&**report));
        }
        answer
    }
}

/// A text of an error without secrets.
pub fn masked(text: &str) -> String {
    let safety = Safety::default();
    safety.text("", text, TextKind::Data, &mut Report::new(&safety)).unwrap_or_else(|| text.to_owned())
}
