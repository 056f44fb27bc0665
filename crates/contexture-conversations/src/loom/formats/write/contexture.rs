//! Our own JSON: everything of a tree, and nothing lost.
//!
//! One record a line, so that a diff shows what changed; the same bytes for the same tree. Members, in this order:
//!
//! - `contexture_loom`: the version of the format, 1.
//! - `tree`: `id`, `local`, `title`, `mode`, `system_context`, `buffer_mode_system_context`, `preferences` (`truncation`,
//!   `minimum_recent_nodes`, `token_buffer`), `created`.
//! - `agents`: `id`, `name`, `kind`, `system_prompt`, `model`, `permissions` (the words of those that are granted).
//! - `nodes`: `id`, `local`, `author`, `author_type`, `created`, `content`, `role`, `thoughts`, `calls` (`id`, `name`, `arguments`),
//!   `answers`, `name`, `edited_from`, `excluded`, `pruned`, `bookmark`, `origin`, `hash`. The content is
//!   `{"type":"text","text":…}`, `{"type":"image","media_type":…}` with one of `data` (base64), `url` and `gone` (its size), or
//!   `{"type":"mixed","blocks":[…]}` of such.
//! - `edges`: `id`, `kind`, `sources` (`node`, `role`), `target`, `created`.
//! - `paths`: `id`, `name`, `active`, `choices` (`target`, `edge`, `source`); `path`: the name of the one in use.
//! - `pins`: ids of nodes; `stashes`: `label`, `text`, `recalled`; `actions`: `at`, `text`; `responses`: `node`, `provider`,
//!   `model`, `body`, `input_tokens`, `output_tokens`, `latency_ms`, `created`.
//!
//! Records stand in the order they were written. Moments are RFC 3339 in UTC with milliseconds, or milliseconds since the
//! epoch where there is no such date. Members that are nothing are absent; `role` stands only where it is not what the author
//! and `answers` say.

use super::super::Exported;
use super::super::read::contexture::VERSION;
use super::super::words::moment;
use crate::thoughts::record;
use contexture_core::{
    Bundle, Call, EdgeSource, ImageSource, LoomAgent, LoomEdge, LoomNode, LoomPath, LoomTree, Message, MessagePart,
    PathChoice, Preferences, RawResponse, Role, Stash,
};
use serde_json::{Value, json};

pub(in super::super) fn file(bundle: &Bundle) -> Exported {
    let mut out = format!("{{\n\"contexture_loom\": {VERSION},\n\"tree\": {}", tree(&bundle.tree));
    list(&mut out, "agents", bundle.agents.iter().map(agent));
    list(&mut out, "nodes", bundle.nodes.iter().map(node));
    list(&mut out, "edges", bundle.edges.iter().map(edge));
    list(&mut out, "paths", bundle.paths.iter().map(path));
    out += &format!(",\n\"path\": {}", Value::from(bundle.path.as_deref()));
    list(&mut out, "pins", bundle.pins.iter().map(|pin| Value::from(&**pin)));
    let stash = |stash: &Stash| json!({"label": stash.label, "text": &*stash.text, "recalled": stash.recalled});
    list(&mut out, "stashes", bundle.stashes.iter().map(stash));
    list(&mut out, "actions", bundle.actions.iter().map(|action| json!({"at": at(action.at), "text": action.text})));
    list(&mut out, "responses", bundle.responses.iter().map(response));
    out.push_str("\n}\n");
    Exported { files: vec![(String::new(), out)], notes: Vec::new() }
}

fn list(out: &mut String, key: &str, records: impl Iterator<Item = Value>) {
    *out += &format!(",\n\"{key}\": [");
    let mut any = false;
    for record in records {
        out.push_str(if any { ",\n" } else { "\n" });
        *out += &record.to_string();
        any = true;
    }
    out.push_str(if any { "\n]" } else { "]" });
}

/// An object without the members that are nothing.
fn object(mut members: Value) -> Value {
    members.as_object_mut().into_iter().for_each(|members| members.retain(|_, value| !value.is_null()));
    members
}

