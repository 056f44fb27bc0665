//! Trees in one SQLite file, for any number of processes at once.
//!
//! The log is written ahead and synced with every transaction, so what was acknowledged survives a kill and a power cut.

mod edges;
mod memories;
mod nodes;
pub(super) mod place;
pub(super) mod salvage;
mod trees;

use super::store::{Result, Store, Work};
use super::{Fault, LoomError};
use contexture_gather::database::{self, FileHead, PATIENCE, Schema, SqliteFault, StoreError};
use contexture_gather::outputs;
use contexture_gather::private_files::{beside, folder};
use place::Standing;
use rusqlite::config::DbConfig;
use rusqlite::types::{FromSql, FromSqlResult, ValueRef};
use rusqlite::{Connection, OpenFlags, Row};
use std::fs::File;
use std::path::{Path, PathBuf};

/// `ctxl`.
const SCHEMA: Schema = Schema { application: 0x6374_786c, version: 1, tables: include_str!("schema.sql") };

/// KiB of pages held, as SQLite wants it said. Reading goes through a tree once, and memory that is used again is faster
/// than new memory; ids of a large tree are written all over an index, which should then be in memory.
const SMALL: i64 = -4_096;
const LARGE: i64 = -262_144;

pub(super) struct Sqlite {
    connection: Connection,
    path: PathBuf,
    /// Whether the folder was synced since the log was made.
    is_synced: bool,
    is_durable: bool,
    cache: i64,
    /// Whether a second connection may be made, which needs a file that can be written.
    is_shared: bool,
    /// Held as long as the store is open: a repair replaces the file and must be alone.
    _lock: Option<File>,
}

impl Sqlite {
    /// Opens the store; one that is not there is made with `make`. Without `is_durable` a power cut loses what the system
    /// did not write yet, which is for tests.
    pub fn open(path: &Path, make: bool, is_durable: bool) -> Result<Self> {
        let called = path;
        let path = place::real(called)?;
        let is_there = place::standing(&path)? == Standing::Store;
        if !is_there && !make {
            return Err(Fault::NoStore(called.into()).into());
        }
        place::make_private(&path, is_durable)?;
        let lock = place::shared_lock(&path)?;
        let opened = connect(&path, is_durable).and_then(|connection| prepare(&connection).map(|()| connection));
        let (connection, is_shared) = match opened {
            Ok(connection) => (connection, true),
            // Where nothing can be written there is no place for the log, but what is there can be read.
            Err(error) if is_there && matches!(error.fault, Fault::Io { .. }) => {
                let connection = connect_reading(&path).map_err(|_| error)?;
                prepare(&connection)?;
                (connection, false)
            }
            Err(error) => return Err(error),
        };
        Ok(Self { connection, path, is_synced: !is_durable, is_durable, cache: SMALL, is_shared, _lock: lock })
    }

    /// A new store under a name that nobody else knows yet.
    pub fn build(path: &Path) -> Result<Self> {
        place::make_private(path, true)?;
        let connection = connect(path, true)?;
        prepare(&connection)?;
        let path = path.into();
        Ok(Self { connection, path, is_synced: false, is_durable: true, cache: SMALL, is_shared: true, _lock: None })
    }

    fn run(&mut self, begin: &str, mode: AccessMode<'_>, work: Work<'_>) -> Result<()> {
        let (cache, beside) = match mode {
            AccessMode::Reading(beside) => (SMALL, beside),
            AccessMode::Writing => (LARGE, None),
        };
        if cache != self.cache {
            self.connection.execute_batch(&format!("PRAGMA cache_size = {cache}"))?;
            self.cache = cache;
        }
        let connection = &self.connection;
        database::transaction(connection, begin, || work(&mut Tables { connection, beside }))
    }
}

enum AccessMode<'a> {
    /// The file, where a second connection may read it as well.
    Reading(Option<&'a Path>),
    Writing,
}

impl Store for Sqlite {
    fn write(&mut self, work: Work<'_>) -> Result<()> {
        self.run("BEGIN IMMEDIATE", AccessMode::Writing, work)?;
        if !self.is_synced && self.is_durable {
            // SQLite syncs the log but not its name, and without its name the log is gone after a power cut.
            outputs::sync_folder(folder(&self.path)).map_err(|error| Fault::Store(error.to_string()))?;
            self.is_synced = true;
        }
        Ok(())
    }

    fn read(&mut self, work: Work<'_>) -> Result<()> {
        let path = self.path.clone();
        self.run("BEGIN", AccessMode::Reading(self.is_shared.then_some(&path)), work)
    }

    fn check(&mut self) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        let mut ask = |query: &str, all: bool| -> Result<()> {
            let mut statement = self.connection.prepare(query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if all {
                    let (table, parent): (String, String) = (get(row, 0)?, get(row, 2)?);
                    let seq: Option<i64> = get(row, 1)?;
                    problems.push(format!("{table} {}: no row of {parent}", seq.unwrap_or_default()));
                } else {
                    let text: String = row.get(0)?;
                    problems.extend((text != "ok").then_some(text));
                }
            }
            Ok(())
        };
        ask("PRAGMA integrity_check", false)?;
        ask("PRAGMA foreign_key_check", true)?;
        Ok(problems)
    }
}

/// The tables within a transaction.
pub(super) struct Tables<'a> {
    pub connection: &'a Connection,
    /// The file, where what another connection sees of it can be used as well.
    pub beside: Option<&'a Path>,
}

