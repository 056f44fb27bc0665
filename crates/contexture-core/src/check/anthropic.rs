//! Anthropic's Messages, and MiniMax in the same words.

use super::{Found, Object, kind};
use crate::model::{Api, is_base64};
use serde_json::Value;
use std::collections::BTreeSet;

/// As many marks as a request may have.
const MARKS: usize = 4;

pub(super) fn check(request: &Object, api: Api, found: &mut Found) {
    if request.get("max_tokens").is_none() {
        found.add("", "`max_tokens` is missing", "this API must be told how long an answer may be");
    }
    let mut marks = Vec::new();
    for (nth, tool) in request.get("tools").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let at = format!("tools[{nth}]");
        let Some(tool) = found.object(tool, &at) else { continue };
        found.word(tool, "name", &at);
        // Tools of the provider's own have a type in place of a schema.
        if tool.get("type").is_none_or(|kind| kind == "custom") {
            let is_object =
                tool.get("input_schema").and_then(Value::as_object).is_some_and(|schema| kind(schema) == "object");
            found.need(
                is_object,
                &at,
                "`input_schema` is no schema of an object",
                "give `{\"type\":\"object\"}` at least",
            );
        }
        mark(tool, &at, &mut marks, found);
    }
    names_are_unique(request, found);
    match request.get("system") {
        None | Some(Value::String(_)) => {}
        Some(Value::Array(blocks)) => {
            for (nth, block) in blocks.iter().enumerate() {
                let at = format!("system[{nth}]");
                let Some(block) = found.object(block, &at) else { continue };
                found.need(kind(block) == "text", &at, "only texts stand in `system`", "put it into a message");
                found.text(block, "text", &at);
                mark(block, &at, &mut marks, found);
            }
        }
        Some(_) => found.add("system", "it is neither a text nor a list of texts", "write it as a string"),
    }
    let messages = found.list(request, "messages", "");
    let mut talk = Talk { pictures: api.pictures(), last: "", open: Vec::new(), ids: BTreeSet::new() };
    for (nth, message) in messages.iter().enumerate() {
        let at = format!("messages[{nth}]");
        let Some(message) = found.object(message, &at) else { continue };
        talk.message(message, &at, nth + 1 == messages.len(), &mut marks, found);
    }
    if !talk.open.is_empty() {
        found.add(
            "messages",
            format!("calls have no result: {}", talk.open.join(", ")),
            "add a `tool_result` for each",
        );
    }
    if marks.len() > MARKS {
        found.add("", format!("it has {} marks for the cache", marks.len()), "4 are allowed");
    }
    // A longer time may not follow a shorter one.
    if marks.windows(2).any(|pair| !pair[0] && pair[1]) {
        found.add("", "a mark of an hour stands behind one of five minutes", "put the longer ones first");
    }
}

fn names_are_unique(request: &Object, found: &mut Found) {
    let mut names = BTreeSet::new();
    for tool in request.get("tools").and_then(Value::as_array).into_iter().flatten() {
        if let Some(name) = tool.get("name").and_then(Value::as_str)
            && !names.insert(name)
        {
            found.add("tools", format!("two tools are called `{name}`"), "names of tools are unique");
        }
    }
}

struct Talk<'a> {
    pictures: &'static [&'static str],
    last: &'a str,
    /// Calls of the message before that are not answered.
    open: Vec<&'a str>,
    ids: BTreeSet<&'a str>,
}

