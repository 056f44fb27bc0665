//! Summaries that a model writes, event by event, and the plan of a dry run.

use super::record::{Show, answers};
use super::{NoteAnswer, UsageAnswer};
use crate::ops::summarize::{self, FailedSummary, PlannedRow, StopReason, Summarized, SummaryModel, SummaryPlan};
use crate::requests::Word;
use contexture_core::Api;
use contexture_gather::runs::LeftRecord;
use schemars::JsonSchema;
use serde::Serialize;

/// A line of `summarize`: what happens, then `end`; or the plan alone, which is not an event.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SummarizeEvent {
    /// Number of summaries to write
    Begin { total: usize },
    /// A summary is stored
    Done(SummaryRow),
    /// A file has no summary
    Failed(LeftRecord),
    /// No call is made for some seconds
    Waiting { seconds: f64, reason: String },
    /// The whole run
    End(Box<SummarizedAnswer>),
    /// What a dry run would do
    #[serde(untagged)]
    Plan(Box<SummarizePlanAnswer>),
}

answers! {
    /// A summary that is stored.
    pub struct SummaryRow of summarize::FinishedSummary {
        path: String,
        /// Tokens of the summary
        tokens: u64,
        usage: UsageAnswer,
        /// US dollars
        cost: Option<f64>,
        /// US dollars of the run up to here
        #[serde(skip_serializing_if = "Option::is_none")]
        cost_so_far: Option<f64> = |_| None,
    }

    /// Summaries that were written.
    pub struct SummarizedAnswer of Summarized {
        #[serde(flatten)]
        author: SummaryAuthor = |done| SummaryAuthor::new(&done.writer, done.tier),
        done: Vec<SummaryRow>,
        failed: Vec<LeftRecord>,
        /// Files for which no call was made
        left: Vec<String>,
        /// Number of files that had a summary
        fresh: usize,
        /// Files that are not summarized
        skipped: Vec<LeftRecord> = |done| done.unfit.show(),
        /// Why it stopped early
        stopped: Option<StopReason> = |done| done.stopped.clone(),
        usage: UsageAnswer,
        /// US dollars
        cost: Option<f64>,
        notes: Vec<NoteAnswer>,
    }

    /// Summaries that would be written.
    pub struct SummarizePlanAnswer of SummaryPlan {
        #[serde(flatten)]
        author: SummaryAuthor = |planned| SummaryAuthor::new(&planned.writer, planned.tier),
        /// Always true
        dry_run: bool = |_| true,
        files: Vec<PlannedRow> = |planned| planned.files.clone(),
        /// Number of files that have a summary
        fresh: usize,
        /// Files that are not summarized
        skipped: Vec<LeftRecord> = |planned| planned.unfit.show(),
        tokens: PlannedTokens = |planned| planned.files.as_slice().show(),
        /// US dollars
        cost: Option<f64>,
        notes: Vec<NoteAnswer>,
    }

    /// Tokens of all files to summarize.
    pub struct PlannedTokens of [PlannedRow] {
        input: u64 = |files| files.iter().map(|file| file.input_tokens).sum(),
        output: u64 = |files| files.iter().map(|file| file.output_tokens).sum(),
        /// Always false
        exact: bool = |_| false,
    }
}

/// The model that writes summaries, and for which tier.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SummaryAuthor {
    pub provider: Word<Api>,
    pub model: String,
    pub tier: u8,
}

impl SummaryAuthor {
    fn new(writer: &SummaryModel, tier: summarize::Tier) -> Self {
        Self { provider: writer.api.into(), model: writer.model.clone(), tier: tier.number() }
    }
}

impl Show<LeftRecord> for (String, String) {
    fn show(&self) -> LeftRecord {
        LeftRecord { path: self.0.clone(), reason: self.1.clone() }
    }
}

impl Show<LeftRecord> for FailedSummary {
    fn show(&self) -> LeftRecord {
        LeftRecord { path: self.path.clone(), reason: self.reason.clone() }
    }
}

impl From<&summarize::SummarizeStep<'_>> for SummarizeEvent {
    fn from(step: &summarize::SummarizeStep<'_>) -> Self {
        use summarize::SummarizeStep;
        match step {
            SummarizeStep::Begun { total } => Self::Begin { total: *total },
            SummarizeStep::Done { done, cost } => {
                Self::Done(SummaryRow { cost_so_far: done.cost.map(|_| *cost), ..done.show() })
            }
            SummarizeStep::Failed(failed) => Self::Failed(failed.show()),
            SummarizeStep::Waiting { delay, reason } => {
                Self::Waiting { seconds: delay.as_secs_f64(), reason: (*reason).to_owned() }
            }
        }
    }
}

impl From<&Summarized> for SummarizeEvent {
    fn from(summarized: &Summarized) -> Self {
        Self::End(Box::new(summarized.show()))
    }
}

impl From<&SummaryPlan> for SummarizeEvent {
    fn from(planned: &SummaryPlan) -> Self {
        Self::Plan(Box::new(planned.show()))
    }
}
