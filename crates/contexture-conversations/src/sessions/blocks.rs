//! What a message says, in the shapes that providers and programs write: a string, nothing, or a list of blocks.
//!
//! Takes JSON; gives messages in order. One reader for all formats: the names of blocks do not collide between them, and a
//! program that mixes them is read all the same. Thoughts that can go back to who thought them are kept; others are left out and
//! counted, as is what is not known.

use contexture_core::{Api, Call, Image, ImageSource, Message, MessagePart, Role, Text, Thought};
use serde_json::Value;

use super::error::{self, Result};
use super::json::{self, Object};
use super::tally::Tally;
use crate::thoughts;

/// Whether the bytes of pictures are kept. Transcripts hold screenshots by the hundred that nobody shows again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pictures {
    Keep,
    Drop,
}

/// A message in the shape of chat completions: `role`, `content`, `tool_calls`, `tool_call_id`, `name`. More than one when
/// results of tools ride in it; nothing when it has no role.
pub(crate) fn chat(
    mut object: Object,
    line: usize,
    pictures: Pictures,
    tally: &mut Tally,
) -> Result<Option<Vec<Message>>> {
    let Some(word) = json::take(&mut object, "role") else { return Ok(None) };
    let role = Role::parse(&word).ok_or_else(|| error::role(line, &word))?;
    let content = json::take_value(&mut object, "content");
    let mut messages = said(role, content, pictures, tally);
    if let Some(text) = json::take(&mut object, "refusal").filter(|text| !text.is_empty())
        && let Some(message) = messages.last_mut()
    {
        message.parts.push(MessagePart::Text(text.into()));
    }
    let mut kept: Vec<Thought> = Vec::new();
    // Our own records.
    for thought in json::take_list(&mut object, "thoughts").unwrap_or_default() {
        kept.extend(thoughts::recorded(&thought));
    }
    if let Some(text) = json::take(&mut object, "reasoning_content") {
        kept.push(Thought { by: Api::DeepSeek, text: text.into(), seal: Text::default(), call: None });
    }
    for key in ["reasoning", "thinking_blocks"] {
        if object.get(key).is_some_and(|value| !value.is_null()) {
            tally.skip("thinking");
        }
    }
    let calls = json::take_list(&mut object, "tool_calls").unwrap_or_default();
    let mut calls: Vec<_> = calls.into_iter().filter_map(|call| called(call, tally)).collect();
    let mut answers = json::take(&mut object, "tool_call_id");
    let name = json::take(&mut object, "name");
    // The way before ids: one call in a member of its own, answered under the function's name.
    if let Some(call) = json::take_object(&mut object, "function_call") {
        calls.extend(called(Value::Object(call), tally).map(|call| Call { id: call.name.clone(), ..call }));
    }
    if word == "function" {
        answers = answers.or_else(|| name.clone());
    }
    match messages.last_mut() {
        Some(message) if message.role == role => {
            message.thoughts.extend(kept);
            message.calls.extend(calls);
            message.answers = message.answers.take().or(answers);
            message.name = message.name.take().or(name);
        }
        _ if !calls.is_empty() => messages.push(Message { calls, thoughts: kept, ..Message::new(role, "") }),
        _ => {}
    }
    Ok(Some(messages))
}

/// The messages that a content stands for: what the role says, and each result of a tool as a message of its own, in order.
/// Without a result it is always one message, be it empty.
pub(crate) fn said(role: Role, content: Value, pictures: Pictures, tally: &mut Tally) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut open = Message::new(role, "");
    let blocks = match content {
        Value::Null => Vec::new(),
        Value::Array(blocks) => blocks,
        other => vec![other],
    };
    for block in blocks {
        match piece(block, pictures, tally) {
            Some(Piece::Part(part)) => open.parts.push(part),
            Some(Piece::Call(call)) => open.calls.push(call),
            Some(Piece::Thought(thought)) => open.thoughts.push(thought),
            Some(Piece::Result(result)) => {
                if !is_empty(&open) {
                    messages.push(std::mem::replace(&mut open, Message::new(role, "")));
                }
                messages.push(result);
            }
            None => {}
        }
    }
    if messages.is_empty() || !is_empty(&open) {
        messages.push(open);
    }
    messages
}

/// What a tool answers. A result within a result is no shape that anybody writes; its text is kept.
pub(crate) fn result(content: Value, pictures: Pictures, tally: &mut Tally) -> Message {
    let inner = said(Role::Tool, content, pictures, tally);
    Message { parts: inner.into_iter().flat_map(|message| message.parts).collect(), ..Message::new(Role::Tool, "") }
}

pub(crate) fn is_empty(message: &Message) -> bool {
    message.parts.is_empty() && message.calls.is_empty()
}

/// Arguments as text: a string as it is, anything else as JSON.
pub(crate) fn arguments(value: Option<Value>) -> String {
    match value {
        Some(Value::String(text)) => text,
        Some(Value::Null) | None => "{}".into(),
        Some(other) => other.to_string(),
    }
}

