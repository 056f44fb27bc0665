//! Lays out the ways an item could be shown. May cut, may not choose.
//!
//! Takes an [`Item`](crate::Item) and a [`Level`](crate::Level); gives a [`View`](crate::View). It never fails: where the wished view cannot be made, a poorer one
//! comes with its reason.

pub mod base64;
pub mod beads;
pub mod bootstrap;
mod code;
mod custom;
pub mod data;
pub mod diff;
mod form;
pub mod history;
pub mod kind;
pub mod layers;
pub mod loom;
pub mod memory;
mod nature;
pub mod summary;
mod view;

pub use code::{CodeReader, InProcess, has_mask, has_syntax, language_of};
pub use form::Form;
pub(crate) use form::is_notebook;
pub use nature::{Nature, nature};
pub use view::{extent, passages, view};

/// The lines of a text with their ends (`\n`, `\r\n`, a lone `\r`), as editors number them.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let end = match memchr::memchr2(b'\n', b'\r', bytes) {
            Some(at) if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') => at + 2,
            Some(at) => at + 1,
            None => bytes.len(),
        };
        let (line, tail) = rest.split_at(end);
        rest = tail;
        Some(line)
    })
}
