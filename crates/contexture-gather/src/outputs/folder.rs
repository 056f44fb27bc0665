//! The folder of the outputs: made, ignored by git, listed, synced.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::{OutputError, doing};
use super::fault::step;
use super::temp::Temp;
use super::{name, temp};

/// What one listing of the folder tells.
pub(super) struct FolderListing {
    /// The highest number in a name of the namespace, or 0.
    pub highest: u64,
    /// Names of temp files, alive or dead.
    pub temps: Vec<PathBuf>,
}

/// Makes the folder if it is missing. A folder of our own making ignores itself in git, and so does the default folder,
/// even if somebody else made it; another folder of the user is left as it is.
pub(super) fn prepare(dir: &Path) -> Result<(), OutputError> {
    let made = make(dir).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            doing("make the folder", dir, io::Error::new(error.kind(), "something else has this name"))
        }
        _ => doing("make the folder", dir, error),
    })?;
    let ignore = dir.join(".gitignore");
    if (made || dir.ends_with(".contexture/out")) && fs::symlink_metadata(&ignore).is_err() {
        let mut temp = Temp::create(dir, &ignore)?;
        temp.fill(|out| out.write_all(b"*\n"))?;
        match step("name the ignore file", || temp.name_new(&ignore)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(doing("write the ignore file", &ignore, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// One pass over the names; the content of no file is looked at. Names that are no text cannot be ours.
pub(super) fn scan(dir: &Path, namespace: &str) -> Result<FolderListing, OutputError> {
    let list = |error| doing("list the folder", dir, error);
    step("list the folder", || Ok(())).map_err(list)?;
    let mut seen = FolderListing { highest: 0, temps: Vec::new() };
    for entry in fs::read_dir(dir).map_err(list)? {
        let name = entry.map_err(list)?.file_name();
        let Some(name) = name.to_str() else { continue };
        if let Some(number) = name::looks_like(name, namespace) {
            seen.highest = seen.highest.max(number);
        } else if temp::is_temp(name) {
            seen.temps.push(dir.join(name));
        }
    }
    Ok(seen)
}

/// Makes new and removed names in the folder durable.
pub fn sync(dir: &Path) -> Result<(), OutputError> {
    step("sync the folder", || sync_names(dir)).map_err(|error| doing("sync the folder", dir, error))
}

/// Makes the folder itself durable: its name in its parent, the parent's name in the next, and so on. Another process may
/// have made any of them a moment ago and not have synced it yet, so all are done, once per namespace.
pub fn sync_ancestors(dir: &Path) -> Result<(), OutputError> {
    for folder in dir.ancestors() {
        match step("sync the parents", || sync_names(folder)) {
            Ok(()) => {}
            // A folder that may not be read, or that cannot change, was not made a moment ago.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {}
            Err(error) => return Err(doing("sync the folder", folder, error)),
        }
    }
    Ok(())
}

/// Says whether this call made the folder.
fn make(dir: &Path) -> io::Result<bool> {
    if dir.is_dir() {
        return Ok(false);
    }
    if let Some(parent) = dir.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent)?;
    }
    match fs::create_dir(dir) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && dir.is_dir() => Ok(false),
        Err(error) => Err(error),
    }
}

/// The same without a place for tests to fail at.
#[cfg(unix)]
pub fn sync_names(dir: &Path) -> io::Result<()> {
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    match File::open(dir)?.sync_all() {
        // Some network file systems cannot sync a folder; they have nothing that could be lost by it either.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

/// Elsewhere a folder cannot be opened as a file; names are made durable by the file system's own journal.
#[cfg(not(unix))]
pub fn sync_names(_dir: &Path) -> io::Result<()> {
    Ok(())
}
