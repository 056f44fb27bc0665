//! What every run left behind: a manifest of what was shown, why, and how it was asked for.
//!
//! Takes manifests and gives them back by number, in one SQLite file of the user's data folder. Holds no text of a project but
//! the exact bytes of requests that went to a provider, and those only as long as there is room. Must not decide what two
//! runs mean to each other: that is for the operations.

mod error;
mod head;
mod lists;
mod manifest;
mod store;

pub use error::RunsError;
pub use manifest::{
    BlockRecord, EffectiveOptions, ItemRecord, LeftRecord, Manifest, NoteRecord, RunKind, RunOutput, RunPrefix,
    RunTokens, SentRequest, Summary, Usage,
};
pub use store::{KeptBody, Limits, RunSelector, Runs};

/// The name of the file, in [`crate::Env::data_dir`].
pub const FILE: &str = "runs.sqlite";
