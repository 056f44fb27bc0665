//! `persona list|show`.

use crate::args::PersonaVerb;
use crate::failure::Failure;
use crate::ui::{Ui, count, path};
use contexture_gather::config::Model;
use contexture_server::ops::{self, Door, PersonaShown, strangers};
use contexture_server::wire::presets as wire;

pub fn run(door: &Door, verb: PersonaVerb, ui: &Ui) -> Result<(), Failure> {
    match verb {
        PersonaVerb::List => list(&ops::persona_list(door)?, ui),
        PersonaVerb::Show { name } => show(&ops::persona_show(door, &name)?, ui),
    }
}

fn list(personas: &[PersonaShown], ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_json(&wire::personas(personas))?);
    }
    if personas.is_empty() {
        ui.say("there is no persona yet; `[personas.NAME]` in contexture.toml makes one");
    }
    let line = |shown: &PersonaShown| {
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

fn show(shown: &PersonaShown, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_json(&wire::persona(shown))?);
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
    ui.notes(strangers(&persona.preferred_models).as_slice());
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
