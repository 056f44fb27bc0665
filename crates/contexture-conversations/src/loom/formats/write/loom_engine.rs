//! The folder of loom-engine: `roots.json`, and a file for each node.
//!
//! A root says nothing there. An empty root of ours with several children is that root; any other becomes its one child.

use super::super::Exported;
use super::super::lay::{PlainNode, lay};
use super::super::lost::{Holds, Part};
use super::super::words::{TreeFormat, moment};
use super::arguments;
use contexture_core::{Bundle, LoomTree, MessagePart, Role, TreeMode};
use serde_json::{Value, json};

const HOLDS: Holds = Holds {
    format: TreeFormat::LoomEngine,
    mode: TreeMode::Dialogue,
    clock: 1,
    parts: &[Part::Authors, Part::Models, Part::Calls, Part::Bookmarks, Part::Labels, Part::System],
};

pub(in super::super) fn folder(bundle: &Bundle) -> Exported {
    let laid = lay(bundle, &HOLDS);
    let root = format!("root-{}", name(&bundle.tree));
    let is_root = |place: usize| {
        let children = || laid.nodes.iter().filter(|node| node.parent == Some(place)).take(2).count();
        laid.nodes.get(place).is_some_and(|node| {
            let says = !node.message.parts.is_empty() || !node.message.calls.is_empty() || node.bookmark.is_some();
            node.parent.is_none() && node.message.role == Role::User && !says && children() > 1
        })
    };
    let skipped = usize::from(is_root(0));
    let id = |place: usize| match place.checked_sub(skipped) {
        Some(place) => format!("{root}/node-{}", place + 1),
        None => root.clone(),
    };
    let mut children: Vec<Vec<String>> = vec![Vec::new(); laid.nodes.len()];
    let mut tops = Vec::new();
    for (place, node) in laid.nodes.iter().enumerate().skip(skipped) {
        match node.parent.filter(|&parent| parent >= skipped) {
            Some(parent) => children[parent].push(id(place)),
            None => tops.push(id(place)),
        }
    }
    let mut config = json!({});
    if let Some(prompt) = &bundle.tree.system_context {
        config = json!({"systemPrompt": &**prompt});
    }
    let about = json!([{
        "id": root,
        "child_ids": tops,
        "createdAt": moment(bundle.tree.created),
        "config": config,
    }]);
    let mut files = vec![("roots.json".to_string(), format!("{about:#}\n"))];
    for (place, (node, children)) in laid.nodes.iter().zip(children).enumerate().skip(skipped) {
        let value = json!({
            "id": id(place),
            "root_id": root,
            "parent_id": node.parent.map_or_else(|| root.clone(), id),
            "child_ids": children,
            "message": message(node),
            "metadata": metadata(node, &root),
        });
        let file = format!("{root}/nodes/node-{}.json", place + 1 - skipped);
        files.push((file, format!("{value:#}\n")));
    }
    Exported { files, notes: laid.notes }
}

/// The letters of the tree's short id that can stand in a name everywhere.
fn name(tree: &LoomTree) -> String {
    let word = if tree.local.is_empty() { &tree.id } else { &tree.local };
    let letters: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    if letters.is_empty() { "1".into() } else { letters }
}

fn message(node: &PlainNode) -> Value {
    let said = &*node.message;
    let text = |part: &MessagePart| match part {
        MessagePart::Text(text) => json!({"type": "text", "text": &**text}),
        MessagePart::Image(image) => json!({"type": "text", "text": image.placeholder()}),
    };
    let mut content: Vec<Value> = said.parts.iter().map(text).collect();
    content.extend(said.calls.iter().map(
        |call| json!({"type": "tool-use", "id": call.id, "name": call.name, "parameters": arguments(&call.arguments)}),
    ));
    if content.is_empty() {
        content.push(json!({"type": "text", "text": ""}));
    }
    match said.role {
        Role::Assistant => json!({"role": "assistant", "content": content}),
        Role::Tool => {
            let answers = said.answers.as_deref().unwrap_or_default();
            json!({"role": "tool", "content": content, "tool_call_id": answers})
        }
        Role::User | Role::System => json!({"role": "user", "content": content}),
    }
}

fn metadata(node: &PlainNode, root: &str) -> Value {
    let (provider, model) = &node.model;
    let source = match node.message.role {
        Role::Assistant => {
            json!({"type": "model", "provider": provider, "model_name": model, "parameters": {"max_tokens": 0}})
        }
        Role::Tool => json!({"type": "tool_result", "tool_name": node.message.name.as_deref().unwrap_or_default()}),
        Role::User | Role::System => json!({"type": "user"}),
    };
    let mut value = json!({"timestamp": moment(node.created), "original_root_id": root, "source_info": source});
    if let (Some(label), Some(object)) = (&node.bookmark, value.as_object_mut()) {
        object.insert("tags".into(), json!(["bookmark"]));
        if !label.is_empty() {
            object.insert("custom_data".into(), json!({"bookmark": label}));
        }
    }
    value
}
