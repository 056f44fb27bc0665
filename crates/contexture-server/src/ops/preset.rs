//! Named compositions: save, list, show, apply, compare, remove.

use super::OpError;
use super::open::Door;
use contexture_core::Note;
use contexture_core::Topic;
use contexture_gather::config::{self, Config, Entry, Preset, PresetDiff, Scope, Visible, edit};
use contexture_gather::{Place, Roots, is_glob};
use std::path::{Path, PathBuf};

/// A preset, and what of it is not there.
pub struct PresetShown {
    pub preset: Preset,
    pub missing: Vec<String>,
    /// Whether it hides a global one of the same name.
    pub shadows_global: bool,
}

fn open(door: &Door) -> Result<(Roots, Config), OpError> {
    let roots = door.open_roots()?;
    let config = door.load_config(&roots)?;
    Ok((roots, config))
}

pub fn preset_list(door: &Door) -> Result<Vec<PresetShown>, OpError> {
    let (roots, config) = open(door)?;
    Ok(config::merged(&config.presets).into_iter().map(|visible| shown(&roots, &config, visible)).collect())
}

pub fn preset_show(door: &Door, name: &str) -> Result<PresetShown, OpError> {
    let (roots, config) = open(door)?;
    config.preset(name)?;
    let all = config::merged(&config.presets);
    let found =
        all.into_iter().find(|visible| visible.preset.name == name).map(|visible| shown(&roots, &config, visible));
    found.ok_or_else(|| OpError::failed(format!("no such preset: `{name}`")))
}

fn shown(roots: &Roots, config: &Config, visible: Visible<'_>) -> PresetShown {
    let preset = visible.preset.clone();
    let missing = missing(roots, config, &preset);
    PresetShown { preset, missing, shadows_global: visible.shadows.is_some() }
}

/// Literal entries whose file is not there. Patterns may match nothing and are not missing.
fn missing(roots: &Roots, config: &Config, preset: &Preset) -> Vec<String> {
    let project = Place { root: 0, rel: PathBuf::new() };
    let there = |base: &str, path: &str| {
        let base = roots.place(&project, Path::new(base)).unwrap_or_else(|_| project.clone());
        is_glob(path) || roots.place(&base, Path::new(path)).is_ok_and(|place| roots.absolute(&place).exists())
    };
    let files = preset.files.iter().map(|entry| (&config.files.base_dir, &entry.path));
    let pictures = preset.screenshots.iter().map(|path| (&config.screenshots.base_dir, path));
    files.chain(pictures).filter(|(base, path)| !there(base, path)).map(|(_, path)| path.clone()).collect()
}

/// Saves `files` (or, without any, the current composition) under a name, with these pictures or those of the composition. Gives the
/// file it was written to and notes.
pub fn preset_save(
    door: &Door,
    name: &str,
    description: &str,
    files: Option<Vec<Entry>>,
    screenshots: Option<Vec<String>>,
    scope: Scope,
) -> Result<(PathBuf, Vec<Note>), OpError> {
    if name.trim().is_empty() {
        return Err(OpError::usage("a preset needs a name"));
    }
    let (roots, config) = open(door)?;
    let from_composition = files.is_none();
    let files = match files.or_else(|| config.files.paths.clone()) {
        Some(files) => files,
        None => {
            return Err(OpError::usage("there is no composition to save: the project takes every file")
                .hint(format!("`contexture preset save {name} 'src/**'` saves entries")));
        }
    };
    let own = || if from_composition { config.screenshots.paths.clone() } else { Vec::new() };
    let screenshots = screenshots.unwrap_or_else(own);
    let description = (!description.is_empty()).then(|| description.to_owned());
    let preset = Preset { name: name.to_owned(), description, files, screenshots, scope };
    let path = file_of(&config, scope)?;
    config::edit_file(&path, |text| edit::save_preset(text, &preset))?;
    let notes = missing(&roots, &config, &preset)
        .into_iter()
        .map(|path| Note::new(Topic::Empty, "saved, but the file is not there").at(path))
        .collect();
    Ok((path, notes))
}

/// Makes a preset the composition of the project. What is missing is told, and stays an entry.
pub fn preset_apply(door: &Door, name: &str) -> Result<PresetShown, OpError> {
    let applied = preset_show(door, name)?;
    let (_, config) = open(door)?;
    let path = file_of(&config, Scope::Project)?;
    config::edit_file(&path, |text| {
        let text = edit::set_files(text, &applied.preset.files)?;
        edit::set_screenshots(&text, &applied.preset.screenshots)
    })?;
    Ok(applied)
}

/// What leads from `a` to `b`; without `b`, from the current composition to `a`.
pub fn preset_diff(door: &Door, a: &str, b: Option<&str>) -> Result<PresetDiff, OpError> {
    let (_, config) = open(door)?;
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

pub fn preset_remove(door: &Door, name: &str, scope: Option<Scope>) -> Result<PathBuf, OpError> {
    let (_, config) = open(door)?;
    let preset = match scope {
        None => config.preset(name)?,
        Some(scope) => {
            config.presets.iter().find(|preset| preset.name == name && preset.scope == scope).ok_or_else(|| {
                OpError::usage(format!("no such global preset: `{name}`")).hint("`contexture preset list` shows all")
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
