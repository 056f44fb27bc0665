//! Lays the layers over each other and reads the result into types.
//!
//! Takes layers whose values were checked; gives a [`Config`] without its files' places. Cannot fail: what is not set has
//! the default of the table.

use super::entry::{self, PathEntry};
use super::error::clip;
use super::keys::Strictness;
use super::layer::{Layer, Origin, SetKey};
use super::node::{Data, Node};
use super::presets::{Preset, Scope};
use super::words::{DefaultMode, Embed, ExecutionMode, StrategyName};
use super::{
    Agent, Aggregation, Budget, Config, Discussion, Files, KEYS, Key, Output, Persona, Project, Screenshots, Setting,
    StoreUrl, history, personas,
};
use contexture_core::safety::{Fingerprint, HiddenText, Safety, Secrets};
use contexture_core::{FileOrder, Note, Topic, Truncation};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// From the weakest to the strongest. Presets and personas win as a whole, the project's over the user's.
pub(super) fn merge(user: Layer, mut project: Layer, vars: Layer, flags: Layer) -> Config {
    let (ignored, ignored_notes) = keep_strict(&mut project, &[&flags, &vars, &user]).into_iter().unzip();
    let mut plain: BTreeMap<&'static str, SetKey> = BTreeMap::new();
    let mut groups: BTreeMap<(String, String, Scope), Vec<SetKey>> = BTreeMap::new();
    for (layer, scope) in [(&user, Scope::Global), (&project, Scope::Project)] {
        for (section, name) in &layer.names {
            groups.insert((section.clone(), name.clone(), scope), Vec::new());
        }
    }
    for (layer, scope) in
        [(user, Scope::Global), (project, Scope::Project), (vars, Scope::Project), (flags, Scope::Project)]
    {
        for found in layer.found {
            match found.path.as_slice() {
                [section, name, _] => {
                    groups.entry((section.clone(), name.clone(), scope)).or_default().push(found);
                }
                _ => drop(plain.insert(found.key.path, found)),
            }
        }
    }
    let values = Values(&plain);
    let mut config = typed_config(&values);
    config.settings = KEYS.iter().filter(|key| key.variable().is_some()).map(|key| values.setting(key)).collect();
    config.ignored = ignored;
    config.notes = ignored_notes;
    config.notes.extend(plain.get("safety.allow").into_iter().flat_map(no_fingerprints));
    // A project's name sorts before the user's, so the first of each name is the one that holds.
    let mut holder = None;
    for ((section, name, scope), founds) in &groups {
        let holds = holder != Some((section, name));
        holder = Some((section, name));
        let fields: BTreeMap<&'static str, SetKey> =
            founds.iter().map(|found| (found.key.path, found.clone())).collect();
        if section == "presets" {
            config.presets.push(preset(name, *scope, &Values(&fields)));
        } else {
            let all = if holds { &mut config.personas } else { &mut config.hidden_personas };
            all.insert(name.clone(), persona(name, *scope, &Values(&fields)));
        }
        if holds {
            config.settings.extend(founds.iter().map(setting));
        }
    }
    config.presets.sort_by_key(|preset| preset.scope);
    config
}

/// Removes what a project's file may not set: values looser than what holds without it. `user` is from the strongest to the weakest.
fn keep_strict(project: &mut Layer, user: &[&Layer]) -> Vec<(Setting, Note)> {
    let held = |key: &Key| {
        let set = user.iter().flat_map(|layer| &layer.found).find(|found| found.key.path == key.path);
        set.map(|found| found.node.clone()).or_else(|| default(key))
    };
    let mut ignored = Vec::new();
    project.found.retain(|found| {
        let Some(against) = found.key.against else { return true };
        let held = held(found.key);
        let verdict = against(&found.node, held.as_ref());
        if verdict == Strictness::Looser {
            ignored.push((setting(found), ignored_note(found, held.as_ref())));
        }
        verdict == Strictness::Stricter
    });
    ignored
}

fn ignored_note(found: &SetKey, held: Option<&Node>) -> Note {
    let (key, section) = (found.key.path, found.key.section());
    let plain = |node: &Node| clip(&node.as_text().map_or_else(|| node.to_string(), str::to_owned));
    let held = held.map_or("unset".into(), |node| format!("`{}`", plain(node)));
    let value = clip(&found.node.to_string());
    let wanted = found.node.as_text().map_or("VALUE".into(), clip);
    Note::new(
        Topic::Setting,
        format!("ignored `{key} = {value}`: a project's file cannot loosen `[{section}]`; your setting is {held}"),
    )
    .at(found.origin.to_string())
    .hint(format!("`contexture config set --global {key} {wanted}` sets it for you"))
}

/// What is no fingerprint allows nothing.
fn no_fingerprints(found: &SetKey) -> Vec<Note> {
    let words = entry::texts(&found.node, "safety.allow").unwrap_or_default();
    let text = |word: &String| format!("`safety.allow`: `{}` is no fingerprint: it allows nothing", clip(word));
    let note = |word: &String| Note::new(Topic::Setting, text(word)).at(found.origin.to_string());
    let wrong = words.iter().filter(|word| Fingerprint::parse(word).is_none());
    wrong.map(|word| note(word).hint("`contexture scan` lists them: 16 hexadecimal digits")).collect()
}

fn setting(found: &SetKey) -> Setting {
    // What is listed may be shown to others.
    let value = match (found.key.path, found.node.as_text()) {
        ("store.url", Some(url)) => Node::from(StoreUrl::new(url).to_string().as_str()),
        _ => found.node.clone(),
    };
    Setting { key: found.dotted_key(), value: Some(value), origin: found.origin.clone() }
}

