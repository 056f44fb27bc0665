//! Codex's rollouts: two logs in one file of lines, of which only `response_item` is what the model saw.
//!
//! `event_msg` says the same for a screen and is left out, but for the event that takes turns back. A `compacted` line
//! replaces all before it. Older files have the items bare, without an envelope.

use contexture_core::{Call, Message, Role};
use serde_json::Value;

use super::super::Session;
use super::super::Spoken;
use super::super::blocks::{self, Pictures};
use super::super::error::{self, Result};
use super::super::json::{self, Object};
use super::super::tally::Tally;
use super::{ImportOptions, Outcome, ReadConversation, Records, spoken};
use std::sync::Arc;

const ENVELOPES: [&str; 6] = ["session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"];

/// What the program puts before the user's words: texts that begin so were never typed.
const SCAFFOLDING: [&str; 13] = [
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<permissions instructions>",
    "<skills_instructions>",
    "<plugins_instructions>",
    "<apps_instructions>",
    "<collaboration_mode>",
    "<multi_agent_mode>",
    "<model_switch>",
    "<context_window_reminder>",
    "<turn_aborted>",
    "<subagent_notification>",
];

pub(super) fn is_line(kind: &str, object: &Object) -> bool {
    let bare = matches!(kind, "message" | "function_call" | "reasoning")
        && (object.contains_key("role") || object.contains_key("call_id") || object.contains_key("summary"));
    (ENVELOPES.contains(&kind) && object.contains_key("payload")) || bare
}

/// The first line of older files has no type.
pub(super) fn is_old_head(object: &Object) -> bool {
    ["id", "timestamp", "instructions"].iter().all(|key| object.contains_key(*key))
}

pub(super) fn lines(mut records: Records, options: &ImportOptions) -> Outcome {
    let mut rollout = Rollout::default();
    while let Some((line, mut object)) = records.next()? {
        let tally = &mut records.tally;
        let at = json::take(&mut object, "timestamp");
        let kind = json::text(&object, "type").unwrap_or_default().to_string();
        let enveloped = json::take_object(&mut object, "payload");
        match (&*kind, enveloped) {
            ("session_meta", Some(mut meta)) => {
                // A resumed session repeats the head of the one it came from; the first is its own.
                if rollout.session.chat_id.is_empty() {
                    rollout.session.chat_id = json::take(&mut meta, "id").unwrap_or_default();
                    rollout.session.created_at = json::take(&mut meta, "timestamp").or(at).unwrap_or_default();
                }
            }
            ("response_item", Some(item)) => rollout.item(item, at.as_deref(), line, tally)?,
            ("compacted", Some(compacted)) if !options.full_log => {
                rollout.compact(compacted, at.as_deref(), line, tally)?
            }
            ("compacted", Some(_)) => tally.skip("summary of a compaction"),
            ("event_msg", Some(event)) => {
                let turns = event.get("num_turns").and_then(Value::as_u64).unwrap_or(0);
                if json::text(&event, "type") == Some("thread_rolled_back") && !options.full_log {
                    rollout.roll_back(turns, tally);
                } else {
                    tally.skip("line event_msg");
                }
            }
            (_, Some(_)) => tally.skip_typed("line", &kind),
            ("", None) if is_old_head(&object) || object.contains_key("instructions") => {
                rollout.session.chat_id = json::take(&mut object, "id").unwrap_or_default();
                rollout.session.created_at = at.unwrap_or_default();
            }
            ("", None) => tally.skip("line without a type"),
            (_, None) => rollout.item(object, at.as_deref(), line, tally)?,
        }
    }
    Ok(ReadConversation { format: "codex", session: rollout.session, tally: records.tally })
}

#[derive(Default)]
struct Rollout {
    session: Session,
}

