//! Google's Gemini: each chunk is an answer of its own, and the parts of all of them together are the answer.

use super::super::draft::Draft;
use super::super::{ProviderError, Stop};
use super::{list, number, text};
use contexture_core::{Api, Text, Thought};
use serde_json::Value;

pub(super) struct Parts {
    by: Api,
    /// What was thought since the last seal.
    thought: String,
}

/// Ends that are not the model's own: somebody did not want the answer.
const REFUSALS: [&str; 9] = [
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "LANGUAGE",
];

impl Parts {
    pub fn new(by: Api) -> Self {
        Self { by, thought: String::new() }
    }

    pub fn whole(&mut self, draft: &mut Draft, answer: &Value) -> Result<(), ProviderError> {
        if !answer.get("candidates").is_some_and(Value::is_array) && answer.get("promptFeedback").is_none() {
            return Err(ProviderError::NotAnswer("it has no list of `candidates`"));
        }
        self.chunk(draft, answer);
        Ok(())
    }

    pub fn chunk(&mut self, draft: &mut Draft, chunk: &Value) {
        if let Some(model) = text(chunk, "modelVersion") {
            draft.model = Some(model.to_owned());
        }
        usage(draft, chunk);
        if let Some(reason) = chunk.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
            let why = chunk.pointer("/promptFeedback/blockReasonMessage").and_then(Value::as_str);
            draft.refuse(0, reason, why.unwrap_or_default());
            // There is no candidate that could end.
            draft.stop.get_or_insert(Stop::Untold);
        }
        for (nth, candidate) in (0..).zip(list(chunk, "candidates")) {
            let nth = number(candidate, "/index").unwrap_or(nth);
            for part in candidate.get("content").into_iter().flat_map(|content| list(content, "parts")) {
                self.part(draft, nth, part);
            }
            match text(candidate, "finishReason") {
                None | Some("FINISH_REASON_UNSPECIFIED") => {}
                Some(word) if REFUSALS.contains(&word) => {
                    draft.refuse(nth, word, text(candidate, "finishMessage").unwrap_or_default());
                    draft.stop.get_or_insert(Stop::Untold);
                }
                Some(_) if nth > 0 => {}
                Some("STOP") if draft.calls(0) > 0 => draft.stop = Some(Stop::Calls),
                Some("STOP") => draft.stop = Some(Stop::End),
                Some("MAX_TOKENS") => draft.stop = Some(Stop::Length),
                Some(other) => draft.stop = Some(Stop::Other(other.to_owned())),
            }
        }
    }

    fn part(&mut self, draft: &mut Draft, nth: u64, part: &Value) {
        let said = text(part, "text").unwrap_or_default();
        let mut call = None;
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            draft.thought(nth, said);
            self.thought.push_str(said);
        } else if let Some(name) = part.get("functionCall").and_then(|call| text(call, "name")) {
            // Calls come whole, and have no numbers.
            let number = draft.calls(nth);
            let function = part.get("functionCall").unwrap_or(&Value::Null);
            draft.call(nth, number as u64, text(function, "id").unwrap_or_default(), name);
            let arguments = function.get("args").filter(|arguments| !arguments.is_null());
            draft.arguments(nth, number as u64, &arguments.map_or("{}".into(), Value::to_string));
            call = Some(number);
        } else {
            draft.text(nth, said);
        }
        if let Some(seal) = text(part, "thoughtSignature").filter(|seal| !seal.is_empty()) {
            let text = Text::from(std::mem::take(&mut self.thought));
            draft.choice(nth).thoughts.push(Thought { by: self.by, text, seal: seal.into(), call });
        }
    }
}

/// The API counts thoughts apart from what is said. Each chunk has the figures up to it.
fn usage(draft: &mut Draft, of: &Value) {
    let Some(usage) = of.get("usageMetadata") else { return };
    let read = |name: &str, was: Option<u64>| number(usage, name).or(was);
    let told = &mut draft.usage;
    told.input = read("/promptTokenCount", told.input);
    told.cached = read("/cachedContentTokenCount", told.cached);
    told.thinking = read("/thoughtsTokenCount", told.thinking);
    if let Some(said) = number(usage, "/candidatesTokenCount") {
        told.output = Some(said.saturating_add(told.thinking.unwrap_or_default()));
    } else if told.thinking.is_some() {
        told.output = told.thinking.max(told.output);
    }
}
