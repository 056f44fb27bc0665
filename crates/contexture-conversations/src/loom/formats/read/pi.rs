//! Sessions of pi and OpenClaw with all their branches.
//!
//! Entries that say nothing hold the chain together and become no nodes. A summary of a branch that was left is a model's
//! text on the way; one of a compaction repeats what stands before it, so it is kept and excluded. The last entry is active.

use super::super::super::Fault;
use super::super::super::store::Result;
use super::super::raw::{Author, NodeRef, RawNode, Seed};
use super::super::words::millis;
use super::super::{ImportOptions, Imported};
use super::{imported, refused, wanted};
use crate::sessions::blocks::Pictures;
use crate::sessions::import::lines::{Lines, Records};
use crate::sessions::import::pi::{PiEntry, entry};
use crate::sessions::json::{self, Object};
use crate::sessions::tally::Tally;
use contexture_core::{AuthorType, Message, Note, Role, Topic};
use std::collections::{BTreeMap, BTreeSet};

pub(in super::super) fn lines(bytes: &[u8], options: &ImportOptions) -> Result<Imported> {
    let lines = Lines::new(Box::new(bytes)).map_err(|cause| Fault::Io { what: "read the tree", cause })?;
    let mut records = Records::new(lines);
    let mut read = PiReader::default();
    while let Some((line, object)) = records.next().map_err(refused)? {
        read.take(line, object, &mut records.tally)?;
    }
    wanted(&[&read.id], &read.title, options)?;
    let tally = &mut records.tally;
    read.find_parents(tally);
    read.label(tally);
    let active = read.raws.len().checked_sub(1).map_or(NodeRef::None, NodeRef::At);
    let seed = Seed { title: read.title, created: read.created, raws: read.raws, active, ..Seed::default() };
    imported("pi", vec![seed], options, records.tally)
}

#[derive(Default)]
struct PiReader {
    id: String,
    title: String,
    created: Option<i64>,
    raws: Vec<RawNode>,
    /// Where what an entry says ends, by its id. It may be several messages.
    ends: BTreeMap<String, usize>,
    /// Of the entry, and what it is called now.
    labels: BTreeMap<String, Option<String>>,
}

impl PiReader {
    fn take(&mut self, line: usize, mut object: Object, tally: &mut Tally) -> Result<()> {
        let kind = json::take(&mut object, "type").unwrap_or_default();
        let at = json::text(&object, "timestamp").and_then(millis);
        if kind == "session" {
            self.id = json::take(&mut object, "id").unwrap_or_default();
            self.created = at;
            return Ok(());
        }
        let (id, parent) = match json::take(&mut object, "id") {
            Some(id) => (id, json::take(&mut object, "parentId").map_or(NodeRef::None, NodeRef::Id)),
            // The first version has no ids: each entry follows the one before.
            None => (String::new(), self.raws.len().checked_sub(1).map_or(NodeRef::None, NodeRef::At)),
        };
        let mut raws = self.entry(&kind, object, line, tally)?;
        if raws.is_empty() {
            let mut silent = RawNode::new(String::new(), NodeRef::None, Message::new(Role::User, ""), Author::human());
            silent.silent = true;
            raws.push(silent);
        }
        let (mut parent, mut name) = (parent, id.clone());
        for mut raw in raws {
            (raw.id, raw.line, raw.created) = (std::mem::take(&mut name), line, at);
            raw.parent = std::mem::replace(&mut parent, NodeRef::At(self.raws.len()));
            self.raws.push(raw);
        }
        if !id.is_empty() {
            self.ends.entry(id).or_insert(self.raws.len() - 1);
        }
        Ok(())
    }

    /// What an entry says, without its place.
    fn entry(&mut self, kind: &str, mut object: Object, line: usize, tally: &mut Tally) -> Result<Vec<RawNode>> {
        match kind {
            "session_info" => {
                self.title = json::take(&mut object, "name").filter(|name| !name.is_empty()).unwrap_or_default();
                return Ok(Vec::new());
            }
            "label" => {
                if let Some(target) = json::take(&mut object, "targetId") {
                    self.labels.insert(target, json::take(&mut object, "label").filter(|label| !label.is_empty()));
                }
                return Ok(Vec::new());
            }
            "compaction" | "branch_summary" => {
                let text = json::take(&mut object, "summary").unwrap_or_default();
                let author = Author::named("pi", AuthorType::Model);
                let mut raw = RawNode::new(String::new(), NodeRef::None, Message::new(Role::Assistant, text), author);
                raw.excluded = kind == "compaction";
                return Ok(vec![raw]);
            }
            _ => {}
        }
        let message = object.get_mut("message").and_then(serde_json::Value::as_object_mut);
        // Kept from the model there: excluded here.
        let excluded =
            message.and_then(|message| message.insert("excludeFromContext".into(), false.into())) == Some(true.into());
        let said = object.get("message").and_then(serde_json::Value::as_object);
        let about = |key: &str| said.and_then(|message| json::text(message, key));
        let model = Author::model(about("provider"), about("model"));
        let PiEntry::Said(messages) = entry(kind, object, line, Pictures::Keep, tally).map_err(refused)? else {
            return Ok(Vec::new());
        };
        let raw = |mut message: Message| {
            let author = if message.role == Role::Assistant { model.clone() } else { Author::of(message.role) };
            let is_system = message.role == Role::System;
            if is_system {
                message.role = Role::User;
            }
            let mut raw = RawNode::new(String::new(), NodeRef::None, message, author);
            raw.excluded = excluded || is_system;
            raw
        };
        Ok(messages.into_iter().map(raw).collect())
    }

    /// Ids become places. Where a parent is missing, the entry before in the file is taken for it, so that one lost line
    /// does not tear a branch off.
    fn find_parents(&mut self, tally: &mut Tally) {
        let mut missing = 0;
        for place in 0..self.raws.len() {
            let Some(raw) = self.raws.get_mut(place) else { continue };
            let NodeRef::Id(id) = &raw.parent else { continue };
            raw.parent = match self.ends.get(id) {
                Some(&end) => NodeRef::At(end),
                None => {
                    missing += 1;
                    place.checked_sub(1).map_or(NodeRef::None, NodeRef::At)
                }
            };
        }
        if missing > 0 {
            let text = format!("parents are missing: {missing}: the entry before each in the file is taken for it");
            tally.note(Note::new(Topic::Unread, text));
        }
    }

    fn label(&mut self, tally: &mut Tally) {
        let labels = std::mem::take(&mut self.labels);
        let mut used = BTreeSet::new();
        for raw in self.raws.iter_mut().filter(|raw| !raw.silent) {
            if let Some((id, Some(label))) = labels.get_key_value(&raw.id)
                && used.insert(id)
            {
                raw.bookmark = Some(label.clone());
            }
        }
        tally.skip_many("label of no message", labels.values().flatten().count() - used.len());
    }
}
