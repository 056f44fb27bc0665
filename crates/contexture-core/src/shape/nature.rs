//! What sort of thing a file is, as far as it decides how the file is best shown when nobody said.

use super::data;
use crate::kind;
use crate::types::{Body, Item, Level};

/// What a file is best shown as when nobody said: whole, or less.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileNature {
    Ordinary,
    Binary(&'static str),
    Huge,
    /// Lock file, minified, generated.
    Reduced(&'static str),
    /// Rows of data: head and shape say more than all of it.
    Data,
}

impl FileNature {
    /// The level such a file is shown at unless it was named by hand, and the reason.
    pub fn reduced(&self) -> Option<(Level, String)> {
        match self {
            Self::Ordinary => None,
            Self::Binary(what) => Some((Level::Name, format!("binary: {what}"))),
            Self::Huge => Some((Level::Summary, "too large to be read whole".to_owned())),
            Self::Reduced(what) => Some((Level::Name, format!("{what}: shown by name"))),
            Self::Data => Some((Level::Summary, "data: head and shape".to_owned())),
        }
    }
}

/// Judges an item by its path, how long it is, and the beginning of its text.
pub fn nature(item: &Item) -> FileNature {
    match &item.body {
        Body::Text { text, .. } => match kind::reduced_reason(&item.path, text) {
            Some(what) => FileNature::Reduced(what),
            None if data::is_long_data(&item.path, text) => FileNature::Data,
            None => FileNature::Ordinary,
        },
        Body::Binary { what } => FileNature::Binary(what),
        Body::Huge { .. } => FileNature::Huge,
        Body::Image { .. } | Body::Said { .. } | Body::Unread | Body::Failed(_) => FileNature::Ordinary,
        Body::Message(_) | Body::Memory(_) | Body::Skill(_) | Body::Schemas(_) => FileNature::Ordinary,
    }
}
