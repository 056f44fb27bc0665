//! Files of pyloom: nodes within nodes, to any depth.
//!
//! The tags `archived`, `note` and `bookmark` become pruned, excluded and bookmarked; titles of chapters become labels of
//! bookmarks. Templates in such files are program text: they are never looked at.

use super::super::super::store::Result;
use super::super::super::{Fault, LoomError};
use super::super::members::{Member, elements, members, past_comma};
use super::super::raw::{Author, NodeRef, RawNode, Seed};
use super::super::words::wall_millis;
use super::super::{ImportOptions, Imported};
use super::{imported, wanted};
use crate::sessions::json;
use crate::sessions::ours::Lines;
use crate::sessions::tally::Tally;
use crate::sessions::value::{blank, member, whole};
use contexture_core::{AuthorType, LoomNode, Message, Note, Topic, TreeMode};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;

/// The usual file: a `root`, and what belongs to the tree as a whole.
pub(in super::super) fn document(bytes: &[u8], found: Vec<Member>, options: &ImportOptions) -> Result<Imported> {
    let mut walk = Walk::new(bytes);
    let mut active = NodeRef::None;
    let mut chapters = BTreeMap::new();
    for (key, range) in found {
        match &*key {
            "root" => walk.node(range.start, NodeRef::None)?,
            "chapters" => chapters = titles(bytes, &range),
            "selected_node_id" => active = walk.word(&range).map_or(NodeRef::None, NodeRef::Id),
            _ => {}
        }
    }
    walk.finish(active, &chapters, options)
}

/// A node alone.
pub(in super::super) fn node(bytes: &[u8], start: usize, options: &ImportOptions) -> Result<Imported> {
    let mut walk = Walk::new(bytes);
    walk.node(start, NodeRef::None)?;
    walk.finish(NodeRef::None, &BTreeMap::new(), options)
}

/// A list of nodes, which may name their parents.
pub(in super::super) fn list(bytes: &[u8], start: usize, options: &ImportOptions) -> Result<Imported> {
    let mut walk = Walk::new(bytes);
    for element in elements(bytes, start) {
        match bytes.get(element.start) {
            Some(b'{') => {
                let named = members(bytes, element.start).find(|(key, _)| key == "parent_id" || key == "parentId");
                let parent = named.and_then(|(_, range)| walk.word(&range)).map_or(NodeRef::None, NodeRef::Id);
                walk.node(element.start, parent)?;
            }
            _ => walk.tally.skip("node that is no object"),
        }
    }
    walk.finish(NodeRef::None, &BTreeMap::new(), options)
}

struct Walk<'a> {
    bytes: &'a [u8],
    raws: Vec<RawNode>,
    /// The chapter of each node that begins one.
    chapters: Vec<(usize, String)>,
    unsigned: usize,
    lines: Lines<'a>,
    tally: Tally,
}

