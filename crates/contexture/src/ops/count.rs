//! Tokens, bytes and lines of the files themselves, by file, folder and language.

use super::OpError;
use super::driver::Driver;
use super::open::{Door, check_single_file};
use crate::requests::DocumentRequest;
use contexture_core::kind::fence_word;
use contexture_core::{Body, CodeReader, Counter, Item, Meter, Note, Tools, shape};
use contexture_syntax::SymbolKind;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

// Tokens and bytes of one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileTokenRow {
    pub path: String,
    pub tokens: u64,
    pub bytes: u64,
    pub error: Option<String>,
}

/// Tokens of all files of a request, by file and by folder.
pub struct FileTokens {
    /// Of all files, each counted on its own.
    pub total: u64,
    pub exact: bool,
    pub tokenizer: &'static str,
    pub files: Vec<FileTokenRow>,
    /// Every folder with all that is below it; `.` is the whole.
    pub folders: BTreeMap<String, u64>,
    pub notes: Vec<Note>,
}

/// Counts the tokens of the files of a request, each by itself.
pub fn tokens(door: &Door, request: &DocumentRequest) -> Result<FileTokens, OpError> {
    let counted = count(door, request, |item, tools| {
        let error = match &item.body {
            Body::Failed(failure) => Some(failure.to_string()),
            _ => None,
        };
        FileTokenRow { path: item.path.clone(), tokens: item_tokens(item, &tools.meter), bytes: item.size, error }
    })?;
    let mut folders: BTreeMap<String, u64> = BTreeMap::new();
    for file in &counted.rows {
        *folders.entry(".".into()).or_default() += file.tokens;
        for (at, _) in file.path.match_indices('/') {
            *folders.entry(file.path[..at].to_owned()).or_default() += file.tokens;
        }
    }
    Ok(FileTokens {
        total: counted.rows.iter().map(|file| file.tokens).sum(),
        exact: counted.exact,
        tokenizer: counted.tokenizer,
        files: counted.rows,
        folders,
        notes: counted.notes,
    })
}

/// Totals of a language, a folder or the whole.
#[derive(Clone, Default, Debug)]
pub struct StatsRow {
    pub name: String,
    pub files: u64,
    pub bytes: u64,
    pub lines: u64,
    pub tokens: u64,
    /// Definitions by kind; kinds that are not there are left out.
    pub symbols: BTreeMap<SymbolKind, u64>,
}

/// Files, bytes, lines, tokens and symbols by language and by folder.
pub struct Stats {
    pub total: StatsRow,
    /// Most tokens first.
    pub languages: Vec<StatsRow>,
    /// Files grouped by the folder they lie in, by path.
    pub folders: Vec<StatsRow>,
    pub exact: bool,
    pub tokenizer: &'static str,
    pub notes: Vec<Note>,
}

/// Counts files, bytes, lines, tokens and symbols of a request.
pub fn stats(door: &Door, request: &DocumentRequest) -> Result<Stats, OpError> {
    let counted = count(door, request, |item, tools| {
        let (language, lines) = match &item.body {
            Body::Text { text, .. } => {
                (fence_word(&item.path, text), contexture_core::shape::lines(text).count() as u64)
            }
            Body::Binary { .. } => ("binary", 0),
            Body::Huge { .. } => ("huge", 0),
            _ => ("unread", 0),
        };
        let folder = item.path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
        (
            language,
            folder,
            StatsRow {
                name: String::new(),
                files: 1,
                bytes: item.size,
                lines,
                tokens: item_tokens(item, &tools.meter),
                symbols: item_symbols(item, tools.code),
            },
        )
    })?;
    let mut total = StatsRow { name: "total".into(), ..StatsRow::default() };
    let mut languages: BTreeMap<String, StatsRow> = BTreeMap::new();
    let mut folders: BTreeMap<String, StatsRow> = BTreeMap::new();
    for (language, folder, row) in &counted.rows {
        for sum in
            [&mut total, languages.entry((*language).into()).or_default(), folders.entry(folder.clone()).or_default()]
        {
            sum.files += row.files;
            sum.bytes += row.bytes;
            sum.lines += row.lines;
            sum.tokens += row.tokens;
            for (kind, count) in &row.symbols {
                *sum.symbols.entry(*kind).or_default() += count;
            }
        }
    }
    let named = |rows: BTreeMap<String, StatsRow>| -> Vec<StatsRow> {
        rows.into_iter().map(|(name, row)| StatsRow { name, ..row }).collect()
    };
    let mut languages = named(languages);
    languages.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.name.cmp(&b.name)));
    Ok(Stats {
        total,
        languages,
        folders: named(folders),
        exact: counted.exact,
        tokenizer: counted.tokenizer,
        notes: counted.notes,
    })
}

struct Counted<T> {
    rows: Vec<T>,
    exact: bool,
    tokenizer: &'static str,
    notes: Vec<Note>,
}

/// Reads the files of a request and makes a row of each, in parallel and in order.
fn count<T: Send>(
    door: &Door,
    request: &DocumentRequest,
    row: impl Fn(&Item, &Tools<'_>) -> T + Sync,
) -> Result<Counted<T>, OpError> {
    let opened = door.open(request)?;
    let mut driver = Driver::for_document(door, &opened);
    let snapshot = opened.read_files(door)?;
    check_single_file(&snapshot, request)?;
    let snapshot = driver.screen_files(snapshot, &opened)?;
    let rows = driver.work(|tools| snapshot.items.par_iter().map(|item| row(item, tools)).collect())?;
    let mut notes = snapshot.notes.clone();
    notes.extend(driver.memory.note);
    Ok(Counted { rows, exact: opened.tokenizer.exact(), tokenizer: opened.tokenizer.as_str(), notes })
}

/// The tokens of a file's own text; what is not text, or was not read, has none.
pub(super) fn item_tokens(item: &Item, meter: &Meter<'_>) -> u64 {
    match (&item.body, &item.hash) {
        (Body::Text { text, .. }, Some(hash)) => meter.text(hash, text).0,
        _ => 0,
    }
}

/// What a file defines, by kind; nothing where it could not be parsed.
fn item_symbols(item: &Item, code: &dyn CodeReader) -> BTreeMap<SymbolKind, u64> {
    let mut kinds = BTreeMap::new();
    if let Body::Text { text, .. } = &item.body
        && let Some(language) = shape::language_of(item, text)
        && let Ok(structure) = code.structure(language, text, item.hash.as_ref())
    {
        for def in &structure.defs {
            *kinds.entry(def.kind).or_default() += 1;
        }
    }
    kinds
}
