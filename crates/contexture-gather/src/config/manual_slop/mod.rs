//! Reads a project of Manual Slop, `manual_slop.toml`, as a `contexture.toml`.
//!
//! Takes text and gives text with notes. Every value is tried against our own table of keys before it is taken, so what comes
//! out can always be loaded; everything that has no place there is a note with its key and line. [`import_file`] reads the
//! two files it may come from; nothing is written.

mod entries;
mod people;
mod write;

use super::edit::owned_path;
use super::error::{ConfigError, SourceText};
use super::keys;
use super::layer::{self, Origin, dotted};
use super::node::{Data, Field, Node};
use super::source;
use crate::names;
use crate::outputs::check_namespace;
use contexture_core::{Note, Topic};
use std::collections::BTreeSet;
use std::path::Path;
use toml_edit::Document;

/// What became of a project.
#[derive(Clone, Debug)]
pub struct ImportedProject {
    /// A `contexture.toml`.
    pub text: String,
    pub notes: Vec<Note>,
    /// Who serves the models of its personas, and where the file says so.
    pub providers: Vec<(String, String)>,
}

/// A file beside the project that holds its discussion.
#[derive(Clone, Copy, Debug)]
pub struct HistoryFile<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

/// The project in this file, with the discussion in the file beside it. `root` is the folder that the new file is for, and `name`
/// what messages call the old one.
pub fn import_file(path: &Path, name: &str, root: &Path) -> Result<ImportedProject, ConfigError> {
    let text = source::read(path, name)?.ok_or_else(|| SourceText::named(name).failed("file not found"))?;
    let beside = path.file_stem().map(|stem| path.with_file_name(format!("{}_history.toml", stem.to_string_lossy())));
    let Some(beside) = beside.filter(|beside| beside.is_file()) else { return read(&text, name, None, Some(root)) };
    let within = |path: &Path| Some(path.canonicalize().ok()?.strip_prefix(root.canonicalize().ok()?).ok()?.to_owned());
    let left = |why: &str| Note::new(Topic::Setting, format!("was left out: {why}")).at(names::display_path(&beside));
    let (history, note) = match (within(&beside), source::read(&beside, name)) {
        (Some(inside), Ok(Some(text))) => (Some((names::display_path(&inside), text)), None),
        (None, _) => (None, Some(left("it lies outside of the folder that the new file is for"))),
        (Some(_), Ok(None) | Err(_)) => (None, Some(left("it cannot be read"))),
    };
    let history = history.as_ref().map(|(name, text)| HistoryFile { name, text });
    let mut imported = read(&text, name, history, Some(root))?;
    imported.notes.extend(note);
    Ok(imported)
}

/// `name` is what messages call the file.
pub fn import(text: &str, name: &str, history: Option<HistoryFile<'_>>) -> Result<ImportedProject, ConfigError> {
    read(text, name, history, None)
}

fn read(
    text: &str,
    name: &str,
    history: Option<HistoryFile<'_>>,
    root: Option<&Path>,
) -> Result<ImportedProject, ConfigError> {
    let place = SourceText::file(name, text);
    let document = Document::parse(text).map_err(|error| place.syntax(&error))?;
    let top = Node::of_item(document.as_item());
    let mut draft = Draft {
        place,
        name,
        root,
        set: Vec::new(),
        known: BTreeSet::new(),
        names: Vec::new(),
        taken: BTreeSet::new(),
        notes: Vec::new(),
        providers: Vec::new(),
    };
    for field in top.as_map().unwrap_or_default() {
        draft.section(field);
    }
    draft.history_file(history);
    draft.unknown_names();
    let text = write::write(&draft.set, &draft.names);
    // Whatever this program writes, it reads.
    layer::of_file(&text, "contexture.toml", |line| Origin::User { line })?;
    Ok(ImportedProject { text, notes: draft.notes, providers: draft.providers })
}

