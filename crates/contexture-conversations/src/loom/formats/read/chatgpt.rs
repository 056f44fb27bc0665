//! ChatGPT's `conversations.json`: each conversation with all its branches.
//!
//! A node without a message begins a conversation and stays as an empty root; messages of the system and hidden ones are
//! excluded. Tools are called by a message to a `recipient` and answer without an id: the answer belongs to the call above it.

use super::super::super::store::Result;
use super::super::members::{elements, members};
use super::super::raw::{Author, NodeRef, RawNode, Seed};
use super::super::{ImportOptions, Imported};
use super::{ConversationHead, chosen, imported, refused};
use crate::sessions::import::chatgpt::parts;
use crate::sessions::json::{self, Object};
use crate::sessions::ours::Lines;
use crate::sessions::tally::Tally;
use crate::sessions::{blocks, unknown_role};
use contexture_core::{Call, Message, Role};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;

const IDS: [&str; 2] = ["conversation_id", "id"];

pub(in super::super) fn export(bytes: &[u8], start: usize, options: &ImportOptions) -> Result<Imported> {
    several(bytes, elements(bytes, start).map(|element| element.start), options)
}

pub(in super::super) fn one(bytes: &[u8], start: usize, options: &ImportOptions) -> Result<Imported> {
    several(bytes, std::iter::once(start), options)
}

fn several(bytes: &[u8], starts: impl Iterator<Item = usize>, options: &ImportOptions) -> Result<Imported> {
    let mut tally = Tally::default();
    let mut heads = Vec::new();
    let mut found = Vec::new();
    let mut lines = Lines::new(bytes);
    for start in starts {
        let about: BTreeMap<String, Range<usize>> = members(bytes, start).collect();
        if !about.contains_key("mapping") {
            tally.lose("a conversation cannot be read", lines.at(start));
            continue;
        }
        let text = |key: &str| match value(bytes, about.get(key)?)? {
            Value::String(text) => Some(text),
            _ => None,
        };
        let ids = IDS.iter().filter_map(|key| text(key)).collect();
        heads.push(ConversationHead { ids, title: text("title").unwrap_or_default() });
        found.push(about);
    }
    let mut seeds = Vec::new();
    let mut lines = Lines::new(bytes);
    for place in chosen(&heads, options)? {
        if let (Some(about), Some(head)) = (found.get(place), heads.get(place)) {
            seeds.push(seed(bytes, about, head.title.clone(), &mut lines, &mut tally)?);
        }
    }
    tally.skip_many("other conversation", found.len() - seeds.len());
    imported("chatgpt", seeds, options, tally)
}

fn seed(
    bytes: &[u8],
    about: &BTreeMap<String, Range<usize>>,
    title: String,
    lines: &mut Lines,
    tally: &mut Tally,
) -> Result<Seed> {
    let member = |key: &str| about.get(key).and_then(|range| value(bytes, range));
    let active = match member("current_node") {
        Some(Value::String(id)) => NodeRef::Id(id),
        _ => NodeRef::None,
    };
    let mut raws = Vec::new();
    for (id, range) in members(bytes, about.get("mapping").map_or(0, |range| range.start)) {
        let line = lines.at(range.start);
        let Some(mut node) = bytes.get(range).and_then(json::object) else {
            tally.lose("a node cannot be read", line);
            continue;
        };
        let parent = json::take(&mut node, "parent").map_or(NodeRef::None, NodeRef::Id);
        let message = json::take_object(&mut node, "message");
        let empty = RawNode::new(id, parent, Message::new(Role::User, ""), Author::human());
        let mut raw = match message {
            Some(message) => said(empty, message, line, tally)?,
            None => empty,
        };
        raw.line = line;
        raws.push(raw);
    }
    tie(&mut raws);
    let created = member("create_time").as_ref().and_then(millis);
    Ok(Seed { title, created, raws, active, ..Seed::default() })
}

fn said(mut raw: RawNode, mut message: Object, line: usize, tally: &mut Tally) -> Result<RawNode> {
    let mut author = json::take_object(&mut message, "author").unwrap_or_default();
    let word = json::take(&mut author, "role").unwrap_or_default();
    let role = Role::parse(&word).ok_or_else(|| refused(unknown_role(line, &word)))?;
    let about = json::take_object(&mut message, "metadata").unwrap_or_default();
    let hidden = ["is_visually_hidden_from_conversation", "is_visually_hidden"];
    raw.excluded = role == Role::System || hidden.iter().any(|key| json::flag(&about, key));
    raw.created = message.get("create_time").and_then(millis);
    raw.author = match role {
        Role::Assistant => Author::model(None, json::text(&about, "model_slug")),
        _ => Author::of(role),
    };
    let content = json::take_object(&mut message, "content").unwrap_or_default();
    // What a model thought is no part of a conversation; the chain goes on through it.
    raw.silent = matches!(
        json::text(&content, "content_type"),
        Some("thoughts" | "reasoning_recap" | "user_editable_context" | "model_editable_context")
    );
    raw.message = Message { parts: parts(content, tally), ..Message::new(role, "") };
    if role == Role::System {
        raw.message.role = Role::User;
    }
    let recipient = json::take(&mut message, "recipient").filter(|name| name != "all" && !name.is_empty());
    match (role, recipient) {
        (Role::Assistant, Some(name)) => {
            let arguments = blocks::wrapped(raw.message.text().to_string()).into();
            raw.message = Message::calling("", vec![Call { id: raw.id.clone(), name, arguments }]);
        }
        (Role::Tool, _) => raw.message.name = json::take(&mut author, "name"),
        _ => {}
    }
    Ok(raw)
}

/// Each answer of a tool names the call above it, past other answers and silence.
fn tie(raws: &mut [RawNode]) {
    let by_id: BTreeMap<&str, usize> = raws.iter().enumerate().rev().map(|(place, raw)| (&*raw.id, place)).collect();
    let parent = |place: usize| match &raws[place].parent {
        NodeRef::Id(id) => by_id.get(&**id).copied(),
        _ => None,
    };
    let mut calls: Vec<Option<Option<String>>> = vec![None; raws.len()];
    let mut way = Vec::new();
    for start in 0..raws.len() {
        let mut next = Some(start);
        let mut call = None;
        while let Some(place) = next {
            if let Some(known) = &calls[place] {
                call = known.clone();
                break;
            }
            // A circle of answers has no call.
            calls[place] = Some(None);
            way.push(place);
            if let Some(made) = raws[place].message.calls.last() {
                call = Some(made.id.clone());
                break;
            }
            next = (raws[place].message.role == Role::Tool || raws[place].silent).then(|| parent(place)).flatten();
        }
        way.drain(..).for_each(|place| calls[place] = Some(call.clone()));
    }
    for (raw, call) in raws.iter_mut().zip(calls) {
        if raw.message.role == Role::Tool {
            raw.message.answers = call.flatten();
        }
    }
}

fn value(bytes: &[u8], range: &Range<usize>) -> Option<Value> {
    json::value(bytes.get(range.clone())?)
}

/// Seconds since 1970, with a fraction.
fn millis(value: &Value) -> Option<i64> {
    let seconds = value.as_f64().filter(|seconds| seconds.is_finite() && *seconds != 0.0)?;
    Some((seconds * 1000.0).round() as i64)
}
