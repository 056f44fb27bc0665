//! Sessions of pi, and of OpenClaw while it used the same files: a tree of entries with labels, summaries and compactions.
//!
//! The leaf is the last entry. With a compaction on the way, its summary comes first, then what it kept, then the rest. The
//! first version of the format has no ids: there each entry follows the one before.

use contexture_core::{Message, Role};
use serde_json::Value;

use super::super::Session;
use super::super::blocks::{self, Pictures};
use super::super::error::{self, Result};
use super::super::json::{self, Object};
use super::super::tally::Tally;
use super::tree::Tree;
use super::{ImportOptions, Outcome, ReadConversation, Records, SUMMARY, spoken};

const BRANCH: &str = "Summary of a branch that was left:\n\n";

pub(crate) fn is_line(kind: &str, object: &Object) -> bool {
    let has = |key: &str| object.contains_key(key);
    match kind {
        "session" => has("id") && (has("version") || has("cwd") || has("timestamp")),
        "message" => object.get("message").is_some_and(|message| message.get("role").is_some()),
        "model_change" | "thinking_level_change" | "compaction" | "branch_summary" => has("parentId"),
        _ => false,
    }
}

pub(super) fn lines(mut records: Records, options: &ImportOptions) -> Outcome {
    let mut session = Session::default();
    let mut tree = Tree::default();
    let mut entries: Vec<PiRecord> = Vec::new();
    // By the number of the record, as the first version counts.
    let mut numbers: Vec<Option<usize>> = Vec::new();
    let mut last = None;
    while let Some((line, mut object)) = records.next()? {
        let kind = json::take(&mut object, "type").unwrap_or_default();
        if kind == "session" {
            session.chat_id = json::take(&mut object, "id").unwrap_or_default();
            session.created_at = json::take(&mut object, "timestamp").unwrap_or_default();
            numbers.push(None);
            continue;
        }
        if kind == "session_info" {
            session.title = json::take(&mut object, "name").filter(|name| !name.is_empty()).or(session.title);
        }
        let (id, parent) = match json::take(&mut object, "id") {
            Some(id) => (id, json::take(&mut object, "parentId")),
            None => (format!("line {line}"), last.take()),
        };
        last = Some(id.clone());
        numbers.push(Some(entries.len()));
        let at = json::take(&mut object, "timestamp");
        let what = entry(&kind, object, line, Pictures::Drop, &mut records.tally)?;
        tree.add(id, parent);
        entries.push(PiRecord { line, at, what });
    }
    let Some(leaf) = tree.leaf(options.leaf.as_deref(), entries.len().checked_sub(1))? else {
        return Ok(ReadConversation { format: "pi", session, tally: records.tally });
    };
    let tally = &mut records.tally;
    let path = tree.path(leaf, |_| false, tally);
    let order = if options.full_log { path.clone() } else { compacted(&path, &entries, &tree, &numbers) };

    let mut used = vec![false; entries.len()];
    for index in order {
        let Some(entry) = entries.get_mut(index) else { continue };
        if let Some(used) = used.get_mut(index) {
            *used = true;
        }
        match std::mem::take(&mut entry.what) {
            PiEntry::Said(messages) => {
                let said = messages.into_iter().map(|message| spoken(message, entry.at.as_deref(), entry.line));
                session.messages.extend(said);
            }
            PiEntry::Compaction { summary, .. } if !options.full_log => {
                let message = Message::new(Role::User, format!("{SUMMARY}{summary}"));
                session.messages.push(spoken(message, entry.at.as_deref(), entry.line));
            }
            PiEntry::Compaction { .. } => tally.skip("summary of a compaction"),
            PiEntry::Reset | PiEntry::Silent => {}
        }
    }
    let mut on_path = vec![false; entries.len()];
    path.iter().for_each(|&index| on_path.get_mut(index).into_iter().for_each(|slot| *slot = true));
    for (entry, on_path) in entries.iter().zip(on_path) {
        if let PiEntry::Said(messages) = &entry.what {
            tally.skip_many(
                if on_path { "message before a compaction" } else { "message of another branch" },
                messages.len(),
            );
        }
    }
    Ok(ReadConversation { format: "pi", session, tally: records.tally })
}

struct PiRecord {
    line: usize,
    at: Option<String>,
    what: PiEntry,
}

#[derive(Default)]
pub(crate) enum PiEntry {
    Said(Vec<Message>),
    Compaction {
        summary: String,
        first_kept: Option<String>,
        /// The first version names the record by its number.
        first_kept_number: Option<usize>,
    },
    /// All before it is forgotten.
    Reset,
    #[default]
    Silent,
}

