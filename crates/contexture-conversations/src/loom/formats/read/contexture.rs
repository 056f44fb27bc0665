//! Our own JSON, as [`super::super::write::contexture`] prints it or as a person changed it.
//!
//! Strict: what is broken, a word that is not known, and a text that does not fit its hash are errors with their line. Whether
//! the records fit each other is for the store to say.

use super::super::super::store::Result;
use super::super::super::{Fault, LoomError};
use super::super::Imported;
use super::super::members::{Member, elements};
use super::fields::{Fields, choice, unknown};
use crate::sessions::ours::Lines;
use contexture_core::render::printable;
use contexture_core::{
    Action, AuthorType, Bundle, EdgeSource, LoomAgent, LoomEdge, LoomNode, LoomPath, LoomTree, Note, PathChoice,
    Permissions, Preferences, RawResponse, Stash, Topic,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;

/// The version of the format.
pub(in super::super) const VERSION: u64 = 1;

pub(in super::super) fn document(bytes: &[u8], start: usize, members: Vec<Member>) -> Result<Imported> {
    let mut read = DocumentReader { bytes, unknown: BTreeMap::new(), lines: BTreeMap::new() };
    let mut found: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for (key, range) in members {
        if found.contains_key(&key) {
            return Err(broken(format!("`{}` is there twice", printable(&key)), bytes, range.start));
        }
        found.insert(key, range);
    }
    let version = found.remove("contexture_loom").and_then(|range| json(bytes, &range).ok()?.as_u64());
    if version != Some(VERSION) {
        let word = version.map_or_else(|| "none".into(), |version| version.to_string());
        return Err(Fault::Word { what: "version of the format", word, known: &["1"] }.into());
    }
    let Some(tree) = found.remove("tree") else {
        return Err(broken("there is no `tree`".into(), bytes, start));
    };
    let path = match found.remove("path").map(|range| json(bytes, &range).map(|value| (value, range))).transpose()? {
        None | Some((Value::Null, _)) => None,
        Some((Value::String(name), _)) => Some(name),
        Some((_, range)) => return Err(broken("`path` is no text".into(), bytes, range.start)),
    };
    let (tree, line) = read.record(&tree, Lines::new(bytes).at(tree.start), tree_of)?;
    read.lines.insert(tree.id.clone(), line);
    let mut bundle = Bundle {
        tree,
        agents: read.list(&mut found, "agents", |fields| agent(fields).map(|agent| (Some(agent.id.clone()), agent)))?,
        nodes: read.list(&mut found, "nodes", |fields| node(fields).map(|node| (Some(node.id.clone()), node)))?,
        edges: read.list(&mut found, "edges", |fields| edge(fields).map(|edge| (Some(edge.id.clone()), edge)))?,
        paths: read.list(&mut found, "paths", |fields| way(fields).map(|path| (Some(path.id.clone()), path)))?,
        path,
        stashes: read.list(&mut found, "stashes", |fields| stash(fields).map(|stash| (None, stash)))?,
        actions: read.list(&mut found, "actions", |fields| action(fields).map(|action| (None, action)))?,
        ..Bundle::default()
    };
    // By the nodes they name; where such a node is missing, its id is found here.
    let nodes = std::mem::take(&mut read.lines);
    bundle.pins = read.pins(found.remove("pins"))?;
    bundle.responses = read.list(&mut found, "responses", |fields| {
        response(fields).map(|response| (Some(response.node.clone()), response))
    })?;
    read.lines.extend(nodes);
    for key in found.into_keys() {
        *read.unknown.entry(key).or_default() += 1;
    }
    let notes = read.unknown.iter().map(|(key, count)| {
        let text = format!("unknown key: `{}`: {count}: left out", printable(key));
        Note::new(Topic::Unread, text)
    });
    let (notes, lines) = (notes.collect(), read.lines);
    Ok(Imported { format: "contexture", bundles: vec![bundle], notes, skipped: BTreeMap::new(), lines })
}

struct DocumentReader<'a> {
    bytes: &'a [u8],
    unknown: BTreeMap<String, usize>,
    lines: BTreeMap<String, usize>,
}

impl DocumentReader<'_> {
    fn list<T>(
        &mut self,
        found: &mut BTreeMap<String, Range<usize>>,
        key: &str,
        make: impl Fn(&mut Fields) -> Result<(Option<String>, T)>,
    ) -> Result<Vec<T>> {
        let Some(range) = found.remove(key) else { return Ok(Vec::new()) };
        if self.bytes.get(range.start) != Some(&b'[') {
            return Err(broken(format!("`{key}` is no list"), self.bytes, range.start));
        }
        let mut lines = Lines::new(self.bytes);
        let mut list = Vec::new();
        for element in elements(self.bytes, range.start) {
            let line = lines.at(element.start);
            let ((id, record), line) = self.record(&element, line, &make)?;
            if let Some(id) = id {
                // Of records with one id the later one is to be mended.
                self.lines.insert(id, line);
            }
            list.push(record);
        }
        Ok(list)
    }

    fn pins(&mut self, range: Option<Range<usize>>) -> Result<Vec<String>> {
        let Some(range) = range else { return Ok(Vec::new()) };
        let wrong = || broken("`pins` is no list of ids".into(), self.bytes, range.start);
        let Value::Array(pins) = json(self.bytes, &range)? else { return Err(wrong()) };
        let pins: Option<Vec<String>> = pins.into_iter().map(|pin| pin.as_str().map(String::from)).collect();
        let pins = pins.ok_or_else(wrong)?;
        let mut lines = Lines::new(self.bytes);
        for (pin, element) in pins.iter().zip(elements(self.bytes, range.start)) {
            self.lines.insert(pin.clone(), lines.at(element.start));
        }
        Ok(pins)
    }

    fn record<T>(
        &mut self,
        range: &Range<usize>,
        line: usize,
        make: impl Fn(&mut Fields) -> Result<T>,
    ) -> Result<(T, usize)> {
        let value = json(self.bytes, range).map_err(|error| LoomError::from(error.fault).on_line(line))?;
        let mut fields = Fields::new(value).map_err(|error| error.on_line(line))?;
        let record = make(&mut fields).map_err(|error| error.on_line(line))?;
        for key in fields.rest() {
            *self.unknown.entry(key).or_default() += 1;
        }
        Ok((record, line))
    }
}

