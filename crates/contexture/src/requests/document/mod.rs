//! A document: which files, how much of each, under which budget, in which format.

use super::check::{Author, check, parse};
#[cfg(feature = "cli")]
use super::check::{number, ranged};
use super::{TokenCount, Word, declared};
use contexture_core::safety::Secrets;
use contexture_core::{DocumentFrame, FileOrder, Format, History, Level, Options, SymbolMode, Tokenizer, Tokens, Tree};
use contexture_gather::config::{self, PathEntry, StrategyName};
use contexture_gather::{GatherRequest, names};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What changes are told against, unless a revision is named.
const BASE: &str = "HEAD";

/// A document to compile. Every field has a default: together they give the whole project.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct DocumentRequest {
    /// Files, folders and globs
    #[cfg_attr(feature = "cli", arg(skip))]
    pub paths: Vec<String>,
    /// Files that a program listed: those with keys stay out
    #[cfg_attr(feature = "cli", arg(skip))]
    pub listed: Vec<String>,
    /// Use the composition of this preset
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub preset: Option<String>,
    /// Files to show instead of the project's own composition
    #[cfg_attr(feature = "cli", arg(skip))]
    pub composition: Option<Vec<CompositionEntry>>,
    /// Use the preset, strategy and tier of this persona
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub persona: Option<String>,
    /// Level of detail: 1 full, 2 summaries, 3 and 4 skeletons
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = ranged::<Self, u8>("tier")))]
    #[schemars(range(min = 1, max = 4))]
    pub tier: Option<u8>,
    /// How to show files that have no view of their own
    #[cfg_attr(feature = "cli", arg(long, value_name = "STRATEGY"))]
    pub strategy: Option<Word<StrategyName>>,
    /// Show files in this view
    #[cfg_attr(feature = "cli", arg(long, value_name = "VIEW"))]
    pub view: Option<Word<Level>>,
    /// Show this file in full and the others in less detail; may be repeated
    #[cfg_attr(feature = "cli", arg(long, value_name = "PATH"))]
    pub focus: Vec<String>,
    /// Show symbols whole (`def`), as signatures (`sig`) or not at all (`hide`)
    #[cfg_attr(feature = "cli", arg(skip))]
    pub mask: BTreeMap<String, Word<SymbolMode>>,
    /// Only files that match, as in .gitignore; may be repeated
    #[cfg_attr(feature = "cli", arg(long, value_name = "GLOB"))]
    pub include: Vec<String>,
    /// Leave out files that match, as in .gitignore; may be repeated
    #[cfg_attr(feature = "cli", arg(long, value_name = "GLOB"))]
    pub exclude: Vec<String>,
    /// Fit the document into this many tokens, such as 8000 or 8k
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub budget: Option<TokenCount>,
    /// Fit the document into the window of this model; --budget wins
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub model: Option<String>,
    /// What the document is for: ranks files and functions
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT"))]
    pub query: Option<String>,
    /// Order of the files [default: relevance with a query, else path]
    #[cfg_attr(feature = "cli", arg(long, value_name = "ORDER"))]
    pub order: Option<Word<FileOrder>>,
    /// Leave out the header that a document with a query starts with
    #[cfg_attr(feature = "cli", arg(long))]
    pub no_header: bool,
    /// Leave out the task that a document with a query ends with
    #[cfg_attr(feature = "cli", arg(long))]
    pub no_task: bool,
    /// Standing instructions after the files: text, or on the command line a file
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT"))]
    pub instructions: Option<String>,
    /// Tokens for passages from outside the selected files [default: 2000]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub retrieve: Option<TokenCount>,
    /// The file that `why` is asked about.
    #[cfg_attr(feature = "cli", arg(skip))]
    #[schemars(skip)]
    pub explain: Option<String>,
    #[doc = help!(tokenizer)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", help = help!(tokenizer)))]
    pub tokenizer: Option<Word<Tokenizer>>,
    /// Write a document, a list of messages, or the request body of an API
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT", default_value = "md"))]
    pub format: Option<Word<Format>>,
    /// Whether to include the discussion
    #[cfg_attr(feature = "cli", arg(skip))]
    pub history: Option<Word<History>>,
    /// Show a tree of the selected files, or of all, before the files
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHICH", default_value = "none"))]
    pub tree: Option<Word<Tree>>,
    /// Number the lines of files
    #[cfg_attr(feature = "cli", arg(long, short = 'n'))]
    pub line_numbers: bool,
    /// Add the changes since this revision, such as HEAD
    #[cfg_attr(feature = "cli", arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = BASE))]
    pub diff: Option<String>,
    /// Add the newest N commits
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub log: Option<usize>,
    /// Revision that the `diff` view compares with
    #[cfg_attr(feature = "cli", arg(long, value_name = "REV", default_value = BASE))]
    pub base: Option<String>,
    /// Embed screenshots as base64 data instead of links
    #[cfg_attr(feature = "cli", arg(long, value_name = "HOW", value_parser = embedding()))]
    pub embed: Option<bool>,
    /// Question to put after the document in a request [default: the query]
    #[cfg_attr(feature = "cli", arg(long, short, value_name = "TEXT", help_heading = "Request options"))]
    pub message: Option<String>,
    /// Longest answer to request, in tokens
    // The largest window of any model; no answer is longer.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help_heading = "Request options", value_parser = ranged::<Self, u64>("max_answer")))]
    #[schemars(range(min = 1, max = 10_000_000))]
    pub max_answer: Option<u64>,
    /// Sampling temperature, from 0 to 2
    // No API accepts more than 2.
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", value_parser = number::<Self>("temperature"), allow_negative_numbers = true))]
    #[schemars(range(min = 0, max = 2))]
    pub temperature: Option<f64>,
    /// Leave out the cache marks of the provider
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Request options"))]
    pub no_marks: bool,
    /// Leave out summaries that models wrote
    #[cfg_attr(feature = "cli", arg(long))]
    pub no_written: bool,
    /// Fail and write nothing if an input cannot be read or shown as requested
    #[cfg_attr(feature = "cli", arg(long))]
    pub strict: bool,
    #[doc = help!(secrets)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "POLICY", help = help!(secrets)))]
    pub secrets: Option<Word<Secrets>>,
    /// The file the document goes to: an earlier version of it does not enter the next.
    #[cfg_attr(feature = "cli", arg(skip))]
    #[schemars(skip)]
    #[serde(serialize_with = "shown_path", deserialize_with = "actual_path")]
    pub target: Option<PathBuf>,
    #[doc = help!(no_manifest)]
    // A request that is written down has left a manifest, and only the command line may leave none.
    #[cfg_attr(feature = "cli", arg(long, help = help!(no_manifest)))]
    #[schemars(skip)]
    #[serde(skip_serializing)]
    pub no_manifest: bool,
    /// Which program made the request; its manifest names it.
    #[cfg_attr(feature = "cli", arg(skip))]
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
}

