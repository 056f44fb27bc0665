//! A damaged store: its bytes are copied aside, and what can be read of it becomes a new one.

use super::sqlite::place::{self, Standing};
use super::sqlite::salvage::salvage;
use super::sqlite::{Sqlite, doing, settle};
use super::store::Result;
use super::{Fault, Loom};
use contexture_gather::outputs;
use contexture_gather::private_files::{beside, copy_new, folder, lock_file};
use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

mod mend;

/// What a repair saved and what it could not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repaired {
    /// Where the bytes lie as they were: the file, and its log if it had one.
    pub aside: Vec<PathBuf>,
    pub trees: u64,
    pub nodes: u64,
    /// What could not be read, and what had to be changed.
    pub lost: Vec<String>,
}

/// What SQLite keeps beside a file. The log may hold what is not in the file yet.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Refused while another process has the store open, and for files that are no stores. Where nothing can be saved, the file
/// stays.
pub fn repair(path: &Path, now: i64) -> Result<Repaired> {
    run(path, now).map_err(|error| match error.fault {
        Fault::NoStore(_) => error,
        _ => error.at(path),
    })
}

fn run(path: &Path, now: i64) -> Result<Repaired> {
    let called = path;
    let path = &place::real(called)?;
    // The log of a file without a byte may hold all there is.
    if place::standing(path)? != Standing::Store && !beside(path, "-wal").exists() {
        return Err(Fault::NoStore(called.into()).into());
    }
    let lock = lock_file(path).map_err(|cause| doing("lock the store", cause))?;
    lock.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => Fault::Busy,
        TryLockError::Error(cause) => Fault::Io { what: "lock the store", cause },
    })?;
    // SQLite writes to what it opens, so it is given a copy.
    let copy = hidden(path, "salvage");
    remove(&copy)?;
    for end in ["", "-wal"] {
        copy_new(&beside(path, end), &beside(&copy, end)).map_err(|cause| doing("copy the store", cause))?;
    }
    let saved = place::complete(&copy).map_err(|cause| doing("copy the store", cause)).and_then(|()| salvage(&copy));
    remove(&copy)?;
    let saved = saved?;
    let mut done = Repaired { aside: set_aside(path)?, ..Repaired::default() };

    let new = hidden(path, "repaired");
    remove(&new)?;
    let mut loom = Loom { store: Box::new(Sqlite::build(&new)?), path: new.clone(), now };
    mend::fill(&mut loom, saved, &mut done)?;
    drop(loom);
    if done.trees == 0
        && let (Some(cause), Some(aside)) = (done.lost.first(), done.aside.first())
    {
        remove(&new)?;
        return Err(Fault::Lost { cause: cause.clone(), aside: aside.clone() }.into());
    }
    settle(&new)?;
    remove_beside(&new)?;

    // The old log must be gone before the new file has its name: SQLite would play it into the new one.
    remove_beside(path)?;
    sync(path)?;
    fs::rename(&new, path).map_err(|cause| doing("put the new store in place", cause))?;
    sync(path)?;
    Ok(done)
}

/// Copies under a name that nothing has, on disk when this returns.
fn set_aside(path: &Path) -> Result<Vec<PathBuf>> {
    let fail = |cause| doing("copy the damaged store aside", cause);
    for number in 1u32.. {
        let aside = beside(path, &format!(".damaged-{number}"));
        if BESIDE.iter().any(|end| beside(&aside, end).exists()) {
            continue;
        }
        let mut made = Vec::new();
        for end in BESIDE {
            let to = beside(&aside, end);
            if copy_new(&beside(path, end), &to).map_err(fail)? {
                made.push(to);
            }
        }
        sync(path)?;
        return Ok(made);
    }
    Err(fail(io::ErrorKind::AlreadyExists.into()))
}

fn remove(path: &Path) -> Result<()> {
    remove_one(path)?;
    remove_beside(path)
}

fn remove_beside(path: &Path) -> Result<()> {
    ["-wal", "-shm"].iter().try_for_each(|end| remove_one(&beside(path, end)))
}

fn remove_one(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(doing("remove an old copy", error)),
        _ => Ok(()),
    }
}

fn sync(path: &Path) -> Result<()> {
    outputs::sync_folder(folder(path)).map_err(|error| Fault::Store(error.to_string()).into())
}

fn hidden(path: &Path, end: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{end}"))
}
