//! What each provider demands of a request, written down once more and apart from what writes requests.

use serde_json::Value;
use std::collections::BTreeSet;

type Verdict = Result<(), String>;

fn need(is: bool, what: impl Into<String>) -> Verdict {
    if is { Ok(()) } else { Err(what.into()) }
}

fn text_of<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value[key].as_str().ok_or_else(|| format!("`{key}` is no text: {value}"))
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.len() <= 64 && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

pub fn openai(messages: &Value) -> Verdict {
    let messages = messages.as_array().ok_or("no list")?;
    let mut open: BTreeSet<&str> = BTreeSet::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for message in messages {
        let role = text_of(message, "role")?;
        if role == "tool" {
            let id = text_of(message, "tool_call_id")?;
            need(open.remove(id), format!("result without a call: {id}"))?;
            need(!text_of(message, "content")?.trim().is_empty(), "empty result")?;
            continue;
        }
        need(open.is_empty(), format!("unanswered: {open:?}"))?;
        need(["system", "user", "assistant"].contains(&role), role)?;
        let calls = message["tool_calls"].as_array();
        for call in calls.into_iter().flatten() {
            let id = text_of(call, "id")?;
            need(is_plain(id) && seen.insert(id), format!("id: {id}"))?;
            open.insert(id);
            need(call["type"] == "function" && is_plain(text_of(&call["function"], "name")?), "name")?;
            text_of(&call["function"], "arguments")?;
        }
        match &message["content"] {
            Value::Null => need(role == "assistant" && calls.is_some(), "null content")?,
            Value::String(text) => need(!text.trim().is_empty() || calls.is_some(), "empty content")?,
            Value::Array(parts) => {
                need(role == "user" && !parts.is_empty(), "parts")?;
                for part in parts {
                    match text_of(part, "type")? {
                        "text" => need(!text_of(part, "text")?.is_empty(), "empty part")?,
                        "image_url" => need(!text_of(&part["image_url"], "url")?.is_empty(), "no url")?,
                        other => return Err(other.into()),
                    }
                }
            }
            other => return Err(other.to_string()),
        }
    }
    need(open.is_empty(), "unanswered at the end")
}

pub fn anthropic(request: &Value) -> Verdict {
    need(request["max_tokens"].as_u64().is_some(), "max_tokens")?;
    need(request["system"].is_null() || !text_of(request, "system")?.trim().is_empty(), "system")?;
    let messages = request["messages"].as_array().ok_or("no messages")?;
    let mut last = "assistant";
    let mut waiting: Vec<&str> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for message in messages {
        let role = text_of(message, "role")?;
        need(role != last && ["user", "assistant"].contains(&role), format!("{role} after {last}"))?;
        last = role;
        let blocks = message["content"].as_array().ok_or("no blocks")?;
        need(!blocks.is_empty(), "empty content")?;
        let results: Vec<&str> = blocks
            .iter()
            .take_while(|block| block["type"] == "tool_result")
            .map(|block| text_of(block, "tool_use_id"))
            .collect::<Result<_, _>>()?;
        need(results == waiting, format!("{results:?} answer {waiting:?}"))?;
        waiting.clear();
        for (nth, block) in blocks.iter().enumerate() {
            match text_of(block, "type")? {
                "tool_result" => {
                    need(nth < results.len(), "a result behind something else")?;
                    need(!block["content"].as_array().ok_or("no result")?.is_empty(), "empty result")?;
                }
                "text" => {
                    need(!text_of(block, "text")?.trim().is_empty(), "empty text")?;
                    need(waiting.is_empty(), "text behind a call")?;
                }
                "image" => need(role == "user", "a picture of the model")?,
                "tool_use" => {
                    let id = text_of(block, "id")?;
                    need(role == "assistant" && is_plain(id) && seen.insert(id), format!("id: {id}"))?;
                    need(is_plain(text_of(block, "name")?) && block["input"].is_object(), "call")?;
                    waiting.push(id);
                }
                other => return Err(other.into()),
            }
        }
    }
    need(waiting.is_empty(), "unanswered at the end")?;
    need(messages.is_empty() || last == "user", "the model speaks last")
}

pub fn gemini(request: &Value) -> Verdict {
    let contents = request["contents"].as_array().ok_or("no contents")?;
    let mut waiting: Vec<&str> = Vec::new();
    let mut last = "";
    for content in contents {
        let role = text_of(content, "role")?;
        need(!last.is_empty() || role == "user", "the model speaks first")?;
        need(role == "user" || last == "user", "two turns of the model")?;
        last = role;
        let parts = content["parts"].as_array().ok_or("no parts")?;
        need(!parts.is_empty(), "empty parts")?;
        let responses: Vec<&str> = parts
            .iter()
            .filter(|part| part["functionResponse"].is_object())
            .map(|part| text_of(&part["functionResponse"], "name"))
            .collect::<Result<_, _>>()?;
        need(responses == waiting, format!("{responses:?} answer {waiting:?}"))?;
        waiting.clear();
        for part in parts {
            if part["functionCall"].is_object() {
                need(role == "model" && part["functionCall"]["args"].is_object(), "call")?;
                if waiting.is_empty() {
                    need(!text_of(part, "thoughtSignature")?.is_empty(), "signature")?;
                }
                waiting.push(text_of(&part["functionCall"], "name")?);
            } else if part["text"].is_string() {
                need(!text_of(part, "text")?.is_empty() && waiting.is_empty(), "text")?;
            }
        }
    }
    need(waiting.is_empty(), "unanswered at the end")
}
