//! Writes what was picked as bytes, stable parts first. May write, may not drop.
//!
//! Each item becomes a [`Block`](crate::Block) that depends on that item alone; sections are headings between blocks.
//! Two formats may differ in every byte, never in what they show or in which order.

pub mod buffer;
mod draft;
mod header;
mod json;
mod markdown;
mod section;
pub mod talk;
mod tree;
mod xml;

pub use crate::types::{grouped, is_hidden, printable, visible};
pub(crate) use draft::Draft;
pub use markdown::fence_length;
pub use section::{assemble, between};

use crate::types::{Body, Format, Item, ItemKind, Level, Piece, View};

/// The pieces of one item's block.
pub fn block(format: Format, item: &Item, view: &View, position: usize) -> Vec<Piece> {
    match format {
        // A document goes into a conversation as Markdown.
        Format::Xml => xml::block(item, view, position),
        Format::Json => json::block(item, view, position),
        // Beside the document a picture is a picture.
        Format::Messages | Format::Request(_) if item.kind == ItemKind::Screenshot => markdown::picture(item, view),
        Format::Markdown | Format::Messages | Format::Request(_) | Format::Text => {
            markdown::block(item, view, position)
        }
    }
}

/// Whether an item is shown by a line in the list of files that are not shown: it has a path and a number of lines.
fn is_listed(item: &Item, view: &View) -> bool {
    item.kind == ItemKind::File
        && view.level == Level::Name
        && view.label.is_some()
        && view.text.is_empty()
        && view.error.is_none()
}

/// The role and the trimmed text of an entry of a discussion.
fn entry_text(item: &Item) -> (Option<&str>, &str) {
    match &item.body {
        Body::Said { role, content } => (role.as_deref(), content.trim()),
        _ => (None, ""),
    }
}
