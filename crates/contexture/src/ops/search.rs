//! Finds the files, symbols and passages that answer a query, anywhere in the project.
//!
//! Takes words and how many tokens the passages may have; gives what documents with the same query are fitted by, best first.

use super::OpError;
use super::document::{gather_items, is_exact};
use super::driver::Driver;
use super::open::Door;
use crate::requests::{DocumentRequest, SearchRequest, TokenCount};
use contexture_core::{History, Level, Note, SearchHits, unmatched_note};

/// What answers a query, the most relevant first.
pub struct SearchResult {
    pub query: String,
    pub hits: SearchHits,
    pub exact: bool,
    pub tokenizer: &'static str,
    pub notes: Vec<Note>,
}

/// Ranks all files of the project for a query and gives the best files, symbols and passages.
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
    let mut driver = Driver::for_document(door, &opened);
    let snapshot = gather_items(door, &opened, driver.memory.cache())?;
    driver.end("gather");
    let snapshot = driver.screen(snapshot, &opened.safety)?.with(opened.found.clone());
    let hits = driver.search(&snapshot, &opened.options, request.top)?;
    let exact = is_exact(&opened, &snapshot);
    let tokenizer = opened.tokenizer.as_str();
    let mut notes = opened.notes;
    if !hits.matches {
        notes.push(unmatched_note());
    }
    Ok(SearchResult { query: request.query.clone(), hits, exact, tokenizer, notes })
}
