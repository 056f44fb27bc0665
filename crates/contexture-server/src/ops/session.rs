//! A message that is added to a session, from words of people and programs.

use super::OpError;
use super::agent::session_append;
use super::open::{Door, is_inside};
use contexture_core::render::printable;
use contexture_core::{Call, Message, Role};
use contexture_gather::sessions::Appended;
use serde_json::Value;

/// `calls` is JSON, as OpenAI has it or as we store it.
pub fn spoken(role: &str, content: String, answers: Option<String>, calls: Option<&str>) -> Result<Message, OpError> {
    let role = Role::parse(role).ok_or_else(|| {
        OpError::usage(format!("unknown role: `{role}`")).hint("one of user, assistant, tool, system")
    })?;
    let mut message = Message::new(role, content);
    message.answers = answers;
    message.calls = calls.map(calls_of).transpose()?.unwrap_or_default();
    if role == Role::Tool && message.answers.is_none() {
        return Err(OpError::usage("a tool's message answers a call").hint("`--tool-call-id ID` names it"));
    }
    if role != Role::Assistant && !message.calls.is_empty() {
        let told = format!("`--tool-calls` of a message whose role is `{role}`");
        return Err(OpError::usage(told).hint("only an assistant calls tools"));
    }
    if message.parts.is_empty() && message.calls.is_empty() && role != Role::Tool {
        return Err(OpError::usage("the message is empty").hint("`--content TEXT` says something"));
    }
    Ok(message)
}

/// For whoever is not to write anywhere else: a session inside the roots, by its name.
pub fn append_inside(door: &Door, file: &str, message: Message) -> Result<Appended, OpError> {
    let roots = door.open_roots()?;
    let path = roots.project().join(file);
    if !roots.iter().any(|(_, root)| is_inside(&path, &root.path)) {
        return Err(OpError::usage(format!("`{}` lies outside of the roots", printable(file)))
            .hint("`contexture session append FILE` writes anywhere"));
    }
    if path.extension().is_none_or(|extension| extension != "json") {
        return Err(OpError::usage(format!("`{}` is no name of a session", printable(file))).hint("it ends in `.json`"));
    }
    session_append(door, &path, message)
}

fn calls_of(text: &str) -> Result<Vec<Call>, OpError> {
    let wrong = |why: String| {
        OpError::usage(format!("`--tool-calls` {why}")).hint("[{\"id\": \"1\", \"name\": \"read\", \"arguments\": {}}]")
    };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(format!("is no JSON: {error}")))?;
    let list = value.as_array().ok_or_else(|| wrong("is no list".into()))?;
    list.iter()
        .map(|call| {
            let (id, call) = (&call["id"], call.get("function").unwrap_or(call));
            let word = |key: &str| {
                call[key].as_str().map(str::to_owned).ok_or_else(|| wrong(format!("has a call without `{key}`")))
            };
            let arguments = match &call["arguments"] {
                Value::String(text) => text.clone(),
                Value::Null => "{}".into(),
                other => other.to_string(),
            };
            let id = id.as_str().ok_or_else(|| wrong("has a call without `id`".into()))?.to_owned();
            Ok(Call { id, name: word("name")?, arguments: arguments.into() })
        })
        .collect()
}
