//! What each operation answers, declared once.
//!
//! An answer is a plain struct: what `--json` prints, what HTTP and MCP return, and the schema of it in `/openapi.json`. It is
//! what an operation of [`crate::ops`] returns, or made from that; fields are only ever added. Every answer is [`Versioned`] on its way out.

mod record;

mod agent;
mod cache;
mod difference;
mod document;
mod error;
mod files;
mod loom;
mod models;
mod notes;
mod project;
mod runs;
mod settings;
mod slices;
mod summarize;
mod workbench;

pub use agent::{AgentAnswer, AppendedAnswer, LayerAnswer, LayerSource, MemoryEntry, MessageAnswer, SessionAnswer};
pub use cache::{CacheStatusAnswer, SummaryStatus, VerifiedAnswer};
pub use difference::{DifferenceAnswer, RunsDiffAnswer, SinceAnswer};
pub use document::{DocumentAnswer, FitAnswer, ItemAnswer, PreviewAnswer, SectionAnswer, StepAnswer, TokenTotal};
pub use error::{ErrorAnswer, masked};
pub use files::{
    ReasonAnswer, ScanAnswer, SearchAnswer, ShowAnswer, StatsAnswer, SymbolRow, TokensAnswer, ViewAnswer, ViewsAnswer,
    symbol_rows,
};
pub use loom::{
    AddedNodeAnswer, AssembledPathAnswer, ChangedNodesAnswer, GeneratedNodesAnswer, LoomAgentAnswer, LoomAgentsAnswer,
    NodeAnswer, NodeDetailsAnswer, OutlineAnswer, PathsAnswer, StashAnswer, StashDroppedAnswer, TreeAnswer,
    TreeFilesAnswer, TreeMemoryAnswer, TreesAnswer, TreesImportedAnswer, TreesVerifiedAnswer, WalkedPathAnswer,
};
pub use models::{CheckAnswer, OutgoingRequest, SendEvent, SendPlanAnswer, UsageAnswer, ViolationRow};
pub use notes::{HiddenRow, SafetyAnswer, SecretRow};
pub use project::{
    DoctorAnswer, FileWritten, ImportedProjectAnswer, ModelRow, NamedRow, PriceRow, ProjectAnswer, PruneAnswer,
    SetupAnswer,
};
pub use runs::{ReplayAnswer, RunAnswer, RunTextAnswer, RunsAnswer};
pub use settings::{
    PersonaAnswer, PersonasAnswer, PresetAnswer, PresetApplied, PresetDiffAnswer, PresetRemoved, PresetSaved,
    PresetsAnswer, SettingAnswer, SettingChanged, SettingsAnswer, SettingsSchema,
};
pub use slices::{ResolvedSlice, SliceAnswer, SlicesAnswer, SlicesRefreshedAnswer};
pub use summarize::SummarizeEvent;
pub use workbench::{
    AllColumns, ChangedColumns, ComposeAnswer, ComposeRefreshAnswer, ComposeRequestAnswer, FileColumns, FreshColumns,
    ShownColumns, Table, WorkbenchPrefix,
};
// What these operations return is their answer.
pub use crate::ops::runs::{CauseAnswer, CommonPrefix};
pub use crate::ops::workbench::{LastPrefix, PrefixBreak};
pub use crate::ops::{ClearedAnswer, NoteAnswer, RelatedAnswer};

use contexture_core::Message;
use contexture_core::render::talk::message_json;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// An answer with the version of its shape.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Versioned{A}")]
pub struct Versioned<A> {
    /// Version of the shape
    v: u8,
    #[serde(flatten)]
    answer: A,
}

/// The answer with its version.
pub fn versioned<A>(answer: A) -> Versioned<A> {
    Versioned { v: 1, answer }
}

/// An answer as a value.
pub fn to_value(answer: impl Serialize) -> Value {
    // Plain data: names are texts, and there is nothing that cannot be written.
    serde_json::to_value(answer).unwrap_or_default()
}

/// A message as `--format messages` has it.
fn message(message: &Message) -> Value {
    serde_json::from_str(&message_json(message)).unwrap_or_default()
}

/// Figures for people and panels: four digits are more than they mean.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