impl DocumentRequest {
    /// The same with a view and symbols for one file, where they are given beside it.
    pub fn viewed(self, view: Option<Word<Level>>, mask: BTreeMap<String, Word<SymbolMode>>) -> Self {
        Self { view: view.or(self.view), mask: if mask.is_empty() { self.mask } else { mask }, ..self }
    }

    /// The request in a manifest, with the fields that only manifests have.
    pub fn from_manifest(mut value: Value) -> Result<Self, String> {
        check(&mut value, super::schema::<Self>().as_value(), Author::Manifest)?;
        parse(value)
    }

    /// What the core is asked for, as far as the request alone decides it.
    pub(crate) fn options(&self) -> Options {
        let usual = Options::default();
        let query = self.query.clone().filter(|query| !query.trim().is_empty());
        let order = if query.is_some() { FileOrder::Relevance } else { FileOrder::Path };
        Options {
            order: self.order.map_or(order, Word::get),
            view: self.view(),
            focused: !self.focus.is_empty(),
            history: self.history.map_or(usual.history, Word::get),
            format: self.format().unwrap_or(usual.format),
            tree: self.tree.map_or(usual.tree, Word::get),
            line_numbers: self.line_numbers,
            explain: self.explain.clone(),
            query,
            retrieve: self.retrieve.map_or(usual.retrieve, |count| Tokens(count.0)),
            ..usual
        }
    }

    /// What is written around the files. A request names its task in its message.
    pub(crate) fn frame(&self, project: &str) -> DocumentFrame {
        let query = self.query.as_ref().filter(|query| !query.trim().is_empty());
        let is_document = !matches!(self.format(), Some(Format::Messages | Format::Request(_)));
        let said = |text: &String| text.as_str().into();
        DocumentFrame {
            header: query.filter(|_| !self.no_header).map(|_| project.to_owned()),
            instructions: self.instructions.as_ref().filter(|text| !text.trim().is_empty()).map(said),
            task: query.filter(|_| is_document && !self.no_task).map(said),
        }
    }

    /// What is read from disk, as far as the request alone decides it.
    pub(crate) fn gathering(&self) -> GatherRequest {
        let options = self.options();
        GatherRequest {
            named: self.paths.clone(),
            listed: self.listed.clone(),
            composition: self.composition.as_ref().map(|all| all.iter().map(|entry| entry.0.clone()).collect()),
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            full_tree: options.tree == Tree::Full,
            diff: self.diff.clone(),
            log: self.log,
            base: self.base.clone().unwrap_or_else(|| BASE.into()),
            view: self.view(),
            focus: self.focus.clone(),
            history_only: options.history == History::Only,
            ..GatherRequest::default()
        }
    }

    /// The format, where one was chosen.
    pub fn format(&self) -> Option<Format> {
        self.format.map(Word::get)
    }

    /// Which symbols to show, and how much of each.
    pub fn mask(&self) -> BTreeMap<String, SymbolMode> {
        self.mask.iter().map(|(symbol, mode)| (symbol.clone(), mode.get())).collect()
    }

    /// The view of every file, where one was chosen.
    pub fn view(&self) -> Option<Level> {
        self.view.map(Word::get)
    }
}

/// An entry of a composition: a path, or an object with a path and how to show it.
#[derive(Clone, PartialEq, Debug)]
pub struct CompositionEntry(pub PathEntry);

impl Serialize for CompositionEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CompositionEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PathEntry::from_json(&Value::deserialize(deserializer)?).map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for CompositionEntry {
    fn schema_name() -> Cow<'static, str> {
        "CompositionEntry".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        declared(config::entry_schema())
    }
}

/// Paths that are not UTF-8 are written with escapes, as everywhere.
pub(super) fn shown_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(|path: &Path| names::display_path(path)).serialize(serializer)
}

fn actual_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(|path| names::original_path(&path)))
}

#[cfg(feature = "cli")]
fn embedding() -> impl clap::builder::TypedValueParser<Value = bool> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(["link", "base64"]).map(|word| word == "base64")
}

#[cfg(feature = "cli")]
pub mod verbs;

#[cfg(test)]
mod tests;
