//! Between messages and the JSON of servers that speak OpenAI's chat API.
//!
//! Takes [`LlmMessage`]s, gives what goes into a request; takes the body of a response, gives the message in it. Sends nothing:
//! an agent has an HTTP client of its own, and fields of its own to put beside `messages`.

use super::{LlmMessage, LlmRole, LlmToolCall};
use contexture_core::MessagePart;
use serde_json::Value;
use std::borrow::Cow;

/// The value of `messages` in a request.
///
/// The messages of the system that stand first become one, a blank line between their texts: many servers take no second one. All
/// else is written message by message, so the bytes for a message are the same in every request that has it, and servers that
/// cache by prefix find theirs.
///
/// ```
/// use contexture::agent::{LlmMessage, LlmRole, openai};
///
/// let messages = [
///     LlmMessage::new(LlmRole::System, "You are an assistant."),
///     LlmMessage::new(LlmRole::System, "Today is Monday."),
///     LlmMessage::new(LlmRole::User, "Which day is it?"),
/// ];
/// let body = format!("{{\"model\":\"small\",\"messages\":{}}}", openai::messages_json(&messages));
/// assert_eq!(
///     body,
///     r#"{"model":"small","messages":[
/// {"role":"system","content":"You are an assistant.\n\nToday is Monday."},
/// {"role":"user","content":"Which day is it?"}
/// ]}"#
/// );
/// ```
pub fn messages_json(messages: &[LlmMessage]) -> String {
    let first = messages.iter().position(|message| message.role != LlmRole::System).unwrap_or(messages.len());
    let (system, rest) = messages.split_at(first);
    let texts: Vec<String> = system.iter().map(|message| message.text().to_string()).collect();
    let merged = (!texts.is_empty()).then(|| message_json(&LlmMessage::new(LlmRole::System, texts.join("\n\n"))));
    let all: Vec<String> = merged.into_iter().chain(rest.iter().map(message_json)).collect();
    format!("[\n{}\n]", all.join(",\n"))
}

/// One message, for those who build the list themselves.
///
/// ```
/// use contexture::agent::{LlmMessage, openai};
///
/// let result = LlmMessage::result("call_1", "Monday");
/// assert_eq!(openai::message_json(&result), r#"{"role":"tool","tool_call_id":"call_1","content":"Monday"}"#);
/// ```
pub fn message_json(message: &LlmMessage) -> String {
    contexture_core::render::talk::message_json(message)
}

/// Why a response has no message in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerError {
    #[error("the answer is no JSON: {0}")]
    Json(String),
    /// The server tells an error; this is what it says.
    #[error("the server says: {0}")]
    Refused(String),
    #[error("the answer has no message in `choices`")]
    NoMessage,
    #[error("the answer says nothing and calls no tool")]
    Empty,
}

/// The assistant's message in the body of a response: what it says, and all tools that it calls.
///
/// ```
/// use contexture::agent::openai;
///
/// let body = r#"{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[
///     {"id":"call_1","type":"function","function":{"name":"now","arguments":"{}"}}]}}]}"#;
/// let message = openai::answer(body)?;
/// assert_eq!(message.calls[0].name, "now");
///
/// let error = openai::answer(r#"{"error":{"message":"no such model"}}"#).unwrap_err();
/// assert_eq!(error.to_string(), "the server says: no such model");
/// # Ok::<(), openai::AnswerError>(())
/// ```
pub fn answer(body: &str) -> Result<LlmMessage, AnswerError> {
    let value: Value = serde_json::from_str(body).map_err(|error| AnswerError::Json(error.to_string()))?;
    if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
        let text = error.get("message").unwrap_or(error);
        return Err(AnswerError::Refused(text_of(text).into_owned()));
    }
    let message = value.pointer("/choices/0/message").filter(|message| message.is_object());
    let message = message.ok_or(AnswerError::NoMessage)?;
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten().filter_map(call).collect();
    let mut answer = LlmMessage::calling("", calls);
    answer.parts = said(message).filter(|text| !text.is_empty()).map(|text| MessagePart::Text(text.into())).collect();
    if answer.calls.is_empty() && answer.texts().all(|text| text.trim().is_empty()) {
        return Err(AnswerError::Empty);
    }
    Ok(answer)
}

