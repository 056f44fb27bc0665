//! Gives files the summaries that models wrote about them, and says where such summaries are kept.
//!
//! Takes items that were read; sets `written` of those that may be shown as a summary. One question for all of them. A store
//! that cannot be used is a note: the summaries that are made from the files themselves are shown then.

use super::OpError;
use super::open::{Door, Opened as Run};
use crate::shared::{self, Address};
use contexture_core::render::printable;
use contexture_core::{ContentHash, Item, Level, Note, Topic, WrittenSummary, may_summarize};
use contexture_gather::Roots;
use contexture_gather::config::{Config, Origin, StoreUrl};
use contexture_gather::summaries::{self, BATCH, Entry, Found, Opened, SummaryError, choose};
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
pub fn summaries(door: &Door, roots: &Roots, config: &Config, access: Access) -> Result<Option<Opened>, OpError> {
    let (place, note) = place(door, roots, config)?;
    let Some(place) = place else {
        return match access {
            Access::Read => Ok(None),
            Access::Write => Err(OpError::failed("there is no place for summaries: this user has no cache folder")
                .hint("`contexture config set --global aggregation.cache_dir DIR` sets one")),
        };
    };
    let opened = place.open(access).map_err(|error| refused(&error))?;
    Ok(opened.map(|opened| Opened { note: opened.note.or(note), ..opened }))
}

/// Sets what was written about these items. Gives what is to be said about it.
pub(super) fn give(door: &Door, run: &Run, items: &mut [Item]) -> Vec<Note> {
    let Some(tier) = run.written_tier else { return Vec::new() };
    let (place, note) = match place(door, &run.roots, &run.config) {
        Ok(found) => found,
        Err(error) => return vec![not_shown(&error.to_string(), error.hints().first())],
    };
    let mut notes: Vec<Note> = note.into_iter().collect();
    let Some(place) = place.filter(Place::is_there) else { return notes };
    let may = |item: &&mut Item| item.hash.is_some() && may_summarize(item, &run.options);
    let mut able: Vec<&mut Item> = items.par_iter_mut().filter(may).collect();
    if able.is_empty() {
        return notes;
    }
    let hashes: Vec<ContentHash> = able.iter().filter_map(|item| item.hash).collect();
    match look_up(&place, &hashes, &mut notes) {
        Ok(found) => {
            notes.extend((found.damaged > 0).then(|| damaged(found.damaged)));
            let found = found.by_content();
            able.par_iter_mut().with_min_len(64).for_each(|item| {
                let entries = item.hash.as_ref().and_then(|hash| found.get(hash)).into_iter().flatten().copied();
                item.written = shown(entries, tier).map(|entry| Arc::new(written(entry)));
            });
        }
        Err(error) => notes.push(not_shown(&error.to_string(), Some(error.hint()))),
    }
    notes
}

/// Where summaries are, for people; or what is wrong, and what to do.
pub(super) fn told(door: &Door, roots: &Roots, config: &Config) -> Result<String, (String, String)> {
    let fail = |error: &OpError| (error.to_string(), error.hints().join("; "));
    let (place, _) = place(door, roots, config).map_err(|error| fail(&error))?;
    let Some(place) = place else { return Ok("no place for them".into()) };
    let name = match &place {
        Place::Folder(folder) => folder.join(summaries::FILE).display().to_string(),
        Place::Server(address) => address.to_string(),
    };
    if !place.is_there() {
        return Ok(format!("{name} (not there)"));
    }
    let mut entries = 0_u64;
    let damaged = place
        .open(Access::Read)
        .and_then(|opened| opened.map_or(Ok(0), |mut opened| opened.summaries.list(&mut |_, _| entries += 1)))
        .map_err(|error| fail(&refused(&error)))?;
    match damaged {
        0 => Ok(format!("{name}: {entries} entries")),
        damaged => Err((format!("{name}: {damaged} of {} entries are damaged", entries + damaged), VERIFY.into())),
    }
}

const VERIFY: &str = "`contexture cache verify` lists them";

/// Which of the entries about one content a document shows. Where nothing was written for tiers 3 and 4, which show few
/// summaries, that of tier 2 does.
pub(super) fn shown<'a>(entries: impl IntoIterator<Item = &'a Entry>, tier: u8) -> Option<&'a Entry> {
    let entries: Vec<&Entry> = entries.into_iter().filter(|entry| is_summary(entry)).collect();
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

pub(super) fn is_summary(entry: &Entry) -> bool {
    entry.view == Level::Summary.as_str()
}

/// Where summaries are kept.
enum Place {
    Folder(PathBuf),
    Server(Address),
}

