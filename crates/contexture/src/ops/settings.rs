//! Settings, numbered documents, and the state of the installation.

use super::open::Door;
use super::preset::{PersonaDetails, PresetDetails, file_of, persona_list, preset_list};
use super::summary_store;
use super::{ErrorKind, OpError};
use crate::requests::{ConfigSetRequest, DocumentRequest, PruneRequest};
use contexture_gather::config::{self, Config, Node, Scope, edit};
use contexture_gather::followable;
use contexture_gather::outputs::{self, Keep, Pruned};
use contexture_gather::runs::Runs;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// The settings of the door's project.
pub fn config_of(door: &Door) -> Result<Config, OpError> {
    Ok(door.open_project()?.1)
}

/// A project with its settings, presets and personas.
pub struct ProjectDetails {
    pub root: PathBuf,
    pub config: Config,
    pub presets: Vec<PresetDetails>,
    pub personas: Vec<PersonaDetails>,
}

/// The project with its settings, presets and personas.
pub fn project(door: &Door) -> Result<ProjectDetails, OpError> {
    let (roots, config) = door.open_project()?;
    Ok(ProjectDetails {
        root: roots.project().to_path_buf(),
        config,
        presets: preset_list(door)?,
        personas: persona_list(door)?,
    })
}

/// Changes one key in a file; everything else in it stays as it is. Settings that nothing could be done with are not written.
pub fn config_set(door: &Door, request: &ConfigSetRequest) -> Result<PathBuf, OpError> {
    let ConfigSetRequest { key, value, scope } = request;
    let scope = scope.get();
    let config = config_of(door)?;
    let path = file_of(&config, scope)?;
    let before = check_usable(door, config).err().map(|error| error.to_string());
    let check = |text: &str| {
        let roots = door.open_roots()?;
        let file = door.config_file.as_ref().map(|file| door.env.cwd.join(file));
        let loaded = config::load_if(roots.project(), &door.env, &[], file.as_deref(), Some((&path, text)));
        if let (Scope::Project, Ok(config)) = (scope, &loaded) {
            check_not_ignored(config, key, value)?;
        }
        match loaded.map_err(OpError::from).and_then(|config| check_usable(door, config)) {
            // What was wrong before is another key's matter: one is set after the other.
            Err(error) if before.as_ref() != Some(&error.to_string()) => Err(unusable_setting(key, &error)),
            Ok(()) | Err(_) => Ok(()),
        }
    };
    config::edit_checked(&path, |text| edit::set_key(text, key, value), check)?;
    Ok(path)
}

/// A value that would have no effect in the project's file is not written there.
fn check_not_ignored(config: &Config, key: &str, value: &str) -> Result<(), OpError> {
    let holds = config.get(key)?;
    if !config.ignored.iter().any(|ignored| ignored.key == holds.key) {
        return Ok(());
    }
    let plain = |node: &Node| node.as_text().map_or_else(|| node.to_string(), str::to_owned);
    let held = holds.value.as_ref().map_or("unset".into(), |node| format!("`{}`", plain(node)));
    Err(OpError::usage(format!("`{key}` is not set: a project's file cannot loosen it; your setting is {held}"))
        .hint(format!("`contexture config set --global {key} {value}` sets it for you")))
}

/// Whether a document could be made with these settings.
fn check_usable(door: &Door, config: Config) -> Result<(), OpError> {
    let opened = door.resolve(door.open_roots()?, config, &DocumentRequest::default())?;
    opened.output_dir()?;
    Ok(followable(&opened.roots, &opened.config, &opened.ask)?)
}

fn unusable_setting(key: &str, cause: &OpError) -> OpError {
    OpError::usage(format!("`{key}` is not set: {cause}"))
        .with_hints(cause.hints())
        .hint(format!("`contexture config get {key}` tells what holds"))
}

