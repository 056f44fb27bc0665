//! Gives files the summaries that models wrote about them, and says where such summaries are kept.
//!
//! Takes items that were read; sets `written` of those that may be shown as a summary. One question for all of them. A store
//! that cannot be used is a note: the summaries that are made from the files themselves are shown then.

use super::OpError;
use super::open::{Door, Opened as Run};
use crate::shared::{SharedStore, SharedStores, is_server};
use contexture_core::render::printable;
use contexture_core::{ContentHash, Item, Level, Note, Topic, WrittenSummary, may_summarize};
use contexture_gather::Roots;
use contexture_gather::config::{Config, Origin, StoreUrl};
use contexture_gather::summaries::{self, BATCH, OpenedStore, SummaryEntry, SummaryLookup, choose};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// What the store is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Where there is none, none is made.
    Read,
    Write,
}

/// Opens the store of summaries: `None` where there is none to read from. Like the cache, it is never one that came with a
/// project.
pub fn summaries(door: &Door, roots: &Roots, config: &Config, access: Access) -> Result<Option<OpenedStore>, OpError> {
    let (place, note) = locate_summaries(door, roots, config)?;
    let Some(place) = place else {
        return match access {
            Access::Read => Ok(None),
            Access::Write => Err(OpError::failed("there is no place for summaries: this user has no cache folder")
                .hint("`contexture config set --global aggregation.cache_dir DIR` sets one")),
        };
    };
    let opened = place.open(access)?;
    Ok(opened.map(|opened| OpenedStore { note: opened.note.or(note), ..opened }))
}

/// Sets what was written about these items. Gives what is to be said about it.
pub(super) fn attach_summaries(door: &Door, run: &Run, items: &mut [Item]) -> Vec<Note> {
    let Some(tier) = run.written_tier else { return Vec::new() };
    let (place, note) = match locate_summaries(door, &run.roots, &run.config) {
        Ok(found) => found,
        Err(error) => return vec![unavailable_note(&error.to_string(), error.hints().first())],
    };
    let mut notes: Vec<Note> = note.into_iter().collect();
    let Some(place) = place.filter(SummaryLocation::is_there) else { return notes };
    let may = |item: &&mut Item| item.hash.is_some() && may_summarize(item, &run.options);
    let mut able: Vec<&mut Item> = items.par_iter_mut().filter(may).collect();
    if able.is_empty() {
        return notes;
    }
    let hashes: Vec<ContentHash> = able.iter().filter_map(|item| item.hash).collect();
    match look_up(&place, &hashes, &mut notes) {
        Ok(found) => {
            notes.extend((found.damaged > 0).then(|| damaged_note(found.damaged)));
            let found = found.by_content();
            able.par_iter_mut().with_min_len(64).for_each(|item| {
                let entries = item.hash.as_ref().and_then(|hash| found.get(hash)).into_iter().flatten().copied();
                item.written = choose_entry(entries, tier).map(|entry| Arc::new(written_summary(entry)));
            });
        }
        Err(error) => notes.push(unavailable_note(&error.to_string(), Some(error.hint()))),
    }
    notes
}

/// Where summaries are, for people; or what is wrong, and what to do.
pub(super) fn describe_store(door: &Door, roots: &Roots, config: &Config) -> Result<String, (String, String)> {
    let fail = |error: &OpError| (error.to_string(), error.hints().join("; "));
    let (place, _) = locate_summaries(door, roots, config).map_err(|error| fail(&error))?;
    let Some(place) = place else { return Ok("no place for them".into()) };
    let name = match &place {
        SummaryLocation::Folder(folder) => folder.join(summaries::FILE).display().to_string(),
        SummaryLocation::Server(address) => address.to_string(),
    };
    if !place.is_there() {
        return Ok(format!("{name} (not there)"));
    }
    let mut entries = 0_u64;
    let damaged = place
        .open(Access::Read)
        .and_then(|opened| opened.map_or(Ok(0), |mut opened| opened.summaries.list(&mut |_, _| entries += 1)))
        .map_err(|error| fail(&error.into()))?;
    match damaged {
        0 => Ok(format!("{name}: {entries} entries")),
        damaged => Err((format!("{name}: {damaged} of {} entries are damaged", entries + damaged), VERIFY.into())),
    }
}

const VERIFY: &str = "`contexture cache verify` lists them";

/// Which of the entries about one content a document shows. Where nothing was written for tiers 3 and 4, which show few
/// summaries, that of tier 2 does.
pub(super) fn choose_entry<'a>(
    entries: impl IntoIterator<Item = &'a SummaryEntry>,
    tier: u8,
) -> Option<&'a SummaryEntry> {
    let entries: Vec<&SummaryEntry> = entries.into_iter().filter(|entry| is_summary(entry)).collect();
    shown_tiers(tier).iter().find_map(|tier| choose(entries.iter().copied(), None, *tier))
}

/// The tiers whose summaries a document at this tier shows, the best one first.
pub(super) fn shown_tiers(tier: u8) -> &'static [u8] {
    match tier {
        1 => &[1],
        2 => &[2],
        3 => &[3, 2],
        _ => &[4, 3, 2],
    }
}

pub(super) fn is_summary(entry: &SummaryEntry) -> bool {
    entry.view == Level::Summary.as_str()
}

