//! Ranks files and symbols for a task. May judge what is relevant, not what is shown: that is for `fit`.
//!
//! Takes the [`Query`], and for each file its path and its [`Digest`]; gives a [`Ranking`]: how probable it is that the task
//! needs a file or a symbol, and what made it so. Without a task, [`importance`] tells what whoever comes to the project
//! should see first. Sees words and names only, never text.

mod bag;
mod calls;
mod digest;
mod frames;
mod graph;
mod importance;
mod imports;
mod learned;
mod lines;
mod memory;
mod named;
mod pairs;
mod parts;
mod passages;
mod past;
mod paths;
mod query;
mod refers;
mod roles;
mod score;
mod search;
mod terms;
mod uses;

pub use calls::{Caller, Callers, calls};
pub use digest::{Counted, Digest, Symbol, VERSION};
pub use importance::importance;
pub use learned::{Candidate, ROW, TRAITS};
pub use lines::LineWeights;
pub use memory::{RankedMemory, memories, texts};
pub use parts::{FILE_PARTS, PLAIN, SYMBOL_PARTS, file_reasons, symbol_reasons};
pub use passages::{Passage, passages};
pub use query::Query;
pub use refers::{Referred, refers};
pub use score::{Basis, FileScore, Ranking, SymbolScore, glance, linear, rank};

/// What a ranking knows of a file.
#[derive(Clone, Copy, Debug)]
pub struct RankEntry<'a> {
    pub path: &'a str,
    /// `None` for what has no words: binary, generated, not read.
    pub digest: Option<&'a Digest>,
    /// The text the digest is of; without it the first hits are not looked at again.
    pub text: Option<&'a str>,
}
