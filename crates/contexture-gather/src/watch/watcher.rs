//! What a batch of events comes to, and which folders are watched after it.
//!
//! Holds the watcher of the system. A folder is watched before it is listed for the last time: what was made in it earlier is in the
//! list, what is made later is told. Where a system watches whole trees by itself, only the telling is sieved.

use super::batch::{EventBatch, PathEvents};
use super::layout::{PathRole, WatchLayout, WatchedRoot, is_rule};
use super::scan::{ScannedPaths, is_left_out, scan};
use super::targets::watch_targets;
use super::{Change, Message};
use crate::env::Env;
use crate::walk::Within;
use notify::{Config, ErrorKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

pub struct FolderWatcher {
    layout: WatchLayout,
    watcher: Box<dyn Watcher + Send>,
    is_polling: bool,
    watched: BTreeSet<PathBuf>,
    /// What is told whatever rules say.
    literals: BTreeSet<PathBuf>,
    /// Folders among them that rules leave out.
    named: BTreeSet<PathBuf>,
    messages: Sender<Message>,
}

/// How often it looks where it is not told.
const LOOK: Duration = Duration::from_secs(1);
/// Folders that are made while others are placed are found by another look. A tree that grows for longer than this is told by later events.
const ROUNDS: usize = 8;
/// Paths that are gone are asked about one by one. Of more than these, listeners are told that all changed, so that nothing is gained.
const ASKED: usize = 1_000;

impl FolderWatcher {
    pub fn new(roots: &[PathBuf], env: &Env, messages: Sender<Message>) -> notify::Result<Self> {
        let layout = WatchLayout::new(roots, env).map_err(notify::Error::io)?;
        let (watcher, is_polling): (Box<dyn Watcher + Send>, bool) =
            match RecommendedWatcher::new(teller(&messages), Config::default()) {
                Ok(watcher) => (Box::new(watcher), false),
                Err(_) => (Box::new(polling(&messages)?), true),
            };
        let (watched, literals, named) = Default::default();
        Ok(Self { layout, watcher, is_polling, watched, literals, named, messages })
    }

    pub fn is_polling(&self) -> bool {
        self.is_polling
    }

    pub fn add_literals(&mut self, literals: Vec<PathBuf>) {
        let new: Vec<PathBuf> = literals.into_iter().filter(|path| !self.literals.contains(path)).collect();
        // A composition may name every file of a project: what stands in a folder that is watched needs no other one.
        let is_seen = |path: &PathBuf| {
            let has = |dir: &Path| self.watched.contains(dir);
            path.parent().is_some_and(has) && (has(path) || !is_folder(path))
        };
        let is_due = !new.iter().all(is_seen);
        self.literals.extend(new);
        if is_due {
            self.update_watches();
        }
    }

    /// Watches all that is to be watched now and nothing else; gives the folders that are new.
    pub fn update_watches(&mut self) -> BTreeSet<PathBuf> {
        let mut new = BTreeSet::new();
        for _ in 0..ROUNDS {
            let wanted = watch_targets(&self.layout, &self.literals, self.is_by_folder());
            self.named = wanted.named;
            let gone: Vec<PathBuf> =
                self.watched.iter().filter(|dir| !wanted.folders.contains_key(*dir)).cloned().collect();
            gone.iter().for_each(|dir| self.forget(dir));
            let due: Vec<_> = wanted.folders.into_iter().filter(|(dir, _)| !self.watched.contains(dir)).collect();
            let before = new.len();
            for (dir, mode) in due {
                if self.add(&dir, mode) {
                    new.insert(dir);
                }
            }
            if new.len() == before {
                break;
            }
        }
        new
    }

    /// What the events of a batch tell. Folders that came are watched when it comes back.
    pub fn changes(&mut self, batch: EventBatch) -> Vec<Change> {
        let mut all = BTreeSet::new();
        let mut is_due = batch.is_all;
        if batch.is_all {
            all.insert(Change::Everything);
        }
        let mut files: BTreeMap<usize, BTreeMap<PathBuf, PathEvents>> = BTreeMap::new();
        for (path, how) in batch.paths {
            if how.is_moved {
                // Another folder may have the name now, and this one another name: what is there is watched anew.
                self.forget_below(&path);
                is_due |= self.leads_to_literal(&path);
            }
            match self.layout.role(&path) {
                // SQLite sets the owner of the log beside a store whenever it opens it, also for reading.
                PathRole::StoreFile if how.is_about => {}
                PathRole::StoreFile => all.extend(WatchLayout::store_change(&path)),
                PathRole::Way if how.is_moved => {
                    is_due = true;
                    all.extend(self.layout.leads_to_root(&path).then_some(Change::Everything));
                }
                PathRole::Way | PathRole::Nothing => {}
                PathRole::Commit => drop(all.insert(Change::Everything)),
                PathRole::Rules if how.is_moved || !path.is_dir() => {
                    is_due = true;
                    all.insert(Change::Everything);
                }
                PathRole::Rules => {}
                PathRole::Settings => drop(all.insert(Change::Settings)),
                PathRole::File(root) => drop(files.entry(root).or_default().insert(path, how)),
            }
        }
        for (root, paths) in files {
            let (told, has_rules) = self.visible_changes(root, &paths);
            is_due |= has_rules;
            all.extend(told.iter().map(|path| Change::File(WatchLayout::display_path(&self.layout.roots[root], path))));
        }
        if is_due {
            let new = self.update_watches();
            all.extend(self.changes_in(&new));
        }
        all.into_iter().collect()
    }

    /// Of paths below a root those that the project could show, and what stands in folders that came; and whether rules are among them.
    fn visible_changes(&mut self, root: usize, paths: &BTreeMap<PathBuf, PathEvents>) -> (BTreeSet<PathBuf>, bool) {
        let WatchedRoot { path: root, .. } = &self.layout.roots[root];
        let root = root.clone();
        let came = paths.iter().filter(|(path, how)| how.is_moved && is_folder(path));
        let within =
            Within { paths: paths.keys().cloned().collect(), whole: came.map(|(path, _)| path.clone()).collect() };
        let within = Arc::new(within);
        let mut seen = self.scan_and_watch(&root, &root, &within);
        for start in self.named.clone().iter().filter(|start| paths.keys().any(|path| path.starts_with(start))) {
            let more = self.scan_and_watch(&root, start, &within);
            seen.paths.extend(more.paths);
            seen.folders.extend(more.folders);
        }
        let is_kept_rule = |path: &Path| is_rule(path) && path.parent().is_some_and(|dir| seen.folders.contains(dir));
        let gone = |path: &Path| path.symlink_metadata().is_err();
        let mut asked = 0;
        let is_told = |(path, how): &(&PathBuf, &PathEvents)| {
            let is_seen = seen.paths.contains(*path) || (seen.folders.contains(*path) && !how.is_time);
            if is_seen || is_kept_rule(path) || self.literals.contains(*path) {
                return true;
            }
            // What came and went within a batch was never seen by anybody.
            if how.is_new || !gone(path) {
                return false;
            }
            asked += 1;
            asked > ASKED || !is_left_out(&root, path)
        };
        let mut told: BTreeSet<PathBuf> = paths.iter().filter(is_told).map(|(path, _)| path.clone()).collect();
        for dir in &within.whole {
            told.extend(seen.paths.range(dir.clone()..).take_while(|path| path.starts_with(dir)).cloned());
        }
        let has_rules = told.iter().any(|path| is_rule(path));
        (told, has_rules)
    }

    /// What a walk sees there now. Folders that are new are watched, and looked at once more after that.
    fn scan_and_watch(&mut self, root: &Path, start: &Path, within: &Arc<Within>) -> ScannedPaths {
        let mut seen = scan(root, start, Some(Arc::clone(within)));
        for _ in 0..ROUNDS {
            let new = |dir: &&PathBuf| !self.watched.contains(*dir);
            let new: Vec<PathBuf> = seen.folders.iter().filter(new).cloned().collect();
            if !self.is_by_folder() || new.is_empty() {
                break;
            }
            // One that cannot be watched now is not tried for ever.
            let added = new.iter().filter(|dir| self.add(dir, RecursiveMode::NonRecursive)).count();
            seen = scan(root, start, Some(Arc::clone(within)));
            if added == 0 {
                break;
            }
        }
        seen
    }

    /// What stands already in folders that were waited for.
    fn changes_in(&self, new: &BTreeSet<PathBuf>) -> Vec<Change> {
        let own = self.layout.own.iter().filter(|dir| new.contains(*dir));
        let stores = own.filter_map(|dir| dir.read_dir().ok()).flatten().flatten();
        let literals = self.literals.iter().filter(|path| path.parent().is_some_and(|dir| new.contains(dir)));
        let there = literals.filter(|path| path.symlink_metadata().is_ok());
        let named =
            there.filter_map(|path| Some(Change::File(WatchLayout::display_path(self.layout.root_of(path)?, path))));
        stores.filter_map(|file| WatchLayout::store_change(&file.path())).chain(named).collect()
    }

    fn add(&mut self, dir: &Path, mode: RecursiveMode) -> bool {
        let added = self.watcher.watch(dir, mode);
        let is_full = added.as_ref().is_err_and(|error| matches!(error.kind, ErrorKind::MaxFilesWatch));
        if is_full
            && !self.is_polling
            && let Ok(watcher) = polling(&self.messages)
        {
            tracing::debug!("no room for more watches: looking instead");
            self.watcher = Box::new(watcher);
            self.is_polling = true;
            for dir in &self.watched {
                let _ = self.watcher.watch(dir, RecursiveMode::NonRecursive);
            }
            return self.add(dir, RecursiveMode::NonRecursive);
        }
        added.is_ok() && self.watched.insert(dir.to_owned())
    }

    fn forget(&mut self, dir: &Path) {
        if self.watched.remove(dir) {
            // The system has often forgotten it before.
            let _ = self.watcher.unwatch(dir);
        }
    }

    fn forget_below(&mut self, path: &Path) {
        let below = self.watched.range(path.to_owned()..).take_while(|dir| dir.starts_with(path));
        below.cloned().collect::<Vec<_>>().iter().for_each(|dir| self.forget(dir));
    }

    /// Whether it is a folder that was named, or one above what was. A file that was named is saved often, and leads nowhere.
    fn leads_to_literal(&self, path: &Path) -> bool {
        let is_it = self.literals.contains(path) && (is_folder(path) || self.named.contains(path));
        let mut below = self.literals.range(path.to_owned()..).filter(|literal| *literal != path);
        is_it || below.next().is_some_and(|literal| literal.starts_with(path))
    }

    /// Whether folders are watched one by one: else, the system watches a tree as easily as a folder.
    fn is_by_folder(&self) -> bool {
        self.is_polling || cfg!(any(target_os = "linux", target_os = "android"))
    }
}

fn teller(messages: &Sender<Message>) -> impl FnMut(notify::Result<notify::Event>) + Send + 'static {
    let messages = messages.clone();
    move |event| {
        // Every reading of a file is told, too: that is dropped here, before it wakes anybody.
        if !event.as_ref().is_ok_and(|event| event.kind.is_access()) {
            let _ = messages.send(Message::Event(event));
        }
    }
}

fn polling(messages: &Sender<Message>) -> notify::Result<PollWatcher> {
    PollWatcher::new(teller(messages), Config::default().with_poll_interval(LOOK))
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|data| data.is_dir())
}
