//! Counts and other results remembered between runs, in one SQLite file of the user's cache folder.
//!
//! Takes hashes, gives counts and bytes. What it holds is derived: without it every result is the same, only later. So
//! nothing here is an error; a cache that cannot be used says so in a note and is then empty.

use crate::private_files::{self, beside};
use contexture_core::{ContentHash, Memo, Note, Topic};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

const FILE: &str = "cache.sqlite";
/// Raised when the tables change; a file with another number is set aside.
const SCHEMA: i64 = 4;

/// A connection for each thread that asks at the same time; SQLite's connections cannot be shared.
pub struct Cache {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    fresh: Mutex<Vec<(ContentHash, u64)>>,
    fresh_blobs: Mutex<BTreeMap<ContentHash, Vec<u8>>>,
    broken: AtomicBool,
    /// Where a damaged file went that was here before.
    aside: Option<PathBuf>,
    /// Tables that held nothing when the run began are not asked.
    no_counts: bool,
    no_blobs: bool,
}

impl Cache {
    /// Opens the cache in `dir`, making it when it is not there. `Err` is a note to show; the run goes on without.
    pub fn open(dir: &Path) -> Result<Self, Note> {
        let path = dir.join(FILE);
        let unusable = |cause: String| {
            Note::new(Topic::Cache, format!("the cache is not used: {cause}")).hint("see `contexture doctor`")
        };
        // Nobody else should read or plant what is remembered.
        private_files::make_folder(dir).map_err(|error| unusable(error.kind().to_string()))?;
        let mut aside = None;
        let connection = match prepare(&path) {
            Ok(connection) => connection,
            Err(error) if is_damage(&error) => {
                // Derived data: set aside for whoever wants to look, and begun again.
                let place = aside.insert(dir.join(format!("{FILE}.damaged")));
                std::fs::rename(&path, place).map_err(|e| unusable(e.kind().to_string()))?;
                for end in ["-wal", "-shm"] {
                    let _ = std::fs::remove_file(beside(&path, end));
                }
                prepare(&path).map_err(|error| unusable(error.to_string()))?
            }
            Err(error) => return Err(unusable(error.to_string())),
        };
        let is_empty = |table: &str| {
            let row = connection.query_row(&format!("SELECT 1 FROM {table} LIMIT 1"), [], |_| Ok(())).optional();
            row.is_ok_and(|row| row.is_none())
        };
        let (no_counts, no_blobs) = (is_empty("counts"), is_empty("blobs"));
        Ok(Self {
            path,
            idle: Mutex::new(Vec::new()),
            fresh: Mutex::new(Vec::new()),
            fresh_blobs: Mutex::new(BTreeMap::new()),
            broken: AtomicBool::new(false),
            aside,
            no_counts,
            no_blobs,
        })
    }

    /// Where a damaged file went when this one took its place.
    pub fn set_aside(&self) -> Option<&Path> {
        self.aside.as_deref()
    }

    /// Whether no count is remembered, so that everything will have to be counted.
    pub fn is_empty(&self) -> bool {
        self.no_counts
    }

    /// Writes what was found in this run. Another process that writes for long is not waited for: it is only a cache.
    pub fn save(&self) {
        let (Ok(mut fresh), Ok(mut blobs)) = (self.fresh.lock(), self.fresh_blobs.lock()) else { return };
        if (fresh.is_empty() && blobs.is_empty()) || self.broken.load(Ordering::Relaxed) {
            return;
        }
        let mut rows = std::mem::take(&mut *fresh);
        let mut blobs: Vec<(ContentHash, Vec<u8>)> = std::mem::take(&mut *blobs).into_iter().collect();
        // In the order of the tables, so that each page is written once.
        rows.sort_unstable_by_key(|(key, _)| id(key));
        blobs.sort_unstable_by_key(|(key, _)| id(key));
        let written = (|| {
            let mut connection = connect(&self.path)?;
            let transaction = connection.transaction()?;
            {
                let mut insert =
                    transaction.prepare("INSERT OR IGNORE INTO counts (id, key, value) VALUES (?1, ?2, ?3)")?;
                for (key, count) in &rows {
                    insert.execute((id(key), &key.0[..], *count as i64))?;
                }
                // Bytes that were remembered and written again were damaged.
                let mut insert =
                    transaction.prepare("INSERT OR REPLACE INTO blobs (id, key, value) VALUES (?1, ?2, ?3)")?;
                for (key, value) in &blobs {
                    insert.execute((id(key), &key.0[..], value))?;
                }
            }
            transaction.commit()
        })();
        if let Err(error) = written {
            tracing::debug!(%error, "the cache was not saved");
        }
    }

