//! OpenAI's Responses: items that stand by themselves.

use crate::providers::check::{Object, Violations, kind, text_of};
use crate::providers::openai::Marks;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn check(request: &Object, found: &mut Violations) {
    match request.get("instructions") {
        None | Some(Value::Null | Value::String(_)) => {}
        Some(_) => found.add("instructions", "it is no text", "write it as a string"),
    }
    let mut names = BTreeSet::new();
    let tools = found.optional_list(request, "tools", "");
    found.each(tools, "tools", |found, tool, at| {
        found.need(!kind(tool).is_empty(), at, "it has no `type`", "tools of one's own are of type `function`");
        if kind(tool) == "function" {
            found.members(tool, "tool of function", at);
            found.tool_name(tool, &mut names, at);
            // The member must be there; `null` is for no arguments.
            if tool.get("parameters").is_none_or(|schema| !schema.is_null()) {
                found.schema(tool.get("parameters"), "parameters", &["object"], at);
            }
        }
    });
    if let Some(Value::String(text)) = request.get("input") {
        found.need(!text.trim().is_empty(), "input", "it is empty", "a request says something");
        return;
    }
    let goes_on = ["previous_response_id", "conversation"]
        .iter()
        .any(|key| request.get(*key).is_some_and(|earlier| !earlier.is_null()));
    let mut talk = Conversation { goes_on, open: Vec::new(), ids: BTreeSet::new(), marks: Marks::default() };
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
    talk.marks.end(found);
}

/// Items of tools that the provider runs itself, and what it hands out to be given back.
const OTHERS: &str = "file_search_call computer_call computer_call_output web_search_call tool_search_call \
    tool_search_output additional_tools compaction compaction_trigger image_generation_call code_interpreter_call local_shell_call \
    local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output mcp_list_tools mcp_approval_request \
    mcp_approval_response mcp_call custom_tool_call custom_tool_call_output program program_output";

fn is_other(kind: &str) -> bool {
    OTHERS.split_ascii_whitespace().any(|known| known == kind)
}

struct Conversation<'a> {
    /// Calls may stand in what the provider keeps of the conversation.
    goes_on: bool,
    open: Vec<&'a str>,
    ids: BTreeSet<&'a str>,
    marks: Marks,
}

impl<'a> Conversation<'a> {
    fn item(&mut self, item: &'a Object, next: Option<&Value>, at: &str, found: &mut Violations) {
        match kind(item) {
            "" | "message" => self.message(item, at, found),
            "function_call" => {
                found.members(item, "function_call", at);
                found.word(item, "name", at);
                found.arguments(item, at);
                self.open.extend(found.call_id(item, "call_id", &mut self.ids, at));
            }
            "function_call_output" => {
                found.members(item, "function_call_output", at);
                let id = text_of(item, "call_id");
                if self.open.contains(&id) || !self.goes_on || id.is_empty() {
                    found.answers(&mut self.open, id, at);
                }
                let output = item.get("output");
                let is_said = output.is_some_and(|output| output.is_array() || output.is_string());
                found.need(is_said, at, "its output is neither a text nor a list", "write it as a string");
            }
            "reasoning" => {
                found.members(item, "reasoning", at);
                let follows = next.is_some_and(|next| {
                    let role = next.get("role").and_then(Value::as_str);
                    let kind = next.get("type").and_then(Value::as_str).unwrap_or_default();
                    // Calls of any tool, and what the provider's own tools did.
                    let is_done = is_other(kind) && !kind.ends_with("_output") && !kind.ends_with("_response");
                    is_done || matches!(kind, "function_call" | "reasoning") || role == Some("assistant")
                });
                found.need(follows, at, "nothing of the model follows the thought", "leave it out with what it led to");
                found.need(
                    item.get("summary").is_some_and(Value::is_array),
                    at,
                    "`summary` is no list",
                    "send it as it came",
                );
            }
            "item_reference" => found.has(item, &["id"], at),
            other if is_other(other) => {}
            other => found.add(at, format!("no such item: `{other}`"), "see the types of input items"),
        }
    }

    fn message(&mut self, message: &Object, at: &str, found: &mut Violations) {
        found.members(message, "message", at);
        let role = text_of(message, "role");
        if !["user", "assistant", "system", "developer"].contains(&role) {
            found.add(at, format!("no such role: `{role}`"), "there are system, developer, user, assistant");
        }
        match message.get("content") {
            Some(Value::String(_)) => {}
            Some(Value::Array(parts)) if !parts.is_empty() => {
                found.each(parts, &format!("{at}.content"), |found, part, at| self.part(part, role, at, found));
            }
            Some(Value::Array(_)) | None => {
                found.add(at, "its content is empty", "leave the item out, or say something")
            }
            Some(_) => found.add(at, "its content is neither a text nor a list", "write it as a string"),
        }
    }

    fn part(&mut self, part: &Object, role: &str, at: &str, found: &mut Violations) {
        self.marks.part(part, at, found);
        found.members(part, kind(part), at);
        match (kind(part), role) {
            ("input_text", "user" | "system" | "developer") | ("output_text", "assistant") => {
                found.text(part, "text", at);
            }
            ("refusal", "assistant") => found.has(part, &["refusal"], at),
            ("input_file", "user") => {
                let is_there =
                    ["file_id", "file_data", "file_url"].iter().any(|key| part.get(*key).is_some_and(Value::is_string));
                found.need(is_there, at, "the file is none", "give `file_id`, `file_data` or `file_url`");
            }
            ("input_image", "user") => {
                if !part.get("file_id").is_some_and(Value::is_string) {
                    found.picture_address(part.get("image_url").and_then(Value::as_str), at);
                }
            }
            (other, _) => found.add(at, format!("`{role}` has no part of type `{other}`"), "use `input_text`"),
        }
    }
}