/// Writes a commented configuration. One that is there already stays.
pub fn init(door: &Door) -> Result<PathBuf, OpError> {
    let roots = door.open_roots()?;
    let path = roots.project().join(config::PROJECT_FILE);
    if path.symlink_metadata().is_ok() {
        let message = format!("`{}` is there already", config::PROJECT_FILE);
        return Err(OpError::of(ErrorKind::Conflict, message).hint("`contexture config set KEY VALUE` changes it"));
    }
    config::write_file(&path, &config::template()).map_err(|error| OpError::io("cannot write", &path, &error))?;
    Ok(path)
}

/// Removes numbered documents that need not be kept.
pub fn prune(door: &Door, request: &PruneRequest) -> Result<Pruned, OpError> {
    let opened = door.open(&DocumentRequest::default())?;
    let keep = request.keep.map(Keep::Newest).or(request.days.map(Keep::Days));
    let keep = keep.or(opened.config.output.keep.map(Keep::Newest)).ok_or_else(|| {
        OpError::usage("nothing says what to keep").hint("`contexture prune --keep 20` keeps the newest 20")
    })?;
    let dir = opened.output_dir()?;
    Ok(outputs::prune(&dir, &opened.namespace, keep, door.env.now)?)
}

// One line of `doctor`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckRow {
    pub name: &'static str,
    pub ok: bool,
    pub text: String,
    pub hint: Option<String>,
}

/// Looks at everything a run depends on. Fails at nothing: what is wrong is in the list.
pub fn doctor(door: &Door) -> Vec<CheckRow> {
    let mut checks = Vec::new();
    let mut add = |name, result: Result<String, (String, String)>| {
        let (ok, text, hint) = match result {
            Ok(text) => (true, text, None),
            Err((text, hint)) => (false, text, Some(hint)),
        };
        checks.push(CheckRow { name, ok, text, hint });
    };
    add("version", Ok(env!("CARGO_PKG_VERSION").to_owned()));
    let roots = match door.open_roots() {
        Ok(roots) => roots,
        Err(error) => {
            add("root", Err((error.to_string(), error.hints().join("; "))));
            return checks;
        }
    };
    add("root", Ok(roots.project().display().to_string()));
    match door.load_config(&roots) {
        Err(error) => add("configuration", Err((error.to_string(), error.hints().join("; ")))),
        Ok(config) => {
            let state = |(path, exists): &(PathBuf, bool)| {
                format!("{} ({})", path.display(), if *exists { "used" } else { "not there" })
            };
            add("configuration", Ok(state(&config.project_file)));
            if let Some(file) = &config.user_file {
                add("user configuration", Ok(state(file)));
            }
            add("output folder", Ok(roots.project().join(&config.output.dir).display().to_string()));
            for note in &config.notes {
                add("setting", Ok(note.to_string()));
            }
            match door.open_cache(&roots, &config) {
                None => add("cache", Ok("switched off".into())),
                Some(Ok(cache)) => {
                    add("cache", cache.check().map_err(|error| (error, "delete the file: it is made again".into())))
                }
                Some(Err(note)) => {
                    add("cache", Err((note.text, "results are the same without it; runs take longer".into())))
                }
            }
            add("summaries", summary_store::describe_store(door, &roots, &config));
        }
    }
    match door.env.data_dir.as_deref().map(Runs::look) {
        None => add("runs", Ok("this user has no data folder: runs leave no manifest".into())),
        Some(Ok(None)) => add("runs", Ok("none yet".into())),
        Some(found) => {
            let checked = found.and_then(|runs| runs.map_or(Ok(String::new()), |runs| runs.check()));
            let hint = "move the file away; documents are the same without it";
            add("runs", checked.map_err(|error| (error.to_string(), hint.into())));
        }
    }
    match contexture_gather::git::Repo::discover(roots.project()) {
        Ok(_) => add("git", Ok("the root is in a repository".into())),
        Err(error) => add("git", Ok(format!("`--diff`, `--log` and `diff` views are not available: {error}"))),
    }
    add("threads", Ok(door.threads.to_string()));
    checks
}
