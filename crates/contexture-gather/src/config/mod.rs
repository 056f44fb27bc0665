//! The configuration of a run: flags over variables over the project's file over the user's file over defaults.
//!
//! Takes a root, the environment and the flags; gives a typed [`Config`] that knows who set each key. Reads two files at
//! most and writes none; [`edit`] changes text, [`write_file`] and [`edit_file`] put it on disk. Resolves no path and
//! applies no preset: that is for those who use the settings.

mod address;
pub mod clients;
mod describe;
pub mod edit;
mod entry;
mod error;
mod history;
mod jsonc;
mod keys;
mod layer;
pub mod manual_slop;
mod merge;
mod node;
mod personas;
mod presets;
mod source;
mod words;

#[cfg(test)]
mod tests;

pub use address::StoreUrl;
pub use describe::{entry_schema, reference, schema, slice_schema, template};
pub use entry::{EntrySlice, EntrySlices, PathEntry};
pub use error::{ConfigError, nearest};
pub use history::HistoryEntry;
pub(crate) use history::parse_history;
pub use keys::{KEYS, Key, SECTIONS, ValueKind};
pub use layer::{Flag, Origin};
pub use node::{Data, Field, Node};
pub use personas::{Model, Persona};
pub use presets::{EntryChange, FieldChange, Preset, PresetDiff, Scope, VisiblePreset, diff, visible_presets};
pub use source::{edit_checked, edit_file, write_file};
pub use words::{DefaultMode, Embed, ExecutionMode, StrategyName};

use crate::Env;
use contexture_core::safety::Safety;
use contexture_core::{FileOrder, Note, Truncation};
use error::{Problem, SourceText, clip};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of a project's file, in its root.
pub const PROJECT_FILE: &str = "contexture.toml";
/// The name of the user's file, in [`Env::config_dir`].
pub(crate) const USER_FILE: &str = "config.toml";

/// Everything that was set, and the defaults of what was not. Paths are as written.
#[derive(Clone, Debug)]
pub struct Config {
    pub project: Project,
    pub output: Output,
    pub files: Files,
    pub screenshots: Screenshots,
    pub discussion: Discussion,
    pub aggregation: Aggregation,
    pub budget: Budget,
    pub safety: Safety,
    /// Where conversation trees are kept.
    pub store_url: Option<StoreUrl>,
    pub agent: Agent,
    /// Of both scopes, the project's first; [`visible_presets`] shows which ones hold.
    pub presets: Vec<Preset>,
    /// The ones that hold, by name.
    pub personas: BTreeMap<String, Persona>,
    /// Those of the user that the project hides, by name.
    pub hidden_personas: BTreeMap<String, Persona>,
    pub notes: Vec<Note>,
    /// Values of the project's file that do not hold because they would loosen the user's. A note names each.
    pub ignored: Vec<Setting>,
    /// Where `config set` and `preset save` write, and whether it exists.
    pub project_file: (PathBuf, bool),
    /// `None` when the user has no configuration folder.
    pub user_file: Option<(PathBuf, bool)>,
    settings: Vec<Setting>,
}

/// `[project]`: what the project is called and how its files are shown.
#[derive(Clone, Debug)]
pub struct Project {
    pub name: Option<String>,
    pub strategy: StrategyName,
    pub summary_only: bool,
    pub execution_mode: ExecutionMode,
    pub persona: Option<String>,
}

/// `[output]`: where documents are written, under which name, how many stay, and the order of their files.
#[derive(Clone, Debug)]
pub struct Output {
    pub dir: String,
    pub namespace: Option<String>,
    pub keep: Option<u64>,
    pub order: Option<FileOrder>,
}

/// `[files]`: the composition, and patterns that narrow it.
#[derive(Clone, Debug)]
pub struct Files {
    pub base_dir: String,
    /// `None`: no composition.
    pub paths: Option<Vec<PathEntry>>,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

/// `[screenshots]`: pictures beside the files.
#[derive(Clone, Debug)]
pub struct Screenshots {
    pub base_dir: String,
    pub paths: Vec<String>,
    pub embed: Embed,
}

/// `[discussion]`: what was said so far, here or in a file of its own.
#[derive(Clone, Debug)]
pub struct Discussion {
    pub history: Vec<HistoryEntry>,
    pub history_file: Option<String>,
}

/// `[aggregation]`: the strategy when nobody set one, and the cache.
#[derive(Clone, Debug)]
pub struct Aggregation {
    pub default_mode: DefaultMode,
    pub cache_enabled: bool,
    pub cache_dir: Option<String>,
}

/// `[budget]`: how many tokens a document may have, who counts them, and what becomes of a path that has more.
#[derive(Clone, Debug)]
pub struct Budget {
    pub max_tokens: Option<u64>,
    pub token_buffer: u64,
    pub tokenizer: Option<String>,
    pub truncation: Truncation,
    pub minimum_recent_nodes: u64,
}

/// `[agent]`: the workspace of an agent, and how much of its history and memory is shown at most.
#[derive(Clone, Debug)]
pub struct Agent {
    pub workspace: Option<String>,
    pub max_history_messages: u64,
    pub max_memory_entries: u64,
}

/// One key with its value and who set it.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// `presets."odd name".files`: odd names are quoted.
    pub key: String,
    /// `None`: unset.
    pub value: Option<Node>,
    pub origin: Origin,
}

