//! The highest number ever issued in a namespace, in `.{namespace}.seq` beside the outputs.
//!
//! The file is the lock as well: who holds it chooses the next number. It has two slots, each in a disk block of its own
//! and with a checksum, and the older one is overwritten: a write torn by a power cut spoils a number that nobody has seen
//! and leaves the one before it. The file is changed in place because a lock sticks to the file, not to its name.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use contexture_core::{Note, Topic};

use super::error::{OutputError, doing, full_or};
use super::fault::step;
use super::folder;
use super::temp::{Create, open_plain, same_file};

/// The block of today's disks and file systems: a torn write stays within one.
const BLOCK: u64 = 4096;

/// `{20 digits} {16 hex digits}\n`.
const LINE: usize = 38;

/// Held: nobody else issues a number in this namespace.
pub(super) struct Sequence {
    dir: PathBuf,
    path: PathBuf,
    file: File,
    slots: [Slot; 2],
    notes: Vec<Note>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Blank,
    Holds(u64),
    Broken,
}

pub(super) fn file_name(namespace: &str) -> String {
    format!(".{namespace}.seq")
}

/// Waits until the sequence is ours. A process that dies lets go of it, by the kernel's hand.
pub(super) fn open(dir: &Path, namespace: &str) -> Result<Sequence, OutputError> {
    let path = dir.join(file_name(namespace));
    let file = loop {
        let file = step("open the sequence", || open_plain(&path, Create::Yes)).map_err(|error| {
            if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_file()) {
                OutputError::NotRegular(path.clone())
            } else {
                full_or("open the sequence", &path, BLOCK, error)
            }
        })?;
        step("lock the sequence", || wait(&file)).map_err(|error| doing("lock the sequence", &path, error))?;
        // The file may have been deleted while we waited; a lock on a file without a name keeps nobody out.
        if same_file(&file, &path) {
            break file;
        }
    };
    let slots = read(&file).map_err(|error| doing("read the sequence", &path, error))?;
    let mut sequence = Sequence { dir: dir.into(), path, file, slots, notes: Vec::new() };
    if slots.contains(&Slot::Broken) {
        sequence.notes.push(
            Note::new(Topic::Setting, "sequence file was damaged: numbers go on above the highest output found")
                .at(sequence.path.to_string_lossy())
                .hint("repaired; if newer outputs were deleted, their numbers may come back: `contexture runs list`"),
        );
    }
    Ok(sequence)
}

impl Sequence {
    /// The highest number on record, or 0.
    pub(super) fn issued(&self) -> u64 {
        self.slots.iter().map(|slot| if let Slot::Holds(number) = slot { *number } else { 0 }).max().unwrap_or(0)
    }

    /// Burns every number up to this one, durably.
    pub(super) fn record(&mut self, number: u64) -> Result<(), OutputError> {
        // On the first record nobody can know yet that the folder and the sequence's name are on disk. Whoever finds a
        // record relies on it.
        if self.slots == [Slot::Blank; 2] {
            folder::sync_ancestors(&self.dir)?;
        }
        let failed = |error| full_or("record the number", &self.path, BLOCK, error);
        let index = match self.slots {
            [Slot::Holds(a), Slot::Holds(b)] => usize::from(a > b),
            [Slot::Holds(_), _] => 1,
            [_, _] => 0,
        };
        if self.slots.contains(&Slot::Broken) && self.issued() == 0 {
            step("clear the sequence", || self.file.set_len(0)).map_err(failed)?;
            self.slots = [Slot::Blank; 2];
        }
        step("record the number", || store(&self.file, index, number)).map_err(failed)?;
        step("sync the sequence", || self.file.sync_data()).map_err(failed)?;
        if let Some(slot) = self.slots.get_mut(index) {
            *slot = Slot::Holds(number);
        }
        Ok(())
    }

    /// Lets the next one in.
    pub(super) fn release(self) -> Vec<Note> {
        self.notes
    }
}

fn wait(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

fn read(mut file: &File) -> io::Result<[Slot; 2]> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    // Somebody else's file may have this name and any size.
    file.take(BLOCK * 2).read_to_end(&mut bytes)?;
    let (first, second) = bytes.split_at(bytes.len().min(BLOCK as usize));
    Ok([parse(first), parse(second)])
}

fn store(mut file: &File, index: usize, number: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(index as u64 * BLOCK))?;
    file.write_all(format!("{number:020} {:016x}\n", check(number)).as_bytes())
}

fn parse(block: &[u8]) -> Slot {
    if block.iter().all(|&b| b == 0) {
        return Slot::Blank;
    }
    let number = || {
        let line = std::str::from_utf8(block.get(..LINE)?).ok()?;
        let (number, sum) = line.strip_suffix('\n')?.split_once(' ')?;
        let number = number.parse().ok()?;
        (u64::from_str_radix(sum, 16).ok()? == check(number)).then_some(number)
    };
    number().map_or(Slot::Broken, Slot::Holds)
}

/// FNV-1a: the sum is to find torn writes and stray edits, not forgers.
fn check(number: u64) -> u64 {
    number
        .to_le_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
