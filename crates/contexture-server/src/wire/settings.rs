//! Settings with their origins, and what the doctor found.

use crate::ops::Check;
use contexture_gather::config::manual_slop::Imported;
use contexture_gather::config::{Config, Node, Setting};
use serde_json::{Value, json};
use std::path::Path;

pub fn all(config: &Config) -> Value {
    json!({"v": 1, "settings": config.origins().iter().map(one).collect::<Vec<_>>()})
}

pub fn one(setting: &Setting) -> Value {
    json!({"v": 1, "key": setting.key, "value": setting.value.as_ref().map(Node::to_json), "origin": setting.origin.to_string()})
}

pub fn set(key: &str, file: &Path) -> Value {
    json!({"v": 1, "key": key, "file": file.display().to_string()})
}

pub fn made(path: &str) -> Value {
    json!({"v": 1, "path": path})
}

pub fn pruned(removed: &[String], kept: usize) -> Value {
    json!({"v": 1, "removed": removed, "kept": kept})
}

/// A project of another program as ours; `path` is where it was written.
pub fn imported(imported: &Imported, path: Option<&str>) -> Value {
    json!({"v": 1, "path": path, "text": imported.text, "notes": super::notes(&imported.notes)})
}

pub fn checks(checks: &[Check]) -> Value {
    let one = |check: &Check| json!({"name": check.name, "ok": check.ok, "text": check.text, "hint": check.hint});
    json!({"v": 1, "ok": checks.iter().all(|check| check.ok), "checks": checks.iter().map(one).collect::<Vec<_>>()})
}
