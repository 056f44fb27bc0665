//! Reads a request of JSON, and says in plain words what is wrong with one.
//!
//! The schema of the type is what a body is checked against, so that the check and the published list of fields cannot differ. Null is
//! the same as nothing. Ranges of numbers are declared on the type as well, and the command line takes them from the schema.

use contexture_core::render::printable;
use contexture_gather::config::nearest;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::TypeId;
use std::collections::BTreeMap;
#[cfg(feature = "cli")]
use std::ops::Bound::{Included, Unbounded};
use std::sync::{Mutex, PoisonError};

/// The schema of a type, without references.
pub fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>()
}

/// The request in a JSON value. The error names the field that is unknown, missing or of the wrong kind.
pub fn read<T: DeserializeOwned + JsonSchema + 'static>(mut value: Value) -> Result<T, String> {
    check(&mut value, known_schema::<T>(), Author::Door)?;
    parse(value)
}

/// The schema of a type, made once.
fn known_schema<T: JsonSchema + 'static>() -> &'static Value {
    static KNOWN: Mutex<BTreeMap<TypeId, &'static Value>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(TypeId::of::<T>()).or_insert_with(|| Box::leak(Box::new(schema::<T>().to_value())))
}

/// The whole numbers that the schema of `Q` allows in a field, for the command line.
#[cfg(feature = "cli")]
pub(super) fn ranged<Q, N>(field: &str) -> clap::builder::RangedU64ValueParser<N>
where
    Q: JsonSchema + 'static,
    N: TryFrom<u64> + Clone + Send + Sync + 'static,
    N::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send + Sync,
{
    let bound = |word: &str| known_schema::<Q>()["properties"][field][word].as_u64().map_or(Unbounded, Included);
    clap::builder::RangedU64ValueParser::new().range((bound("minimum"), bound("maximum")))
}

/// A number that the schema of `Q` allows in a field, for the command line.
#[cfg(feature = "cli")]
pub(super) fn number<Q: JsonSchema + 'static>(field: &'static str) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |word: &str| {
        let number: f64 = word.parse().map_err(|_| outside(&known_schema::<Q>()["properties"][field]))?;
        in_range(number, &known_schema::<Q>()["properties"][field]).map(|()| number)
    }
}

/// What the type itself refuses: an entry that is not one.
pub(super) fn parse<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| format!("the field `{}`: {}", error.path(), error.inner()))
}

/// Fields of a document that manifests have and schemas do not show. A request that was written down has them as null.
pub(super) const OF_MANIFESTS: [&str; 3] = ["explain", "target", "caller"];

/// Who wrote a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Author {
    Door,
    /// A run, perhaps of a version that accepted other numbers.
    Manifest,
}

/// Checks the fields of an object against its schema, and takes out those that are null.
pub(super) fn check(value: &mut Value, schema: &Value, by: Author) -> Result<(), String> {
    let Some(fields) = value.as_object_mut() else { return Err("the body is not an object".into()) };
    let none = serde_json::Map::new();
    let known = schema["properties"].as_object().unwrap_or(&none);
    for (name, value) in fields.iter_mut() {
        let Some(kind) = known.get(name) else {
            if OF_MANIFESTS.contains(&name.as_str()) && (value.is_null() || by == Author::Manifest) {
                continue;
            }
            let near = nearest(name, known.keys().map(String::as_str));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(format!("the field `{}` is not known{near}", printable(name)));
        };
        if value.is_null() {
            continue;
        }
        if !is_of(value, kind) {
            return Err(format!("the field `{name}` is to be {}", described(kind)));
        }
        if by == Author::Door
            && let Some(number) = value.as_f64()
        {
            in_range(number, kind).map_err(|cause| format!("the field `{name}`: {cause}"))?;
        }
        let inner = match value {
            Value::Array(items) => items.iter_mut().try_for_each(|item| check_closed(item, &kind["items"], by)),
            value => check_closed(value, kind, by),
        };
        inner.map_err(|cause| format!("in `{name}`: {cause}"))?;
    }
    fields.retain(|_, value| !value.is_null());
    let mut needed = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    match needed.find(|name| !fields.contains_key(*name)) {
        Some(missing) => Err(format!("the field `{missing}` is missing")),
        None => Ok(()),
    }
}

/// Checks an object inside another, where its schema lists all of its fields.
fn check_closed(value: &mut Value, schema: &Value, by: Author) -> Result<(), String> {
    if schema["additionalProperties"] == false && value.is_object() { check(value, schema, by) } else { Ok(()) }
}

/// Whether a number is within the range of its schema. Whole numbers are refused in the words of the command line.
fn in_range(number: f64, schema: &Value) -> Result<(), String> {
    let (least, most) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
    let is_within = least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most);
    if is_within {
        return Ok(());
    }
    match types(schema).contains(&"integer") {
        true => {
            let most = most.map(|most| format!("={most}")).unwrap_or_default();
            Err(format!("{number} is not in {}..{most}", least.unwrap_or_default()))
        }
        false => Err(outside(schema)),
    }
}

