//! What all stores in SQLite files share: a head that says whose file it is, transactions, and the meaning of SQLite's errors.
//!
//! Takes connections; gives answers and errors of the store that asks. Which tables there are, and what is done about damage, is
//! decided by each store.

use rusqlite::{Connection, ErrorCode};
use std::time::{Duration, Instant};

/// A transaction takes milliseconds; whoever waits this long waits for a stopped process.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What a store is known by.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Four letters as a number, so that `file` and we know the file.
    pub application: i64,
    /// Raised when the tables change.
    pub version: i64,
    /// The statements that make the tables.
    pub tables: &'static str,
}

/// What the head of a file says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileHead {
    /// Nothing was written to it.
    New,
    /// Its tables are there.
    Ready,
    /// A newer version made it.
    Newer,
    /// It is ours, and its version or its tables are not.
    Damaged,
    /// Another program's, or damaged so far that it does not say.
    Foreign,
}

/// An error of a store.
pub trait StoreError: From<rusqlite::Error> {
    /// Another process holds the file.
    fn is_busy(&self) -> bool;
}

/// What an error of SQLite means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SqliteFault {
    /// Another process holds the file.
    Busy,
    /// What is in the file cannot be what was written.
    Damaged,
    /// The file may not be written.
    ReadOnly,
    /// The file, or one that SQLite keeps beside it, cannot be opened.
    CannotOpen,
    /// SQLite cannot make sense of a statement. Ours never change, so it may be the file that does.
    Unknown,
    Other,
}

impl SqliteFault {
    /// The meaning of this error.
    pub fn of(error: &rusqlite::Error) -> Self {
        use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
        match (error.sqlite_error_code(), error) {
            (Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked), _) => Self::Busy,
            (Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase), _) => Self::Damaged,
            (Some(ErrorCode::ReadOnly), _) => Self::ReadOnly,
            (Some(ErrorCode::CannotOpen), _) => Self::CannotOpen,
            (Some(ErrorCode::Unknown), _) => Self::Unknown,
            (_, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..)) => {
                Self::Damaged
            }
            _ => Self::Other,
        }
    }
}

/// Makes the tables of a new file. `judge` says whether a file can be used: `false` for one that is new.
///
/// Of several processes that make them at the same time, SQLite makes some fail at once instead of letting them wait.
pub fn prepare<E: StoreError>(
    connection: &Connection,
    schema: &Schema,
    judge: impl Fn(FileHead) -> Result<bool, E>,
) -> Result<(), E> {
    let start = Instant::now();
    loop {
        match try_prepare(connection, schema, &judge) {
            Err(error) if error.is_busy() && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

fn try_prepare<E: StoreError>(
    connection: &Connection,
    schema: &Schema,
    judge: &impl Fn(FileHead) -> Result<bool, E>,
) -> Result<(), E> {
    if judge(head(connection, schema)?)? {
        return Ok(());
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    transaction(connection, "BEGIN IMMEDIATE", || {
        // Another process may have been first.
        let tables = if judge(head(connection, schema)?)? { "" } else { schema.tables };
        let Schema { application, version, .. } = schema;
        let marks = format!("PRAGMA application_id = {application}; PRAGMA user_version = {version};");
        Ok(connection.execute_batch(&format!("{tables}{marks}"))?)
    })
}

fn head(connection: &Connection, schema: &Schema) -> rusqlite::Result<FileHead> {
    // In one go: another process may make the tables between two questions.
    let (version, application, tables): (i64, i64, i64) = connection.query_row(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
         FROM pragma_user_version, pragma_application_id",
        [],
        |row| row.try_into(),
    )?;
    let is_ours = application == schema.application;
    Ok(match (version, application, tables) {
        (0, 0, 0) => FileHead::New,
        (version, _, 1..) if is_ours && version == schema.version => FileHead::Ready,
        (version, ..) if is_ours && version > schema.version => FileHead::Newer,
        _ if is_ours => FileHead::Damaged,
        _ => FileHead::Foreign,
    })
}

/// Does all of `work` or nothing. `begin` is the statement that begins it.
pub fn transaction<T, E: From<rusqlite::Error>>(
    connection: &Connection,
    begin: &str,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    connection.execute_batch(begin)?;
    let done = work().and_then(|value| {
        connection.execute_batch("COMMIT")?;
        Ok(value)
    });
    if done.is_err() && !connection.is_autocommit() {
        // What failed is reported; that nothing of it stays is all that matters here.
        let _ = connection.execute_batch("ROLLBACK");
    }
    done
}
