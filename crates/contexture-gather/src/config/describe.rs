//! The table of keys, told to people and to editors: a JSON Schema, a commented file, the tables of the manual.

use super::entry::OLD_VIEWS;
use super::keys::{KEYS, Key, NAMED, SECTIONS, ValueKind};
use contexture_core::{Level, SymbolMode};
use serde_json::{Value, json};

/// A JSON Schema of the configuration file. Draft 4 and no newer word, because that is all the TOML tools understand.
pub fn schema() -> Value {
    let sections = SECTIONS.iter().map(|(section, doc)| {
        let keys =
            KEYS.iter().filter(|key| key.section() == *section).map(|key| (key.leaf().to_owned(), property(key)));
        let fields = object(doc, keys.collect());
        let section_schema = if NAMED.contains(section) {
            json!({ "type": "object", "description": doc, "additionalProperties": fields })
        } else {
            fields
        };
        ((*section).to_owned(), section_schema)
    });
    let mut root = object("The configuration of Contexture.", sections.collect());
    if let Value::Object(root) = &mut root {
        root.insert("$schema".into(), "http://json-schema.org/draft-04/schema#".into());
        root.insert("title".into(), "contexture.toml".into());
        root.insert("definitions".into(), json!({ "entry": entry_schema() }));
    }
    root
}

/// `contexture.toml` with every key explained and none set.
pub fn template() -> String {
    let mut text = String::from(
        "# The configuration of Contexture for this project. Every key is optional; remove the `#` before one to set it.\n\
         # The values shown are the defaults, or an example where there is none.\n",
    );
    for (section, doc) in SECTIONS {
        let header = if NAMED.contains(section) { format!("# [{section}.NAME]") } else { format!("[{section}]") };
        text.push_str(&format!("\n# {doc}\n{header}\n"));
        for key in KEYS.iter().filter(|key| key.section() == *section) {
            text.push_str(&format!("# {}\n# {} = {}\n", key.doc, key.leaf(), key.default.unwrap_or(key.example)));
        }
    }
    text
}

/// The tables of `docs/configuration.md`.
pub fn reference() -> String {
    let mut text = String::new();
    for (section, doc) in SECTIONS {
        let header = if NAMED.contains(section) { format!("{section}.NAME") } else { (*section).to_owned() };
        text.push_str(&format!(
            "\n### `[{header}]`\n\n{doc}\n\n| Key | Value | Default | Meaning |\n|---|---|---|---|\n"
        ));
        for key in KEYS.iter().filter(|key| key.section() == *section) {
            let default = key.default.map_or("unset".into(), |default| format!("`{default}`"));
            let expected = key.kind.expected().replace('|', "\\|");
            text.push_str(&format!("| `{}` | {expected} | {default} | {} |\n", key.leaf(), key.doc));
        }
    }
    text
}

fn object(doc: &str, properties: serde_json::Map<String, Value>) -> Value {
    json!({ "type": "object", "description": doc, "additionalProperties": false, "properties": properties })
}

fn property(key: &Key) -> Value {
    let text = || json!({ "type": "string" });
    let mut schema = match key.kind {
        ValueKind::Text | ValueKind::Path => text(),
        ValueKind::Bool => json!({ "type": "boolean" }),
        ValueKind::Whole(least, most) if most < i64::MAX => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        ValueKind::Whole(least, _) => json!({ "type": "integer", "minimum": least }),
        ValueKind::OneOf(words) => json!({ "type": "string", "enum": words }),
        ValueKind::Texts => json!({ "type": "array", "items": text() }),
        ValueKind::Entries => json!({ "type": "array", "items": { "$ref": "#/definitions/entry" } }),
        ValueKind::History => json!({ "type": "array", "items": { "anyOf": [text(), {
            "type": "object", "properties": { "role": text(), "content": text() }
        }] } }),
        ValueKind::Models => json!({ "type": "array", "items": {
            "type": "object", "additionalProperties": false, "required": ["provider", "model"],
            "properties": {
                "provider": text(), "model": text(),
                "temperature": { "type": "number", "minimum": 0, "maximum": 2 },
                "top_p": { "type": "number", "minimum": 0, "maximum": 1 },
                "max_output_tokens": { "type": "integer", "minimum": 1 }
            }
        } }),
    };
    if let Value::Object(schema) = &mut schema {
        schema.insert("description".into(), key.doc.into());
        // A default is a TOML value of our own table; as JSON it reads the same.
        if let Some(default) = key.default.and_then(|default| serde_json::from_str(default).ok()) {
            schema.insert("default".into(), default);
        }
    }
    schema
}

/// A line of a composition, as files and requests have it. Fields of other programs are kept, so other properties are allowed.
pub fn entry_schema() -> Value {
    let flag = |default: bool| json!({ "type": "boolean", "default": default });
    let views: Vec<&str> = Level::WORDS.iter().copied().chain(OLD_VIEWS).collect();
    json!({
        "type": ["string", "object"],
        "minLength": 1,
        "required": ["path"],
        "properties": {
            "path": { "type": "string", "minLength": 1, "description": "A path, a glob or a folder." },
            "auto_aggregate": flag(true),
            "force_full": flag(false),
            "view_mode": { "type": "string", "enum": views },
            "selected": flag(false),
            "ast_signatures": flag(false),
            "ast_definitions": flag(false),
            "ast_mask": { "type": "object", "additionalProperties": { "type": "string", "enum": SymbolMode::WORDS } },
            "custom_slices": { "type": "array", "items": slice_schema() },
            "injected_at": {
                "type": ["string", "number"],
                "description": "When the file was last put into a conversation."
            },
            "tier": { "type": "integer", "minimum": 1, "maximum": 4 }
        }
    })
}

/// A slice as files and requests have it.
pub fn slice_schema() -> Value {
    let text = || json!({ "type": ["string", "null"] });
    json!({
        "type": "object",
        "required": ["start_line", "end_line"],
        "properties": {
            "start_line": { "type": "integer", "minimum": 1 },
            "end_line": { "type": "integer", "minimum": 1 },
            "tag": text(),
            "comment": text(),
            "content_hash": text(),
            "anchor_lines": { "type": ["array", "null"], "items": { "type": "string" } },
            "fingerprint": text()
        }
    })
}
