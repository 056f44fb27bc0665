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
use crate::sessions::json::Object;
use crate::thoughts::record;
use contexture_core::{
    Bundle, ImageSource, LoomAgent, LoomEdge, LoomNode, LoomPath, LoomTree, Message, Part, RawResponse, Role,
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
    let stashes = bundle.stashes.iter();
    list(
        &mut out,
        "stashes",
        stashes.map(|stash| json!({"label": stash.label, "text": &*stash.text, "recalled": stash.recalled})),
    );
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
fn object(members: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let some = members.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(some.map(|(key, value)| (key.to_string(), value)).collect::<Object>())
}

/// A flag that is not set is nothing.
fn flag(set: bool) -> Value {
    if set { Value::Bool(true) } else { Value::Null }
}

fn at(millis: i64) -> Value {
    moment(millis).map_or(millis.into(), Value::String)
}

fn tree(tree: &LoomTree) -> Value {
    let wishes = object([
        ("truncation", tree.preferences.truncation.map(|truncation| truncation.as_str()).into()),
        ("minimum_recent_nodes", tree.preferences.minimum_recent_nodes.into()),
        ("token_buffer", tree.preferences.token_buffer.into()),
    ]);
    object([
        ("id", (&*tree.id).into()),
        ("local", (&*tree.local).into()),
        ("title", (&*tree.title).into()),
        ("mode", tree.mode.as_str().into()),
        ("system_context", tree.system_context.as_deref().into()),
        ("buffer_mode_system_context", flag(tree.buffer_mode_system_context)),
        ("preferences", if wishes.as_object().is_some_and(Object::is_empty) { Value::Null } else { wishes }),
        ("created", at(tree.created)),
    ])
}

fn agent(agent: &LoomAgent) -> Value {
    let may = &agent.permissions;
    let granted = [
        (may.loom_aware, "loom_aware"),
        (may.loom_write, "loom_write"),
        (may.loom_generate, "loom_generate"),
        (may.doc_read, "doc_read"),
        (may.doc_write, "doc_write"),
    ];
    let granted: Vec<&str> = granted.iter().filter(|(granted, _)| *granted).map(|(_, word)| *word).collect();
    object([
        ("id", (&*agent.id).into()),
        ("name", (&*agent.name).into()),
        ("kind", agent.kind.as_str().into()),
        ("system_prompt", agent.system_prompt.as_deref().into()),
        ("model", agent.model.as_deref().into()),
        ("permissions", granted.into()),
    ])
}

fn node(node: &LoomNode) -> Value {
    let message = &node.message;
    let usual = if message.answers.is_some() { Role::Tool } else { LoomNode::role(node.author_type) };
    object([
        ("id", (&*node.id).into()),
        ("local", (&*node.local).into()),
        ("author", (&*node.author).into()),
        ("author_type", node.author_type.as_str().into()),
        ("created", at(node.created)),
        ("content", content(message)),
        ("role", (message.role != usual).then_some(message.role.as_str()).into()),
        ("thoughts", thoughts(message)),
        ("calls", calls(message)),
        ("answers", message.answers.as_deref().into()),
        ("name", message.name.as_deref().into()),
        ("edited_from", node.edited_from.as_deref().into()),
        ("excluded", flag(node.excluded)),
        ("pruned", node.pruned.as_deref().into()),
        ("bookmark", node.bookmark.as_deref().into()),
        ("origin", node.origin.as_deref().into()),
        ("hash", node.hash().to_string().into()),
    ])
}

fn content(message: &Message) -> Value {
    match message.parts.as_slice() {
        [part] => block(part),
        parts => json!({"type": "mixed", "blocks": parts.iter().map(block).collect::<Vec<_>>()}),
    }
}

fn block(part: &Part) -> Value {
    let image = match part {
        Part::Text(text) => return json!({"type": "text", "text": &**text}),
        Part::Image(image) => image,
    };
    let media_type = Some(&*image.media_type).filter(|media_type| !media_type.is_empty());
    let source = match &image.source {
        ImageSource::Data(data) => ("data", Value::from(&**data)),
        ImageSource::Url(url) => ("url", (&**url).into()),
        ImageSource::Gone { bytes } => ("gone", (*bytes).into()),
    };
    object([("type", "image".into()), ("media_type", media_type.into()), source])
}

fn thoughts(message: &Message) -> Value {
    if message.thoughts.is_empty() { Value::Null } else { message.thoughts.iter().map(record).collect() }
}

fn calls(message: &Message) -> Value {
    let calls = message.calls.iter();
    let calls: Vec<_> =
        calls.map(|call| json!({"id": call.id, "name": call.name, "arguments": &*call.arguments})).collect();
    if calls.is_empty() { Value::Null } else { calls.into() }
}

fn edge(edge: &LoomEdge) -> Value {
    let sources = edge.sources.iter();
    let sources: Vec<_> = sources.map(|source| json!({"node": source.node, "role": source.role.as_str()})).collect();
    object([
        ("id", (&*edge.id).into()),
        ("kind", edge.kind.as_str().into()),
        ("sources", sources.into()),
        ("target", (&*edge.target).into()),
        ("created", at(edge.created)),
    ])
}

fn path(path: &LoomPath) -> Value {
    let choices = path.choices.iter().map(|choice| {
        object([
            ("target", (&*choice.target).into()),
            ("edge", choice.edge.as_deref().into()),
            ("source", choice.source.as_deref().into()),
        ])
    });
    object([
        ("id", (&*path.id).into()),
        ("name", (&*path.name).into()),
        ("active", path.active.as_deref().into()),
        ("choices", choices.collect::<Vec<_>>().into()),
    ])
}

fn response(response: &RawResponse) -> Value {
    object([
        ("node", (&*response.node).into()),
        ("provider", (&*response.provider).into()),
        ("model", (&*response.model).into()),
        ("body", (&*response.body).into()),
        ("input_tokens", response.input_tokens.into()),
        ("output_tokens", response.output_tokens.into()),
        ("latency_ms", response.latency_ms.into()),
        ("created", at(response.created)),
    ])
}
