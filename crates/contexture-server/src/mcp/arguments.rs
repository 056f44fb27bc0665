//! Arguments of tools and prompts: named fields of a request type, as its schema declares them.
//!
//! Takes a request type and the names of the fields to offer; gives the schema that a client is shown, and reads what the client sends.
//! It reads more than it shows: models write one text where a list is meant, `8000.0` or `"8k"` for a number, and null for nothing.
//! An argument that is unknown or of the wrong kind is an error that names what is accepted.

use contexture::ops::OpError;
use contexture::requests::{self, TokenCount};
use contexture_core::Level;
use contexture_core::render::grouped;
use contexture_gather::config::nearest;
use rmcp::model::JsonObject;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub struct Arguments {
    /// Schemas by name, in the order in which they are shown.
    fields: JsonObject,
    required: Vec<&'static str>,
}

impl Arguments {
    /// The named fields of `Q`; its other fields keep their defaults.
    pub fn of<Q: JsonSchema>(names: &[&'static str]) -> Self {
        let schema = requests::schema::<Q>().to_value();
        let is_required = |name: &&&str| schema["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
        Self {
            fields: names.iter().map(|name| ((*name).to_owned(), schema["properties"][name].clone())).collect(),
            required: names.iter().filter(is_required).copied().collect(),
        }
    }

    /// The schema that a client is shown.
    pub fn schema(&self) -> JsonObject {
        let fields = self.fields.iter().map(|(name, field)| (name.clone(), shown(name, field)));
        let mut schema = JsonObject::new();
        schema.insert("type".into(), json!("object"));
        schema.insert("properties".into(), fields.collect::<JsonObject>().into());
        if !self.required.is_empty() {
            schema.insert("required".into(), json!(self.required));
        }
        schema.insert("additionalProperties".into(), json!(false));
        schema
    }

    /// Each name with its description.
    pub fn descriptions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, field)| (name.as_str(), field["description"].as_str().unwrap_or_default()))
    }

    /// The request that was sent.
    pub fn read<Q: DeserializeOwned>(&self, mut given: JsonObject) -> Result<Q, OpError> {
        let is_missing = |name: &&&str| given.get(**name).is_none_or(|value| value.is_null() || value == "");
        if let Some(missing) = self.required.iter().find(is_missing) {
            let error = OpError::usage(format!("`{missing}` is missing"));
            let others = given.keys().map(String::as_str).filter(|name| !self.fields.contains_key(*name));
            return Err(match nearest(missing, others) {
                Some(near) => error.hint(format!("did you mean it by `{near}`?")),
                None => error,
            });
        }
        let mut request = JsonObject::new();
        for (name, field) in &self.fields {
            if let Some(value) = given.remove(name).filter(|value| !value.is_null()) {
                request.insert(name.clone(), accepted(name, field, value)?);
            }
        }
        if let Some(unknown) = given.keys().next() {
            let error = OpError::usage(format!("no argument is called `{unknown}`"));
            let known: Vec<&str> = self.fields.keys().map(String::as_str).collect();
            return Err(match nearest(unknown, known.iter().copied()) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint(format!("there are: {}", known.join(", "))),
            });
        }
        serde_json::from_value(request.into()).map_err(|error| OpError::usage(error.to_string()))
    }
}

/// Words of a tool for some fields, where it says less or means something else than the request does.
pub fn with_help(all: &'static [(&'static str, &'static str)]) -> impl FnMut(&mut Schema) {
    move |schema| {
        for (name, help) in all {
            set(schema, name, "description", *help);
        }
    }
}

/// What a tool takes for a field that is left out.
pub fn with_default(name: &'static str, default: u64) -> impl FnMut(&mut Schema) {
    move |schema| set(schema, name, "default", default)
}

fn set(schema: &mut Schema, name: &str, key: &str, value: impl Into<Value>) {
    if let Some(field) = schema.pointer_mut(&format!("/properties/{name}")) {
        field[key] = value.into();
    }
}

/// Views that need neither a mask nor slices.
pub fn plain_views() -> impl Iterator<Item = &'static str> {
    let apart = [Level::Masked, Level::Custom, Level::None];
    Level::ALL.iter().filter(move |level| !apart.contains(level)).map(|level| level.as_str())
}

/// A field as a client is shown it. One type each: not every client knows lists of types.
fn shown(name: &str, field: &Value) -> Value {
    let Value::Object(mut shown) = field.clone() else { return Value::Null };
    shown.retain(|key, value| match key.as_str() {
        "format" | "pattern" => false,
        // Nothing, no and none are no news.
        "default" => value.as_u64() > Some(0),
        _ => true,
    });
    shown.insert("type".into(), kind(field).into());
    if name == "view" {
        shown.insert("enum".into(), plain_views().collect());
    } else if shown.contains_key("enum") {
        shown.insert("enum".into(), words(field).collect());
    }
    shown.into()
}

