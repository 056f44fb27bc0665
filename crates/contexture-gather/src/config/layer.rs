//! One layer of the configuration: a file, the variables, or the flags.
//!
//! Takes text or values; gives the keys set there, each checked against the table and with its origin. Does not know
//! which layer wins.

use super::entry;
use super::error::{ConfigError, Problem, SourceText, clip, nearest};
use super::keys::{self, KEYS, Key, NAMED, SECTIONS, ValueKind};
use super::node::{Data, Field, Node, bare};
use contexture_core::{Note, Topic};
use std::collections::BTreeMap;
use std::fmt;
use toml_edit::{Document, Value};

/// A flag that sets a key: the key's path, the value, the flag as it is written.
pub type Flag = (&'static str, Value, &'static str);

/// Who set a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// As it is written, `--budget`.
    Flag(&'static str),
    /// The name of the variable.
    Env(String),
    /// A file of the project; lines are counted from 1.
    Project {
        file: String,
        line: usize,
    },
    /// The user's file; lines are counted from 1.
    User {
        line: usize,
    },
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag {name}"),
            Self::Env(name) => write!(f, "env {name}"),
            Self::Project { file, line } => write!(f, "{}:{line}", contexture_core::render::printable(file)),
            Self::User { line } => write!(f, "user config.toml:{line}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A key that is set.
#[derive(Clone, Debug)]
pub(super) struct SetKey {
    pub path: Vec<String>,
    pub key: &'static Key,
    pub node: Node,
    pub origin: Origin,
}

impl SetKey {
    pub fn dotted_key(&self) -> String {
        dotted(&self.path)
    }
}

#[derive(Debug, Default)]
pub(super) struct Layer {
    pub found: Vec<SetKey>,
    /// `(section, name)` of presets and personas, also of those without a key.
    pub names: Vec<(String, String)>,
}

/// A file. `origin` makes the origin of a line.
pub(super) fn of_file(text: &str, shown: &str, origin: impl Fn(usize) -> Origin) -> Result<Layer, ConfigError> {
    let place = SourceText::file(shown, text);
    let document = Document::parse(text).map_err(|error| place.syntax(&error))?;
    of_root(&Node::of_item(document.as_item()), |at| origin(place.line(at))).map_err(|problem| place.error(problem))
}

fn of_root(root: &Node, origin: impl Fn(usize) -> Origin) -> Result<Layer, Problem> {
    let mut layer = Layer::default();
    for section in root.as_map().unwrap_or_default() {
        let name = section.key.as_str();
        if !SECTIONS.iter().any(|(known, _)| *known == name) {
            return Err(keys::unknown(section.key_at, &[name], &dotted(&[name])));
        }
        let fields = table(section, &bare(name))?;
        if !NAMED.contains(&name) {
            for field in fields {
                layer.found.push(take(&[name, &field.key], field, &origin)?);
            }
            continue;
        }
        for named in fields {
            layer.names.push((name.to_owned(), named.key.clone()));
            for field in table(named, &dotted(&[name, &named.key]))? {
                layer.found.push(take(&[name, &named.key, &field.key], field, &origin)?);
            }
        }
    }
    Ok(layer)
}

fn table<'a>(field: &'a Field, shown: &str) -> Result<&'a [Field], Problem> {
    field.node.as_map().ok_or_else(|| {
        let mut problem = Problem::wrong_type(&field.node, shown, "a section");
        problem.at = field.key_at;
        problem.hint(format!("for example `[{shown}]` on a line of its own"))
    })
}

fn take(path: &[&str], field: &Field, origin: impl Fn(usize) -> Origin) -> Result<SetKey, Problem> {
    let key = keys::find(path).ok_or_else(|| keys::unknown(field.key_at, path, &dotted(path)))?;
    check(&field.node, key, &dotted(path))?;
    Ok(SetKey {
        path: path.iter().map(|part| (*part).to_owned()).collect(),
        key,
        node: field.node.clone(),
        origin: origin(field.key_at),
    })
}

/// `CONTEXTURE_<SECTION>_<KEY>`. An empty variable is one that is not set.
pub(super) fn of_vars(vars: &BTreeMap<String, String>) -> Result<(Layer, Vec<Note>), ConfigError> {
    let mut layer = Layer::default();
    let mut notes = Vec::new();
    let known: BTreeMap<String, &'static Key> = KEYS.iter().filter_map(|key| Some((key.variable()?, key))).collect();
    for (name, text) in vars.iter().filter(|(_, text)| !text.is_empty()) {
        let Some(key) = known.get(name) else {
            notes.extend(stray(name));
            continue;
        };
        let node = parse_value(key, key.path, text)
            .map_err(|problem| SourceText::named(format!("env {name}")).error(problem))?;
        let path = key.path.split('.').map(str::to_owned).collect();
        layer.found.push(SetKey { path, key, node, origin: Origin::Env(name.clone()) });
    }
    Ok((layer, notes))
}

