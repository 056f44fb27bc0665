//! What stands where: roots, stores, the user's settings, and what a path among them is.
//!
//! Takes the roots and the user's folders, there or not; says what a path means. Watches nothing.

use super::Change;
use super::scan::is_own;
use crate::env::Env;
use crate::names;
use crate::roots::Roots;
use crate::walk::{RULES, inside_repository};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub struct WatchLayout {
    pub roots: Vec<WatchedRoot>,
    /// Folders of stores and settings; some are made when they are first needed.
    pub own: Vec<PathBuf>,
}

pub struct WatchedRoot {
    /// Canonical.
    pub path: PathBuf,
    /// What documents write before its paths.
    label: String,
}

/// What a path is.
pub enum PathRole {
    /// Something in a folder of ours.
    StoreFile,
    /// A root or a folder of ours, or above one of them.
    Way,
    /// Git has another commit: what differs from it is another matter then.
    Commit,
    /// Rules that hold for a whole root.
    Rules,
    Settings,
    /// Something below the root of this number.
    File(usize),
    Nothing,
}

impl WatchLayout {
    pub fn new(roots: &[PathBuf], env: &Env) -> Result<Self, std::io::Error> {
        let roots = Roots::open(roots).map_err(|(_, error)| error)?;
        let known =
            |(_, root): (_, &crate::roots::Root)| WatchedRoot { path: root.path.clone(), label: root.label.clone() };
        let own = [&env.data_dir, &env.cache_dir, &env.config_dir];
        Ok(Self {
            roots: roots.iter().map(known).collect(),
            own: own.into_iter().flatten().map(|dir| real(dir)).collect(),
        })
    }

    pub fn role(&self, path: &Path) -> PathRole {
        if self.own.iter().any(|dir| path.parent() == Some(dir)) {
            return PathRole::StoreFile;
        }
        let leads_to = |folder: &Path| folder.starts_with(path);
        if self.own.iter().any(|dir| leads_to(dir)) || self.roots.iter().any(|root| leads_to(&root.path)) {
            return PathRole::Way;
        }
        let Some(at) = self.roots.iter().position(|root| path.starts_with(&root.path)) else {
            let is_above = self.roots.iter().any(|root| above(&root.path).iter().any(|dir| is_rule_of(dir, path)));
            return if is_above { PathRole::Rules } else { PathRole::Nothing };
        };
        let root = &self.roots[at].path;
        let inside = path.strip_prefix(root).unwrap_or(path);
        match inside {
            _ if is_rule_of(root, path) && inside.starts_with(".git") => PathRole::Rules,
            _ if GIT.iter().any(|dir| inside == Path::new(dir)) => PathRole::Rules,
            _ if inside == Path::new(".git/HEAD") || inside == Path::new(".git/logs/HEAD") => PathRole::Commit,
            _ if is_own(inside) => PathRole::Nothing,
            _ if at == 0 && inside.file_name() == Some(OsStr::new("contexture.toml")) => PathRole::Settings,
            _ => PathRole::File(at),
        }
    }

    pub fn leads_to_root(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| root.path.starts_with(path))
    }

    pub fn root_of(&self, path: &Path) -> Option<&WatchedRoot> {
        self.roots.iter().find(|root| path.starts_with(&root.path))
    }

    /// What a document calls it.
    pub fn display_path(root: &WatchedRoot, path: &Path) -> String {
        let inside = names::display_path(path.strip_prefix(&root.path).unwrap_or(path));
        if root.label.is_empty() { inside } else { format!("{}/{inside}", root.label) }
    }

    /// What a file in a folder of ours tells.
    pub fn store_change(path: &Path) -> Option<Change> {
        let name = path.file_name()?.to_string_lossy();
        // Whoever only reads a store makes an empty log beside it and takes it away again. A log with something in it is written, and
        // what is written there may reach the store itself much later.
        let is_empty = || path.metadata().map_or(true, |data| data.len() == 0);
        let (store, is_log) = name.strip_suffix("-wal").map_or((&*name, false), |store| (store, true));
        match store {
            _ if is_log && is_empty() => None,
            "runs.sqlite" => Some(Change::Runs),
            "loom.sqlite" => Some(Change::Trees),
            "summaries.sqlite" => Some(Change::Summaries),
            "config.toml" => Some(Change::Settings),
            _ => None,
        }
    }
}

/// Folders of git that hold a rule, or what tells of a commit.
pub const GIT: [&str; 3] = [".git", ".git/info", ".git/logs"];

/// Folders above a root whose rules hold for it: up to the repository that it is in.
pub fn above(root: &Path) -> Vec<PathBuf> {
    if !inside_repository(root) {
        return Vec::new();
    }
    let top = root.ancestors().skip(1).position(|folder| folder.join(".git").exists());
    root.ancestors().skip(1).take(top.map_or(0, |top| top + 1)).map(Path::to_owned).collect()
}

/// Whether it is a file of rules by its name.
pub fn is_rule(path: &Path) -> bool {
    path.file_name().is_some_and(|name| RULES.iter().any(|rule| name == *rule))
}

fn is_rule_of(folder: &Path, path: &Path) -> bool {
    path.strip_prefix(folder).is_ok_and(|inside| RULES.iter().any(|rule| inside == Path::new(rule)))
}

/// The folder itself, or the nearest one above it that is there.
pub fn nearest(path: &Path) -> Option<&Path> {
    path.ancestors().find(|above| above.is_dir())
}

/// Without links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let found = nearest(path).and_then(|there| Some((there.canonicalize().ok()?, path.strip_prefix(there).ok()?)));
    match found {
        Some((there, rest)) if rest.as_os_str().is_empty() => there,
        Some((there, rest)) => there.join(rest),
        None => path.to_owned(),
    }
}
