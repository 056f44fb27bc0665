//! Trees, nodes and paths as JSON.

use super::{compiled, message, notes};
use crate::ops::loom::{Drawing, Generated, Line, NodeShown, PathMade, Shown, TreesImported};
use contexture_core::{Format, LoomAgent, LoomNode, LoomPath, LoomTree, Permissions, RawResponse, Stash, Truncated};
use contexture_gather::loom::formats::{Exported, TreeFormat};
use contexture_gather::loom::{
    Connections, Found, Hidden, Memory, Neighbour, Repaired, Step, StepRole, TreeInfo, Verified, Walked,
};
use serde_json::{Value, json};

pub fn tree(tree: &LoomTree) -> Value {
    json!({
        "id": tree.id,
        "local": tree.local,
        "title": tree.title,
        "mode": tree.mode.as_str(),
        "system_context": tree.system_context.as_deref(),
        "buffer_mode_system_context": tree.buffer_mode_system_context,
        "preferences": {
            "truncation_strategy": tree.preferences.truncation.map(|strategy| strategy.as_str()),
            "minimum_recent_nodes": tree.preferences.minimum_recent_nodes,
            "token_buffer": tree.preferences.token_buffer,
        },
        "created": time(tree.created),
    })
}

pub fn trees(all: &[TreeInfo]) -> Value {
    let row = |info: &TreeInfo| {
        let mut value = tree(&info.tree);
        if let Some(object) = value.as_object_mut() {
            object.insert("nodes".into(), json!(info.nodes));
            object.insert("in_use".into(), json!(info.is_current));
        }
        value
    };
    json!({"v": 1, "trees": all.iter().map(row).collect::<Vec<_>>()})
}

pub fn node(node: &LoomNode) -> Value {
    json!({
        "id": node.id,
        "local": node.local,
        "text": &*node.message.text(),
        "message": message(&node.message),
        "author": &*node.author,
        "author_type": node.author_type.as_str(),
        "edited_from": node.edited_from,
        "created": time(node.created),
        "hash": node.hash().to_string(),
        "excluded": node.excluded,
        "pruned": node.pruned.is_some(),
        "pruned_with": node.pruned,
        "bookmarked": node.bookmark.is_some(),
        "bookmark": node.bookmark,
        "origin": node.origin,
    })
}

/// One tree by itself.
pub fn one_tree(of: &LoomTree) -> Value {
    json!({"v": 1, "tree": tree(of)})
}

/// Nodes that something was done to, each with how many it was done to with it. One alone is told like a node that was found, too.
pub fn acted(all: &[(Found, Option<usize>)]) -> Value {
    let row = |(found, many): &(Found, Option<usize>)| {
        let mut value = node(&found.node);
        if let (Some(object), Some(many)) = (value.as_object_mut(), many) {
            object.insert("count".into(), json!(many));
        }
        value
    };
    let mut value = match all {
        [(one, many)] => {
            let mut value = found(one);
            if let (Some(object), Some(many)) = (value.as_object_mut(), many) {
                object.insert("count".into(), json!(many));
            }
            value
        }
        _ => json!({"v": 1}),
    };
    value["nodes"] = all.iter().map(row).collect();
    value
}

/// A node that a path leads to.
pub fn on_path(of: &Found, to: &LoomPath) -> Value {
    let mut value = found(of);
    value["path"] = path(to);
    value
}

/// All paths of a tree, and which one is in use.
pub fn paths(of: &LoomTree, all: &[LoomPath], used: &LoomPath) -> Value {
    json!({"v": 1, "tree": tree(of), "paths": all.iter().map(path).collect::<Vec<_>>(), "in_use": used.name})
}

/// A path, node by node.
pub fn walked(of: &LoomTree, walked: &Walked) -> Value {
    let step = |step: &Step| {
        let mut value = node(&step.node);
        value["role"] = json!(role(step.role));
        value
    };
    let hidden = walked.hidden.iter().map(|(local, why)| json!({"local": local, "reason": hidden(*why)}));
    json!({
        "v": 1,
        "tree": tree(of),
        "leaf": walked.leaf,
        "nodes": walked.steps.iter().map(step).collect::<Vec<_>>(),
        "instructions": walked.instructions.iter().map(node).collect::<Vec<_>>(),
        "hidden": hidden.collect::<Vec<_>>(),
    })
}

/// As what a node stands in a path.
pub fn role(role: StepRole) -> &'static str {
    match role {
        StepRole::Primary => "primary",
        StepRole::Context => "context",
        StepRole::Annotation => "annotation",
    }
}

/// Why a node of a path is not shown.
pub fn hidden(why: Hidden) -> &'static str {
    match why {
        Hidden::Excluded => "excluded",
        Hidden::Pruned => "pruned",
        Hidden::Annotation => "an annotation",
    }
}

