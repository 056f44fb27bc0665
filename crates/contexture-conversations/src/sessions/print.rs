//! A session as our JSON: a head that a person can read, then one message a line, so that a diff shows what was said.

use crate::thoughts::record;
use contexture_core::{ImageSource, Message, MessagePart, Role};
use serde_json::{Value, json};

use super::Session;
use super::json::Object;

/// The whole file. `now` is when it was last used, and when it was made if the session does not say. Reading it back gives
/// the same session, but for texts that are empty: they are no parts.
pub fn to_json(session: &Session, now: &str) -> String {
    let created = if session.created_at.is_empty() { now } else { &session.created_at };
    let mut out = head(&session.channel, &session.chat_id, created, now, session.title.as_deref());
    let lines = session.messages.iter().map(|spoken| message(&spoken.message, spoken.at.as_deref()));
    list(&mut out, lines);
    out.push_str("\n}\n");
    out
}

/// The members before the messages, each with its comma.
pub(super) fn head(channel: &str, chat_id: &str, created_at: &str, now: &str, title: Option<&str>) -> String {
    let id = format!("{channel}_{chat_id}");
    let mut out = String::from("{\n");
    let members = [
        ("session_id", Some(&*id)),
        ("channel", Some(channel)),
        ("chat_id", Some(chat_id)),
        ("created_at", Some(created_at)),
        ("last_accessed", Some(now)),
        ("title", title),
    ];
    for (key, value) in members {
        if let Some(value) = value {
            out += &format!("  \"{key}\": {},\n", Value::from(value));
        }
    }
    out
}

/// The list of messages with its key; nothing behind it.
pub(super) fn list(out: &mut String, lines: impl Iterator<Item = String>) {
    out.push_str("  \"messages\": [");
    let mut any = false;
    for line in lines {
        out.push_str(if any { ",\n    " } else { "\n    " });
        out.push_str(&line);
        any = true;
    }
    out.push_str(if any { "\n  ]" } else { "]" });
}

/// A message in one line.
pub(super) fn message(message: &Message, at: Option<&str>) -> String {
    let mut object = Object::new();
    // The word of the files that this shape comes from; `tool` is read as well.
    let role = if message.role == Role::Tool { "tool_result" } else { message.role.as_str() };
    object.insert("role".into(), role.into());
    object.insert("content".into(), content(&message.parts));
    if let Some(at) = at {
        object.insert("timestamp".into(), at.into());
    }
    if !message.thoughts.is_empty() {
        object.insert("thoughts".into(), message.thoughts.iter().map(record).collect());
    }
    if !message.calls.is_empty() {
        let calls = message.calls.iter();
        let calls: Vec<_> =
            calls.map(|call| json!({"id": call.id, "name": call.name, "arguments": &*call.arguments})).collect();
        object.insert("tool_calls".into(), calls.into());
    }
    if let Some(answers) = &message.answers {
        object.insert("tool_call_id".into(), answers.as_str().into());
    }
    if let Some(name) = &message.name {
        object.insert("name".into(), name.as_str().into());
    }
    Value::Object(object).to_string()
}

fn content(parts: &[MessagePart]) -> Value {
    match parts {
        [] => Value::Null,
        [MessagePart::Text(text)] => Value::from(&**text),
        parts => parts.iter().map(block).collect::<Vec<_>>().into(),
    }
}

fn block(part: &MessagePart) -> Value {
    let image = match part {
        MessagePart::Text(text) => return json!({"type": "text", "text": &**text}),
        MessagePart::Image(image) => image,
    };
    let mut source = match &image.source {
        ImageSource::Data(data) => json!({"type": "base64", "media_type": image.media_type, "data": &**data}),
        ImageSource::Url(url) => json!({"type": "url", "media_type": image.media_type, "url": url}),
        ImageSource::Gone { bytes } => json!({"type": "gone", "media_type": image.media_type, "bytes": bytes}),
    };
    if image.media_type.is_empty()
        && let Some(source) = source.as_object_mut()
    {
        source.shift_remove("media_type");
    }
    json!({"type": "image", "source": source})
}
