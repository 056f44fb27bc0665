//! A document: what it shows, what it leaves out, and what it takes.

use super::record::{Show, answers};
use super::{NoteAnswer, SafetyAnswer, SinceAnswer, Versioned, rounded, versioned};
use crate::ops::{CompiledDocument, Preview};
use crate::requests::Word;
use contexture_core::{Compiled, Fit, FitMove, ItemKind, Level, Pick, Section, Tokenizer, WrittenSummary};
use contexture_gather::runs::{LeftRecord, RunPrefix};
use schemars::JsonSchema;
use serde::Serialize;

/// A compiled document, or a plan of one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DocumentAnswer {
    /// File it was written to
    pub path: Option<String>,
    pub tokens: TokenTotal,
    pub bytes: usize,
    pub items: Vec<ItemAnswer>,
    pub left_out: Vec<LeftRecord>,
    pub notes: Vec<NoteAnswer>,
    pub prefix: RunPrefix,
    pub safety: SafetyAnswer,
    /// How the budget was used
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fit: Option<FitAnswer>,
    /// Number of the run, of a numbered document
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Option<u64>>,
    /// The text itself, where it goes to standard output
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}

/// Tokens of a whole document or context.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenTotal {
    pub count: u64,
    /// Whether it was counted, not estimated
    pub exact: bool,
    #[schemars(extend("enum" = Tokenizer::WORDS))]
    pub tokenizer: &'static str,
    pub budget: Option<u64>,
    /// Who set the budget
    pub budget_from: Option<String>,
}

answers! {
    /// One item that is shown.
    pub struct ItemAnswer of Pick {
        path: String,
        #[schemars(extend("enum" = ItemKind::WORDS))]
        kind: &'static str = |pick| pick.kind.as_str(),
        view: Word<Level> = |pick| pick.level.into(),
        tokens: u64,
        /// SHA-256 of its content
        hash: Option<String>,
        reason: String = |pick| pick.reason(),
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// The model's summary that is shown
        #[serde(skip_serializing_if = "Option::is_none")]
        written: Option<WrittenBy> = |pick| pick.written.as_deref().map(WrittenBy::from),
    }

    /// Who wrote a summary.
    pub struct WrittenBy of WrittenSummary {
        by: String,
        hash: String,
    }

    /// How a budget was used.
    pub struct FitAnswer of Fit {
        /// Gain as a share of the upper bound
        share_of_bound: f64 = |fit| rounded(fit.share()),
        /// Dropped first with less budget
        first_to_go: Vec<StepAnswer> = |fit| fit.last.show(),
        /// Added first with more budget
        first_to_come: Vec<StepAnswer> = |fit| fit.next.show(),
    }

    /// One step from a view to a larger one.
    pub struct StepAnswer of FitMove {
        path: String,
        symbol: Option<String>,
        shows: String = |step| step.what.to_owned(),
        tokens: u64,
        worth: f64 = |step| rounded(step.worth),
    }
}

impl DocumentAnswer {
    /// The answer for a document; `path` is the file that was written.
    pub fn new(made: &CompiledDocument, path: Option<&str>) -> Self {
        let tokens = TokenTotal {
            count: made.compiled.measured.0,
            exact: made.exact,
            tokenizer: made.tokenizer,
            budget: made.budget.map(|budget| budget.0),
            budget_from: made.budget_from.as_ref().map(ToString::to_string),
        };
        let fit = made.compiled.fit.as_ref().map(FitAnswer::from);
        Self { fit, ..Self::compiled(&made.compiled, path, tokens) }
    }

    /// What everything that was compiled has.
    pub(crate) fn compiled(compiled: &Compiled, path: Option<&str>, tokens: TokenTotal) -> Self {
        Self {
            path: path.map(str::to_owned),
            tokens,
            bytes: compiled.output.bytes(),
            items: compiled.plan.picks.show(),
            left_out: compiled.plan.left_out.iter().map(LeftRecord::from).collect(),
            notes: compiled.notes.show(),
            prefix: prefix(compiled),
            safety: SafetyAnswer::from(&compiled.safety),
            fit: None,
            run: None,
            document: None,
        }
    }
}

fn prefix(compiled: &Compiled) -> RunPrefix {
    RunPrefix { bytes: compiled.output.prefix_bytes() as u64, tokens: compiled.prefix.0 }
}

/// A document with its text and its parts, compared with the last run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreviewAnswer {
    pub sections: Vec<SectionAnswer>,
    pub prefix: RunPrefix,
    /// What differs from the last run
    pub last: Option<SinceAnswer>,
    pub document: Versioned<DocumentAnswer>,
    pub text: String,
}

/// A part of a document, as a range of its bytes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionAnswer {
    pub title: String,
    pub level: u8,
    pub start: usize,
    pub end: usize,
    /// The item that it shows
    pub item: Option<SectionItem>,
}

answers! {
    /// The item of a section.
    pub struct SectionItem of Pick {
        path: String,
        #[schemars(extend("enum" = ItemKind::WORDS))]
        kind: &'static str = |pick| pick.kind.as_str(),
        view: Word<Level> = |pick| pick.level.into(),
    }
}

impl From<&Preview> for PreviewAnswer {
    fn from(preview: &Preview) -> Self {
        let compiled = &preview.document.compiled;
        let section = |section: &Section| {
            let pick = section.pick.and_then(|pick| compiled.plan.picks.get(pick));
            SectionAnswer {
                title: section.title.to_string(),
                level: if pick.is_some() { 2 } else { 1 },
                start: section.bytes.start,
                end: section.bytes.end,
                item: pick.map(SectionItem::from),
            }
        };
        Self {
            sections: compiled.sections().iter().map(section).collect(),
            prefix: prefix(compiled),
            last: preview.last.as_ref().map(SinceAnswer::from),
            document: versioned(DocumentAnswer::new(&preview.document, None)),
            text: compiled.output.text().to_string(),
        }
    }
}
