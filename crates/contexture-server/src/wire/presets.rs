//! Presets and personas.

use super::with_version;
use crate::ops::{PersonaShown, PresetShown};
use contexture_core::Note;
use contexture_gather::config::{Entry, Model, PresetDiff, StrategyName};
use serde_json::{Value, json};
use std::path::Path;

pub fn presets(all: &[PresetShown]) -> Value {
    json!({"v": 1, "presets": all.iter().map(fields).collect::<Vec<_>>()})
}

pub fn preset(shown: &PresetShown) -> Value {
    with_version(fields(shown))
}

pub fn applied(shown: &PresetShown) -> Value {
    json!({"v": 1, "applied": fields(shown)})
}

pub fn saved(name: &str, file: &Path, notes: &[Note]) -> Value {
    json!({"v": 1, "saved": name, "file": file.display().to_string(), "notes": super::notes(notes)})
}

pub fn removed(name: &str, file: &Path) -> Value {
    json!({"v": 1, "removed": name, "file": file.display().to_string()})
}

fn fields(shown: &PresetShown) -> Value {
    json!({
        "name": shown.preset.name,
        "scope": shown.preset.scope.to_string(),
        "description": shown.preset.description,
        "files": shown.preset.files.iter().map(Entry::to_json).collect::<Vec<_>>(),
        "screenshots": shown.preset.screenshots,
        "missing": shown.missing,
        "shadows_global": shown.shadows_global,
    })
}

pub fn difference(difference: &PresetDiff) -> Value {
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

pub fn personas(all: &[PersonaShown]) -> Value {
    json!({"v": 1, "personas": all.iter().map(persona_fields).collect::<Vec<_>>()})
}

pub fn persona(shown: &PersonaShown) -> Value {
    with_version(persona_fields(shown))
}

fn persona_fields(shown: &PersonaShown) -> Value {
    let persona = &shown.persona;
    let model = |model: &Model| {
        let Model { provider, model, temperature, top_p, max_output_tokens } = model;
        json!({
            "provider": provider, "model": model, "temperature": temperature, "top_p": top_p,
            "max_output_tokens": max_output_tokens,
        })
    };
    json!({
        "name": persona.name,
        "scope": persona.scope.to_string(),
        "hidden": shown.hidden,
        "shadows_global": shown.shadows_global,
        "default": shown.usual,
        "system_prompt": persona.system_prompt,
        "preferred_models": persona.preferred_models.iter().map(model).collect::<Vec<_>>(),
        "context_preset": persona.context_preset,
        "aggregation_strategy": persona.aggregation_strategy.map(StrategyName::as_str),
        "tier": persona.tier,
        "budget": persona.budget,
        "unset": shown.unset,
        "missing_preset": shown.missing_preset,
    })
}
