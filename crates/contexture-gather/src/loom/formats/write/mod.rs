//! Trees as files of each format.

pub(super) mod chatgpt;
pub(super) mod contexture;
pub(super) mod loom_engine;
pub(super) mod loomsidian;
pub(super) mod pi;
pub(super) mod pyloom;

use super::Exported;
use contexture_core::Note;

/// One file at the place that was asked for.
fn single(text: String, notes: Vec<Note>) -> Exported {
    Exported { files: vec![(String::new(), text)], notes }
}
