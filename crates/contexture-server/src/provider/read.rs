//! What a server says, out of the body of its response.
//!
//! Takes a body; gives the messages of its choices to the byte, model and usage, or the error it tells. What a model reasons
//! before it answers is not part of the answer: it stands in fields and parts of its own, which are not read.

use super::key::shown;
use super::{Answer, Key, ProviderError};
use crate::agent::openai;
use contexture_core::{Call, Message, Role};
use serde_json::{Value, json};
use std::time::Duration;

/// The answer in the body of a response whose status says that all went well. The content type is not asked: servers on one's own
/// machine often give a wrong one.
pub(super) fn answer(raw: String, latency: Duration, key: Option<&Key>) -> Result<Answer, ProviderError> {
    let value: Value =
        serde_json::from_str(unmarked(&raw)).map_err(|error| ProviderError::NotJson(error.to_string()))?;
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Err(ProviderError::Refused { status: 200, message: complaint(&raw, key) });
    }
    let choices = value.get("choices").and_then(Value::as_array);
    let choices = choices.ok_or(ProviderError::NotCompletion("it has no list of `choices`"))?;
    let messages: Option<Vec<Message>> = choices.iter().map(choice).collect();
    let mut messages = messages.ok_or(ProviderError::NotCompletion("a choice has neither `message` nor `text`"))?;
    messages.retain(|message| !message.parts.is_empty() || !message.calls.is_empty());
    if messages.is_empty() {
        return Err(ProviderError::Empty);
    }
    let used = |names: [&str; 2]| {
        let usage = value.get("usage")?;
        names.into_iter().find_map(|name| usage.get(name)?.as_u64())
    };
    let model = value.get("model").and_then(Value::as_str).filter(|model| !model.is_empty()).map(str::to_owned);
    let (input_tokens, output_tokens) =
        (used(["prompt_tokens", "input_tokens"]), used(["completion_tokens", "output_tokens"]));
    Ok(Answer { choices: messages, model, input_tokens, output_tokens, latency, raw })
}

/// What the body of an error says, as it may be shown. Pages for browsers say nothing that the status does not.
pub(super) fn complaint(body: &str, key: Option<&Key>) -> String {
    let body = unmarked(body).trim();
    if let Err(openai::AnswerError::Refused(text)) = openai::answer(body) {
        return shown(&text, key);
    }
    let value: Option<Value> = serde_json::from_str(body).ok();
    let named = value.as_ref().and_then(|value| value.get("message").or(value.get("detail"))?.as_str());
    let text = named.unwrap_or(if body.starts_with('<') { "" } else { body });
    shown(text, key)
}

/// The message of a choice, of a chat or of a text. `None` where it is neither.
fn choice(choice: &Value) -> Option<Message> {
    let Some(message) = choice.get("message").filter(|message| message.is_object()) else {
        return Some(Message::new(Role::Assistant, choice.get("text")?.as_str()?));
    };
    // One part: what is put between the parts of a message when it is shown, the model did not say.
    Some(Message::calling(said(message), calls(message)))
}

/// The text of a message: its content as a string or in parts, and a refusal, which stands in place of it.
fn said(message: &Value) -> String {
    let content = message.get("content");
    let parts = content.and_then(Value::as_array).into_iter().flatten().filter_map(|part| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
        matches!(kind, "text" | "output_text").then(|| part.get("text"))?
    });
    let texts = content.into_iter().chain(parts).chain(message.get("refusal"));
    texts.filter_map(Value::as_str).collect()
}

/// What of the message calls tools, read as agents read it.
fn calls(message: &Value) -> Vec<Call> {
    let calls = message.get("tool_calls").filter(|calls| calls.as_array().is_some_and(|calls| !calls.is_empty()));
    let Some(calls) = calls else { return Vec::new() };
    let alone = json!({ "choices": [{ "message": { "tool_calls": calls } }] });
    openai::answer(&alone.to_string()).map_or_else(|_| Vec::new(), |message| message.calls)
}

