//! Where the file of a store is, who may use it, and where it goes when it is damaged.

use super::{Result, SummaryError};
use crate::outputs;
use crate::private_files::{beside, folder, lock_file, make_file, make_folder};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Whoever sets a file aside is done sooner; whoever holds the lock longer works with the file.
const PATIENCE: Duration = Duration::from_secs(2);

pub struct StoreFile {
    pub path: PathBuf,
}

impl StoreFile {
    /// The file in its folder, both for their owner alone.
    pub fn make(dir: &Path, name: &str) -> Result<Self> {
        let path = dir.join(name);
        make_folder(dir).map_err(doing("make the folder of the store of summaries"))?;
        if !path.exists() {
            private_file(&path)?;
            outputs::sync_ancestors(dir).map_err(|error| SummaryError::Store(error.to_string()))?;
        }
        Ok(Self { path })
    }

    /// Held by everyone who works with the file. `None` where nothing can be written: then nobody sets it aside either.
    pub fn lock_shared(&self) -> Result<Option<File>> {
        let Ok(file) = lock_file(&self.path) else { return Ok(None) };
        wait_for(|| file.try_lock_shared())?;
        Ok(Some(file))
    }

    /// Held by the one who sets it aside.
    pub fn lock_alone(&self) -> Result<File> {
        let file = lock_file(&self.path).map_err(doing("lock the store of summaries"))?;
        wait_for(|| file.try_lock())?;
        Ok(file)
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
        outputs::sync_folder(folder(&self.path)).map_err(|error| SummaryError::Store(error.to_string()))?;
        Ok(aside)
    }
}

/// Makes a file for its owner alone, unless one is there.
pub fn private_file(path: &Path) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    make_file(path).map_err(doing("make the store of summaries"))
}

fn wait_for(lock: impl Fn() -> std::result::Result<(), TryLockError>) -> Result<()> {
    let start = Instant::now();
    loop {
        match lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return Err(SummaryError::Busy),
            Err(TryLockError::Error(cause)) => return Err(doing("lock the store of summaries")(cause)),
        }
    }
}

fn doing(what: &'static str) -> impl Fn(io::Error) -> SummaryError {
    move |cause| SummaryError::Io { what, cause }
}