/// A node and the tree it is in.
pub fn found(found: &Found) -> Value {
    json!({"v": 1, "tree": tree(&found.tree), "node": node(&found.node)})
}

pub fn shown(shown: &NodeShown) -> Value {
    let NodeShown { tree: of, node: shown, author, connections, neighbours, responses } = shown;
    let Connections { continuations, annotations, versions, .. } = connections;
    let mut value = node(shown);
    if let Some(object) = value.as_object_mut() {
        object.insert("author_name".into(), json!(author));
        let about = json!({"continuations": continuations, "annotations": annotations, "versions": versions});
        object.insert("connections".into(), about);
        object.insert("sources".into(), neighbours.sources.iter().map(neighbour).collect());
        object.insert("targets".into(), neighbours.targets.iter().map(neighbour).collect());
        let version = |(id, local): &(String, String)| json!({"id": id, "local": local});
        object.insert("versions".into(), neighbours.versions.iter().map(version).collect());
        object.insert("responses".into(), responses.iter().map(response).collect());
    }
    json!({"v": 1, "tree": tree(of), "node": value})
}

fn neighbour(neighbour: &Neighbour) -> Value {
    json!({
        "id": neighbour.id,
        "local": neighbour.local,
        "role": neighbour.role.as_str(),
        "edge": neighbour.kind.as_str(),
    })
}

fn response(response: &RawResponse) -> Value {
    json!({
        "provider": response.provider,
        "model": response.model,
        "input_tokens": response.input_tokens,
        "output_tokens": response.output_tokens,
        "latency_ms": response.latency_ms,
        "created": time(response.created),
        "body": &*response.body,
    })
}

pub fn path(path: &LoomPath) -> Value {
    let choice = |choice: &contexture_core::PathChoice| json!({"target": choice.target, "edge": choice.edge, "source": choice.source});
    json!({
        "id": path.id,
        "name": path.name,
        "active": path.active,
        "choices": path.choices.iter().map(choice).collect::<Vec<_>>(),
    })
}

pub fn agent(agent: &LoomAgent) -> Value {
    let Permissions { loom_aware, loom_write, loom_generate, doc_read, doc_write } = agent.permissions;
    json!({
        "id": agent.id,
        "name": agent.name,
        "kind": agent.kind.as_str(),
        "system_prompt": agent.system_prompt.as_deref(),
        "model": agent.model,
        "permissions": {
            "loom_aware": loom_aware,
            "loom_write": loom_write,
            "loom_generate": loom_generate,
            "doc_read": doc_read,
            "doc_write": doc_write,
        },
    })
}

pub fn one_agent(of: &LoomAgent) -> Value {
    json!({"v": 1, "agent": agent(of)})
}

pub fn agents(all: &[LoomAgent]) -> Value {
    json!({"v": 1, "agents": all.iter().map(agent).collect::<Vec<_>>()})
}

pub fn memory(memory: &Memory) -> Value {
    let pin = |node: &LoomNode| json!({"id": node.id, "local": node.local, "text": &*node.message.text()});
    let action = |action: &contexture_core::Action| json!({"at": time(action.at), "text": action.text});
    json!({
        "v": 1,
        "pins": memory.pins.iter().map(pin).collect::<Vec<_>>(),
        "stashes": memory.stashes.iter().map(stash).collect::<Vec<_>>(),
        "actions": memory.actions.iter().map(action).collect::<Vec<_>>(),
    })
}

pub fn stash(stash: &Stash) -> Value {
    json!({"label": stash.label, "text": &*stash.text, "recalled": stash.recalled})
}

pub fn one_stash(of: &Stash) -> Value {
    json!({"v": 1, "stash": stash(of)})
}

pub fn dropped(label: &str) -> Value {
    json!({"v": 1, "dropped": label})
}

