//! OpenAI's Chat Completions, and DeepSeek in the same words.

use super::{Found, Object, kind};
use crate::model::Api;
use serde_json::Value;
use std::collections::BTreeSet;

/// As many marks as a request may have, one of them by itself at the newest message.
const MARKS: usize = 4;

pub(super) fn check(request: &Object, api: Api, found: &mut Found) {
    if request.contains_key("max_tokens") && request.contains_key("max_completion_tokens") {
        found.add("", "both `max_tokens` and `max_completion_tokens` are set", "leave one of them out");
    }
    for (nth, tool) in request.get("tools").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let at = format!("tools[{nth}]");
        let Some(tool) = found.object(tool, &at) else { continue };
        if kind(tool) != "function" {
            continue;
        }
        let Some(function) = tool.get("function").and_then(Value::as_object) else {
            found.add(&at, "`function` is no object", "name and schema stand in it");
            continue;
        };
        found.word(function, "name", &at);
        let is_schema = function.get("parameters").is_none_or(Value::is_object);
        found.need(is_schema, &at, "`parameters` is no schema", "give a JSON Schema of an object");
    }
    let mut talk = Talk { api, open: Vec::new(), marks: 0 };
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
    /// Calls that are not answered yet.
    open: Vec<&'a str>,
    marks: usize,
}

impl<'a> Talk<'a> {
    fn message(&mut self, message: &'a Object, at: &str, found: &mut Found) {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        if role == "tool" {
            let id = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
            match self.open.iter().position(|open| *open == id) {
                Some(nth) => drop(self.open.remove(nth)),
                None => found.add(at, "it answers no call before it", "leave it out, or put it behind its call"),
            }
            return self.content(message, role, at, found);
        }
        self.close(at, found);
        let calls = message.get("tool_calls").and_then(Value::as_array);
        match role {
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
                if self.api == Api::DeepSeek && calls.is_some() {
                    found.need(thinks, at, "`reasoning_content` is missing", "send it back, be it empty");
                }
            }
            _ => found.add(at, format!("no such role: `{role}`"), "there are system, developer, user, assistant, tool"),
        }
        self.content(message, role, at, found);
    }

    fn call(&mut self, call: &'a Object, at: &str, ids: &mut BTreeSet<&'a str>, found: &mut Found) {
        found.need(kind(call) == "function", at, "its type is not `function`", "calls are of functions");
        if let Some(id) = found.word(call, "id", at) {
            found.need(ids.insert(id), at, "its id was used before", "ids of calls are unique");
            self.open.push(id);
        }
        let Some(function) = call.get("function").and_then(Value::as_object) else {
            return found.add(at, "`function` is no object", "name and arguments stand in it");
        };
        found.word(function, "name", at);
        let is_text = function.get("arguments").is_some_and(Value::is_string);
        found.need(is_text, at, "`arguments` is no text", "arguments are JSON in a string");
    }

    fn content(&mut self, message: &Object, role: &str, at: &str, found: &mut Found) {
        let calls = message.get("tool_calls").is_some();
        match message.get("content") {
            None | Some(Value::Null) => {
                found.need(
                    role == "assistant" && calls,
                    at,
                    "it has no content",
                    "only a message that calls may say nothing",
                );
            }
            Some(Value::String(text)) => {
                found.need(
                    !text.trim().is_empty() || calls,
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
        match (kind(part), role) {
            ("text", _) => drop(found.text(part, "text", at)),
            ("image_url", "user") => {
                let url = part.get("image_url").and_then(|image| image.get("url")).and_then(Value::as_str);
                let is_one = url.is_some_and(|url| url.starts_with("http") || url.starts_with("data:image/"));
                found.need(is_one, at, "the picture has no address", "use `https` or `data:image/png;base64,…`");
            }
            ("input_audio" | "file", "user") | ("refusal", "assistant") => {}
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
