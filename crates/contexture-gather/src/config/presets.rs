//! Presets: named compositions of a project or of the user, seen together and compared.
//!
//! Plain data and two questions about it. Saving and removing is `edit`, applying is the operations'.

use super::entry::PathEntry;
use contexture_core::keywords;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Where a preset or persona is defined. The project's wins over the user's of the same name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Scope {
    #[default]
    Project,
    Global,
}

keywords!(Scope { Project = "project", Global = "global" });

/// A composition that was saved under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    pub name: String,
    pub description: Option<String>,
    pub files: Vec<PathEntry>,
    pub screenshots: Vec<String>,
    pub scope: Scope,
}

/// A preset in the merged view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisiblePreset<'a> {
    pub preset: &'a Preset,
    /// The user's preset of the same name, which this one hides.
    pub shadows: Option<&'a Preset>,
}

/// One preset for each name, sorted by name; the project's wins.
pub fn visible_presets(presets: &[Preset]) -> Vec<VisiblePreset<'_>> {
    let mut by_name: BTreeMap<&str, VisiblePreset<'_>> = BTreeMap::new();
    for preset in presets {
        by_name
            .entry(&preset.name)
            .and_modify(|seen| {
                let (winner, loser) =
                    if preset.scope < seen.preset.scope { (preset, seen.preset) } else { (seen.preset, preset) };
                *seen = VisiblePreset { preset: winner, shadows: Some(loser) };
            })
            .or_insert(VisiblePreset { preset, shadows: None });
    }
    by_name.into_values().collect()
}

/// What leads from one preset to another.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PresetDiff {
    pub description: Option<FieldChange>,
    pub added: Vec<PathEntry>,
    pub removed: Vec<PathEntry>,
    pub changed: Vec<EntryChange>,
    pub screenshots_added: Vec<String>,
    pub screenshots_removed: Vec<String>,
}

/// Differences between two entries of one path.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EntryChange {
    pub path: String,
    pub fields: Vec<FieldChange>,
}

/// Old and new value as TOML; null where it is not set.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FieldChange {
    pub field: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

impl PresetDiff {
    /// Whether both presets show the same.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Entries are paired by path, several with one path in their order.
pub fn diff(old: &Preset, new: &Preset) -> PresetDiff {
    let mut found = PresetDiff::default();
    if old.description != new.description {
        found.description = Some(FieldChange {
            field: "description".into(),
            old: old.description.clone(),
            new: new.description.clone(),
        });
    }
    let (before, after) = (by_path(&old.files), by_path(&new.files));
    for path in before.keys().chain(after.keys()).copied().collect::<BTreeSet<&str>>() {
        let before = before.get(path).map(Vec::as_slice).unwrap_or_default();
        let after = after.get(path).map(Vec::as_slice).unwrap_or_default();
        for (old, new) in before.iter().zip(after).filter(|(old, new)| old != new) {
            found.changed.push(EntryChange { path: path.to_owned(), fields: changes(old, new) });
        }
        found.removed.extend(before.iter().skip(after.len()).map(|entry| (*entry).clone()));
        found.added.extend(after.iter().skip(before.len()).map(|entry| (*entry).clone()));
    }
    let (before, after): (BTreeSet<_>, BTreeSet<_>) =
        (old.screenshots.iter().collect(), new.screenshots.iter().collect());
    found.screenshots_added = after.difference(&before).map(|path| (*path).clone()).collect();
    found.screenshots_removed = before.difference(&after).map(|path| (*path).clone()).collect();
    found
}

fn by_path(entries: &[PathEntry]) -> BTreeMap<&str, Vec<&PathEntry>> {
    let mut map: BTreeMap<&str, Vec<&PathEntry>> = BTreeMap::new();
    for entry in entries {
        map.entry(&entry.path).or_default().push(entry);
    }
    map
}

fn changes(old: &PathEntry, new: &PathEntry) -> Vec<FieldChange> {
    let (old, new) = (fields(old), fields(new));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    names
        .into_iter()
        .map(|name| FieldChange { field: name.clone(), old: old.get(name).cloned(), new: new.get(name).cloned() })
        .filter(|change| change.old != change.new)
        .collect()
}

fn fields(entry: &PathEntry) -> BTreeMap<String, String> {
    let node = entry.to_node();
    let fields = node.as_map().unwrap_or_default().iter().filter(|field| field.key != "path");
    fields.map(|field| (field.key.clone(), field.node.to_string())).collect()
}
