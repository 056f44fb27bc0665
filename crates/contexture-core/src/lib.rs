//! The pure rooms of Contexture: `shape`, `fit`, `render`, and the one [`compile`] that walks through them.
//!
//! Takes a [`Snapshot`] that gather filled, options and a counter; gives a [`Compiled`] document with its plan.
//! No disk, no environment, no clock, no network: `clippy.toml` beside this crate bans them.

pub mod anchor;
pub mod check;
mod compile;
mod count;
mod fit;
mod fitting;
mod model;
pub mod models;
mod options;
pub mod rank;
pub mod render;
pub mod reuse;
pub mod safety;
pub mod shape;

pub use compile::{CompileError, Tools, compile};
pub use count::{Counter, Family, Forgetful, Memo, Meter, Tokenizer, estimate};
pub use fit::{OverBudget, Route, may_summarize, route};
pub use model::*;
pub use options::{
    AgentOptions, Format, History, LoomOptions, Mode, Options, RETRIEVE, RequestOptions, Strategy, Tree,
};
pub use shape::{CodeReader, InProcess};
