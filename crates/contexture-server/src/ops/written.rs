//! Gives files the summaries that models wrote about them, and says where such summaries are kept.
//!
//! Takes items that were read; sets `written` of those that may be shown as a summary. One question for all of them. A store
//! that cannot be used is a note: the summaries that are made from the files themselves are shown then.

use super::OpError;
use super::open::{Door, Opened as Run};
use contexture_core::{ContentHash, Item, Level, Note, Topic, WrittenSummary, may_summarize};
use contexture_gather::Roots;
use contexture_gather::config::Config;
use contexture_gather::summaries::{self, Entry, Found, Opened, SummaryError, choose};
use rayon::prelude::*;
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
    let Some(place) = place(door, roots, config) else {
        return match access {
            Access::Read => Ok(None),
            Access::Write => Err(OpError::failed("there is no place for summaries: this user has no cache folder")
                .hint("`contexture config set --global aggregation.cache_dir DIR` sets one")),
        };
    };
    place.open(access).map_err(|error| refused(&error))
}

/// Sets what was written about these items. Gives what is to be said about it.
pub(super) fn give(door: &Door, run: &Run, items: &mut [Item]) -> Vec<Note> {
    let Some(tier) = run.written_tier else { return Vec::new() };
    let Some(place) = place(door, &run.roots, &run.config).filter(Place::is_there) else { return Vec::new() };
    let may = |item: &&mut Item| item.hash.is_some() && may_summarize(item, &run.options);
    let mut able: Vec<&mut Item> = items.par_iter_mut().filter(may).collect();
    if able.is_empty() {
        return Vec::new();
    }
    let hashes: Vec<ContentHash> = able.iter().filter_map(|item| item.hash).collect();
    let mut notes = Vec::new();
    match look_up(&place, &hashes, &mut notes) {
        Ok(found) => {
            notes.extend((found.damaged > 0).then(|| damaged(found.damaged)));
            let found = found.by_content();
            for item in &mut able {
                let entries = item.hash.as_ref().and_then(|hash| found.get(hash)).into_iter().flatten().copied();
                let of_view = entries.filter(|entry| entry.view == Level::Summary.as_str());
                item.written = choose(of_view, None, tier).map(|entry| Arc::new(written(entry)));
            }
        }
        Err(error) => notes.push(unusable(&error)),
    }
    notes
}

/// Where summaries are kept.
enum Place {
    Folder(PathBuf),
}

fn place(door: &Door, roots: &Roots, config: &Config) -> Option<Place> {
    door.cache_folder(roots, config).map(Place::Folder)
}

impl Place {
    /// Whether it is worth asking; quick.
    fn is_there(&self) -> bool {
        match self {
            Self::Folder(folder) => folder.join(summaries::FILE).exists(),
        }
    }

    fn open(&self, access: Access) -> summaries::Result<Option<Opened>> {
        match (self, access) {
            (Self::Folder(folder), Access::Read) => summaries::open_existing(folder),
            (Self::Folder(folder), Access::Write) => summaries::open(folder).map(Some),
        }
    }
}

fn look_up(place: &Place, hashes: &[ContentHash], notes: &mut Vec<Note>) -> summaries::Result<Found> {
    let Some(mut opened) = place.open(Access::Read)? else { return Ok(Found::default()) };
    notes.extend(opened.note.take());
    opened.summaries.by_content(hashes)
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
    Note::new(Topic::Unread, format!("{text}: what the files say themselves is shown"))
        .hint("`contexture cache verify` lists them")
}

fn unusable(error: &SummaryError) -> Note {
    Note::new(Topic::Unread, format!("no written summaries are shown: {error}")).hint(error.hint())
}

fn refused(error: &SummaryError) -> OpError {
    let (message, hints) = (error.to_string(), vec![error.hint().to_owned()]);
    match error {
        SummaryError::Damaged(_) => OpError::Verification { message, hints },
        SummaryError::Busy | SummaryError::Newer | SummaryError::Io { .. } | SummaryError::Store(_) => {
            OpError::Failed { message, hints }
        }
    }
}