/// The texts of a message: its content as a string or in parts, and a refusal, which servers put beside it.
fn said(message: &Value) -> impl Iterator<Item = &str> {
    let content = message.get("content");
    let parts = content.and_then(Value::as_array).into_iter().flatten().filter_map(|part| part.get("text"));
    content.into_iter().chain(parts).chain(message.get("refusal")).filter_map(Value::as_str)
}

/// Calls without a name cannot be followed. Some servers give no id, and some give the arguments as an object.
fn call(call: &Value) -> Option<LlmToolCall> {
    let function = call.get("function")?;
    let name = function.get("name")?.as_str()?.to_owned();
    let id = call.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let arguments = function.get("arguments").filter(|arguments| !arguments.is_null());
    let arguments = arguments.map_or("{}".into(), text_of);
    Some(LlmToolCall { id, name, arguments: (&*arguments).into() })
}

/// A string as it is, all else as JSON.
fn text_of(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| value.to_string().into(), Cow::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_choice(message: &str) -> Result<LlmMessage, AnswerError> {
        answer(&format!(r#"{{"choices":[{{"message":{message}}}]}}"#))
    }

    #[test]
    fn answers_of_servers_are_read() {
        let text = in_choice(r#"{"role":"assistant","content":"Hello","tool_calls":null,"refusal":null}"#).unwrap();
        assert_eq!(text, LlmMessage::new(LlmRole::Assistant, "Hello"));
        let parts = in_choice(r#"{"content":[{"type":"text","text":"a"},{"type":"x"},{"type":"text","text":"b"}]}"#);
        assert_eq!(parts.unwrap().texts().collect::<Vec<_>>(), ["a", "b"]);
        let refusal = in_choice(r#"{"content":null,"refusal":"I do not do that."}"#).unwrap();
        assert_eq!(&*refusal.text(), "I do not do that.");
        let calls = r#"{"content":"","tool_calls":[{"id":"a","function":{"name":"x","arguments":{"b": 1}}},
            {"function":{"name":"y"}},{"function":{}}]}"#;
        let calls = in_choice(calls).unwrap().calls;
        let shown: Vec<_> = calls.iter().map(|call| (&*call.id, &*call.name, &*call.arguments)).collect();
        assert_eq!(shown, [("a", "x", r#"{"b":1}"#), ("", "y", "{}")]);
    }

    #[test]
    fn bodies_without_an_answer_are_errors() {
        assert!(matches!(answer("<html>"), Err(AnswerError::Json(_))));
        assert_eq!(answer("{}"), Err(AnswerError::NoMessage));
        assert_eq!(answer(r#"{"choices":[]}"#), Err(AnswerError::NoMessage));
        assert_eq!(in_choice("7"), Err(AnswerError::NoMessage));
        assert_eq!(in_choice(r#"{"content":" \n"}"#), Err(AnswerError::Empty));
        assert_eq!(answer(r#"{"error":"busy"}"#), Err(AnswerError::Refused("busy".into())));
        assert_eq!(answer(r#"{"error":{"code":7}}"#), Err(AnswerError::Refused(r#"{"code":7}"#.into())));
    }

    #[test]
    fn an_answer_round_trips() {
        let json = r#"{"role":"assistant","content":"Let me see.","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{\"b\": 1}"}}]}"#;
        assert_eq!(message_json(&in_choice(json).unwrap()), json);
    }

    #[test]
    fn only_leading_system_messages_are_merged() {
        let [system, user] = [LlmRole::System, LlmRole::User].map(|role| LlmMessage::new(role, "x"));
        let json = messages_json(&[system.clone(), system.clone(), user.clone(), system.clone(), user]);
        assert_eq!(json.matches("system").count(), 2);
        assert_eq!(messages_json(&[system]), "[\n{\"role\":\"system\",\"content\":\"x\"}\n]");
        assert_eq!(messages_json(&[]), "[\n\n]");
    }
}
