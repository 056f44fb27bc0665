//! Whether a request is one that its provider takes: what each API demands, written down apart from what writes requests.
//!
//! Takes the body of a request of any program; gives what is wrong with it, where, and what to do. Judges only what the request says:
//! whether a model exists or an account may use it is for the provider.

mod keys;
mod settings;
mod sketch;
#[cfg(test)]
mod tests;

pub(crate) use settings::{Shape, Shapes};
pub use sketch::Refused;
pub(crate) use sketch::checked;

use super::{Provider, gemini};
use crate::types::{Api, is_base64};
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
    let mut found = Violations { provider: api.provider(), all: Vec::new() };
    match serde_json::from_str::<Value>(body) {
        Ok(Value::Object(request)) => {
            for (at, key) in keys::twice(body) {
                found.add(at, format!("`{key}` stands there twice"), "leave one of them out");
            }
            found.members(&request, "request", "");
            found.settings(&request);
            settings::check(&request, &mut found);
            (api.provider().dialect.check)(&request, &mut found);
        }
        Ok(_) => found.add("", "it is no object", "a request is a JSON object"),
        Err(error) => found.add("", format!("it is no JSON: {error}"), "a request is a JSON object"),
    }
    found.all
}

pub(crate) type Object = Map<String, Value>;

/// What a provider takes of a request beside what its dialect demands.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The members of each place: the name of the place, or the `type` of what stands there. Others are refused there; a place that is not
    /// listed takes any.
    pub members: &'static [(&'static str, &'static str)],
    /// What kind of value stands under which name, in the request itself or in one of its members.
    pub shapes: &'static [(&'static str, Shapes)],
    /// Whole numbers from one to the other.
    pub wholes: &'static [(&'static str, u64, u64)],
    /// The highest temperature.
    pub hottest: f64,
    pub top_p: &'static str,
    pub stops: Option<Stops>,
    /// The member that most settings stand in.
    pub settings_in: Option<&'static str>,
    /// The member that may name the model in place of `model`.
    pub names_model: Option<&'static str>,
    /// Each member may also be written with underscores.
    pub has_underscores: bool,
    /// Names of tools: how long they may be, and which signs they may have beside letters, digits, `_` and `-`.
    pub longest_name: usize,
    pub name_signs: &'static str,
    /// Of Chat Completions, texts and functions alone: no lists of parts, no other tools and roles, nothing empty.
    pub is_lean: bool,
    /// Settings that depend on each other.
    pub more: fn(&Object, &mut Violations),
}

/// Texts that end an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stops {
    pub key: &'static str,
    pub most: usize,
    /// Whether one may be white space.
    pub blank: bool,
}

impl Rules {
    /// A provider that passes over what it does not know.
    pub const PLAIN: Self = Self {
        members: &[],
        shapes: &[],
        wholes: &[("max_tokens", 1, u64::MAX)],
        hottest: 2.0,
        top_p: "top_p",
        stops: None,
        settings_in: None,
        names_model: None,
        has_underscores: false,
        longest_name: 64,
        name_signs: "",
        is_lean: false,
        more: |_, _| {},
    };
}

pub(crate) struct Violations {
    pub provider: &'static Provider,
    all: Vec<Violation>,
}

impl Violations {
    pub fn add(&mut self, at: impl Into<String>, text: impl Into<String>, hint: &'static str) {
        self.all.push(Violation { at: at.into(), text: text.into(), hint });
    }

    pub fn need(&mut self, holds: bool, at: &str, text: &str, hint: &'static str) -> bool {
        if !holds {
            self.add(at, text, hint);
        }
        holds
    }

