//! `preset save|list|show|apply|diff|rm`.

use crate::args::PresetVerb;
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, path};
use contexture_gather::config::{Entry, PresetDiff, Scope};
use contexture_gather::entries_from_text;
use contexture_server::ops::{self, Door, PresetShown};
use contexture_server::wire::presets as wire;
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
            let (file, notes) = ops::preset_save(door, &name, &description, files, None, scope)?;
            if ui.json {
                ui.print_json(&wire::saved(&name, &file, &notes))?;
            }
            ui.notes(&notes);
            ui.say(&format!("saved `{name}` in {}", file.display()));
        }
        PresetVerb::List => {
            let presets = ops::preset_list(door)?;
            if ui.json {
                ui.print_json(&wire::presets(&presets))?;
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
                    preset.scope,
                    preset.files.len()
                ));
            }
            ui.print(&out)?;
        }
        PresetVerb::Show { name } => print(&ops::preset_show(door, &name)?, ui)?,
        PresetVerb::Apply { name } => {
            let applied = ops::preset_apply(door, &name)?;
            if ui.json {
                ui.print_json(&wire::applied(&applied))?;
            }
            ui.say(&format!("`{name}` is now the composition (entries: {})", applied.preset.files.len()));
            for missing in &applied.missing {
                ui.say(&format!("note: {}: not there; it will stand as an error in the document", path(missing)));
            }
        }
        PresetVerb::Diff { a, b } => {
            let difference = ops::preset_diff(door, &a, b.as_deref())?;
            if ui.json {
                ui.print_json(&wire::difference(&difference))?;
            } else {
                ui.print(&diff_text(&difference))?;
            }
        }
        PresetVerb::Rm { name, global } => {
            let file = ops::preset_remove(door, &name, global.then_some(Scope::Global))?;
            if ui.json {
                ui.print_json(&wire::removed(&name, &file))?;
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

fn print(shown: &PresetShown, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_json(&wire::preset(shown))?);
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
