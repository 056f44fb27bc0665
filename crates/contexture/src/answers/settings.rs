//! Settings, presets and personas.

use super::record::{Show, answers};
use super::{NoteAnswer, Versioned, versioned};
use crate::ops::{PersonaDetails, PresetDetails};
use crate::requests::{CompositionEntry, Word};
use contexture_core::Note;
use contexture_gather::config::{
    Config, EntryChange, Model, Node, PathEntry, PresetDiff, Scope, Setting, StrategyName,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

answers! {
    /// All settings.
    pub struct SettingsAnswer of Config {
        settings: Vec<Versioned<SettingAnswer>> = |config| {
            config.origins().iter().map(|setting| versioned(setting.show())).collect()
        },
    }

    /// One setting.
    pub struct SettingAnswer of Setting {
        key: String = |setting| setting.key.to_string(),
        /// Null where it is not set
        value: Option<Value> = |setting| setting.value.as_ref().map(Node::to_json),
        /// Who set it
        origin: String = |setting| setting.origin.to_string(),
    }
}

/// A setting that was changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SettingChanged {
    pub key: String,
    /// File with the setting
    pub file: String,
}

impl SettingChanged {
    /// The answer after a key was set in a file.
    pub fn new(key: &str, file: &Path) -> Self {
        Self { key: key.to_owned(), file: file.display().to_string() }
    }
}

/// A JSON Schema of `contexture.toml`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct SettingsSchema(#[schemars(with = "Map<String, Value>")] pub Value);

impl Show<CompositionEntry> for PathEntry {
    fn show(&self) -> CompositionEntry {
        CompositionEntry(self.clone())
    }
}

answers! {
    /// All presets.
    pub struct PresetsAnswer of [PresetDetails] {
        presets: Vec<PresetAnswer> = |all| all.show(),
    }

    /// One preset.
    pub struct PresetAnswer of PresetDetails {
        name: String = |shown| shown.preset.name.clone(),
        scope: Word<Scope> = |shown| shown.preset.scope.into(),
        description: Option<String> = |shown| shown.preset.description.clone(),
        files: Vec<CompositionEntry> = |shown| shown.preset.files.show(),
        screenshots: Vec<String> = |shown| shown.preset.screenshots.clone(),
        /// Entries whose file does not exist
        missing: Vec<String>,
        /// Whether it hides a global preset of this name
        shadows_global: bool,
    }

    /// Differences between two presets.
    pub struct PresetDiffAnswer of PresetDiff {
        added: Vec<CompositionEntry>,
        removed: Vec<CompositionEntry>,
        changed: Vec<EntryChange> = |difference| difference.changed.clone(),
        screenshots_added: Vec<String>,
        screenshots_removed: Vec<String>,
    }
}

/// A preset that is the composition now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PresetApplied {
    pub applied: PresetAnswer,
}

/// A preset that was saved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PresetSaved {
    /// Name of the preset
    pub saved: String,
    /// File with the preset
    pub file: String,
    pub notes: Vec<NoteAnswer>,
}

impl PresetSaved {
    /// The answer after a preset was saved to a file.
    pub fn new(name: &str, file: &Path, notes: &[Note]) -> Self {
        Self { saved: name.to_owned(), file: file.display().to_string(), notes: notes.show() }
    }
}

/// A preset that was removed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PresetRemoved {
    /// Name of the preset
    pub removed: String,
    /// File that had the preset
    pub file: String,
}

impl PresetRemoved {
    /// The answer after a preset was removed from a file.
    pub fn new(name: &str, file: &Path) -> Self {
        Self { removed: name.to_owned(), file: file.display().to_string() }
    }
}

answers! {
    /// All personas.
    pub struct PersonasAnswer of [PersonaDetails] {
        personas: Vec<PersonaAnswer> = |all| all.show(),
    }

    /// One persona.
    pub struct PersonaAnswer of PersonaDetails {
        name: String = |shown| shown.persona.name.clone(),
        scope: Word<Scope> = |shown| shown.persona.scope.into(),
        /// Whether the project has one of this name, which is used instead
        hidden: bool,
        /// Whether it hides a global persona of this name
        shadows_global: bool,
        /// Whether it is used when a request names none
        default: bool = |shown| shown.usual,
        system_prompt: Option<String> = |shown| shown.persona.system_prompt.clone(),
        preferred_models: Vec<Model> = |shown| shown.persona.preferred_models.clone(),
        context_preset: Option<String> = |shown| shown.persona.context_preset.clone(),
        aggregation_strategy: Option<Word<StrategyName>> = |shown| shown.persona.aggregation_strategy.show(),
        tier: Option<u8> = |shown| shown.persona.tier,
        budget: Option<u64> = |shown| shown.persona.budget,
        /// Fields that it does not set
        unset: Vec<&'static str>,
        /// Its preset, where there is none of that name
        missing_preset: Option<String>,
    }
}
