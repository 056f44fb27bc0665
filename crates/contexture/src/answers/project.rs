//! The project as a whole: what it offers, and what was done to its files.

use super::NoteAnswer;
use super::record::{Show, answers};
use crate::ops::{CheckRow, PersonaDetails, PresetDetails, ProjectDetails, Via};
use crate::requests::Word;
use contexture_core::models::{self, Model};
use contexture_core::safety::{HiddenText, Secrets};
use contexture_core::{Api, ContentHash, Counter, Format, Level, Tokenizer};
use contexture_gather::config::clients::Client;
use contexture_gather::config::manual_slop::ImportedProject;
use contexture_gather::config::{Scope, StrategyName};
use contexture_providers::home;
use schemars::JsonSchema;
use serde::Serialize;

/// What there is to choose from in a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectAnswer {
    pub name: String,
    /// Name of its folder
    pub root: String,
    pub path: String,
    /// Tells folders of one name apart
    pub id: String,
    /// Version of the program
    pub version: &'static str,
    pub views: &'static [&'static str],
    pub formats: &'static [&'static str],
    pub tokenizers: Vec<TokenizerRow>,
    pub models: Vec<ModelRow>,
    pub providers: Vec<ProviderRow>,
    pub presets: Vec<NamedRow>,
    pub personas: Vec<NamedRow>,
    pub budget: Option<u64>,
    pub strategy: Word<StrategyName>,
    pub policy: SafetyPolicy,
}

answers! {
    pub struct TokenizerRow of Tokenizer {
        name: Word<Tokenizer> = |tokenizer| tokenizer.show(),
        /// Whether it counts, not estimates
        exact: bool = |tokenizer| tokenizer.exact(),
    }

    /// A language model.
    pub struct ModelRow of Model {
        name: &'static str,
        provider: &'static str,
        /// Tokens of input and answer together
        window: u64,
        /// Tokens of the longest answer
        output: Option<u64>,
        price: Option<PriceRow> = |model| models::price(model.name).map(PriceRow::from),
    }

    /// Dollars for a million tokens.
    pub struct PriceRow of models::Price {
        input: f64,
        output: f64,
    }

    /// A preset or persona.
    pub struct NamedRow of PresetDetails {
        name: String = |shown| shown.preset.name.clone(),
        scope: Word<Scope> = |shown| shown.preset.scope.into(),
        description: Option<String> = |shown| shown.preset.description.clone(),
    }
}

impl Show<NamedRow> for PersonaDetails {
    fn show(&self) -> NamedRow {
        NamedRow { name: self.persona.name.clone(), scope: self.persona.scope.into(), description: None }
    }
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProviderRow {
    #[schemars(extend("enum" = Via::WORDS))]
    pub name: &'static str,
    /// Whether there is a key for it
    pub key: bool,
    /// Environment variables that may hold its key
    pub variables: &'static [&'static str],
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SafetyPolicy {
    pub secrets: Word<Secrets>,
    pub hidden_text: Word<HiddenText>,
}

impl ProjectAnswer {
    /// `has_key` says whether there is a key for an API.
    pub fn new(project: &ProjectDetails, has_key: impl Fn(Api) -> bool) -> Self {
        let ProjectDetails { root: path, config, presets, personas } = project;
        let root = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let provider = |name: &&'static str| match Via::parse(name) {
            Some(Via::Api(api)) => ProviderRow { name, key: has_key(api), variables: home(api).key_names },
            Some(Via::GeminiCli) | None => ProviderRow { name, key: false, variables: &[] },
        };
        Self {
            name: config.project.name.clone().unwrap_or_else(|| root.clone()),
            root,
            path: path.display().to_string(),
            id: ContentHash::of(path.as_os_str().as_encoded_bytes()).short().to_string(),
            version: env!("CARGO_PKG_VERSION"),
            views: Level::WORDS,
            formats: Format::WORDS,
            tokenizers: Tokenizer::ALL.show(),
            models: models::all().show(),
            providers: Via::WORDS.iter().map(provider).collect(),
            presets: presets.show(),
            personas: personas.show(),
            budget: config.budget.max_tokens,
            strategy: config.project.strategy.into(),
            policy: SafetyPolicy { secrets: config.safety.secrets.into(), hidden_text: config.safety.hidden.into() },
        }
    }
}

/// A file that was written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileWritten {
    pub path: String,
}

/// Numbered documents that were removed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PruneAnswer {
    pub removed: Vec<String>,
    /// Number of documents that are left
    pub kept: usize,
}

/// A project of another program as a `contexture.toml`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ImportedProjectAnswer {
    /// File it was written to
    pub path: Option<String>,
    pub text: String,
    pub notes: Vec<NoteAnswer>,
}

impl ImportedProjectAnswer {
    /// The answer of an import; `path` is the file that was written.
    pub fn new(imported: &ImportedProject, path: Option<&str>) -> Self {
        Self { path: path.map(str::to_owned), text: imported.text.clone(), notes: imported.notes.show() }
    }
}

/// State of the installation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DoctorAnswer {
    /// Whether every check passed
    pub ok: bool,
    pub checks: Vec<CheckRow>,
}

impl From<Vec<CheckRow>> for DoctorAnswer {
    fn from(checks: Vec<CheckRow>) -> Self {
        Self { ok: checks.iter().all(|check| check.ok), checks }
    }
}

/// The entry of the MCP server in the settings of a client.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SetupAnswer {
    pub client: Word<Client>,
    pub file: String,
    /// Whether the file would change
    pub changes: bool,
    pub written: bool,
    pub diff: String,
}
