//! What git last saw in the work tree: its index.
//!
//! Takes the repository; gives the files that are tracked below the root with their ids, sizes and times, and the paths
//! at which the index and a commit differ. The file is read here and not by git, because git would refresh it and run
//! the filters that a repository may name. It is a stranger's file: nothing in it is trusted to be consistent.

use super::files::{GitFile, read};
use super::{GitError, Repo, objects};
use std::ffi::OsString;
use std::time::{SystemTime, UNIX_EPOCH};

/// Some 600,000 files.
const INDEX_CAP: u64 = 64 * 1024 * 1024;

/// The longest path that can be opened on Linux, and what all paths may take together. Version 4 writes a path as its
/// difference from the one before, so that a small file could otherwise unfold to any size.
const PATH_CAP: usize = 4096;
const PATHS_CAP: usize = 256 * 1024 * 1024;

const OPTIONS: [&str; 9] = [
    "--cached",
    "-z",
    "--name-only",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-relative",
    "--ignore-submodules=all",
    "-O/dev/null",
];

/// The files git tracks below the root.
#[derive(Debug, Default)]
pub struct Index {
    /// When it was written. A file with this time or a later one may have changed since without showing it.
    pub written: Stamp,
    pub files: Vec<Tracked>,
    /// Paths in the midst of a merge, once for each side.
    pub conflicts: Vec<String>,
    /// What else is tracked: links, submodules, files that are not checked out or that git is told not to look at.
    pub others: Vec<String>,
}

/// A regular file that should be there.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Raw: most are never looked at.
    oid: Vec<u8>,
    pub modified: Stamp,
    /// The lowest 32 bits of its length on disk.
    pub size: u32,
}

impl Tracked {
    /// Whether these are the bytes that the index has.
    pub fn is(&self, bytes: &[u8]) -> bool {
        let oid = objects::hex(&self.oid);
        objects::blob_oid(bytes, oid.len()) == oid
    }
}

/// A time as the index has it: seconds in 32 bits. Nanoseconds may not be known and are then 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    pub seconds: u32,
    pub nanos: u32,
}

impl Stamp {
    /// `None` before 1970.
    pub fn of(time: SystemTime) -> Option<Self> {
        let since = time.duration_since(UNIX_EPOCH).ok()?;
        Some(Self { seconds: since.as_secs() as u32, nanos: since.subsec_nanos() })
    }
}

impl Repo {
    /// The index, for a repository whose ids have the length of `head`.
    pub(crate) fn index(&self, head: &str) -> Result<Index, GitError> {
        let unread = |detail: &str| GitError::Failed { command: "diff-index", detail: detail.into() };
        let GitFile::File(bytes, written) = read(self.git.git_dir(), "index", INDEX_CAP) else {
            return Err(unread("there is no index that can be read"));
        };
        let mut index = self.parse(&bytes, head.len() / 2).ok_or_else(|| unread("the index is not understood"))?;
        index.written = written.and_then(Stamp::of).unwrap_or_default();
        Ok(index)
    }

    /// The paths below the root at which the index and a commit differ. No file of the work tree is looked at.
    pub(crate) fn staged_paths(&self, head: &str) -> Result<Vec<String>, GitError> {
        let mut args: Vec<OsString> = OPTIONS.map(OsString::from).to_vec();
        args.extend(["--end-of-options".into(), head.into(), "--".into()]);
        if !self.prefix.is_empty() {
            args.push(self.prefix.clone());
        }
        let listing = self.with_short_patience().run("diff-index", args, Vec::new())?.or_fail("diff-index")?;
        Ok(listing.split(|byte| *byte == 0).filter_map(|path| self.below_root(path)).collect())
    }

    fn parse(&self, bytes: &[u8], oid_len: usize) -> Option<Index> {
        let mut rest = Bytes(bytes.get(..bytes.len().checked_sub(oid_len)?)?);
        (rest.take(4)? == b"DIRC").then_some(())?;
        let version = rest.u32().filter(|version| (2..=4).contains(version))?;
        let count = rest.u32()?;
        let (mut index, mut name, mut held) = (Index::default(), Vec::new(), 0);
        for _ in 0..count {
            let start = rest.0.len();
            let entry = IndexEntry::read(&mut rest, version, oid_len)?;
            if version == 4 {
                let kept = name.len().checked_sub(rest.varint()?)?;
                name.truncate(kept);
            } else {
                name.clear();
            }
            name.extend_from_slice(rest.until_zero()?);
            if version < 4 {
                // Filled up to a multiple of eight, the zero byte included.
                rest.take((8 - (start - rest.0.len()) % 8) % 8)?;
            }
            held += name.len();
            if name.len() > PATH_CAP || held > PATHS_CAP {
                return None;
            }
            if let Some(path) = self.below_root(&name) {
                index.add(path, entry);
            }
        }
        understood(rest).then_some(index)
    }
}

impl Index {
    fn add(&mut self, path: String, entry: IndexEntry) {
        if entry.stage != 0 {
            self.conflicts.push(path);
        } else if entry.mode & 0o170_000 == 0o100_000 && !entry.ignored {
            let IndexEntry { oid, modified, size, .. } = entry;
            self.files.push(Tracked { path, oid, modified, size });
        } else {
            self.others.push(path);
        }
    }
}

/// What stands before the name of an entry.
struct IndexEntry {
    modified: Stamp,
    mode: u32,
    size: u32,
    oid: Vec<u8>,
    stage: u16,
    /// Assumed unchanged by the user, or not checked out.
    ignored: bool,
}

impl IndexEntry {
    fn read(rest: &mut Bytes<'_>, version: u32, oid_len: usize) -> Option<Self> {
        // When its state changed.
        rest.take(8)?;
        let modified = Stamp { seconds: rest.u32()?, nanos: rest.u32()? };
        // Device and inode.
        rest.take(8)?;
        let mode = rest.u32()?;
        // Owner and group.
        rest.take(8)?;
        let size = rest.u32()?;
        let oid = rest.take(oid_len)?.to_vec();
        let flags = rest.u16()?;
        let more = if version >= 3 && flags & 0x4000 != 0 { rest.u16()? } else { 0 };
        let ignored = flags & 0x8000 != 0 || more & 0x4000 != 0;
        Some(Self { modified, mode, size, oid, stage: (flags >> 12) & 3, ignored })
    }
}

/// Extensions with a small first letter change what the entries mean. Folders as entries (`sdir`) are not checked out
/// and therefore of no interest; an index that is only a part (`link`) cannot be used.
fn understood(mut rest: Bytes<'_>) -> bool {
    while !rest.0.is_empty() {
        let (Some(name), Some(length)) = (rest.take(4), rest.u32()) else { return false };
        let optional = name.first().is_some_and(u8::is_ascii_uppercase);
        if !(optional || name == b"sdir") || rest.take(length as usize).is_none() {
            return false;
        }
    }
    true
}

/// What is still to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn until_zero(&mut self) -> Option<&'a [u8]> {
        let text = self.take(memchr::memchr(0, self.0)?)?;
        self.take(1)?;
        Some(text)
    }

    /// Seven bits a byte, the highest first; each further byte adds one, so that no number is written in two ways.
    fn varint(&mut self) -> Option<usize> {
        let mut value = 0usize;
        // Four bytes are more than any path needs.
        for _ in 0..4 {
            let byte = self.take(1)?.first().copied()?;
            value = (value << 7) | usize::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value += 1;
        }
        None
    }
}
