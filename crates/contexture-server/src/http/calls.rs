//! One call of an operation: its body, field by field.
//!
//! An operation lists its fields; a body that has others, lacks one or has one of another kind is refused before anything is done,
//! with the name of the field. What passes is read by name, and null is the same as nothing.

use super::Served;
use super::operations::Operation;
use crate::ops::{Door, OpError, Request};
use crate::wire;
use contexture_core::{Level, SymbolMode};
use contexture_gather::config::{Entry, nearest};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

pub struct Call<'a> {
    pub served: &'a Served,
    pub door: Door,
    pub body: &'a Value,
}

/// A field of a body.
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub is_needed: bool,
    pub about: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Texts,
    /// Which run: a number, or a word.
    Run,
    Number,
    Real,
    Flag,
    /// One of these.
    Word(&'static [&'static str]),
    /// A document that is asked for.
    Request,
    /// Files as compositions have them.
    Entries,
    Object,
    Objects,
}

pub fn check(operation: &Operation, body: &Value) -> Result<(), OpError> {
    let about = |cause: String| {
        OpError::usage(format!("`{}`: {cause}", operation.name)).hint("`GET /openapi.json` lists every field")
    };
    let fields = body.as_object().ok_or_else(|| about("the body is no object".into()))?;
    for key in fields.keys() {
        if !operation.fields.iter().any(|field| field.name == key) {
            let near = nearest(key, operation.fields.iter().map(|field| field.name));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(about(format!("the field `{}` is not known{near}", contexture_core::render::printable(key))));
        }
    }
    for field in operation.fields {
        match fields.get(field.name).filter(|value| !value.is_null()) {
            None if field.is_needed => return Err(about(format!("the field `{}` is missing", field.name))),
            Some(value) if !is_of(value, field.kind) => {
                return Err(about(format!("the field `{}` is to be {}", field.name, told(field.kind))));
            }
            None | Some(_) => {}
        }
    }
    Ok(())
}

fn is_of(value: &Value, kind: Kind) -> bool {
    match kind {
        Kind::Text => value.is_string(),
        Kind::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        Kind::Run => value.is_string() || value.is_u64(),
        Kind::Number => value.is_u64(),
        Kind::Real => value.is_number(),
        Kind::Flag => value.is_boolean(),
        Kind::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        Kind::Request | Kind::Object => value.is_object(),
        Kind::Entries => value.as_array().is_some_and(|list| list.iter().all(|one| one.is_string() || one.is_object())),
        Kind::Objects => value.as_array().is_some_and(|list| list.iter().all(Value::is_object)),
    }
}

fn told(kind: Kind) -> String {
    match kind {
        Kind::Text => "a text".into(),
        Kind::Texts => "a list of texts".into(),
        Kind::Run => "the number of a run, `last`, or `-2` for the one before".into(),
        Kind::Number => "a whole number".into(),
        Kind::Real => "a number".into(),
        Kind::Flag => "true or false".into(),
        Kind::Word(words) => format!("one of {}", words.join(", ")),
        Kind::Request => "a request: an object".into(),
        Kind::Object => "an object".into(),
        Kind::Entries => "a list of paths and entries".into(),
        Kind::Objects => "a list of objects".into(),
    }
}

impl Call<'_> {
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.body.get(name).filter(|value| !value.is_null())
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.value(name).and_then(Value::as_str)
    }

    /// A field that the table says is needed.
    pub fn needed(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    pub fn run(&self, name: &str) -> Option<String> {
        self.number(name).map(|number| number.to_string()).or_else(|| self.owned(name))
    }

    pub fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    pub fn texts(&self, name: &str) -> Vec<String> {
        let list = self.value(name).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(|text| Some(text.as_str()?.to_owned())).collect()
    }

    pub fn number(&self, name: &str) -> Option<u64> {
        self.value(name).and_then(Value::as_u64)
    }

    pub fn size(&self, name: &str) -> Option<usize> {
        self.number(name).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
    }

    pub fn seconds(&self, name: &str) -> Option<Duration> {
        // A day is longer than anybody waits.
        self.number(name).map(|seconds| Duration::from_secs(seconds.clamp(1, 86_400)))
    }

    pub fn real(&self, name: &str) -> Option<f64> {
        self.value(name).and_then(Value::as_f64)
    }

    pub fn flag(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The document that is asked for; all of the project where nothing is said. It goes where the operation says, never to a file of
    /// the caller's choice.
    pub fn request(&self) -> Result<Request, OpError> {
        let nothing = Value::Object(Map::new());
        let asked = self.value("request").unwrap_or(&nothing);
        if let Some(name) =
            ["target", "explain"].iter().find(|name| asked.get(**name).is_some_and(|value| !value.is_null()))
        {
            return Err(OpError::usage(format!("the request has `{name}`, which is the operation's matter"))
                .hint("`GET /openapi.json` lists every field"));
        }
        let request = wire::request::from_json(asked);
        let request = request.map_err(|cause| OpError::usage(format!("the request cannot be understood: {cause}")))?;
        Ok(Request { target: None, explain: None, ..request })
    }

    pub fn entries(&self, name: &str) -> Result<Option<Vec<Entry>>, OpError> {
        let Some(list) = self.value(name).and_then(Value::as_array) else { return Ok(None) };
        list.iter().map(|entry| Entry::from_json(entry).map_err(OpError::from)).collect::<Result<_, _>>().map(Some)
    }

    pub fn view(&self) -> Result<Option<Level>, OpError> {
        self.text("view").map(view).transpose()
    }

    pub fn mask(&self) -> Result<BTreeMap<String, SymbolMode>, OpError> {
        self.value("mask").map_or(Ok(BTreeMap::new()), mask)
    }
}

pub fn view(word: &str) -> Result<Level, OpError> {
    Level::parse(word).ok_or_else(|| OpError::usage(format!("no view is called `{}`", word.escape_debug())))
}

pub fn mask(value: &Value) -> Result<BTreeMap<String, SymbolMode>, OpError> {
    wire::request::mask(value).ok_or_else(|| {
        OpError::usage("the mask cannot be understood").hint("`{\"symbol\": \"def\"}`, or `sig`, or `hide`")
    })
}
