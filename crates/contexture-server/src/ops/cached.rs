//! What is kept between runs: which files have a summary by whom, what is out of date, what goes, and whether all of it is whole.
//!
//! Takes which files or what to take away; gives lists and counts. Summaries are data: they go only when somebody says so, and those
//! of other projects only with `--all`. The cache of derived results is covered where everything is: nothing is lost with it.

use super::OpError;
use super::open::{Door, Opened, Request};
use super::summarize::Tier;
use super::summarize::place::path_in;
use super::summarize::wanted::judged;
use super::written::{Access, is_summary, refused, shown, shown_tiers, summaries};
use contexture_core::{ContentHash, Item, ItemKind, Note, Snapshot, Topic};
use contexture_gather::config::{Config, StrategyName};
use contexture_gather::summaries::{self as kept, Entry, Found, Repaired, Summaries, SummaryKey, Swept, Verified};
use contexture_gather::{Roots, snapshot};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The summaries of some files.
pub struct CacheStatus {
    /// By path.
    pub files: Vec<FileStatus>,
    /// Files that no summary is written about.
    pub unfit: usize,
    /// Rows that are not what was written.
    pub damaged: u64,
    pub tier: u8,
    pub notes: Vec<Note>,
}

pub struct FileStatus {
    pub path: String,
    pub state: State,
    /// The tiers that have a summary of this very content.
    pub tiers: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// A document at this tier shows it. Its own tier is another where one of that is shown in its place.
    Fresh(Author),
    /// There is one about an earlier content of this path, and a document at this tier would show it.
    Stale(Author),
    None,
}

/// Who wrote a summary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Author {
    /// `provider/model`.
    pub by: String,
    /// RFC 3339.
    pub at: String,
    pub tier: u8,
}

impl State {
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Fresh(_) => "fresh",
            Self::Stale(_) => "stale",
            Self::None => "none",
        }
    }

    pub fn author(&self) -> Option<&Author> {
        match self {
            Self::Fresh(author) | Self::Stale(author) => Some(author),
            Self::None => None,
        }
    }
}

/// What is taken away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clear {
    /// What was written about these files, now or earlier.
    Paths(Vec<String>),
    /// What was written about earlier contents of files of this project.
    Stale,
    /// Everything, of all projects, and the cache of derived results.
    All,
}

/// What was taken away.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Cleared {
    pub swept: Swept,
    /// Derived results that were forgotten; `None` where they were not touched.
    pub derived: Option<u64>,
    /// Bytes by which the cache of derived results shrank.
    pub freed: u64,
    pub notes: Vec<Note>,
}

/// What a check of both stores found.
pub struct CacheVerified {
    /// `None` where there is no store of summaries.
    pub summaries: Option<Verified>,
    /// What the cache of derived results holds, or what is wrong with it; `None` where it is switched off.
    pub derived: Option<Result<String, String>>,
    /// What became of a damaged store of summaries. One that cannot be read at all is set aside unasked.
    pub repaired: Option<Repaired>,
    /// Where a damaged cache of derived results went.
    pub derived_aside: Option<PathBuf>,
    /// Whether that was asked for.
    pub repair: Repair,
    pub notes: Vec<Note>,
}

impl CacheVerified {
    /// Whether everything is whole, and was so before, unless a repair was asked for.
    pub fn is_sound(&self) -> bool {
        let summaries = self.summaries.as_ref().is_none_or(Verified::is_sound);
        let is_whole = summaries && !matches!(self.derived, Some(Err(_)));
        is_whole && (self.repair == Repair::Yes || !self.was_set_aside())
    }

    pub fn was_set_aside(&self) -> bool {
        self.repaired.is_some() || self.derived_aside.is_some()
    }
}

/// Which files have a summary, who wrote it and when.
pub fn cache_status(door: &Door, request: &Request) -> Result<CacheStatus, OpError> {
    let files = files(door, request)?;
    let mut notes = files.snapshot.notes.clone();
    let (rows, damaged) = statuses(door, &files.opened, &files.able().collect::<Vec<_>>(), &mut notes)?;
    let tier = Tier::new(files.opened.written_tier).number();
    Ok(CacheStatus { files: rows, unfit: files.unfit, damaged, tier, notes })
}

