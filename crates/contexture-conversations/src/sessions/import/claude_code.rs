//! Claude Code's transcripts: one line a happening, threaded by `parentUuid`, one message of the model over several lines.
//!
//! Lines of every type that have an id are links of the chain; only what user and assistant said is taken. Work of
//! sub-agents, notes that the program wrote to itself, markup of its commands and its own error lines are left out.

use std::collections::{BTreeMap, BTreeSet};

use contexture_core::{Message, Role};
use serde_json::Value;

use super::super::Session;
use super::super::blocks::{self, Pictures};
use super::super::error::{self, Result};
use super::super::json::{self, Object};
use super::super::tally::Tally;
use super::tree::Tree;
use super::{ImportOptions, Outcome, ReadConversation, Records, spoken};

pub(super) fn is_line(kind: &str, object: &Object) -> bool {
    let has = |key: &str| object.contains_key(key);
    match kind {
        "summary" => has("leafUuid"),
        "file-history-snapshot" => has("messageId"),
        _ => has("sessionId") || (has("uuid") && has("parentUuid")),
    }
}

pub(super) fn lines(mut records: Records, options: &ImportOptions) -> Outcome {
    let mut log = Log::default();
    while let Some((line, object)) = records.next()? {
        log.read(line, object, &mut records.tally)?;
    }
    let mut session = log.session(options, &mut records.tally)?;
    session.chat_id = log.id;
    session.title = log.titles.into_iter().flatten().next();
    Ok(ReadConversation { format: "claude-code", session, tally: records.tally })
}

struct LogEntry {
    line: usize,
    at: Option<String>,
    /// Of a sub-agent.
    side: bool,
    summary: bool,
    /// Of a compaction: the entries that it kept beside its summary.
    kept: Kept,
    /// What the model's message is called, over all its lines.
    message_id: Option<String>,
    said: Vec<Message>,
}

enum Kept {
    Nothing,
    These(Vec<String>),
    /// From the first to the last on the way before.
    Between(String, String),
}

#[derive(Default)]
struct Log {
    id: String,
    /// By rank: given by the user, of the agent, made by a model, of the summary.
    titles: [Option<String>; 4],
    tree: Tree,
    entries: Vec<LogEntry>,
}

impl Log {
    fn read(&mut self, line: usize, mut object: Object, tally: &mut Tally) -> Result<()> {
        let kind = json::take(&mut object, "type").unwrap_or_default();
        let title = match &*kind {
            "custom-title" => Some((0, "customTitle")),
            "agent-name" => Some((1, "agentName")),
            "ai-title" => Some((2, "aiTitle")),
            "summary" => Some((3, "summary")),
            _ => None,
        };
        if let Some((rank, key)) = title {
            if let (Some(title), Some(slot)) = (json::take(&mut object, key), self.titles.get_mut(rank)) {
                *slot = Some(title);
            }
            return Ok(());
        }
        let side = json::flag(&object, "isSidechain");
        let mut entry = LogEntry {
            line,
            at: json::take(&mut object, "timestamp"),
            side,
            summary: json::flag(&object, "isCompactSummary"),
            kept: kept(&mut object),
            message_id: None,
            said: Vec::new(),
        };
        if matches!(&*kind, "user" | "assistant") {
            if self.id.is_empty() {
                self.id = json::take(&mut object, "sessionId").unwrap_or_default();
            }
            say(&mut entry, &kind, &mut object, tally)?;
        } else {
            tally.skip_typed("line", &kind);
        }
        // Without an id it is no link of the chain, unless it says something.
        let id = match json::take(&mut object, "uuid") {
            Some(id) => id,
            None if entry.said.is_empty() => return Ok(()),
            None => format!("line {line}"),
        };
        let parent = json::take(&mut object, "parentUuid").or_else(|| json::take(&mut object, "logicalParentUuid"));
        self.tree.add(id, parent);
        self.entries.push(entry);
        Ok(())
    }

