//! A session for pi: one entry a line, parents before children, the active node's at the end.

use super::super::Exported;
use super::super::lay::{PlainNode, lay};
use super::super::lost::{Holds, Part};
use super::super::words::{TreeFormat, moment};
use super::{arguments, single};
use contexture_core::{Bundle, Image, ImageSource, Message, MessagePart, Note, Role, Topic, TreeMode};
use serde_json::{Value, json};

const HOLDS: Holds = Holds {
    format: TreeFormat::Pi,
    mode: TreeMode::Dialogue,
    clock: 1,
    parts: &[Part::Authors, Part::Models, Part::Calls, Part::Images, Part::Bookmarks, Part::Labels, Part::Title],
};

pub(in super::super) fn file(bundle: &Bundle) -> Exported {
    let mut laid = lay(bundle, &HOLDS);
    let tree = &bundle.tree;
    let mut out = String::new();
    line(
        &mut out,
        json!({"type": "session", "version": 3, "id": tree.id, "timestamp": moment(tree.created), "cwd": ""}),
    );
    for node in &laid.nodes {
        let parent = node.parent.and_then(|parent| laid.nodes.get(parent)).map(|parent| &*parent.id);
        let entry = json!({
            "type": "message",
            "id": node.id,
            "parentId": parent,
            "timestamp": moment(node.created),
            "message": message(node),
        });
        line(&mut out, entry);
    }
    let last = laid.active.or(laid.nodes.len().checked_sub(1)).and_then(|place| laid.nodes.get(place));
    let mut above = last.map(|node| node.id.clone());
    let mut unnamed = 0;
    for node in &laid.nodes {
        let Some(label) = &node.bookmark else { continue };
        let id = format!("label-{}", node.id);
        // An empty label takes one away.
        unnamed += usize::from(label.is_empty());
        let label = if label.is_empty() { "bookmark" } else { label };
        let entry = json!({
            "type": "label",
            "id": id,
            "parentId": above,
            "timestamp": moment(node.created),
            "targetId": node.id,
            "label": label,
        });
        line(&mut out, entry);
        above = Some(id);
    }
    // Without a message of its own it says which node is active: the last entry leads there.
    let (id, timestamp) = (format!("info-{}", tree.id), moment(tree.created));
    line(
        &mut out,
        json!({"type": "session_info", "id": id, "parentId": above, "timestamp": timestamp, "name": tree.title}),
    );
    if unnamed > 0 {
        let text = format!("bookmarks without a label: {unnamed}: labelled `bookmark`");
        laid.notes.push(Note::new(Topic::Reduced, text));
    }
    single(out, laid.notes)
}

fn line(out: &mut String, value: Value) {
    *out += &value.to_string();
    out.push('\n');
}

fn message(node: &PlainNode) -> Value {
    let said = &*node.message;
    let mut content: Vec<Value> = said.parts.iter().map(block).collect();
    match said.role {
        Role::Assistant => {
            content.extend(said.calls.iter().map(|call| {
                json!({"type": "toolCall", "id": call.id, "name": call.name, "arguments": arguments(&call.arguments)})
            }));
            let (provider, model) = &node.model;
            let stop = if said.calls.is_empty() { "stop" } else { "toolUse" };
            json!({"role": "assistant", "content": content, "provider": provider, "model": model, "stopReason": stop})
        }
        Role::Tool => json!({
            "role": "toolResult",
            "toolCallId": said.answers,
            "toolName": said.name,
            "content": content,
            "isError": false,
        }),
        Role::User | Role::System => json!({"role": "user", "content": user(said, content)}),
    }
}

/// A plain text is a string there.
fn user(said: &Message, blocks: Vec<Value>) -> Value {
    match said.parts.as_slice() {
        [MessagePart::Text(text)] => Value::from(&**text),
        _ => blocks.into(),
    }
}

fn block(part: &MessagePart) -> Value {
    match part {
        MessagePart::Text(text) => json!({"type": "text", "text": &**text}),
        MessagePart::Image(Image { media_type, source: ImageSource::Data(data) }) => {
            json!({"type": "image", "data": &**data, "mimeType": media_type})
        }
        MessagePart::Image(image) => json!({"type": "text", "text": image.placeholder()}),
    }
}
