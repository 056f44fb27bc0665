//! Temp files: content on its way to a final name.
//!
//! Each lies in the folder of its final name, hidden, and holds a lock on itself as long as its process lives. The kernel
//! drops the lock when the process dies, however it dies, so a temp whose lock can be taken is rubbish and is swept by the
//! next run. No clock and no table of processes is asked: both lie across containers and network mounts.
//!
//! `tempfile` would save some 30 lines, those that create, rename and delete. Its random names cannot be told from those of a
//! person, and only names that nobody else issues may be swept; locks, full disks and file systems without links stay ours.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{OutputError, doing, full_or, is_full};
use super::fault::step;

/// Large enough that 35 MB need some dozens of calls; pieces above it go to the file without a copy.
pub(super) const BUFFER: usize = 1 << 20;

/// A sweeper or a process of the same id in another container can take a fresh name away, hardly twice in a row.
const MAX_TRIES: u32 = 100;

const PREFIX: &str = ".contexture-";
const SUFFIX: &str = ".tmp";

/// Deletes itself unless it was given a final name.
pub(super) struct Temp {
    path: PathBuf,
    /// What the content is to become, for messages: nobody knows the temp by its name.
    goal: PathBuf,
    file: File,
    named: bool,
}

impl Temp {
    pub(super) fn create(dir: &Path, goal: &Path) -> Result<Self, OutputError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for _ in 0..MAX_TRIES {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = dir.join(format!("{PREFIX}{}-{count}{SUFFIX}", std::process::id()));
            match step("create the temp file", || OpenOptions::new().write(true).create_new(true).open(&path)) {
                Ok(file) => {
                    let temp = Self { path, goal: goal.into(), file, named: false };
                    match locked(&temp.file) {
                        // A sweeper may have come between creation and lock: then the file has no name any more.
                        Ok(()) if same_file(&temp.file, &temp.path) => return Ok(temp),
                        Ok(()) | Err(TryLockError::WouldBlock) => {}
                        // Where nobody can lock, nobody can sweep either.
                        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                            return Ok(temp);
                        }
                        Err(TryLockError::Error(error)) => return Err(doing("lock the temp file of", goal, error)),
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(doing("create a file in", dir, error)),
            }
        }
        Err(doing("create a file in", dir, last))
    }

    /// Writes and syncs the content; gives its size.
    pub(super) fn fill(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u64, OutputError> {
        let bytes = pour(&self.file, &self.goal, write)?;
        step("sync the content", || self.file.sync_all()).map_err(|error| full_or("sync", &self.goal, bytes, error))?;
        Ok(bytes)
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Gives the content its final name, and fails with `AlreadyExists` rather than replace anything.
    pub(super) fn name_new(&mut self, path: &Path) -> io::Result<()> {
        match rename_new(&self.path, path) {
            Err(error) if lacks(&error) => match fs::hard_link(&self.path, path) {
                Ok(()) => {
                    let _ = fs::remove_file(&self.path);
                }
                // FAT has neither. The lock on the sequence keeps our own kind out between the look and the rename.
                Err(error) if lacks(&error) || error.kind() == io::ErrorKind::PermissionDenied => {
                    if fs::symlink_metadata(path).is_ok() {
                        return Err(io::ErrorKind::AlreadyExists.into());
                    }
                    fs::rename(&self.path, path)?;
                }
                Err(error) => return Err(error),
            },
            result => result?,
        }
        self.named = true;
        Ok(())
    }

    /// Gives the content its final name, in place of what has it now.
    pub(super) fn name_over(&mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.named = true;
        Ok(())
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        if !self.named {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Hands a buffered writer on the file to `write`. A full disk does not stop it: the rest is counted, so that the error can
/// say how many bytes are needed. An error is not lost either if `write` swallows it.
pub(super) fn pour(
    file: &File,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<u64, OutputError> {
    let mut out = BufWriter::with_capacity(BUFFER, Tally { file, bytes: 0, failed: None });
    let result = step("write the content", || write(&mut out)).and_then(|()| out.flush());
    // Taken apart without a further flush: after an error the rest of the buffer is of no use.
    let (tally, _) = out.into_parts();
    match (tally.failed, result) {
        (None, Ok(())) => Ok(tally.bytes),
        (Some(error), _) => Err(full_or("write", path, tally.bytes, error)),
        // Not the disk but the writer gave up.
        (None, Err(error)) => Err(doing("write", path, error)),
    }
}

pub(super) fn is_temp(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX))
        .and_then(|rest| rest.split_once('-'))
        .is_some_and(|(id, count)| [id, count].iter().all(|s| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit())))
}

fn locked(file: &File) -> Result<(), TryLockError> {
    step("lock the temp file", || Ok(())).map_err(TryLockError::Error)?;
    file.try_lock()
}

/// Deletes the temp files of dead processes. Best effort: what stays behind now is met again by the next run.
pub(super) fn sweep(temps: &[PathBuf]) {
    for path in temps {
        let Ok(file) = open_plain(path, Create::No) else { continue };
        // The name may belong to a newer file by now. While we hold the lock of the file that has the name, nobody else
        // removes it, so the answer stays true until we do.
        if file.try_lock().is_ok() && same_file(&file, path) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether a file that is not there is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Create {
    Yes,
    No,
}

/// Opens a regular file for reading and writing. A link or a pipe is refused: a repository can hold one under any of our
/// names, and following it would write to a file of its choice, or wait for ever.
pub fn open_plain(path: &Path, create: Create) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(create == Create::Yes);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Whether the name still leads to this open file.
#[cfg(unix)]
pub(super) fn same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |meta: fs::Metadata| (meta.dev(), meta.ino());
    matches!((file.metadata().map(id), fs::symlink_metadata(path).map(id)), (Ok(a), Ok(b)) if a == b)
}

/// Elsewhere an open file keeps its name: it cannot be removed while we hold it.
#[cfg(not(unix))]
pub(super) fn same_file(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_new(_from: &Path, _to: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The system or this file system does not know the call; `InvalidInput` is its answer to an unknown flag.
fn lacks(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

struct Tally<'a> {
    file: &'a File,
    bytes: u64,
    failed: Option<io::Error>,
}

impl Write for Tally<'_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            match self.file.write(buf) {
                Ok(count) => {
                    self.bytes += count as u64;
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => self.failed = Some(error),
            }
        }
        match &self.failed {
            Some(error) if !is_full(error) => Err(error.kind().into()),
            _ => {
                self.bytes += buf.len() as u64;
                Ok(buf.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
