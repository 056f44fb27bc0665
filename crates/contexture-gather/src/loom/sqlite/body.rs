//! A message as a column: a plain text as it is, anything else as JSON.

use super::super::Fault;
use super::super::store::Result;
use crate::thoughts;
use contexture_core::{AuthorType, Call, Image, ImageSource, LoomNode, Message, Part, Role, Text};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Bits of the column `form`.
const MODEL: i64 = 1;
const PLAIN: i64 = 2;
/// The row says what it was edited from, or where it came from.
pub(super) const MORE: i64 = 4;

/// The columns `form` and `body`.
pub fn write(message: &Message, author: AuthorType) -> (i64, Cow<'_, str>) {
    let form = if author == AuthorType::Model { MODEL } else { 0 };
    let has_more = !message.thoughts.is_empty()
        || !message.calls.is_empty()
        || message.answers.is_some()
        || message.name.is_some();
    let is_usual = message.role == LoomNode::role(author) && !has_more;
    match message.parts.as_slice() {
        [] if is_usual => (form | PLAIN, Cow::Borrowed("")),
        [Part::Text(text)] if is_usual && !text.is_empty() => (form | PLAIN, Cow::Borrowed(text)),
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

/// The message of the columns `form` and `body`, as `write` gave them; anything else is damage.
pub fn read(form: i64, body: &str) -> Result<Message> {
    if form & PLAIN != 0 {
        return Ok(Message::new(LoomNode::role(author_type(form)), body));
    }
    let value: Option<Value> = serde_json::from_str(body).ok();
    value.as_ref().and_then(decode).ok_or_else(|| Fault::Damaged("a message cannot be read".into()).into())
}

fn encode(message: &Message) -> Value {
    let part = |part: &Part| match part {
        Part::Text(text) => json!({"text": &**text}),
        Part::Image(Image { media_type, source }) => match source {
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
            return Some(Part::Text(text(said)?));
        }
        let source = if let Some(data) = part.get("data") {
            ImageSource::Data(text(data)?)
        } else if let Some(url) = part.get("url") {
            ImageSource::Url(string(url)?)
        } else {
            ImageSource::Gone { bytes: part.get("gone")?.as_u64()? }
        };
        Some(Part::Image(Image { media_type: string(part.get("image")?)?, source }))
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
