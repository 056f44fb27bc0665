//! Summaries in one SQLite file of a folder, for any number of processes at once.
//!
//! The log is written ahead and synced with every transaction, so what was acknowledged survives a kill and a power cut. A
//! row that SQLite cannot read is reported as damaged, and the others are read all the same.

use super::store::{Raw, SummaryStore};
use super::store_file::{self, StoreFile};
use super::{BATCH, Generator, Result, Summaries, SummaryEntry, SummaryError, SummaryKey};
use crate::database::{self, FileHead, PATIENCE, Schema};
use crate::outputs;
use contexture_core::{ContentHash, Note, Topic};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Row, params_from_iter};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// What the file is called in its folder.
pub const FILE: &str = "summaries.sqlite";
/// `ctxs`.
const SCHEMA: Schema = Schema { application: 0x6374_7873, version: 1, tables: include_str!("schema.sql") };
const COLUMNS: &str = "key, checksum, file_path, file_hash, summary, outline, generated_at, tier, provider, model, \
                       prompt_version, view, params, input_tokens, output_tokens";

/// A store that is open, and what is to be said about it.
pub struct OpenedStore {
    pub summaries: Summaries,
    /// Says that the file was damaged and set aside.
    pub note: Option<Note>,
    /// The same for programs.
    pub repaired: Option<StoreRepair>,
}

/// What became of a file that was damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreRepair {
    /// What was wrong with it.
    pub cause: String,
    /// Where it is now, with every byte it had.
    pub aside: PathBuf,
    /// Entries that could be read and are in the new file.
    pub saved: u64,
}

/// Opens the store in a folder to write to it, making both where they are not there. A damaged file is set aside.
pub fn open(dir: &Path) -> Result<OpenedStore> {
    let place = StoreFile::make(dir, FILE)?;
    or_repaired(Sqlite::open(&place).and_then(|store| store.is_sound().map(|()| store)), &place, dir)
}

/// Opens the store to read from it; `None` where there is none. Nothing is made. Only a file that cannot be read at all is set
/// aside.
pub fn open_existing(dir: &Path) -> Result<Option<OpenedStore>> {
    let place = StoreFile { path: dir.join(FILE) };
    if !place.path.exists() {
        return Ok(None);
    }
    or_repaired(Sqlite::open(&place), &place, dir).map(Some)
}

fn or_repaired(opened: Result<Sqlite>, place: &StoreFile, dir: &Path) -> Result<OpenedStore> {
    match opened {
        Ok(store) => Ok(open_result(store, None)),
        Err(SummaryError::Damaged(_)) => {
            let repaired = repair(dir)?;
            Ok(open_result(Sqlite::open(place)?, repaired))
        }
        Err(error) => Err(error),
    }
}

/// Sets a damaged file aside and saves what can be read of it into a new one. `None` where nothing is wrong with it, or
/// another process was first. The old file is renamed and never removed.
pub fn repair(dir: &Path) -> Result<Option<StoreRepair>> {
    let place = StoreFile::make(dir, FILE)?;
    let _alone = place.lock_alone()?;
    let verdict = Sqlite::connect(&place.path, None).and_then(|mut store| {
        store.is_sound()?;
        // A row whose checksum does not hold is damage too, though SQLite does not know.
        let mut broken = 0_u64;
        store.each(&mut |raw| broken += u64::from(raw.into_entry().is_err()))?;
        Ok(broken)
    });
    let cause = match verdict {
        Ok(0) => return Ok(None),
        Ok(broken) => format!("of {broken} entries the checksum does not hold"),
        Err(SummaryError::Damaged(cause)) => cause,
        Err(error) => return Err(error),
    };
    let aside = place.set_aside()?;
    let mut new = Sqlite::connect(&place.path, None)?;
    let mut saved = 0;
    for batch in salvage(&aside).chunks(BATCH) {
        new.put(&batch.iter().map(|entry| (entry.key(), entry)).collect::<Vec<_>>())?;
        saved += batch.len() as u64;
    }
    Ok(Some(StoreRepair { cause, aside, saved }))
}

fn open_result(store: Sqlite, repaired: Option<StoreRepair>) -> OpenedStore {
    let note = repaired.as_ref().map(|StoreRepair { aside, saved, .. }| {
        let name = aside.file_name().unwrap_or_default().to_string_lossy();
        let s = if *saved == 1 { "y" } else { "ies" };
        Note::new(
            Topic::Unread,
            format!("the store of summaries was damaged: it is set aside as `{name}`, {saved} entr{s} could be saved"),
        )
        .hint("`contexture summarize` writes what is missing")
    });
    OpenedStore { summaries: Summaries::new(Box::new(store)), note, repaired }
}

