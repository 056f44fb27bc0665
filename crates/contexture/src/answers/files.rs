//! Files: views, symbols, tokens, passages, reasons and findings.

use super::record::{Show, answers};
use super::{HiddenRow, NoteAnswer, SafetyAnswer, SecretRow, StepAnswer, rounded};
use crate::ops::{
    FileSymbols, FileTokenRow, FileTokens, FileView, FileViews, Reason, ScanResult, SearchResult, Stats, StatsRow,
};
use crate::requests::Word;
use contexture_core::safety::{HiddenText, Secrets};
use contexture_core::{Explained, ExplainedSymbol, FileHit, Level, PassageHit, SymbolHit, Tokenizer};
use contexture_syntax::{Symbol, SymbolKind, Visibility};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Tokens and who counted them, where there is no budget.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenSum {
    pub count: u64,
    /// Whether it was counted, not estimated
    pub exact: bool,
    #[schemars(extend("enum" = Tokenizer::WORDS))]
    pub tokenizer: &'static str,
}

impl TokenSum {
    fn new(count: u64, exact: bool, tokenizer: &'static str) -> Self {
        Self { count, exact, tokenizer }
    }
}

answers! {
    /// One view of one file.
    pub struct ShowAnswer of FileView {
        path: String,
        #[serde(flatten)]
        shown: ViewAnswer = |shown| shown.show(),
        notes: Vec<NoteAnswer>,
        safety: SafetyAnswer,
    }

    /// A view.
    pub struct ViewAnswer of FileView {
        view: Word<Level> = |shown| shown.level.into(),
        tokens: u64,
        text: String,
        /// Why a poorer view is shown than the one that was asked for
        fell_back: Option<String>,
        /// Why the view could not be made
        error: Option<String>,
    }

    /// One file in all of its views.
    pub struct ViewsAnswer of FileViews {
        path: String,
        /// Word after the fence
        language: String,
        lines: u64,
        views: Vec<ViewAnswer>,
        notes: Vec<NoteAnswer>,
    }

    /// Files, symbols and passages that answer a query, the most relevant first.
    pub struct SearchAnswer of SearchResult {
        #[serde(skip_serializing_if = "Option::is_none")]
        query: Option<String> = |found| Some(found.query.clone()),
        files: Vec<FileHitRow> = |found| found.hits.files.iter().map(FileHitRow::from).collect(),
        symbols: Vec<SymbolHitRow> = |found| found.hits.symbols.iter().map(SymbolHitRow::from).collect(),
        passages: Vec<PassageRow> = |found| found.hits.passages.iter().map(PassageRow::from).collect(),
        /// How many files were ranked
        ranked: usize = |found| found.hits.ranked,
        tokens: TokenSum = |found| {
            let passages = found.hits.passages.iter();
            TokenSum::new(passages.map(|passage| passage.tokens.0).sum(), found.exact, found.tokenizer)
        },
        notes: Vec<NoteAnswer>,
    }

    /// A file that answers a query.
    pub struct FileHitRow of FileHit {
        path: String,
        /// How probable it is that the query needs it; all files together have 1
        score: f64 = |hit| rounded(f64::from(hit.score)),
        /// The strongest evidence first
        reasons: Vec<&'static str> = |hit| hit.reasons.clone(),
    }

    /// A symbol that answers a query.
    pub struct SymbolHitRow of SymbolHit {
        path: String,
        qualified: String,
        #[schemars(extend("enum" = SymbolKind::WORDS))]
        kind: &'static str = |hit| hit.kind.as_str(),
        start_line: usize = |hit| hit.lines.0,
        end_line: usize = |hit| hit.lines.1,
        /// How probable it is that the query needs it; all symbols together have 1
        score: f64 = |hit| rounded(f64::from(hit.score)),
        /// The strongest evidence first
        reasons: Vec<&'static str> = |hit| hit.reasons.clone(),
    }

    /// Lines of one file.
    pub struct PassageRow of PassageHit {
        path: String,
        /// Such as `4-7, 15`
        lines: String,
        /// Rank of its file, from 1
        rank: u32,
        text: String = |passage| passage.text.to_string(),
    }

    /// Secrets and hidden characters in files. No run did anything about them.
    pub struct ScanAnswer of ScanResult {
        policy: Word<Secrets> = |scanned| scanned.report.secrets_policy.into(),
        hidden_text: Word<HiddenText> = |scanned| scanned.report.hidden_policy.into(),
        secrets: Vec<SecretRow> = |scanned| {
            let found = scanned.report.secrets.iter();
            found.map(|secret| SecretRow { action: None, ..secret.show() }).collect()
        },
        hidden: Vec<HiddenRow> = |scanned| scanned.report.hidden.show(),
        files: u64 = |scanned| scanned.files as u64,
        bytes: u64,
        /// Findings that `safety.allow` permits
        allowed: u64 = |scanned| scanned.allowed as u64,
        notes: Vec<NoteAnswer>,
    }

    /// Tokens of files and folders.
    pub struct TokensAnswer of FileTokens {
        tokens: TokenSum = |counted| TokenSum::new(counted.total, counted.exact, counted.tokenizer),
        files: Vec<FileTokenRow> = |counted| counted.files.clone(),
        folders: Vec<FolderTokenRow> = |counted| {
            counted.folders.iter().map(|(path, tokens)| FolderTokenRow { path: path.clone(), tokens: *tokens }).collect()
        },
        notes: Vec<NoteAnswer>,
    }

    /// Bytes, lines, tokens and symbols of whole files.
    pub struct StatsAnswer of Stats {
        total: StatsTotals,
        tokens: TokenSum = |stats| TokenSum::new(stats.total.tokens, stats.exact, stats.tokenizer),
        languages: Vec<StatsTotals>,
        folders: Vec<StatsTotals>,
        notes: Vec<NoteAnswer>,
    }

    pub struct StatsTotals of StatsRow {
        name: String,
        files: u64,
        bytes: u64,
        lines: u64,
        tokens: u64,
        /// How many of each kind
        symbols: BTreeMap<&'static str, u64> = |row| {
            row.symbols.iter().map(|(kind, count)| (kind.as_str(), *count)).collect()
        },
    }

    /// One symbol of a file.
    pub struct SymbolRow of Symbol {
        name: String,
        qualified: String,
        #[schemars(extend("enum" = SymbolKind::WORDS))]
        kind: &'static str = |symbol| symbol.kind.as_str(),
        start_line: usize,
        end_line: usize,
        /// First line with its comments and attributes
        first_line: usize,
        signature: String,
        #[schemars(extend("enum" = Visibility::WORDS))]
        visibility: &'static str = |symbol| symbol.visibility.as_str(),
        doc: Option<String>,
    }

    /// Why a file is shown as it is, or not.
    pub struct ReasonAnswer of Reason {
        path: String,
        shown: bool,
        view: Option<Word<Level>>,
        tokens: Option<u64>,
        reason: String = |reason| reason.why.clone(),
        details: Vec<String>,
        hint: Option<String>,
        /// How it was ranked, under a budget
        weighed: Option<WeighedFile> = |reason| reason.explained.show(),
    }

    pub struct WeighedFile of Explained {
        rank: u32,
        of: u32,
        relevance: f64 = |file| rounded(file.probability),
        parts: Vec<Evidence>,
        /// Its next step with more budget
        next: Option<StepAnswer> = |file| file.up.show(),
        symbols: Vec<WeighedSymbol>,
        /// How many symbols there are, where the list is shortened
        #[serde(skip_serializing_if = "Option::is_none")]
        symbols_total: Option<usize> = |_| None,
    }

    pub struct WeighedSymbol of ExplainedSymbol {
        qualified: String,
        shown: String,
        relevance: f64 = |symbol| rounded(symbol.probability),
        parts: Vec<Evidence>,
        next: Option<StepAnswer> = |symbol| symbol.up.show(),
    }

    /// One kind of evidence for relevance.
    pub struct Evidence of (&'static str, f64) {
        what: &'static str = |(what, _)| *what,
        adds: f64 = |(_, adds)| rounded(*adds),
    }
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FolderTokenRow {
    pub path: String,
    pub tokens: u64,
}

/// A plain list: what other programs rely on.
pub fn symbol_rows(found: &FileSymbols) -> Vec<SymbolRow> {
    found.symbols.show()
}