/// A list that is empty is nothing.
fn listed(list: impl Iterator<Item = Value>) -> Option<Vec<Value>> {
    Some(list.collect::<Vec<_>>()).filter(|list| !list.is_empty())
}

fn at(millis: i64) -> Value {
    moment(millis).map_or(millis.into(), Value::String)
}

fn tree(tree: &LoomTree) -> Value {
    let Preferences { truncation, minimum_recent_nodes, token_buffer } = tree.preferences;
    let truncation = truncation.map(|truncation| truncation.as_str());
    let wishes = json!({
        "truncation": truncation, "minimum_recent_nodes": minimum_recent_nodes, "token_buffer": token_buffer
    });
    object(json!({
        "id": tree.id, "local": tree.local, "title": tree.title, "mode": tree.mode.as_str(),
        "system_context": tree.system_context.as_deref(),
        "buffer_mode_system_context": tree.buffer_mode_system_context.then_some(true),
        "preferences": Some(object(wishes)).filter(|wishes| *wishes != json!({})),
        "created": at(tree.created),
    }))
}

fn agent(agent: &LoomAgent) -> Value {
    object(json!({
        "id": agent.id, "name": agent.name, "kind": agent.kind.as_str(), "system_prompt": agent.system_prompt.as_deref(),
        "model": agent.model, "permissions": agent.permissions.granted(),
    }))
}

fn node(node: &LoomNode) -> Value {
    let message = &node.message;
    let usual = if message.answers.is_some() { Role::Tool } else { LoomNode::role(node.author_type) };
    let call = |call: &Call| json!({"id": call.id, "name": call.name, "arguments": &*call.arguments});
    object(json!({
        "id": node.id, "local": node.local, "author": &*node.author, "author_type": node.author_type.as_str(),
        "created": at(node.created),
        "content": content(message),
        "role": (message.role != usual).then_some(message.role.as_str()),
        "thoughts": listed(message.thoughts.iter().map(record)),
        "calls": listed(message.calls.iter().map(call)),
        "answers": message.answers, "name": message.name,
        "edited_from": node.edited_from, "excluded": node.excluded.then_some(true), "pruned": node.pruned,
        "bookmark": node.bookmark, "origin": node.origin,
        "hash": node.hash().to_string(),
    }))
}

fn content(message: &Message) -> Value {
    match message.parts.as_slice() {
        [part] => block(part),
        parts => json!({"type": "mixed", "blocks": parts.iter().map(block).collect::<Vec<_>>()}),
    }
}

fn block(part: &MessagePart) -> Value {
    let image = match part {
        MessagePart::Text(text) => return json!({"type": "text", "text": &**text}),
        MessagePart::Image(image) => image,
    };
    let media_type = Some(&*image.media_type).filter(|media_type| !media_type.is_empty());
    let (key, source) = match &image.source {
        ImageSource::Data(data) => ("data", Value::from(&**data)),
        ImageSource::Url(url) => ("url", (&**url).into()),
        ImageSource::Gone { bytes } => ("gone", (*bytes).into()),
    };
    object(json!({"type": "image", "media_type": media_type, key: source}))
}

fn edge(edge: &LoomEdge) -> Value {
    let source = |source: &EdgeSource| json!({"node": source.node, "role": source.role.as_str()});
    let sources: Vec<_> = edge.sources.iter().map(source).collect();
    json!({
        "id": edge.id, "kind": edge.kind.as_str(), "sources": sources, "target": edge.target, "created": at(edge.created)
    })
}

fn path(path: &LoomPath) -> Value {
    let choice =
        |choice: &PathChoice| object(json!({"target": choice.target, "edge": choice.edge, "source": choice.source}));
    let choices: Vec<_> = path.choices.iter().map(choice).collect();
    object(json!({"id": path.id, "name": path.name, "active": path.active, "choices": choices}))
}

fn response(response: &RawResponse) -> Value {
    object(json!({
        "node": response.node, "provider": response.provider, "model": response.model, "body": &*response.body,
        "input_tokens": response.input_tokens, "output_tokens": response.output_tokens,
        "latency_ms": response.latency_ms, "created": at(response.created),
    }))
}
