//! Why there is no document.

use crate::fit::OverBudget;
use crate::providers::check::Refused;
use crate::safety::Denied;
use std::fmt;

/// Why there is no document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// What must be shown is larger than the budget.
    OverBudget(OverBudget),
    /// A provider would not take the request.
    Refused(Refused),
    /// A policy keeps what was found from leaving.
    Denied(Denied),
}

impl CompileError {
    /// What was over the budget, when that is why there is no document.
    pub fn over_budget(self) -> Option<OverBudget> {
        match self {
            Self::OverBudget(over) => Some(over),
            Self::Refused(_) | Self::Denied(_) => None,
        }
    }
}

impl From<Denied> for CompileError {
    fn from(denied: Denied) -> Self {
        Self::Denied(denied)
    }
}

impl From<OverBudget> for CompileError {
    fn from(over: OverBudget) -> Self {
        Self::OverBudget(over)
    }
}

impl From<Refused> for CompileError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OverBudget(over) => over.fmt(f),
            Self::Refused(refused) => refused.fmt(f),
            Self::Denied(denied) => denied.fmt(f),
        }
    }
}

impl std::error::Error for CompileError {}
