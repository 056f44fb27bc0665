//! What a walk sees of a root: folders to watch, and which of some paths the project could show.
//!
//! Takes a root and where to look; asks [`walk`] itself, so that what is told is what documents show. Paths are absolute.

use crate::ignored::rule_for;
use crate::roots::{RootedPath, Roots};
use crate::walk::{WalkOptions, Within, is_passed_over, walk};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Default)]
pub struct ScannedPaths {
    pub folders: BTreeSet<PathBuf>,
    /// All that is no folder.
    pub paths: BTreeSet<PathBuf>,
}

/// From `start`: the root itself, or a folder that was named by hand.
pub fn scan(root: &Path, start: &Path, within: Option<Arc<Within>>) -> ScannedPaths {
    let Ok(roots) = Roots::open(&[root.to_owned()]) else { return ScannedPaths::default() };
    let place = RootedPath { root: 0, rel: PathBuf::new() };
    let options = WalkOptions { named_by_hand: start != root, within, ..WalkOptions::default() };
    let walked = walk(roots.root(&place), start, &options);
    let full = |rel: PathBuf| root.join(rel);
    let mut folders: BTreeSet<PathBuf> = walked.folders.into_iter().map(full).collect();
    folders.insert(start.to_owned());
    let rest = [walked.files, walked.links, walked.special].into_iter().flatten();
    let mut paths: BTreeSet<PathBuf> = rest.map(full).collect();
    for (rel, _) in walked.failed {
        // A folder whose rules are too many may get better ones.
        let path = full(rel);
        if path.is_dir() {
            folders.insert(path)
        } else {
            paths.insert(path)
        };
    }
    folders.retain(|folder| !is_own(folder.strip_prefix(root).unwrap_or(folder)));
    ScannedPaths { folders, paths }
}

/// Whether rules would leave out something that is no longer there.
pub fn is_left_out(root: &Path, path: &Path) -> bool {
    let (Ok(roots), Ok(rel)) = (Roots::open(&[root.to_owned()]), path.strip_prefix(root)) else { return false };
    is_passed_over(rel) || rule_for(&roots, &RootedPath { root: 0, rel: rel.to_owned() }).is_some()
}

/// Whether it is git's or ours: what happens there is nobody's text.
pub fn is_own(rel: &Path) -> bool {
    rel.starts_with(".git") || rel.starts_with(".contexture")
}
