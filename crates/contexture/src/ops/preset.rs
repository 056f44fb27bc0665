//! Named compositions: save, list, show, apply, compare, remove. And named ways of working, personas: listed and shown; they are
//! changed in the configuration itself.

use super::OpError;
use super::open::{Door, unknown};
use super::settings::config_of;
use crate::requests::{PresetDiffRequest, PresetRemoveRequest, PresetSaveRequest, Word};
use contexture_core::{Note, Topic};
use contexture_gather::config::{self, Config, Persona, Preset, PresetDiff, Scope, VisiblePreset, edit};
use contexture_gather::{RootedPath, Roots, is_glob};
use std::path::{Path, PathBuf};

/// A preset, and what of it is not there.
pub struct PresetDetails {
    pub preset: Preset,
    pub missing: Vec<String>,
    /// Whether it hides a global one of the same name.
    pub shadows_global: bool,
}

/// All presets that are visible in the project.
pub fn preset_list(door: &Door) -> Result<Vec<PresetDetails>, OpError> {
    let (roots, config) = door.open_project()?;
    Ok(config::visible_presets(&config.presets).into_iter().map(|visible| details(&roots, &config, visible)).collect())
}

/// One preset by its name.
pub fn preset_show(door: &Door, name: &str) -> Result<PresetDetails, OpError> {
    let (roots, config) = door.open_project()?;
    config.preset(name)?;
    let all = config::visible_presets(&config.presets);
    let found =
        all.into_iter().find(|visible| visible.preset.name == name).map(|visible| details(&roots, &config, visible));
    found.ok_or_else(|| OpError::failed(format!("no such preset: `{name}`")))
}

fn details(roots: &Roots, config: &Config, visible: VisiblePreset<'_>) -> PresetDetails {
    let preset = visible.preset.clone();
    let missing = missing(roots, config, &preset);
    PresetDetails { preset, missing, shadows_global: visible.shadows.is_some() }
}

/// Literal entries whose file is not there. Patterns may match nothing and are not missing.
fn missing(roots: &Roots, config: &Config, preset: &Preset) -> Vec<String> {
    let project = RootedPath { root: 0, rel: PathBuf::new() };
    let there = |base: &str, path: &str| {
        let base = roots.locate(&project, Path::new(base)).unwrap_or_else(|_| project.clone());
        is_glob(path) || roots.locate(&base, Path::new(path)).is_ok_and(|place| roots.absolute(&place).exists())
    };
    let files = preset.files.iter().map(|entry| (&config.files.base_dir, &entry.path));
    let pictures = preset.screenshots.iter().map(|path| (&config.screenshots.base_dir, path));
    files.chain(pictures).filter(|(base, path)| !there(base, path)).map(|(_, path)| path.clone()).collect()
}

/// Saves a composition under a name. Gives the file it was written to and notes.
pub fn preset_save(door: &Door, request: PresetSaveRequest) -> Result<(PathBuf, Vec<Note>), OpError> {
    let PresetSaveRequest { name, description, files, screenshots, scope } = request;
    if name.trim().is_empty() {
        return Err(OpError::usage("a preset needs a name"));
    }
    let (roots, config) = door.open_project()?;
    let from_composition = files.is_none();
    let files = match (files, &config.files.paths) {
        (Some(files), _) => files.into_iter().map(|entry| entry.0).collect(),
        (None, Some(own)) => own.clone(),
        (None, None) => {
            return Err(OpError::usage("there is no composition to save: the project takes every file")
                .hint(format!("`contexture preset save {name} 'src/**'` saves entries")));
        }
    };
    let own = || if from_composition { config.screenshots.paths.clone() } else { Vec::new() };
    let screenshots = screenshots.unwrap_or_else(own);
    let description = Some(description).filter(|text| !text.is_empty());
    let preset = Preset { name, description, files, screenshots, scope: scope.get() };
    let path = file_of(&config, preset.scope)?;
    config::edit_file(&path, |text| edit::save_preset(text, &preset))?;
    let notes = missing(&roots, &config, &preset)
        .into_iter()
        .map(|path| Note::new(Topic::Empty, "saved, but the file is not there").at(path))
        .collect();
    Ok((path, notes))
}

/// Makes a preset the composition of the project. What is missing is told, and stays an entry.
pub fn preset_apply(door: &Door, name: &str) -> Result<PresetDetails, OpError> {
    let applied = preset_show(door, name)?;
    let (_, config) = door.open_project()?;
    let path = file_of(&config, Scope::Project)?;
    config::edit_file(&path, |text| {
        let text = edit::set_files(text, &applied.preset.files)?;
        edit::set_screenshots(&text, &applied.preset.screenshots)
    })?;
    Ok(applied)
}