/// Free text as the arguments of a call, which are JSON.
pub(crate) fn wrapped(text: String) -> String {
    if text.trim_start().starts_with('{') && matches!(json::value(text.as_bytes()), Some(Value::Object(_))) {
        return text;
    }
    let mut object = Object::new();
    object.insert("input".into(), Value::String(text));
    Value::Object(object).to_string()
}

enum Piece {
    Part(MessagePart),
    Call(Call),
    Thought(Thought),
    Result(Message),
}

fn piece(block: Value, pictures: Pictures, tally: &mut Tally) -> Option<Piece> {
    let mut block = match block {
        Value::Object(block) => block,
        Value::String(text) => return piece_of_text(text),
        Value::Null | Value::Array(_) => return tally.leave("block without a type"),
        other => return piece_of_text(other.to_string()),
    };
    if let Some(thought) = thoughts::sealed(&block) {
        return Some(Piece::Thought(thought));
    }
    let kind = json::take(&mut block, "type").unwrap_or_default();
    match &*kind {
        "text" | "input_text" | "output_text" => piece_of_text(text_of(&mut block)?),
        "" if block.contains_key("text") => piece_of_text(text_of(&mut block)?),
        "refusal" => piece_of_text(json::take(&mut block, "refusal")?),
        "image" | "image_url" | "input_image" => match picture(block, pictures) {
            Some(image) => Some(Piece::Part(MessagePart::Image(image))),
            None => tally.leave("block image without a source"),
        },
        "tool_use" | "toolCall" => called(Value::Object(block), tally).map(Piece::Call),
        "tool_result" => {
            let mut result = result(json::take_value(&mut block, "content"), pictures, tally);
            result.answers = json::take(&mut block, "tool_use_id");
            result.name = json::take(&mut block, "name");
            Some(Piece::Result(result))
        }
        "thinking" | "redacted_thinking" | "reasoning" => tally.leave("thinking"),
        "" => tally.leave("block without a type"),
        _ => {
            tally.skip_typed("block", &kind);
            None
        }
    }
}

fn piece_of_text(text: String) -> Option<Piece> {
    (!text.is_empty()).then(|| Piece::Part(MessagePart::Text(text.into())))
}

/// Some write `text: {value}`.
fn text_of(block: &mut Object) -> Option<String> {
    match block.get_mut("text")?.take() {
        Value::String(text) => Some(text),
        Value::Object(mut inner) => json::take(&mut inner, "value"),
        _ => None,
    }
}

/// `{id, name, arguments}`, the same under `function`, or `{id, name, input}`.
fn called(call: Value, tally: &mut Tally) -> Option<Call> {
    let Value::Object(mut call) = call else { return tally.leave("call that is no object") };
    let id = json::take(&mut call, "id").or_else(|| json::take(&mut call, "call_id")).unwrap_or_default();
    let mut inner = json::take_object(&mut call, "function").unwrap_or(call);
    let name = json::take(&mut inner, "name").unwrap_or_default();
    let given = ["arguments", "input"].iter().find_map(|key| inner.get_mut(*key).map(Value::take));
    Some(Call { id, name, arguments: arguments(given).into() })
}

fn picture(mut block: Object, pictures: Pictures) -> Option<Image> {
    let mut image = if let Some(mut source) = json::take_object(&mut block, "source") {
        let media_type = json::take(&mut source, "media_type").unwrap_or_default();
        let source = match json::text(&source, "type") {
            Some("url") => ImageSource::Url(json::take(&mut source, "url")?),
            Some("gone") => ImageSource::Gone { bytes: source.get("bytes").and_then(Value::as_u64).unwrap_or(0) },
            // A file that lies with a provider cannot be had from here.
            Some("file") => ImageSource::Gone { bytes: 0 },
            _ => ImageSource::Data(json::take(&mut source, "data")?.into()),
        };
        Image { media_type, source }
    } else if let Some(data) = json::take(&mut block, "data") {
        let media_type = json::take(&mut block, "mimeType").unwrap_or_default();
        Image { media_type, source: ImageSource::Data(data.into()) }
    } else {
        let url = match block.get_mut("image_url")?.take() {
            Value::String(url) => url,
            Value::Object(mut inner) => json::take(&mut inner, "url")?,
            _ => return None,
        };
        addressed(url)
    };
    if pictures == Pictures::Drop {
        let bytes = match &image.source {
            ImageSource::Data(data) => decoded_size(data),
            ImageSource::Url(_) => 0,
            ImageSource::Gone { bytes } => *bytes,
        };
        image.source = ImageSource::Gone { bytes };
    }
    Some(image)
}

/// A picture behind an address, which may hold the picture itself.
fn addressed(url: String) -> Image {
    if let Some(rest) = url.strip_prefix("data:")
        && let Some((head, data)) = rest.split_once(',')
        && let Some(media_type) = head.strip_suffix(";base64")
    {
        return Image { media_type: media_type.into(), source: ImageSource::Data(data.into()) };
    }
    Image { media_type: String::new(), source: ImageSource::Url(url) }
}

fn decoded_size(base64: &str) -> u64 {
    let digits = base64.trim_end_matches('=').len() as u64;
    digits / 4 * 3 + (digits % 4).saturating_sub(1)
}
