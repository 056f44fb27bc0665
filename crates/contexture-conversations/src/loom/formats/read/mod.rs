//! Files of each format as trees.

pub(super) mod chatgpt;
pub(super) mod contexture;
mod fields;
pub(super) mod loom_engine;
pub(super) mod loomsidian;
pub(super) mod pi;
pub(super) mod pyloom;

use super::super::store::Result;
use super::super::{Fault, LoomError};
use super::plant::plant;
use super::raw::Seed;
use super::{ImportOptions, Imported};
use crate::sessions::tally::Tally;
use crate::sessions::{Fault as SessionFault, SessionError};
use contexture_core::render::printable;
use std::collections::BTreeMap;

/// Each seed as a tree.
fn imported(format: &'static str, seeds: Vec<Seed>, options: &ImportOptions, mut tally: Tally) -> Result<Imported> {
    let mut lines = BTreeMap::new();
    let mut bundles = Vec::new();
    let several = seeds.len() > 1;
    for seed in seeds {
        let told = tally.notes.len();
        let bundle = plant(seed, options, &mut tally, &mut lines)?;
        for note in tally.notes.iter_mut().skip(told).filter(|_| several) {
            note.text = format!("{}: {}", printable(&bundle.tree.title), note.text);
        }
        bundles.push(bundle);
    }
    let (notes, skipped) = tally.close();
    Ok(Imported { format, bundles, notes, skipped, lines })
}

/// What a conversation of a file can be asked for by.
struct ConversationHead {
    ids: Vec<String>,
    title: String,
}

/// Which of several conversations were asked for: all, or the one with this id or title, or with this in its title.
fn chosen(heads: &[ConversationHead], options: &ImportOptions) -> Result<Vec<usize>> {
    let Some(wanted) = &options.conversation else { return Ok((0..heads.len()).collect()) };
    let folded = wanted.to_lowercase();
    let fits = |head: &ConversationHead, rank: usize| match rank {
        0 => head.ids.contains(wanted),
        1 => head.title == *wanted,
        _ => head.title.to_lowercase().contains(&folded),
    };
    let places = |rank: usize| -> Vec<usize> {
        heads.iter().enumerate().filter(|(_, head)| fits(head, rank)).map(|(place, _)| place).collect()
    };
    let found = (0..3).map(places).find(|found| !found.is_empty()).unwrap_or_default();
    let name = |head: &ConversationHead| head.ids.first().unwrap_or(&head.title).clone();
    let word = wanted.clone();
    match found.as_slice() {
        [_] => Ok(found),
        [] => Err(Fault::Unknown { what: "conversation", word, near: heads.iter().map(name).collect() }.into()),
        several => {
            let choices = several.iter().filter_map(|&place| heads.get(place)).map(name).collect();
            Err(Fault::Several { what: "conversation", word, choices }.into())
        }
    }
}

/// Like [`chosen`] for a file with one conversation.
fn wanted(ids: &[&str], title: &str, options: &ImportOptions) -> Result<()> {
    let title = if title.is_empty() { &options.name } else { title };
    let head = ConversationHead { ids: ids.iter().map(|id| (*id).to_string()).collect(), title: title.into() };
    chosen(&[head], options).map(|_| ())
}

/// What the readers of sessions refuse.
fn refused(error: SessionError) -> LoomError {
    let line = error.line;
    let fault = match error.fault {
        SessionFault::Role(word) => Fault::Word { what: "role", word, known: &["system", "user", "assistant", "tool"] },
        SessionFault::TooLarge(limit) => Fault::TooLarge(limit),
        SessionFault::Io { what, cause } => Fault::Io { what, cause },
        other => Fault::Broken(other.to_string()),
    };
    let error = LoomError::from(fault);
    match line {
        Some(line) => error.on_line(line),
        None => error,
    }
}
