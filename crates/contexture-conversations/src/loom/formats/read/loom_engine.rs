//! The folder of loom-engine: `roots.json`, and a file for each node below the folder of its root.
//!
//! Ids are names, never paths: what leads out of the folder, by a name or by a link, is not followed.

use super::super::super::store::Result;
use super::super::super::{Fault, LoomError};
use super::super::raw::{Author, NodeRef, RawNode, Seed};
use super::super::words::millis;
use super::super::{ImportOptions, Imported};
use super::{ConversationHead, chosen, imported, refused};
use crate::sessions::blocks::{self, Pictures};
use crate::sessions::json::{self, Object};
use crate::sessions::ours::MAX_BYTES;
use crate::sessions::tally::Tally;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use contexture_core::{Call, Message, Note, Role, Topic};
use serde_json::Value;
use std::io::{self, Read};
use std::path::Path;

pub(in super::super) fn folder(path: &Path, options: &ImportOptions) -> Result<Imported> {
    let fail = |cause| LoomError::from(Fault::Io { what: "read the tree", cause });
    let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(fail)?;
    let bytes = match regular(&dir, "roots.json", MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Fault::Format.into()),
        Err(error) => return Err(fail(error).at(&path.join("roots.json"))),
    };
    let Some(Value::Array(roots)) = json::value(&bytes) else {
        return Err(LoomError::from(Fault::Broken("no list of roots".into())).at(&path.join("roots.json")));
    };
    let mut tally = Tally::default();
    let mut left = MAX_BYTES.saturating_sub(bytes.len() as u64);
    let roots: Vec<Object> = roots.into_iter().filter_map(|root| usable(root, &mut tally)).collect();
    let id = |root: &Object| json::text(root, "id").unwrap_or_default().to_string();
    let heads: Vec<_> =
        roots.iter().map(|root| ConversationHead { ids: vec![id(root)], title: String::new() }).collect();
    let mut seeds = Vec::new();
    for place in chosen(&heads, options)? {
        if let Some(root) = roots.get(place) {
            seeds.push(seed(&dir, root, options, &mut left, &mut tally)?);
        }
    }
    tally.skip_many("other root", roots.len() - seeds.len());
    imported("loom-engine", seeds, options, tally)
}

/// A root with a name that can be one of a folder.
fn usable(root: Value, tally: &mut Tally) -> Option<Object> {
    let Value::Object(root) = root else { return tally.leave("root that is no object") };
    if json::flag(&root, "deleted") {
        return tally.leave("deleted root");
    }
    let id = json::text(&root, "id").unwrap_or_default();
    if id.is_empty() || id == "." || id == ".." || id.contains(['/', '\\', ':', '\0']) {
        tally.note(Note::new(Topic::Unread, "a root has an id that is no name of a folder: left out"));
        return tally.leave("root whose id is no name");
    }
    Some(root)
}

fn seed(dir: &Dir, root: &Object, options: &ImportOptions, left: &mut u64, tally: &mut Tally) -> Result<Seed> {
    let id = json::text(root, "id").unwrap_or_default();
    let mut raws = Vec::new();
    // Absent as long as nothing was said below the root; a link out of the folder does not open either.
    let nodes = dir.open_dir(id).and_then(|dir| dir.open_dir("nodes"));
    let mut names = Vec::new();
    match &nodes {
        Ok(nodes) => {
            for entry in nodes.entries().into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                names.extend(name.strip_suffix(".json").map(|stem| (number(stem), name.clone())));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            tally.note(Note::new(Topic::Unread, format!("the nodes of a root cannot be read: {error}")).at(id));
        }
    }
    names.sort();
    let mut unread = Vec::new();
    for (_, name) in names {
        let Ok(nodes) = &nodes else { break };
        match regular(nodes, &name, *left).map(|bytes| (bytes.len(), json::object(&bytes))) {
            Ok((size, Some(node))) => {
                *left = left.saturating_sub(size as u64);
                raws.push(
                    raw(node, id, &name, tally).map_err(|error| error.at(&Path::new(id).join("nodes").join(&name)))?,
                );
            }
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Err(Fault::TooLarge(MAX_BYTES).into()),
            Ok(_) | Err(_) => unread.push(name),
        }
    }
    tally.skip_many("file of a node that cannot be read", unread.len());
    if let Some(first) = unread.first() {
        let text = format!("files of nodes cannot be read: {}: left out", unread.len());
        tally.note(Note::new(Topic::Unread, text).at(format!("{id}/nodes/{first}")));
    }
    let config = root.get("config").and_then(Value::as_object);
    let prompt = config.and_then(|config| json::text(config, "systemPrompt")).filter(|prompt| !prompt.is_empty());
    Ok(Seed {
        title: if options.name.is_empty() { id.into() } else { format!("{} {id}", options.name) },
        system_context: prompt.map(Into::into),
        created: json::text(root, "createdAt").and_then(millis),
        raws,
        ..Seed::default()
    })
}

