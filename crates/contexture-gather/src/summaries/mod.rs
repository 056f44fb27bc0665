//! What models wrote about files: kept across runs, found by the content of a file, checked whenever it is read.
//!
//! Takes entries and hashes of contents; gives entries whose checksum holds, and counts those whose does not. What is
//! written is on disk when a call returns. These are data and not derived: nothing here is made again, guessed or silently
//! dropped. Which database holds the rows is the matter of a [`SummaryStore`]; the rules stand here once, for all of them.

mod entry;
mod error;
mod sqlite;
mod store;
mod store_file;
#[cfg(test)]
mod tests;

pub use entry::{Generator, SummaryEntry, SummaryKey, choose};
pub use error::SummaryError;
pub use sqlite::{FILE, OpenedStore, StoreRepair, open, open_existing, repair};
pub use store::{BATCH, Raw, SummaryStore};

use contexture_core::ContentHash;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What every question to the store gives.
pub type Result<T> = std::result::Result<T, SummaryError>;

/// A store of summaries, whatever database is below.
pub struct Summaries {
    store: Box<dyn SummaryStore>,
}

/// What was asked for, as far as it is there and whole.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SummaryLookup {
    pub entries: BTreeMap<SummaryKey, SummaryEntry>,
    /// Rows that are there and not what was written.
    pub damaged: u64,
}

impl SummaryLookup {
    /// The entries by the content they are about, each list in the order of keys.
    pub fn by_content(&self) -> BTreeMap<ContentHash, Vec<&SummaryEntry>> {
        let mut all: BTreeMap<ContentHash, Vec<&SummaryEntry>> = BTreeMap::new();
        for entry in self.entries.values() {
            all.entry(entry.file_hash).or_default().push(entry);
        }
        all
    }
}

/// A row that is not what was written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Damage {
    /// As it stands in the row.
    pub key: Vec<u8>,
    /// As far as it can be read.
    pub file_path: Option<String>,
    pub cause: String,
}

impl Damage {
    /// In hexadecimal digits.
    pub fn shown_key(&self) -> String {
        self.key.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What a check of everything found.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct StoreCheck {
    /// Entries that are whole.
    pub entries: u64,
    pub damaged: Vec<Damage>,
    /// What the database finds wrong with itself.
    pub problems: Vec<String>,
}

impl StoreCheck {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.damaged.is_empty() && self.problems.is_empty()
    }
}

/// What was removed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SweepResult {
    /// Number of summaries
    pub removed: u64,
    /// Number of damaged entries
    pub damaged: u64,
    pub kept: u64,
}

impl Summaries {
    /// Keeps summaries in this store.
    pub fn new(store: Box<dyn SummaryStore>) -> Self {
        Self { store }
    }

    /// The entries with these keys. One question to the database for a thousand of them.
    pub fn get(&mut self, keys: &[SummaryKey]) -> Result<SummaryLookup> {
        self.ask(keys, |store, batch| store.by_key(batch), |key, _| *key)
    }

    /// Everything that was ever written about these contents, by anybody. Asked in the same way.
    pub fn by_content(&mut self, hashes: &[ContentHash]) -> Result<SummaryLookup> {
        self.ask(hashes, |store, batch| store.by_content(batch), |_, entry| entry.file_hash)
    }

    /// Asks batch by batch; what came of one is checked while the next is read.
    fn ask<K: Ord + Copy + Sync>(
        &mut self,
        keys: &[K],
        read: impl Fn(&mut dyn SummaryStore, &[K]) -> Result<Vec<Raw>> + Sync,
        key_of: impl Fn(&SummaryKey, &SummaryEntry) -> K + Sync,
    ) -> Result<SummaryLookup> {
        let keys: BTreeSet<K> = keys.iter().copied().collect();
        let keys: Vec<K> = keys.into_iter().collect();
        let (store, mut found) = (&mut *self.store, SummaryLookup::default());
        let mut came: Option<(Vec<Raw>, &[K])> = None;
        for batch in keys.chunks(BATCH).map(Some).chain([None]) {
            let (rows, ()) = rayon::join(
                || batch.map(|batch| read(store, batch)).transpose(),
                || {
                    if let Some((rows, batch)) = came.take() {
                        gather(&mut found, rows, |key, entry| batch.binary_search(&key_of(key, entry)).is_ok());
                    }
                },
            );
            came = rows?.zip(batch);
        }
        Ok(found)
    }

