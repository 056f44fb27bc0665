//! Whether a request is one that its provider takes: what each API demands, written down apart from what writes requests.
//!
//! Takes the body of a request of any program; gives what is wrong with it, where, and what to do. Judges only what the request says:
//! whether a model exists or an account may use it is for the provider.

mod anthropic;
mod chat;
mod gemini;
mod keys;
mod members;
mod responses;
mod settings;
#[cfg(test)]
mod tests;
mod written;

pub use written::Refused;
pub(crate) use written::checked;

use crate::model::{Api, is_base64};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt;

/// Something that a provider would refuse.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Violation {
    /// `messages[2].content[0]`; empty for the request as a whole.
    pub at: String,
    pub text: String,
    /// One thing to do about it.
    pub hint: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.is_empty() { f.write_str(&self.text) } else { write!(f, "{}: {}", self.at, self.text) }
    }
}

/// Everything that is wrong with a request, in the order of its parts.
pub fn check(api: Api, body: &str) -> Vec<Violation> {
    let mut found = Found { api, all: Vec::new() };
    match serde_json::from_str::<Value>(body) {
        Ok(Value::Object(request)) => {
            for (at, key) in keys::twice(body) {
                found.add(at, format!("`{key}` stands there twice"), "leave one of them out");
            }
            found.members(&request, "request", "");
            found.settings(&request);
            settings::check(&request, &mut found);
            match api {
                Api::Anthropic | Api::MiniMax => anthropic::check(&request, &mut found),
                Api::OpenAi | Api::DeepSeek => chat::check(&request, &mut found),
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

struct Found {
    api: Api,
    all: Vec<Violation>,
}

/// What tools may be called everywhere, and what Gemini takes besides.
const LONGEST_NAME: usize = 64;
const LONGEST_GEMINI_NAME: usize = 128;

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
        let (longest, more) = match self.api {
            Api::Gemini => (LONGEST_GEMINI_NAME, ".:"),
            _ => (LONGEST_NAME, ""),
        };
        let is_plain = |word: &str| {
            let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || more.contains(c);
            (1..=longest).contains(&word.len()) && word.chars().all(is_letter)
        };
        match word {
            None => self.add(at, format!("`{key}` is missing"), "every call and every tool has one"),
            Some(word) if !is_plain(word) => self.add(
                at,
                format!("`{key}` has more than letters, digits, `_` and `-`, or is longer than {longest}"),
                "use another name",
            ),
            Some(_) => {}
        }
        word
    }

    /// Members that a block is nothing without.
    fn has(&mut self, block: &Object, keys: &[&str], at: &str) {
        for key in keys.iter().filter(|key| block.get(**key).is_none_or(Value::is_null)) {
            self.add(at, format!("`{key}` is missing"), "give it, or leave the block out");
        }
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

    /// Members that its API does not know and refuses.
    fn members(&mut self, object: &Object, place: &str, at: &str) {
        let Some(known) = members::of(self.api, place) else { return };
        let is_known = |key: &str| known.split_ascii_whitespace().any(|known| known == key);
        for key in object.keys() {
            let is_known = match self.api {
                Api::Gemini => is_known(&gemini::camel(key)),
                _ => is_known(key),
            };
            let hint = match (self.api, key.as_str()) {
                (Api::OpenAi | Api::Responses, "cache_control") => {
                    "marks for the cache are `prompt_cache_breakpoint` here"
                }
                _ => "leave it out: the API refuses what it does not know",
            };
            if !is_known {
                self.add(at, format!("it knows no `{key}`"), hint);
            }
        }
    }

    /// A member that is a list, if it is there.
    fn optional_list<'a>(&mut self, object: &'a Object, key: &str, at: &str) -> &'a [Value] {
        match object.get(key) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(list)) => list,
            Some(_) => {
                self.add(at, format!("`{key}` is no list"), "write it as a list");
                &[]
            }
        }
    }

    /// The name of a tool, which no other has.
    fn tool_name<'a>(&mut self, tool: &'a Object, taken: &mut BTreeSet<&'a str>, at: &str) {
        if let Some(name) = self.word(tool, "name", at)
            && !taken.insert(name)
        {
            self.add(at, format!("another tool is called `{name}`, too"), "names of tools are unique");
        }
    }

    /// Arguments of a tool: a schema of an object.
    fn schema(&mut self, schema: Option<&Value>, key: &str, at: &str) {
        // Gemini's own schemas are written in capitals.
        let is_gemini = self.api == Api::Gemini && key == "parameters";
        let is_object = |schema: &Object| kind(schema) == "object" || (is_gemini && kind(schema) == "OBJECT");
        if !schema.and_then(Value::as_object).is_some_and(is_object) {
            self.add(at, format!("`{key}` is no schema of an object"), "give `{\"type\":\"object\"}` at least");
        }
    }

    /// Where a picture is, or the picture itself.
    fn picture_address(&mut self, url: Option<&str>, at: &str) {
        let is_one = url.is_some_and(|url| match url.strip_prefix("data:image/") {
            Some(data) => data.split_once(";base64,").is_some_and(|(_, data)| is_base64(data)),
            None => url.starts_with("http"),
        });
        self.need(is_one, at, "the picture has no address", "use `https` or `data:image/png;base64,…`");
    }

    /// What all APIs have beside the messages.
    fn settings(&mut self, request: &Object) {
        let api = self.api;
        let holder = match api {
            Api::Gemini => gemini::member(request, "generationConfig").and_then(Value::as_object),
            _ => Some(request),
        };
        let set = |key: &str| {
            let value = holder.and_then(|holder| gemini::member(holder, key));
            value.filter(|value| !value.is_null())
        };
        let wholes: &[(&str, u64, u64)] = match api {
            // Without an answer only the cache is filled.
            Api::Anthropic => &[("max_tokens", 0, u64::MAX), ("top_k", 0, u64::MAX)],
            Api::OpenAi => &[("max_tokens", 1, u64::MAX), ("max_completion_tokens", 1, u64::MAX), ("n", 1, 128)],
            // What these have no use for they pass over.
            Api::DeepSeek | Api::MiniMax => &[("max_tokens", 1, u64::MAX)],
            Api::Responses => &[("max_output_tokens", 1, u64::MAX)],
            Api::Gemini => &[("maxOutputTokens", 1, u64::MAX), ("topK", 0, u64::MAX), ("candidateCount", 1, 8)],
        };
        for (key, least, most) in wholes {
            if set(key).is_some_and(|value| value.as_u64().is_none_or(|value| !(*least..=*most).contains(&value))) {
                let range = match *most {
                    u64::MAX => format!("from {least} on"),
                    most => format!("from {least} to {most}"),
                };
                self.add("", format!("`{key}` is no whole number {range}"), "set another value, or none");
            }
        }
        let highest = if matches!(api, Api::Anthropic | Api::MiniMax) { 1.0 } else { 2.0 };
        for (key, highest) in [("temperature", highest), (if api == Api::Gemini { "topP" } else { "top_p" }, 1.0)] {
            if set(key).is_some_and(|value| value.as_f64().is_none_or(|value| !(0.0..=highest).contains(&value))) {
                self.add("", format!("`{key}` is no number from 0 to {highest}"), "set another value, or none");
            }
        }
        // As many texts as may end an answer.
        let (key, most) = match api {
            Api::Anthropic => ("stop_sequences", usize::MAX),
            Api::OpenAi => ("stop", 4),
            Api::DeepSeek => ("stop", 16),
            Api::Gemini => ("stopSequences", 5),
            Api::Responses | Api::MiniMax => ("", 0),
        };
        match set(key) {
            None => {}
            Some(Value::String(_)) if key == "stop" => {}
            Some(Value::Array(texts)) => {
                // Anthropic refuses blank ones, too.
                let is_said = |text: &str| !text.is_empty() && (api != Api::Anthropic || !text.trim().is_empty());
                let is_text = |text: &Value| text.as_str().is_some_and(is_said);
                if !texts.iter().all(is_text) {
                    self.add(key, "it has more than texts in it", "give texts that end an answer");
                }
                if texts.len() > most {
                    self.add(key, format!("it has {} texts, {most} are allowed", texts.len()), "leave some out");
                }
            }
            Some(_) => self.add(key, "it is no list of texts", "give texts that end an answer"),
        }
        if api != Api::Gemini {
            let is_switch = |value: &Value| value.is_boolean() || value.is_null();
            if !request.get("stream").is_none_or(is_switch) {
                self.add("", "`stream` is neither `true` nor `false`", "leave it out for an answer in one piece");
            }
            match request.get("model") {
                Some(model) if model.as_str().is_none_or(str::is_empty) => {
                    self.add("", "`model` is no name", "name a model");
                }
                // A prompt that is kept by the provider may name it.
                None if !(api == Api::Responses && request.contains_key("prompt")) => {
                    self.add("", NO_MODEL, "name a model");
                }
                _ => {}
            }
        }
    }
}

/// The one thing that a request of ours may lack: whoever sends it can name the model then.
const NO_MODEL: &str = "`model` is missing";

/// A value's `type`.
fn kind(object: &Object) -> &str {
    object.get("type").and_then(Value::as_str).unwrap_or_default()
}
