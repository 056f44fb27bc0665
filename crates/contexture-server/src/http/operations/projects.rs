//! The project itself: what there is, presets, personas, settings.

use super::super::answer::Wrong;
use super::super::calls::Call;
use crate::ops::{self, Via};
use crate::provider::home;
use crate::wire;
use contexture_core::{Api, ContentHash, Format, Level, Tokenizer, models};
use contexture_gather::config::{self, Scope};
use contexture_gather::outputs::Keep;
use serde_json::{Value, json};
use std::path::Path;

pub fn project(call: &Call<'_>) -> Result<Value, Wrong> {
    let door = &call.door;
    let roots = door.open_roots()?;
    let config = ops::config_of(door)?;
    let folder = roots.project().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let model = |model: &models::Model| {
        let price = models::price(model.name);
        json!({
            "name": model.name, "provider": model.provider, "window": model.window, "output": model.output,
            "price": price.map(|price| json!({"input": price.input, "output": price.output})),
        })
    };
    let provider = |via: &&str| {
        let names: &[&str] = match Via::parse(via) {
            Some(Via::Api(api)) => home(api).key_names,
            Some(Via::GeminiCli) | None => &[],
        };
        let has_key = Api::parse(via).is_some_and(|api| (call.served.keys)(api).is_ok_and(|key| key.is_some()));
        json!({"name": via, "key": has_key, "variables": names})
    };
    let named =
        |name: &str, scope: String, about: Option<&str>| json!({"name": name, "scope": scope, "description": about});
    Ok(json!({
        "v": 1,
        "name": config.project.name.clone().unwrap_or_else(|| folder.clone()),
        "root": folder,
        "path": roots.project(),
        // Folders of one name are many.
        "id": ContentHash::of(roots.project().as_os_str().as_encoded_bytes()).short().to_string(),
        "version": env!("CARGO_PKG_VERSION"),
        "views": Level::ALL.iter().map(|level| level.as_str()).collect::<Vec<_>>(),
        "formats": Format::ALL.iter().map(|format| format.as_str()).collect::<Vec<_>>(),
        "tokenizers": Tokenizer::NAMES.iter().map(|(name, tokenizer)| json!({"name": name, "exact": contexture_core::Counter::exact(tokenizer)})).collect::<Vec<_>>(),
        "models": models::all().iter().map(model).collect::<Vec<_>>(),
        "providers": Via::WORDS.iter().map(provider).collect::<Vec<_>>(),
        "presets": ops::preset_list(door)?.iter().map(|shown| named(&shown.preset.name, shown.preset.scope.to_string(), shown.preset.description.as_deref())).collect::<Vec<_>>(),
        "personas": ops::persona_list(door)?.iter().map(|shown| named(&shown.persona.name, shown.persona.scope.to_string(), None)).collect::<Vec<_>>(),
        "budget": config.budget.max_tokens,
        "strategy": config.project.strategy.as_str(),
        "policy": {"secrets": config.safety.secrets.as_str(), "hidden_text": config.safety.hidden.as_str()},
    }))
}

fn scope(call: &Call<'_>) -> Option<Scope> {
    match call.text("scope") {
        Some("global") => Some(Scope::Global),
        Some(_) => Some(Scope::Project),
        None => None,
    }
}

pub fn preset_list(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::presets::presets(&ops::preset_list(&call.door)?))
}

pub fn preset_show(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::presets::preset(&ops::preset_show(&call.door, call.needed("name"))?))
}

pub fn preset_save(call: &Call<'_>) -> Result<Value, Wrong> {
    let (name, about) = (call.needed("name"), call.text("description").unwrap_or_default());
    let scope = scope(call).unwrap_or(Scope::Project);
    let (file, notes) = ops::preset_save(
        &call.door,
        name,
        about,
        call.entries("files")?,
        call.value("screenshots").map(|_| call.texts("screenshots")),
        scope,
    )?;
    Ok(wire::presets::saved(name, &file, &notes))
}

pub fn preset_apply(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::presets::applied(&ops::preset_apply(&call.door, call.needed("name"))?))
}

pub fn preset_diff(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::presets::difference(&ops::preset_diff(&call.door, call.needed("a"), call.text("b"))?))
}

pub fn preset_remove(call: &Call<'_>) -> Result<Value, Wrong> {
    let name = call.needed("name");
    Ok(wire::presets::removed(name, &ops::preset_remove(&call.door, name, scope(call))?))
}

pub fn persona_list(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::presets::personas(&ops::persona_list(&call.door)?))
}

pub fn persona_show(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::presets::persona(&ops::persona_show(&call.door, call.needed("name"))?))
}

pub fn config_get(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::settings::all(&ops::config_of(&call.door)?))
}

pub fn config_set(call: &Call<'_>) -> Result<Value, Wrong> {
    let key = call.needed("key");
    let file = ops::config_set(&call.door, key, call.needed("value"), scope(call).unwrap_or(Scope::Project))?;
    Ok(wire::settings::set(key, &file))
}

pub fn config_schema(_: &Call<'_>) -> Result<Value, Wrong> {
    Ok(config::schema())
}

pub fn init(call: &Call<'_>) -> Result<Value, Wrong> {
    let path = ops::init(&call.door)?;
    Ok(wire::settings::made(&inside(call, &path)))
}

pub fn prune(call: &Call<'_>) -> Result<Value, Wrong> {
    let keep = call.number("keep").map(Keep::Newest).or(call.number("days").map(Keep::Days));
    let pruned = ops::prune(&call.door, keep)?;
    let removed: Vec<String> = pruned.removed.iter().map(|path| inside(call, path)).collect();
    Ok(wire::settings::pruned(&removed, pruned.kept))
}

/// What is imported comes with the call: a server reads no file because a page names it.
pub fn import_manual_slop(call: &Call<'_>) -> Result<Value, Wrong> {
    let imported = ops::given_manual_slop(call.needed("name"), call.needed("text"), call.text("history"))?;
    Ok(wire::settings::imported(&imported, None))
}

/// A file of the project as its people call it.
pub fn inside(call: &Call<'_>, path: &Path) -> String {
    let project = call.door.root_paths().into_iter().next().unwrap_or_default();
    let real = project.canonicalize().unwrap_or(project);
    path.strip_prefix(real).unwrap_or(path).display().to_string()
}

pub fn scan_allow(call: &Call<'_>) -> Result<Value, Wrong> {
    let file = ops::scan_allow(&call.door, call.needed("fingerprint"))?;
    Ok(wire::settings::set("safety.allow", &file))
}

pub fn doctor(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::settings::checks(&ops::doctor(&call.door)))
}