fn tree_of(fields: &mut Fields) -> Result<LoomTree> {
    let mut wishes = fields.object("preferences")?;
    let preferences = Preferences {
        truncation: match wishes.optional("truncation")? {
            Some(word) => Some(choice("truncation", &word)?),
            None => None,
        },
        minimum_recent_nodes: wishes.number("minimum_recent_nodes")?,
        token_buffer: wishes.number("token_buffer")?,
    };
    fields.take_rest_of(wishes);
    Ok(LoomTree {
        id: fields.text("id")?,
        local: fields.optional("local")?.unwrap_or_default(),
        title: fields.text("title")?,
        mode: choice("mode", &fields.text("mode")?)?,
        system_context: fields.optional("system_context")?.map(Into::into),
        buffer_mode_system_context: fields.flag("buffer_mode_system_context")?,
        preferences,
        created: fields.moment("created")?,
    })
}

fn agent(fields: &mut Fields) -> Result<LoomAgent> {
    let mut permissions = Permissions::default();
    for word in fields.list("permissions")? {
        let word = word.as_str().unwrap_or_default();
        if !permissions.grant(word) {
            return Err(unknown("permission", word, &Permissions::WORDS));
        }
    }
    Ok(LoomAgent {
        id: fields.text("id")?,
        name: fields.text("name")?,
        kind: author_type(&fields.text("kind")?)?,
        system_prompt: fields.optional("system_prompt")?.map(Into::into),
        model: fields.optional("model")?,
        permissions,
    })
}

fn node(fields: &mut Fields) -> Result<LoomNode> {
    let author_type = author_type(&fields.text("author_type")?)?;
    let id = fields.text("id")?;
    let node = LoomNode {
        local: fields.optional("local")?.unwrap_or_default(),
        message: fields.message(author_type)?.into(),
        author: fields.text("author")?.into(),
        author_type,
        edited_from: fields.optional("edited_from")?,
        created: fields.moment("created")?,
        excluded: fields.flag("excluded")?,
        pruned: fields.optional("pruned")?,
        bookmark: fields.optional("bookmark")?,
        origin: fields.optional("origin")?,
        id,
    };
    match fields.optional("hash")? {
        Some(hash) if hash != node.hash().to_string() => {
            let text = format!(
                "the hash of `{}` is not that of what it says; without `hash` it is not checked",
                printable(&node.id)
            );
            Err(Fault::Broken(text).into())
        }
        _ => Ok(node),
    }
}

fn edge(fields: &mut Fields) -> Result<LoomEdge> {
    let mut sources = Vec::new();
    for source in fields.list("sources")? {
        let mut source = Fields::new(source)?;
        let role = choice("role", &source.text("role")?)?;
        sources.push(EdgeSource { node: source.text("node")?, role });
        fields.take_rest_of(source);
    }
    Ok(LoomEdge {
        id: fields.text("id")?,
        sources,
        target: fields.text("target")?,
        kind: choice("kind of edge", &fields.text("kind")?)?,
        created: fields.moment("created")?,
    })
}

fn way(fields: &mut Fields) -> Result<LoomPath> {
    let mut choices = Vec::new();
    for chosen in fields.list("choices")? {
        let mut chosen = Fields::new(chosen)?;
        choices.push(PathChoice {
            target: chosen.text("target")?,
            edge: chosen.optional("edge")?,
            source: chosen.optional("source")?,
        });
        fields.take_rest_of(chosen);
    }
    Ok(LoomPath { id: fields.text("id")?, name: fields.text("name")?, active: fields.optional("active")?, choices })
}

fn stash(fields: &mut Fields) -> Result<Stash> {
    Ok(Stash { label: fields.text("label")?, text: fields.text("text")?.into(), recalled: fields.flag("recalled")? })
}

fn action(fields: &mut Fields) -> Result<Action> {
    Ok(Action { at: fields.moment("at")?, text: fields.text("text")? })
}

fn response(fields: &mut Fields) -> Result<RawResponse> {
    Ok(RawResponse {
        node: fields.text("node")?,
        provider: fields.text("provider")?,
        model: fields.text("model")?,
        body: fields.text("body")?.into(),
        input_tokens: fields.number("input_tokens")?,
        output_tokens: fields.number("output_tokens")?,
        latency_ms: fields.number("latency_ms")?.unwrap_or(0),
        created: fields.moment("created")?,
    })
}

fn author_type(word: &str) -> Result<AuthorType> {
    choice("author_type", word)
}

fn json(bytes: &[u8], range: &Range<usize>) -> Result<Value> {
    let slice = bytes.get(range.clone()).unwrap_or_default();
    serde_json::from_slice(slice).map_err(|_| broken("a record cannot be read".into(), bytes, range.start))
}

fn broken(what: String, bytes: &[u8], at: usize) -> LoomError {
    LoomError::from(Fault::Broken(what)).on_line(Lines::new(bytes).at(at))
}
