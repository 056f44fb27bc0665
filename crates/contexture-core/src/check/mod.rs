//! Whether a request is one that its provider takes: what each API demands, written down apart from what writes requests.
//!
//! Takes the body of a request of any program; gives what is wrong with it, where, and what to do. Judges only what the request says:
//! whether a model exists or an account may use it is for the provider.

mod anthropic;
mod chat;
mod gemini;
mod responses;
#[cfg(test)]
mod tests;

use crate::model::Api;
use serde_json::{Map, Value};
use std::fmt;

/// Something that a provider would refuse.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Violation {
    /// `messages[2].content[0]`; empty for the request as a whole.
    pub at: String,
    pub text: String,
    pub hint: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.is_empty() { f.write_str(&self.text) } else { write!(f, "{}: {}", self.at, self.text) }
    }
}

/// Everything that is wrong with a request, in the order of its parts.
pub fn check(api: Api, body: &str) -> Vec<Violation> {
    let mut found = Found::default();
    match serde_json::from_str::<Value>(body) {
        Ok(Value::Object(request)) => {
            found.settings(api, &request);
            match api {
                Api::Anthropic | Api::MiniMax => anthropic::check(&request, api, &mut found),
                Api::OpenAi | Api::DeepSeek => chat::check(&request, api, &mut found),
                Api::Responses => responses::check(&request, &mut found),
                Api::Gemini => gemini::check(&request, &mut found),
            }
        }
        Ok(_) => found.add("", "it is no object", "a request is a JSON object"),
        Err(error) => found.add("", format!("it is no JSON: {error}"), "a request is a JSON object"),
    }
    found.all
}

type Object = Map<String, Value>;

#[derive(Default)]
struct Found {
    all: Vec<Violation>,
}

/// What tools may be called everywhere.
const LONGEST_NAME: usize = 64;

impl Found {
    fn add(&mut self, at: impl Into<String>, text: impl Into<String>, hint: &'static str) {
        self.all.push(Violation { at: at.into(), text: text.into(), hint });
    }

    fn need(&mut self, holds: bool, at: &str, text: &str, hint: &'static str) -> bool {
        if !holds {
            self.add(at, text, hint);
        }
        holds
    }

    /// A member that must be a text with something in it.
    fn text<'a>(&mut self, object: &'a Object, key: &str, at: &str) -> Option<&'a str> {
        let text = object.get(key).and_then(Value::as_str);
        match text {
            None => self.add(at, format!("`{key}` is no text"), "write it as a string"),
            Some(text) if text.trim().is_empty() => {
                self.add(at, format!("`{key}` is empty"), "leave the block out, or say something");
            }
            Some(_) => {}
        }
        text
    }

    /// The name of a tool or an id.
    fn word<'a>(&mut self, object: &'a Object, key: &str, at: &str) -> Option<&'a str> {
        let word = object.get(key).and_then(Value::as_str);
        let is_plain = |word: &str| {
            let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            (1..=LONGEST_NAME).contains(&word.len()) && word.chars().all(is_letter)
        };
        match word {
            None => self.add(at, format!("`{key}` is missing"), "every call and every tool has one"),
            Some(word) if !is_plain(word) => self.add(
                at,
                format!("`{key}` has more than letters, digits, `_` and `-`, or is longer than 64"),
                "use another name",
            ),
            Some(_) => {}
        }
        word
    }

    /// A list with something in it.
    fn list<'a>(&mut self, object: &'a Object, key: &str, at: &str) -> &'a [Value] {
        match object.get(key).and_then(Value::as_array) {
            Some(list) if !list.is_empty() => list,
            Some(_) => {
                self.add(at, format!("`{key}` is empty"), "a request says something");
                &[]
            }
            None => {
                self.add(at, format!("`{key}` is no list"), "write it as a list");
                &[]
            }
        }
    }

    /// A value as an object; what is none is told.
    fn object<'a>(&mut self, value: &'a Value, at: &str) -> Option<&'a Object> {
        if value.as_object().is_none() {
            self.add(at, "it is no object", "write it as a JSON object");
        }
        value.as_object()
    }

    /// What all APIs have beside the messages.
    fn settings(&mut self, api: Api, request: &Object) {
        let whole: &[&str] = match api {
            Api::Anthropic | Api::MiniMax => &["max_tokens"],
            Api::OpenAi | Api::DeepSeek => &["max_tokens", "max_completion_tokens"],
            Api::Responses => &["max_output_tokens"],
            Api::Gemini => &[],
        };
        for key in whole {
            if request.get(*key).is_some_and(|value| value.as_u64().is_none_or(|most| most == 0)) {
                self.add("", format!("`{key}` is no whole number above 0"), "say how long an answer may be");
            }
        }
        let inner = request.get("generationConfig").and_then(Value::as_object);
        let (holder, topp) = match api {
            Api::Gemini => (inner, "topP"),
            _ => (Some(request), "top_p"),
        };
        let highest = if matches!(api, Api::Anthropic | Api::MiniMax) { 1.0 } else { 2.0 };
        for (key, highest) in [("temperature", highest), (topp, 1.0)] {
            let value = holder.and_then(|holder| holder.get(key)).filter(|value| !value.is_null());
            if value.is_some_and(|value| value.as_f64().is_none_or(|value| !(0.0..=highest).contains(&value))) {
                self.add("", format!("`{key}` is no number from 0 to {highest}"), "set another value, or none");
            }
        }
        let model = request.get("model");
        if model.is_some_and(|model| model.as_str().is_none_or(str::is_empty)) {
            self.add("", "`model` is no name", "name a model");
        }
    }
}

/// A value's `type`.
fn kind(object: &Object) -> &str {
    object.get("type").and_then(Value::as_str).unwrap_or_default()
}
