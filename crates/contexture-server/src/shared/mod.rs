//! One store for a team: summaries and trees on a PostgreSQL server that an address names.
//!
//! Takes an address of the user's own settings, never one that came with a project; gives stores for the rules of
//! `contexture_gather`, which do not know what database is below. Many processes may use and prepare it at once. A password
//! never leaves the address: no error, log or name shows one.

mod address;
mod migrate;
mod summaries;
mod trees;
mod wire;

pub use address::{Address, AddressError};
pub use summaries::open as open_summaries;
pub use trees::open as open_trees;
