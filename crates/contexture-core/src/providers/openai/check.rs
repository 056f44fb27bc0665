//! OpenAI's Chat Completions, and DeepSeek in the same words.

use crate::providers::check::{Object, Violations, kind, text_of};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn check(request: &Object, found: &mut Violations) {
    if request.contains_key("max_tokens") && request.contains_key("max_completion_tokens") {
        found.add("", "both `max_tokens` and `max_completion_tokens` are set", "leave one of them out");
    }
    let is_lean = found.provider.rules.is_lean;
    let mut names = BTreeSet::new();
    let tools = found.optional_list(request, "tools", "");
    found.each(tools, "tools", |found, tool, at| {
        found.members(tool, &format!("tool of {}", kind(tool)), at);
        if kind(tool) == "custom" && !is_lean {
            return;
        }
        found.need(kind(tool) == "function", at, "its type is not `function`", "tools are functions");
        let Some(function) = tool.get("function").and_then(Value::as_object) else {
            return found.add(at, "`function` is no object", "name and schema stand in it");
        };
        found.members(function, "declared", at);
        found.tool_name(function, &mut names, at);
        // Without a schema it takes no arguments.
        if let Some(schema) = function.get("parameters") {
            found.schema(Some(schema), "parameters", &["object"], at);
        }
    });
    let thinking = request.get("thinking").and_then(|thinking| thinking.get("type")).and_then(Value::as_str);
    let thinks = found.provider.returns_reasoning && thinking != Some("disabled");
    let mut talk = Conversation { is_lean, thinks, open: Vec::new(), marks: Marks::default() };
    let messages = found.list(request, "messages", "");
    found.each(messages, "messages", |found, message, at| talk.message(message, at, found));
    talk.close("messages", found);
    talk.marks.end(found);
}

/// Marks for the cache, here and in Responses.
#[derive(Default)]
pub(in crate::providers) struct Marks(usize);

impl Marks {
    /// As many as a request may have, one of them by itself at the newest message.
    const MOST: usize = 4;

    pub fn part(&mut self, part: &Object, at: &str, found: &mut Violations) {
        let Some(mark) = part.get("prompt_cache_breakpoint").filter(|mark| !mark.is_null()) else { return };
        let is_right = mark.get("mode").and_then(Value::as_str) == Some("explicit");
        found.need(is_right, at, "the mark for the cache is none", "write `{\"mode\":\"explicit\"}`");
        self.0 += 1;
    }

    pub fn end(&self, found: &mut Violations) {
        found.need(self.0 <= Self::MOST, "", "it has more than 4 marks for the cache", "leave the oldest out");
    }
}

struct Conversation<'a> {
    is_lean: bool,
    /// Thoughts that led to calls go back.
    thinks: bool,
    /// Calls that are not answered yet.
    open: Vec<&'a str>,
    marks: Marks,
}

impl<'a> Conversation<'a> {
    fn message(&mut self, message: &'a Object, at: &str, found: &mut Violations) {
        let role = text_of(message, "role");
        found.members(message, role, at);
        if role == "tool" {
            found.answers(&mut self.open, text_of(message, "tool_call_id"), at);
            return self.content(message, role, at, found);
        }
        self.close(at, found);
        let listed = found.optional_list(message, "tool_calls", at);
        let is_name = message.get("name").is_none_or(|name| name.is_string() || name.is_null());
        found.need(is_name, at, "`name` is no text", "write it as a string");
        let calls = message.get("tool_calls").and_then(Value::as_array);
        match role {
            "developer" if self.is_lean => {
                found.add(at, "no such role: `developer`", "there are system, user, assistant, tool");
            }
            "system" | "developer" | "user" => {
                found.need(calls.is_none(), at, "it calls tools", "only `assistant` calls tools");
            }
            "assistant" => {
                let mut ids = BTreeSet::new();
                found.need(calls.is_none_or(|calls| !calls.is_empty()), at, "`tool_calls` is empty", "leave it out");
                let place = format!("{at}.tool_calls");
                found.each(listed, &place, |found, call, at| self.call(call, at, &mut ids, found));
                let thinks = message.get("reasoning_content").is_some_and(Value::is_string);
                if self.thinks && calls.is_some() {
                    found.need(thinks, at, "`reasoning_content` is missing", "send it back, be it empty");
                }
            }
            // What tools were called before.
            "function" if !self.is_lean => found.has(message, &["name"], at),
            _ => found.add(at, format!("no such role: `{role}`"), "there are system, developer, user, assistant, tool"),
        }
        self.content(message, role, at, found);
    }

    fn call(&mut self, call: &'a Object, at: &str, ids: &mut BTreeSet<&'a str>, found: &mut Violations) {
        found.members(call, &format!("call of {}", kind(call)), at);
        let is_custom = kind(call) == "custom" && !self.is_lean;
        found.need(is_custom || kind(call) == "function", at, "its type is not `function`", "calls are of functions");
        self.open.extend(found.call_id(call, "id", ids, at));
        if is_custom {
            return;
        }
        let Some(function) = call.get("function").and_then(Value::as_object) else {
            return found.add(at, "`function` is no object", "name and arguments stand in it");
        };
        found.members(function, "called", at);
        found.word(function, "name", at);
        found.arguments(function, at);
    }

    fn content(&mut self, message: &Object, role: &str, at: &str, found: &mut Violations) {
        let calls =
            ["tool_calls", "function_call"].iter().any(|key| message.get(*key).is_some_and(|call| !call.is_null()));
        match message.get("content") {
            None | Some(Value::Null) => {
                found.need(
                    (role == "assistant" && calls) || (role == "function" && message.contains_key("content")),
                    at,
                    "it has no content",
                    "only a message that calls may say nothing",
                );
            }
            Some(Value::String(text)) => {
                found.need(
                    !text.trim().is_empty() || calls || !self.is_lean,
                    at,
                    "its content is empty",
                    "leave the message out, or say something",
                );
            }
            Some(Value::Array(parts)) => {
                found.need(!parts.is_empty(), at, "its content is empty", "leave the message out, or say something");
                found.need(!self.is_lean, at, "its content is a list", "this API takes a string");
                found.each(parts, &format!("{at}.content"), |found, part, at| self.part(part, role, at, found));
            }
            Some(_) => found.add(at, "its content is neither a text nor a list", "write it as a string"),
        }
    }

    fn part(&mut self, part: &Object, role: &str, at: &str, found: &mut Violations) {
        self.marks.part(part, at, found);
        found.members(part, kind(part), at);
        match (kind(part), role) {
            ("text", _) => drop(found.text(part, "text", at)),
            ("image_url", "user") => {
                let address = part.get("image_url").and_then(Value::as_object);
                if let Some(address) = address {
                    found.members(address, "address", at);
                }
                let url = address.and_then(|address| address.get("url")).and_then(Value::as_str);
                found.picture_address(url, at);
            }
            (other @ ("input_audio" | "file"), "user") | (other @ "refusal", "assistant") => {
                found.has(part, &[other], at)
            }
            (other, _) => found.add(at, format!("`{role}` has no part of type `{other}`"), "use `text`"),
        }
    }

    /// Before anything else follows, every call is answered.
    fn close(&mut self, at: &str, found: &mut Violations) {
        if !self.open.is_empty() {
            let open = std::mem::take(&mut self.open).join(", ");
            found.add(at, format!("calls have no result: {open}"), "add a message of role `tool` for each");
        }
    }
}
