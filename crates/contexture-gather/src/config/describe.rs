//! The table of keys, told to people and to editors: a JSON Schema, a commented file, the tables of the manual.

use super::keys::{KEYS, Key, Kind, NAMED, SECTIONS};
use contexture_core::Level;
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
        root.insert("definitions".into(), json!({ "entry": entry() }));
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
            text.push_str(&format!("# {}\n# {} = {}\n", key.doc, key.leaf(), shown(key)));
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

fn shown(key: &Key) -> &'static str {
    key.default.unwrap_or(key.example)
}

fn object(doc: &str, properties: serde_json::Map<String, Value>) -> Value {
    json!({ "type": "object", "description": doc, "additionalProperties": false, "properties": properties })
}

fn property(key: &Key) -> Value {
    let text = || json!({ "type": "string" });
    let mut schema = match key.kind {
        Kind::Text | Kind::Path => text(),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Whole(least, most) if most < i64::MAX => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Whole(least, _) => json!({ "type": "integer", "minimum": least }),
        Kind::OneOf(words) => json!({ "type": "string", "enum": words }),
        Kind::Texts => json!({ "type": "array", "items": text() }),
        Kind::Entries => json!({ "type": "array", "items": { "$ref": "#/definitions/entry" } }),
        Kind::History => json!({ "type": "array", "items": { "anyOf": [text(), {
            "type": "object", "properties": { "role": text(), "content": text() }
        }] } }),
        Kind::Models => json!({ "type": "array", "items": {
            "type": "object", "additionalProperties": false, "required": ["provider", "model"],
            "properties": {
                "provider": text(), "model": text(),
                "temperature": { "type": "number", "minimum": 0 }, "top_p": { "type": "number", "minimum": 0 },
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

/// An entry may have fields we do not know, so other properties are allowed.
fn entry() -> Value {
    let flag = |default: bool| json!({ "type": "boolean", "default": default });
    json!({ "anyOf": [{ "type": "string", "minLength": 1 }, {
        "type": "object",
        "required": ["path"],
        "properties": {
            "path": { "type": "string", "minLength": 1, "description": "A path, a glob or a folder." },
            "auto_aggregate": flag(true),
            "force_full": flag(false),
            "view_mode": { "type": "string", "enum": Level::ALL.map(Level::as_str).to_vec() },
            "selected": flag(false),
            "ast_signatures": flag(false),
            "ast_definitions": flag(false),
            "ast_mask": { "type": "object", "additionalProperties": { "type": "string", "enum": ["def", "sig", "hide"] } },
            "custom_slices": { "type": "array", "items": {
                "type": "object",
                "required": ["start_line", "end_line"],
                "properties": {
                    "start_line": { "type": "integer", "minimum": 1 },
                    "end_line": { "type": "integer", "minimum": 1 },
                    "tag": { "type": "string" },
                    "comment": { "type": "string" },
                    "content_hash": { "type": "string" },
                    "anchor_lines": { "type": "array", "items": { "type": "string" } }
                }
            } },
            "injected_at": { "description": "When the file was last put into a conversation." },
            "tier": { "type": "integer", "minimum": 1, "maximum": 4 }
        }
    }] })
}
