//! OpenAI's Chat Completions, and DeepSeek in the same words.

use super::{Found, Object, kind};
use crate::model::Api;
use serde_json::Value;
use std::collections::BTreeSet;

/// As many marks as a request may have, one of them by itself at the newest message.
const MARKS: usize = 4;

pub(super) fn check(request: &Object, found: &mut Found) {
    if request.contains_key("max_tokens") && request.contains_key("max_completion_tokens") {
        found.add("", "both `max_tokens` and `max_completion_tokens` are set", "leave one of them out");
    }
    let mut names = BTreeSet::new();
    for (nth, tool) in found.optional_list(request, "tools", "").iter().enumerate() {
        let at = format!("tools[{nth}]");
        let Some(tool) = found.object(tool, &at) else { continue };
        found.members(tool, &format!("tool of {}", kind(tool)), &at);
        if kind(tool) == "custom" && found.api == Api::OpenAi {
            continue;
        }
        found.need(kind(tool) == "function", &at, "its type is not `function`", "tools are functions");
        let Some(function) = tool.get("function").and_then(Value::as_object) else {
            found.add(&at, "`function` is no object", "name and schema stand in it");
            continue;
        };
        found.members(function, "declared", &at);
        found.tool_name(function, &mut names, &at);
        // Without a schema it takes no arguments.
        if let Some(schema) = function.get("parameters") {
            found.schema(Some(schema), "parameters", &at);
        }
    }
    let thinking = request.get("thinking").and_then(|thinking| thinking.get("type")).and_then(Value::as_str);
    let thinks = found.api == Api::DeepSeek && thinking != Some("disabled");
    let mut talk = Talk { api: found.api, thinks, open: Vec::new(), marks: 0 };
    for (nth, message) in found.list(request, "messages", "").iter().enumerate() {
        let at = format!("messages[{nth}]");
        let Some(message) = found.object(message, &at) else { continue };
        talk.message(message, &at, found);
    }
    talk.close("messages", found);
    found.need(talk.marks <= MARKS, "", "it has more than 4 marks for the cache", "leave the oldest out");
}

struct Talk<'a> {
    api: Api,
    /// Thoughts that led to calls go back.
    thinks: bool,
    /// Calls that are not answered yet.
    open: Vec<&'a str>,
    marks: usize,
}

impl<'a> Talk<'a> {
    fn message(&mut self, message: &'a Object, at: &str, found: &mut Found) {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        found.members(message, role, at);
        if role == "tool" {
            let id = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
            match self.open.iter().position(|open| *open == id) {
                Some(nth) => drop(self.open.remove(nth)),
                None => found.add(at, "it answers no call before it", "leave it out, or put it behind its call"),
            }
            return self.content(message, role, at, found);
        }
        self.close(at, found);
        found.optional_list(message, "tool_calls", at);
        let is_name = message.get("name").is_none_or(|name| name.is_string() || name.is_null());
        found.need(is_name, at, "`name` is no text", "write it as a string");
        let calls = message.get("tool_calls").and_then(Value::as_array);
        match role {
            "developer" if self.api == Api::DeepSeek => {
                found.add(at, "no such role: `developer`", "there are system, user, assistant, tool");
            }
            "system" | "developer" | "user" => {
                found.need(calls.is_none(), at, "it calls tools", "only `assistant` calls tools");
            }
            "assistant" => {
                let mut ids = BTreeSet::new();
                found.need(calls.is_none_or(|calls| !calls.is_empty()), at, "`tool_calls` is empty", "leave it out");
                for (nth, call) in calls.into_iter().flatten().enumerate() {
                    let at = format!("{at}.tool_calls[{nth}]");
                    let Some(call) = found.object(call, &at) else { continue };
                    self.call(call, &at, &mut ids, found);
                }
                let thinks = message.get("reasoning_content").is_some_and(Value::is_string);
                if self.thinks && calls.is_some() {
                    found.need(thinks, at, "`reasoning_content` is missing", "send it back, be it empty");
                }
            }
            // What tools were called before.
            "function" if self.api == Api::OpenAi => found.has(message, &["name"], at),
            _ => found.add(at, format!("no such role: `{role}`"), "there are system, developer, user, assistant, tool"),
        }
        self.content(message, role, at, found);
    }

    fn call(&mut self, call: &'a Object, at: &str, ids: &mut BTreeSet<&'a str>, found: &mut Found) {
        found.members(call, &format!("call of {}", kind(call)), at);
        let is_custom = kind(call) == "custom" && self.api == Api::OpenAi;
        found.need(is_custom || kind(call) == "function", at, "its type is not `function`", "calls are of functions");
        if let Some(id) = found.word(call, "id", at) {
            found.need(ids.insert(id), at, "its id was used before", "ids of calls are unique");
            self.open.push(id);
        }
        if is_custom {
            return;
        }
        let Some(function) = call.get("function").and_then(Value::as_object) else {
            return found.add(at, "`function` is no object", "name and arguments stand in it");
        };
        found.members(function, "called", at);
        found.word(function, "name", at);
        let is_text = function.get("arguments").is_some_and(Value::is_string);
        found.need(is_text, at, "`arguments` is no text", "arguments are JSON in a string");
    }

    fn content(&mut self, message: &Object, role: &str, at: &str, found: &mut Found) {
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
                    !text.trim().is_empty() || calls || self.api == Api::OpenAi,
                    at,
                    "its content is empty",
                    "leave the message out, or say something",
                );
            }
            Some(Value::Array(parts)) => {
                found.need(!parts.is_empty(), at, "its content is empty", "leave the message out, or say something");
                found.need(self.api == Api::OpenAi, at, "its content is a list", "this API takes a string");
                for (nth, part) in parts.iter().enumerate() {
                    let at = format!("{at}.content[{nth}]");
                    let Some(part) = found.object(part, &at) else { continue };
                    self.part(part, role, &at, found);
                }
            }
            Some(_) => found.add(at, "its content is neither a text nor a list", "write it as a string"),
        }
    }

    fn part(&mut self, part: &Object, role: &str, at: &str, found: &mut Found) {
        if let Some(mark) = part.get("prompt_cache_breakpoint").filter(|mark| !mark.is_null()) {
            let mode = mark.get("mode").and_then(Value::as_str);
            found.need(
                mode == Some("explicit"),
                at,
                "the mark for the cache is none",
                "write `{\"mode\":\"explicit\"}`",
            );
            self.marks += 1;
        }
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
    fn close(&mut self, at: &str, found: &mut Found) {
        if !self.open.is_empty() {
            let open = std::mem::take(&mut self.open).join(", ");
            found.add(at, format!("calls have no result: {open}"), "add a message of role `tool` for each");
        }
    }
}
