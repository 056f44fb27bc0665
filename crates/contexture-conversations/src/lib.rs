//! Conversations on disk: [`sessions`] that go straight on, and trees that branch ([`loom`]), with files of other programs.
//!
//! Takes files and databases; gives messages, records and snapshots. Nothing here chooses what is shown or calls a model.

pub mod loom;
pub mod sessions;
mod thoughts;
