//! Conversations of claude.ai, one or an export of many: `chat_messages` in order, or a tree when they name their parents.

use std::collections::BTreeSet;

use contexture_core::{MessagePart, Role};
use serde_json::Value;

use super::super::Session;
use super::super::blocks::{self, Pictures};
use super::super::error::{self, Result};
use super::super::json::{self, Object};
use super::super::tally::Tally;
use super::export::ExportFormat;
use super::tree::Tree;
use super::{ImportOptions, spoken};

pub(super) const FORMAT: ExportFormat =
    ExportFormat { format: "claude-ai", ids: &["uuid"], title: "name", times: &["updated_at", "created_at"], read };

fn read(
    mut object: Object,
    session: &mut Session,
    line: usize,
    options: &ImportOptions,
    tally: &mut Tally,
) -> Result<()> {
    session.created_at = json::take(&mut object, "created_at").unwrap_or_default();
    let current = json::take(&mut object, "current_leaf_message_uuid");
    let list = json::take_list(&mut object, "chat_messages").unwrap_or_default();
    let mut messages: Vec<_> = list.into_iter().filter_map(as_object).collect();

    let mut tree = Tree::default();
    let mut before = None;
    // The first message names a parent that is in no file.
    let ids: Vec<_> = messages.iter_mut().map(|message| json::take(message, "uuid").unwrap_or_default()).collect();
    let known: BTreeSet<&String> = ids.iter().collect();
    for (message, id) in messages.iter_mut().zip(&ids) {
        let parent = json::take(message, "parent_message_uuid").filter(|parent| known.contains(parent)).or(before);
        tree.add(id.clone(), parent);
        before = Some(id.clone());
    }
    let usual = current.and_then(|id| tree.find(&id)).or(messages.len().checked_sub(1));
    let path = match tree.leaf(options.leaf.as_deref(), usual)? {
        Some(leaf) => tree.path(leaf, |_| false, tally),
        None => Vec::new(),
    };
    tally.skip_many("message of another branch", messages.len().saturating_sub(path.len()));
    for index in path {
        let Some(message) = messages.get_mut(index) else { continue };
        let word = json::take(message, "sender").unwrap_or_default();
        let role = Role::parse(&word).ok_or_else(|| error::role(line, &word))?;
        let at = json::take(message, "created_at");
        let content = match json::take_value(message, "content") {
            Value::Array(blocks) if !blocks.is_empty() => Value::Array(blocks),
            _ => json::take_value(message, "text"),
        };
        let mut said = blocks::said(role, content, Pictures::Drop, tally);
        if let Some(last) = said.last_mut() {
            last.parts.extend(attached(message));
        }
        let files = json::take_list(message, "files").unwrap_or_default();
        tally.skip_many("file", files.len());
        session.messages.extend(said.into_iter().map(|message| spoken(message, at.as_deref(), line)));
    }
    Ok(())
}

/// The texts of files that were put into the message.
fn attached(message: &mut Object) -> Vec<MessagePart> {
    let files = json::take_list(message, "attachments").unwrap_or_default().into_iter().filter_map(as_object);
    let text = |mut file: Object| {
        let text = json::take(&mut file, "extracted_content").filter(|text| !text.is_empty())?;
        let name = json::take(&mut file, "file_name").unwrap_or_default();
        Some(MessagePart::Text(format!("{name}:\n\n{text}").into()))
    };
    files.filter_map(text).collect()
}

fn as_object(value: Value) -> Option<Object> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}
