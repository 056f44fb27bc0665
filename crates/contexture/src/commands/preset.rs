//! `preset save|list|show|apply|diff|rm`.

use crate::args::PresetVerb;
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, path};
use contexture_gather::config::{Entry, PresetDiff, Scope};
use contexture_gather::entries_from_text;
use contexture_server::ops::{self, Door, PresetShown};
use serde_json::{Value, json};
use std::io::Read;

pub fn run(door: &Door, verb: PresetVerb, ui: &Ui) -> Result<(), Failure> {
    match verb {
        PresetVerb::Save { name, paths, description, from, global } => {
            let scope = if global { Scope::Global } else { Scope::Project };
            let files = match from {
                Some(file) => Some(entries_from(door, &file)?),
                None if paths.is_empty() => None,
                None => Some(paths.into_iter().map(Entry::new).collect()),
            };
            let (file, notes) = ops::preset_save(door, &name, &description, files, scope)?;
            if ui.json {
                ui.print_json(&json!({"v": 1, "saved": name, "file": file.display().to_string(), "notes": contexture_server::wire::notes(&notes)}))?;
            }
            ui.notes(&notes);
            ui.say(&format!("saved `{name}` in {}", file.display()));
        }
        PresetVerb::List => {
            let presets = ops::preset_list(door)?;
            if ui.json {
                ui.print_json(&json!({"v": 1, "presets": presets.iter().map(value).collect::<Vec<_>>()}))?;
                return Ok(());
            }
            if presets.is_empty() {
                ui.say("there is no preset yet; `contexture preset save NAME 'src/**'` makes one");
            }
            let mut out = String::new();
            for shown in &presets {
                let preset = &shown.preset;
                let about = preset.description.as_deref().unwrap_or_default();
                let shadow = if shown.shadows_global { ", hides a global one" } else { "" };
                out.push_str(&format!(
                    "{}  ({}{shadow}, entries: {})  {about}\n",
                    path(&preset.name),
                    scope(preset.scope),
                    preset.files.len()
                ));
            }
            ui.print(&out)?;
        }
        PresetVerb::Show { name } => print(&ops::preset_show(door, &name)?, ui)?,
        PresetVerb::Apply { name } => {
            let applied = ops::preset_apply(door, &name)?;
            if ui.json {
                ui.print_json(&json!({"v": 1, "applied": value(&applied)}))?;
            }
            ui.say(&format!("`{name}` is now the composition (entries: {})", applied.preset.files.len()));
            for missing in &applied.missing {
                ui.say(&format!("note: {}: not there; it will stand as an error in the document", path(missing)));
            }
        }
        PresetVerb::Diff { a, b } => {
            let difference = ops::preset_diff(door, &a, b.as_deref())?;
            if ui.json {
                ui.print_json(&diff_value(&difference))?;
            } else {
                ui.print(&diff_text(&difference))?;
            }
        }
        PresetVerb::Rm { name, global } => {
            let file = ops::preset_remove(door, &name, global.then_some(Scope::Global))?;
            if ui.json {
                ui.print_json(&json!({"v": 1, "removed": name, "file": file.display().to_string()}))?;
            }
            ui.say(&format!("removed `{name}` from {}", file.display()));
        }
    }
    Ok(())
}

fn entries_from(door: &Door, file: &std::path::Path) -> Result<Vec<Entry>, Failure> {
    let mut text = String::new();
    if file == std::path::Path::new("-") {
        std::io::stdin().lock().read_to_string(&mut text)?;
    } else {
        text = std::fs::read_to_string(door.env.cwd.join(file)).map_err(|error| {
            Failure::new(Kind::Usage, format!("cannot read `{}`: {}", file.display(), error.kind()))
        })?;
    }
    Ok(entries_from_text(&text, &file.display().to_string())?)
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::Global => "global",
    }
}

fn value(shown: &PresetShown) -> Value {
    json!({
        "name": shown.preset.name,
        "scope": scope(shown.preset.scope),
        "description": shown.preset.description,
        "files": shown.preset.files.iter().map(Entry::to_json).collect::<Vec<_>>(),
        "screenshots": shown.preset.screenshots,
        "missing": shown.missing,
        "shadows_global": shown.shadows_global,
    })
}

fn print(shown: &PresetShown, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        let mut all = json!({"v": 1});
        if let (Some(all), Value::Object(value)) = (all.as_object_mut(), value(shown)) {
            all.extend(value);
        }
        ui.print_json(&all)?;
        return Ok(());
    }
    let mut out = String::new();
    if let Some(about) = &shown.preset.description {
        out.push_str(&format!("# {}\n", path(about)));
    }
    for entry in &shown.preset.files {
        out.push_str(&format!("{}\n", entry.to_toml().trim_end()));
    }
    for picture in &shown.preset.screenshots {
        out.push_str(&format!("screenshot {}\n", path(picture)));
    }
    ui.print(&out)?;
    for missing in &shown.missing {
        ui.say(&format!("note: {}: not there", path(missing)));
    }
    Ok(())
}

fn diff_text(difference: &PresetDiff) -> String {
    if difference.is_empty() {
        return "the same\n".into();
    }
    let mut out = String::new();
    difference.removed.iter().for_each(|entry| out.push_str(&format!("- {}\n", path(&entry.path))));
    difference.added.iter().for_each(|entry| out.push_str(&format!("+ {}\n", path(&entry.path))));
    for change in &difference.changed {
        let fields: Vec<String> = change
            .fields
            .iter()
            .map(|field| {
                format!(
                    "{} {} -> {}",
                    field.field,
                    field.old.as_deref().unwrap_or("unset"),
                    field.new.as_deref().unwrap_or("unset")
                )
            })
            .collect();
        out.push_str(&format!("~ {}: {}\n", path(&change.path), fields.join(", ")));
    }
    difference.screenshots_removed.iter().for_each(|name| out.push_str(&format!("- screenshot {}\n", path(name))));
    difference.screenshots_added.iter().for_each(|name| out.push_str(&format!("+ screenshot {}\n", path(name))));
    out
}

fn diff_value(difference: &PresetDiff) -> Value {
    let paths = |entries: &[Entry]| entries.iter().map(Entry::to_json).collect::<Vec<_>>();
    let changed: Vec<Value> = difference
        .changed
        .iter()
        .map(|change| {
            let fields: Vec<Value> = change
                .fields
                .iter()
                .map(|field| json!({"field": field.field, "old": field.old, "new": field.new}))
                .collect();
            json!({"path": change.path, "fields": fields})
        })
        .collect();
    json!({
        "v": 1,
        "added": paths(&difference.added),
        "removed": paths(&difference.removed),
        "changed": changed,
        "screenshots_added": difference.screenshots_added,
        "screenshots_removed": difference.screenshots_removed,
    })
}
