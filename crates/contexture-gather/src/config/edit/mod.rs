//! Changes to the text of a configuration file that leave every other byte as it is.
//!
//! Text in, text out: comments, order, unknown fields, line ends and blank lines stay. An edit replaces, inserts or cuts
//! the bytes of what it changes, and is then proved: the new text is read again and must say the same as before in every
//! key but the changed one. Touches no file.

mod list;
mod slices;
pub(super) mod spot;

pub use slices::NewSlice;

use super::entry::PathEntry;
use super::error::{ConfigError, Problem, SourceText, clip};
use super::keys::{self, Key, ValueKind};
use super::layer::{self, Origin, dotted};
use super::node::{Data, Node};
use super::presets::Preset;
use std::collections::BTreeMap;
use toml_edit::Document;

/// Sets a key to a value given as plain words, as on a command line. A missing section is made.
pub fn set_key(text: &str, key: &str, value: &str) -> Result<String, ConfigError> {
    let (path, known) = known_key(key)?;
    let shown = dotted(&path);
    let node = layer::parse_value(known, &shown, value).map_err(|problem| SourceText::named("").error(problem))?;
    edit(text, &path, |text| match known.kind {
        ValueKind::Entries | ValueKind::Texts => list::replace(text, &path, node.as_list().unwrap_or_default()),
        _ => spot::put(text, &path, &node.to_string()),
    })
}

/// Takes a key out, so that the layer below holds again. Nothing happens when it is not there.
pub fn unset_key(text: &str, key: &str) -> Result<String, ConfigError> {
    let (path, _) = known_key(key)?;
    edit(text, &path, |text| spot::remove(text, &path))
}

/// Replaces the composition, `files.paths`. Entries that stay keep their own text and comments.
pub fn set_files(text: &str, entries: &[PathEntry]) -> Result<String, ConfigError> {
    let path = owned_path(&["files", "paths"]);
    let nodes: Vec<Node> = entries.iter().map(PathEntry::to_node).collect();
    edit(text, &path, |text| list::replace(text, &path, &nodes))
}

/// Stores slices of the composition anew, each where it stands.
pub fn store_slices(text: &str, new: &[NewSlice]) -> Result<String, ConfigError> {
    let path = owned_path(&["files", "paths"]);
    edit(text, &path, |text| slices::store(text, &path, new))
}

/// Replaces `screenshots.paths`, as [`set_files`] does with files.
pub fn set_screenshots(text: &str, paths: &[String]) -> Result<String, ConfigError> {
    let path = owned_path(&["screenshots", "paths"]);
    edit(text, &path, |text| list::replace(text, &path, &texts(paths)))
}

/// Adds a preset, or makes the one of that name like this one. Its scope is the file it is written to.
pub fn save_preset(text: &str, preset: &Preset) -> Result<String, ConfigError> {
    let base = ["presets", &preset.name];
    let at = |leaf: &str| owned_path(&[base[0], base[1], leaf]);
    let files: Vec<Node> = preset.files.iter().map(PathEntry::to_node).collect();
    edit(text, &owned_path(&base), |text| {
        let text = match &preset.description {
            Some(description) => spot::put(text, &at("description"), &Node::from(description.as_str()).to_string())?,
            None => spot::remove(text, &at("description"))?,
        };
        let text = list::replace(&text, &at("files"), &files)?;
        match preset.screenshots.as_slice() {
            [] => spot::remove(&text, &at("screenshots")),
            paths => list::replace(&text, &at("screenshots"), &texts(paths)),
        }
    })
}

/// Takes a preset out with the comment above it. Nothing happens when it is not there.
pub fn remove_preset(text: &str, name: &str) -> Result<String, ConfigError> {
    let path = owned_path(&["presets", name]);
    edit(text, &path, |text| spot::remove(text, &path))
}

/// The parts of a key's path and its row in the table.
pub(super) fn known_key(key: &str) -> Result<(Vec<String>, &'static Key), ConfigError> {
    let place = SourceText::named("");
    let parts = toml_edit::Key::parse(key).map_err(|_| {
        let problem = Problem::new(0, key, format!("not a key: `{}`", clip(key)));
        place.error(problem.hint("put an odd name in quotes: `presets.\"my preset\".files`"))
    })?;
    let path: Vec<String> = parts.iter().map(|part| part.get().to_owned()).collect();
    match keys::find(&path) {
        Some(known) => Ok((path, known)),
        None => {
            let parts: Vec<&str> = path.iter().map(String::as_str).collect();
            Err(place.error(keys::unknown(0, &parts, &dotted(&path))))
        }
    }
}

/// Runs an edit and proves that it changed nothing outside `path` and left a file that can be read.
fn edit(
    text: &str,
    path: &[String],
    change: impl FnOnce(&str) -> Result<String, Problem>,
) -> Result<String, ConfigError> {
    let new = edit_any(text, path, change)?;
    if new != text {
        layer::of_file(&new, "", |_| Origin::Default)?;
    }
    Ok(new)
}

/// The same in a file of another program: what its keys mean is not for us to judge.
pub(super) fn edit_any(
    text: &str,
    path: &[String],
    change: impl FnOnce(&str) -> Result<String, Problem>,
) -> Result<String, ConfigError> {
    let before = leaves(text)?;
    let new = change(text).map_err(|problem| SourceText::file("", text).error(problem))?;
    if new == text {
        return Ok(new);
    }
    let outside = |leaves: BTreeMap<Vec<String>, Node>| -> Vec<(Vec<String>, Node)> {
        leaves.into_iter().filter(|(leaf, _)| !leaf.starts_with(path)).collect()
    };
    if outside(before) != outside(leaves(&new)?) {
        let cause = format!("`{}` cannot be changed here without changing other keys", clip(&dotted(path)));
        let problem = Problem::new(0, dotted(path), cause).hint("edit the file by hand");
        return Err(SourceText::named("").error(problem));
    }
    Ok(new)
}

/// Every value that is no table, by its path.
fn leaves(text: &str) -> Result<BTreeMap<Vec<String>, Node>, ConfigError> {
    let document = Document::parse(text).map_err(|error| SourceText::file("", text).syntax(&error))?;
    let mut found = BTreeMap::new();
    let mut open = vec![(Vec::new(), Node::of_item(document.as_item()))];
    while let Some((path, node)) = open.pop() {
        match node.data {
            Data::Map(fields) => open.extend(fields.into_iter().map(|field| {
                let mut path: Vec<String> = path.clone();
                path.push(field.key);
                (path, field.node)
            })),
            _ => drop(found.insert(path, node)),
        }
    }
    Ok(found)
}

pub(super) fn owned_path(path: &[&str]) -> Vec<String> {
    path.iter().map(|part| (*part).to_owned()).collect()
}

fn texts(paths: &[String]) -> Vec<Node> {
    paths.iter().map(|path| path.as_str().into()).collect()
}
