//! `preset save|list|show|apply|diff|rm` and `persona list|show`.

use crate::args::{PersonaVerb, PresetVerb};
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count, path};
use contexture::answers::{
    PersonaAnswer, PersonasAnswer, PresetAnswer, PresetApplied, PresetDiffAnswer, PresetRemoved, PresetSaved,
    PresetsAnswer,
};
use contexture::ops::{self, Door, PersonaDetails, PresetDetails, unknown_providers_note};
use contexture::requests::{CompositionEntry, NameRequest};
use contexture_gather::config::{Model, PathEntry, PresetDiff};
use contexture_gather::entries_from_text;
use std::io::Read;

pub fn run(door: &Door, verb: PresetVerb, ui: &Ui) -> Result<(), Failure> {
    match verb {
        PresetVerb::Save { mut preset, paths, from } => {
            let files: Option<Vec<PathEntry>> = match from {
                Some(file) => Some(entries_from(door, &file)?),
                None if paths.is_empty() => None,
                None => Some(paths.into_iter().map(PathEntry::new).collect()),
            };
            preset.files = files.map(|files| files.into_iter().map(CompositionEntry).collect());
            let name = preset.name.clone();
            let (file, notes) = ops::preset_save(door, preset)?;
            if ui.json {
                ui.print_answer(PresetSaved::new(&name, &file, &notes))?;
            }
            ui.notes(&notes);
            ui.say(&format!("saved `{name}` in {}", file.display()));
        }
        PresetVerb::List => {
            let presets = ops::preset_list(door)?;
            if ui.json {
                return Ok(ui.print_answer(PresetsAnswer::from(presets.as_slice()))?);
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
        PresetVerb::Show(NameRequest { name }) => print(&ops::preset_show(door, &name)?, ui)?,
        PresetVerb::Apply(NameRequest { name }) => {
            let applied = ops::preset_apply(door, &name)?;
            if ui.json {
                ui.print_answer(PresetApplied { applied: (&applied).into() })?;
            }
            ui.say(&format!("`{name}` is now the composition (entries: {})", applied.preset.files.len()));
            for missing in &applied.missing {
                ui.say(&format!("note: {}: not there; it will stand as an error in the document", path(missing)));
            }
        }
        PresetVerb::Diff(request) => {
            let difference = ops::preset_diff(door, &request)?;
            ui.show(|| PresetDiffAnswer::from(&difference), || diff_text(&difference))?;
        }
        PresetVerb::Rm(request) => {
            let (name, file) = (&request.name, ops::preset_remove(door, &request)?);
            if ui.json {
                ui.print_answer(PresetRemoved::new(name, &file))?;
            }
            ui.say(&format!("removed `{name}` from {}", file.display()));
        }
    }
    Ok(())
}

fn entries_from(door: &Door, file: &std::path::Path) -> Result<Vec<PathEntry>, Failure> {
    let mut text = String::new();
    if file == std::path::Path::new("-") {
        std::io::stdin().lock().read_to_string(&mut text)?;
    } else {
        text = std::fs::read_to_string(door.env.cwd.join(file)).map_err(|error| {
            Failure::new(ErrorKind::Usage, format!("cannot read `{}`: {}", file.display(), error.kind()))
        })?;
    }
    Ok(entries_from_text(&text, &file.display().to_string())?)
}

fn print(shown: &PresetDetails, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(PresetAnswer::from(shown))?);
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

pub fn persona(door: &Door, verb: PersonaVerb, ui: &Ui) -> Result<(), Failure> {
    match verb {
        PersonaVerb::List => list_personas(&ops::persona_list(door)?, ui),
        PersonaVerb::Show(request) => show_persona(&ops::persona_show(door, &request.name)?, ui),
    }
}

fn list_personas(personas: &[PersonaDetails], ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(PersonasAnswer::from(personas))?);
    }
    if personas.is_empty() {
        ui.say("there is no persona yet; `[personas.NAME]` in contexture.toml makes one");
    }
    let line = |shown: &PersonaDetails| {
        let mut about = shown.persona.scope.to_string();
        for (is_so, words) in [
            (shown.usual, ", used by default"),
            (shown.shadows_global, ", hides a global one"),
            (shown.hidden, ", hidden by the project's"),
        ] {
            about.push_str(if is_so { words } else { "" });
        }
        let model = shown.persona.preferred_models.first().map(name).unwrap_or_default();
        format!("{}  ({about})  {model}\n", path(&shown.persona.name)).replace("  \n", "\n")
    };
    Ok(ui.print(&personas.iter().map(line).collect::<String>())?)
}

fn show_persona(shown: &PersonaDetails, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(PersonaAnswer::from(shown))?);
    }
    let persona = &shown.persona;
    let mut out = format!("{}  ({})\n", path(&persona.name), persona.scope);
    let mut put = |key: &str, value: String| out.push_str(&format!("{key:<22} {value}\n"));
    persona.context_preset.iter().for_each(|preset| put("context_preset", path(preset)));
    persona.aggregation_strategy.iter().for_each(|strategy| put("aggregation_strategy", strategy.as_str().into()));
    persona.tier.iter().for_each(|tier| put("tier", tier.to_string()));
    persona.budget.iter().for_each(|budget| put("budget", format!("{} tokens", count(*budget))));
    for model in &persona.preferred_models {
        let mut about = name(model);
        model.temperature.iter().for_each(|value| about.push_str(&format!(", temperature {value}")));
        model.top_p.iter().for_each(|value| about.push_str(&format!(", top_p {value}")));
        let answer = |tokens: &u64| about.push_str(&format!(", answers up to {} tokens", count(*tokens)));
        model.max_output_tokens.iter().for_each(answer);
        put("preferred_models", about);
    }
    if !shown.unset.is_empty() {
        put("unset", shown.unset.join(", "));
    }
    // Several lines of it stay several lines.
    for line in persona.system_prompt.iter().flat_map(|prompt| prompt.lines()) {
        put("system_prompt", path(line));
    }
    ui.print(&out)?;
    ui.notes(unknown_providers_note(&persona.preferred_models).as_slice());
    if shown.shadows_global {
        ui.say("note: hides a global persona of this name");
    }
    if let Some(preset) = &shown.missing_preset {
        ui.say(&format!("note: there is no preset `{}`: a build in this persona fails", path(preset)));
    }
    Ok(())
}

fn name(model: &Model) -> String {
    format!("{} {}", path(&model.provider), path(&model.model))
}
