//! What rows hold, as numbers and texts that any database can keep: the same in all of them.

use super::Fault;
use super::records::damaged;
use super::store::Result;
use crate::thoughts;
use contexture_core::{
    AuthorType, Call, EdgeType, Image, ImageSource, LoomNode, Message, MessagePart, Permissions, Role, SourceRole, Text,
};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The number that stands for it in a column; [`kind`] takes it back.
pub fn kind_number(kind: EdgeType) -> i64 {
    match kind {
        EdgeType::Continuation => 0,
        EdgeType::Annotation => 1,
    }
}

/// What a number stands for. One that nothing has is damage.
pub fn kind(number: i64) -> Result<EdgeType> {
    match number {
        0 => Ok(EdgeType::Continuation),
        1 => Ok(EdgeType::Annotation),
        _ => Err(Fault::Damaged(format!("an edge of an unknown kind: {number}")).into()),
    }
}

/// The number that stands for it in a column; [`role`] takes it back.
pub fn role_number(role: SourceRole) -> i64 {
    match role {
        SourceRole::Primary => 0,
        SourceRole::Context => 1,
        SourceRole::Instruction => 2,
    }
}

/// What a number stands for. One that nothing has is damage.
pub fn role(number: i64) -> Result<SourceRole> {
    match number {
        0 => Ok(SourceRole::Primary),
        1 => Ok(SourceRole::Context),
        2 => Ok(SourceRole::Instruction),
        _ => Err(Fault::Damaged(format!("a source with an unknown role: {number}")).into()),
    }
}

/// Permissions as bits, the first the lowest; [`unpacked`] takes them back.
pub fn packed(permissions: Permissions) -> i64 {
    let Permissions { loom_aware, loom_write, loom_generate, doc_read, doc_write } = permissions;
    let bits = [loom_aware, loom_write, loom_generate, doc_read, doc_write];
    bits.into_iter().enumerate().map(|(at, is_on)| i64::from(is_on) << at).sum()
}

/// What the bits stand for; those that nothing has are passed over.
pub fn unpacked(bits: i64) -> Permissions {
    let is_on = |at: u32| bits >> at & 1 == 1;
    Permissions {
        loom_aware: is_on(0),
        loom_write: is_on(1),
        loom_generate: is_on(2),
        doc_read: is_on(3),
        doc_write: is_on(4),
    }
}

/// Bits of the column `form`.
const MODEL: i64 = 1;
const PLAIN: i64 = 2;
/// The row says what it was edited from, or where it came from.
pub(super) const MORE: i64 = 4;

/// The columns `form` and `body`.
pub fn write_body(message: &Message, author: AuthorType) -> (i64, Cow<'_, str>) {
    let form = if author == AuthorType::Model { MODEL } else { 0 };
    let has_more = !message.thoughts.is_empty()
        || !message.calls.is_empty()
        || message.answers.is_some()
        || message.name.is_some();
    let is_usual = message.role == LoomNode::role(author) && !has_more;
    match message.parts.as_slice() {
        [] if is_usual => (form | PLAIN, Cow::Borrowed("")),
        [MessagePart::Text(text)] if is_usual && !text.is_empty() => (form | PLAIN, Cow::Borrowed(text)),
        _ => (form, Cow::Owned(encode(message).to_string())),
    }
}

/// Who wrote a node, by its column `form`.
pub fn author_type(form: i64) -> AuthorType {
    if form & MODEL == 0 { AuthorType::Human } else { AuthorType::Model }
}

pub(super) fn has_more(form: i64) -> bool {
    form & MORE != 0
}

/// The message of the columns `form` and `body`, as [`write_body`] gave them; anything else is damage.
pub fn read_body(form: i64, body: &str) -> Result<Message> {
    if form & PLAIN != 0 {
        return Ok(Message::new(LoomNode::role(author_type(form)), body));
    }
    let value: Option<Value> = serde_json::from_str(body).ok();
    value.as_ref().and_then(decode).ok_or_else(|| damaged("a message cannot be read"))
}

fn encode(message: &Message) -> Value {
    let part = |part: &MessagePart| match part {
        MessagePart::Text(text) => json!({"text": &**text}),
        MessagePart::Image(Image { media_type, source }) => match source {
            ImageSource::Data(data) => json!({"image": media_type, "data": &**data}),
            ImageSource::Url(url) => json!({"image": media_type, "url": url}),
            ImageSource::Gone { bytes } => json!({"image": media_type, "gone": bytes}),
        },
    };
    let call = |call: &Call| json!([call.id, call.name, &*call.arguments]);
    let mut out = json!({
        "role": message.role.as_str(),
        "parts": message.parts.iter().map(part).collect::<Vec<_>>(),
        "calls": message.calls.iter().map(call).collect::<Vec<_>>(),
        "answers": message.answers,
        "name": message.name,
    });
    if let (false, Some(object)) = (message.thoughts.is_empty(), out.as_object_mut()) {
        object.insert("thoughts".into(), message.thoughts.iter().map(thoughts::record).collect());
    }
    out
}

fn decode(value: &Value) -> Option<Message> {
    let string = |value: &Value| value.as_str().map(String::from);
    let optional = |key: &str| match value.get(key)? {
        Value::Null => Some(None),
        value => Some(Some(string(value)?)),
    };
    let text = |value: &Value| value.as_str().map(Text::from);
    let part = |part: &Value| {
        if let Some(said) = part.get("text") {
            return Some(MessagePart::Text(text(said)?));
        }
        let source = if let Some(data) = part.get("data") {
            ImageSource::Data(text(data)?)
        } else if let Some(url) = part.get("url") {
            ImageSource::Url(string(url)?)
        } else {
            ImageSource::Gone { bytes: part.get("gone")?.as_u64()? }
        };
        Some(MessagePart::Image(Image { media_type: string(part.get("image")?)?, source }))
    };
    let call = |call: &Value| match call.as_array()?.as_slice() {
        [id, name, arguments] => Some(Call { id: string(id)?, name: string(name)?, arguments: text(arguments)? }),
        _ => None,
    };
    Some(Message {
        role: Role::parse(value.get("role")?.as_str()?)?,
        thoughts: match value.get("thoughts") {
            Some(list) => list.as_array()?.iter().map(thoughts::recorded).collect::<Option<_>>()?,
            None => Vec::new(),
        },
        parts: value.get("parts")?.as_array()?.iter().map(part).collect::<Option<_>>()?,
        calls: value.get("calls")?.as_array()?.iter().map(call).collect::<Option<_>>()?,
        answers: optional("answers")?,
        name: optional("name")?,
    })
}