impl<'a> Walk<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            raws: Vec::new(),
            chapters: Vec::new(),
            unsigned: 0,
            lines: Lines::new(bytes),
            tally: Tally::default(),
        }
    }

    /// The node that begins here and all below it, by a stack of those that are open.
    fn node(&mut self, start: usize, parent: NodeRef) -> Result<()> {
        let bytes = self.bytes;
        let broken = |at: usize| {
            LoomError::from(Fault::Broken("this is no JSON".into())).on_line(Lines::new(bytes).at(at.min(bytes.len())))
        };
        let mut open = vec![self.begin(start, parent)];
        let mut at = start + 1;
        let mut among_children = false;
        while let Some(&place) = open.last() {
            at = past_comma(bytes, at);
            match bytes.get(at).ok_or_else(|| broken(at))? {
                b']' if among_children => (among_children, at) = (false, at + 1),
                b'{' if among_children => {
                    open.push(self.begin(at, NodeRef::At(place)));
                    (among_children, at) = (false, at + 1);
                }
                _ if among_children => {
                    self.tally.skip("node that is no object");
                    at = whole(bytes, at).map_err(broken)?;
                }
                b'}' => {
                    self.end(place);
                    open.pop();
                    (among_children, at) = (true, at + 1);
                }
                _ => {
                    let (key, _, value) = member(bytes, at).ok_or_else(|| broken(at))?;
                    if key == "children" && bytes.get(value) == Some(&b'[') {
                        (among_children, at) = (true, value + 1);
                    } else {
                        at = whole(bytes, value).map_err(broken)?;
                        self.fill(place, &key, value..at);
                    }
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, at: usize, parent: NodeRef) -> usize {
        // The author is known at the end only; until then it has no name.
        let nobody = Author::named("", AuthorType::Human);
        let mut raw = RawNode::new(String::new(), parent, Message::new(LoomNode::role(AuthorType::Human), ""), nobody);
        raw.line = self.lines.at(at);
        self.raws.push(raw);
        self.raws.len() - 1
    }

    fn fill(&mut self, place: usize, key: &str, range: Range<usize>) {
        let text = self.word(&range);
        let value = || self.bytes.get(range.clone()).and_then(json::value);
        let Some(raw) = self.raws.get_mut(place) else { return };
        match key {
            "id" => raw.id = text.unwrap_or_default(),
            "text" => raw.message = Message::new(raw.message.role, text.unwrap_or_default()),
            "chapter_id" => self.chapters.extend(text.map(|id| (place, id))),
            "tags" => {
                for tag in value().as_ref().and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
                    match tag {
                        "archived" => raw.pruned = true,
                        "note" => raw.excluded = true,
                        "bookmark" => drop(raw.bookmark.get_or_insert_default()),
                        _ => self.tally.skip_typed("tag", tag),
                    }
                }
            }
            "meta" => {
                let Some(Value::Object(meta)) = value() else { return };
                raw.created = json::text(&meta, "creation_timestamp").and_then(wall_millis);
                match json::text(&meta, "source") {
                    Some("prompt") => raw.author = Author::human(),
                    // An edited text of a model is still mostly the model's.
                    Some("AI" | "mixed") => raw.author = Author::model(None, None),
                    _ => {}
                }
            }
            "multimedia" => {
                let count = value().as_ref().and_then(Value::as_array).map_or(0, Vec::len);
                self.tally.skip_many("multimedia", count);
            }
            _ => {}
        }
    }

    fn end(&mut self, place: usize) {
        let Some(raw) = self.raws.get_mut(place) else { return };
        if raw.author.name.is_empty() {
            // An empty node says nothing that anybody could have written.
            self.unsigned += usize::from(!raw.message.parts.is_empty());
            raw.author = Author::human();
        }
        raw.message.role = LoomNode::role(raw.author.kind);
    }

    /// A string, or a number as one.
    fn word(&self, range: &Range<usize>) -> Option<String> {
        match self.bytes.get(range.clone()).and_then(json::value)? {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    fn finish(
        mut self,
        active: NodeRef,
        titles: &BTreeMap<String, String>,
        options: &ImportOptions,
    ) -> Result<Imported> {
        wanted(&[], "", options)?;
        for (place, chapter) in &self.chapters {
            if let (Some(raw), Some(title)) = (self.raws.get_mut(*place), titles.get(chapter)) {
                raw.bookmark = Some(title.clone());
            }
        }
        if self.unsigned > 0 {
            let text = format!("nodes that do not say who wrote them: {}: taken for a person's", self.unsigned);
            self.tally.note(Note::new(Topic::Reduced, text));
        }
        let seed = Seed { mode: TreeMode::Buffer, raws: self.raws, active, ..Seed::default() };
        imported("pyloom", vec![seed], options, self.tally)
    }
}

/// The titles of chapters by their ids.
fn titles(bytes: &[u8], range: &Range<usize>) -> BTreeMap<String, String> {
    let title = |(id, range): (String, Range<usize>)| {
        let mut chapter = json::object(bytes.get(range)?)?;
        Some((id, json::take(&mut chapter, "title")?))
    };
    members(bytes, blank(bytes, range.start)).filter_map(title).collect()
}
