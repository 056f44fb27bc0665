//! A request as JSON, and back.
//!
//! Every field is written, so a new field of [`Request`] does not compile until it has its place here. Fields that are missing
//! have their default: older versions did not know them. Fields that nobody knows are refused: they might decide bytes.

use super::super::open::Request;
use contexture_core::safety::Secrets;
use contexture_core::{Format, History, Level, SymbolMode, Tree};
use contexture_gather::config::StrategyName;
use contexture_gather::names;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub fn to_json(request: &Request) -> Value {
    let Request {
        paths,
        listed,
        preset,
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
        // A request that is written down left a manifest.
        no_manifest: _,
    } = request;
    let mask: Map<String, Value> =
        mask.iter().map(|(symbol, mode)| (symbol.clone(), mode_word(*mode).into())).collect();
    json!({
        "paths": paths,
        "listed": listed,
        "preset": preset,
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
    })
}

/// The error says which field cannot be understood.
pub fn from_json(value: &Value) -> Result<Request, String> {
    let fields = value.as_object().ok_or("it is no object")?;
    let mut read = Fields { left: fields.iter().map(|(key, value)| (key.as_str(), value)).collect() };
    let request = Request {
        paths: read.texts("paths")?,
        listed: read.texts("listed")?,
        preset: read.text("preset")?,
        persona: read.text("persona")?,
        tier: read.with("tier", |value| u8::try_from(value.as_u64()?).ok())?,
        strategy: read.word("strategy", StrategyName::parse)?,
        view: read.word("view", Level::parse)?,
        focus: read.texts("focus")?,
        mask: read.with("mask", masks)?.unwrap_or_default(),
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
    };
    match read.left.keys().next() {
        Some(unknown) => Err(format!("its field `{unknown}` is not known")),
        None => Ok(request),
    }
}

/// What of the object was not read yet.
struct Fields<'a> {
    left: BTreeMap<&'a str, &'a Value>,
}

impl Fields<'_> {
    /// Null and nothing are the same.
    fn with<T>(&mut self, key: &str, read: impl FnOnce(&Value) -> Option<T>) -> Result<Option<T>, String> {
        match self.left.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(value).map(Some).ok_or_else(|| format!("its field `{key}` cannot be understood")),
        }
    }

    fn word<T>(&mut self, key: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, String> {
        self.with(key, |value| parse(value.as_str()?))
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        self.word(key, |text| Some(text.to_owned()))
    }

    fn texts(&mut self, key: &str) -> Result<Vec<String>, String> {
        let texts = |value: &Value| value.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect();
        Ok(self.with(key, texts)?.unwrap_or_default())
    }
}

fn masks(value: &Value) -> Option<BTreeMap<String, SymbolMode>> {
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