    /// Keeps these entries for good; an entry with the key of an older one takes its place. All of up to a thousand are there
    /// when this returns, or none.
    pub fn put(&mut self, entries: &[SummaryEntry]) -> Result<()> {
        // In the order of keys, so that two writers never wait for each other; of one key the last entry.
        let entries: BTreeMap<SummaryKey, &SummaryEntry> = entries.iter().map(|entry| (entry.key(), entry)).collect();
        let entries: Vec<(SummaryKey, &SummaryEntry)> = entries.into_iter().collect();
        entries.chunks(BATCH).try_for_each(|batch| self.store.put(batch))
    }

    /// Hands out every entry that is whole; gives how many rows are not.
    pub fn list(&mut self, take: &mut dyn FnMut(SummaryKey, SummaryEntry)) -> Result<u64> {
        let mut damaged = 0;
        self.store.each(&mut |raw| match raw.into_entry() {
            Ok((key, entry)) => take(key, entry),
            Err(_) => damaged += 1,
        })?;
        Ok(damaged)
    }

    /// Takes these away; gives how many were there.
    pub fn remove(&mut self, keys: &[SummaryKey]) -> Result<u64> {
        let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.bytes().to_vec()).collect();
        self.remove_rows(keys)
    }

    /// Takes away what `keep` does not want, such as entries about contents that no file has any more, and rows that are
    /// damaged. What another process writes meanwhile stays: only what was seen goes.
    pub fn gc(&mut self, keep: &dyn Fn(&SummaryEntry) -> bool) -> Result<SweepResult> {
        let mut swept = SweepResult::default();
        let mut gone = Vec::new();
        self.store.each(&mut |raw| match raw.into_entry() {
            Ok((_, entry)) if keep(&entry) => swept.kept += 1,
            Ok((key, _)) => {
                swept.removed += 1;
                gone.push(key.bytes().to_vec());
            }
            Err(damage) => {
                swept.damaged += 1;
                gone.push(damage.key);
            }
        })?;
        self.remove_rows(gone)?;
        Ok(swept)
    }

    /// Takes everything away.
    pub fn clear(&mut self) -> Result<SweepResult> {
        self.gc(&|_| false)
    }

    /// Reads everything there is.
    pub fn verify(&mut self) -> Result<StoreCheck> {
        let mut verified = StoreCheck { problems: self.store.check()?, ..StoreCheck::default() };
        let read = self.store.each(&mut |raw| match raw.into_entry() {
            Ok(_) => verified.entries += 1,
            Err(damage) => verified.damaged.push(damage),
        });
        match read {
            // Said once, and the rows before that place were read.
            Err(SummaryError::Damaged(cause)) => verified.problems.push(cause),
            done => done?,
        }
        verified.damaged.sort();
        verified.problems.sort();
        verified.problems.dedup();
        Ok(verified)
    }

    fn remove_rows(&mut self, mut keys: Vec<Vec<u8>>) -> Result<u64> {
        keys.sort();
        keys.dedup();
        keys.chunks(BATCH).try_fold(0, |sum, batch| Ok(sum + self.store.remove(batch)?))
    }
}

/// Takes rows that are whole and were asked for. An answer to another question is damage as well.
fn gather(found: &mut SummaryLookup, rows: Vec<Raw>, is_asked: impl Fn(&SummaryKey, &SummaryEntry) -> bool) {
    // Every byte is hashed, which takes longer than to read it.
    let checked: Vec<_> = rows.into_par_iter().map(Raw::into_entry).collect();
    for row in checked {
        match row {
            Ok((key, entry)) if is_asked(&key, &entry) => {
                found.entries.insert(key, entry);
            }
            Ok(_) | Err(_) => found.damaged += 1,
        }
    }
}
