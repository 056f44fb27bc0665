//! All disk contact of a run: configuration, walk, read, git, cache, outputs. May look, may not judge.

pub mod cache;
mod changes;
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
pub mod loom;
pub mod names;
pub mod outputs;
mod progress;
mod project;
mod read;
mod renamed;
mod roots;
mod screenshots;
mod select;
pub mod sessions;
mod sieve;
mod walk;
pub mod workers;

pub use code::Code;
pub use entries::entries_from_text;
pub use env::Env;
pub use history::{History, history};
pub use progress::Progress;
pub use project::{Ask, GatherError, snapshot};
pub use read::FILE_CAP;
pub use roots::{Place, Roots};
pub use select::is_glob;
pub use sieve::BadPattern;