struct Sqlite {
    connection: Connection,
    folder: PathBuf,
    /// Whether the folder was synced since the log was made.
    is_synced: bool,
    /// Held as long as the store is open: who sets the file aside must be alone.
    _lock: Option<File>,
}

impl Sqlite {
    fn open(place: &StoreFile) -> Result<Self> {
        Self::connect(&place.path, place.lock_shared()?)
    }

    fn connect(path: &Path, lock: Option<File>) -> Result<Self> {
        store_file::private_file(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
                 PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
        )?;
        prepare(&connection)?;
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        Ok(Self { connection, folder, is_synced: false, _lock: lock })
    }

    /// Whether SQLite finds nothing wrong with the pages. Linear in the file, so only those ask who write to it.
    fn is_sound(&self) -> Result<()> {
        let verdict: String = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict == "ok" { Ok(()) } else { Err(SummaryError::Damaged(verdict)) }
    }

    /// The rows whose column is one of these. Where a page cannot be read, each is asked for alone.
    fn rows(&self, column: &str, values: &[Vec<u8>]) -> Result<Vec<Raw>> {
        let read = self.ask(column, values);
        match read {
            Err(SummaryError::Damaged(cause)) => match values {
                [value] => Ok(vec![Raw::unreadable(value, cause)]),
                _ => {
                    let mut all = Vec::new();
                    for value in values {
                        all.extend(self.rows(column, std::slice::from_ref(value))?);
                    }
                    Ok(all)
                }
            },
            read => read,
        }
    }

    fn ask(&self, column: &str, values: &[Vec<u8>]) -> Result<Vec<Raw>> {
        let places = vec!["?"; values.len()].join(", ");
        let query = format!("SELECT {COLUMNS} FROM summaries WHERE {column} IN ({places})");
        let mut statement = self.connection.prepare_cached(&query)?;
        let values = values.iter().map(|value| Value::Blob(value.clone()));
        let mut rows = statement.query(params_from_iter(values))?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(raw(row));
        }
        Ok(all)
    }

    fn write<T>(&mut self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let value = database::transaction(&self.connection, "BEGIN IMMEDIATE", || work(&self.connection))?;
        if !self.is_synced {
            // SQLite syncs the log but not its name, and without its name the log is gone after a power cut.
            outputs::sync_folder(&self.folder).map_err(|error| SummaryError::Store(error.to_string()))?;
            self.is_synced = true;
        }
        Ok(value)
    }
}

impl SummaryStore for Sqlite {
    fn by_key(&mut self, keys: &[SummaryKey]) -> Result<Vec<Raw>> {
        self.rows("key", &keys.iter().map(|key| key.bytes().to_vec()).collect::<Vec<_>>())
    }

    fn by_content(&mut self, hashes: &[ContentHash]) -> Result<Vec<Raw>> {
        self.rows("file_hash", &hashes.iter().map(|hash| hash.0.to_vec()).collect::<Vec<_>>())
    }

    fn put(&mut self, entries: &[(SummaryKey, &SummaryEntry)]) -> Result<()> {
        self.write(|connection| {
            let places = vec!["?"; COLUMNS.split(',').count()].join(", ");
            let query = format!("INSERT OR REPLACE INTO summaries ({COLUMNS}) VALUES ({places})");
            let mut insert = connection.prepare_cached(&query)?;
            for (key, entry) in entries {
                insert.execute(params_from_iter(values(key, entry)))?;
            }
            Ok(())
        })
    }

