//! Trees of conversations.

use super::super::answer::Wrong;
use super::super::calls::Call;
use super::models::format;
use crate::ops::OpError;
use crate::ops::loom::{self as ops, AssembleRequest, GenerateRequest, Missing, Trees, WhichTree, Writing};
use crate::wire::loom as wire;
use contexture_core::{Api, AuthorType, Preferences, TreeMode, Truncation};
use contexture_gather::loom::formats::TreeFormat;
use contexture_gather::loom::{Found, TreeChange};
use serde_json::{Value, json};
use std::time::Duration;

fn open<'a>(call: &'a Call<'_>, missing: Missing) -> Result<Trees<'a>, OpError> {
    ops::trees(&call.door, &WhichTree { store: None, tree: call.owned("tree") }, missing)
}

fn trees<'a>(call: &'a Call<'_>) -> Result<Trees<'a>, OpError> {
    open(call, Missing::Refuse)
}

pub fn list(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::trees(&open(call, Missing::Make)?.list()?))
}

pub fn make(call: &Call<'_>) -> Result<Value, Wrong> {
    let mode = call.text("mode").and_then(TreeMode::parse).unwrap_or_default();
    let new = ops::new_tree(call.needed("title"), mode, call.text("system"), false, Preferences::default());
    Ok(json!({"v": 1, "tree": wire::tree(&open(call, Missing::Make)?.make(new)?)}))
}

pub fn in_use(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(json!({"v": 1, "tree": wire::tree(&trees(call)?.set(TreeChange::default(), true)?)}))
}

pub fn outline(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::drawing(&trees(call)?.drawing(call.flag("all"), call.text("tokenizer"))?))
}

pub fn show(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::shown(&trees(call)?.show(call.needed("node"))?))
}

fn writing(call: &Call<'_>) -> Writing {
    Writing {
        text: call.needed("text").to_owned(),
        kind: call.text("author_type").map(|word| if word == "model" { AuthorType::Model } else { AuthorType::Human }),
        author: call.owned("author"),
        parents: call.texts("parents"),
        contexts: call.texts("contexts"),
        instructions: call.texts("instructions"),
        stay: call.flag("stay"),
        ..Writing::default()
    }
}

fn said(call: &Call<'_>) -> Result<Writing, OpError> {
    match call.needed("text").is_empty() {
        true => Err(OpError::usage("the text is empty")),
        false => Ok(writing(call)),
    }
}

pub fn add(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::found(&trees(call)?.add(&said(call)?)?))
}

pub fn edit(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::found(&trees(call)?.edit(call.needed("node"), &said(call)?)?))
}

pub fn annotate(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::found(&trees(call)?.annotate(call.needed("node"), &said(call)?)?))
}

pub fn fork(call: &Call<'_>) -> Result<Value, Wrong> {
    let (found, path) = trees(call)?.fork(call.needed("node"), call.text("name"))?;
    Ok(with_path(&found, wire::path(&path)))
}

pub fn go(call: &Call<'_>) -> Result<Value, Wrong> {
    let (found, path) = trees(call)?.go(call.needed("node"), call.text("path"))?;
    Ok(with_path(&found, wire::path(&path)))
}

fn with_path(found: &Found, path: Value) -> Value {
    let mut value = wire::found(found);
    value["path"] = path;
    value
}

pub fn choose(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::found(&trees(call)?.choose(call.needed("node"), call.text("path"))?))
}

pub fn exclude(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::found(&trees(call)?.exclude(call.needed("node"), !call.flag("undo"))?))
}

pub fn pin(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::found(&trees(call)?.pin(call.needed("node"), !call.flag("undo"))?))
}

pub fn bookmark(call: &Call<'_>) -> Result<Value, Wrong> {
    let label = (!call.flag("undo")).then(|| call.owned("label").unwrap_or_default());
    Ok(wire::found(&trees(call)?.bookmark(call.needed("node"), label)?))
}

pub fn prune(call: &Call<'_>) -> Result<Value, Wrong> {
    let (found, many) = trees(call)?.prune(call.needed("node"))?;
    Ok(with_count(&found, many))
}

pub fn restore(call: &Call<'_>) -> Result<Value, Wrong> {
    let (found, many) = trees(call)?.restore(call.needed("node"))?;
    Ok(with_count(&found, many))
}

fn with_count(found: &Found, many: usize) -> Value {
    let mut value = wire::found(found);
    value["count"] = json!(many);
    value
}

fn asked(call: &Call<'_>) -> Result<AssembleRequest, OpError> {
    Ok(AssembleRequest {
        node: call.owned("node"),
        path: call.owned("path"),
        agent: call.owned("agent"),
        annotations: call.flag("annotations"),
        working: call.owned("working"),
        max_tokens: call.number("max_tokens"),
        model: call.owned("model"),
        truncation: call.text("strategy").and_then(Truncation::parse),
        format: call.text("format").map(format).transpose()?,
        max_answer: call.number("max_answer"),
        ..AssembleRequest::default()
    })
}

pub fn assemble(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::assembled(&trees(call)?.assemble(&asked(call)?)?, None))
}

pub fn generate(call: &Call<'_>) -> Result<Value, Wrong> {
    let n = call.number("n").map_or(1, |n| u32::try_from(n).unwrap_or(u32::MAX)).clamp(1, 16);
    let request = GenerateRequest {
        assemble: AssembleRequest { max_answer: Some(call.number("max_answer").unwrap_or(1024)), ..asked(call)? },
        base_url: call.needed("base_url").to_owned(),
        key: (call.served.keys)(Api::OpenAi)?,
        n,
        temperature: call.real("temperature"),
        timeout: Duration::from_secs(600),
    };
    Ok(wire::generated(&trees(call)?.generate(&request)?))
}

pub fn export(call: &Call<'_>) -> Result<Value, Wrong> {
    let word = call.text("format").unwrap_or("contexture");
    let format = TreeFormat::parse(word)
        .ok_or_else(|| OpError::usage(format!("no format of trees is called `{}`", word.escape_debug())))?;
    let (tree, exported) = trees(call)?.export(format)?;
    let files: Vec<Value> = exported.files.iter().map(|(path, text)| json!({"path": path, "text": text})).collect();
    Ok(
        json!({"v": 1, "tree": wire::tree(&tree), "format": format.as_str(), "files": files, "notes": crate::wire::notes(&exported.notes)}),
    )
}
