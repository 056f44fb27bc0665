//! Trees as files of each format.

pub(super) mod chatgpt;
pub(super) mod contexture;
pub(super) mod loom_engine;
pub(super) mod loomsidian;
pub(super) mod pi;
pub(super) mod pyloom;

use super::Exported;
use contexture_core::Note;
use serde_json::Value;

/// One file at the place that was asked for.
fn single(text: String, notes: Vec<Note>) -> Exported {
    Exported { files: vec![(String::new(), text)], notes }
}

/// The arguments of a call where an object is expected. What is none, or would be printed in another way, stays text.
fn arguments(text: &str) -> Value {
    let value: Option<Value> = serde_json::from_str(text).ok();
    let same = |value: &Value| {
        let printed = value.to_string();
        printed == text
    };
    value.filter(|value| value.is_object() && same(value)).unwrap_or_else(|| text.into())
}
