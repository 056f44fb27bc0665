//! All disk contact of a run: configuration, walk, read, git, cache, outputs. May look, may not judge.
//!
//! Takes folders and what is asked for; gives a [`contexture_core::Snapshot`], after which nothing is read any more. Whatever is wrong
//! with a file is said in the snapshot; only wrong settings, patterns and revisions are errors.
//!
//! ```
//! use contexture_gather::{GatherRequest, Env, Progress, Roots, config, snapshot};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # std::fs::write(folder.path().join("a.rs"), "fn a() {}\n").unwrap();
//! # let folder = folder.path();
//! let roots = Roots::open(&[folder.to_owned()]).unwrap();
//! let config = config::load(roots.project(), &Env::default(), &[], None).unwrap();
//! let snapshot = snapshot(&roots, &config, &GatherRequest::default(), &Progress::default()).unwrap();
//! assert_eq!(snapshot.items[0].path, "a.rs");
//! ```
//!
//! Complete programs are in `examples/`: `skeletons` (a folder as a document) and `request` (what a question needs of a folder, as the
//! body of a request).
//!
//! Some modules can be used alone: [`git`] reads objects without running anything, [`outputs`] writes files that are whole or not
//! there, [`watch`] reports what changes.

pub mod cache;
mod changes;
mod clean_texts;
mod code;
pub mod config;
pub mod database;
mod decode;
mod eligibility;
mod entries;
mod env;
mod focus;
pub mod git;
mod history;
pub mod ignored;
pub mod layers;
mod literal_paths;
pub mod names;
pub mod outputs;
pub mod private_files;
mod progress;
mod project;
mod read;
mod renamed_files;
mod request;
mod roots;
pub mod runs;
mod screenshots;
mod select;
pub mod summaries;
mod walk;
pub mod watch;
pub mod workers;

pub use clean_texts::CleanTexts;
pub use code::Code;
pub use eligibility::BadPattern;
pub use entries::entries_from_text;
pub use env::Env;
pub use history::{History, history};
pub use literal_paths::literal_paths;
pub use progress::{Abandon, Progress};
pub use project::{GatherError, followable, listing, snapshot};
pub(crate) use read::FILE_CAP;
pub use request::GatherRequest;
pub use roots::{Root, RootedPath, Roots};
pub use screenshots::picture;
pub use select::is_glob;

/// What stands in the README is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