    /// What the cache holds, after a check of the file.
    pub fn check(&self) -> Result<String, String> {
        let connection = self.take().ok_or("cannot be opened")?;
        let verdict: String =
            connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(|error| error.to_string())?;
        if verdict != "ok" {
            return Err(verdict);
        }
        let rows = |table: &str| -> Result<i64, String> {
            let query = format!("SELECT count(*) FROM {table}");
            connection.query_row(&query, [], |row| row.get(0)).map_err(|error| error.to_string())
        };
        Ok(format!("{}: {} counts, {} other results", self.path.display(), rows("counts")?, rows("blobs")?))
    }

    /// Forgets everything, and gives the disk back what it took. Gives how many results there were.
    pub fn clear(&self) -> Result<u64, String> {
        let told = |error: rusqlite::Error| error.to_string();
        let connection = connect(&self.path).map_err(told)?;
        let mut gone = 0;
        for table in ["counts", "blobs"] {
            gone += connection.execute(&format!("DELETE FROM {table}"), []).map_err(told)?;
        }
        vacuum(&connection).map_err(told)?;
        Ok(gone as u64)
    }

    /// Gives the disk back what is no longer used.
    pub fn shrink(&self) -> Result<(), String> {
        connect(&self.path).and_then(|connection| vacuum(&connection)).map_err(|error| error.to_string())
    }

    /// Bytes on disk, what is not yet in the file itself included.
    pub fn bytes(&self) -> u64 {
        let size = |end: &str| std::fs::metadata(beside(&self.path, end)).map_or(0, |data| data.len());
        size("") + size("-wal")
    }

    /// A connection that reads: one transaction for the whole run, so that locks are not taken for every question.
    fn take(&self) -> Option<Connection> {
        if let Some(connection) = self.idle.lock().ok()?.pop() {
            return Some(connection);
        }
        let connection = connect(&self.path).ok()?;
        connection.execute_batch("BEGIN").ok()?;
        Some(connection)
    }
}

impl Cache {
    /// Bytes that this or an earlier run put under this key. The key says what they are and by which version they were made, and
    /// whoever reads them checks them: the file may be damaged.
    pub fn blob(&self, key: &ContentHash) -> Option<Vec<u8>> {
        if let Some(fresh) = self.fresh_blobs.lock().ok()?.get(key) {
            return Some(fresh.clone());
        }
        if self.no_blobs { None } else { self.look_up("SELECT value FROM blobs WHERE id = ?1 AND key = ?2", key) }
    }

    /// Remembers bytes for later runs; [`Cache::save`] writes them.
    pub fn put_blob(&self, key: ContentHash, value: Vec<u8>) {
        if let Ok(mut fresh) = self.fresh_blobs.lock() {
            fresh.insert(key, value);
        }
    }

    fn look_up<T: rusqlite::types::FromSql>(&self, query: &str, key: &ContentHash) -> Option<T> {
        if self.broken.load(Ordering::Relaxed) {
            return None;
        }
        let connection = self.take()?;
        let known = connection
            .prepare_cached(query)
            .and_then(|mut select| select.query_row((id(key), &key.0[..]), |row| row.get::<_, T>(0)).optional());
        match known {
            Ok(known) => {
                if let Ok(mut idle) = self.idle.lock() {
                    idle.push(connection);
                }
                known
            }
            Err(error) => {
                tracing::debug!(%error, "the cache is not used any more");
                self.broken.store(true, Ordering::Relaxed);
                None
            }
        }
    }
}