impl Rollout {
    fn item(&mut self, mut item: Object, at: Option<&str>, line: usize, tally: &mut Tally) -> Result<()> {
        let kind = json::take(&mut item, "type").unwrap_or_default();
        let call_id = json::take(&mut item, "call_id").unwrap_or_default();
        match &*kind {
            "message" => {
                let word = json::take(&mut item, "role").unwrap_or_default();
                let role = Role::parse(&word).ok_or_else(|| error::role(line, &word))?;
                let content = json::take_value(&mut item, "content");
                if role == Role::System {
                    tally.skip("instructions");
                    return Ok(());
                }
                for mut message in blocks::said(role, content, Pictures::Drop, tally) {
                    if role == Role::User {
                        let all = message.parts.len();
                        message.parts.retain(|part| !is_scaffolding(part));
                        tally.skip_many("scaffolding", all - message.parts.len());
                    }
                    if !blocks::is_empty(&message) {
                        self.push(message, at, line);
                    }
                }
            }
            "function_call" | "custom_tool_call" | "local_shell_call" => {
                let (name, arguments) = match &*kind {
                    "function_call" => {
                        (json::take(&mut item, "name"), blocks::arguments(item.get_mut("arguments").map(Value::take)))
                    }
                    // Free text, which is no JSON.
                    "custom_tool_call" => {
                        let input = json::take(&mut item, "input").unwrap_or_default();
                        (json::take(&mut item, "name"), blocks::wrapped(input))
                    }
                    _ => (Some("local_shell".into()), blocks::arguments(item.get_mut("action").map(Value::take))),
                };
                let id = if call_id.is_empty() { json::take(&mut item, "id").unwrap_or_default() } else { call_id };
                self.call(Call { id, name: name.unwrap_or_default(), arguments: arguments.into() }, at, line);
            }
            "function_call_output" | "custom_tool_call_output" => {
                let output = match json::take_value(&mut item, "output") {
                    Value::Object(mut inner) => json::take_value(&mut inner, "content"),
                    other => other,
                };
                let result = blocks::result(output, Pictures::Drop, tally);
                self.push(Message { answers: Some(call_id), ..result }, at, line);
            }
            "reasoning" => tally.skip("thinking"),
            _ => tally.skip_typed("item", &kind),
        }
        Ok(())
    }

    fn push(&mut self, message: Message, at: Option<&str>, line: usize) {
        self.session.messages.push(spoken(message, at, line));
    }

    /// Calls come as items of their own; those behind one another belong to one message, as the model wrote them.
    fn call(&mut self, call: Call, at: Option<&str>, line: usize) {
        match self.session.messages.last_mut() {
            Some(Spoken { message, .. }) if message.role == Role::Assistant => Arc::make_mut(message).calls.push(call),
            _ => self.push(Message::calling("", vec![call]), at, line),
        }
    }

    fn compact(&mut self, mut by: Object, at: Option<&str>, line: usize, tally: &mut Tally) -> Result<()> {
        let history = json::take_list(&mut by, "replacement_history");
        let summary = json::take(&mut by, "message").filter(|text| !text.is_empty());
        if history.is_none() && summary.is_none() {
            tally.skip("compaction without a summary");
            return Ok(());
        }
        tally.skip_many("message before a compaction", self.session.messages.len());
        self.session.messages.clear();
        match (history, summary) {
            (Some(items), _) => {
                for item in items {
                    match item {
                        Value::Object(item) => self.item(item, at, line, tally)?,
                        _ => tally.skip("item without a type"),
                    }
                }
            }
            (None, Some(text)) => self.push(Message::new(Role::User, format!("{}{text}", super::SUMMARY)), at, line),
            (None, None) => {}
        }
        Ok(())
    }

    /// The user went back: the last turns did not happen. A turn begins with what the user says.
    fn roll_back(&mut self, turns: u64, tally: &mut Tally) {
        let messages = &mut self.session.messages;
        let starts = messages.iter().enumerate().rev().filter(|(_, spoken)| spoken.message.role == Role::User);
        let turns = usize::try_from(turns).unwrap_or(usize::MAX);
        let keep = match turns {
            0 => messages.len(),
            _ => starts.map(|(index, _)| index).take(turns).last().unwrap_or(messages.len()),
        };
        tally.skip_many("message taken back", messages.len() - keep);
        messages.truncate(keep);
    }
}

fn is_scaffolding(part: &contexture_core::MessagePart) -> bool {
    let contexture_core::MessagePart::Text(text) = part else { return false };
    let text = text.trim_start();
    SCAFFOLDING.iter().any(|tag| text.starts_with(tag))
}