/// `None` where there is no place; a note where a project's own file names one that is not used.
fn place(door: &Door, roots: &Roots, config: &Config) -> Result<(Option<Place>, Option<Note>), OpError> {
    let folder = || door.cache_folder(roots, config).map(Place::Folder);
    match server(config) {
        Server::None => Ok((folder(), None)),
        Server::OfProject(note) => Ok((folder(), Some(note))),
        Server::At(address) => Ok((Some(Place::Server(address?)), None)),
    }
}

/// What `store.url` says of a server.
pub(super) enum Server {
    None,
    /// A project may not send what is read and written elsewhere.
    OfProject(Note),
    At(Result<Address, OpError>),
}

pub(super) fn server(config: &Config) -> Server {
    let Some(url) = config.store_url.as_ref().map(StoreUrl::secret) else { return Server::None };
    if !Address::is_one(url) {
        return match url.split_once(':') {
            // A drive of Windows is one letter.
            Some((scheme, _)) if scheme != "sqlite" && scheme.len() > 1 => {
                let message = format!("`store.url`: a store of the scheme `{}` is not known", printable(scheme));
                Server::At(Err(OpError::usage(message).hint("`sqlite:FILE` and `postgres://…` are")))
            }
            _ => Server::None,
        };
    }
    if let Origin::Project { file, line } = config.origin("store.url") {
        let text = format!("{file}:{line}: `store.url` of a project may not name a server");
        let hint = "`contexture config set --global store.url URL` or CONTEXTURE_STORE_URL sets it for this user";
        return Server::OfProject(Note::new(Topic::Setting, text).hint(hint));
    }
    Server::At(Address::parse(url).map_err(|error| {
        OpError::usage(format!("`store.url` is not the address of a server: {error}"))
            .hint("`contexture config --origins` tells where it is set")
    }))
}

impl Place {
    /// Whether it is worth asking; quick.
    fn is_there(&self) -> bool {
        match self {
            Self::Folder(folder) => folder.join(summaries::FILE).exists(),
            Self::Server(_) => true,
        }
    }

    fn open(&self, access: Access) -> summaries::Result<Option<Opened>> {
        match (self, access) {
            (Self::Folder(folder), Access::Read) => summaries::open_existing(folder),
            (Self::Folder(folder), Access::Write) => summaries::open(folder).map(Some),
            (Self::Server(address), Access::Read | Access::Write) => {
                Ok(Some(Opened { summaries: shared::open_summaries(address)?, note: None, repaired: None }))
            }
        }
    }
}

/// A file is read by two at once: one reader takes as long as reading all the files that are asked about. A server is asked once, because the
/// way to it is what takes time.
fn look_up(place: &Place, hashes: &[ContentHash], notes: &mut Vec<Note>) -> summaries::Result<Found> {
    let ask = |hashes: &[ContentHash]| -> summaries::Result<(Found, Option<Note>)> {
        if hashes.is_empty() {
            return Ok(Default::default());
        }
        let Some(mut opened) = place.open(Access::Read)? else { return Ok(Default::default()) };
        Ok((opened.summaries.by_content(hashes)?, opened.note.take()))
    };
    // Each content once, so that what is damaged is counted once.
    let hashes: Vec<ContentHash> = hashes.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let half = match place {
        Place::Folder(_) if hashes.len() > BATCH => hashes.len() / 2,
        Place::Folder(_) | Place::Server(_) => 0,
    };
    let (first, second) = hashes.split_at(half);
    let (first, second) = rayon::join(|| ask(first), || ask(second));
    let ((mut found, note), (more, other)) = (first?, second?);
    notes.extend(note.or(other));
    found.entries.extend(more.entries);
    found.damaged += more.damaged;
    Ok(found)
}

fn written(entry: &Entry) -> WrittenSummary {
    WrittenSummary {
        text: entry.summary.as_str().into(),
        by: entry.generator.to_string(),
        tier: entry.generator_tier,
        hash: ContentHash::of(&entry.summary),
    }
}

fn damaged(rows: u64) -> Note {
    let text = if rows == 1 {
        "1 summary that was kept is damaged".into()
    } else {
        format!("{rows} summaries that were kept are damaged")
    };
    Note::new(Topic::Unread, format!("{text}: what the files say themselves is shown")).hint(VERIFY)
}

fn not_shown(cause: &str, hint: Option<impl Into<String>>) -> Note {
    let note = Note::new(Topic::Unread, format!("no written summaries are shown: {cause}"));
    match hint {
        Some(hint) => note.hint(hint),
        None => note,
    }
}

pub(super) fn refused(error: &SummaryError) -> OpError {
    let (message, hints) = (error.to_string(), vec![error.hint().to_owned()]);
    match error {
        SummaryError::Damaged(_) => OpError::Verification { message, hints },
        SummaryError::Busy | SummaryError::Newer | SummaryError::Io { .. } | SummaryError::Store(_) => {
            OpError::Failed { message, hints }
        }
    }
}