/// The state of each of these files, and how many entries are damaged.
pub(super) fn statuses(
    door: &Door,
    opened: &Opened,
    able: &[(&Item, &ContentHash)],
    notes: &mut Vec<Note>,
) -> Result<(Vec<FileStatus>, u64), OpError> {
    let tier = Tier::new(opened.written_tier).number();
    let mut found = Found::default();
    let mut earlier = BTreeMap::new();
    let hashes: Vec<ContentHash> = able.iter().map(|(_, hash)| **hash).collect();
    let mut store = summaries(door, &opened.roots, &opened.config, Access::Read)?;
    if let Some(store) = &mut store {
        notes.extend(store.note.take());
        found = store.summaries.by_content(&hashes).map_err(|error| refused(&error))?;
    }
    let by_content = found.by_content();
    let fresh = |hash: &ContentHash| {
        let entries = by_content.get(hash).into_iter().flatten().copied();
        shown(entries, tier).map(author)
    };
    let tiers = |hash: &ContentHash| {
        let entries = by_content.get(hash).into_iter().flatten();
        let tiers: BTreeSet<u8> = entries.filter(|entry| is_summary(entry)).map(|entry| entry.generator_tier).collect();
        Vec::from_iter(tiers)
    };
    let states: Vec<_> = able.iter().map(|(item, hash)| (*item, fresh(hash), tiers(hash))).collect();
    // Reading all of a store takes a while; only what has no summary could have had one.
    if let Some(store) = &mut store
        && states.iter().any(|(_, author, _)| author.is_none())
    {
        earlier = latest(&mut store.summaries, &opened.namespace, tier)?;
    }
    let file = |(item, fresh, tiers): (&Item, Option<Author>, Vec<u8>)| {
        let state = match (fresh, earlier.get(&item.path)) {
            (Some(author), _) => State::Fresh(author),
            (None, Some(author)) => State::Stale(author.clone()),
            (None, None) => State::None,
        };
        FileStatus { path: item.path.clone(), state, tiers }
    };
    let rows = states.into_iter().map(file).collect();
    Ok((rows, found.damaged))
}

/// Takes summaries away.
pub fn cache_clear(door: &Door, what: &Clear) -> Result<Cleared, OpError> {
    match what {
        Clear::All => {
            let roots = door.open_roots()?;
            let config = door.load_config(&roots)?;
            let mut cleared = Cleared::default();
            if let Some(mut opened) = summaries(door, &roots, &config, Access::Read)? {
                cleared.notes.extend(opened.note.take());
                cleared.swept = opened.summaries.clear().map_err(|error| refused(&error))?;
            }
            derived(door, &roots, &config, &mut cleared, Forget::Everything);
            Ok(cleared)
        }
        Clear::Stale => {
            let files = whole(door)?;
            let (present, paths, namespace) = (files.contents(), files.paths(), &files.opened.namespace);
            files.sweep(door, &|entry| {
                let path = path_in(namespace, &entry.file_path);
                present.contains(&entry.file_hash) || path.is_none_or(|path| !paths.contains(path))
            })
        }
        Clear::Paths(named) => {
            let files = files(door, &Request { paths: named.clone(), ..Request::default() })?;
            let (present, paths, namespace) = (files.contents(), files.paths(), &files.opened.namespace);
            // Files that are gone are known by their names.
            let is_named = |path: &str| {
                let below = |named: &String| {
                    let named = named.trim_start_matches("./").trim_end_matches('/');
                    path == named || path.strip_prefix(named).is_some_and(|rest| rest.starts_with('/'))
                };
                paths.contains(path) || named.iter().any(below)
            };
            files.sweep(door, &|entry| {
                !present.contains(&entry.file_hash) && !path_in(namespace, &entry.file_path).is_some_and(is_named)
            })
        }
    }
}

/// Takes away what was written in this project about contents that no file of it has any more, and what is damaged.
pub fn cache_gc(door: &Door) -> Result<Cleared, OpError> {
    let files = whole(door)?;
    let present = files.contents();
    let namespace = &files.opened.namespace;
    let mut cleared = files
        .sweep(door, &|entry| present.contains(&entry.file_hash) || path_in(namespace, &entry.file_path).is_none())?;
    derived(door, &files.opened.roots, &files.opened.config, &mut cleared, Forget::Nothing);
    Ok(cleared)
}

/// What becomes of a damaged store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    No,
    /// It is set aside, and what can be read is saved.
    Yes,
}

/// Reads everything there is.
pub fn cache_verify(door: &Door, repair: Repair) -> Result<CacheVerified, OpError> {
    let roots = door.open_roots()?;
    let config = door.load_config(&roots)?;
    let mut repaired = None;
    if repair == Repair::Yes
        && let Some(folder) = door.cache_folder(&roots, &config)
        && folder.join(kept::FILE).exists()
    {
        repaired = kept::repair(&folder).map_err(|error| refused(&error))?;
    }
    let mut notes = Vec::new();
    let verified = match summaries(door, &roots, &config, Access::Read)? {
        Some(mut opened) => {
            match opened.repaired.take() {
                // It is told with where it went, so the note would say it twice.
                Some(unasked) => repaired = Some(unasked),
                None => notes.extend(opened.note.take()),
            }
            Some(opened.summaries.verify().map_err(|error| refused(&error))?)
        }
        None => None,
    };
    let mut derived_aside = None;
    let derived = door.open_cache(&roots, &config).map(|opened| match opened {
        Ok(cache) => {
            derived_aside = cache.set_aside().map(Path::to_owned);
            cache.check()
        }
        Err(note) => Err(note.text),
    });
    Ok(CacheVerified { summaries: verified, derived, repaired, derived_aside, repair, notes })
}

