//! Finds the passages that answer a few words, anywhere in the project.
//!
//! Takes words and how many tokens the answer may have; gives lines of files with their paths, the most relevant file first.
//! They are the passages that `## Retrieved Context` would have if nothing were in the composition: nothing is ranked twice.

use super::OpError;
use super::document::compile_document;
use super::open::Door;
use crate::requests::{DocumentRequest, SearchRequest, TokenCount};
use contexture_core::{Format, History, ItemKind, Level, Note, Pick, Why};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Passages that answer a query, the most relevant file first.
pub struct SearchResult {
    pub query: String,
    pub passages: Vec<PassageRow>,
    /// How many files were ranked.
    pub files: usize,
    pub tokens: u64,
    pub exact: bool,
    pub tokenizer: &'static str,
    pub notes: Vec<Note>,
}

/// Lines of one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PassageRow {
    pub path: String,
    /// Such as `4-7, 15`
    pub lines: String,
    /// Rank of its file, from 1
    pub rank: u32,
    pub text: String,
}

/// Ranks all files of the project for a query and gives the best passages.
pub fn search(door: &Door, request: &SearchRequest) -> Result<SearchResult, OpError> {
    if request.query.trim().is_empty() {
        return Err(OpError::usage("there is nothing to search for").hint("name words, symbols, or an error message"));
    }
    let asked = DocumentRequest {
        // Something is chosen, so that what lies outside it is ranked; the choice itself is made below.
        listed: vec![".".into()],
        query: Some(request.query.clone()),
        include: request.include.clone(),
        retrieve: Some(request.max_tokens.max(TokenCount(1))),
        tokenizer: request.tokenizer,
        history: Some(History::Without.into()),
        format: Some(Format::Json.into()),
        ..DocumentRequest::default()
    };
    let mut opened = door.open(&asked)?;
    opened.options.budget = None;
    opened.ask.listed.clear();
    opened.ask.screenshots = Some(Vec::new());
    // Everything lies outside, but for what a person took out by hand.
    let hidden = |entry: &contexture_gather::config::PathEntry| {
        let wish = entry.wish();
        !wish.auto_aggregate || wish.view == Some(Level::None)
    };
    let composition = opened.config.files.paths.clone().unwrap_or_default();
    opened.ask.composition = Some(composition.into_iter().filter(hidden).collect());
    let document = compile_document(door, &opened)?;
    let picks = &document.compiled.plan.picks;
    let rank = |pick: &Pick| match pick.why {
        Why::Retrieved { rank, .. } => Some((pick.path.clone(), rank)),
        _ => None,
    };
    let ranks: BTreeMap<String, u32> = picks.iter().filter_map(rank).collect();
    let json: Value = serde_json::from_str(&document.compiled.output.text()).unwrap_or_default();
    let text = |passage: &Value, key: &str| passage[key].as_str().unwrap_or_default().to_owned();
    let mut passages: Vec<PassageRow> = json["retrieved"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|passage| {
            let path = text(passage, "path");
            let rank = ranks.get(path.as_str()).copied().unwrap_or(u32::MAX);
            PassageRow { lines: text(passage, "lines"), text: text(passage, "text"), rank, path }
        })
        .collect();
    passages.sort_by(|a, b| (a.rank, &a.path).cmp(&(b.rank, &b.path)));
    let files = document.snapshot.items.iter().filter(|item| item.kind == ItemKind::Retrieved).count();
    let retrieved = document.compiled.plan.picks.iter().filter(|pick| pick.kind == ItemKind::Retrieved);
    Ok(SearchResult {
        query: request.query.clone(),
        passages,
        files,
        tokens: retrieved.map(|pick| pick.tokens.0).sum(),
        exact: document.exact,
        tokenizer: document.tokenizer,
        notes: opened.notes,
    })
}