/// Checked values by their key's path in the table. What is not set has the table's default.
struct Values<'a>(&'a BTreeMap<&'static str, SetKey>);

impl Values<'_> {
    fn node(&self, path: &str) -> Option<Node> {
        match self.0.get(path) {
            Some(found) => Some(found.node.clone()),
            None => default(KEYS.iter().find(|key| key.path == path)?),
        }
    }

    fn setting(&self, key: &Key) -> Setting {
        match self.0.get(key.path) {
            Some(found) => setting(found),
            None => Setting { key: key.path.to_owned(), value: default(key), origin: Origin::Default },
        }
    }

    fn text(&self, path: &str) -> Option<String> {
        self.node(path)?.as_text().map(str::to_owned)
    }

    fn flag(&self, path: &str) -> bool {
        matches!(self.node(path), Some(Node { data: Data::Bool(true), .. }))
    }

    fn whole(&self, path: &str) -> Option<u64> {
        match self.node(path)?.data {
            Data::Int(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    fn texts(&self, path: &str) -> Vec<String> {
        self.node(path).and_then(|node| entry::texts(&node, path).ok()).unwrap_or_default()
    }

    fn entries(&self, path: &str) -> Option<Vec<PathEntry>> {
        self.node(path).and_then(|node| entry::read_all(&node, path).ok())
    }

    fn word<T>(&self, path: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.text(path).and_then(|word| parse(&word))
    }
}

fn default(key: &Key) -> Option<Node> {
    key.default?.parse::<toml_edit::Value>().ok().map(|value| Node { at: (0, 0), ..Node::of_value(&value) })
}

fn typed_config(values: &Values<'_>) -> Config {
    Config {
        project: Project {
            name: values.text("project.name"),
            strategy: values.word("project.strategy", StrategyName::parse).unwrap_or(StrategyName::Auto),
            summary_only: values.flag("project.summary_only"),
            execution_mode: values
                .word("project.execution_mode", ExecutionMode::parse)
                .unwrap_or(ExecutionMode::Standard),
            persona: values.text("project.persona"),
        },
        output: Output {
            dir: values.text("output.dir").unwrap_or_default(),
            namespace: values.text("output.namespace"),
            keep: values.whole("output.keep"),
            order: values.word("output.order", FileOrder::parse),
        },
        files: Files {
            base_dir: values.text("files.base_dir").unwrap_or_default(),
            paths: values.entries("files.paths"),
            include: values.texts("files.include"),
            exclude: values.texts("files.exclude"),
        },
        screenshots: Screenshots {
            base_dir: values.text("screenshots.base_dir").unwrap_or_default(),
            paths: values.texts("screenshots.paths"),
            embed: values.word("screenshots.embed", Embed::parse).unwrap_or(Embed::Link),
        },
        discussion: Discussion {
            history: values.node("discussion.history").map(|node| history::entries(&node)).unwrap_or_default(),
            history_file: values.text("discussion.history_file"),
        },
        aggregation: Aggregation {
            default_mode: values.word("aggregation.default_mode", DefaultMode::parse).unwrap_or(DefaultMode::Full),
            cache_enabled: values.flag("aggregation.cache_enabled"),
            cache_dir: values.text("aggregation.cache_dir"),
        },
        budget: Budget {
            max_tokens: values.whole("budget.max_tokens"),
            token_buffer: values.whole("budget.token_buffer").unwrap_or_default(),
            tokenizer: values.text("budget.tokenizer"),
            truncation: values.word("budget.truncation_strategy", Truncation::parse).unwrap_or_default(),
            minimum_recent_nodes: values.whole("budget.minimum_recent_nodes").unwrap_or_default(),
        },
        safety: Safety {
            secrets: values.word("safety.secrets", Secrets::parse).unwrap_or_default(),
            hidden: values.word("safety.hidden_text", HiddenText::parse).unwrap_or_default(),
            allow: values.texts("safety.allow").iter().filter_map(|word| Fingerprint::parse(word)).collect(),
        },
        store_url: values.text("store.url").map(StoreUrl::new),
        agent: Agent {
            workspace: values.text("agent.workspace"),
            max_history_messages: values.whole("agent.max_history_messages").unwrap_or_default(),
            max_memory_entries: values.whole("agent.max_memory_entries").unwrap_or_default(),
        },
        presets: Vec::new(),
        personas: BTreeMap::new(),
        hidden_personas: BTreeMap::new(),
        notes: Vec::new(),
        ignored: Vec::new(),
        project_file: (PathBuf::new(), false),
        user_file: None,
        settings: Vec::new(),
    }
}

fn preset(name: &str, scope: Scope, values: &Values<'_>) -> Preset {
    Preset {
        name: name.to_owned(),
        description: values.text("presets.NAME.description"),
        files: values.entries("presets.NAME.files").unwrap_or_default(),
        screenshots: values.texts("presets.NAME.screenshots"),
        scope,
    }
}

fn persona(name: &str, scope: Scope, values: &Values<'_>) -> Persona {
    let key = "personas.NAME.preferred_models";
    Persona {
        name: name.to_owned(),
        scope,
        system_prompt: values.text("personas.NAME.system_prompt"),
        preferred_models: values.node(key).and_then(|node| personas::models(&node, key).ok()).unwrap_or_default(),
        context_preset: values.text("personas.NAME.context_preset"),
        aggregation_strategy: values.word("personas.NAME.aggregation_strategy", StrategyName::parse),
        tier: values.whole("personas.NAME.tier").and_then(|tier| u8::try_from(tier).ok()),
        budget: values.whole("personas.NAME.budget"),
    }
}