    /// A member that must be a text with something in it.
    pub fn text<'a>(&mut self, object: &'a Object, key: &str, at: &str) -> Option<&'a str> {
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
    pub fn word<'a>(&mut self, object: &'a Object, key: &str, at: &str) -> Option<&'a str> {
        let word = object.get(key).and_then(Value::as_str);
        let Rules { longest_name: longest, name_signs: more, .. } = self.provider.rules;
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
    pub fn has(&mut self, block: &Object, keys: &[&str], at: &str) {
        for key in keys.iter().filter(|key| block.get(**key).is_none_or(Value::is_null)) {
            self.add(at, format!("`{key}` is missing"), "give it, or leave the block out");
        }
    }

    /// A list with something in it.
    pub fn list<'a>(&mut self, object: &'a Object, key: &str, at: &str) -> &'a [Value] {
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

    /// A value as an object; what is none is a violation.
    pub fn object<'a>(&mut self, value: &'a Value, at: &str) -> Option<&'a Object> {
        if value.as_object().is_none() {
            self.add(at, "it is no object", "write it as a JSON object");
        }
        value.as_object()
    }

    /// Looks at each object of the list at this place.
    pub fn each<'a>(&mut self, list: &'a [Value], at: &str, mut look: impl FnMut(&mut Self, &'a Object, &str)) {
        for (nth, value) in list.iter().enumerate() {
            let at = format!("{at}[{nth}]");
            let Some(object) = self.object(value, &at) else { continue };
            look(self, object, &at);
        }
    }

    /// Members that its API does not know and refuses.
    pub fn members(&mut self, object: &Object, place: &str, at: &str) {
        let Rules { members, has_underscores, .. } = self.provider.rules;
        let Some((_, known)) = members.iter().find(|(name, _)| *name == place) else { return };
        let is_known = |key: &str| known.split_ascii_whitespace().any(|known| known == key);
        for key in object.keys() {
            let is_known = if has_underscores { is_known(&gemini::camel(key)) } else { is_known(key) };
            let hint = match key.as_str() {
                "cache_control" if self.provider.dialect.mark.contains("prompt_cache_breakpoint") => {
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
    pub fn optional_list<'a>(&mut self, object: &'a Object, key: &str, at: &str) -> &'a [Value] {
        match object.get(key) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(list)) => list,
            Some(_) => {
                self.add(at, format!("`{key}` is no list"), "write it as a list");
                &[]
            }
        }
    }

    /// The id of a call, which no other has.
    pub fn call_id<'a>(
        &mut self,
        call: &'a Object,
        key: &str,
        taken: &mut BTreeSet<&'a str>,
        at: &str,
    ) -> Option<&'a str> {
        let id = self.word(call, key, at)?;
        self.need(taken.insert(id), at, "its id was used before", "ids of calls are unique");
        Some(id)
    }

    /// The call that a result names is one that is open; it is not any more.
    pub fn answers(&mut self, open: &mut Vec<&str>, id: &str, at: &str) {
        match open.iter().position(|open| *open == id) {
            Some(nth) => drop(open.remove(nth)),
            None => self.add(at, "it answers no call before it", "leave it out, or put it behind its call"),
        }
    }

    /// The arguments of a call, where they are JSON in a text.
    pub fn arguments(&mut self, call: &Object, at: &str) {
        let is_text = call.get("arguments").is_some_and(Value::is_string);
        self.need(is_text, at, "`arguments` is no text", "arguments are JSON in a string");
    }

    /// The name of a tool, which no other has.
    pub fn tool_name<'a>(&mut self, tool: &'a Object, taken: &mut BTreeSet<&'a str>, at: &str) {
        if let Some(name) = self.word(tool, "name", at)
            && !taken.insert(name)
        {
            self.add(at, format!("another tool is called `{name}`, too"), "names of tools are unique");
        }
    }

    /// Arguments of a tool: a schema of an object, in the word that schemas under this key have for it.
    pub fn schema(&mut self, schema: Option<&Value>, key: &str, words: &[&str], at: &str) {
        let is_object = |schema: &Object| words.contains(&kind(schema));
        if !schema.and_then(Value::as_object).is_some_and(is_object) {
            self.add(at, format!("`{key}` is no schema of an object"), "give `{\"type\":\"object\"}` at least");
        }
    }

    /// Where a picture is, or the picture itself.
    pub fn picture_address(&mut self, url: Option<&str>, at: &str) {
        let is_one = url.is_some_and(|url| match url.strip_prefix("data:image/") {
            Some(data) => data.split_once(";base64,").is_some_and(|(_, data)| is_base64(data)),
            None => url.starts_with("http"),
        });
        self.need(is_one, at, "the picture has no address", "use `https` or `data:image/png;base64,…`");
    }

    /// What all APIs have beside the messages.
    fn settings(&mut self, request: &Object) {
        let Provider { rules, dialect, .. } = self.provider;
        let holder = match rules.settings_in {
            Some(key) => gemini::member(request, key).and_then(Value::as_object),
            None => Some(request),
        };
        let set = |key: &str| {
            let value = holder.and_then(|holder| gemini::member(holder, key));
            value.filter(|value| !value.is_null())
        };
        for (key, least, most) in rules.wholes {
            if set(key).is_some_and(|value| value.as_u64().is_none_or(|value| !(*least..=*most).contains(&value))) {
                let range = match *most {
                    u64::MAX => format!("from {least} on"),
                    most => format!("from {least} to {most}"),
                };
                self.add("", format!("`{key}` is no whole number {range}"), "set another value, or none");
            }
        }
        for (key, highest) in [("temperature", rules.hottest), (rules.top_p, 1.0)] {
            if set(key).is_some_and(|value| value.as_f64().is_none_or(|value| !(0.0..=highest).contains(&value))) {
                self.add("", format!("`{key}` is no number from 0 to {highest}"), "set another value, or none");
            }
        }
        if let Some(stops) = &rules.stops {
            self.stops(stops, set(stops.key));
        }
        if !dialect.in_address {
            let is_switch = |value: &Value| value.is_boolean() || value.is_null();
            if !request.get("stream").is_none_or(is_switch) {
                self.add("", "`stream` is neither `true` nor `false`", "leave it out for an answer in one piece");
            }
            match request.get("model") {
                Some(model) if model.as_str().is_none_or(str::is_empty) => {
                    self.add("", "`model` is no name", "name a model");
                }
                // A prompt that is kept by the provider may name it.
                None if !rules.names_model.is_some_and(|other| request.contains_key(other)) => {
                    self.add("", NO_MODEL, "name a model");
                }
                _ => {}
            }
        }
    }

    fn stops(&mut self, stops: &Stops, texts: Option<&Value>) {
        let Stops { key, most, blank } = *stops;
        match texts {
            None => {}
            Some(Value::String(_)) if key == "stop" => {}
            Some(Value::Array(texts)) => {
                let is_said = |text: &str| !text.is_empty() && (blank || !text.trim().is_empty());
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
    }
}

/// The one thing that a request of ours may lack: whoever sends it can name the model then.
const NO_MODEL: &str = "`model` is missing";

/// A value's `type`.
pub(crate) fn kind(object: &Object) -> &str {
    text_of(object, "type")
}

/// The text of a member; empty where there is none.
pub(crate) fn text_of<'a>(object: &'a Object, key: &str) -> &'a str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}