/// What was understood so far.
struct Draft<'a> {
    place: SourceText<'a>,
    name: &'a str,
    /// The folder that the new file is for, where it is known.
    root: Option<&'a Path>,
    /// In the order of the file.
    set: Vec<(Vec<String>, Node)>,
    known: BTreeSet<Vec<String>>,
    /// `(section, name)` of presets and personas, also of those without a key.
    names: Vec<(&'static str, String)>,
    taken: BTreeSet<(&'static str, String)>,
    notes: Vec<Note>,
    providers: Vec<(String, String)>,
}

/// What nests deeper is nothing a person wrote, and could be too deep for a reader of TOML once it stands in a list.
const DEEPEST: usize = 24;

const NO_PLACE: &str = "has no counterpart and was left out";
const LEADS_OUT: &str = "leads out of the project and was left out";
const TO_ROOT: &str = "`--root DIR` takes another folder in";

/// What becomes of a key of theirs.
#[derive(Clone, Copy)]
enum Import {
    /// The key of this section and name.
    Key(&'static str, &'static str),
    /// The same, a folder: one that leads out of the project is left out, with what to do instead.
    Folder(&'static str, &'static str, &'static str),
    Namespace,
    Mode,
    Beads,
    Entries,
    Pictures,
    /// Nothing: why, and what to do instead.
    Nothing(&'static str, &'static str),
}

const OUTPUT_DIR: Import =
    Import::Folder("output", "dir", "`-o FILE` writes anywhere; `contexture config set --global output.dir DIR`");
/// An absolute folder is that of one machine: the new file belongs into it.
const TO_BASE_DIR: &str = "put contexture.toml into that folder, or name it with `--root DIR`";

/// By section and names.
const FIELDS: &[(&str, &str, Import)] = &[
    ("project", "name", Import::Key("project", "name")),
    ("project", "summary_only", Import::Key("project", "summary_only")),
    ("project", "strategy aggregation_strategy", Import::Key("project", "strategy")),
    ("project", "persona active_persona", Import::Key("project", "persona")),
    ("project", "execution_mode mode", Import::Mode),
    ("project", "output_dir", OUTPUT_DIR),
    ("project", "namespace", Import::Namespace),
    ("project", "system_prompt", Import::Nothing(NO_PLACE, "a persona has one: `[personas.NAME] system_prompt`")),
    ("project", "main_context", Import::Nothing(NO_PLACE, "add the file to `files.paths`")),
    ("beads", "enabled", Import::Beads),
    ("output", "output_dir dir", OUTPUT_DIR),
    ("output", "namespace", Import::Namespace),
    ("files", "base_dir", Import::Folder("files", "base_dir", TO_BASE_DIR)),
    ("files", "paths files", Import::Entries),
    ("files", "include", Import::Key("files", "include")),
    ("files", "exclude", Import::Key("files", "exclude")),
    ("screenshots", "base_dir", Import::Folder("screenshots", "base_dir", TO_BASE_DIR)),
    ("screenshots", "paths screenshots", Import::Pictures),
    ("aggregation", "default_mode", Import::Key("aggregation", "default_mode")),
    ("aggregation", "cache_enabled", Import::Key("aggregation", "cache_enabled")),
    (
        "aggregation",
        "cache_dir",
        Import::Nothing(
            "was left out: a cache that comes with a project is not trusted",
            "`contexture config set --global aggregation.cache_dir DIR`",
        ),
    ),
];

impl Draft<'_> {
    fn section(&mut self, field: &Field) {
        let is_known = |section: &str| FIELDS.iter().any(|(known, ..)| *known == section);
        match (field.key.as_str(), field.node.as_map()) {
            ("discussion", Some(fields)) => self.discussion(fields),
            ("files", None) => self.entries(&["files", "paths"], &field.node, "files"),
            ("screenshots", None) => self.pictures(&["screenshots", "paths"], &field.node, "screenshots"),
            ("history", None) => self.history_entries(&field.node, "history"),
            ("presets" | "context_presets" | "personas", _) => self.people(field),
            // Older files had no sections for these.
            ("name" | "namespace" | "output_dir" | "summary_only" | "execution_mode", None) => {
                self.field("project", field, &dotted(&[&field.key]));
            }
            (section, Some(fields)) if !fields.is_empty() || is_known(section) => {
                fields.iter().for_each(|field| self.field(section, field, &dotted(&[section, &field.key])));
            }
            _ => self.leave(&dotted(&[&field.key]), field.key_at, NO_PLACE),
        }
    }

    /// `from` is what messages call it.
    fn field(&mut self, section: &str, field: &Field, from: &str) {
        let (node, at) = (&field.node, field.key_at);
        let is_it = |(known, names, _): &&(&str, &str, Import)| {
            *known == section && names.split(' ').any(|name| name == field.key)
        };
        match FIELDS.iter().find(is_it).map(|(.., import)| *import) {
            Some(Import::Key(section, key)) => self.put(&[section, key], node, from, at),
            Some(Import::Folder(section, key, hint)) => match node.as_text() {
                Some(dir) if leads_out(dir) => self.leave_with(from, at, LEADS_OUT, hint),
                Some("") if key == "base_dir" => {}
                _ => self.put(&[section, key], node, from, at),
            },
            Some(Import::Namespace) => match node.as_text().map(check_namespace) {
                Some(Err(error)) => self.leave(from, at, &format!("was left out: {error}")),
                _ => self.put(&["output", "namespace"], node, from, at),
            },
            Some(Import::Mode) => {
                // What they call a project without beads.
                let word = if node.as_text() == Some("native") { "standard".into() } else { node.clone() };
                self.put(&["project", "execution_mode"], &word, from, at);
            }
            Some(Import::Beads) => match node.data {
                Data::Bool(true) => self.put(&["project", "execution_mode"], &"beads".into(), from, at),
                Data::Bool(false) => {}
                _ => self.leave(from, at, NO_PLACE),
            },
            Some(Import::Entries) => self.entries(&["files", "paths"], node, from),
            Some(Import::Pictures) => self.pictures(&["screenshots", "paths"], node, from),
            Some(Import::Nothing(why, hint)) => self.leave_with(from, at, why, hint),
            None => self.leave(from, at, NO_PLACE),
        }
    }

    fn discussion(&mut self, fields: &[Field]) {
        let active = fields.iter().find(|field| field.key == "active").and_then(|field| field.node.as_text());
        for field in fields {
            let from = dotted(&["discussion", &field.key]);
            match field.key.as_str() {
                "active" if field.node.as_text().is_some() => {}
                "history" | "entries" => self.history_entries(&field.node, &from),
                "history_file" => match field.node.as_text() {
                    Some(file) if leads_out(file) => self.leave_with(&from, field.key_at, LEADS_OUT, TO_ROOT),
                    _ => self.put(&["discussion", "history_file"], &field.node, &from, field.key_at),
                },
                "discussions" => self.discussions(field, active, &from),
                _ => self.leave(&from, field.key_at, NO_PLACE),
            }
        }
    }

    /// Of several discussions the active one is taken, else `main`, else the first.
    fn discussions(&mut self, field: &Field, active: Option<&str>, from: &str) {
        let Some(all) = field.node.as_map() else { return self.leave(from, field.key_at, NO_PLACE) };
        let named = |name: Option<&str>| all.iter().position(|one| Some(one.key.as_str()) == name);
        let chosen = named(active).or_else(|| named(Some("main"))).unwrap_or_default();
        for (index, one) in all.iter().enumerate() {
            let from = format!("{from}.{}", dotted(&[&one.key]));
            match one.node.as_map() {
                Some(fields) if index == chosen => {
                    for field in fields {
                        let from = format!("{from}.{}", dotted(&[&field.key]));
                        match field.key.as_str() {
                            "history" | "entries" => self.history_entries(&field.node, &from),
                            _ => self.leave(&from, field.key_at, NO_PLACE),
                        }
                    }
                }
                _ => self.leave(&from, one.key_at, "is not the active discussion and was left out"),
            }
        }
    }

    fn history_entries(&mut self, node: &Node, from: &str) {
        let list = match &node.data {
            Data::List(list) => list.clone(),
            // One text is one excerpt.
            Data::Text(_) => vec![node.clone()],
            _ => return self.leave(from, node.at.0, "is no list and was left out"),
        };
        let mut said = Vec::new();
        for (index, entry) in list.into_iter().enumerate() {
            match entry.data {
                Data::Text(_) | Data::Map(_) => said.push(entry),
                _ => self.leave(&format!("{from}[{index}]"), entry.at.0, "is no text and was left out"),
            }
        }
        self.put(&["discussion", "history"], &Node { data: Data::List(said), at: node.at }, from, node.at.0);
    }

    /// The file beside the project, unless the project itself holds or names a discussion.
    fn history_file(&mut self, history: Option<HistoryFile<'_>>) {
        let Some(HistoryFile { name, text }) = history else { return };
        let note = |text: &str| Note::new(Topic::Setting, text).at(name);
        if self.has(&["discussion", "history"]) || self.has(&["discussion", "history_file"]) {
            return self.notes.push(note("was left out: the project itself has a discussion"));
        }
        let parsed = Document::parse(text).ok().map(|document| Node::of_item(document.as_item()));
        let Some(root) = parsed else { return self.notes.push(note("was left out: it is no TOML")) };
        let top = root.get("discussion").unwrap_or(&root);
        match top.get("discussions") {
            Some(_) => {
                // Places in another file would name the wrong lines.
                let before = self.notes.len();
                self.discussion(top.as_map().unwrap_or_default());
                let told = self.notes.split_off(before);
                self.notes.extend(told.into_iter().map(|told| told.at(name)));
            }
            None => self.put(&["discussion", "history_file"], &name.into(), name, 0),
        }
    }

    /// Personas and presets that somebody names must be there, or every run would end with that.
    fn unknown_names(&mut self) {
        let (taken, mut notes) = (&self.taken, Vec::new());
        let is_there = |section: &'static str, name: &Node| {
            name.as_text().is_some_and(|name| taken.contains(&(section, name.to_owned())))
        };
        self.set.retain(|(path, node)| {
            let section = match path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["project", "persona"] => "personas",
                ["personas", _, "context_preset"] => "presets",
                _ => return true,
            };
            let is_there = is_there(section, node);
            if !is_there {
                let text =
                    format!("`{} = {node}` was left out: this file has no such name in `{section}`", dotted(path));
                let line = self.place.line(node.at.0);
                notes.push(Note::new(Topic::Setting, text).at(format!("{}:{line}", self.name)));
            }
            is_there
        });
        self.notes.append(&mut notes);
    }

    fn has(&self, path: &[&str]) -> bool {
        self.known.contains(&owned_path(path))
    }

    /// Takes a value for a key of ours, if the key can have it.
    fn put(&mut self, path: &[&str], node: &Node, from: &str, at: usize) {
        let shown = dotted(path);
        let Some(known) = keys::find(path) else { return self.leave(from, at, NO_PLACE) };
        if self.has(path) {
            return self.leave(from, at, &format!("was left out: `{shown}` is known already"));
        }
        if depth(node) > DEEPEST {
            return self.leave(from, at, "was left out: it nests too deep");
        }
        match layer::check(node, known, &shown) {
            Ok(()) => {
                self.known.insert(owned_path(path));
                self.set.push((owned_path(path), node.clone()));
            }
            Err(problem) => self.leave(from, at, &format!("was left out: {}", problem.cause)),
        }
    }

    /// A path as the new file has it; none, and a note, for one that leads out of the project.
    fn path(&mut self, path: &str, from: &str, at: usize) -> Option<String> {
        let within = self.root.and_then(|root| Path::new(path).strip_prefix(root).ok()).map(names::display_path);
        let path = within.unwrap_or_else(|| path.to_owned());
        if leads_out(&path) {
            self.leave_with(from, at, LEADS_OUT, TO_ROOT);
            return None;
        }
        Some(path)
    }

    fn leave_with(&mut self, from: &str, at: usize, why: &str, hint: &str) {
        let note = self.note(from, at, why).hint(hint);
        self.notes.push(note);
    }

    fn leave(&mut self, from: &str, at: usize, why: &str) {
        let note = self.note(from, at, why);
        self.notes.push(note);
    }

    fn note(&self, from: &str, at: usize, why: &str) -> Note {
        Note::new(Topic::Setting, format!("`{from}` {why}")).at(self.line_of(at))
    }

    fn line_of(&self, at: usize) -> String {
        format!("{}:{}", self.name, self.place.line(at))
    }
}

/// Absolute here or on Windows, or upwards.
fn leads_out(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    path.starts_with(['/', '\\', '~']) || drive || path.split(['/', '\\']).any(|part| part == "..")
}

/// Levels of lists and tables. The input is no deeper than its parser allows.
fn depth(node: &Node) -> usize {
    match &node.data {
        Data::List(list) => 1 + list.iter().map(depth).max().unwrap_or_default(),
        Data::Map(map) => 1 + map.iter().map(|field| depth(&field.node)).max().unwrap_or_default(),
        Data::Null | Data::Bool(_) | Data::Int(_) | Data::Float(_) | Data::Text(_) | Data::Date(_) => 0,
    }
}
