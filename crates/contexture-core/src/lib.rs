//! The pure rooms of Contexture: `shape`, `fit`, `render`, and the one [`compile`] that walks through them.
//!
//! Takes a [`Snapshot`] that gather filled, options and a counter; gives a [`Compiled`] document with its plan.
//! No disk, no environment, no clock, no network: `clippy.toml` beside this crate bans them.
//!
//! Whoever has texts of their own makes [`Item`]s of them; `contexture-gather` makes them of a project's files. A document within 60
//! tokens, with a reason for everything that is in it and everything that is not:
//!
//! ```
//! use contexture_core::safety::{Safety, Unknown, screen};
//! use contexture_core::*;
//!
//! let items = vec![
//!     Item::file("notes.md", "# Notes\n\nThe parser drops the last line of a file without a line end.\n"),
//!     Item::file("src/parse.rs", "/// Lines of a text.\npub fn lines(text: &str) -> Vec<&str> {\n    text.split_inclusive('\\n').collect()\n}\n"),
//! ];
//! // What looks like a secret is masked before anything is made of it.
//! let snapshot = screen(Snapshot { items, ..Snapshot::default() }, &Safety::default(), &Unknown);
//! let options = Options { budget: Some(Tokens(60)), query: Some("lines of a text".into()), ..Options::default() };
//! let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
//! let compiled = compile(&snapshot, &options, &tools).unwrap();
//!
//! assert!(compiled.measured <= Tokens(60));
//! assert!(compiled.output.text().contains("pub fn lines"));
//! for pick in &compiled.plan.picks {
//!     println!("{} as {}: {}", pick.path, pick.level, pick.reason());
//! }
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Snapshot`], [`Item`], [`Wish`] | everything a run knows of the outside; what a person set by hand |
//! | [`safety`] | the gate before [`compile`]: secrets and hidden characters |
//! | [`Options`] | strategy, budget, query, format |
//! | [`Tools`], [`Meter`], [`CodeReader`] | lent for a run: a counter with its memory, and what finds out what code defines |
//! | [`Compiled`] | the output, its plan, what was measured, what there is to say |
//! | [`check`], [`reuse`] | whether a provider would take a request, and what its cache finds again |
//! | [`anchor`] | lines that are found again in later texts |
//!
//! Programs that run as they stand, in `examples/`: `document` (a budget, a query, and why), `agent` (the body of an agent's next
//! request), `tokens` (counts, estimates, windows, prices), `slices` (marked lines found again), `secrets` (found, masked, denied).

pub mod anchor;
mod compile;
mod count;
mod fit;
pub mod kind;
pub mod providers;
pub mod rank;
pub mod render;
pub mod safety;
pub mod shape;
mod types;

pub use compile::{CompileError, Compiled, compile, compile_one, request_body, search, unmatched_note};
pub use count::{Counter, Family, Forgetful, Memo, Meter, Tokenizer, estimate};
pub use fit::{OverBudget, Route, may_summarize, route};
pub use providers::{catalog as models, check, reuse};
pub use shape::{CodeReader, InProcess, Tools};
pub use types::*;

/// What stands in the README is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
