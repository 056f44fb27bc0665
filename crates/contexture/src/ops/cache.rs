//! What is kept between runs: which files have a summary by whom, what is out of date, what goes, and whether all of it is whole.
//!
//! Takes which files or what to take away; gives lists and counts. Summaries are data: they go only when somebody says so, and those
//! of other projects only with `--all`. The cache of derived results is covered where everything is: nothing is lost with it.

use super::OpError;
use super::notes::{NoteAnswer, note_answers};
use super::open::{Door, Opened};
use super::summarize::Tier;
use super::summarize::eligible::check_eligible;
use super::summarize::entry_path::path_in;
use super::summary_store::{Access, choose_entry, is_summary, shown_tiers, summaries};
use crate::requests::{CacheClearRequest, CacheVerifyRequest, DocumentRequest};
use contexture_core::{ContentHash, Item, ItemKind, Note, Snapshot, Topic, keywords};
use contexture_gather::Roots;
use contexture_gather::config::{Config, StrategyName};
use contexture_gather::summaries::{
    self as kept, StoreCheck, StoreRepair, Summaries, SummaryEntry, SummaryKey, SummaryLookup, SweepResult,
};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
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

/// One file and its summary.
pub struct FileStatus {
    pub path: String,
    pub state: SummaryState,
    /// Who wrote the summary, where there is one.
    pub author: Option<EntryAuthor>,
    /// The tiers that have a summary of this very content.
    pub tiers: Vec<u8>,
}

/// Whether a file has a summary that a document would show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SummaryState {
    /// A document at this tier shows it. Its own tier is another where one of that is shown in its place.
    Fresh,
    /// There is one about an earlier content of this path, and a document at this tier would show it.
    Stale,
    None,
}

keywords!(SummaryState { Fresh = "fresh", Stale = "stale", None = "none" });

/// Who wrote a summary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryAuthor {
    /// `provider/model`.
    pub by: String,
    /// RFC 3339.
    pub at: String,
    pub tier: u8,
}

/// What was removed.
#[derive(Clone, Default, Debug, Serialize, JsonSchema)]
pub struct ClearedAnswer {
    #[serde(flatten)]
    pub swept: SweepResult,
    /// Number of cached results, if they were removed
    pub derived: Option<u64>,
    pub freed_bytes: u64,
    #[schemars(with = "Vec<NoteAnswer>")]
    #[serde(serialize_with = "note_answers")]
    pub notes: Vec<Note>,
}

/// What a check of both stores found.
pub struct CacheVerified {
    /// `None` where there is no store of summaries.
    pub summaries: Option<StoreCheck>,
    /// What the cache of derived results holds, or what is wrong with it; `None` where it is switched off.
    pub derived: Option<Result<String, String>>,
    /// What became of a damaged store of summaries. One that cannot be read at all is set aside unasked.
    pub repaired: Option<StoreRepair>,
    /// Where a damaged cache of derived results went.
    pub derived_aside: Option<PathBuf>,
    /// Whether that was asked for.
    pub repair: bool,
    pub notes: Vec<Note>,
}

impl CacheVerified {
    /// Whether everything is whole, and was so before, unless a repair was asked for.
    pub fn is_sound(&self) -> bool {
        let summaries = self.summaries.as_ref().is_none_or(StoreCheck::is_sound);
        let is_whole = summaries && !matches!(self.derived, Some(Err(_)));
        is_whole && (self.repair || !self.was_set_aside())
    }

    /// Whether a damaged store was moved away.
    pub fn was_set_aside(&self) -> bool {
        self.repaired.is_some() || self.derived_aside.is_some()
    }
}

