//! Trees in one SQLite file, for any number of processes at once.
//!
//! The log is written ahead and synced with every transaction, so what was acknowledged survives a kill and a power cut.

pub(super) mod body;
mod edges;
mod memories;
mod nodes;
mod paths;
pub(super) mod place;
pub(super) mod salvage;
mod trees;

use super::store::{Result, Store, Work};
use super::{Fault, LoomError};
use crate::outputs;
use place::Standing;
use rusqlite::config::DbConfig;
use rusqlite::types::{FromSql, FromSqlResult, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Raised when the tables change.
pub(super) const SCHEMA: i64 = 1;
/// `ctxl`, so that `file` and we know the file.
const APPLICATION: i64 = 0x6374_786c;
/// A transaction takes milliseconds; whoever waits this long waits for a stopped process.
const PATIENCE: Duration = Duration::from_secs(10);

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

    fn run(&mut self, begin: &str, mode: Mode<'_>, work: Work<'_>) -> Result<()> {
        let (cache, beside) = match mode {
            Mode::Reading(beside) => (SMALL, beside),
            Mode::Writing => (LARGE, None),
        };
        if cache != self.cache {
            self.connection.execute_batch(&format!("PRAGMA cache_size = {cache}")).map_err(told)?;
            self.cache = cache;
        }
        self.connection.execute_batch(begin).map_err(told)?;
        let done = work(&mut Tables { connection: &self.connection, beside });
        let done = done.and_then(|()| self.connection.execute_batch("COMMIT").map_err(told));
        if done.is_err() && !self.connection.is_autocommit() {
            // What failed has been told; that nothing of it stays is all that matters here.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        done
    }
}

enum Mode<'a> {
    /// The file, where a second connection may read it as well.
    Reading(Option<&'a Path>),
    Writing,
}

impl Store for Sqlite {
    fn write(&mut self, work: Work<'_>) -> Result<()> {
        self.run("BEGIN IMMEDIATE", Mode::Writing, work)?;
        if !self.is_synced && self.is_durable {
            // SQLite syncs the log but not its name, and without its name the log is gone after a power cut.
            outputs::sync_folder(folder(&self.path)).map_err(|error| Fault::Store(error.to_string()))?;
            self.is_synced = true;
        }
        Ok(())
    }

    fn read(&mut self, work: Work<'_>) -> Result<()> {
        let path = self.path.clone();
        self.run("BEGIN", Mode::Reading(self.is_shared.then_some(&path)), work)
    }

    fn check(&mut self) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        let mut ask = |query: &str, all: bool| -> Result<()> {
            let mut statement = self.connection.prepare(query).map_err(told)?;
            let mut rows = statement.query([]).map_err(told)?;
            while let Some(row) = rows.next().map_err(told)? {
                if all {
                    let (table, parent): (String, String) = (get(row, 0)?, get(row, 2)?);
                    let seq: Option<i64> = get(row, 1)?;
                    problems.push(format!("{table} {}: no row of {parent}", seq.unwrap_or_default()));
                } else {
                    let text: String = row.get(0).map_err(told)?;
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
    fn execute(&self, query: &str, values: impl rusqlite::Params) -> Result<usize> {
        self.connection.prepare_cached(query).and_then(|mut statement| statement.execute(values)).map_err(told)
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
        let mut statement = self.connection.prepare_cached(query).map_err(told)?;
        let mut rows = statement.query(values).map_err(told)?;
        while let Some(row) = rows.next().map_err(told)? {
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
        let mut statement = self.connection.prepare_cached(query).map_err(told)?;
        let mut rows = statement.query(values).map_err(told)?;
        rows.next().map_err(told)?.map(read).transpose()
    }
}

fn get<T: FromSql>(row: &Row<'_>, at: usize) -> Result<T> {
    row.get(at).map_err(told)
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
    let connection = Connection::open_with_flags(path, flags).map_err(told)?;
    connection.busy_timeout(PATIENCE).map_err(told)?;
    connection.set_prepared_statement_cache_capacity(96);
    // Else statements are compiled anew whenever other values are bound, which takes longer than to run them.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(told)?;
    let sync = if is_durable { "FULL" } else { "OFF" };
    connection
        .execute_batch(&format!(
            "PRAGMA synchronous = {sync}; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
             PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
             PRAGMA cache_size = {SMALL};"
        ))
        .map_err(told)?;
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
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if is_unwritable(&error) && std::fs::metadata(log).map_or(true, |meta| meta.len() == 0) {
        // Without a log the file is all there is, and as it cannot be written it stays as it is.
        let uri = format!("file:{}?immutable=1", in_uri(path));
        return open(Path::new(&uri), flags | OpenFlags::SQLITE_OPEN_URI).map_err(told);
    }
    Err(told(error))
}

fn in_uri(path: &Path) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_' | b'~');
    let quote = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.as_os_str().as_encoded_bytes().iter().copied().map(quote).collect()
}

fn is_unwritable(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Puts everything that is in the log of a closed store into its one file, and on disk.
pub(super) fn settle(path: &Path) -> Result<()> {
    let connection = connect(path, true)?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(told)?;
    connection.close().map_err(|(_, error)| told(error))?;
    File::open(path).and_then(|file| file.sync_all()).map_err(|cause| doing("sync the store", cause))
}

/// The tables as this version knows them. Of several processes that make a store at the same time, SQLite makes some fail
/// at once instead of letting them wait.
fn prepare(connection: &Connection) -> Result<()> {
    let start = Instant::now();
    loop {
        match try_prepare(connection) {
            Err(error) if matches!(error.fault, Fault::Busy) && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

fn try_prepare(connection: &Connection) -> Result<()> {
    let version = || -> Result<i64> {
        // In one go: another process may make the tables between two questions.
        let (version, application, tables): (i64, i64, i64) = connection
            .query_row(
                "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
                 FROM pragma_user_version, pragma_application_id",
                [],
                |row| row.try_into(),
            )
            .map_err(told)?;
        if version > SCHEMA && application == APPLICATION {
            return Err(Fault::Newer.into());
        }
        let is_empty = tables == 0;
        let is_ours = application == APPLICATION && version == SCHEMA && !is_empty;
        let is_new = is_empty && version == 0 && application == 0;
        if !is_ours && !is_new {
            // What has our tables was ours before its head was damaged.
            let ours = "SELECT count(*) FROM sqlite_schema WHERE name = 'shapes'";
            let ours: i64 = connection.query_row(ours, [], |row| row.get(0)).map_err(told)?;
            let is_damaged = application == APPLICATION || ours > 0;
            let damage = Fault::Damaged("its head is not the one of a store".into());
            return Err(if is_damaged { damage } else { Fault::Foreign }.into());
        }
        Ok(version)
    };
    if version()? == SCHEMA {
        return Ok(());
    }
    connection.pragma_update(None, "journal_mode", "WAL").map_err(told)?;
    connection.execute_batch("BEGIN IMMEDIATE").map_err(told)?;
    // Another process may have been first.
    let made = version().and_then(|version| {
        let tables = if version == SCHEMA { "" } else { include_str!("schema.sql") };
        let marks = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA};");
        connection.execute_batch(&format!("{tables}{marks}COMMIT")).map_err(told)
    });
    if made.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    made
}

pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

pub(super) fn doing(what: &'static str, cause: std::io::Error) -> LoomError {
    Fault::Io { what, cause }.into()
}

pub(super) fn told(error: rusqlite::Error) -> LoomError {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    let fault = match (error.sqlite_error_code(), &error) {
        (Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked), _) => Fault::Busy,
        (Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase), _) => Fault::Damaged(error.to_string()),
        (Some(ErrorCode::ReadOnly), _) => {
            Fault::Io { what: "write to the store", cause: std::io::ErrorKind::PermissionDenied.into() }
        }
        (Some(ErrorCode::CannotOpen), _) => {
            Fault::Io { what: "open the store", cause: std::io::Error::other(error.to_string()) }
        }
        (_, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..)) => {
            Fault::Damaged(error.to_string())
        }
        _ => Fault::Store(error.to_string()),
    };
    fault.into()
}