    fn session(&mut self, options: &ImportOptions, tally: &mut Tally) -> Result<Session> {
        let mut session = Session::default();
        // The file of a sub-agent has nothing but its own work: then that is the conversation.
        let main = self.entries.iter().any(|entry| !entry.side && !entry.said.is_empty());
        let aside = |entry: &LogEntry| main && entry.side;
        let skips = |index: usize| self.entries.get(index).is_none_or(aside);
        let last = self.entries.iter().rposition(|entry| !entry.said.is_empty() && !aside(entry));
        let Some(leaf) = self.tree.leaf(options.leaf.as_deref(), last)? else { return Ok(session) };
        let mut path = self.tree.path(leaf, skips, tally);
        let mut counted = vec![false; self.entries.len()];
        self.compact(&mut path, options, &mut counted, tally);

        let paired = self.paired(&path);
        let mut done = BTreeSet::new();
        for &index in &path {
            mark(&mut counted, index);
            let Some(entry) = self.entries.get_mut(index) else { continue };
            let (line, at) = (entry.line, entry.at.take());
            let mut said = std::mem::take(&mut entry.said);
            let mut late = Vec::new();
            if let Some(id) = entry.message_id.take() {
                if !done.insert(id.clone()) {
                    continue;
                }
                // All lines of the model's message at its first one, wherever the others hang.
                for &other in paired.lines.get(&id).into_iter().flatten().filter(|&&other| other != index) {
                    mark(&mut counted, other);
                    let more = self.entries.get_mut(other).map(|entry| std::mem::take(&mut entry.said));
                    join(&mut said, more.unwrap_or_default());
                }
                let calls = said.iter().flat_map(|message| &message.calls).filter(|call| !call.id.is_empty());
                late = calls
                    .filter_map(|call| paired.off_path.get(&call.id).copied().map(|at| (at, call.id.clone())))
                    .collect();
            }
            session.messages.extend(said.into_iter().map(|message| spoken(message, at.as_deref(), line)));
            // Results of calls made side by side hang on different lines; those off the path belong to it all the same.
            for (index, call) in late {
                let Some(entry) = self.entries.get_mut(index) else { continue };
                let (line, at) = (entry.line, entry.at.clone());
                while let Some(found) = entry.said.iter().position(|message| message.answers.as_ref() == Some(&call)) {
                    session.messages.push(spoken(entry.said.remove(found), at.as_deref(), line));
                }
                if entry.said.is_empty() {
                    mark(&mut counted, index);
                }
            }
        }
        for (entry, _) in self.entries.iter().zip(&counted).filter(|(_, counted)| !**counted) {
            let what = if aside(entry) { "message of a sub-agent" } else { "message of another branch" };
            tally.skip_many(what, entry.said.len());
        }
        session.created_at = session.messages.first().and_then(|first| first.at.clone()).unwrap_or_default();
        Ok(session)
    }

    /// Cuts off what the last summary stands for, or takes the summaries out.
    fn compact(&mut self, path: &mut Vec<usize>, options: &ImportOptions, counted: &mut [bool], tally: &mut Tally) {
        let is_summary = |index: &usize| self.entries.get(*index).is_some_and(|entry| entry.summary);
        let mut left_out: Vec<usize> = Vec::new();
        let what = if options.full_log {
            left_out.extend(path.iter().filter(|index| is_summary(index)));
            path.retain(|index| !is_summary(index));
            "summary of a compaction"
        } else {
            let start = path.iter().rposition(is_summary).unwrap_or(0);
            left_out.extend(path.drain(..start));
            let kept = self.kept(&left_out);
            let without: BTreeSet<_> = kept.iter().copied().collect();
            left_out.retain(|index| !without.contains(index));
            // Behind the summary, which is now the first.
            let place = path.len().min(1);
            path.splice(place..place, kept);
            "message before a compaction"
        };
        for index in left_out {
            mark(counted, index);
            tally.skip_many(what, self.entries.get(index).map_or(0, |entry| entry.said.len()));
        }
    }

    /// What the last compaction on the way kept, in order.
    fn kept(&self, way: &[usize]) -> Vec<usize> {
        let place = |id: &String| self.tree.find(id).and_then(|wanted| way.iter().position(|&index| index == wanted));
        match way.last().and_then(|&index| self.entries.get(index)).map(|boundary| &boundary.kept) {
            Some(Kept::These(ids)) => ids.iter().filter_map(|id| self.tree.find(id)).collect(),
            Some(Kept::Between(first, last)) => match (place(first), place(last)) {
                (Some(first), Some(last)) => way.get(first..=last).unwrap_or_default().to_vec(),
                _ => Vec::new(),
            },
            Some(Kept::Nothing) | None => Vec::new(),
        }
    }

