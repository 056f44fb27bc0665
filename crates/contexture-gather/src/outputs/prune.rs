//! Clears old outputs of one namespace. Never a name that we would not have issued, never the sequence.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use contexture_core::Note;

use super::error::{OutputError, doing};
use super::fault::step;
use super::{folder, name, sequence, temp};

/// Which outputs stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// The outputs with the highest numbers.
    Newest(u64),
    /// The outputs changed within so many days.
    Days(u64),
}

/// What was cleared away.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pruned {
    /// In the order of their numbers.
    pub removed: Vec<PathBuf>,
    pub kept: usize,
    /// Says that the sequence file was damaged and has been repaired.
    pub notes: Vec<Note>,
}

/// `now` is in seconds since 1970. A folder that does not exist has nothing to clear.
pub fn prune(dir: &Path, namespace: &str, keep: Keep, now: i64) -> Result<Pruned, OutputError> {
    name::check_namespace(namespace)?;
    let outputs = match list(dir, namespace) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Pruned::default()),
        result => result.map_err(|error| doing("list the folder", dir, error))?,
    };
    let (removed, kept) = divide(outputs, keep, now);
    let mut pruned = Pruned { removed: Vec::new(), kept, notes: Vec::new() };
    if removed.is_empty() {
        return Ok(pruned);
    }

    // The names are about to go, so their numbers must be on record first: the folder may come from another machine or an
    // older tool, without a sequence.
    let mut sequence = sequence::open(dir, namespace)?;
    let seen = folder::scan(dir, namespace)?;
    if sequence.issued() < seen.highest {
        sequence.record(seen.highest)?;
    }
    pruned.notes = sequence.release();

    // Oldest first: if it ends halfway, the newest are still there.
    for output in removed {
        match step("remove an output", || fs::remove_file(&output.path)) {
            Ok(()) => pruned.removed.push(output.path),
            // Somebody else was quicker.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(doing("remove", &output.path, error)),
        }
    }
    folder::sync(dir)?;
    temp::sweep(&seen.temps);
    Ok(pruned)
}

struct NumberedOutput {
    number: u64,
    path: PathBuf,
    changed: i64,
}

/// Our outputs in the order of their numbers; links and folders under such a name are not ours.
fn list(dir: &Path, namespace: &str) -> io::Result<Vec<NumberedOutput>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(number) = name.to_str().and_then(|name| name::own_output(name, namespace)) else { continue };
        match entry.metadata() {
            Ok(meta) if meta.is_file() => {
                found.push(NumberedOutput { number, path: entry.path(), changed: seconds(&meta)? });
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    found.sort_by(|a, b| (a.number, &a.path).cmp(&(b.number, &b.path)));
    Ok(found)
}

/// What goes, and how many files stay.
fn divide(outputs: Vec<NumberedOutput>, keep: Keep, now: i64) -> (Vec<NumberedOutput>, usize) {
    let total = outputs.len();
    let removed: Vec<NumberedOutput> = match keep {
        Keep::Newest(count) => {
            // A number stays or goes as a whole, should it have files of several extensions.
            let mut numbers: Vec<u64> = outputs.iter().map(|output| output.number).collect();
            numbers.dedup();
            let gone = numbers.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
            let first_kept = numbers.get(gone).copied();
            outputs.into_iter().take_while(|output| first_kept.is_none_or(|first| output.number < first)).collect()
        }
        Keep::Days(days) => {
            let span = i64::try_from(days).unwrap_or(i64::MAX).saturating_mul(24 * 60 * 60);
            let oldest = now.saturating_sub(span);
            outputs.into_iter().filter(|output| output.changed < oldest).collect()
        }
    };
    let kept = total - removed.len();
    (removed, kept)
}

fn seconds(meta: &fs::Metadata) -> io::Result<i64> {
    let changed = meta.modified()?;
    Ok(match changed.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
    })
}
