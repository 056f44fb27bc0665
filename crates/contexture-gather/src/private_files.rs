//! Files for their owner alone: made, locked and copied.
//!
//! Takes paths; gives files that nobody else may read. What is in them is the matter of those who asked.

use crate::outputs;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a file.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A path with more at its end, such as the log that SQLite keeps beside a file.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Makes a folder and those above it, unless they are there.
pub fn make_folder(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Makes an empty file, unless one is there.
pub fn make_file(path: &Path) -> io::Result<()> {
    private(OpenOptions::new().append(true).create(true)).open(path).map(drop)
}

/// The file beside `path` that is locked in its place. It stays: who removed it would let two in at once.
pub fn lock_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.lock"))
}

/// Opens the file to lock, making it where there is none.
pub fn lock_file(path: &Path) -> io::Result<File> {
    let place = lock_path(path);
    if !place.exists() {
        make_file(&place)?;
    }
    outputs::open_plain(&place, outputs::Create::Yes)
}

/// Copies a file under a name that nothing has, on disk when this returns. `false` when there is nothing to copy.
pub fn copy_new(from: &Path, to: &Path) -> io::Result<bool> {
    let mut source = match File::open(from) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut target = private(OpenOptions::new().write(true).create_new(true)).open(to)?;
    let copied = io::copy(&mut source, &mut target).and_then(|_| target.sync_all());
    if copied.is_err() {
        // Half a copy would pass for the whole.
        let _ = fs::remove_file(to);
    }
    copied.map(|()| true)
}

/// Elsewhere a file inherits the rights of its folder.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
