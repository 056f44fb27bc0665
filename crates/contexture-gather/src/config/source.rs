//! The configuration file on disk: read whole and bounded, or replaced whole and durably.
//!
//! Gives text or a [`ConfigError`] that names the file as the person knows it. Understands nothing of the text.

use super::error::{ConfigError, SourceText};
use crate::names;
use crate::outputs::sync_names;
use crate::private_files::folder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A composition of 100,000 entries takes about 3 MiB; what is larger is no configuration.
const LIMIT: u64 = 4 * 1024 * 1024;

/// The text of a file; `None` when there is none. `shown` is what messages call it.
pub(super) fn read(path: &Path, shown: &str) -> Result<Option<String>, ConfigError> {
    let failed = |cause: String| SourceText::named(shown).failed(cause);
    let unreadable = |error: io::Error| failed(format!("cannot be read: {}", cause(&error)));
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let about = file.metadata().map_err(unreadable)?;
    if about.is_dir() {
        return Err(failed("is a folder, not a file".into()));
    }
    if !about.is_file() {
        return Err(failed("is not a regular file".into()));
    }
    let mut bytes = Vec::new();
    file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LIMIT {
        return Err(failed(format!("is too large for a configuration file: more than {} MiB", LIMIT / 1024 / 1024)));
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let line = error.as_bytes().iter().take(error.utf8_error().valid_up_to()).filter(|b| **b == b'\n').count() + 1;
        let mut found = failed(format!("is not UTF-8: line {line}"));
        found.hint = Some("save the file as UTF-8".into());
        found
    })
}

/// Puts `text` in the place of the file, so that whoever reads sees the old or the new text, also after a power loss.
///
/// A link stays a link: the file it points to is replaced. Permissions are kept. A missing folder is made.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let target = fs::canonicalize(path).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(path.to_owned()),
        _ => Err(error),
    })?;
    let folder = folder(&target);
    make_folder(folder)?;
    let (temporary, mut file) = temporary(&target, folder)?;
    let published = (|| {
        // Before the text, so that nobody reads what the old file kept from them.
        match fs::metadata(&target) {
            Ok(old) => file.set_permissions(old.permissions())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, &target)?;
        sync_names(folder)
    })();
    if published.is_err() {
        // After a rename there is nothing left to remove, and a second failure would hide the first.
        let _ = fs::remove_file(&temporary);
    }
    published
}

/// Reads, edits and replaces a file while no other process does the same, so that no acknowledged edit is lost.
///
/// A missing file is edited as an empty one. Gives whether the text changed; on an error nothing is written.
pub fn edit_file(path: &Path, edit: impl FnOnce(&str) -> Result<String, ConfigError>) -> Result<bool, ConfigError> {
    edit_checked(path, edit, |_| Ok(()))
}

/// The same, if `check` has nothing against the text that would be written, changed or not.
pub fn edit_checked<E: From<ConfigError>>(
    path: &Path,
    edit: impl FnOnce(&str) -> Result<String, ConfigError>,
    check: impl FnOnce(&str) -> Result<(), E>,
) -> Result<bool, E> {
    let shown = path.display().to_string();
    let failed = |error: io::Error| SourceText::named(&shown).failed(format!("cannot be written: {}", cause(&error)));
    let folder = folder(path);
    make_folder(folder).map_err(failed)?;
    // The lock is on the folder because a rename replaces the file. Where folders cannot be locked, edits are still
    // atomic, and of two at the same moment the later one holds.
    let lock = File::open(folder).ok();
    if lock.as_ref().is_some_and(|lock| lock.lock().is_ok()) {
        sweep(path, folder);
    }
    let old = read(path, &shown)?.unwrap_or_default();
    let new = edit(&old).map_err(|mut error| {
        // An error without a line is about what was asked for, not about the file.
        if error.place.is_empty() && error.line.is_some() {
            error.place.clone_from(&shown);
        }
        error
    })?;
    check(&new)?;
    if new == old {
        return Ok(false);
    }
    write_file(path, &new).map_err(failed)?;
    Ok(true)
}

/// Without waiting: a FIFO would block an ordinary open until someone writes to it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

/// Makes a folder and those above it, each durably: a file in a folder that is lost is lost too.
fn make_folder(dir: &Path) -> io::Result<()> {
    let above = dir.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists());
    let missing: Vec<&Path> = above.map(folder).collect();
    fs::create_dir_all(dir)?;
    missing.into_iter().try_for_each(sync_names)
}

/// A new file beside the target.
fn temporary(target: &Path, folder: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(names::unfinished(&name, std::process::id(), number));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Takes away what edits left behind that were killed. Under the lock there is no other edit.
fn sweep(target: &Path, folder: &Path) {
    let own = format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_own = entry.file_name().to_string_lossy().starts_with(&own) && names::is_unfinished(&path);
        if is_own && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let _ = fs::remove_file(path);
        }
    }
}

/// In lower case and without the number of the error.
fn cause(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::NotFound => "not found".into(),
        _ => error.to_string(),
    }
}
