//! Settings, presets and personas, and the project as a whole: old documents, projects of other programs, allowed secrets, clients of the
//! MCP server.

use super::{CompositionEntry, Word};
use contexture_gather::config::Scope;
use contexture_gather::config::clients::Client;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// One preset or persona.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct NameRequest {
    /// Name of the preset or persona
    pub name: String,
}

/// A composition to save under a name.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct PresetSaveRequest {
    /// Name of the preset
    pub name: String,
    /// What the preset is for
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", default_value = "", hide_default_value = true))]
    #[serde(default)]
    pub description: String,
    /// Files of the preset [default: the current composition]
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub files: Option<Vec<CompositionEntry>>,
    /// Screenshots of the preset [default: those of the composition]
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub screenshots: Option<Vec<String>>,
    /// Save the preset for all projects of this user
    #[cfg_attr(feature = "cli", arg(long = "global", action = clap::ArgAction::SetTrue, value_parser = scope()))]
    #[serde(default)]
    pub scope: Word<Scope>,
}

/// Two presets to compare.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct PresetDiffRequest {
    /// A preset
    pub a: String,
    /// Preset to compare it with [default: the current composition]
    #[serde(default)]
    pub b: Option<String>,
}

/// A preset to remove.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct PresetRemoveRequest {
    /// Name of the preset
    pub name: String,
    /// Remove the preset for all projects of this user
    #[cfg_attr(feature = "cli", arg(long = "global", action = clap::ArgAction::SetTrue, value_parser = global_scope()))]
    #[serde(default)]
    pub scope: AnyScope,
}

/// One scope, or whichever has it. A name of its own: clap takes an `Option` for a flag that may have a value.
pub type AnyScope = Option<Word<Scope>>;

/// One setting.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SettingRequest {
    /// Key with its section, such as `budget.max_tokens`
    pub key: String,
}

/// A setting to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ConfigSetRequest {
    /// Key with its section, such as `budget.max_tokens`
    pub key: String,
    /// Value as TOML, or a bare word
    pub value: String,
    /// Change the settings of this user instead
    #[cfg_attr(feature = "cli", arg(long = "global", action = clap::ArgAction::SetTrue, value_parser = scope()))]
    #[serde(default)]
    pub scope: Word<Scope>,
}

/// A request without fields.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptyRequest {}

/// Which numbered documents to keep. Without a field, as many as `output.keep` says.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct PruneRequest {
    /// Keep the newest N documents [default: output.keep]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", conflicts_with = "days"))]
    pub keep: Option<u64>,
    /// Keep the documents of the last D days
    #[cfg_attr(feature = "cli", arg(long, value_name = "D"))]
    pub days: Option<u64>,
}

/// A project of another program. Its text comes with the request: a server does not read a file because a page names it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportProjectRequest {
    /// Name of the project's file
    pub name: String,
    /// Text of the project's file
    pub text: String,
    /// Text of the file with its discussion
    #[serde(default)]
    pub history: Option<String>,
}

/// A secret to allow.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowRequest {
    /// Fingerprint of the secret, from `scan`
    pub fingerprint: String,
}

/// The entry of the MCP server in the settings of a client.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct SetupRequest {
    /// Client to change the settings of
    pub client: Word<Client>,
    /// Remove the entry
    #[cfg_attr(feature = "cli", arg(long))]
    pub undo: bool,
    /// Change the file of the project, which may be shared, instead of the user's
    #[cfg_attr(feature = "cli", arg(long))]
    pub project: bool,
    /// Change this file instead of the client's usual one
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE", conflicts_with = "project"))]
    pub file: Option<PathBuf>,
    /// Start the server with --allow-write
    #[cfg_attr(feature = "cli", arg(long))]
    pub allow_write: bool,
}

/// `--global` as a scope.
#[cfg(feature = "cli")]
fn scope() -> impl clap::builder::TypedValueParser<Value = Word<Scope>> {
    use clap::builder::{BoolValueParser, TypedValueParser};
    BoolValueParser::new().map(|is_global| Word(if is_global { Scope::Global } else { Scope::Project }))
}

/// `--global` as a scope; without it, any.
#[cfg(feature = "cli")]
fn global_scope() -> impl clap::builder::TypedValueParser<Value = AnyScope> {
    use clap::builder::{BoolValueParser, TypedValueParser};
    BoolValueParser::new().map(|is_global| is_global.then_some(Word(Scope::Global)))
}