    fn paired(&self, path: &[usize]) -> Paired {
        let mut lines: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if let Some(id) = &entry.message_id {
                lines.entry(id.clone()).or_default().push(index);
            }
        }
        let on_path: BTreeSet<usize> = path.iter().copied().collect();
        let answers = |index: usize| {
            let said = self.entries.get(index).map(|entry| entry.said.as_slice()).unwrap_or_default();
            said.iter().filter_map(|message| message.answers.clone())
        };
        let answered: BTreeSet<String> = path.iter().flat_map(|&index| answers(index)).collect();
        let mut off_path = BTreeMap::new();
        for index in (0..self.entries.len()).filter(|index| !on_path.contains(index)) {
            off_path.extend(answers(index).filter(|id| !answered.contains(id)).map(|id| (id, index)));
        }
        Paired { lines, off_path }
    }
}

struct Paired {
    /// The lines of each message of the model.
    lines: BTreeMap<String, Vec<usize>>,
    /// Where calls are answered that nothing on the path answers.
    off_path: BTreeMap<String, usize>,
}

fn kept(object: &mut Object) -> Kept {
    let mut about = json::take_object(object, "compactMetadata").unwrap_or_default();
    if let Some(mut listed) = json::take_object(&mut about, "preservedMessages") {
        let ids = json::take_list(&mut listed, "uuids").unwrap_or_default();
        return Kept::These(ids.iter().filter_map(Value::as_str).map(String::from).collect());
    }
    let mut span = json::take_object(&mut about, "preservedSegment").unwrap_or_default();
    match (json::take(&mut span, "headUuid"), json::take(&mut span, "tailUuid")) {
        (Some(first), Some(last)) => Kept::Between(first, last),
        _ => Kept::Nothing,
    }
}

fn say(entry: &mut LogEntry, kind: &str, object: &mut Object, tally: &mut Tally) -> Result<()> {
    let Some(mut message) = json::take_object(object, "message") else {
        tally.skip("line without a message");
        return Ok(());
    };
    let word = json::take(&mut message, "role").unwrap_or_else(|| kind.into());
    let role = Role::parse(&word).ok_or_else(|| error::role(entry.line, &word))?;
    let content = json::take_value(&mut message, "content");
    let left_out = if json::flag(object, "isMeta") {
        Some("note of the program")
    } else if json::flag(object, "isApiErrorMessage") || json::text(&message, "model") == Some("<synthetic>") {
        Some("error line of the program")
    } else {
        (role == Role::User && is_markup(&content)).then_some("markup of a command")
    };
    if let Some(what) = left_out {
        tally.skip(what);
        return Ok(());
    }
    entry.message_id = (role == Role::Assistant).then(|| json::take(&mut message, "id")).flatten();
    entry.said = blocks::said(role, content, Pictures::Drop, tally);
    Ok(())
}

/// What a command of the program printed, or that it was called.
fn is_markup(content: &Value) -> bool {
    let text = match content {
        Value::String(text) => Some(&**text),
        Value::Array(blocks) => blocks.first().and_then(|block| block.get("text")).and_then(Value::as_str),
        _ => None,
    };
    const TAGS: [&str; 6] = [
        "<command-name>",
        "<command-message>",
        "<command-args>",
        "<local-command-stdout>",
        "<local-command-stderr>",
        "<local-command-caveat>",
    ];
    text.is_some_and(|text| TAGS.iter().any(|tag| text.trim_start().starts_with(tag)))
}

/// Adds what further lines of one message say to its first.
fn join(said: &mut Vec<Message>, more: Vec<Message>) {
    for message in more {
        match said.iter_mut().find(|first| first.role == message.role && message.role == Role::Assistant) {
            Some(first) => {
                first.parts.extend(message.parts);
                first.calls.extend(message.calls);
            }
            None => said.push(message),
        }
    }
}

fn mark(counted: &mut [bool], index: usize) {
    if let Some(counted) = counted.get_mut(index) {
        *counted = true;
    }
}