fn raw(mut node: Object, root: &str, name: &str, tally: &mut Tally) -> Result<RawNode> {
    let id = json::take(&mut node, "id").unwrap_or_else(|| name.strip_suffix(".json").unwrap_or(name).into());
    // The root says nothing itself.
    let parent = json::take(&mut node, "parent_id").filter(|parent| parent != root).map_or(NodeRef::None, NodeRef::Id);
    let mut message = json::take_object(&mut node, "message").unwrap_or_default();
    let about = json::take_object(&mut node, "metadata").unwrap_or_default();
    let uses = used(&mut message);
    let said = blocks::chat(message, 1, Pictures::Keep, tally).map_err(refused)?;
    let mut said = said.unwrap_or_default().into_iter();
    let mut first = said.next().unwrap_or(Message::new(Role::User, ""));
    // A node is one message, whatever rides in it.
    said.for_each(|message| first.parts.extend(message.parts));
    let mut said = first;
    said.calls.extend(uses);
    let source = about.get("source_info").and_then(Value::as_object);
    let source = |key: &str| source.and_then(|source| json::text(source, key));
    let author = match said.role {
        Role::Assistant => Author::model(source("provider"), source("model_name")),
        role => Author::of(role),
    };
    if said.role == Role::Tool {
        said.name = said.name.or_else(|| source("tool_name").map(Into::into));
    }
    let is_system = said.role == Role::System;
    if is_system {
        said.role = Role::User;
    }
    let mut raw = RawNode::new(id, parent, said, author);
    raw.excluded = is_system;
    raw.created = json::text(&about, "timestamp").and_then(millis);
    let tags = about.get("tags").and_then(Value::as_array).into_iter().flatten();
    raw.bookmark = tags.filter_map(Value::as_str).any(|tag| tag == "bookmark").then(|| {
        let custom = about.get("custom_data").and_then(Value::as_object);
        custom.and_then(|custom| json::text(custom, "bookmark")).unwrap_or_default().into()
    });
    Ok(raw)
}

/// Takes the calls out of the content: they have a shape of their own there.
fn used(message: &mut Object) -> Vec<Call> {
    let Some(blocks) = message.get_mut("content").and_then(Value::as_array_mut) else { return Vec::new() };
    let mut calls = Vec::new();
    blocks.retain_mut(|block| {
        let Some(block) = block.as_object_mut().filter(|block| json::text(block, "type") == Some("tool-use")) else {
            return true;
        };
        let id = json::take(block, "id").unwrap_or_default();
        let name = json::take(block, "name").unwrap_or_default();
        let arguments = blocks::arguments(block.get_mut("parameters").map(Value::take)).into();
        calls.push(Call { id, name, arguments });
        false
    });
    calls
}

/// What sorts files as they were made: `node-10` behind `node-9`.
fn number(stem: &str) -> u64 {
    stem.rsplit('-').next().and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX)
}

fn regular(dir: &Dir, name: &str, limit: u64) -> io::Result<Vec<u8>> {
    // Before it is opened: a pipe would wait for a writer.
    if !dir.metadata(name)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    dir.open(name)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}