    fn each(&mut self, take: &mut dyn FnMut(Raw)) -> Result<()> {
        let query = format!("SELECT {COLUMNS} FROM summaries ORDER BY seq");
        let mut statement = self.connection.prepare(&query)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            take(raw(row));
        }
        Ok(())
    }

    fn remove(&mut self, keys: &[Vec<u8>]) -> Result<u64> {
        self.write(|connection| {
            let mut delete = connection.prepare_cached("DELETE FROM summaries WHERE key = ?")?;
            keys.iter().try_fold(0, |sum, key| Ok(sum + delete.execute([key])? as u64))
        })
    }

    fn check(&mut self) -> Result<Vec<String>> {
        let mut statement = self.connection.prepare("PRAGMA integrity_check")?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        let lines = rows.collect::<rusqlite::Result<Vec<String>>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

/// In the order of [`COLUMNS`].
fn values(key: &SummaryKey, entry: &SummaryEntry) -> Vec<Value> {
    let text = |text: &str| Value::Text(text.to_owned());
    // Counts are far below; what is not stays what it is, bit by bit.
    let number = |number: Option<u64>| number.map_or(Value::Null, |number| Value::Integer(number.cast_signed()));
    vec![
        Value::Blob(key.bytes().to_vec()),
        Value::Blob(entry.checksum().0.to_vec()),
        text(&entry.file_path),
        Value::Blob(entry.file_hash.0.to_vec()),
        text(&entry.summary),
        text(&entry.outline),
        text(&entry.generated_at),
        Value::Integer(entry.generator_tier.into()),
        text(&entry.generator.provider),
        text(&entry.generator.model),
        text(&entry.generator.prompt_version),
        text(&entry.view),
        text(&entry.params),
        number(entry.input_tokens),
        number(entry.output_tokens),
    ]
}

fn raw(row: &Row<'_>) -> Raw {
    let bytes = |at: usize| row.get::<_, Vec<u8>>(at).unwrap_or_default();
    Raw { key: bytes(0), checksum: bytes(1), entry: entry(row).map_err(|error| error.to_string()) }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<SummaryEntry> {
    let number = |at: usize| row.get::<_, Option<i64>>(at).map(|number| number.map(i64::cast_unsigned));
    Ok(SummaryEntry {
        file_path: row.get(2)?,
        file_hash: ContentHash(row.get(3)?),
        summary: row.get(4)?,
        outline: row.get(5)?,
        generated_at: row.get(6)?,
        generator_tier: row.get(7)?,
        generator: Generator { provider: row.get(8)?, model: row.get(9)?, prompt_version: row.get(10)? },
        view: row.get(11)?,
        params: row.get(12)?,
        input_tokens: number(13)?,
        output_tokens: number(14)?,
    })
}

/// Whole entries of a file that was set aside, by their numbers: from the first up to damage, from the last down to it, and
/// some in between one by one.
fn salvage(aside: &Path) -> Vec<SummaryEntry> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(connection) = Connection::open_with_flags(aside, flags) else { return Vec::new() };
    let mut saved = BTreeMap::new();
    let mut scan = |clause: &str, values: &[i64]| -> (i64, rusqlite::Result<()>) {
        let mut last = 0;
        let scanned = (|| {
            let query = format!("SELECT {COLUMNS}, seq FROM summaries NOT INDEXED {clause}");
            let mut statement = connection.prepare_cached(&query)?;
            let mut rows = statement.query(params_from_iter(values))?;
            while let Some(row) = rows.next()? {
                last = row.get(15)?;
                if let Ok((key, entry)) = raw(row).into_entry() {
                    saved.insert(key, entry);
                }
            }
            Ok(())
        })();
        (last, scanned)
    };
    let (low, up) = scan("ORDER BY seq", &[]);
    if up.is_err() {
        let (high, _) = scan("ORDER BY seq DESC", &[]);
        let between = low.saturating_add(1)..if high > low { high } else { i64::MAX };
        for seq in between.take(BETWEEN) {
            let _ = scan("WHERE seq = ?", &[seq]);
        }
    }
    saved.into_values().collect()
}

/// A page holds a handful of rows; where more is lost, a page is lost that leads to others, and no number finds those.
const BETWEEN: usize = 10_000;

/// The table as this version knows it.
fn prepare(connection: &Connection) -> Result<()> {
    database::prepare(connection, &SCHEMA, |head| match head {
        FileHead::New => Ok(false),
        FileHead::Ready if is_intact(connection)? => Ok(true),
        FileHead::Newer => Err(SummaryError::Newer),
        FileHead::Ready | FileHead::Damaged | FileHead::Foreign => {
            Err(SummaryError::Damaged("its head is not the one of a store of summaries".into()))
        }
    })
}

/// Whether the table is as it was made, word by word. A flipped letter in it would give columns other names.
fn is_intact(connection: &Connection) -> Result<bool> {
    let query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let made = rows.collect::<rusqlite::Result<Vec<String>>>()?;
    Ok(made.iter().map(String::as_str).eq(SCHEMA.tables.split(';').map(str::trim).filter(|part| !part.is_empty())))
}
