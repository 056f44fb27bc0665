//! What a database must be able to do to hold summaries: rows in, rows out.
//!
//! No rule is kept here. A store need not check what it reads; whoever asked does.

use super::{Damage, Result, SummaryEntry, SummaryKey};
use contexture_core::ContentHash;

/// How many rows are asked for or written at once: one round trip to a server. More would not be noticed, and every
/// database takes as many.
pub const BATCH: usize = 1_000;

/// A database of summaries.
pub trait SummaryStore: Send {
    /// The rows with these keys, in any order. At most [`BATCH`] keys, sorted, none twice.
    fn by_key(&mut self, keys: &[SummaryKey]) -> Result<Vec<Raw>>;

    /// The rows about these contents, in any order. At most [`BATCH`] hashes, sorted, none twice.
    fn by_content(&mut self, hashes: &[ContentHash]) -> Result<Vec<Raw>>;

    /// Writes these rows in one transaction, each in place of one with its key. At most [`BATCH`], in the order of keys, none
    /// twice. They are on disk when this returns.
    fn put(&mut self, entries: &[(SummaryKey, &SummaryEntry)]) -> Result<()>;

    /// Every row, in any order.
    fn each(&mut self, take: &mut dyn FnMut(Raw)) -> Result<()>;

    /// Takes rows away; gives how many were there. At most [`BATCH`] keys, as [`Raw`] has them.
    fn remove(&mut self, keys: &[Vec<u8>]) -> Result<u64>;

    /// What the database finds wrong with itself.
    fn check(&mut self) -> Result<Vec<String>>;
}

/// A row as it was read, whether it is what was written or not.
#[derive(Clone, Debug)]
pub struct Raw {
    pub key: Vec<u8>,
    pub checksum: Vec<u8>,
    /// `Err` tells why not even its columns could be read.
    pub entry: std::result::Result<SummaryEntry, String>,
}

impl Raw {
    /// A row that cannot be read at all.
    pub fn unreadable(key: &[u8], cause: impl Into<String>) -> Self {
        Self { key: key.to_vec(), checksum: Vec::new(), entry: Err(cause.into()) }
    }

    /// The entry, if it is the one that was written under this key.
    pub(crate) fn into_entry(self) -> std::result::Result<(SummaryKey, SummaryEntry), Damage> {
        let Self { key: stored, checksum, entry } = self;
        let entry = match entry {
            Ok(entry) => entry,
            Err(cause) => return Err(Damage { key: stored, file_path: None, cause }),
        };
        let key = entry.key();
        let cause = if key.bytes() != stored {
            "the key is not the one of its row"
        } else if entry.checksum_under(&key).0.as_slice() != checksum {
            "the checksum does not hold"
        } else {
            return Ok((key, entry));
        };
        Err(Damage { key: stored, file_path: Some(entry.file_path), cause: cause.into() })
    }
}