/// What leads from `a` to `b`; without `b`, from the current composition to `a`.
pub fn preset_diff(door: &Door, PresetDiffRequest { a, b }: &PresetDiffRequest) -> Result<PresetDiff, OpError> {
    let (_, config) = door.open_project()?;
    let first = config.preset(a)?;
    match b {
        Some(b) => Ok(config::diff(first, config.preset(b)?)),
        None => {
            let current = Preset {
                name: String::new(),
                description: first.description.clone(),
                files: config.files.paths.clone().unwrap_or_default(),
                screenshots: config.screenshots.paths.clone(),
                scope: Scope::Project,
            };
            Ok(config::diff(&current, first))
        }
    }
}

/// Removes a preset. Gives the file it was in.
pub fn preset_remove(door: &Door, request: &PresetRemoveRequest) -> Result<PathBuf, OpError> {
    let name = &request.name;
    let (_, config) = door.open_project()?;
    let preset = match request.scope {
        None => config.preset(name)?,
        Some(Word(scope)) => {
            config.presets.iter().find(|preset| preset.name == *name && preset.scope == scope).ok_or_else(|| {
                OpError::usage(format!("no such {scope} preset: `{name}`")).hint("`contexture preset list` shows all")
            })?
        }
    };
    let path = file_of(&config, preset.scope)?;
    config::edit_file(&path, |text| edit::remove_preset(text, name))?;
    Ok(path)
}

pub(super) fn file_of(config: &Config, scope: Scope) -> Result<PathBuf, OpError> {
    match scope {
        Scope::Project => Ok(config.project_file.0.clone()),
        Scope::Global => config.user_file.as_ref().map(|(path, _)| path.clone()).ok_or_else(|| {
            OpError::failed("this user has no configuration folder").hint("set `CONTEXTURE_CONFIG_DIR`")
        }),
    }
}

/// A persona, and how it relates to the others.
pub struct PersonaDetails {
    pub persona: Persona,
    /// Whether the project has one of the same name, which is used instead.
    pub hidden: bool,
    /// Whether it hides a global one.
    pub shadows_global: bool,
    /// Whether it is used when nobody names one.
    pub usual: bool,
    /// Fields that it leaves to others.
    pub unset: Vec<&'static str>,
    /// The preset that it names, if there is none of that name.
    pub missing_preset: Option<String>,
}

/// By name; one of the user that the project hides stands behind the project's.
pub fn persona_list(door: &Door) -> Result<Vec<PersonaDetails>, OpError> {
    let config = config_of(door)?;
    let mut all: Vec<PersonaDetails> =
        config.personas.values().map(|persona| persona_details(&config, persona, false)).collect();
    all.extend(config.hidden_personas.values().map(|persona| persona_details(&config, persona, true)));
    all.sort_by(|a, b| (&a.persona.name, a.hidden).cmp(&(&b.persona.name, b.hidden)));
    Ok(all)
}

/// The one that holds under this name.
pub fn persona_show(door: &Door, name: &str) -> Result<PersonaDetails, OpError> {
    let config = config_of(door)?;
    match config.personas.get(name) {
        Some(persona) => Ok(persona_details(&config, persona, false)),
        None => Err(unknown("persona", name, config.personas.keys())),
    }
}

fn persona_details(config: &Config, persona: &Persona, hidden: bool) -> PersonaDetails {
    let Persona { name, scope: _, system_prompt, preferred_models, context_preset, aggregation_strategy, tier, budget } =
        persona;
    let fields = [
        ("system_prompt", system_prompt.is_none()),
        ("preferred_models", preferred_models.is_empty()),
        ("context_preset", context_preset.is_none()),
        ("aggregation_strategy", aggregation_strategy.is_none()),
        ("tier", tier.is_none()),
        ("budget", budget.is_none()),
    ];
    let is_known =
        |name: &String| config::visible_presets(&config.presets).iter().any(|visible| visible.preset.name == *name);
    PersonaDetails {
        hidden,
        shadows_global: !hidden && config.hidden_personas.contains_key(name),
        usual: !hidden && config.project.persona.as_ref() == Some(name),
        unset: fields.into_iter().filter(|(_, is_unset)| *is_unset).map(|(field, _)| field).collect(),
        missing_preset: context_preset.clone().filter(|name| !is_known(name)),
        persona: persona.clone(),
    }
}
