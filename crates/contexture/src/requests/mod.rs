//! What each operation can be asked, declared once.
//!
//! A request is a plain struct. Its fields are the flags of the command line, the fields of a JSON body and of a manifest, and the
//! properties of the schemas in `/openapi.json` and in the list of MCP tools; its doc comments are the help and the descriptions; its
//! defaults are the defaults. Doors read a request with [`read`] and hand it to [`crate::ops`]; nothing here does any work.

/// Help of options that several requests have.
macro_rules! help {
    (tokenizer) => {
        "Count tokens with this tokenizer; `claude` and `gemini` are estimates"
    };
    (secrets) => {
        "What to do with detected secrets [default: safety.secrets, else redact]"
    };
    (no_manifest) => {
        "Do not record this run"
    };
}

mod agent;
mod check;
mod document;
#[cfg(test)]
mod figures;
mod files;
mod kept;
mod loom;
mod models;
mod settings;
#[cfg(feature = "cli")]
mod subset;
mod tokens;
mod word;
mod workbench;

pub use agent::{
    AgentFormat, AgentRequest, ConversationChoice, JsonObjects, SessionAppendRequest, SessionImportRequest,
};
pub use check::{read, schema};
#[cfg(feature = "cli")]
pub use document::verbs;
pub use document::{CompositionEntry, DocumentRequest};
pub use files::{DocumentBody, RelatedRequest, SearchRequest, ShowRequest, SymbolsRequest, ViewsRequest, WhyRequest};
pub use kept::{
    CacheClearRequest, CacheVerifyRequest, ReplayRequest, RunName, RunRequest, RunTextRequest, RunsDiffRequest,
    RunsListRequest,
};
pub use loom::*;
pub use models::{CheckRequest, DAY, SendRequest, SummarizeRequest, Via};
pub use settings::{
    AllowRequest, AnyScope, ConfigSetRequest, EmptyRequest, ImportProjectRequest, NameRequest, PresetDiffRequest,
    PresetRemoveRequest, PresetSaveRequest, PruneRequest, SettingRequest, SetupRequest,
};
#[cfg(feature = "cli")]
pub use subset::{Fields, Only};
pub use tokens::TokenCount;
pub use word::Word;
pub use workbench::{
    ComposeRefreshRequest, ComposeSetRequest, NoView, RowChange, RowView, SliceRequest, SlicesRefreshRequest,
    SlicesRequest, StoredSlice, WorkbenchRequest,
};

/// A schema that was declared as JSON, with what else the file of settings needs of it.
fn declared(schema: serde_json::Value) -> schemars::Schema {
    schemars::Schema::try_from(schema).unwrap_or_default()
}