/// Which files have a summary, who wrote it and when.
pub fn cache_status(door: &Door, request: &DocumentRequest) -> Result<CacheStatus, OpError> {
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
    let mut found = SummaryLookup::default();
    let mut earlier = BTreeMap::new();
    let hashes: Vec<ContentHash> = able.iter().map(|(_, hash)| **hash).collect();
    let mut store = summaries(door, &opened.roots, &opened.config, Access::Read)?;
    if let Some(store) = &mut store {
        notes.extend(store.note.take());
        found = store.summaries.by_content(&hashes)?;
    }
    let by_content = found.by_content();
    let fresh = |hash: &ContentHash| {
        let entries = by_content.get(hash).into_iter().flatten().copied();
        choose_entry(entries, tier).map(author)
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
    let file = |(item, fresh, tiers): (&Item, Option<EntryAuthor>, Vec<u8>)| {
        let (state, author) = match (fresh, earlier.get(&item.path)) {
            (Some(author), _) => (SummaryState::Fresh, Some(author)),
            (None, Some(author)) => (SummaryState::Stale, Some(author.clone())),
            (None, None) => (SummaryState::None, None),
        };
        FileStatus { path: item.path.clone(), state, author, tiers }
    };
    let rows = states.into_iter().map(file).collect();
    Ok((rows, found.damaged))
}

/// Takes summaries away.
pub fn cache_clear(door: &Door, request: &CacheClearRequest) -> Result<ClearedAnswer, OpError> {
    match request {
        CacheClearRequest { paths: named, .. } if !named.is_empty() => {
            let files = files(door, &DocumentRequest { paths: named.clone(), ..DocumentRequest::default() })?;
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
        CacheClearRequest { stale: true, .. } => {
            let files = project_files(door)?;
            let (present, paths, namespace) = (files.contents(), files.paths(), &files.opened.namespace);
            files.sweep(door, &|entry| {
                let path = path_in(namespace, &entry.file_path);
                present.contains(&entry.file_hash) || path.is_none_or(|path| !paths.contains(path))
            })
        }
        CacheClearRequest { all: true, .. } => {
            let (roots, config) = door.open_project()?;
            let mut cleared = ClearedAnswer::default();
            if let Some(mut opened) = summaries(door, &roots, &config, Access::Read)? {
                cleared.notes.extend(opened.note.take());
                cleared.swept = opened.summaries.clear()?;
            }
            derived(door, &roots, &config, &mut cleared, Forget::Everything);
            Ok(cleared)
        }
        CacheClearRequest { .. } => Err(OpError::usage("nothing says what to clear")
            .hint("`cache clear PATH…`, `cache clear --stale` or `cache clear --all`")),
    }
}

/// Takes away what was written in this project about contents that no file of it has any more, and what is damaged.
pub fn cache_gc(door: &Door) -> Result<ClearedAnswer, OpError> {
    let files = project_files(door)?;
    let present = files.contents();
    let namespace = &files.opened.namespace;
    let mut cleared = files
        .sweep(door, &|entry| present.contains(&entry.file_hash) || path_in(namespace, &entry.file_path).is_none())?;
    derived(door, &files.opened.roots, &files.opened.config, &mut cleared, Forget::Nothing);
    Ok(cleared)
}

/// Reads everything there is.
pub fn cache_verify(door: &Door, request: &CacheVerifyRequest) -> Result<CacheVerified, OpError> {
    let (roots, config) = door.open_project()?;
    let mut repaired = None;
    if request.repair
        && let Some(folder) = door.cache_folder(&roots, &config)
        && folder.join(kept::FILE).exists()
    {
        repaired = kept::repair(&folder)?;
    }
    let mut notes = Vec::new();
    let verified = match summaries(door, &roots, &config, Access::Read)? {
        Some(mut opened) => {
            match opened.repaired.take() {
                // It is told with where it went, so the note would say it twice.
                Some(unasked) => repaired = Some(unasked),
                None => notes.extend(opened.note.take()),
            }
            Some(opened.summaries.verify()?)
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
    Ok(CacheVerified { summaries: verified, derived, repaired, derived_aside, repair: request.repair, notes })
}

/// Files as they are now.
struct SummarizableFiles {
    opened: Opened,
    snapshot: Snapshot,
    /// Those that a summary may be written about: their place in the snapshot, and their content.
    able: Vec<(usize, ContentHash)>,
    unfit: usize,
}

fn files(door: &Door, request: &DocumentRequest) -> Result<SummarizableFiles, OpError> {
    let request = DocumentRequest {
        strategy: Some(StrategyName::Summarize.into()),
        budget: None,
        model: None,
        ..request.clone()
    };
    let opened = door.open(&request)?;
    let snapshot = opened.read_files(door)?;
    let judge = |item: &Item| (item.kind == ItemKind::File).then(|| check_eligible(item, &opened.options).ok());
    let verdicts: Vec<Option<Option<ContentHash>>> = snapshot.items.par_iter().map(judge).collect();
    let unfit = verdicts.iter().filter(|verdict| matches!(verdict, Some(None))).count();
    let able = verdicts.into_iter().enumerate().filter_map(|(at, verdict)| Some((at, verdict??))).collect();
    Ok(SummarizableFiles { opened, snapshot, able, unfit })
}

/// All files of the project, whatever its composition names.
fn project_files(door: &Door) -> Result<SummarizableFiles, OpError> {
    files(door, &DocumentRequest { paths: vec![".".into()], ..DocumentRequest::default() })
}

impl SummarizableFiles {
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
    fn sweep(&self, door: &Door, keep: &dyn Fn(&SummaryEntry) -> bool) -> Result<ClearedAnswer, OpError> {
        let mut cleared = ClearedAnswer { notes: self.snapshot.notes.clone(), ..ClearedAnswer::default() };
        if let Some(mut opened) = summaries(door, &self.opened.roots, &self.opened.config, Access::Read)? {
            cleared.notes.extend(opened.note.take());
            cleared.swept = opened.summaries.gc(keep)?;
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

fn derived(door: &Door, roots: &Roots, config: &Config, cleared: &mut ClearedAnswer, forget: Forget) {
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
            cleared.freed_bytes = before.saturating_sub(cache.bytes());
        }
        Err(cause) => {
            let text = format!("the cache of derived results stays as it is: {cause}");
            cleared.notes.push(Note::new(Topic::Cache, text).hint("try again when no other program uses it"));
        }
    }
}

/// Of every path of a project who wrote the newest entry that a document at this tier would show.
fn latest(store: &mut Summaries, project: &str, tier: u8) -> Result<BTreeMap<String, EntryAuthor>, OpError> {
    let mut newest: BTreeMap<String, (SummaryKey, SummaryEntry)> = BTreeMap::new();
    let mut take = |key: SummaryKey, entry: SummaryEntry| {
        let Some(path) = path_in(project, &entry.file_path) else { return };
        if !is_summary(&entry) || !shown_tiers(tier).contains(&entry.generator_tier) {
            return;
        }
        let is_newer =
            |(old_key, old): &(SummaryKey, SummaryEntry)| (&entry.generated_at, key) > (&old.generated_at, *old_key);
        if newest.get(path).is_none_or(is_newer) {
            newest.insert(path.to_owned(), (key, entry));
        }
    };
    store.list(&mut take)?;
    Ok(newest.into_iter().map(|(path, (_, entry))| (path, author(&entry))).collect())
}

fn author(entry: &SummaryEntry) -> EntryAuthor {
    EntryAuthor { by: entry.generator.to_string(), at: entry.generated_at.clone(), tier: entry.generator_tier }
}