impl<'a> Talk<'a> {
    fn message(&mut self, message: &'a Object, at: &str, is_last: bool, marks: &mut Vec<bool>, found: &mut Found) {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        match role {
            "user" => {}
            "assistant" => {
                found.need(
                    !self.last.is_empty(),
                    at,
                    "the first message is the model's",
                    "begin with one of role `user`",
                );
            }
            "system" => found.add(at, "`system` is no role of a message", "put it into the field `system`"),
            _ => found.add(at, format!("no such role: `{role}`"), "there are `user` and `assistant`"),
        }
        found.need(role != self.last, at, "two messages of one role follow each other", "join them");
        self.last = role;
        let answered = std::mem::take(&mut self.open);
        let blocks = match message.get("content") {
            Some(Value::String(text)) => {
                let is_empty = text.trim().is_empty() && !(is_last && role == "assistant");
                found.need(!is_empty, at, "its content is empty", "leave the message out, or say something");
                self.unanswered(&answered, &BTreeSet::new(), at, found);
                return self.ending(text, role, is_last, at, found);
            }
            Some(Value::Array(blocks)) if !blocks.is_empty() => blocks,
            Some(Value::Array(_)) => {
                return found.add(at, "its content is empty", "leave the message out, or say something");
            }
            _ => return found.add(at, "its content is neither a text nor a list", "write it as a list of blocks"),
        };
        let mut results = BTreeSet::new();
        let mut is_behind = false;
        let mut has_called = false;
        for (nth, block) in blocks.iter().enumerate() {
            let at = format!("{at}.content[{nth}]");
            let Some(block) = found.object(block, &at) else { continue };
            let is_marked = mark(block, &at, marks, found);
            match kind(block) {
                "text" => {
                    found.text(block, "text", &at);
                    found.need(!has_called, &at, "a text stands behind a call", "put calls last");
                    is_behind = true;
                }
                "image" => {
                    found.need(role == "user", &at, "the model shows a picture", "only `user` shows pictures");
                    self.picture(block, &at, found);
                    is_behind = true;
                }
                "tool_use" => {
                    found.need(role == "assistant", &at, "`user` calls a tool", "only `assistant` calls tools");
                    found.word(block, "name", &at);
                    let is_object = block.get("input").is_some_and(Value::is_object);
                    found.need(is_object, &at, "`input` is no object", "arguments are a JSON object");
                    if let Some(id) = found.word(block, "id", &at) {
                        found.need(self.ids.insert(id), &at, "its id was used before", "ids of calls are unique");
                        self.open.push(id);
                    }
                    has_called = true;
                }
                "tool_result" => {
                    found.need(role == "user", &at, "the model answers a call", "results are of role `user`");
                    found.need(!is_behind, &at, "a result stands behind something else", "put results first");
                    let id = block.get("tool_use_id").and_then(Value::as_str).unwrap_or_default();
                    let is_known = answered.contains(&id);
                    found.need(
                        is_known,
                        &at,
                        "it answers no call of the message before",
                        "leave it out, or put it there",
                    );
                    found.need(results.insert(id), &at, "its call is answered twice", "leave one of them out");
                    self.result(block, &at, found);
                }
                "thinking" | "redacted_thinking" => {
                    found.need(role == "assistant", &at, "a thought of `user`", "only the model thinks here");
                    found.need(!is_behind && !has_called, &at, "a thought stands behind what is said", "put it first");
                    found.need(!is_marked, &at, "a thought cannot have a mark", "put the mark on another block");
                    let key = if kind(block) == "thinking" { "signature" } else { "data" };
                    let is_sealed = block.get(key).and_then(Value::as_str).is_some_and(|seal| !seal.is_empty());
                    found.need(is_sealed, &at, "a thought without its seal", "send it as it came, or leave it out");
                }
                "document" | "search_result" | "server_tool_use" | "container_upload" | "mcp_tool_use" => {
                    is_behind = true
                }
                other if other.ends_with("_tool_result") => is_behind = true,
                other => found.add(&at, format!("no such block: `{other}`"), "see the types of content blocks"),
            }
        }
        self.unanswered(&answered, &results, at, found);
        if let Some(text) = blocks.last().and_then(|block| block.get("text")).and_then(Value::as_str) {
            self.ending(text, role, is_last, at, found);
        }
    }

    fn unanswered(&self, answered: &[&str], results: &BTreeSet<&str>, at: &str, found: &mut Found) {
        for id in answered.iter().filter(|id| !results.contains(**id)) {
            found.add(at, format!("the call `{id}` of the message before has no result here"), "add its `tool_result`");
        }
    }

    /// An answer that was begun for the model may not end with a space.
    fn ending(&self, text: &str, role: &str, is_last: bool, at: &str, found: &mut Found) {
        let is_cut = is_last && role == "assistant" && text.ends_with(char::is_whitespace);
        found.need(!is_cut, at, "what the model goes on with ends with white space", "cut it off");
    }

    fn result(&self, block: &Object, at: &str, found: &mut Found) {
        match block.get("content") {
            None => {}
            Some(Value::String(text)) => {
                found.need(!text.is_empty(), at, "the result is empty", "say so: `(empty result)`");
            }
            Some(Value::Array(inner)) => {
                found.need(!inner.is_empty(), at, "the result is empty", "say so: `(empty result)`");
                for (nth, inner) in inner.iter().enumerate() {
                    let at = format!("{at}.content[{nth}]");
                    let Some(inner) = found.object(inner, &at) else { continue };
                    match kind(inner) {
                        "text" => drop(found.text(inner, "text", &at)),
                        "image" => self.picture(inner, &at, found),
                        "document" | "search_result" => {}
                        other => {
                            found.add(&at, format!("no such block in a result: `{other}`"), "use texts and pictures")
                        }
                    }
                }
            }
            Some(_) => found.add(at, "the result is neither a text nor a list", "write it as a string"),
        }
    }

    fn picture(&self, block: &Object, at: &str, found: &mut Found) {
        found.need(!self.pictures.is_empty(), at, "this API is shown no pictures", "describe it in words");
        let source = block.get("source").and_then(Value::as_object);
        let text = |key: &str| source.and_then(|source| source.get(key)).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "base64" => {
                found.need(
                    self.pictures.contains(&text("media_type")),
                    at,
                    "no type of picture it takes",
                    "use PNG, JPEG, GIF or WebP",
                );
                found.need(is_base64(text("data")), at, "its data is no base64", "encode it without line ends");
            }
            "url" => {
                found.need(text("url").starts_with("http"), at, "its address is none", "use `https`");
            }
            "file" => {
                found.need(!text("file_id").is_empty(), at, "its file has no id", "upload it first");
            }
            _ => found.add(at, "its source is none", "use `base64`, `url` or `file`"),
        }
    }
}

/// Notes a mark, with whether it is for an hour; whether there is one.
fn mark(block: &Object, at: &str, marks: &mut Vec<bool>, found: &mut Found) -> bool {
    let Some(mark) = block.get("cache_control").filter(|mark| !mark.is_null()) else { return false };
    let text = |key: &str| mark.get(key).and_then(Value::as_str);
    let ttl = text("ttl");
    let is_right = text("type") == Some("ephemeral") && matches!(ttl, None | Some("5m" | "1h"));
    found.need(is_right, at, "the mark for the cache is none", "write `{\"type\":\"ephemeral\"}`");
    marks.push(ttl == Some("1h"));
    true
}
