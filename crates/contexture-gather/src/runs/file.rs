//! The file of runs: made for its owner alone, opened, and known by its head before anything is read from it.

use super::error::{Result, RunsError, damage};
use crate::outputs;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Raised when the tables change.
const SCHEMA: i64 = 1;
/// `ctxr`, so that `file` and we know the file.
const APPLICATION: i64 = 0x6374_7872;
/// A transaction takes milliseconds; whoever waits this long waits for a stopped process.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn connect(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(32);
    // A log that stays costs the next run nothing; one that is emptied at every end costs this run two more syncs.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
         PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
    )?;
    Ok(connection)
}

/// The tables as this version knows them. Of several processes that make the file at the same time, SQLite makes some fail at
/// once instead of letting them wait.
pub(super) fn prepare(connection: &Connection) -> Result<()> {
    let start = Instant::now();
    loop {
        match try_prepare(connection) {
            Err(RunsError::Busy) if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(5)),
            done => return done,
        }
    }
}

fn try_prepare(connection: &Connection) -> Result<()> {
    if is_ready(connection)? {
        return Ok(());
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    // Another process may have been first.
    let made = is_ready(connection).and_then(|is_ready| {
        let tables = if is_ready { "" } else { include_str!("schema.sql") };
        let marks = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA};");
        Ok(connection.execute_batch(&format!("{tables}{marks}COMMIT"))?)
    });
    if made.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    made
}

/// Whether the tables are there. A file that is neither ours nor empty is refused.
fn is_ready(connection: &Connection) -> Result<bool> {
    let (version, application, tables): (i64, i64, i64) = connection.query_row(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
         FROM pragma_user_version, pragma_application_id",
        [],
        |row| row.try_into(),
    )?;
    match (version, application, tables) {
        (0, 0, 0) => Ok(false),
        (SCHEMA, APPLICATION, 1..) => Ok(true),
        (version, APPLICATION, _) if version > SCHEMA => Err(RunsError::Newer),
        (_, APPLICATION, _) => Err(damage("its head is not the one of a file of runs")),
        _ => Err(RunsError::Foreign),
    }
}

/// The file and its folder, for their owner alone, before SQLite opens it. What SQLite puts beside the file has its permissions.
pub(super) fn make_private(path: &Path) -> Result<()> {
    let fail = |what| move |cause| RunsError::Io { what, cause };
    let dir = folder(path);
    if !dir.is_dir() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(dir).map_err(fail("make the folder of the runs"))?;
    }
    match fs::metadata(path) {
        Ok(meta) if !meta.is_file() => Err(RunsError::Foreign),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut options = File::options();
            options.append(true).create(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(path).map_err(fail("make the file of runs"))?;
            outputs::sync_ancestors(dir).map_err(|error| RunsError::Store(error.to_string()))
        }
        Err(cause) => Err(fail("open the file of runs")(cause)),
    }
}

pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
