//! What a search finds.

use super::{Text, Tokens};
use contexture_syntax::SymbolKind;

/// Files and symbols by relevance, the best first, and the passages that answer the query.
#[derive(Clone, Debug, Default)]
pub struct SearchHits {
    pub files: Vec<FileHit>,
    pub symbols: Vec<SymbolHit>,
    /// By the rank of their files.
    pub passages: Vec<PassageHit>,
    /// How many files were ranked.
    pub ranked: usize,
    /// Whether any word of the query occurs in the project. Without one there are no hits.
    pub matches: bool,
}

/// A file that answers a query.
#[derive(Clone, Debug)]
pub struct FileHit {
    pub path: String,
    /// How probable it is that the task needs it, where all files together have 1.
    pub score: f32,
    /// What is evidence for it, the strongest first.
    pub reasons: Vec<&'static str>,
}

/// A symbol that answers a query.
#[derive(Clone, Debug)]
pub struct SymbolHit {
    pub path: String,
    pub qualified: String,
    pub kind: SymbolKind,
    /// The line of its name and its last line, counted from 1.
    pub lines: (usize, usize),
    /// How probable it is that the task needs it, where all symbols together have 1.
    pub score: f32,
    pub reasons: Vec<&'static str>,
}

/// Lines of one file.
#[derive(Clone, Debug)]
pub struct PassageHit {
    pub path: String,
    /// Such as `4-7, 15`.
    pub lines: String,
    /// Of its file, from 1.
    pub rank: u32,
    pub text: Text,
    pub tokens: Tokens,
}
