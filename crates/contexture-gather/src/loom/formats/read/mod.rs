//! Files of each format as trees.

pub(super) mod chatgpt;
pub(super) mod contexture;
mod fields;
pub(super) mod loom_engine;
pub(super) mod loomsidian;
pub(super) mod pi;
pub(super) mod pyloom;

use super::super::{Fault, LoomError};
use super::plant::{Seed, plant};
use super::{ImportOptions, Imported};
use crate::sessions::tally::Tally;
use crate::sessions::{Fault as SessionFault, SessionError};
use std::collections::BTreeMap;

/// Each seed as a tree.
fn imported(
    format: &'static str,
    seeds: impl IntoIterator<Item = Seed>,
    options: &ImportOptions,
    mut tally: Tally,
) -> Result<Imported, LoomError> {
    let mut lines = BTreeMap::new();
    let mut bundles = Vec::new();
    for seed in seeds {
        bundles.push(plant(seed, options, &mut tally, &mut lines)?);
    }
    let (notes, skipped) = tally.close();
    Ok(Imported { format, bundles, notes, skipped, lines })
}

/// Which of several conversations were asked for: all, or the one with this id or title, or with this in its title.
fn chosen(heads: &[(Vec<String>, String)], options: &ImportOptions) -> Result<Vec<usize>, LoomError> {
    let Some(wanted) = &options.conversation else { return Ok((0..heads.len()).collect()) };
    let folded = wanted.to_lowercase();
    let places = |test: &dyn Fn(&(Vec<String>, String)) -> bool| -> Vec<usize> {
        heads.iter().enumerate().filter(|(_, head)| test(head)).map(|(place, _)| place).collect()
    };
    let name = |(ids, title): &(Vec<String>, String)| ids.first().unwrap_or(title).clone();
    let tries: [&dyn Fn(&(Vec<String>, String)) -> bool; 3] =
        [&|(ids, _)| ids.contains(wanted), &|(_, title)| title == wanted, &|(_, title)| {
            title.to_lowercase().contains(&folded)
        }];
    let found = tries.iter().map(|test| places(test)).find(|found| !found.is_empty()).unwrap_or_default();
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
fn wanted(ids: &[&str], title: &str, options: &ImportOptions) -> Result<(), LoomError> {
    let title = if title.is_empty() { &options.name } else { title };
    chosen(&[(ids.iter().map(|id| (*id).to_string()).collect(), title.to_string())], options).map(|_| ())
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
