//! Writes what was picked as bytes, stable parts first. May write, may not drop.
//!
//! Each item becomes a [`Block`](crate::Block) that depends on that item alone; sections are headings between blocks.
//! Two formats may differ in every byte, never in what they show or in which order.

pub mod buffer;
mod escape;
mod json;
mod markdown;
mod section;
pub mod talk;
mod tree;
mod xml;

pub use escape::{is_hidden, printable, visible};
pub use markdown::fence_length;
pub(crate) use markdown::spoken as said_for_people;
pub use section::{assemble, between};

use crate::fitting::layers::Shown;
use crate::model::{Body, Item, ItemKind, Piece, View};
use crate::options::Format;

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

/// The pieces of an item of an agent's context, for people to read.
pub(crate) fn layer(shown: &Shown) -> Vec<Piece> {
    vec![Piece::Frame(markdown::layer(shown))]
}

/// A number with its thousands set apart, as people read it.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The role and the trimmed text of an entry of a discussion.
fn said(item: &Item) -> (Option<&str>, &str) {
    match &item.body {
        Body::Said { role, content } => (role.as_deref(), content.trim()),
        _ => (None, ""),
    }
}