/// The range of a number, in words.
fn outside(schema: &Value) -> String {
    let least = schema["minimum"].as_f64().unwrap_or_default();
    match schema["maximum"].as_f64() {
        Some(most) => format!("it is a number from {least} to {most}"),
        None => format!("it is a number of at least {least}"),
    }
}

/// The types that a schema allows, without null.
fn types(schema: &Value) -> Vec<&str> {
    let all = match &schema["type"] {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        Value::String(one) => vec![one.as_str()],
        _ => Vec::new(),
    };
    all.into_iter().filter(|word| *word != "null").collect()
}

/// Whether a value is of the kind that a schema describes. Ranges are looked at elsewhere; the rest is the type's own matter.
fn is_of(value: &Value, schema: &Value) -> bool {
    if let Some(any) = schema["anyOf"].as_array() {
        return any.iter().any(|schema| is_of(value, schema));
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.contains(value);
    }
    let types = types(schema);
    let is = |kind: &&str| match *kind {
        "string" => value.is_string(),
        "integer" => value.is_u64() || (value.is_i64() && schema["minimum"].as_i64().is_none_or(|least| least < 0)),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.as_array().is_some_and(|list| list.iter().all(|item| is_of(item, &schema["items"]))),
        "object" => match (value.as_object(), schema["additionalProperties"].is_object()) {
            (Some(members), true) => members.values().all(|member| is_of(member, &schema["additionalProperties"])),
            (members, false) => members.is_some(),
            (None, true) => false,
        },
        _ => true,
    };
    types.is_empty() || types.iter().any(is)
}

/// The kind of value that a schema describes, in words.
fn described(schema: &Value) -> String {
    if let Some(any) = schema["anyOf"].as_array() {
        let is_null = |schema: &&Value| schema["type"] == "null";
        return any.iter().filter(|schema| !is_null(schema)).map(described).collect::<Vec<_>>().join(", or ");
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        return format!("one of {}", words.join(", "));
    }
    let words = |schema: &Value| schema["enum"].is_array().then(|| described(schema));
    let described = |kind: &str| match kind {
        "array" if words(&schema["items"]).is_some() => {
            format!("a list, each {}", words(&schema["items"]).unwrap_or_default())
        }
        "object" if words(&schema["additionalProperties"]).is_some() => {
            format!("an object whose values are {}", words(&schema["additionalProperties"]).unwrap_or_default())
        }
        "string" => "a text".to_owned(),
        "integer" => "a whole number".to_owned(),
        "number" => "a number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" => match types(&schema["items"]).as_slice() {
            ["string"] => "a list of texts".to_owned(),
            ["object"] => "a list of objects".to_owned(),
            ["string", "object"] => "a list of paths and entries".to_owned(),
            ["integer"] => "a list of numbers".to_owned(),
            _ => "a list".to_owned(),
        },
        _ => "an object".to_owned(),
    };
    types(schema).into_iter().map(described).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::super::{ComposeSetRequest, DocumentRequest, EmptyRequest, SendRequest};
    use super::read;
    use serde_json::json;

    #[test]
    fn objects_in_lists_are_checked_as_others_are() {
        let set = |change| read::<ComposeSetRequest>(json!({"bench": 1, "set": [change]})).map(|_| ());
        assert_eq!(set(json!({"index": [0], "view": "out", "mask": null})), Ok(()));
        // Fields of other programs stay in a slice.
        assert_eq!(
            set(json!({"view": "custom", "slices": [{"start_line": 1, "end_line": 2, "color": "red"}]})),
            Ok(())
        );
        let wrong = |change| set(change).unwrap_err();
        let view = wrong(json!({"view": "outlin"}));
        assert!(view.starts_with("in `set`: the field `view` is to be one of full,"), "{view}");
        assert!(view.ends_with(", or one of default, out"), "{view}");
        assert_eq!(wrong(json!({"index": [0]})), "in `set`: the field `view` is missing");
        assert_eq!(
            wrong(json!({"view": "full", "indx": [0]})),
            "in `set`: the field `indx` is not known; did you mean `index`?"
        );
    }

    #[test]
    fn numbers_out_of_their_range_are_refused() {
        let wrong = |fields| read::<SendRequest>(fields).map(|_| ()).unwrap_err();
        assert_eq!(wrong(json!({"timeout": 0})), "the field `timeout`: 0 is not in 1..=86400");
        assert_eq!(wrong(json!({"request": {"tier": 5}})), "in `request`: the field `tier`: 5 is not in 1..=4");
        let heat = |value: f64| json!({"request": {"temperature": value}});
        assert_eq!(wrong(heat(2.5)), "in `request`: the field `temperature`: it is a number from 0 to 2");
        assert!(read::<SendRequest>(heat(2.0)).is_ok());
        // A run of an earlier version may hold what was accepted then.
        assert!(DocumentRequest::from_manifest(json!({"tier": 5})).is_ok());
    }

    #[test]
    fn a_request_without_fields_takes_none() {
        assert!(read::<EmptyRequest>(json!({})).is_ok());
        assert_eq!(read::<EmptyRequest>(json!({"a": 1})).unwrap_err(), "the field `a` is not known");
    }
}