/// Reads and merges all layers. `file` takes the place of the project's file and must exist.
pub fn load(root: &Path, env: &Env, flags: &[Flag], file: Option<&Path>) -> Result<Config, ConfigError> {
    load_if(root, env, flags, file, None)
}

/// The same as if one of the files held another text.
pub fn load_if(
    root: &Path,
    env: &Env,
    flags: &[Flag],
    file: Option<&Path>,
    other: Option<(&Path, &str)>,
) -> Result<Config, ConfigError> {
    let read = |path: &Path, name: &str| match other {
        Some((changed, text)) if changed == path => Ok(Some(text.to_owned())),
        _ => source::read(path, name),
    };
    let (project_path, project_name) = match file {
        Some(file) => (env.cwd.join(file), file.strip_prefix(root).unwrap_or(file).display().to_string()),
        None => (root.join(PROJECT_FILE), PROJECT_FILE.to_owned()),
    };
    if file.is_none() {
        stays_inside(root, &project_path)?;
    }
    let project_text = read(&project_path, &project_name)?;
    if let (Some(_), None) = (file, &project_text) {
        return Err(SourceText::named(&project_name).failed("configuration file not found"));
    }
    let user_path = env.config_dir.as_ref().map(|folder| folder.join(USER_FILE));
    let user_name = user_path.as_deref().unwrap_or(Path::new(USER_FILE)).display().to_string();
    let user_text = match &user_path {
        Some(path) => read(path, &user_name)?,
        None => None,
    };

    let user = layer::of_file(user_text.as_deref().unwrap_or_default(), &user_name, |line| Origin::User { line })?;
    let project = layer::of_file(project_text.as_deref().unwrap_or_default(), &project_name, |line| Origin::Project {
        file: project_name.clone(),
        line,
    })?;
    let (vars, notes) = layer::of_vars(&env.vars)?;
    let flags = layer::of_flags(flags)?;

    let mut config = merge::merge(user, project, vars, flags);
    config.notes.splice(0..0, notes);
    config.project_file = (project_path, project_text.is_some());
    config.user_file = user_path.map(|path| (path, user_text.is_some()));
    Ok(config)
}

impl Config {
    /// Every key with its value and who set it: the table's keys in its order, then presets and personas by name.
    pub fn origins(&self) -> &[Setting] {
        &self.settings
    }

    /// One key, also an unset one; for `config get`.
    pub fn get(&self, key: &str) -> Result<Setting, ConfigError> {
        let (path, _) = edit::known_key(key)?;
        let shown = layer::dotted(&path);
        let unset = || Setting { key: shown.clone(), value: None, origin: Origin::Default };
        Ok(self.settings.iter().find(|setting| setting.key == shown).cloned().unwrap_or_else(unset))
    }

    /// Who set a key of the table. An explicit `project.strategy = "auto"` differs from none at all.
    pub fn origin(&self, key: &str) -> &Origin {
        self.settings.iter().find(|setting| setting.key == key).map_or(&Origin::Default, |setting| &setting.origin)
    }

    /// The preset that holds under this name.
    pub fn preset(&self, name: &str) -> Result<&Preset, ConfigError> {
        let visible = visible_presets(&self.presets);
        let names = visible.iter().map(|visible| visible.preset.name.as_str());
        let found = visible.iter().find(|visible| visible.preset.name == name).map(|visible| visible.preset);
        found.ok_or_else(|| no_such("preset", name, names, "`contexture preset list` shows all"))
    }

    /// The persona that holds under this name.
    pub fn persona(&self, name: &str) -> Result<&Persona, ConfigError> {
        let names = self.personas.keys().map(String::as_str);
        self.personas.get(name).ok_or_else(|| no_such("persona", name, names, "`contexture persona list` shows all"))
    }
}

fn no_such<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str>, list: &str) -> ConfigError {
    let near = nearest(name, names).map(|near| format!("did you mean `{near}`?"));
    let hint = near.unwrap_or_else(|| list.to_owned());
    SourceText::named("").error(Problem::new(0, name, format!("no such {what}: `{}`", clip(name))).hint(hint))
}

/// A project's file that is a link to somewhere else could bring foreign text into a document.
fn stays_inside(root: &Path, path: &Path) -> Result<(), ConfigError> {
    let is_link = path.symlink_metadata().is_ok_and(|about| about.is_symlink());
    let inside =
        || matches!((root.canonicalize(), path.canonicalize()), (Ok(root), Ok(path)) if path.starts_with(&root));
    if !is_link || inside() {
        return Ok(());
    }
    let mut error = SourceText::named(PROJECT_FILE).failed("is a symbolic link that leads out of the root or nowhere");
    error.hint = Some("`--config FILE` reads a file from anywhere".into());
    Err(error)
}
