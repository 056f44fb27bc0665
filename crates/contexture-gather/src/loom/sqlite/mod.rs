//! Trees in one SQLite file, for any number of processes at once.
//!
//! The log is written ahead and synced with every transaction, so what was acknowledged survives a kill and a power cut.

mod body;
pub(super) mod edges;
mod memories;
mod nodes;
mod paths;
pub(super) mod salvage;
mod trees;

use super::store::{Result, Store, Work};
use super::{Fault, LoomError};
use crate::outputs;
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
    /// Held as long as the store is open: a repair replaces the file and must be alone.
    _lock: File,
}

impl Sqlite {
    /// Opens the store, making it when it is not there. Without `is_durable` a power cut loses what the system did not write
    /// yet, which is for tests.
    pub fn open(path: &Path, is_durable: bool) -> Result<Self> {
        make_private(path, is_durable)?;
        let lock = lock_file(path)?;
        lock.lock_shared().map_err(|cause| doing("lock the store", cause))?;
        let connection = connect(path, is_durable)?;
        prepare(&connection)?;
        Ok(Self { connection, path: path.into(), is_synced: !is_durable, is_durable, cache: SMALL, _lock: lock })
    }

    /// A new store under a name that nobody else knows yet.
    pub fn build(path: &Path) -> Result<Self> {
        make_private(path, true)?;
        let lock = File::open(path).map_err(|cause| doing("make the store", cause))?;
        let connection = connect(path, true)?;
        prepare(&connection)?;
        Ok(Self { connection, path: path.into(), is_synced: false, is_durable: true, cache: SMALL, _lock: lock })
    }

    fn run(&mut self, begin: &str, beside: Option<&Path>, work: Work<'_>) -> Result<()> {
        let cache = if beside.is_some() { SMALL } else { LARGE };
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

impl Store for Sqlite {
    fn write(&mut self, work: Work<'_>) -> Result<()> {
        self.run("BEGIN IMMEDIATE", None, work)?;
        if !self.is_synced && self.is_durable {
            // SQLite syncs the log but not its name, and without its name the log is gone after a power cut.
            outputs::sync_folder(folder(&self.path)).map_err(|error| Fault::Store(error.to_string()))?;
            self.is_synced = true;
        }
        Ok(())
    }

    fn read(&mut self, work: Work<'_>) -> Result<()> {
        let path = self.path.clone();
        self.run("BEGIN", Some(&path), work)
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
    let number = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0)).map_err(told);
    let version = || -> Result<i64> {
        let version = number("PRAGMA user_version")?;
        let application = number("PRAGMA application_id")?;
        if version > SCHEMA && application == APPLICATION {
            return Err(Fault::Newer.into());
        }
        let is_empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
        let is_ours = application == APPLICATION && version == SCHEMA && !is_empty;
        let is_new = is_empty && version == 0 && application == 0;
        if !is_ours && !is_new {
            return Err(Fault::Damaged("not a store of trees".into()).into());
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

/// The file and its folder, for their owner alone, before SQLite opens it.
fn make_private(path: &Path, is_durable: bool) -> Result<()> {
    let dir = folder(path);
    if !dir.is_dir() {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(dir).map_err(|cause| doing("make the folder of the store", cause))?;
    }
    if path.is_dir() {
        return Err(doing("open the store", std::io::ErrorKind::IsADirectory.into()));
    }
    if !path.exists() {
        private_file(path).map_err(|cause| doing("make the store", cause))?;
        if is_durable {
            outputs::sync_ancestors(dir).map_err(|error| Fault::Store(error.to_string()))?;
        }
    }
    Ok(())
}

/// The file of the lock stays: who removed it would let two in at once.
pub(super) fn lock_file(path: &Path) -> Result<File> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let place = path.with_file_name(format!(".{name}.lock"));
    if !place.exists() {
        private_file(&place).map_err(|cause| doing("lock the store", cause))?;
    }
    outputs::open_plain(&place, outputs::Create::Yes).map_err(|cause| doing("lock the store", cause))
}

fn private_file(path: &Path) -> std::io::Result<()> {
    let mut options = File::options();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
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
        (_, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..)) => {
            Fault::Damaged(error.to_string())
        }
        _ => Fault::Store(error.to_string()),
    };
    fault.into()
}