impl Memo for Cache {
    fn get(&self, key: &ContentHash) -> Option<u64> {
        if self.no_counts {
            return None;
        }
        let count: i64 = self.look_up("SELECT value FROM counts WHERE id = ?1 AND key = ?2", key)?;
        u64::try_from(count).ok()
    }

    fn put(&self, key: ContentHash, count: u64) {
        if let Ok(mut fresh) = self.fresh.lock() {
            fresh.push((key, count));
        }
    }
}

/// The number of a row: the beginning of its key. SQLite finds rows by number without a second tree. Of two keys with one
/// number, which nobody will ever see, one is not remembered.
fn id(key: &ContentHash) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] = key.0;
    i64::from_be_bytes([a, b, c, d, e, f, g, h])
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(std::time::Duration::from_millis(500))?;
    // Loss of the newest rows by a power cut costs a recount, so there is no need to wait for the disk.
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 268435456;")?;
    Ok(connection)
}

fn vacuum(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("VACUUM")?;
    // The log has all of it twice until it is emptied; whoever reads from it keeps it as it is.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

fn prepare(path: &Path) -> rusqlite::Result<Connection> {
    // An unwritable file may still be read; SQLite says what it cannot do.
    let _ = private_files::make_file(path);
    let connection = connect(path)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version != SCHEMA {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE;
             DROP TABLE IF EXISTS counts;
             CREATE TABLE counts (id INTEGER PRIMARY KEY, key BLOB NOT NULL, value INTEGER NOT NULL);
             DROP TABLE IF EXISTS structures;
             DROP TABLE IF EXISTS blobs;
             CREATE TABLE blobs (id INTEGER PRIMARY KEY, key BLOB NOT NULL, value BLOB NOT NULL);
             PRAGMA user_version = {SCHEMA};
             COMMIT;"
        ))?;
    }
    Ok(connection)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(error.sqlite_error_code(), Some(NotADatabase | DatabaseCorrupt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_known_to_the_next_run() {
        let dir = tempfile::tempdir().unwrap();
        let key = ContentHash::of("a");
        let first = Cache::open(dir.path()).unwrap();
        assert!(first.is_empty());
        first.put(key, 7);
        first.save();
        let second = Cache::open(dir.path()).unwrap();
        assert!(!second.is_empty());
        assert_eq!(second.get(&key), Some(7));
        assert_eq!(second.get(&ContentHash::of("b")), None);
    }

    #[test]
    fn bytes_are_known_without_counts_and_the_newest_stay() {
        let dir = tempfile::tempdir().unwrap();
        let key = ContentHash::of("a");
        for value in [b"first".to_vec(), b"second".to_vec()] {
            let cache = Cache::open(dir.path()).unwrap();
            cache.put_blob(key, value.clone());
            assert_eq!(cache.blob(&key), Some(value.clone()));
            cache.save();
            let next = Cache::open(dir.path()).unwrap();
            assert!(next.is_empty());
            assert_eq!(next.blob(&key), Some(value));
            assert_eq!(next.blob(&ContentHash::of("b")), None);
        }
    }

    #[test]
    fn a_damaged_file_is_set_aside() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FILE), "no database at all, but long enough to have a header".repeat(20))
            .unwrap();
        let cache = Cache::open(dir.path()).unwrap();
        assert!(cache.is_empty());
        let aside = dir.path().join("cache.sqlite.damaged");
        assert!(aside.exists());
        assert_eq!(cache.set_aside(), Some(&*aside));
        assert_eq!(Cache::open(dir.path()).unwrap().set_aside(), None);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_a_note() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(Cache::open(&file.join("below")).is_err());
    }
}
