//! Anthropic's Messages, and MiniMax in the same words.

use crate::providers::check::{Object, Violations, kind, text_of};
use crate::types::is_base64;
use serde_json::Value;
use std::collections::BTreeSet;

/// As many marks as a request may have.
const MARKS: usize = 4;

pub(super) fn check(request: &Object, found: &mut Violations) {
    if request.get("max_tokens").is_none() {
        found.add("", "`max_tokens` is missing", "this API must be told how long an answer may be");
    }
    let mut marks = Vec::new();
    let mut names = BTreeSet::new();
    let tools = found.optional_list(request, "tools", "");
    found.each(tools, "tools", |found, tool, at| {
        found.tool_name(tool, &mut names, at);
        // Tools of the provider's own have a type in place of a schema, and members of their own.
        if tool.get("type").is_none_or(|kind| kind == "custom" || kind.is_null()) {
            found.members(tool, "tool", at);
            found.schema(tool.get("input_schema"), "input_schema", &["object"], at);
        }
        mark(tool, at, &mut marks, found);
    });
    match request.get("system") {
        None | Some(Value::String(_)) => {}
        Some(Value::Array(blocks)) => found.each(blocks, "system", |found, block, at| {
            found.need(kind(block) == "text", at, "only texts stand in `system`", "put it into a message");
            found.members(block, "text", at);
            found.text(block, "text", at);
            mark(block, at, &mut marks, found);
        }),
        Some(_) => found.add("system", "it is neither a text nor a list of texts", "write it as a string"),
    }
    let messages = found.list(request, "messages", "");
    let mut talk =
        Conversation { pictures: found.provider.pictures.types, last: "", turn: Turn::default(), ids: BTreeSet::new() };
    for (nth, message) in messages.iter().enumerate() {
        let at = format!("messages[{nth}]");
        let Some(message) = found.object(message, &at) else { continue };
        talk.message(message, &at, nth + 1 == messages.len(), &mut marks, found);
    }
    talk.turn.end(found);
    if !talk.turn.calls.is_empty() {
        found.add(
            "messages",
            format!("calls have no result: {}", talk.turn.calls.join(", ")),
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

struct Conversation<'a> {
    pictures: &'static [&'static str],
    last: &'a str,
    turn: Turn<'a>,
    ids: BTreeSet<&'a str>,
}

/// Neighbours of one role are one turn.
#[derive(Default)]
struct Turn<'a> {
    /// Its last message.
    at: String,
    /// Calls of the turn before, and those of them that are answered here.
    asked: Vec<&'a str>,
    results: BTreeSet<&'a str>,
    calls: Vec<&'a str>,
    /// Something else than results was said.
    is_behind: bool,
}

impl Turn<'_> {
    fn end(&self, found: &mut Violations) {
        for id in self.asked.iter().filter(|id| !self.results.contains(**id)) {
            let text = format!("the call `{id}` of the message before has no result here");
            found.add(&self.at, text, "add its `tool_result`");
        }
    }
}

