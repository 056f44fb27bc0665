//! ChatGPT's `conversations.json`: trees of messages, of which the way to `current_node` is the conversation.
//!
//! Tools are called by a message to a `recipient` and answer without an id; here call and answer are tied by the id of the
//! calling message. Pictures lie in other files of the export.

use contexture_core::{Call, Image, ImageSource, Message, MessagePart, Role};
use serde_json::Value;

use super::super::blocks;
use super::super::error::{self, Result};
use super::super::json::{self, Object};
use super::super::tally::Tally;
use super::super::{Session, Spoken};
use super::export::ExportFormat;
use super::tree::Tree;
use super::{ImportOptions, spoken};
use std::sync::Arc;

pub(super) const FORMAT: ExportFormat = ExportFormat {
    format: "chatgpt",
    ids: &["conversation_id", "id"],
    title: "title",
    times: &["update_time", "create_time"],
    read,
};

fn read(
    mut object: Object,
    session: &mut Session,
    line: usize,
    options: &ImportOptions,
    tally: &mut Tally,
) -> Result<()> {
    session.created_at = object.get("create_time").and_then(moment).unwrap_or_default();
    let current = json::take(&mut object, "current_node");

    let mut tree = Tree::default();
    let mut nodes = Vec::new();
    for (id, node) in json::take_object(&mut object, "mapping").unwrap_or_default() {
        let Value::Object(mut node) = node else {
            tally.skip("node that is no object");
            continue;
        };
        tree.add(id, json::take(&mut node, "parent"));
        nodes.push(json::take_object(&mut node, "message"));
    }
    let usual = current.and_then(|id| tree.find(&id)).or(nodes.len().checked_sub(1));
    let path = match tree.leaf(options.leaf.as_deref(), usual)? {
        Some(leaf) => tree.path(leaf, |_| false, tally),
        None => Vec::new(),
    };
    let mut conversation = Conversation { session, pending: None };
    for index in path {
        if let Some(message) = nodes.get_mut(index).and_then(Option::take) {
            conversation.add(message, line, tally)?;
        }
    }
    tally.skip_many("message of another branch", nodes.iter().flatten().count());
    Ok(())
}

struct Conversation<'a> {
    session: &'a mut Session,
    /// The call that the next answer of a tool belongs to.
    pending: Option<String>,
}

impl Conversation<'_> {
    fn add(&mut self, mut node: Object, line: usize, tally: &mut Tally) -> Result<()> {
        let mut author = json::take_object(&mut node, "author").unwrap_or_default();
        let word = json::take(&mut author, "role").unwrap_or_default();
        let role = Role::parse(&word).ok_or_else(|| error::role(line, &word))?;
        let about = json::take_object(&mut node, "metadata").unwrap_or_default();
        if json::flag(&about, "is_visually_hidden_from_conversation") || json::flag(&about, "is_visually_hidden") {
            tally.skip("hidden message");
            return Ok(());
        }
        let parts = json::take_object(&mut node, "content").map(|content| parts(content, tally)).unwrap_or_default();
        if parts.is_empty() {
            return Ok(());
        }
        let at = node.get("create_time").and_then(moment);
        let id = json::take(&mut node, "id").unwrap_or_default();
        let recipient = json::take(&mut node, "recipient").filter(|name| name != "all" && !name.is_empty());
        let mut message = Message { parts, ..Message::new(role, "") };
        match (role, recipient) {
            (Role::Assistant, Some(name)) => {
                let text = message.text().to_string();
                self.pending = Some(id.clone());
                message = Message::calling("", vec![Call { id, name, arguments: blocks::wrapped(text).into() }]);
            }
            (Role::Tool, _) => {
                message.name = json::take(&mut author, "name");
                // A tool may answer in several messages; they are one answer.
                if self.pending.is_none()
                    && let Some(Spoken { message: last, .. }) = self.session.messages.last_mut()
                    && last.role == Role::Tool
                {
                    Arc::make_mut(last).parts.append(&mut message.parts);
                    return Ok(());
                }
                message.answers = self.pending.take();
            }
            _ => self.pending = None,
        }
        self.session.messages.push(spoken(message, at.as_deref(), line));
        Ok(())
    }
}

pub(crate) fn parts(mut content: Object, tally: &mut Tally) -> Vec<MessagePart> {
    let kind = json::take(&mut content, "content_type").unwrap_or_default();
    match &*kind {
        "thoughts" | "reasoning_recap" => {
            tally.skip("thinking");
            return Vec::new();
        }
        "user_editable_context" | "model_editable_context" => {
            tally.skip_typed("block", &kind);
            return Vec::new();
        }
        _ => {}
    }
    let mut found = Vec::new();
    for part in json::take_list(&mut content, "parts").unwrap_or_default() {
        match part {
            Value::String(text) => found.push(text_part(text)),
            Value::Object(part) => found.push(asset(part, tally)),
            _ => tally.skip("block without a type"),
        }
    }
    // Code, output of code, quotes and errors have one text.
    for key in ["text", "result"] {
        found.push(json::take(&mut content, key).and_then(text_part));
    }
    let found: Vec<_> = found.into_iter().flatten().collect();
    if found.is_empty() {
        match &*kind {
            "text" | "multimodal_text" | "code" | "execution_output" => tally.skip("empty message"),
            _ => tally.skip_typed("block", &kind),
        }
    }
    found
}

fn asset(mut part: Object, tally: &mut Tally) -> Option<MessagePart> {
    let kind = json::take(&mut part, "content_type").unwrap_or_default();
    match &*kind {
        "image_asset_pointer" => {
            let bytes = part.get("size_bytes").and_then(Value::as_u64).unwrap_or(0);
            Some(MessagePart::Image(Image { media_type: String::new(), source: ImageSource::Gone { bytes } }))
        }
        _ => match json::take(&mut part, "text").and_then(text_part) {
            Some(part) => Some(part),
            None => {
                tally.skip_typed("block", &kind);
                None
            }
        },
    }
}

fn text_part(text: String) -> Option<MessagePart> {
    (!text.is_empty()).then(|| MessagePart::Text(text.into()))
}

/// Seconds since 1970, with a fraction.
fn moment(value: &Value) -> Option<String> {
    let seconds = value.as_f64().filter(|seconds| seconds.is_finite())?;
    // Milliseconds are what people can tell apart; the cast saturates, and the library refuses what is no date.
    jiff::Timestamp::from_millisecond((seconds * 1000.0).round() as i64).ok().map(|at| at.to_string())
}