pub fn drawing(drawing: &Drawing) -> Value {
    let line = |line: &Line| match line {
        Line::Gap(many) => json!({"left_out": many}),
        Line::Node(shown) => drawn(shown),
    };
    json!({
        "v": 1,
        "tree": tree(&drawing.tree),
        "path": path(&drawing.path),
        "nodes": drawing.nodes,
        "branches": drawing.branches,
        "path_tokens": drawing.path_tokens,
        "path_trouble": drawing.path_trouble,
        "tokenizer": drawing.tokenizer,
        "exact": drawing.exact,
        "outline": drawing.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

fn drawn(shown: &Shown) -> Value {
    let mut value = node(&shown.node);
    if let Some(object) = value.as_object_mut() {
        let more = json!({
            "author_name": shown.author,
            "parent": shown.parent,
            "depth": shown.depth,
            "on_path": shown.is_on_path,
            "active": shown.is_active,
            "pinned": shown.is_pinned,
            "annotation": shown.row.is_annotation,
            "continuations": shown.continuations,
            "tokens": shown.tokens,
        });
        object.extend(more.as_object().cloned().unwrap_or_default());
    }
    value
}

/// An assembled path: what everything that was compiled has, its messages or its text, and how it was cut.
pub fn assembled(made: &PathMade, file: Option<&str>) -> Value {
    let tokens = json!({
        "count": made.compiled.measured.0,
        "exact": made.exact,
        "tokenizer": made.tokenizer,
        "budget": made.limit.as_ref().map(|(limit, _)| *limit),
        "budget_from": made.limit.as_ref().map(|(_, from)| from),
    });
    let mut all = compiled(&made.compiled, file, tokens);
    all.insert("tree".into(), tree(&made.tree));
    all.insert("leaf".into(), json!(made.leaf));
    all.insert("agent".into(), json!(made.agent.as_ref().map(|agent| &agent.name)));
    all.insert("truncation".into(), made.compiled.truncation.as_ref().map(truncated).unwrap_or_default());
    let text = || made.compiled.output.text();
    match made.tree.mode {
        contexture_core::TreeMode::Dialogue => {
            all.insert("messages".into(), made.compiled.messages.iter().map(|said| message(said)).collect());
        }
        contexture_core::TreeMode::Buffer if made.format == Format::Text => {
            all.insert("text".into(), json!(text()));
        }
        contexture_core::TreeMode::Buffer => {}
    }
    let request = match made.format {
        Format::Request(_) => serde_json::from_str(&text()).ok(),
        Format::Markdown => Some(text().into()),
        Format::Messages | Format::Xml | Format::Json | Format::Text => None,
    };
    all.extend(request.map(|request| ("request".to_owned(), request)));
    all.into()
}

fn truncated(cut: &Truncated) -> Value {
    let ids = |ids: &[contexture_core::ItemId]| ids.iter().map(|id| id.to_string()).collect::<Vec<_>>();
    json!({
        "truncated": cut.truncated,
        "strategy": cut.strategy.as_str(),
        "removed": ids(&cut.removed),
        "shortened": ids(&cut.shortened),
        "tokens_before": cut.before.0,
        "tokens_after": cut.after.0,
        "minimum_recent_nodes": cut.minimum_recent,
        "recent_nodes": cut.recent,
        "minimum_recent_shrunk": cut.is_shrunk(),
    })
}

pub fn generated(generated: &Generated) -> Value {
    json!({
        "v": 1,
        "tree": tree(&generated.made.tree),
        "nodes": generated.nodes.iter().map(node).collect::<Vec<_>>(),
        "usage": {"input_tokens": generated.input_tokens, "output_tokens": generated.output_tokens},
        "sent": {"tokens": generated.made.compiled.measured.0, "exact": generated.made.exact, "tokenizer": generated.made.tokenizer},
        "truncation": generated.made.compiled.truncation.as_ref().map(truncated),
        "notes": notes(&generated.notes),
    })
}

pub fn imported(imported: &TreesImported) -> Value {
    let row = |one: &crate::ops::loom::ImportedTree| {
        let mut value = tree(&one.tree);
        if let Some(object) = value.as_object_mut() {
            object.insert("nodes".into(), json!(one.nodes));
        }
        value
    };
    json!({
        "v": 1,
        "format": imported.format,
        "trees": imported.trees.iter().map(row).collect::<Vec<_>>(),
        "skipped": imported.skipped,
        "notes": notes(&imported.notes),
    })
}

/// A tree as files. `path` is where they were written, if anywhere; those that were not are told whole.
pub fn exported(of: &LoomTree, format: TreeFormat, exported: &Exported, path: Option<&str>) -> Value {
    let file = |(place, text): &(String, String)| json!({"path": place, "bytes": text.len(), "text": path.is_none().then_some(text)});
    json!({
        "v": 1,
        "tree": tree(of),
        "format": format.as_str(),
        "path": path,
        "files": exported.files.iter().map(file).collect::<Vec<_>>(),
        "notes": notes(&exported.notes),
    })
}

/// What could be saved of a store.
pub fn repaired(saved: &Repaired) -> Value {
    let aside: Vec<String> = saved.aside.iter().map(|file| file.display().to_string()).collect();
    json!({"v": 1, "aside": aside, "trees": saved.trees, "nodes": saved.nodes, "lost": saved.lost})
}

pub fn verified(found: &Verified) -> Value {
    let problem = |problem: &contexture_gather::loom::Problem| json!({"what": problem.what, "id": problem.id, "hint": problem.hint});
    json!({
        "v": 1,
        "ok": found.problems.is_empty(),
        "trees": found.trees,
        "nodes": found.nodes,
        "edges": found.edges,
        "problems": found.problems.iter().map(problem).collect::<Vec<_>>(),
    })
}

/// RFC 3339, to the millisecond where there are any.
fn time(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string()
}