impl<'a> Conversation<'a> {
    fn message(&mut self, message: &'a Object, at: &str, is_last: bool, marks: &mut Vec<bool>, found: &mut Violations) {
        found.members(message, "message", at);
        let role = text_of(message, "role");
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
        if role != self.last {
            self.turn.end(found);
            self.turn = Turn { asked: std::mem::take(&mut self.turn.calls), ..Turn::default() };
        }
        self.turn.at = at.to_owned();
        self.last = role;
        let blocks = match message.get("content") {
            Some(Value::String(text)) => {
                let is_empty = text.trim().is_empty() && !(is_last && role == "assistant");
                found.need(!is_empty, at, "its content is empty", "leave the message out, or say something");
                self.turn.is_behind = true;
                return self.ending(text, role, is_last, at, found);
            }
            Some(Value::Array(blocks)) if !blocks.is_empty() => blocks,
            Some(Value::Array(_)) => {
                return found.add(at, "its content is empty", "leave the message out, or say something");
            }
            _ => return found.add(at, "its content is neither a text nor a list", "write it as a list of blocks"),
        };
        for (nth, block) in blocks.iter().enumerate() {
            let at = format!("{at}.content[{nth}]");
            let Some(block) = found.object(block, &at) else { continue };
            found.members(block, kind(block), &at);
            let is_marked = mark(block, &at, marks, found);
            match kind(block) {
                "text" => {
                    found.text(block, "text", &at);
                    found.need(self.turn.calls.is_empty(), &at, "a text stands behind a call", "put calls last");
                    self.turn.is_behind = true;
                }
                "image" => {
                    found.need(role == "user", &at, "the model shows a picture", "only `user` shows pictures");
                    self.picture(block, &at, found);
                    self.turn.is_behind = true;
                }
                "tool_use" => {
                    found.need(role == "assistant", &at, "`user` calls a tool", "only `assistant` calls tools");
                    found.word(block, "name", &at);
                    let is_object = block.get("input").is_some_and(Value::is_object);
                    found.need(is_object, &at, "`input` is no object", "arguments are a JSON object");
                    self.turn.calls.extend(found.call_id(block, "id", &mut self.ids, &at));
                }
                "tool_result" => {
                    found.need(role == "user", &at, "the model answers a call", "results are of role `user`");
                    found.need(!self.turn.is_behind, &at, "a result stands behind something else", "put results first");
                    let id = text_of(block, "tool_use_id");
                    let is_known = self.turn.asked.contains(&id);
                    found.need(
                        is_known,
                        &at,
                        "it answers no call of the message before",
                        "leave it out, or put it there",
                    );
                    found.need(
                        self.turn.results.insert(id),
                        &at,
                        "its call is answered twice",
                        "leave one of them out",
                    );
                    self.result(block, &at, found);
                }
                "thinking" | "redacted_thinking" => {
                    found.need(role == "assistant", &at, "a thought of `user`", "only the model thinks here");
                    let is_first = !self.turn.is_behind && self.turn.calls.is_empty();
                    found.need(is_first, &at, "a thought stands behind what is said", "put it first");
                    found.need(!is_marked, &at, "a thought cannot have a mark", "put the mark on another block");
                    let key = if kind(block) == "thinking" { "signature" } else { "data" };
                    found.need(
                        !text_of(block, key).is_empty(),
                        &at,
                        "a thought without its seal",
                        "send it as it came, or leave it out",
                    );
                }
                "document" | "search_result" | "server_tool_use" | "container_upload" | "mcp_tool_use"
                | "compaction" | "fallback" | "mid_conv_system" | "tool_addition" | "tool_removal" => {
                    found.has(block, needed(kind(block)), &at);
                    self.turn.is_behind = true;
                }
                // Behind what the provider's own tools found, the model thinks again.
                other if other.ends_with("_tool_result") => self.turn.is_behind = role != "assistant",
                other => found.add(&at, format!("no such block: `{other}`"), "see the types of content blocks"),
            }
        }
        if let Some(text) = blocks.last().and_then(|block| block.get("text")).and_then(Value::as_str) {
            self.ending(text, role, is_last, at, found);
        }
    }

    /// An answer that was begun for the model may not end with a space.
    fn ending(&self, text: &str, role: &str, is_last: bool, at: &str, found: &mut Violations) {
        let is_cut = is_last && role == "assistant" && text.ends_with(char::is_whitespace);
        found.need(!is_cut, at, "what the model goes on with ends with white space", "cut it off");
    }

    fn result(&self, block: &Object, at: &str, found: &mut Violations) {
        match block.get("content") {
            None => {}
            Some(Value::String(text)) => {
                found.need(!text.is_empty(), at, "the result is empty", "say so: `(empty result)`");
            }
            Some(Value::Array(inner)) => {
                found.need(!inner.is_empty(), at, "the result is empty", "say so: `(empty result)`");
                found.each(inner, &format!("{at}.content"), |found, inner, at| {
                    found.members(inner, kind(inner), at);
                    match kind(inner) {
                        "text" => drop(found.text(inner, "text", at)),
                        "image" => self.picture(inner, at, found),
                        "document" | "search_result" | "tool_reference" => found.has(inner, needed(kind(inner)), at),
                        other => {
                            found.add(at, format!("no such block in a result: `{other}`"), "use texts and pictures")
                        }
                    }
                });
            }
            Some(_) => found.add(at, "the result is neither a text nor a list", "write it as a string"),
        }
    }

    fn picture(&self, block: &Object, at: &str, found: &mut Violations) {
        found.need(!self.pictures.is_empty(), at, "this API is shown no pictures", "describe it in words");
        let source = block.get("source").and_then(Value::as_object);
        let text = |key: &str| source.map_or("", |source| text_of(source, key));
        if let Some(source) = source {
            found.members(source, kind(source), at);
        }
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

/// The members that a block of this type is nothing without.
fn needed(kind: &str) -> &'static [&'static str] {
    match kind {
        "document" => &["source"],
        "search_result" => &["source", "title", "content"],
        "server_tool_use" => &["id", "name", "input"],
        "container_upload" => &["file_id"],
        _ => &[],
    }
}

/// Notes a mark, with whether it is for an hour; whether there is one.
fn mark(block: &Object, at: &str, marks: &mut Vec<bool>, found: &mut Violations) -> bool {
    let Some(mark) = block.get("cache_control").filter(|mark| !mark.is_null()) else { return false };
    if let Some(mark) = mark.as_object() {
        found.members(mark, "mark", at);
    }
    let text = |key: &str| mark.get(key).and_then(Value::as_str);
    let ttl = text("ttl");
    let is_right = text("type") == Some("ephemeral") && matches!(ttl, None | Some("5m" | "1h"));
    found.need(is_right, at, "the mark for the cache is none", "write `{\"type\":\"ephemeral\"}`");
    marks.push(ttl == Some("1h"));
    true
}
