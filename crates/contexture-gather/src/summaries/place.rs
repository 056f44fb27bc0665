//! Where the file of a store is, who may use it, and where it goes when it is damaged.

use super::{Result, SummaryError};
use crate::outputs;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Whoever sets a file aside is done sooner; whoever holds the lock longer works with the file.
const PATIENCE: Duration = Duration::from_secs(2);

pub struct Place {
    pub path: PathBuf,
}

impl Place {
    /// The file in its folder, both for their owner alone.
    pub fn make(dir: &Path, name: &str) -> Result<Self> {
        let path = dir.join(name);
        if !dir.is_dir() {
            let mut builder = fs::DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(dir).map_err(doing("make the folder of the store of summaries"))?;
        }
        if !path.exists() {
            private_file(&path)?;
            outputs::sync_ancestors(dir).map_err(|error| SummaryError::Store(error.to_string()))?;
        }
        Ok(Self { path })
    }

    /// Held by everyone who works with the file. `None` where nothing can be written: then nobody sets it aside either.
    pub fn lock_shared(&self) -> Result<Option<File>> {
        let Ok(file) = self.lock_file() else { return Ok(None) };
        let start = Instant::now();
        loop {
            match file.try_lock_shared() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => wait(),
                Err(TryLockError::WouldBlock) => return Err(SummaryError::Busy),
                Err(TryLockError::Error(cause)) => return Err(doing("lock the store of summaries")(cause)),
            }
        }
    }

    /// Held by the one who sets it aside.
    pub fn lock_alone(&self) -> Result<File> {
        let file = self.lock_file().map_err(doing("lock the store of summaries"))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => wait(),
                Err(TryLockError::WouldBlock) => return Err(SummaryError::Busy),
                Err(TryLockError::Error(cause)) => return Err(doing("lock the store of summaries")(cause)),
            }
        }
    }

    /// Gives the file, and what SQLite keeps beside it, a name that nothing has. Nothing is removed.
    pub fn set_aside(&self) -> Result<PathBuf> {
        let fail = doing("set the damaged store of summaries aside");
        let free = (1_u64..).map(|number| beside(&self.path, &format!(".damaged-{number}")));
        let Some(aside) = free.into_iter().find(|path| path.symlink_metadata().is_err()) else {
            return Err(fail(io::ErrorKind::AlreadyExists.into()));
        };
        // The log first: with the file gone and the log still there, the log would be taken for that of a new file.
        for end in ["-wal", "-shm", ""] {
            match fs::rename(beside(&self.path, end), beside(&aside, end)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                done => done.map_err(&fail)?,
            }
        }
        private_file(&self.path)?;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        outputs::sync_folder(folder).map_err(|error| SummaryError::Store(error.to_string()))?;
        Ok(aside)
    }

    /// The file of the lock stays: who removed it would let two in at once.
    fn lock_file(&self) -> io::Result<File> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let place = self.path.with_file_name(format!(".{name}.lock"));
        if !place.exists() {
            make_private(&place)?;
        }
        outputs::open_plain(&place, outputs::Create::Yes)
    }
}

/// Makes a file for its owner alone, unless one is there.
pub fn private_file(path: &Path) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    make_private(path).map_err(doing("make the store of summaries"))
}

fn make_private(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn doing(what: &'static str) -> impl Fn(io::Error) -> SummaryError {
    move |cause| SummaryError::Io { what, cause }
}

fn wait() {
    std::thread::sleep(Duration::from_millis(5));
}
