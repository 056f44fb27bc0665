//! Finds the passages that answer a few words, anywhere in the project.
//!
//! Takes words and how many tokens the answer may have; gives lines of files with their paths, the most relevant file first.
//! They are the passages that `## Retrieved Context` would have if nothing were in the composition: nothing is ranked twice.

use super::OpError;
use super::document::make;
use super::open::{Door, Request};
use contexture_core::{Format, History, ItemKind, Level, Note, Tokens, Why};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    pub query: String,
    /// Only files that match; as in `.gitignore`.
    pub include: Vec<String>,
    /// What all passages may take together.
    pub max_tokens: u64,
    pub tokenizer: Option<String>,
}

pub struct Found {
    pub query: String,
    pub passages: Vec<Passage>,
    /// How many files were ranked.
    pub files: usize,
    pub tokens: u64,
    pub exact: bool,
    pub tokenizer: &'static str,
    pub notes: Vec<Note>,
}

/// Lines of one file.
pub struct Passage {
    pub path: String,
    /// `4-7, 15`.
    pub lines: String,
    pub text: String,
    /// Of its file, from 1.
    pub rank: u32,
}

pub fn search(door: &Door, request: &SearchRequest) -> Result<Found, OpError> {
    if request.query.trim().is_empty() {
        return Err(OpError::usage("there is nothing to search for").hint("name words, symbols, or an error message"));
    }
    let asked = Request {
        // Something is chosen, so that what lies outside it is ranked; the choice itself is made below.
        listed: vec![".".into()],
        query: Some(request.query.clone()),
        include: request.include.clone(),
        retrieve: Some(request.max_tokens.max(1)),
        tokenizer: request.tokenizer.clone(),
        history: Some(History::Without),
        format: Some(Format::Json),
        ..Request::default()
    };
    let mut opened = door.open(&asked)?;
    opened.options.budget = None;
    opened.ask.listed.clear();
    opened.ask.screenshots = Some(Vec::new());
    // Everything lies outside, but for what a person took out by hand.
    let hidden = |entry: &contexture_gather::config::Entry| {
        let wish = entry.wish();
        !wish.auto_aggregate || wish.view == Some(Level::None)
    };
    let composition = opened.config.files.paths.clone().unwrap_or_default();
    opened.ask.composition = Some(composition.into_iter().filter(hidden).collect());
    let made = make(door, &opened)?;
    let ranks: BTreeMap<&str, u32> = made
        .compiled
        .plan
        .picks
        .iter()
        .filter_map(|pick| match pick.why {
            Why::Retrieved { rank, .. } => Some((pick.path.as_str(), rank)),
            _ => None,
        })
        .collect();
    let document: Value = serde_json::from_str(&made.compiled.output.text()).unwrap_or_default();
    let text = |passage: &Value, key: &str| passage[key].as_str().unwrap_or_default().to_owned();
    let mut passages: Vec<Passage> = document["retrieved"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|passage| {
            let path = text(passage, "path");
            let rank = ranks.get(path.as_str()).copied().unwrap_or(u32::MAX);
            Passage { lines: text(passage, "lines"), text: text(passage, "text"), rank, path }
        })
        .collect();
    passages.sort_by(|a, b| (a.rank, &a.path).cmp(&(b.rank, &b.path)));
    let files = made.snapshot.items.iter().filter(|item| item.kind == ItemKind::Retrieved).count();
    let tokens: Tokens = Tokens(
        made.compiled.plan.picks.iter().filter(|pick| pick.kind == ItemKind::Retrieved).map(|pick| pick.tokens.0).sum(),
    );
    Ok(Found {
        query: request.query.clone(),
        passages,
        files,
        tokens: tokens.0,
        exact: made.exact,
        tokenizer: made.tokenizer,
        notes: opened.notes,
    })
}
