//! One way of showing an item.

use super::{ItemId, Text, WrittenSummary};
use crate::keywords;
use std::sync::Arc;

/// The views of the specification, from the richest to nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    None,
    Name,
    Summary,
    Outline,
    Masked,
    Custom,
    Skeleton,
    Diff,
    Full,
}

keywords!(Level {
    Full = "full",
    Diff = "diff",
    Skeleton = "skeleton",
    Custom = "custom",
    Masked = "masked",
    Outline = "outline",
    Summary = "summary",
    Name = "name",
    None = "none",
});

/// An item shown at one level.
///
/// `level` is what is shown, which may be poorer than what was wished; `fell_back` then says why. `label` is what stands
/// behind the path in the heading (of passages, their lines: `4-7, 15`), `language` the word behind the fence; a view
/// without a fence is prose of our own.
#[derive(Clone, Debug)]
pub struct View {
    pub item: ItemId,
    pub level: Level,
    pub text: Text,
    pub label: Option<String>,
    pub language: Option<&'static str>,
    pub fenced: bool,
    /// `ERROR …`, shown above the text on a line of its own.
    pub error: Option<String>,
    pub fell_back: Option<String>,
    /// Whether `text` is the item's own text, byte for byte, so that its hash is known.
    pub verbatim: bool,
    /// What could not be found for it, though the view itself stands.
    pub remarks: Vec<String>,
    /// What a model wrote, where that is shown.
    pub written: Option<Arc<WrittenSummary>>,
}
