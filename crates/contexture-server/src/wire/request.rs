//! A request as JSON, and back.
//!
//! Every field is written, so a new field of [`Request`] does not compile until it has its place here. Fields that are missing
//! have their default: older versions did not know them. Fields that nobody knows are refused: they might decide bytes.

use super::fields::Fields;
use crate::ops::Request;
use contexture_core::safety::Secrets;
use contexture_core::{Format, History, Level, SymbolMode, Tree};
use contexture_gather::config::{Entry, StrategyName};
use contexture_gather::names;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub fn to_json(request: &Request) -> Value {
    let Request {
        paths,
        listed,
        preset,
        composition,
        persona,
        tier,
        strategy,
        view,
        focus,
        mask,
        include,
        exclude,
        budget,
        model,
        query,
        retrieve,
        explain,
        tokenizer,
        format,
        history,
        tree,
        line_numbers,
        diff,
        log,
        base,
        embed,
        message,
        max_answer,
        temperature,
        no_marks,
        no_written,
        strict,
        secrets,
        target,
        caller,
        // A request that is written down left a manifest.
        no_manifest: _,
    } = request;
    let mask: Map<String, Value> =
        mask.iter().map(|(symbol, mode)| (symbol.clone(), mode_word(*mode).into())).collect();
    let mut value = json!({
        "paths": paths,
        "listed": listed,
        "preset": preset,
        "composition": composition.as_ref().map(|entries| entries.iter().map(Entry::to_json).collect::<Vec<_>>()),
        "persona": persona,
        "tier": tier,
        "strategy": strategy.map(StrategyName::as_str),
        "view": view.map(Level::as_str),
        "focus": focus,
        "mask": mask,
        "include": include,
        "exclude": exclude,
        "budget": budget,
        "model": model,
        "query": query,
        "retrieve": retrieve,
        "explain": explain,
        "tokenizer": tokenizer,
        "format": format.map(Format::as_str),
        "history": history.map(history_word),
        "tree": tree.map(tree_word),
        "line_numbers": line_numbers,
        "diff": diff,
        "log": log,
        "base": base,
        "embed": embed,
        "message": message,
        "max_answer": max_answer,
        "temperature": temperature,
        "no_marks": no_marks,
        "no_written": no_written,
        "strict": strict,
        "secrets": secrets.map(Secrets::as_str),
        "target": target.as_deref().map(names::shown),
    });
    // Of few requests anything is to be said of who made them.
    if let (Some(caller), Some(object)) = (caller, value.as_object_mut()) {
        object.insert("caller".into(), json!(caller));
    }
    value
}

/// The error says which field cannot be understood.
pub fn from_json(value: &Value) -> Result<Request, String> {
    let mut read = Fields::of(value)?;
    let request = Request {
        paths: read.texts("paths")?,
        listed: read.texts("listed")?,
        preset: read.text("preset")?,
        composition: read.with("composition", entries)?,
        persona: read.text("persona")?,
        tier: read.with("tier", |value| u8::try_from(value.as_u64()?).ok())?,
        strategy: read.word("strategy", StrategyName::parse)?,
        view: read.word("view", Level::parse)?,
        focus: read.texts("focus")?,
        mask: read.with("mask", self::mask)?.unwrap_or_default(),
        include: read.texts("include")?,
        exclude: read.texts("exclude")?,
        budget: read.with("budget", Value::as_u64)?,
        model: read.text("model")?,
        query: read.text("query")?,
        retrieve: read.with("retrieve", Value::as_u64)?,
        explain: read.text("explain")?,
        tokenizer: read.text("tokenizer")?,
        format: read.word("format", Format::parse)?,
        history: read.word("history", history_of)?,
        tree: read.word("tree", tree_of)?,
        line_numbers: read.with("line_numbers", Value::as_bool)?.unwrap_or_default(),
        diff: read.text("diff")?,
        log: read.with("log", |value| usize::try_from(value.as_u64()?).ok())?,
        base: read.text("base")?,
        embed: read.with("embed", Value::as_bool)?,
        message: read.text("message")?,
        max_answer: read.with("max_answer", Value::as_u64)?,
        temperature: read.with("temperature", Value::as_f64)?,
        no_marks: read.with("no_marks", Value::as_bool)?.unwrap_or_default(),
        no_written: read.with("no_written", Value::as_bool)?.unwrap_or_default(),
        strict: read.with("strict", Value::as_bool)?.unwrap_or_default(),
        secrets: read.word("secrets", Secrets::parse)?,
        target: read.word("target", |path| Some(names::actual(path)))?,
        no_manifest: false,
        caller: read.text("caller")?,
    };
    read.end()?;
    Ok(request)
}

fn entries(value: &Value) -> Option<Vec<Entry>> {
    value.as_array()?.iter().map(|entry| Entry::from_json(entry).ok()).collect()
}

pub fn mask(value: &Value) -> Option<BTreeMap<String, SymbolMode>> {
    let mode = |(symbol, word): (&String, &Value)| Some((symbol.clone(), mode_of(word.as_str()?)?));
    value.as_object()?.iter().map(mode).collect()
}

fn mode_word(mode: SymbolMode) -> &'static str {
    match mode {
        SymbolMode::Def => "def",
        SymbolMode::Sig => "sig",
        SymbolMode::Hide => "hide",
    }
}

fn mode_of(word: &str) -> Option<SymbolMode> {
    [SymbolMode::Def, SymbolMode::Sig, SymbolMode::Hide].into_iter().find(|mode| mode_word(*mode) == word)
}

fn history_word(history: History) -> &'static str {
    match history {
        History::With => "with",
        History::Without => "without",
        History::Only => "only",
    }
}

fn history_of(word: &str) -> Option<History> {
    [History::With, History::Without, History::Only].into_iter().find(|history| history_word(*history) == word)
}

fn tree_word(tree: Tree) -> &'static str {
    match tree {
        Tree::None => "none",
        Tree::Selected => "selected",
        Tree::Full => "full",
    }
}

fn tree_of(word: &str) -> Option<Tree> {
    [Tree::None, Tree::Selected, Tree::Full].into_iter().find(|tree| tree_word(*tree) == word)
}

#[cfg(test)]
mod tests;
