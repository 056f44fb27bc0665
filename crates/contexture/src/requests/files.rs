//! Questions about files: one file, some of them, or passages anywhere in the project.

use super::{DocumentRequest, TokenCount, Word};
use contexture_core::{Level, SymbolMode, Tokenizer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A document, as the body of an operation that compiles one.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DocumentBody {
    /// The document
    pub request: DocumentRequest,
}

/// One view of one file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowRequest {
    /// A file of the project
    pub path: String,
    /// Which view [default: full, or masked with a mask]
    #[serde(default)]
    pub view: Option<Word<Level>>,
    /// Show symbols whole (`def`), as signatures (`sig`) or not at all (`hide`)
    #[serde(default)]
    pub mask: BTreeMap<String, Word<SymbolMode>>,
    /// Options of the document that the file would be in
    #[serde(default)]
    pub request: DocumentRequest,
}

/// One file in all of its views.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewsRequest {
    /// A file of the project
    pub path: String,
    /// Options of the document that the file would be in
    #[serde(default)]
    pub request: DocumentRequest,
    /// Show symbols whole (`def`), as signatures (`sig`) or not at all (`hide`)
    #[serde(default)]
    pub mask: BTreeMap<String, Word<SymbolMode>>,
}

/// What a file defines.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SymbolsRequest {
    /// A file of the project
    pub path: String,
}

/// Why a file is in a document, or why not.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhyRequest {
    /// A file or folder, or a symbol of a file as PATH:SYMBOL
    pub path: String,
    /// The document
    #[serde(default)]
    pub request: DocumentRequest,
}

/// Files that others import or mention.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct RelatedRequest {
    /// Files whose imports and mentions are followed
    #[cfg_attr(feature = "cli", arg(value_name = "PATH", required = true))]
    pub paths: Vec<String>,
    /// The document whose files are looked at
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub request: DocumentRequest,
    /// List at most this many files
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = related_limit()))]
    #[serde(default = "related_limit")]
    pub limit: usize,
}

fn related_limit() -> usize {
    24
}

/// Files, symbols and passages of the project that answer a query.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// Words, symbols, an error message, or the text of an issue
    #[cfg_attr(feature = "cli", arg(value_name = "QUERY", default_value = "", hide_default_value = true))]
    pub query: String,
    /// Only files that match, as in .gitignore
    #[cfg_attr(feature = "cli", arg(long, value_name = "GLOB"))]
    #[serde(default)]
    pub include: Vec<String>,
    /// List at most this many files and symbols
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = search_top()))]
    #[serde(default = "search_top")]
    pub top: usize,
    /// Tokens of all passages together
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = search_tokens()))]
    #[serde(default = "search_tokens")]
    pub max_tokens: TokenCount,
    /// Count tokens with this tokenizer
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    #[serde(default)]
    pub tokenizer: Option<Word<Tokenizer>>,
}

fn search_top() -> usize {
    10
}

/// Some twenty functions.
fn search_tokens() -> TokenCount {
    TokenCount(4_000)
}