/// The first type of a field that is not null.
fn kind(field: &Value) -> &str {
    let all = field["type"].as_array().map_or(std::slice::from_ref(&field["type"]), Vec::as_slice);
    all.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or_default()
}

/// The words of a closed list.
fn words(field: &Value) -> impl Iterator<Item = &str> {
    field["enum"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Manifests keep a task whole, and an agent must not fill the disk of a person.
const LONGEST_QUERY: usize = 64 << 10;

/// The value in the form that its field has, or what is wrong with it.
fn accepted(name: &str, field: &Value, value: Value) -> Result<Value, OpError> {
    let value = match (kind(field), value) {
        ("array", text @ Value::String(_)) => vec![text].into(),
        ("integer", value) => number(&value).map(u64::from).into(),
        (_, value) => value,
    };
    let is_mode = |mode: &Value| words(&field["additionalProperties"]).any(|word| mode == word);
    let (is_right, what) = match kind(field) {
        "string" => (value.is_string(), "a text"),
        "integer" => (value.is_u64(), "a number from 0 on"),
        "boolean" => (value.is_boolean(), "true or false"),
        "array" => (value.as_array().is_some_and(|list| list.iter().all(Value::is_string)), "a list of texts"),
        _ => (value.as_object().is_some_and(|mask| mask.values().all(is_mode)), "an object of symbols and modes"),
    };
    if !is_right {
        let modes = words(&field["additionalProperties"]).collect::<Vec<_>>().join("\"|\"");
        let modes = if modes.is_empty() { modes } else { format!(": {{\"Class.method\": \"{modes}\"}}") };
        return Err(OpError::usage(format!("`{name}` is not {what}{modes}")));
    }
    if value.as_array().is_some_and(|list| list.iter().any(|text| text == "")) {
        return Err(OpError::usage(format!("`{name}` has an empty text")).hint("`.` is the whole folder"));
    }
    let text = value.as_str().unwrap_or_default();
    if field["enum"].is_array() && !words(field).any(|word| word == text) {
        let error = OpError::usage(format!("no {name} is called `{text}`"));
        return Err(error.hint(format!("there are: {}", words(field).collect::<Vec<_>>().join(", "))));
    }
    if name == "query" && text.len() > LONGEST_QUERY {
        let (bytes, most) = (grouped(text.len() as u64), grouped(LONGEST_QUERY as u64));
        let error = OpError::usage(format!("`{name}` has {bytes} bytes: {most} at most"));
        return Err(error.hint("the error message or the lines that matter are enough"));
    }
    Ok(value)
}

fn number(value: &Value) -> Option<TokenCount> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        _ => TokenCount::deserialize(value).ok(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use contexture::requests::DocumentRequest;

    /// A document for a tool.
    #[derive(Deserialize, JsonSchema)]
    #[schemars(transform = with_help(&[("retrieve", "Tokens of passages")]), transform = with_default("retrieve", 500))]
    struct RetrieveArguments {
        #[serde(flatten)]
        _request: DocumentRequest,
    }

    #[test]
    fn a_tool_may_have_words_and_defaults_of_its_own() {
        let shown = Arguments::of::<RetrieveArguments>(&["retrieve"]).schema();
        let field = json!({"type": "integer", "minimum": 0, "description": "Tokens of passages", "default": 500});
        assert_eq!(shown["properties"]["retrieve"], field);
    }

    fn read(given: Value) -> Result<DocumentRequest, String> {
        let arguments = Arguments::of::<DocumentRequest>(&["paths", "query", "budget", "view", "mask", "line_numbers"]);
        arguments.read(given.as_object().unwrap().clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_read_as_models_write_them() {
        let request =
            read(json!({"paths": "src", "budget": 8000.0, "view": null, "mask": {"a.b": "sig"}, "line_numbers": true}))
                .unwrap();
        assert_eq!((request.paths, request.budget), (vec!["src".to_owned()], Some(TokenCount(8_000))));
        assert_eq!((request.view, request.mask.len(), request.line_numbers), (None, 1, true));
        assert_eq!(read(json!({"budget": "8k"})).unwrap().budget, Some(TokenCount(8_000)));
    }

    #[test]
    fn other_values_are_refused() {
        for (given, cause) in [
            (json!({"paths": [1]}), "`paths` is not a list of texts"),
            (json!({"paths": ""}), "`paths` has an empty text"),
            (json!({"query": 1}), "`query` is not a text"),
            (json!({"budget": -1}), "`budget` is not a number from 0 on"),
            (json!({"budget": 0.5}), "`budget` is not a number from 0 on"),
            (json!({"line_numbers": "yes"}), "`line_numbers` is not true or false"),
            (json!({"view": "all"}), "no view is called `all`"),
            // A field of a document that was not offered, even without a value.
            (json!({"strict": null}), "no argument is called `strict`"),
        ] {
            assert_eq!(read(given.clone()).unwrap_err(), cause, "{given}");
        }
    }
}