pub(crate) fn entry(
    kind: &str,
    mut object: Object,
    line: usize,
    pictures: Pictures,
    tally: &mut Tally,
) -> Result<PiEntry> {
    Ok(match kind {
        "message" => match json::take_object(&mut object, "message") {
            Some(message) => said(message, line, pictures, tally)?,
            None => {
                tally.skip("line without a message");
                PiEntry::Silent
            }
        },
        "custom_message" => {
            let content = json::take_value(&mut object, "content");
            PiEntry::Said(blocks::said(Role::User, content, pictures, tally))
        }
        "branch_summary" => match json::take(&mut object, "summary").filter(|text| !text.is_empty()) {
            Some(text) => PiEntry::Said(vec![Message::new(Role::User, format!("{BRANCH}{text}"))]),
            None => PiEntry::Silent,
        },
        "compaction" => PiEntry::Compaction {
            summary: json::take(&mut object, "summary").unwrap_or_default(),
            first_kept: json::take(&mut object, "firstKeptEntryId"),
            first_kept_number: object
                .get("firstKeptEntryIndex")
                .and_then(Value::as_u64)
                .and_then(|number| usize::try_from(number).ok()),
        },
        "reset" => PiEntry::Reset,
        "session_info" | "label" => PiEntry::Silent,
        _ => {
            tally.skip_typed("line", kind);
            PiEntry::Silent
        }
    })
}

fn said(mut message: Object, line: usize, pictures: Pictures, tally: &mut Tally) -> Result<PiEntry> {
    let word = json::take(&mut message, "role").unwrap_or_default();
    let content = |message: &mut Object| json::take_value(message, "content");
    let summary = |message: &mut Object, before: &str| {
        let text = json::take(message, "summary").unwrap_or_default();
        PiEntry::Said(vec![Message::new(Role::User, format!("{before}{text}"))])
    };
    Ok(match &*word {
        "toolResult" => {
            let mut result = blocks::result(content(&mut message), pictures, tally);
            result.answers = json::take(&mut message, "toolCallId");
            result.name = json::take(&mut message, "toolName");
            PiEntry::Said(vec![result])
        }
        "bashExecution" if json::flag(&message, "excludeFromContext") => {
            tally.skip("command kept from the model");
            PiEntry::Silent
        }
        "bashExecution" => PiEntry::Said(vec![Message::new(Role::User, ran(&mut message))]),
        "custom" | "hookMessage" => {
            let content = content(&mut message);
            PiEntry::Said(blocks::said(Role::User, content, pictures, tally))
        }
        "branchSummary" => summary(&mut message, BRANCH),
        "compactionSummary" => summary(&mut message, SUMMARY),
        word => {
            let role = Role::parse(word).ok_or_else(|| error::role(line, word))?;
            let content = content(&mut message);
            PiEntry::Said(blocks::said(role, content, pictures, tally))
        }
    })
}

/// A command that the user ran, as the user tells of it.
fn ran(message: &mut Object) -> String {
    let command = json::take(message, "command").unwrap_or_default();
    let output = json::take(message, "output").unwrap_or_default();
    let mut text = format!("I ran `{command}`");
    match message.get("exitCode").and_then(Value::as_i64) {
        Some(code) if code != 0 => text += &format!(" (exit code {code})"),
        _ if json::flag(message, "cancelled") => text += " (cancelled)",
        _ => {}
    }
    if output.is_empty() { text + ", without output." } else { format!("{text}:\n\n{output}") }
}

/// The order of what counts: behind the last reset, and with the last compaction's summary in front of what it kept.
fn compacted(path: &[usize], entries: &[PiRecord], tree: &Tree, numbers: &[Option<usize>]) -> Vec<usize> {
    let what = |place: usize| path.get(place).and_then(|&index| entries.get(index)).map(|entry| &entry.what);
    let places = || (0..path.len()).rev();
    let start = places().find(|&place| matches!(what(place), Some(PiEntry::Reset))).map_or(0, |place| place + 1);
    let compaction = places().find(|&place| place >= start && matches!(what(place), Some(PiEntry::Compaction { .. })));
    let Some(place) = compaction else { return path.get(start..).unwrap_or_default().to_vec() };
    let kept = match what(place) {
        Some(PiEntry::Compaction { first_kept: Some(id), .. }) => tree.find(id),
        Some(PiEntry::Compaction { first_kept_number: Some(number), .. }) => numbers.get(*number).copied().flatten(),
        _ => None,
    };
    let first = kept.and_then(|kept| path.iter().position(|&index| index == kept)).unwrap_or(place).clamp(start, place);
    let mut order = vec![path.get(place).copied().unwrap_or_default()];
    // A summary that was kept is contained in the later one.
    let kept = path.get(first..place).unwrap_or_default().iter();
    let is_older = |index: &&usize| matches!(entries.get(**index).map(|e| &e.what), Some(PiEntry::Compaction { .. }));
    order.extend(kept.filter(|index| !is_older(index)));
    order.extend(path.get(place + 1..).unwrap_or_default());
    order
}
