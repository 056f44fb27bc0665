//! OpenAI's Responses: items that stand by themselves.

use super::{Found, Object, kind};
use serde_json::Value;
use std::collections::BTreeSet;

const MARKS: usize = 4;

pub(super) fn check(request: &Object, found: &mut Found) {
    match request.get("instructions") {
        None | Some(Value::Null | Value::String(_)) => {}
        Some(_) => found.add("instructions", "it is no text", "write it as a string"),
    }
    for (nth, tool) in request.get("tools").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let at = format!("tools[{nth}]");
        let Some(tool) = found.object(tool, &at) else { continue };
        if kind(tool) == "function" {
            found.word(tool, "name", &at);
            let is_schema = tool.get("parameters").is_some_and(|schema| schema.is_object() || schema.is_null());
            found.need(is_schema, &at, "`parameters` is no schema", "give a JSON Schema of an object");
        }
    }
    if let Some(Value::String(text)) = request.get("input") {
        found.need(!text.trim().is_empty(), "input", "it is empty", "a request says something");
        return;
    }
    let mut talk = Talk { open: Vec::new(), ids: BTreeSet::new(), marks: 0 };
    let items = found.list(request, "input", "");
    for (nth, item) in items.iter().enumerate() {
        let at = format!("input[{nth}]");
        let Some(item) = found.object(item, &at) else { continue };
        talk.item(item, items.get(nth + 1), &at, found);
    }
    if !talk.open.is_empty() {
        let open = talk.open.join(", ");
        found.add("input", format!("calls have no result: {open}"), "add a `function_call_output` for each");
    }
    found.need(talk.marks <= MARKS, "", "it has more than 4 marks for the cache", "leave the oldest out");
}

struct Talk<'a> {
    open: Vec<&'a str>,
    ids: BTreeSet<&'a str>,
    marks: usize,
}

impl<'a> Talk<'a> {
    fn item(&mut self, item: &'a Object, next: Option<&Value>, at: &str, found: &mut Found) {
        match kind(item) {
            "" | "message" => self.message(item, at, found),
            "function_call" => {
                found.word(item, "name", at);
                let is_text = item.get("arguments").is_some_and(Value::is_string);
                found.need(is_text, at, "`arguments` is no text", "arguments are JSON in a string");
                if let Some(id) = found.word(item, "call_id", at) {
                    found.need(self.ids.insert(id), at, "its id was used before", "ids of calls are unique");
                    self.open.push(id);
                }
            }
            "function_call_output" => {
                let id = item.get("call_id").and_then(Value::as_str).unwrap_or_default();
                match self.open.iter().position(|open| *open == id) {
                    Some(nth) => drop(self.open.remove(nth)),
                    None => found.add(at, "it answers no call before it", "leave it out, or put it behind its call"),
                }
                let output = item.get("output");
                let is_said = output
                    .is_some_and(|output| output.is_array() || output.as_str().is_some_and(|text| !text.is_empty()));
                found.need(is_said, at, "its output is empty", "say so: `(empty result)`");
            }
            "reasoning" => {
                let follows = next.is_some_and(|next| {
                    let role = next.get("role").and_then(Value::as_str);
                    matches!(next.get("type").and_then(Value::as_str), Some("function_call" | "reasoning"))
                        || role == Some("assistant")
                });
                found.need(follows, at, "nothing of the model follows the thought", "leave it out with what it led to");
                found.need(
                    item.get("summary").is_some_and(Value::is_array),
                    at,
                    "`summary` is no list",
                    "send it as it came",
                );
            }
            _ => {}
        }
    }

    fn message(&mut self, message: &Object, at: &str, found: &mut Found) {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        if !["user", "assistant", "system", "developer"].contains(&role) {
            found.add(at, format!("no such role: `{role}`"), "there are system, developer, user, assistant");
        }
        match message.get("content") {
            Some(Value::String(text)) => {
                found.need(!text.trim().is_empty(), at, "its content is empty", "leave the item out, or say something");
            }
            Some(Value::Array(parts)) if !parts.is_empty() => {
                for (nth, part) in parts.iter().enumerate() {
                    let at = format!("{at}.content[{nth}]");
                    let Some(part) = found.object(part, &at) else { continue };
                    self.part(part, role, &at, found);
                }
            }
            Some(Value::Array(_)) | None => {
                found.add(at, "its content is empty", "leave the item out, or say something")
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
            ("input_text", "user" | "system" | "developer") | ("output_text", "assistant") => {
                found.text(part, "text", at);
            }
            ("refusal", "assistant") | ("input_file", "user") => {}
            ("input_image", "user") => {
                let url = part.get("image_url").and_then(Value::as_str);
                let is_one = url.is_some_and(|url| url.starts_with("http") || url.starts_with("data:image/"));
                let is_file = part.get("file_id").is_some_and(Value::is_string);
                found.need(
                    is_one || is_file,
                    at,
                    "the picture has no address",
                    "use `https` or `data:image/png;base64,…`",
                );
            }
            (other, _) => found.add(at, format!("`{role}` has no part of type `{other}`"), "use `input_text`"),
        }
    }
}
