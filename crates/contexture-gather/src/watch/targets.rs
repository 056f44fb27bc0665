//! Which folders are to be watched, as the disk is now.
//!
//! Takes what stands where and what was named literally; gives folders, each alone or with all below it. Watches nothing itself.

use super::layout::{GIT, WatchLayout, WatchedRoot, above, nearest};
use super::scan::scan;
use notify::RecursiveMode;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(Default)]
pub struct WatchTargets {
    pub folders: BTreeMap<PathBuf, RecursiveMode>,
    /// Folders that were named literally though rules leave them out: they are walked on their own terms.
    pub named: BTreeSet<PathBuf>,
}

/// With `by_folder` every folder that a walk enters; else a root with all below it, ignored or not.
pub fn watch_targets(layout: &WatchLayout, literals: &BTreeSet<PathBuf>, by_folder: bool) -> WatchTargets {
    let mut wanted = WatchTargets::default();
    for WatchedRoot { path: root, .. } in &layout.roots {
        let seen = scan(root, root, None).folders;
        if by_folder {
            seen.iter().for_each(|dir| wanted.watch_folder(dir));
        } else if root.is_dir() {
            wanted.folders.insert(root.clone(), RecursiveMode::Recursive);
        }
        let own = GIT.iter().map(|dir| root.join(dir));
        let above = above(root).into_iter().flat_map(|dir| [dir.join(".git/info"), dir]);
        own.chain(above).filter(|dir| dir.is_dir()).for_each(|dir| wanted.watch_folder(&dir));
        for literal in literals.iter().filter(|literal| literal.starts_with(root)) {
            if literal.is_dir() && !seen.contains(literal) {
                scan(root, literal, None).folders.iter().for_each(|dir| wanted.watch_folder(dir));
                wanted.named.insert(literal.clone());
            }
            literal.parent().into_iter().for_each(|dir| wanted.or_above(dir));
        }
    }
    // What is not there yet is awaited above it.
    layout.roots.iter().for_each(|root| wanted.or_above(&root.path));
    layout.own.iter().for_each(|dir| wanted.or_above(dir));
    wanted
}

impl WatchTargets {
    /// The folder itself, without those below it.
    fn watch_folder(&mut self, dir: &Path) {
        self.folders.entry(dir.to_owned()).or_insert(RecursiveMode::NonRecursive);
    }

    fn or_above(&mut self, dir: &Path) {
        nearest(dir).into_iter().for_each(|there| self.watch_folder(there));
    }
}
