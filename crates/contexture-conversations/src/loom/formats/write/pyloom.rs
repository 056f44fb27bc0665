//! Nodes within nodes for pyloom. Nothing is indented: in a deep tree that would be most of the file.

use super::super::Exported;
use super::super::lay::{PlainNode, lay};
use super::super::lost::{Holds, Part};
use super::super::words::{TreeFormat, wall};
use super::single;
use crate::sessions::json::Object;
use contexture_core::{AuthorType, Bundle, TreeMode};
use serde_json::{Value, json};

const HOLDS: Holds = Holds {
    format: TreeFormat::Pyloom,
    mode: TreeMode::Buffer,
    clock: 1000,
    parts: &[Part::Hidden, Part::Authors, Part::Bookmarks, Part::Labels],
};

pub(in super::super) fn file(bundle: &Bundle) -> Exported {
    let laid = lay(bundle, &HOLDS);
    let nodes = &laid.nodes;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (place, node) in nodes.iter().enumerate() {
        node.parent.iter().for_each(|&parent| children[parent].push(place));
    }
    let mut out = String::from("{\"root\": ");
    if nodes.is_empty() {
        out.push_str("{\"text\": \"\", \"children\": []}");
    }
    // Nodes that are open, each with the number of its children that are written.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut next = (!nodes.is_empty()).then_some(0);
    loop {
        if let Some(place) = next.take() {
            begin(&mut out, &nodes[place], nodes[place].parent.map(|parent| &*nodes[parent].id));
            open.push((place, 0));
        }
        let Some((place, written)) = open.last_mut() else { break };
        match children[*place].get(*written) {
            Some(&child) => {
                out.push_str(if *written > 0 { ",\n" } else { "\n" });
                *written += 1;
                next = Some(child);
            }
            None => {
                out.push_str("]}");
                open.pop();
            }
        }
    }
    let chapters: Object = nodes.iter().filter_map(chapter).collect();
    out += &format!(",\n\"chapters\": {}", Value::Object(chapters));
    out += &format!(",\n\"tags\": {}", tags());
    let selected = laid.active.map(|place| &*nodes[place].id);
    out += &format!(",\n\"selected_node_id\": {}}}\n", Value::from(selected));
    single(out, laid.notes)
}

/// A node up to its children.
fn begin(out: &mut String, node: &PlainNode, parent: Option<&str>) {
    let tags = [(node.bookmark.is_some(), "bookmark"), (node.pruned, "archived"), (node.excluded, "note")];
    let tags: Vec<&str> = tags.iter().filter(|(set, _)| *set).map(|(_, tag)| *tag).collect();
    let source = if node.kind == AuthorType::Model { "AI" } else { "prompt" };
    let mut object = json!({
        "id": node.id,
        "text": &*node.message.text(),
        "parent_id": parent,
        "mutable": true,
        "visited": true,
        "open": true,
        "tags": tags,
        "meta": {"source": source, "modified": false, "creation_timestamp": wall(node.created)},
    });
    if let (Some(object), Some((id, _))) = (object.as_object_mut(), chapter(node)) {
        object.insert("chapter_id".into(), id.into());
    }
    let object = object.to_string();
    out.push_str(object.strip_suffix('}').unwrap_or(&object));
    out.push_str(",\"children\":[");
}

/// A chapter bears the label of a bookmark.
fn chapter(node: &PlainNode) -> Option<(String, Value)> {
    let title = node.bookmark.as_ref().filter(|label| !label.is_empty())?;
    let id = format!("chapter-{}", node.id);
    Some((id.clone(), json!({"id": id, "root_id": node.id, "title": title})))
}

/// The tags that are used, as the program knows them.
fn tags() -> Value {
    let tag = |name: &str, scope: &str, hide: bool| json!({"name": name, "scope": scope, "hide": hide, "show_only": false, "toggle_key": "None", "icon": "None"});
    json!({
        "bookmark": tag("bookmark", "node", false),
        "archived": tag("archived", "node", true),
        "note": tag("note", "node", true),
    })
}
