//! What was said so far: `discussion.history`, or a history file of its own.
//!
//! Takes TOML; gives entries in the order of the file. Odd content is text, never a failure: only a file that is no TOML
//! is an error.

use super::error::{ConfigError, SourceText};
use super::node::{Data, Node};
use toml_edit::Document;

/// One thing that was said in a discussion.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HistoryEntry {
    pub role: Option<String>,
    /// Empty when it was null or missing.
    pub content: String,
}

/// A history file: `history` or `entries` at the top or in `[discussion]`, as a list or as tables. `name` is for messages.
pub fn parse_history(text: &str, name: &str) -> Result<Vec<HistoryEntry>, ConfigError> {
    let document = Document::parse(text).map_err(|error| SourceText::file(name, text).syntax(&error))?;
    let root = Node::of_item(document.as_item());
    let inside = root.get("discussion");
    let found = ["history", "entries"].into_iter().find_map(|key| root.get(key).or_else(|| inside?.get(key)));
    Ok(found.map(entries).unwrap_or_default())
}

/// One entry for each element; anything but a list is one entry.
pub(super) fn entries(node: &Node) -> Vec<HistoryEntry> {
    match &node.data {
        Data::Null => Vec::new(),
        Data::List(list) => list.iter().map(entry).collect(),
        _ => vec![entry(node)],
    }
}

fn entry(node: &Node) -> HistoryEntry {
    match &node.data {
        Data::Map(_) => HistoryEntry {
            role: node.get("role").map(text).filter(|role| !role.is_empty()),
            content: node.get("content").map(text).unwrap_or_default(),
        },
        _ => HistoryEntry { role: None, content: text(node) },
    }
}

/// The words of a value. Content in blocks, `[{ type = "text", text = "…" }]`, is the text of its blocks.
fn text(node: &Node) -> String {
    match &node.data {
        Data::Text(text) => text.clone(),
        Data::List(list) => list.iter().map(text).collect::<Vec<_>>().join("\n"),
        Data::Map(_) => node.get("text").or_else(|| node.get("content")).map_or_else(|| node.to_string(), text),
        _ => node.to_string(),
    }
}
