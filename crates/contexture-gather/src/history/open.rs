//! What is being changed: files of the work tree that differ from the head.
//!
//! Takes the repository and the roots; gives paths. Git's index says which size and time each file had when it was last
//! known to be the index's; only files with another are read and hashed. Unlike git, nothing else is compared: a copied
//! work tree has other owners, inodes and times of change, and would be read whole each time. Filters (line ends, large
//! files kept elsewhere) are not applied, because a repository names them: a filtered file that was touched counts as
//! changed until git has looked at it again.

use crate::FILE_CAP;
use crate::git::{GitError, Index, Repo, Stamp, Tracked};
use crate::names;
use crate::roots::{RootedPath, Roots};
use cap_std::fs::Dir;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, ErrorKind, Read};

/// What may be hashed. Where more has another time than git remembers, the work tree was copied, not edited.
const HASH_CAP: u64 = 500 * 1024 * 1024;

/// The paths that differ, and all that git tracks, sorted.
pub fn paths(repo: &Repo, head: &str, roots: &Roots) -> Result<(Vec<String>, Vec<String>), GitError> {
    let index = repo.index(head)?;
    let (staged, edited) = rayon::join(|| repo.staged_paths(head), || edited_paths(&index, roots));
    let staged = staged.unwrap_or_else(|error| {
        tracing::debug!(%error, "what is staged is not known");
        Vec::new()
    });
    let Index { files, conflicts, others, .. } = index;
    let open: BTreeSet<String> = staged.into_iter().chain(edited).chain(conflicts.iter().cloned()).collect();
    let mut tracked: Vec<String> = files.into_iter().map(|file| file.path).chain(conflicts).chain(others).collect();
    tracked.sort_unstable();
    tracked.dedup();
    Ok((open.into_iter().collect(), tracked))
}

/// Tracked files whose bytes are not the index's, or that are gone.
fn edited_paths(index: &Index, roots: &Roots) -> Vec<String> {
    let mut folders: BTreeMap<&str, Vec<&Tracked>> = BTreeMap::new();
    for file in &index.files {
        folders.entry(file.path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default().push(file);
    }
    let looks: Vec<(&Tracked, FileComparison)> = folders
        .par_iter()
        .flat_map_iter(|(folder, files)| {
            let folder = roots.open_folder(&place(folder));
            let looks: Vec<_> =
                files.iter().map(|file| (*file, compare_metadata(folder.as_ref(), file, index.written))).collect();
            looks
        })
        .collect();
    let mut open: Vec<String> = Vec::new();
    let (mut unsure, mut bytes) = (Vec::new(), 0);
    for (file, look) in looks {
        match look {
            FileComparison::Same => {}
            FileComparison::Differs => open.push(file.path.clone()),
            FileComparison::Unsure(size) => {
                bytes += size;
                unsure.extend((bytes <= HASH_CAP).then_some(file));
            }
        }
    }
    open.par_extend(unsure.into_par_iter().filter(|file| differs(file, roots)).map(|file| file.path.clone()));
    open
}

enum FileComparison {
    Same,
    Differs,
    /// To be read: this many bytes.
    Unsure(u64),
}

/// What size and time say. Errors other than absence say nothing.
fn compare_metadata(folder: Result<&Dir, &Error>, file: &Tracked, written: Stamp) -> FileComparison {
    let name = file.path.rsplit_once('/').map_or(file.path.as_str(), |(_, name)| name);
    let meta = match folder.map(|folder| folder.symlink_metadata(names::original_path(name))) {
        Ok(Ok(meta)) if meta.is_file() => meta,
        Ok(Ok(_)) => return FileComparison::Differs,
        Ok(Err(error)) => return compare_absence(&error),
        Err(error) => return compare_absence(error),
    };
    let modified = meta.modified().ok().and_then(|time| Stamp::of(time.into_std()));
    let same_size = meta.len() as u32 == file.size;
    let settled = if file.modified.nanos == 0 || written.nanos == 0 {
        file.modified.seconds < written.seconds
    } else {
        file.modified < written
    };
    let same_time = modified.is_some_and(|time| {
        time.seconds == file.modified.seconds && (file.modified.nanos == 0 || time.nanos == file.modified.nanos)
    });
    let large = meta.len() > FILE_CAP;
    // Git writes no size where it knew a file to be edited while the index was written.
    if !same_size && file.size != 0 {
        FileComparison::Differs
    } else if same_size && same_time && (settled || large) {
        FileComparison::Same
    } else if large {
        // Touched, and more than is ever read.
        FileComparison::Differs
    } else {
        FileComparison::Unsure(meta.len())
    }
}

fn compare_absence(error: &Error) -> FileComparison {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => FileComparison::Differs,
        _ => FileComparison::Same,
    }
}

fn differs(file: &Tracked, roots: &Roots) -> bool {
    let Ok((opened, _)) = roots.open_file(&place(&file.path)) else { return false };
    let mut bytes = Vec::new();
    opened.take(FILE_CAP).read_to_end(&mut bytes).is_ok() && !file.is(&bytes)
}

fn place(path: &str) -> RootedPath {
    RootedPath { root: 0, rel: names::original_path(path) }
}
