//! A `conversations.json` with one conversation.

use super::super::Exported;
use super::super::lay::{PlainNode, lay};
use super::super::lost::{Holds, Part};
use super::super::words::TreeFormat;
use super::single;
use contexture_core::{Bundle, Call, ImageSource, Message, MessagePart, Note, Role, Topic, TreeMode};
use serde_json::{Value, json};

const HOLDS: Holds = Holds {
    format: TreeFormat::ChatGpt,
    mode: TreeMode::Dialogue,
    clock: 1,
    // Nothing hidden: its hidden messages are hidden from people only.
    parts: &[Part::Authors, Part::Models, Part::Calls, Part::Title],
};

pub(in super::super) fn file(bundle: &Bundle) -> Exported {
    let mut laid = lay(bundle, &HOLDS);
    let id = |place: usize| laid.nodes.get(place).map(|node| &*node.id);
    let mut children: Vec<Vec<&str>> = vec![Vec::new(); laid.nodes.len()];
    for node in &laid.nodes {
        node.parent.iter().for_each(|&parent| children[parent].push(&node.id));
    }
    let tree = &bundle.tree;
    let newest = laid.nodes.iter().map(|node| node.created).max().unwrap_or(tree.created);
    let active = laid.active.or(laid.nodes.len().checked_sub(1)).and_then(id);
    let mut out = format!(
        "[{{\"title\": {}, \"create_time\": {}, \"update_time\": {}, \"conversation_id\": {id}, \"id\": {id}, \
         \"current_node\": {}, \"mapping\": {{",
        Value::from(&*tree.title),
        seconds(tree.created),
        seconds(newest),
        Value::from(active),
        id = Value::from(&*tree.id),
    );
    let mut unheld = 0;
    for (place, (node, children)) in laid.nodes.iter().zip(&children).enumerate() {
        // A call is a message of its own there.
        let calls = &*node.message.calls;
        let single = matches!(calls, [_]) && node.message.parts.is_empty();
        unheld += usize::from(!calls.is_empty() && !single);
        let call = if single { calls.first() } else { None };
        let value = json!({
            "id": node.id,
            "message": message(node, call),
            "parent": node.parent.and_then(id),
            "children": children,
        });
        out.push_str(if place > 0 { ",\n" } else { "\n" });
        out += &format!("{}: {value}", Value::from(&*node.id));
    }
    out.push_str("\n}}]\n");
    if unheld > 0 {
        let text = format!("chatgpt cannot hold several calls, or one beside a text: nodes: {unheld}");
        laid.notes.push(Note::new(Topic::Reduced, text));
    }
    single(out, laid.notes)
}

fn message(node: &PlainNode, call: Option<&Call>) -> Value {
    let said = &*node.message;
    // What begins a conversation there is a node without a message.
    if node.parent.is_none() && said.parts.is_empty() && said.role == Role::User {
        return Value::Null;
    }
    let role = match said.role {
        Role::System => Role::User,
        role => role,
    };
    let mut about = json!({});
    let (_, model) = &node.model;
    if role == Role::Assistant && !model.is_empty() {
        about = json!({"model_slug": model});
    }
    json!({
        "id": node.id,
        "author": {"role": role.as_str(), "name": said.name, "metadata": {}},
        "create_time": seconds(node.created),
        "update_time": null,
        "content": content(said, call),
        "status": "finished_successfully",
        "end_turn": call.is_none(),
        "weight": 1.0,
        "metadata": about,
        "recipient": call.map_or("all", |call| &*call.name),
    })
}

fn content(said: &Message, call: Option<&Call>) -> Value {
    if let Some(call) = call {
        return json!({"content_type": "code", "language": "unknown", "text": &*call.arguments});
    }
    let is_text = said.parts.iter().all(|part| matches!(part, MessagePart::Text(_)));
    let parts: Vec<Value> = said.parts.iter().map(part).collect();
    let parts = if parts.is_empty() { vec!["".into()] } else { parts };
    json!({"content_type": if is_text { "text" } else { "multimodal_text" }, "parts": parts})
}

fn part(part: &MessagePart) -> Value {
    match part {
        MessagePart::Text(text) => Value::from(&**text),
        MessagePart::Image(image) => {
            let bytes = match &image.source {
                ImageSource::Data(data) => data.len() as u64 / 4 * 3,
                ImageSource::Gone { bytes } => *bytes,
                ImageSource::Url(_) => 0,
            };
            json!({"content_type": "image_asset_pointer", "size_bytes": bytes})
        }
    }
}

/// With a fraction of three digits.
fn seconds(millis: i64) -> Value {
    (millis as f64 / 1000.0).into()
}
