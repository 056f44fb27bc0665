//! Beads out of JSON.
//!
//! Takes the text of an export; gives the beads by id and the number of entries that could not be read. Fields of an
//! unexpected type count as absent, unknown statuses and issue types are kept as they are: only an entry that is no
//! JSON object or has no id is bad. Of two entries with one id the later holds, as when beads imports the file.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub struct BeadList {
    pub beads: BTreeMap<String, Bead>,
    pub bad: usize,
}

pub struct Bead {
    pub id: String,
    pub title: String,
    pub description: String,
    pub stage: Stage,
    /// 0 is the most urgent; an absent one sorts first, because beads reads it as 0.
    pub priority: Option<u64>,
    /// Ids of hard blockers, open or not.
    pub blockers: Vec<String>,
}

/// Where a bead stands. The order is the order of the section.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    InProgress,
    Hooked,
    Open,
    Blocked,
    /// Deferred, pinned, or a status of the project's own.
    Other(String),
    Closed,
}

impl Stage {
    pub fn word(&self) -> &str {
        match self {
            Self::InProgress => "in_progress",
            Self::Hooked => "hooked",
            Self::Open => "open",
            Self::Blocked => "blocked",
            Self::Other(status) => status,
            Self::Closed => "closed",
        }
    }
}

pub fn read(export: &str) -> BeadList {
    let export = export.trim_start_matches('\u{feff}');
    let mut read = BeadList { beads: BTreeMap::new(), bad: 0 };
    // JSON lines fail here at the start of their second line, so this costs one line, not the file twice.
    match serde_json::from_str::<Value>(export) {
        Ok(document) => entries(document).into_iter().for_each(|entry| add(&mut read, Some(entry))),
        Err(_) => {
            let lines = export.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.for_each(|line| add(&mut read, serde_json::from_str(line).ok()));
        }
    }
    read
}

/// The list in a whole document: an array, an array under `data`, `issues` or `beads`, or one bead alone.
fn entries(document: Value) -> Vec<Value> {
    match document {
        Value::Array(list) => list,
        Value::Object(mut object) => {
            let list =
                ["data", "issues", "beads"].into_iter().find(|key| object.get(*key).is_some_and(Value::is_array));
            match list.and_then(|key| object.remove(key)) {
                Some(Value::Array(list)) => list,
                _ => vec![Value::Object(object)],
            }
        }
        other => vec![other],
    }
}

fn add(read: &mut BeadList, entry: Option<Value>) {
    let Some(Value::Object(entry)) = entry else {
        read.bad += 1;
        return;
    };
    // Memories and whatever kinds of record come later are not beads.
    if !matches!(text(&entry, "_type").as_str(), "" | "issue" | "bead") {
        return;
    }
    let id = text(&entry, "id");
    if id.trim().is_empty() {
        read.bad += 1;
        return;
    }
    let status = text(&entry, "status").trim().to_ascii_lowercase();
    let set = |key| entry.get(key).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)));
    if set("is_template") || set("deleted") || set("deleted_at") || matches!(status.as_str(), "tombstone" | "deleted") {
        read.beads.remove(&id);
        return;
    }
    let bead = Bead {
        title: text(&entry, "title"),
        description: text(&entry, "description"),
        stage: stage(&status),
        priority: entry.get("priority").and_then(Value::as_u64),
        blockers: blockers(&entry, &id),
        id: id.clone(),
    };
    read.beads.insert(id, bead);
}

/// `completed` and `done` are the words of mock files for `closed`.
fn stage(status: &str) -> Stage {
    match status {
        "closed" | "completed" | "done" => Stage::Closed,
        "in_progress" | "in-progress" | "in progress" => Stage::InProgress,
        "hooked" => Stage::Hooked,
        "open" | "" => Stage::Open,
        "blocked" => Stage::Blocked,
        // The names beads itself allows for custom statuses, 50 characters at most; anything else could be a sentence.
        name if name.len() <= 50 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)) => {
            Stage::Other(name.to_owned())
        }
        _ => Stage::Other("unknown".to_owned()),
    }
}

/// What hard-blocks this bead. In mock files a dependency is a bare id, which blocks.
fn blockers(entry: &Map<String, Value>, id: &str) -> Vec<String> {
    let Some(list) = entry.get("dependencies").and_then(Value::as_array) else { return Vec::new() };
    let blocker = |dependency: &Value| match dependency {
        Value::String(id) => Some(id.clone()),
        Value::Object(edge) => {
            let hard = matches!(text(edge, "type").as_str(), "blocks" | "conditional-blocks" | "waits-for");
            let mine = matches!(text(edge, "issue_id").as_str(), owner if owner.is_empty() || owner == id);
            (hard && mine).then(|| text(edge, "depends_on_id"))
        }
        _ => None,
    };
    list.iter().filter_map(blocker).collect()
}

/// A field as text: strings and numbers; anything else counts as absent.
fn text(entry: &Map<String, Value>, key: &str) -> String {
    match entry.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}
