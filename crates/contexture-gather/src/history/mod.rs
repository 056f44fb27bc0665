//! What git says about the files of a project: which were changed together and why, and which are being changed now.
//!
//! Takes the roots; gives paths, as the snapshot shows them, in an order that time made. No time itself, so that nothing
//! depends on a clock. It is a help for ranking and nothing rests on it: whatever goes wrong is no history.

mod open;
mod record;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use crate::cache::Cache;
use crate::git::{GitError, Repo};
use crate::roots::{RootedPath, Roots};
use contexture_core::{Commit, ContentHash, Item, ItemKind, Past};
use std::path::PathBuf;

/// What the history of a project says about its files. Paths are relative to the root, sorted in each list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The id of the commit the work tree stands on.
    pub head: Option<String>,
    /// The newest first. Merges and mass changes are left out.
    pub commits: Vec<Commit>,
    /// Files that differ from the head: edited, deleted, staged or in conflict. Files that git does not know are not among
    /// them, because finding them takes a walk of its own.
    pub open: Vec<String>,
    /// All that git tracks, submodules as a whole; empty when nothing is known.
    pub tracked: Vec<String>,
    /// What paths of the first root begin with where there are several; of others git was not asked.
    pub label: String,
}

impl History {
    /// Whether git does not know a file of the first root: what a walk finds and nothing ignores is then new. Files in a
    /// submodule are not.
    pub fn is_new(&self, path: &str) -> bool {
        let tracks = |path: &str| self.tracked.binary_search_by(|known| known.as_str().cmp(path)).is_ok();
        let mut above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        path.starts_with(&self.label) && !self.tracked.is_empty() && !tracks(path) && !above.any(tracks)
    }
}

impl History {
    /// What a ranking uses of it. Of these items, those that git does not know are being changed too.
    pub fn past(self, items: &[Item]) -> Past {
        let new: Vec<String> = items
            .iter()
            .filter(|item| matches!(item.kind, ItemKind::File | ItemKind::Retrieved) && self.is_new(&item.path))
            .map(|item| item.path.clone())
            .collect();
        Past {
            open: self.open.into_iter().chain(new).collect(),
            commits: self.commits,
            head: self.head,
            ..Past::default()
        }
    }
}

/// The history of the first root, if that lies in a work tree. Commits are remembered in the cache by the head's id; what
/// is open is looked at each time.
pub fn history(roots: &Roots, cache: Option<&Cache>) -> History {
    match read(roots, cache) {
        Ok(history) => history,
        Err(error) => {
            tracing::debug!(%error, "there is no history");
            History::default()
        }
    }
}

fn read(roots: &Roots, cache: Option<&Cache>) -> Result<History, GitError> {
    let repo = Repo::discover_to_weigh(roots.project())?;
    let head = repo.head()?;
    let commits = commits(&repo, &head, cache).unwrap_or_else(|error| {
        tracing::debug!(%error, "there are no commits to learn from");
        Vec::new()
    });
    let (open, tracked) = open::paths(&repo, &head, roots).unwrap_or_else(|error| {
        tracing::debug!(%error, "what is being changed is not known");
        Default::default()
    });
    let mut history = History { head: Some(head), commits, open, tracked, label: String::new() };
    label(&mut history, roots);
    Ok(history)
}

fn commits(repo: &Repo, head: &str, cache: Option<&Cache>) -> Result<Vec<Commit>, GitError> {
    let known = cache.zip(key(repo, head));
    if let Some((cache, key)) = &known
        && let Some(commits) = cache.blob(key).and_then(|bytes| record::decode(&bytes))
    {
        return Ok(commits);
    }
    let commits = repo.commits(head)?;
    if let Some((cache, key)) = known {
        cache.put_blob(key, record::encode(&commits));
    }
    Ok(commits)
}

/// All that the commits of a root depend on: an id stands for everything before it, up to where a shallow clone ends.
fn key(repo: &Repo, head: &str) -> Option<ContentHash> {
    let shallow = repo.shallow()?;
    let version = record::VERSION.to_le_bytes();
    Some(ContentHash::of_parts([b"history".as_slice(), &version, head.as_bytes(), repo.prefix(), &shallow]))
}

/// With several roots, the snapshot's paths begin with the name of theirs.
fn label(history: &mut History, roots: &Roots) {
    let label = &roots.root(&RootedPath { root: 0, rel: PathBuf::new() }).label;
    if !label.is_empty() {
        for path in history
            .commits
            .iter_mut()
            .flat_map(|commit| &mut commit.paths)
            .chain(&mut history.open)
            .chain(&mut history.tracked)
        {
            *path = format!("{label}/{path}");
        }
        history.label = format!("{label}/");
    }
}