/// Without the mark that some programs of Windows put before UTF-8.
fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Answer, ProviderError> {
        answer(body.to_owned(), Duration::ZERO, None)
    }

    fn texts(body: &str) -> Vec<String> {
        read(body).unwrap().choices.iter().map(|message| message.text().to_string()).collect()
    }

    #[test]
    fn content_comes_in_forms() {
        let of = |message: &str| texts(&format!(r#"{{"choices":[{{"message":{message}}}]}}"#));
        assert_eq!(of(r#"{"content":"  a \n"}"#), ["  a \n"]);
        assert_eq!(of(r#"{"content":"\n"}"#), ["\n"]);
        let parts = r#"{"content":[{"type":"thinking","thinking":"x","text":"x"},{"type":"text","text":" a"},"x",
            {"text":"b "},{"type":"reasoning","text":"x"},{"type":"text"},{"type":"output_text","text":"c"}]}"#;
        assert_eq!(of(parts), [" ab c"]);
        assert_eq!(of(r#"{"content":null,"refusal":"no"}"#), ["no"]);
        assert_eq!(of(r#"{"reasoning_content":"x","reasoning":"x","content":"a"}"#), ["a"]);
        assert_eq!(texts("\u{feff}{\"choices\":[{\"text\":\" a \"},{\"text\":\"\"},{\"text\":\"b\"}]}"), [" a ", "b"]);
    }

    #[test]
    fn calls_stand_with_and_without_text() {
        let body = r#"{"choices":[{"message":{"content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"now","arguments":"{\"b\": 1}"}}]}},
            {"message":{"content":"See: ","tool_calls":[]}}]}"#;
        let choices = read(body).unwrap().choices;
        assert_eq!((choices[0].parts.len(), &*choices[0].calls[0].arguments), (0, "{\"b\": 1}"));
        assert_eq!(choices[1], Message::new(Role::Assistant, "See: "));
    }

    #[test]
    fn usage_has_two_spellings() {
        let of = |usage: &str| {
            let answer = read(&format!(r#"{{"choices":[{{"text":"a"}}],"model":"m","usage":{usage}}}"#)).unwrap();
            assert_eq!(answer.model.as_deref(), Some("m"));
            (answer.input_tokens, answer.output_tokens)
        };
        assert_eq!(of(r#"{"prompt_tokens":7,"completion_tokens":0}"#), (Some(7), Some(0)));
        assert_eq!(of(r#"{"input_tokens":7,"output_tokens":9}"#), (Some(7), Some(9)));
        assert_eq!(of(r#"{"prompt_tokens":null,"input_tokens":-1}"#), (None, None));
        assert_eq!(of("null"), (None, None));
    }

    #[test]
    fn what_is_no_answer_is_told() {
        assert!(matches!(read(""), Err(ProviderError::NotJson(_))));
        assert!(matches!(read(&"[".repeat(1 << 20)), Err(ProviderError::NotJson(_))));
        for body in ["[]", "7", "{}", r#"{"choices":{}}"#, r#"{"choices":[{}]}"#, r#"{"choices":[{"text":1}]}"#] {
            assert!(matches!(read(body), Err(ProviderError::NotCompletion(_))), "{body}");
        }
        let empty = [
            r#"{"choices":[]}"#,
            r#"{"choices":[{"text":""}]}"#,
            r#"{"choices":[{"message":{"content":null,"reasoning_content":"x"}}]}"#,
            r#"{"choices":[{"message":{"content":"","tool_calls":[{"id":"a"}]}}]}"#,
        ];
        for body in empty {
            assert_eq!(read(body), Err(ProviderError::Empty), "{body}");
        }
        let refused = ProviderError::Refused { status: 200, message: "no such model".into() };
        assert_eq!(read(r#"{"error":{"message":"no such\n model"}}"#), Err(refused));
    }

    #[test]
    fn complaints_come_in_forms() {
        let forms = [
            (r#"{"error":{"message":"a"}}"#, "a"),
            (r#"{"error":"a"}"#, "a"),
            (r#"{"object":"error","message":"a"}"#, "a"),
            (r#"{"detail":"a"}"#, "a"),
            (r#"{"detail":[1]}"#, r#"{"detail":[1]}"#),
            ("a\nb", "a b"),
            ("<html>a</html>", ""),
            ("", ""),
        ];
        for (body, wanted) in forms {
            assert_eq!(complaint(body, None), wanted, "{body}");
        }
    }
}
