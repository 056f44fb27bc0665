//! Numbered outputs that are never torn, never replaced and never issued twice.
//!
//! Takes a folder, a namespace and a writer of content; gives `{namespace}_{NNN}.{extension}` in that folder, on disk for
//! good when [`publish`] returns. Also writes a file named by hand ([`write_atomic`]) and clears old outputs ([`prune`]).
//! Must not look into the content, and must not touch a file whose name it would not have issued itself.
//!
//! The order of steps is the whole design. The slow part comes first, outside any lock: the content goes to a hidden temp
//! file and is synced. Then, under a lock on the sequence file: choose the number, record it durably, give the temp its
//! final name without replacing anything. A process that dies in between burns a number; it never leaves half a file and
//! never lets a number come back. Last the folder is synced, and only then the caller hears of the file.

mod error;
mod fault;
mod folder;
mod name;
mod prune;
mod replace;
mod sequence;
mod temp;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use contexture_core::Note;

pub use error::OutputError;
pub use name::own_output;
pub(crate) use name::{EXTENSIONS, check_namespace};
pub use prune::{Keep, Pruned, prune};
pub use replace::{follow, write_atomic, write_private};

pub(crate) use folder::sync_names;
pub use folder::{sync as sync_folder, sync_ancestors};
pub use temp::{Create, open_plain};

use error::doing;
use fault::step;
use temp::Temp;

/// An output that survives a power cut from now on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    pub path: PathBuf,
    /// Given once, ever.
    pub number: u64,
    pub bytes: u64,
    /// Says that the sequence file was damaged and has been repaired.
    pub notes: Vec<Note>,
}

/// Whether a name in the folder of outputs is one of ours: an output, the sequence, a file being written.
pub fn is_ours(name: &str, namespace: &str) -> bool {
    own_output(name, namespace).is_some() || name == sequence::file_name(namespace) || temp::is_temp(name)
}

/// How often a taken name is stepped over. The number chosen under the lock is free in all but freak cases (a program
/// that ignores the lock, a folder that folds case), so a longer run means that something else is wrong.
const MAX_TAKEN: u32 = 1000;

/// Writes the content and issues the next number of the namespace to it. The number is one above the highest ever issued,
/// over all extensions; deleted, pruned and burnt numbers do not come back.
pub fn publish(
    dir: &Path,
    namespace: &str,
    extension: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Published, OutputError> {
    name::check_namespace(namespace)?;
    if !EXTENSIONS.contains(&extension) {
        return Err(OutputError::Extension(extension.into()));
    }
    folder::prepare(dir)?;
    let mut temp = Temp::create(dir, &dir.join(format!("{namespace}_NNN.{extension}")))?;
    let bytes = temp.fill(write)?;

    let mut sequence = sequence::open(dir, namespace)?;
    let seen = folder::scan(dir, namespace)?;
    let mut highest = sequence.issued().max(seen.highest);
    let mut taken = 0;
    let (path, number) = loop {
        let exhausted = || OutputError::Exhausted { path: dir.join(format!("{namespace}_{}", u64::MAX)) };
        let number = highest.checked_add(1).ok_or_else(exhausted)?;
        sequence.record(number)?;
        let path = dir.join(name::file_name(namespace, number, extension));
        match step("name the output", || temp.name_new(&path)) {
            Ok(()) => break (path, number),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && taken < MAX_TAKEN => taken += 1,
            Err(error) => return Err(doing("name the output", &path, error)),
        }
        highest = number;
    };
    let notes = sequence.release();

    if let Err(error) = folder::sync(dir) {
        // An error must mean that there is no output: a caller who tries again would otherwise leave two.
        let _ = std::fs::remove_file(&path);
        return Err(error);
    }
    drop(temp);
    temp::sweep(&seen.temps);
    Ok(Published { path, number, bytes, notes })
}
