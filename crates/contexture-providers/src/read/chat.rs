//! OpenAI's Chat Completions, which DeepSeek and most other servers speak, and the older completions of plain text.

use super::super::draft::Draft;
use super::super::{ProviderError, Stop};
use super::{list, number, text};
use contexture_core::{Api, Text, Thought};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

pub(super) struct Chat {
    by: Api,
    /// What was thought for each choice. All of one answer's reasoning is one thought, and its text is all there is.
    thoughts: BTreeMap<u64, String>,
}

impl Chat {
    pub fn new(by: Api) -> Self {
        Self { by, thoughts: BTreeMap::new() }
    }

    /// A chunk of a stream: like a whole answer, with `delta` in place of `message`.
    pub fn chunk(&mut self, draft: &mut Draft, chunk: &Value) {
        if let Some(model) = text(chunk, "model").filter(|model| !model.is_empty()) {
            draft.model = Some(model.to_owned());
        }
        usage(draft, chunk);
        for (nth, choice) in (0..).zip(list(chunk, "choices")) {
            self.choice(draft, number(choice, "/index").unwrap_or(nth), choice);
        }
    }

    pub fn whole(&mut self, draft: &mut Draft, answer: &Value) -> Result<(), ProviderError> {
        if !answer.get("choices").is_some_and(Value::is_array) {
            return Err(ProviderError::NotAnswer("it has no list of `choices`"));
        }
        let says = |choice: &Value| {
            choice.get("message").is_some_and(Value::is_object) || choice.get("text").is_some_and(Value::is_string)
        };
        if !list(answer, "choices").all(says) {
            return Err(ProviderError::NotAnswer("a choice has neither `message` nor `text`"));
        }
        // In the order of the list: servers number wrongly.
        for (nth, choice) in (0..).zip(list(answer, "choices")) {
            self.choice(draft, nth, choice);
        }
        draft.model = text(answer, "model").map(str::to_owned);
        usage(draft, answer);
        Ok(())
    }

    /// Nothing more comes.
    pub fn close(&mut self, draft: &mut Draft) {
        while let Some((nth, thought)) = self.thoughts.pop_first() {
            let thought = Thought { by: self.by, text: thought.into(), seal: Text::default(), call: None };
            draft.choice(nth).thoughts.push(thought);
        }
    }

    fn choice(&mut self, draft: &mut Draft, nth: u64, choice: &Value) {
        let said = choice.get("delta").or(choice.get("message")).filter(|said| said.is_object()).unwrap_or(choice);
        let thought = text(said, "reasoning_content").or(text(said, "reasoning")).unwrap_or_default();
        draft.thought(nth, thought);
        // Others have no way to give it back.
        if self.by.provider().returns_reasoning && !thought.is_empty() {
            self.thoughts.entry(nth).or_default().push_str(thought);
        }
        for piece in content(said).chain(text(choice, "text")) {
            draft.text(nth, piece);
        }
        for (place, call) in (0..).zip(list(said, "tool_calls")) {
            let place = number(call, "/index").unwrap_or(place);
            let function = call.get("function").unwrap_or(&Value::Null);
            let name = text(function, "name").unwrap_or_default();
            draft.call(nth, place, text(call, "id").unwrap_or_default(), name);
            // Some servers give the arguments as an object.
            let arguments = function.get("arguments").filter(|arguments| !arguments.is_null());
            draft.arguments(nth, place, &arguments.map(as_text).unwrap_or_default());
        }
        if let Some(refusal) = text(said, "refusal").filter(|refusal| !refusal.is_empty()) {
            draft.refuse(nth, "refusal", refusal);
        }
        match text(choice, "finish_reason") {
            None => {}
            Some("content_filter") => draft.refuse(nth, "content_filter", ""),
            // The first answer is the one whose end is told.
            Some(_) if nth > 0 => {}
            Some("stop") => draft.stop = Some(Stop::End),
            Some("length") => draft.stop = Some(Stop::Length),
            Some("tool_calls" | "function_call") => draft.stop = Some(Stop::Calls),
            Some(other) => draft.stop = Some(Stop::Other(other.to_owned())),
        }
    }
}

/// What is said: a string, or parts, of which those that reason are left out.
fn content(said: &Value) -> impl Iterator<Item = &str> {
    let parts = list(said, "content").filter_map(|part| {
        let kind = text(part, "type").unwrap_or("text");
        matches!(kind, "text" | "output_text").then(|| text(part, "text"))?
    });
    text(said, "content").into_iter().chain(parts)
}

fn usage(draft: &mut Draft, of: &Value) {
    let Some(usage) = of.get("usage").filter(|usage| usage.is_object()) else { return };
    // Later figures replace earlier ones; a chunk without any takes none away.
    let first = |names: &[&str], was: Option<u64>| names.iter().find_map(|name| number(usage, name)).or(was);
    let told = &mut draft.usage;
    told.input = first(&["/prompt_tokens", "/input_tokens"], told.input);
    told.output = first(&["/completion_tokens", "/output_tokens"], told.output);
    told.cached = first(&["/prompt_cache_hit_tokens", "/prompt_tokens_details/cached_tokens"], told.cached);
    told.written = first(&["/prompt_tokens_details/cache_write_tokens"], told.written);
    told.thinking = first(&["/completion_tokens_details/reasoning_tokens"], told.thinking);
}

/// A string as it is, all else as JSON.
fn as_text(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| value.to_string().into(), Cow::from)
}
