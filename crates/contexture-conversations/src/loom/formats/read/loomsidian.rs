//! Notes of loomsidian: a map of nodes that name their parents, alone or in the data of the plugin.
//!
//! The plugin's settings hold keys of providers: their bytes are passed over, and no value is ever made of them.

use super::super::super::store::Result;
use super::super::members::{Member, members};
use super::super::raw::{Author, NodeRef, RawNode, Seed};
use super::super::{ImportOptions, Imported};
use super::{ConversationHead, chosen, imported, wanted};
use crate::sessions::json;
use crate::sessions::ours::Lines;
use crate::sessions::tally::Tally;
use contexture_core::{Message, Note, Role, Topic, TreeMode};

/// One note, as the plugin exports it.
pub(in super::super) fn note(bytes: &[u8], found: Vec<Member>, options: &ImportOptions) -> Result<Imported> {
    wanted(&[], "", options)?;
    let mut tally = Tally::default();
    let seed = seed(bytes, found, String::new(), &mut tally);
    finish(vec![seed], options, tally)
}

/// The plugin's data: a tree for each note of `state`.
pub(in super::super) fn plugin(bytes: &[u8], found: Vec<Member>, options: &ImportOptions) -> Result<Imported> {
    let state = found.into_iter().find(|(key, _)| key == "state").map_or(0..0, |(_, range)| range);
    let notes: Vec<Member> = members(bytes, state.start).collect();
    let heads: Vec<_> =
        notes.iter().map(|(path, _)| ConversationHead { ids: vec![path.clone()], title: title(path) }).collect();
    let mut tally = Tally::default();
    let mut seeds = Vec::new();
    for place in chosen(&heads, options)? {
        if let Some((path, range)) = notes.get(place) {
            seeds.push(seed(bytes, members(bytes, range.start), title(path), &mut tally));
        }
    }
    tally.skip_many("other note", notes.len() - seeds.len());
    finish(seeds, options, tally)
}

fn finish(seeds: Vec<Seed>, options: &ImportOptions, mut tally: Tally) -> Result<Imported> {
    tally.note(Note::new(Topic::Reduced, "loomsidian does not say who wrote a text: all are taken for a person's"));
    imported("loomsidian", seeds, options, tally)
}

fn seed(bytes: &[u8], found: impl IntoIterator<Item = Member>, title: String, tally: &mut Tally) -> Seed {
    let mut raws = Vec::new();
    let mut active = NodeRef::None;
    let mut lines = Lines::new(bytes);
    for (key, range) in found {
        match &*key {
            "current" => active = bytes.get(range).and_then(json::value).as_ref().map_or(NodeRef::None, place),
            "nodes" => {
                for (id, range) in members(bytes, range.start) {
                    let line = lines.at(range.start);
                    match bytes.get(range).and_then(json::object) {
                        Some(node) => raws.push(RawNode { line, ..raw(id, node) }),
                        None => tally.lose("a node cannot be read", line),
                    }
                }
            }
            _ => {}
        }
    }
    Seed { title, mode: TreeMode::Buffer, raws, active, ..Seed::default() }
}

fn raw(id: String, mut node: json::Object) -> RawNode {
    let text = unescaped(&json::take(&mut node, "text").unwrap_or_default());
    let parent = node.get("parentId").map_or(NodeRef::None, place);
    let mut raw = RawNode::new(id, parent, Message::new(Role::User, text), Author::human());
    raw.bookmark = json::flag(&node, "bookmarked").then(String::new);
    raw
}

fn place(value: &serde_json::Value) -> NodeRef {
    value.as_str().map_or(NodeRef::None, |id| NodeRef::Id(id.into()))
}

/// The plugin writes `\<` and `\[` for what a note would take for markup.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        rest = after.get(1..).unwrap_or_default();
        if !rest.starts_with(['<', '[']) {
            out.push('\\');
        }
    }
    out + rest
}

/// The name of a note without its folders and ending.
fn title(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".md").unwrap_or(name).to_string()
}
