//! The file of a store: what stands at its path, told before anything is made or opened there.

use super::super::Fault;
use super::super::store::Result;
use super::{SCHEMA, connect_reading, doing};
use contexture_gather::outputs;
use contexture_gather::private_files::{folder, lock_file, lock_path, make_file, make_folder};
use rusqlite::ErrorCode;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Standing {
    Nothing,
    /// A file without a byte, which becomes a store.
    Empty,
    /// A store of ours, damaged or not.
    Store,
}

/// What every SQLite file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Where links lead: the lock and what SQLite keeps stand beside the file itself, whatever name it was called by.
pub(in super::super) fn real(path: &Path) -> Result<PathBuf> {
    outputs::follow(path).map_err(|cause| doing("open the store", cause))
}

/// Files of other programs and what is no file are refused.
pub(in super::super) fn standing(path: &Path) -> Result<Standing> {
    let fail = |cause| doing("open the store", cause);
    let meta = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Standing::Nothing),
        found => found.map_err(fail)?,
    };
    if !meta.is_file() {
        return Err(Fault::NotRegular.into());
    }
    let mut head = Vec::with_capacity(100);
    File::open(path).and_then(|file| file.take(100).read_to_end(&mut head)).map_err(fail)?;
    if head.is_empty() {
        return Ok(Standing::Empty);
    }
    // The lock is made before the first byte, so who sees a byte sees the lock.
    let has_magic = head.starts_with(MAGIC);
    if lock_path(path).exists() || (has_magic && number(&head, 68) == Some(SCHEMA.application)) {
        return Ok(Standing::Store);
    }
    let is_plain = has_magic && number(&head, 60) == Some(0) && number(&head, 68) == Some(0);
    if is_plain && is_ours(path)? { Ok(Standing::Store) } else { Err(Fault::Foreign.into()) }
}

/// Whether a file that does not say so itself is a store: one whose tables are all in its log still, or one without any.
fn is_ours(path: &Path) -> Result<bool> {
    let connection = connect_reading(path)?;
    let ask = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
    let application = ask("PRAGMA application_id");
    let tables = ask("SELECT count(*) FROM sqlite_schema");
    match application.and_then(|application| Ok((application, tables?))) {
        Ok((application, tables)) => Ok(application == SCHEMA.application || (application == 0 && tables == 0)),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Err(error.into()),
        Err(_) => Ok(false),
    }
}

fn number(head: &[u8], at: usize) -> Option<i64> {
    let bytes = head.get(at..at + 4)?.try_into().ok()?;
    Some(i64::from(u32::from_be_bytes(bytes)))
}

/// Makes a copy of a file whose last pages are missing one that SQLite reads: it holds as many pages as its head says.
pub(in super::super) fn complete(path: &Path) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    let mut file = File::options().read(true).write(true).open(path)?;
    let mut head = [0; 100];
    if file.read_exact(&mut head).is_err() || !head.starts_with(MAGIC) {
        return Ok(());
    }
    let size = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65_536,
        size if size >= 512 && size.is_power_of_two() => u64::from(size),
        _ => return Ok(()),
    };
    let (length, pages) = (file.metadata()?.len(), number(&head, 28).unwrap_or_default().cast_unsigned());
    if pages.saturating_mul(size) <= length {
        return Ok(());
    }
    // The number of pages is changed instead of the length: it may be damaged itself, and then say anything.
    let there = length.div_ceil(size);
    file.set_len(there * size)?;
    file.seek(SeekFrom::Start(28))?;
    file.write_all(&u32::try_from(there).unwrap_or(u32::MAX).to_be_bytes())
}

/// `None` where no lock can be made because nothing can be written there: then nobody else writes either, or may.
pub(super) fn shared_lock(path: &Path) -> Result<Option<File>> {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let fail = |cause| doing("lock the store", cause);
    let file = match lock_file(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
            let place = lock_path(path);
            let is_file = fs::symlink_metadata(&place).is_ok_and(|meta| meta.is_file());
            match File::open(place) {
                Ok(file) if is_file => file,
                _ => return Ok(None),
            }
        }
        Err(error) => return Err(fail(error)),
    };
    file.lock_shared().map_err(fail)?;
    Ok(Some(file))
}

/// The file and its folder, for their owner alone, before SQLite opens it.
pub(super) fn make_private(path: &Path, is_durable: bool) -> Result<()> {
    let dir = folder(path);
    make_folder(dir).map_err(|cause| doing("make the folder of the store", cause))?;
    if !path.exists() {
        make_file(path).map_err(|cause| doing("make the store", cause))?;
        if is_durable {
            outputs::sync_ancestors(dir).map_err(|error| Fault::Store(error.to_string()))?;
        }
    }
    Ok(())
}
