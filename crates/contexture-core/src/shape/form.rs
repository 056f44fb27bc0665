//! What of a file's text its full view shows: all of it, all but long runs of data, or the cells of a notebook.
//!
//! Takes an item; gives its form, and for a form and a text the digest whose costs are those of what is shown.

use super::{base64, data};
use crate::kind::{FileKind, kind_of};
use crate::rank::{Counted, Digest};
use crate::types::{Item, SelectedBy};
use contexture_syntax::{Language, Structure};

/// How a full view comes from a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TextForm {
    AsItIs,
    /// Without its base64.
    Cut,
    /// As the cells of a notebook, without outputs.
    Cells,
}

impl TextForm {
    /// What was named by hand, or forced, is shown as it is.
    pub fn of(item: &Item) -> Self {
        if item.selected_by == SelectedBy::Path || item.wish.force_full || item.wish.view.is_some() {
            Self::AsItIs
        } else if is_notebook(&item.path) {
            Self::Cells
        } else {
            Self::Cut
        }
    }

    /// The word for it, which is part of the key that digests are remembered by.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AsItIs => "as it is",
            Self::Cut => "cut",
            Self::Cells => "cells",
        }
    }

    /// A part of a text as it is shown, when that is not the part itself: what the full text does not show, a part of it
    /// does not show either.
    pub fn cut(self, part: &str) -> Option<String> {
        match self {
            Self::AsItIs => None,
            Self::Cut | Self::Cells => base64::cut_base64(part),
        }
    }

    /// The digest of a text that is shown in this form.
    pub fn digest(self, text: &str, code: Option<(&'static Language, &Structure)>) -> Digest {
        match self {
            Self::AsItIs => Digest::of(text, code, Counted::All),
            Self::Cut => Digest::of(text, code, Counted::Without(&base64::spans(text))),
            Self::Cells => match data::notebook_cells(text) {
                Ok(cells) => Digest::of(text, code, Counted::Instead(&cells)),
                Err(_) => Digest::of(text, code, Counted::All),
            },
        }
    }
}

pub(crate) fn is_notebook(path: &str) -> bool {
    matches!(kind_of(path, ""), FileKind::Notebook)
}
