//! One store for a team: summaries and trees on a PostgreSQL server that an address names.
//!
//! Takes an address of the user's own settings, never one that came with a project; gives stores for the rules of
//! `contexture_conversations` and `contexture_gather`, which do not know what database is below. Many processes may use and prepare it at once. A password
//! never leaves the address: no error, log or name shows one.

mod address;
mod migrate;
mod summaries;
mod trees;
mod wire;

pub use address::{Address, AddressError};
pub use summaries::open as open_summaries;
pub use trees::open as open_trees;

use contexture::shared::SharedStores;
use contexture_conversations::loom::{Fault, Loom, LoomError};
use contexture_gather::summaries::{Result, Summaries, SummaryError};

/// Stores on PostgreSQL.
pub struct Postgres;

impl SharedStores for Postgres {
    fn name(&self, url: &str) -> std::result::Result<String, String> {
        Address::parse(url).map(|address| address.to_string()).map_err(|error| error.to_string())
    }

    fn trees(&self, url: &str, now: i64) -> std::result::Result<Loom, LoomError> {
        let address = Address::parse(url).map_err(|error| Fault::Store(error.to_string()))?;
        open_trees(&address, now)
    }

    fn summaries(&self, url: &str) -> Result<Summaries> {
        open_summaries(&Address::parse(url).map_err(|error| SummaryError::Store(error.to_string()))?)
    }
}
