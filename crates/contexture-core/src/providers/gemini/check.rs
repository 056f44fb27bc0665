//! Gemini: contents of parts.

use crate::providers::check::{self, Object, Violations};
use crate::types::is_base64;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn check(request: &Object, found: &mut Violations) {
    if let Some(config) = member(request, "generationConfig") {
        match config.as_object() {
            Some(config) => found.members(config, "generationConfig", "generationConfig"),
            None => found.add("generationConfig", "it is no object", "write it as a JSON object"),
        }
    }
    if let Some(system) = member(request, "systemInstruction") {
        let parts = system.get("parts").and_then(Value::as_array);
        let is_said = parts.is_some_and(|parts| !parts.is_empty() && parts.iter().all(|part| text_of(part).is_some()));
        found.need(is_said, "systemInstruction", "it has no parts of text", "give `{\"parts\":[{\"text\":…}]}`");
    }
    let tools = found.optional_list(request, "tools", "");
    let declared =
        tools.iter().filter_map(|tool| member(tool.as_object()?, "functionDeclarations")?.as_array()).flatten();
    let mut names = BTreeSet::new();
    for (nth, tool) in declared.enumerate() {
        let at = format!("tools.functionDeclarations[{nth}]");
        let Some(tool) = found.object(tool, &at) else { continue };
        found.members(tool, "declared", &at);
        found.tool_name(tool, &mut names, &at);
        // Without a schema it takes no arguments.
        let keys: [(&str, &[&str]); 2] =
            // Its own schemas may be written in capitals.
            [("parameters", &["object", "OBJECT"]), ("parametersJsonSchema", &["object"])];
        let schemas = keys.map(|(key, words)| (key, words, member(tool, key)));
        for (key, words, schema) in schemas.iter().filter(|(.., schema)| schema.is_some()) {
            found.schema(*schema, key, words, &at);
        }
        let is_one = schemas.iter().any(|(.., schema)| schema.is_none());
        found.need(is_one, &at, "it has two schemas", "leave `parameters` or `parametersJsonSchema` out");
    }
    // The address names the model, and the body may: before Gemini 3 nothing was sealed.
    let model = check::text_of(request, "model");
    let model = model.rsplit('/').next().unwrap_or(model);
    let is_sealed = !["gemini-1", "gemini-2"].iter().any(|old| model.starts_with(old));
    let mut talk = Conversation { is_sealed, last: "", calls: Vec::new() };
    let contents = found.list(request, "contents", "");
    found.each(contents, "contents", |found, content, at| talk.content(content, at, found));
    found.need(talk.calls.is_empty(), "contents", "calls have no response", "add a `functionResponse` for each");
}

/// A member by its name, also where it is written with underscores.
pub(in crate::providers) fn member<'a>(object: &'a Object, name: &str) -> Option<&'a Value> {
    object.get(name).or_else(|| object.iter().find(|(key, _)| camel(key) == name).map(|(_, value)| value))
}

/// `inline_data` as `inlineData`.
pub(in crate::providers) fn camel(key: &str) -> String {
    let mut parts = key.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        let mut letters = part.chars();
        name + &letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    })
}

fn text_of(part: &Value) -> Option<&str> {
    part.get("text").and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn is_signed(part: &Object) -> bool {
    member(part, "thoughtSignature").and_then(Value::as_str).is_some_and(|seal| !seal.is_empty())
}

struct Conversation<'a> {
    /// Calls go back with their signatures.
    is_sealed: bool,
    last: &'a str,
    /// Names of what was called in the content before.
    calls: Vec<&'a str>,
}

impl<'a> Conversation<'a> {
    fn content(&mut self, content: &'a Object, at: &str, found: &mut Violations) {
        found.members(content, "content", at);
        // Without a role it is of the user.
        let role = content.get("role").and_then(Value::as_str).unwrap_or("user");
        match role {
            "user" => {}
            "model" => {
                found.need(
                    !self.last.is_empty(),
                    at,
                    "the first content is the model's",
                    "begin with one of role `user`",
                );
                found.need(self.last != "model", at, "two contents of the model follow each other", "join them");
            }
            "function" => {}
            _ => found.add(at, format!("no such role: `{role}`"), "there are `user` and `model`"),
        }
        self.last = role;
        let parts = found.list(content, "parts", at);
        let called = std::mem::take(&mut self.calls);
        let mut answered = Vec::new();
        found.each(parts, &format!("{at}.parts"), |found, part, at| {
            found.members(part, "part", at);
            for key in ["functionCall", "functionResponse", "inlineData"] {
                if let Some(inner) = member(part, key).and_then(Value::as_object) {
                    found.members(inner, key, at);
                }
            }
            if let Some(response) = member(part, "functionResponse") {
                found.need(role != "model", at, "the model answers a call", "responses are of role `user`");
                answered.push(response.get("name").and_then(Value::as_str).unwrap_or_default());
                let is_object = response.get("response").is_some_and(Value::is_object);
                found.need(is_object, at, "`response` is no object", "put the result into one");
            } else if let Some(call) = member(part, "functionCall").and_then(Value::as_object) {
                self.call(call, part, role, at, found);
            } else {
                self.plain(part, at, found);
            }
        });
        if answered != called {
            let text = format!("it answers [{}], called were [{}]", answered.join(", "), called.join(", "));
            found.add(at, text, "a response for each call of the content before, in its order");
        }
    }

    fn call(&mut self, call: &'a Object, part: &Object, role: &str, at: &str, found: &mut Violations) {
        found.need(role == "model", at, "`user` calls a function", "only `model` calls");
        let is_object = call.get("args").is_none_or(Value::is_object);
        found.need(is_object, at, "`args` is no object", "arguments are a JSON object");
        // Of calls that were made together, the first is signed.
        let is_first = self.calls.is_empty();
        found.need(
            is_signed(part) || !is_first || !self.is_sealed,
            at,
            "the call has no `thoughtSignature`",
            "send it as it came, or `skip_thought_signature_validator`",
        );
        if let Some(name) = found.word(call, "name", at) {
            self.calls.push(name);
        }
    }

    fn plain(&self, part: &Object, at: &str, found: &mut Violations) {
        if part.contains_key("text") {
            // The end of a stream may have a signature and no text. It goes back as it came.
            let is_said =
                part.get("text").and_then(Value::as_str).is_some_and(|text| !text.is_empty() || is_signed(part));
            found.need(is_said, at, "the text is empty", "leave the part out");
            found.need(self.calls.is_empty(), at, "a text stands behind a call", "put calls last");
        } else if let Some(data) = member(part, "inlineData") {
            let text = |key: &str| {
                let value = data.as_object().and_then(|data| member(data, key));
                value.and_then(Value::as_str).unwrap_or_default()
            };
            let media = text("mimeType");
            let is_known = found.provider.pictures.types.contains(&media) || !media.starts_with("image/");
            found.need(is_known && !media.is_empty(), at, "no type of data it takes", "use PNG, JPEG, WebP or HEIC");
            found.need(is_base64(text("data")), at, "its data is no base64", "encode it without line ends");
        } else if !["fileData", "executableCode", "codeExecutionResult", "toolCall", "toolResponse"]
            .iter()
            .any(|key| member(part, key).is_some())
            && !is_signed(part)
        {
            found.add(at, "the part has nothing in it", "leave it out");
        }
    }
}
