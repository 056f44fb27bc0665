//! Trees of conversations.

use super::super::answer::Wrong;
use super::super::calls::Call;
use super::models::format;
use crate::ops::OpError;
use crate::ops::loom::{self as ops, AssembleRequest, GenerateRequest, Given, Missing, Trees, WhichTree, Writing};
use crate::wire::loom as wire;
use contexture_core::safety::Secrets;
use contexture_core::{Api, AuthorType, Preferences, TreeMode, Truncation};
use contexture_gather::loom::formats::TreeFormat;
use contexture_gather::loom::{Found, TreeChange};
use serde_json::Value;
use std::time::Duration;

pub fn open<'a>(call: &'a Call<'_>, missing: Missing) -> Result<Trees<'a>, OpError> {
    ops::trees(&call.door, &WhichTree { store: None, tree: call.owned("tree") }, missing)
}

pub fn trees<'a>(call: &'a Call<'_>) -> Result<Trees<'a>, OpError> {
    open(call, Missing::Refuse)
}

pub fn list(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::trees(&open(call, Missing::Make)?.list()?))
}

pub fn make(call: &Call<'_>) -> Result<Value, Wrong> {
    let mode = call.text("mode").and_then(TreeMode::parse).unwrap_or_default();
    let own = preferences(call);
    let new = ops::new_tree(call.needed("title"), mode, call.text("system"), call.flag("buffer_system"), own);
    Ok(wire::one_tree(&open(call, Missing::Make)?.make(new)?))
}

pub fn preferences(call: &Call<'_>) -> Preferences {
    Preferences {
        truncation: call.text("strategy").and_then(Truncation::parse),
        minimum_recent_nodes: call.number("minimum_recent_nodes"),
        token_buffer: call.number("token_buffer"),
    }
}

pub fn in_use(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::one_tree(&trees(call)?.set(TreeChange::default(), true)?))
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
    Ok(wire::on_path(&found, &path))
}

pub fn go(call: &Call<'_>) -> Result<Value, Wrong> {
    let (found, path) = trees(call)?.go(call.needed("node"), call.text("path"))?;
    Ok(wire::on_path(&found, &path))
}

pub fn choose(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::found(&trees(call)?.choose(call.needed("node"), call.text("path"))?))
}

pub fn exclude(call: &Call<'_>) -> Result<Value, Wrong> {
    done(trees(call)?.exclude(call.needed("node"), !call.flag("undo"))?)
}

pub fn pin(call: &Call<'_>) -> Result<Value, Wrong> {
    done(trees(call)?.pin(call.needed("node"), !call.flag("undo"))?)
}

pub fn bookmark(call: &Call<'_>) -> Result<Value, Wrong> {
    let label = (!call.flag("undo")).then(|| call.owned("label").unwrap_or_default());
    done(trees(call)?.bookmark(call.needed("node"), label)?)
}

pub fn prune(call: &Call<'_>) -> Result<Value, Wrong> {
    let (found, many) = trees(call)?.prune(call.needed("node"))?;
    Ok(wire::acted(&[(found, Some(many))]))
}

pub fn restore(call: &Call<'_>) -> Result<Value, Wrong> {
    let (found, many) = trees(call)?.restore(call.needed("node"))?;
    Ok(wire::acted(&[(found, Some(many))]))
}

fn done(found: Found) -> Result<Value, Wrong> {
    Ok(wire::acted(&[(found, None)]))
}

fn asked(call: &Call<'_>) -> Result<AssembleRequest, OpError> {
    let own = preferences(call);
    Ok(AssembleRequest {
        node: call.owned("node"),
        path: call.owned("path"),
        agent: call.owned("agent"),
        annotations: call.flag("annotations"),
        working: call.owned("working"),
        max_tokens: call.number("max_tokens"),
        model: call.owned("model"),
        choose: call.texts("choose"),
        is_aware: call.flag("loom_aware"),
        tokenizer: call.owned("tokenizer"),
        secrets: call.text("secrets").and_then(Secrets::parse),
        truncation: own.truncation,
        minimum_recent_nodes: own.minimum_recent_nodes,
        token_buffer: own.token_buffer,
        format: call.text("format").map(format).transpose()?,
        max_answer: call.number("max_answer"),
    })
}

pub fn assemble(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::assembled(&trees(call)?.assemble(&asked(call)?)?, None))
}

pub fn generate(call: &Call<'_>) -> Result<Value, Wrong> {
    let n = call.number("n").map_or(1, |n| u32::try_from(n).unwrap_or(u32::MAX)).clamp(1, 100);
    let request = GenerateRequest {
        assemble: AssembleRequest { max_answer: Some(call.number("max_answer").unwrap_or(1024)), ..asked(call)? },
        base_url: call.needed("base_url").to_owned(),
        key: (call.served.keys)(Api::OpenAi)?,
        n,
        temperature: call.real("temperature"),
        timeout: call.seconds("timeout").unwrap_or(Duration::from_secs(600)),
    };
    Ok(wire::generated(&trees(call)?.generate(&request)?))
}

pub fn export(call: &Call<'_>) -> Result<Value, Wrong> {
    let word = call.text("format").unwrap_or("contexture");
    let format = tree_format(word)?;
    let (tree, exported) = trees(call)?.export(format)?;
    Ok(wire::exported(&tree, format, &exported, None))
}

/// What is imported comes with the call: a server reads no file because a page names it.
pub fn import(call: &Call<'_>) -> Result<Value, Wrong> {
    let given = Given {
        name: call.needed("name"),
        bytes: call.needed("text").as_bytes(),
        format: call.text("format").map(tree_format).transpose()?,
    };
    let imported = open(call, Missing::Make)?.import_given(&given, call.flag("copy"), call.text("conversation"))?;
    Ok(wire::imported(&imported))
}

fn tree_format(word: &str) -> Result<TreeFormat, OpError> {
    let known = || TreeFormat::ALL.iter().map(|format| format.as_str()).collect::<Vec<_>>().join(", ");
    TreeFormat::parse(word).ok_or_else(|| {
        OpError::usage(format!("no format of trees is called `{}`", word.escape_debug()))
            .hint(format!("known are {}", known()))
    })
}