/// Files as they are now.
struct Files {
    opened: Opened,
    snapshot: Snapshot,
    /// Those that a summary may be written about: their place in the snapshot, and their content.
    able: Vec<(usize, ContentHash)>,
    unfit: usize,
}

fn files(door: &Door, request: &Request) -> Result<Files, OpError> {
    let request = Request { strategy: Some(StrategyName::Summarize), budget: None, model: None, ..request.clone() };
    let opened = door.open(&request)?;
    let mut ask = opened.ask.clone();
    ask.files_only = true;
    let snapshot = snapshot(&opened.roots, &opened.config, &ask, &door.progress)?;
    let judge = |item: &Item| (item.kind == ItemKind::File).then(|| judged(item, &opened.options).ok());
    let verdicts: Vec<Option<Option<ContentHash>>> = snapshot.items.par_iter().map(judge).collect();
    let unfit = verdicts.iter().filter(|verdict| matches!(verdict, Some(None))).count();
    let able = verdicts.into_iter().enumerate().filter_map(|(at, verdict)| Some((at, verdict??))).collect();
    Ok(Files { opened, snapshot, able, unfit })
}

/// All files of the project, whatever its composition names.
fn whole(door: &Door) -> Result<Files, OpError> {
    files(door, &Request { paths: vec![".".into()], ..Request::default() })
}

impl Files {
    fn able(&self) -> impl Iterator<Item = (&Item, &ContentHash)> {
        self.able.iter().filter_map(|(at, hash)| Some((self.snapshot.items.get(*at)?, hash)))
    }

    fn contents(&self) -> BTreeSet<ContentHash> {
        self.snapshot.items.iter().filter_map(|item| item.hash).collect()
    }

    fn paths(&self) -> BTreeSet<&str> {
        self.snapshot.items.iter().map(|item| item.path.as_str()).collect()
    }

    /// Takes away what is not to be kept.
    fn sweep(&self, door: &Door, keep: &dyn Fn(&Entry) -> bool) -> Result<Cleared, OpError> {
        let mut cleared = Cleared { notes: self.snapshot.notes.clone(), ..Cleared::default() };
        if let Some(mut opened) = summaries(door, &self.opened.roots, &self.opened.config, Access::Read)? {
            cleared.notes.extend(opened.note.take());
            cleared.swept = opened.summaries.gc(keep).map_err(|error| refused(&error))?;
        }
        Ok(cleared)
    }
}

/// What becomes of derived results.
enum Forget {
    Everything,
    /// Only the disk gets back what is not used.
    Nothing,
}

fn derived(door: &Door, roots: &Roots, config: &Config, cleared: &mut Cleared, forget: Forget) {
    let cache = match door.open_cache(roots, config) {
        None => return,
        Some(Ok(cache)) => cache,
        Some(Err(note)) => return cleared.notes.push(note),
    };
    let before = cache.bytes();
    let done = match forget {
        Forget::Everything => cache.clear().map(Some),
        Forget::Nothing => cache.shrink().map(|()| None),
    };
    match done {
        Ok(gone) => {
            cleared.derived = gone;
            cleared.freed = before.saturating_sub(cache.bytes());
        }
        Err(cause) => {
            let text = format!("the cache of derived results stays as it is: {cause}");
            cleared.notes.push(Note::new(Topic::Cache, text).hint("try again when no other program uses it"));
        }
    }
}

/// Of every path of a project who wrote the newest entry that a document at this tier would show.
fn latest(store: &mut Summaries, project: &str, tier: u8) -> Result<BTreeMap<String, Author>, OpError> {
    let mut newest: BTreeMap<String, (SummaryKey, Entry)> = BTreeMap::new();
    let mut take = |key: SummaryKey, entry: Entry| {
        let Some(path) = path_in(project, &entry.file_path) else { return };
        if !is_summary(&entry) || !shown_tiers(tier).contains(&entry.generator_tier) {
            return;
        }
        let is_newer =
            |(old_key, old): &(SummaryKey, Entry)| (&entry.generated_at, key) > (&old.generated_at, *old_key);
        if newest.get(path).is_none_or(is_newer) {
            newest.insert(path.to_owned(), (key, entry));
        }
    };
    store.list(&mut take).map_err(|error| refused(&error))?;
    Ok(newest.into_iter().map(|(path, (_, entry))| (path, author(&entry))).collect())
}

fn author(entry: &Entry) -> Author {
    Author { by: entry.generator.to_string(), at: entry.generated_at.clone(), tier: entry.generator_tier }
}