impl Tables<'_> {
    /// How many rows it changed.
    fn change(&self, query: &str, values: impl rusqlite::Params) -> Result<usize> {
        Ok(self.connection.prepare_cached(query)?.execute(values)?)
    }

    fn execute(&self, query: &str, values: impl rusqlite::Params) -> Result<()> {
        self.change(query, values).map(drop)
    }

    fn insert(&self, query: &str, values: impl rusqlite::Params) -> Result<i64> {
        self.execute(query, values)?;
        Ok(self.connection.last_insert_rowid())
    }

    fn each(
        &self,
        query: &str,
        values: impl rusqlite::Params,
        mut take: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.connection.prepare_cached(query)?;
        let mut rows = statement.query(values)?;
        while let Some(row) = rows.next()? {
            take(row)?;
        }
        Ok(())
    }

    fn all<T>(
        &self,
        query: &str,
        values: impl rusqlite::Params,
        read: impl Fn(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut all = Vec::new();
        self.each(query, values, |row| {
            all.push(read(row)?);
            Ok(())
        })?;
        Ok(all)
    }

    fn one<T>(
        &self,
        query: &str,
        values: impl rusqlite::Params,
        read: impl Fn(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut statement = self.connection.prepare_cached(query)?;
        let mut rows = statement.query(values)?;
        rows.next()?.map(read).transpose()
    }
}

fn get<T: FromSql>(row: &Row<'_>, at: usize) -> Result<T> {
    Ok(row.get(at)?)
}

/// A word of a list; any other is damage.
struct Known<T>(T);

macro_rules! known {
    ($($name:ty),+) => {$(
        impl FromSql for Known<$name> {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                <$name>::parse(value.as_str()?).map(Known).ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }
    )+};
}

known!(contexture_core::TreeMode, contexture_core::Truncation, contexture_core::AuthorType);

pub(super) fn connect(path: &Path, is_durable: bool) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(96);
    // Else statements are compiled anew whenever other values are bound, which takes longer than to run them.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    let sync = if is_durable { "FULL" } else { "OFF" };
    connection.execute_batch(&format!(
        "PRAGMA synchronous = {sync}; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
             PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
             PRAGMA cache_size = {SMALL};"
    ))?;
    Ok(connection)
}

/// For files that nobody may write to, or that may be somebody else's.
fn connect_reading(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = |path: &Path, flags: OpenFlags| {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    };
    let error = match open(path, flags) {
        Ok(connection) => return Ok(connection),
        Err(error) => error,
    };
    let is_unwritable = matches!(SqliteFault::of(&error), SqliteFault::CannotOpen | SqliteFault::ReadOnly);
    if is_unwritable && std::fs::metadata(beside(path, "-wal")).map_or(true, |meta| meta.len() == 0) {
        // Without a log the file is all there is, and as it cannot be written it stays as it is.
        let uri = format!("file:{}?immutable=1", in_uri(path));
        return Ok(open(Path::new(&uri), flags | OpenFlags::SQLITE_OPEN_URI)?);
    }
    Err(error.into())
}

fn in_uri(path: &Path) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_' | b'~');
    let quote = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.as_os_str().as_encoded_bytes().iter().copied().map(quote).collect()
}

/// Puts everything that is in the log of a closed store into its one file, and on disk.
pub(super) fn settle(path: &Path) -> Result<()> {
    let connection = connect(path, true)?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error)?;
    File::open(path).and_then(|file| file.sync_all()).map_err(|cause| doing("sync the store", cause))
}

/// The tables as this version knows them.
fn prepare(connection: &Connection) -> Result<()> {
    let has_shapes = || -> Result<bool> {
        let query = "SELECT count(*) FROM sqlite_schema WHERE name = 'shapes'";
        Ok(connection.query_row(query, [], |row| row.get::<_, i64>(0))? > 0)
    };
    database::prepare(connection, &SCHEMA, |head| match head {
        FileHead::New => Ok(false),
        FileHead::Ready => Ok(true),
        FileHead::Newer => Err(Fault::Newer.into()),
        // What has our tables was ours before its head was damaged.
        FileHead::Foreign if !has_shapes()? => Err(Fault::Foreign.into()),
        FileHead::Foreign | FileHead::Damaged => {
            Err(Fault::Damaged("its head is not the one of a store".into()).into())
        }
    })
}

pub(super) fn doing(what: &'static str, cause: std::io::Error) -> LoomError {
    Fault::Io { what, cause }.into()
}

impl From<rusqlite::Error> for LoomError {
    fn from(error: rusqlite::Error) -> Self {
        let fault = match SqliteFault::of(&error) {
            SqliteFault::Busy => Fault::Busy,
            SqliteFault::Damaged => Fault::Damaged(error.to_string()),
            SqliteFault::ReadOnly => {
                Fault::Io { what: "write to the store", cause: std::io::ErrorKind::PermissionDenied.into() }
            }
            SqliteFault::CannotOpen => {
                Fault::Io { what: "open the store", cause: std::io::Error::other(error.to_string()) }
            }
            SqliteFault::Unknown | SqliteFault::Other => Fault::Store(error.to_string()),
        };
        fault.into()
    }
}

impl StoreError for LoomError {
    fn is_busy(&self) -> bool {
        matches!(self.fault, Fault::Busy)
    }
}
