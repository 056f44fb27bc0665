//! Sees what changes on disk: files of the roots, and what other processes write into the stores.
//!
//! Takes the roots and where the stores are; tells changes in lots, a tenth of a second after the first of each. Where the system
//! cannot tell of so many folders, it looks by itself every second and says that it does. Reads no file and judges none: a path that
//! is told may be ignored by the project.

use crate::env::Env;
use crate::names;
use notify_debouncer_full::notify::event::{EventKind, ModifyKind};
use notify_debouncer_full::notify::{self, Config, ErrorKind, PollWatcher, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Something that changed on disk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// A file of the first root, relative to it; of another, absolute.
    File(String),
    /// More than could be told one by one.
    Everything,
    /// The store of runs was written.
    Runs,
    /// The store of trees was written.
    Trees,
    /// The store of summaries was written.
    Summaries,
    /// The settings of the project or of the user were written.
    Settings,
}

/// Tells as long as it is held.
pub struct Watch {
    _held: Held,
    is_polling: bool,
}

enum Held {
    Told(#[expect(dead_code, reason = "it works as long as it is there")] Debouncer<RecommendedWatcher, NoCache>),
    Looking(#[expect(dead_code, reason = "it works as long as it is there")] Debouncer<PollWatcher, NoCache>),
}

impl Watch {
    /// Whether it looks by itself, which takes longer.
    pub fn is_polling(&self) -> bool {
        self.is_polling
    }
}

/// Changes that belong together, such as a checkout, are told together.
const LOT: Duration = Duration::from_millis(100);
const LOOK: Duration = Duration::from_secs(1);

/// Tells `tell` what changes below the roots and in the stores, on a thread of its own, until what is given is dropped.
pub fn watch(roots: &[PathBuf], env: &Env, tell: Box<dyn Fn(Vec<Change>) + Send>) -> notify::Result<Watch> {
    let places = Places::new(roots, env);
    let tell = std::sync::Arc::new(std::sync::Mutex::new(tell));
    let handler = |places: Places| {
        let tell = std::sync::Arc::clone(&tell);
        move |result: DebounceEventResult| {
            let changes = places.changes(result);
            if let (false, Ok(tell)) = (changes.is_empty(), tell.lock()) {
                tell(changes);
            }
        }
    };
    let told = new_debouncer_opt::<_, RecommendedWatcher, NoCache>(
        LOT,
        Some(LOT / 4),
        handler(places.clone()),
        NoCache,
        Config::default(),
    )
    .and_then(|mut debouncer| {
        places.each(|path, mode| debouncer.watch(path, mode))?;
        Ok(debouncer)
    });
    match told {
        Ok(debouncer) => Ok(Watch { _held: Held::Told(debouncer), is_polling: false }),
        Err(error) if matches!(error.kind, ErrorKind::MaxFilesWatch | ErrorKind::Io(_)) => {
            let config = Config::default().with_poll_interval(LOOK);
            let mut debouncer = new_debouncer_opt::<_, PollWatcher, NoCache>(
                LOT,
                Some(LOT / 4),
                handler(places.clone()),
                NoCache,
                config,
            )?;
            places.each(|path, mode| debouncer.watch(path, mode))?;
            Ok(Watch { _held: Held::Looking(debouncer), is_polling: true })
        }
        Err(error) => Err(error),
    }
}

/// What is looked at.
#[derive(Clone)]
struct Places {
    roots: Vec<PathBuf>,
    data: Option<PathBuf>,
    cache: Option<PathBuf>,
    config: Option<PathBuf>,
}

impl Places {
    fn new(roots: &[PathBuf], env: &Env) -> Self {
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let own = |dir: &Option<PathBuf>| dir.as_ref().filter(|dir| dir.is_dir()).map(real);
        Self {
            roots: roots.iter().map(real).collect(),
            data: own(&env.data_dir),
            cache: own(&env.cache_dir),
            config: own(&env.config_dir),
        }
    }

    fn each(&self, mut watch: impl FnMut(&Path, RecursiveMode) -> notify::Result<()>) -> notify::Result<()> {
        for root in &self.roots {
            watch(root, RecursiveMode::Recursive)?;
        }
        for dir in [&self.data, &self.cache, &self.config].into_iter().flatten() {
            watch(dir, RecursiveMode::NonRecursive)?;
        }
        Ok(())
    }

    fn changes(&self, result: DebounceEventResult) -> Vec<Change> {
        let events = match result {
            Ok(events) => events,
            Err(_) => return vec![Change::Everything],
        };
        let mut all = BTreeSet::new();
        for event in &events {
            if event.need_rescan() {
                all.insert(Change::Everything);
            }
            if event.kind.is_access() {
                continue;
            }
            // SQLite sets the owner of the log beside a store whenever it opens it, also for reading.
            let is_about = matches!(event.kind, EventKind::Modify(ModifyKind::Metadata(_)));
            let may_tell = |path: &&PathBuf| !is_about || !self.is_kept(path);
            all.extend(event.paths.iter().filter(may_tell).filter_map(|path| self.change(path)));
        }
        all.into_iter().collect()
    }

    /// Whether it stands where stores and the user's settings are.
    fn is_kept(&self, path: &Path) -> bool {
        [&self.data, &self.cache, &self.config].into_iter().flatten().any(|dir| path.parent() == Some(dir))
    }

    fn change(&self, path: &Path) -> Option<Change> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if self.is_kept(path) {
            // Whoever only reads a store makes an empty log beside it and takes it away again. A log with something in it is written, and
            // what is written there may reach the store itself much later.
            let is_empty = || path.metadata().map_or(true, |data| data.len() == 0);
            let (store, is_log) = name.strip_suffix("-wal").map_or((&*name, false), |store| (store, true));
            return match store {
                _ if is_log && is_empty() => None,
                "runs.sqlite" => Some(Change::Runs),
                "loom.sqlite" => Some(Change::Trees),
                "summaries.sqlite" => Some(Change::Summaries),
                "config.toml" => Some(Change::Settings),
                _ => None,
            };
        }
        let project = self.roots.first()?;
        if let Ok(inside) = path.strip_prefix(project) {
            let is_own = inside.starts_with(".git") || inside.starts_with(".contexture");
            // A commit or a checkout: what differs from the last commit is another matter then.
            let is_commit = inside == Path::new(".git/HEAD") || inside == Path::new(".git/logs/HEAD");
            return match (&*name, is_own) {
                (_, true) => is_commit.then_some(Change::Everything),
                ("contexture.toml", false) => Some(Change::Settings),
                _ => Some(Change::File(names::shown(inside))),
            };
        }
        self.roots.iter().any(|root| path.starts_with(root)).then(|| Change::File(names::shown(path)))
    }
}
