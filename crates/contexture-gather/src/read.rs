//! Reads each file once, in parallel, and tells when it changed under the reading.
//!
//! Takes places inside the roots; gives bodies, sizes and hashes. Later rooms work on these and never on the disk.

use crate::decode::{DecodedKind, decode};
use crate::roots::{self, RootedPath, Roots};
use contexture_core::{Base, Body, ContentHash, Failure};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A file above this is not read whole. Ten mebibytes are some three million tokens, more than any model reads.
pub const FILE_CAP: u64 = 10 * 1024 * 1024;
/// What is read of a larger one, for its type and its shape.
const HEAD: usize = 64 * 1024;
/// How often a file that changed while it was read is read again.
const RETRIES: usize = 3;

#[derive(Clone)]
pub struct FileRead {
    pub body: Body,
    pub hash: Option<ContentHash>,
    pub size: u64,
    pub modified: i64,
    pub remark: Option<String>,
    pub unstable: bool,
}

impl FileRead {
    pub fn failed(failure: Failure) -> Self {
        Self { body: Body::Failed(failure), hash: None, size: 0, modified: 0, remark: None, unstable: false }
    }
}

pub fn read(roots: &Roots, place: &RootedPath) -> FileRead {
    let (file, data) = match roots.open_file(place) {
        Ok(open) => open,
        Err(failure) => return FileRead::failed(failure),
    };
    match read_open(file, data) {
        Ok(read) => read,
        Err(error) => FileRead::failed(roots::failure(&error)),
    }
}

fn read_open(mut file: File, mut before: Metadata) -> io::Result<FileRead> {
    if before.len() > FILE_CAP {
        return huge(&mut file, &before);
    }
    for attempt in 0.. {
        let bytes = read_bytes(&mut file, before.len())?;
        let after = file.metadata()?;
        let mut changed = !same(&before, &after) || bytes.len() as u64 != after.len();
        if !changed && is_fresh(&after) {
            // Times tell changes apart only by the tick of the system's clock, so what was just written is read again.
            file.seek(SeekFrom::Start(0))?;
            changed = read_bytes(&mut file, after.len())? != bytes;
        }
        if changed && attempt < RETRIES && after.len() <= FILE_CAP {
            before = after;
            file.seek(SeekFrom::Start(0))?;
            continue;
        }
        let hash = ContentHash::of(&bytes);
        let size = bytes.len() as u64;
        let decoded = decode(bytes);
        let body = match decoded.kind {
            DecodedKind::Text(text) => Body::Text { text, base: Base::NotAsked },
            DecodedKind::Binary(what) => Body::Binary { what },
        };
        let modified = seconds(&after);
        return Ok(FileRead { body, hash: Some(hash), size, modified, remark: decoded.remark, unstable: changed });
    }
    Err(io::Error::other("not reached"))
}

/// Reads what the file was said to hold, and what it grew by meanwhile, but never more than the cap.
fn read_bytes(file: &mut File, expected: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; expected as usize];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    // Files of /proc and the like say they are empty.
    if expected == 0 {
        file.take(FILE_CAP).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn huge(file: &mut File, data: &Metadata) -> io::Result<FileRead> {
    let mut head = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut head)?;
    end_at_character(&mut head);
    let decoded = decode(head);
    let body = match decoded.kind {
        DecodedKind::Text(head) => Body::Huge { head },
        DecodedKind::Binary(what) => Body::Binary { what },
    };
    Ok(FileRead {
        body,
        hash: None,
        size: data.len(),
        modified: seconds(data),
        remark: decoded.remark,
        unstable: false,
    })
}

/// The beginning of a file may end inside a character.
pub fn end_at_character(head: &mut Vec<u8>) {
    if let Err(error) = std::str::from_utf8(head)
        && error.error_len().is_none()
    {
        head.truncate(error.valid_up_to());
    }
}

/// Whether a file was written so lately that another write need not show in its times. Ticks are 10 ms at the longest.
/// This asks the clock, but the answer reaches no byte of a document: it only decides how carefully to read.
fn is_fresh(data: &Metadata) -> bool {
    const TICKS: Duration = Duration::from_millis(20);
    data.modified().is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age < TICKS))
}

fn same(before: &Metadata, after: &Metadata) -> bool {
    before.len() == after.len()
        && before.modified().ok() == after.modified().ok()
        && changed_at(before) == changed_at(after)
}

#[cfg(unix)]
pub fn changed_at(data: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (data.ctime(), data.ctime_nsec())
}

#[cfg(not(unix))]
pub fn changed_at(_: &Metadata) -> (i64, i64) {
    (0, 0)
}

pub fn seconds(data: &Metadata) -> i64 {
    match data.modified().map(|time| time.duration_since(UNIX_EPOCH)) {
        Ok(Ok(after)) => after.as_secs() as i64,
        Ok(Err(before)) => -(before.duration().as_secs() as i64),
        Err(_) => 0,
    }
}

/// What makes two names the same file: where it lies on the disk. Not when it changed: a file that is being written would
/// then be another one at every look, and a name that must stay out would not be known again.
pub type Identity = (u64, u64);

#[cfg(unix)]
pub fn identity(data: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
pub fn identity(_: &Metadata) -> Option<Identity> {
    None
}
