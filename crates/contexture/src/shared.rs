//! Stores that several people share, named by a URL.
//!
//! The library itself opens SQLite files only. A program that also reaches database servers puts a [`SharedStores`] into its
//! [`Door`](crate::ops::Door); `contexture-server` has one for PostgreSQL.

use contexture_conversations::loom::{Loom, LoomError};
use contexture_gather::summaries::{self, Summaries};
use std::fmt;
use std::sync::Arc;

/// Opens stores on a database server.
pub trait SharedStores: Send + Sync {
    /// Checks the URL without connecting and returns it without its password. The error says what is wrong and shows nothing of the URL.
    fn name(&self, url: &str) -> Result<String, String>;
    /// Trees of conversations. `now` is in milliseconds since the epoch.
    fn trees(&self, url: &str, now: i64) -> Result<Loom, LoomError>;
    /// Summaries that models wrote.
    fn summaries(&self, url: &str) -> summaries::Result<Summaries>;
}

/// Whether a URL names a database server, not a file.
pub(crate) fn is_server(url: &str) -> bool {
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    matches!(scheme.to_ascii_lowercase().as_str(), "postgres" | "postgresql")
}

/// A URL that was checked, with what opens it. Shown without its password.
#[derive(Clone)]
pub(crate) struct SharedStore {
    stores: Arc<dyn SharedStores>,
    url: String,
    name: String,
}

impl SharedStore {
    pub fn new(stores: &Arc<dyn SharedStores>, url: &str) -> Result<Self, String> {
        Ok(Self { name: stores.name(url)?, stores: Arc::clone(stores), url: url.to_owned() })
    }

    pub fn trees(&self, now: i64) -> Result<Loom, LoomError> {
        self.stores.trees(&self.url, now)
    }

    pub fn summaries(&self) -> summaries::Result<Summaries> {
        self.stores.summaries(&self.url)
    }
}

impl fmt::Display for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::is_server;

    #[test]
    fn the_scheme_distinguishes_servers_from_files() {
        for (url, is_one) in [
            ("postgres://h/d", true),
            ("PostgreSQL://h/d", true),
            ("sqlite:trees.db", false),
            ("C:\\trees.db", false),
            ("postgres.db", false),
            ("", false),
        ] {
            assert_eq!(is_server(url), is_one, "{url}");
        }
    }
}
