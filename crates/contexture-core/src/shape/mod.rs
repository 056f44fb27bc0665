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
mod extent;
mod form;
pub mod history;
pub mod layers;
pub mod loom;
pub mod memory;
mod nature;
pub mod summary;
mod view;

pub use crate::types::lines;
pub use code::{CodeReader, InProcess, Tools, has_mask, has_syntax, language_of};
pub use extent::{Extent, ExtentPart};
pub use form::TextForm;
pub(crate) use form::is_notebook;
pub use nature::{FileNature, nature};
pub use view::{extent, passages, view};
