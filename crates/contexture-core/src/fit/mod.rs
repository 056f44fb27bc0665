//! Decides what is shown: first who has a say about each item, then whether it all fits.
//!
//! Three ways of fitting, for three kinds of context: [`document`] takes steps of files, [`layers`] an agent's context, [`path`] a
//! path through a tree. Each chooses from costs and measures what it chose; none writes. What has to be written to be measured is
//! written by a [`Writer`], which `render` implements.

pub mod document;
mod history;
pub mod layers;
pub mod path;
mod route;
mod search;

pub use route::{Route, is_free, may_summarize, route};

use crate::shape::FileNature;
use crate::types::{
    Block, FileOrder, Item, ItemKind, LayerView, LeftOut, Level, Message, Note, Pick, Tokens, View, Why,
};
use contexture_syntax::HunkRows;
use std::fmt;

/// Writes what fitting has to measure.
pub trait Writer: Sync {
    /// An item in one view.
    fn item(&self, item: &Item, view: View, why: Why) -> ShownItem;
    /// The tokens of the document of some items, in the order of the snapshot.
    fn measure_items(&self, shown: &[(usize, &ShownItem)]) -> Tokens;
    /// The tokens of the context with these layers.
    fn measure_layers(&self, layers: &[LayerView]) -> Tokens;
    /// A message as it is written where people read it.
    fn message(&self, message: &Message) -> String;
}

/// An item that is shown, with its block.
#[derive(Clone)]
pub struct ShownItem {
    pub pick: Pick,
    /// Its place among what the budget decided about, from 1; 0 where an explicit choice shows it.
    pub rank: u32,
    /// Whether no word of the task occurs in the project, so that its place is by importance.
    pub is_unmatched: bool,
    /// Shown by its path and size alone, as an item of a list.
    pub listed: bool,
    pub block: Block,
    pub notes: Vec<Note>,
}

/// An item without an explicit view: the budget, or how well it answers the task, decides how much of it is shown.
pub struct FreeItem<'a> {
    pub index: usize,
    pub item: &'a Item,
    pub nature: FileNature,
    /// The most that may be shown.
    pub top: Level,
    pub why: Why,
    /// Its place by relevance, from 1, once it is known.
    pub rank: u32,
    /// Whether no word of the task occurs in the project, once it is known.
    pub is_unmatched: bool,
    /// The lines that may be shown, where the item lies outside the composition.
    pub passages: Vec<(u64, u64)>,
    /// The rows that may be shown of its long functions.
    pub hunks: HunkRows,
}

/// Sorts items as a document shows them, files that are only listed after the others. Sections stay as the snapshot has them, and so
/// do files of the same rank.
pub fn sort_shown<T: std::ops::Deref<Target = ShownItem>>(shown: &mut [(usize, T)], order: FileOrder) {
    let is_file = |item: &ShownItem| item.pick.kind == ItemKind::File;
    shown.sort_by(|(a, one), (b, other)| match order {
        FileOrder::Relevance if is_file(one) && is_file(other) => {
            (one.listed, one.rank, a).cmp(&(other.listed, other.rank, b))
        }
        FileOrder::Path if is_file(one) && is_file(other) => (one.listed, a).cmp(&(other.listed, b)),
        FileOrder::Relevance | FileOrder::Path => a.cmp(b),
    });
}

/// The layers of a context that are shown, and the reason for all that are not.
pub struct FittedLayers {
    /// In the order of the layers.
    pub shown: Vec<LayerView>,
    pub left_out: Vec<LeftOut>,
}

/// What must be shown is larger than the budget: that of a document or a path, or the limit of an agent's context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OverBudget {
    pub needed: Tokens,
    pub budget: Tokens,
    /// The most expensive items, largest first.
    pub largest: Vec<(String, Tokens)>,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "what must be shown needs {} tokens, the budget is {}", self.needed, self.budget)
    }
}

impl std::error::Error for OverBudget {}

/// How many of the largest items an [`OverBudget`] names.
const NAMED: usize = 5;

impl OverBudget {
    pub(crate) fn new(costs: impl Iterator<Item = (String, Tokens)>, needed: Tokens, budget: Tokens) -> Self {
        let mut largest: Vec<_> = costs.collect();
        largest.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        largest.truncate(NAMED);
        Self { needed, budget, largest }
    }
}