/// A variable that looks like a setting but is none. Others, such as one for logs, are not ours to judge.
fn stray(name: &str) -> Option<Note> {
    let lower = name.strip_prefix("CONTEXTURE_")?.to_lowercase();
    let (section, rest) = lower.split_once('_')?;
    SECTIONS.iter().find(|(known, _)| *known == section)?;
    let note = Note::new(Topic::Setting, format!("unknown variable: `{}`", clip(name)));
    let leaves = KEYS.iter().filter(|key| key.section() == section && key.variable().is_some()).map(Key::leaf);
    Some(match nearest(rest, leaves) {
        Some(near) => {
            note.hint(format!("did you mean `CONTEXTURE_{}_{}`?", section.to_uppercase(), near.to_uppercase()))
        }
        None => note.hint("`contexture config --origins` lists every key"),
    })
}

pub(super) fn of_flags(flags: &[Flag]) -> Result<Layer, ConfigError> {
    let mut layer = Layer::default();
    for (path, value, flag) in flags {
        let place = SourceText::named(format!("flag {flag}"));
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        let shown = dotted(&path);
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let key = keys::find(&path).ok_or_else(|| place.error(keys::unknown(0, &parts, &shown)))?;
        let node = Node::of_value(value);
        check(&node, key, &shown).map_err(|problem| place.error(problem))?;
        layer.found.push(SetKey { path, key, node, origin: Origin::Flag(flag) });
    }
    Ok(layer)
}

/// A value given as plain words, on a command line or in a variable: strings need no quotes, and what is in quotes is what they hold.
///
/// A list is TOML when it starts with `[`; otherwise each line is one element, because globs hold commas and spaces.
pub(super) fn parse_value(key: &Key, shown: &str, text: &str) -> Result<Node, Problem> {
    let toml = || text.trim().parse::<Value>().ok().map(|value| Node::of_value(&value));
    let node = match key.kind {
        ValueKind::Text | ValueKind::Path | ValueKind::OneOf(_) => match toml() {
            Some(node) if text.trim_start().starts_with(['"', '\'']) => node,
            _ => text.into(),
        },
        ValueKind::Bool | ValueKind::Whole(..) => toml().unwrap_or_else(|| text.into()),
        ValueKind::Texts | ValueKind::Entries | ValueKind::History | ValueKind::Models => match toml() {
            Some(node) if node.as_list().is_some() => node,
            _ if text.trim_start().starts_with('[') => {
                let problem = Problem::new(0, shown, format!("`{shown}` is not a TOML list: `{}`", clip(text)));
                return Err(problem.hint(format!("for example `{}`", key.example)));
            }
            _ => Data::List(text.lines().filter(|line| !line.is_empty()).map(Node::from).collect()).into(),
        },
    };
    check(&node, key, shown)?;
    Ok(node)
}

/// Whether the value is one that the key can have.
pub(super) fn check(node: &Node, key: &Key, shown: &str) -> Result<(), Problem> {
    check_value(node, key, shown).map_err(|problem| {
        // Deep inside an entry or a model, an example of the whole list would not help.
        let inside =
            matches!(key.kind, ValueKind::Entries | ValueKind::Models) && problem.key.as_deref() != Some(shown);
        match problem.hint {
            None if !inside => problem.hint(format!("for example `{} = {}`", key.leaf(), key.example)),
            _ => problem,
        }
    })
}

fn check_value(node: &Node, key: &Key, shown: &str) -> Result<(), Problem> {
    let wrong = || Err(Problem::wrong_type(node, shown, &key.kind.expected()));
    match (key.kind, &node.data) {
        (ValueKind::Text, Data::Text(_)) | (ValueKind::Bool, Data::Bool(_)) | (ValueKind::History, Data::List(_)) => {
            Ok(())
        }
        (ValueKind::Path, Data::Text(path)) if path.is_empty() || path.contains('\0') => {
            Err(Problem::wrong_value(node, shown, "a path"))
        }
        (ValueKind::Path, Data::Text(_)) => Ok(()),
        (ValueKind::Whole(least, most), Data::Int(number)) if (least..=most).contains(number) => Ok(()),
        (ValueKind::Whole(..), Data::Int(_)) => Err(Problem::wrong_value(node, shown, &key.kind.expected())),
        (ValueKind::OneOf(words), Data::Text(word)) if words.contains(&word.as_str()) => Ok(()),
        (ValueKind::OneOf(words), Data::Text(word)) => Err(Problem::wrong_word(node, shown, word, words)),
        (ValueKind::Texts, Data::List(_)) => entry::texts(node, shown).map(drop),
        (ValueKind::Entries, Data::List(_)) => entry::read_all(node, shown).map(drop),
        (ValueKind::Models, Data::List(_)) => super::personas::models(node, shown).map(drop),
        (
            ValueKind::Text
            | ValueKind::Bool
            | ValueKind::History
            | ValueKind::Path
            | ValueKind::Whole(..)
            | ValueKind::OneOf(_)
            | ValueKind::Texts
            | ValueKind::Entries
            | ValueKind::Models,
            _,
        ) => wrong(),
    }
}

/// A path as TOML writes it: odd names are quoted.
pub(super) fn dotted<S: AsRef<str>>(path: &[S]) -> String {
    path.iter().map(|part| bare(part.as_ref())).collect::<Vec<_>>().join(".")
}
