//! All disk contact of a run: configuration, walk, read, git, cache, outputs. May look, may not judge.
//!
//! Takes folders and what is asked for; gives a [`contexture_core::Snapshot`], after which nothing is read any more. Whatever is wrong
//! with a file is said in the snapshot; only wrong settings, patterns and revisions are errors.
//!
//! ```
//! use contexture_gather::{Ask, Env, Progress, Roots, config, snapshot};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # std::fs::write(folder.path().join("a.rs"), "fn a() {}\n").unwrap();
//! # let folder = folder.path();
//! let roots = Roots::open(&[folder.to_owned()]).unwrap();
//! let config = config::load(roots.project(), &Env::default(), &[], None).unwrap();
//! let snapshot = snapshot(&roots, &config, &Ask::default(), &Progress::default()).unwrap();
//! assert_eq!(snapshot.items[0].path, "a.rs");
//! ```
//!
//! Programs that run as they stand, in `examples/`: `skeletons` (a folder as a document), `request` (what a question needs of a folder,
//! as the body of a request), `session` (a conversation of another program), `loom` (a tree, and one path of it as a request).
//!
//! Other rooms of this crate stand by themselves: [`git`] reads objects without running
//! anything, [`sessions`] reads conversations of other programs, [`loom`] keeps trees of them, [`outputs`] writes files that are whole or
//! not there, [`watch`] tells what changes.

pub mod cache;
mod changes;
mod clean;
mod code;
pub mod config;
mod decode;
mod entries;
mod env;
mod focus;
pub mod git;
mod history;
pub mod ignored;
pub mod layers;
mod literals;
pub mod loom;
pub mod names;
pub mod outputs;
mod progress;
mod project;
mod read;
mod renamed;
mod roots;
pub mod runs;
mod screenshots;
mod select;
pub mod sessions;
mod sieve;
pub mod summaries;
mod thoughts;
mod walk;
pub mod watch;
pub mod workers;

pub use clean::CleanTexts;
pub use code::Code;
pub use entries::entries_from_text;
pub use env::Env;
pub use history::{History, history};
pub use literals::literals;
pub use progress::{Abandon, Progress};
pub use project::{Ask, GatherError, followable, listing, snapshot};
pub use read::FILE_CAP;
pub use roots::{Place, Root, Roots};
pub use screenshots::picture;
pub use select::is_glob;
pub use sieve::BadPattern;

/// What stands in the README is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