/// Where summaries are kept.
enum SummaryLocation {
    Folder(PathBuf),
    Server(SharedStore),
}

/// `None` where there is no place; a note where a project's own file names one that is not used.
fn locate_summaries(
    door: &Door,
    roots: &Roots,
    config: &Config,
) -> Result<(Option<SummaryLocation>, Option<Note>), OpError> {
    let folder = || door.cache_folder(roots, config).map(SummaryLocation::Folder);
    match server_setting(door.shared.as_ref(), config) {
        ServerSetting::None => Ok((folder(), None)),
        ServerSetting::OfProject(note) => Ok((folder(), Some(note))),
        ServerSetting::At(address) => Ok((Some(SummaryLocation::Server(address?)), None)),
    }
}

/// What `store.url` says of a server.
pub(super) enum ServerSetting {
    None,
    /// A project may not send what is read and written elsewhere.
    OfProject(Note),
    At(Result<SharedStore, OpError>),
}

pub(super) fn server_setting(stores: Option<&Arc<dyn SharedStores>>, config: &Config) -> ServerSetting {
    let Some(url) = config.store_url.as_ref().map(StoreUrl::secret) else { return ServerSetting::None };
    if !is_server(url) {
        return match url.split_once(':') {
            // A drive of Windows is one letter.
            Some((scheme, _)) if scheme != "sqlite" && scheme.len() > 1 => {
                let message = format!("`store.url`: a store of the scheme `{}` is not known", printable(scheme));
                ServerSetting::At(Err(OpError::usage(message).hint("`sqlite:FILE` and `postgres://…` are")))
            }
            _ => ServerSetting::None,
        };
    }
    if let Origin::Project { file, line } = config.origin("store.url") {
        let text = format!("{file}:{line}: `store.url` of a project may not name a server");
        let hint = "`contexture config set --global store.url URL` or CONTEXTURE_STORE_URL sets it for this user";
        return ServerSetting::OfProject(Note::new(Topic::Setting, text).hint(hint));
    }
    let Some(stores) = stores else {
        return ServerSetting::At(Err(OpError::usage(
            "`store.url` names a database server, and this program reaches none",
        )
        .hint("`sqlite:FILE` names a store in a file")));
    };
    ServerSetting::At(SharedStore::new(stores, url).map_err(|error| {
        OpError::usage(format!("`store.url` is not the address of a server: {error}"))
            .hint("`contexture config --origins` tells where it is set")
    }))
}

impl SummaryLocation {
    /// Whether it is worth asking; quick.
    fn is_there(&self) -> bool {
        match self {
            Self::Folder(folder) => folder.join(summaries::FILE).exists(),
            Self::Server(_) => true,
        }
    }

    fn open(&self, access: Access) -> summaries::Result<Option<OpenedStore>> {
        match (self, access) {
            (Self::Folder(folder), Access::Read) => summaries::open_existing(folder),
            (Self::Folder(folder), Access::Write) => summaries::open(folder).map(Some),
            (Self::Server(address), Access::Read | Access::Write) => {
                Ok(Some(OpenedStore { summaries: address.summaries()?, note: None, repaired: None }))
            }
        }
    }
}

/// A file is read by two at once: one reader takes as long as reading all the files that are asked about. A server is asked once, because the
/// way to it is what takes time.
fn look_up(place: &SummaryLocation, hashes: &[ContentHash], notes: &mut Vec<Note>) -> summaries::Result<SummaryLookup> {
    let ask = |hashes: &[ContentHash]| -> summaries::Result<(SummaryLookup, Option<Note>)> {
        if hashes.is_empty() {
            return Ok(Default::default());
        }
        let Some(mut opened) = place.open(Access::Read)? else { return Ok(Default::default()) };
        Ok((opened.summaries.by_content(hashes)?, opened.note.take()))
    };
    // Each content once, so that what is damaged is counted once.
    let hashes: Vec<ContentHash> = hashes.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let half = match place {
        SummaryLocation::Folder(_) if hashes.len() > BATCH => hashes.len() / 2,
        SummaryLocation::Folder(_) | SummaryLocation::Server(_) => 0,
    };
    let (first, second) = hashes.split_at(half);
    let (first, second) = rayon::join(|| ask(first), || ask(second));
    let ((mut found, note), (more, other)) = (first?, second?);
    notes.extend(note.or(other));
    found.entries.extend(more.entries);
    found.damaged += more.damaged;
    Ok(found)
}

fn written_summary(entry: &SummaryEntry) -> WrittenSummary {
    WrittenSummary {
        text: entry.summary.as_str().into(),
        by: entry.generator.to_string(),
        tier: entry.generator_tier,
        hash: ContentHash::of(&entry.summary),
    }
}

fn damaged_note(rows: u64) -> Note {
    let text = if rows == 1 {
        "1 summary that was kept is damaged".into()
    } else {
        format!("{rows} summaries that were kept are damaged")
    };
    Note::new(Topic::Unread, format!("{text}: what the files say themselves is shown")).hint(VERIFY)
}

fn unavailable_note(cause: &str, hint: Option<impl Into<String>>) -> Note {
    let note = Note::new(Topic::Unread, format!("no written summaries are shown: {cause}"));
    match hint {
        Some(hint) => note.hint(hint),
        None => note,
    }
}
