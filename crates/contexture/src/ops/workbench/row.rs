//! One row of a workbench: a file, how it is shown, and how somebody chose to show it.

use super::super::cache::{SummaryState, statuses};
use super::super::open::{Door, Opened};
use crate::requests::{NoView, RowChange, RowView, Word};
use contexture_core::{ContentHash, Item, Level, Pick, SymbolMode, Why};
use contexture_gather::config::{EntrySlice, PathEntry};
use std::collections::BTreeMap;

/// How one file is to be shown.
#[derive(Clone, Debug, PartialEq)]
pub enum RowChoice {
    /// As the project and its settings have it.
    Usual,
    /// Not in the document.
    Out,
    View {
        level: Level,
        mask: BTreeMap<String, SymbolMode>,
        slices: Vec<EntrySlice>,
    },
}

impl From<RowChange> for (Vec<usize>, RowChoice) {
    fn from(RowChange { index, view, mask, slices }: RowChange) -> Self {
        let choice = match view {
            RowView::Other(Word(NoView::Default)) => RowChoice::Usual,
            RowView::Other(Word(NoView::Out)) => RowChoice::Out,
            RowView::View(Word(level)) => RowChoice::View {
                level,
                mask: mask.into_iter().map(|(symbol, mode)| (symbol, mode.get())).collect(),
                slices: slices.into_iter().map(|slice| slice.0).collect(),
            },
        };
        (index, choice)
    }
}

/// One file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub path: String,
    /// Tokens of its own text.
    pub own: u64,
    pub bytes: u64,
    /// Tokens of its block in the document; 0 where it is not in it.
    pub shown: u64,
    pub level: Option<Level>,
    pub reason: String,
    pub is_failed: bool,
    /// Shown by its name because of what it is.
    pub is_reduced: bool,
    /// Somebody set how it is shown.
    pub is_set: bool,
    /// Differs from the last commit.
    pub is_changed: bool,
    /// Whether a model wrote a summary of it.
    pub summary: SummaryState,
    /// Something in it looks like a secret, or cannot be seen.
    pub has_secret: bool,
    pub has_hidden: bool,
}

impl Row {
    pub(super) fn set_pick(&mut self, picked: Result<&Pick, Option<Why>>) {
        match picked {
            Ok(pick) => {
                self.shown = pick.tokens.0;
                self.level = Some(pick.level);
                self.reason = pick.reason();
                self.is_reduced = matches!(pick.why, Why::Kind(_));
            }
            Err(why) => {
                self.shown = 0;
                self.level = None;
                self.reason = why.map(|why| why.to_string()).unwrap_or_default();
                self.is_reduced = false;
            }
        }
    }
}

/// A choice as the entry of a composition.
pub(super) fn entry(path: &str, choice: &RowChoice) -> PathEntry {
    let entry = PathEntry::new(path);
    match choice {
        RowChoice::Usual => entry,
        RowChoice::Out => PathEntry { auto_aggregate: false, ..entry },
        RowChoice::View { level, mask, slices } => {
            PathEntry { view_mode: Some(*level), ast_mask: mask.clone(), custom_slices: slices.clone(), ..entry }
        }
    }
}

/// Which files have a summary. A store that cannot be read has none; what reads it for a document says why.
pub(super) fn summaries(door: &Door, opened: &Opened, files: &[(usize, &Item)]) -> BTreeMap<String, SummaryState> {
    let able: Vec<(&Item, &ContentHash)> =
        files.iter().filter_map(|(_, item)| Some((*item, item.hash.as_ref()?))).collect();
    let Ok((states, _)) = statuses(door, opened, &able, &mut Vec::new()) else { return BTreeMap::new() };
    states.into_iter().map(|file| (file.path, file.state)).collect()
}
