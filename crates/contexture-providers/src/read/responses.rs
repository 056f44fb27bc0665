//! OpenAI's Responses: items with numbers, told in pieces and then once more as a whole.

use super::super::draft::Draft;
use super::super::{ProviderError, Stop};
use super::{list, number, text};
use contexture_core::{Api, Thought};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) struct Items {
    by: Api,
    /// Items whose text came in pieces.
    said: BTreeSet<u64>,
    /// Items that came as a whole, in the stream or with its end.
    done: BTreeSet<u64>,
}

impl Items {
    pub fn new(by: Api) -> Self {
        Self { by, said: BTreeSet::new(), done: BTreeSet::new() }
    }

    /// An event. The error is what the server says went wrong.
    pub fn event(&mut self, draft: &mut Draft, event: &Value) -> Result<(), Value> {
        let place = number(event, "/output_index").unwrap_or_default();
        let piece = text(event, "delta").unwrap_or_default();
        match text(event, "type").unwrap_or_default() {
            "response.created" | "response.in_progress" => {
                draft.model = event.pointer("/response/model").and_then(Value::as_str).map(str::to_owned);
            }
            "response.output_text.delta" => {
                self.said.insert(place);
                draft.text(0, piece);
            }
            "response.refusal.delta" => {
                self.said.insert(place);
                draft.refuse(0, "refusal", piece);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.said.insert(place);
                draft.thought(0, piece);
            }
            // The parts of a summary are paragraphs.
            "response.reasoning_summary_part.added" if number(event, "/summary_index") > Some(0) => {
                draft.thought(0, "\n\n");
            }
            "response.output_item.added" => begin(draft, place, event.get("item").unwrap_or(&Value::Null)),
            "response.function_call_arguments.delta" => draft.arguments(0, place, piece),
            "response.output_item.done" => self.item(draft, place, event.get("item").unwrap_or(&Value::Null)),
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.response(draft, event.get("response").unwrap_or(&Value::Null))?;
                draft.is_whole = true;
            }
            _ => {}
        }
        Ok(())
    }

    pub fn whole(&mut self, draft: &mut Draft, response: &Value) -> Result<Result<(), Value>, ProviderError> {
        if !response.get("output").is_some_and(Value::is_array) {
            return Err(ProviderError::NotAnswer("it has no list of `output`"));
        }
        Ok(self.response(draft, response))
    }

    /// The response as it is at its end, with what of it has not come before.
    fn response(&mut self, draft: &mut Draft, response: &Value) -> Result<(), Value> {
        if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
            return Err(error.clone());
        }
        for (place, item) in (0..).zip(list(response, "output")) {
            self.item(draft, place, item);
        }
        if let Some(model) = text(response, "model") {
            draft.model = Some(model.to_owned());
        }
        usage(draft, response);
        match (text(response, "status"), response.pointer("/incomplete_details/reason").and_then(Value::as_str)) {
            (Some("failed" | "cancelled"), _) => return Err(Value::from("the response failed")),
            (_, Some("max_output_tokens")) => draft.stop = Some(Stop::Length),
            (_, Some("content_filter")) => draft.refuse(0, "content_filter", ""),
            (_, Some(other)) => draft.stop = Some(Stop::Other(other.to_owned())),
            (Some("completed"), None) if draft.calls(0) > 0 => draft.stop = Some(Stop::Calls),
            (Some("completed"), None) => draft.stop = Some(Stop::End),
            (Some(other), None) => draft.stop = Some(Stop::Other(other.to_owned())),
            (None, None) => {}
        }
        Ok(())
    }

    /// A whole item. What came in pieces is not said twice.
    fn item(&mut self, draft: &mut Draft, place: u64, item: &Value) {
        if !self.done.insert(place) {
            return;
        }
        let is_new = !self.said.contains(&place);
        match text(item, "type").unwrap_or_default() {
            "message" => {
                for part in list(item, "content").filter(|_| is_new) {
                    match text(part, "type").unwrap_or_default() {
                        "output_text" => draft.text(0, text(part, "text").unwrap_or_default()),
                        "refusal" => draft.refuse(0, "refusal", text(part, "refusal").unwrap_or_default()),
                        _ => {}
                    }
                }
            }
            "reasoning" => {
                let summary: Vec<&str> = list(item, "summary").filter_map(|part| text(part, "text")).collect();
                let summary = summary.join("\n\n");
                if is_new {
                    draft.thought(0, &summary);
                }
                // Without the sealed content nobody can think on from it.
                if text(item, "encrypted_content").is_some_and(|seal| !seal.is_empty()) {
                    let seal = item.to_string().into();
                    draft.choice(0).thoughts.push(Thought { by: self.by, text: summary.into(), seal, call: None });
                }
            }
            "function_call" => {
                begin(draft, place, item);
                if draft.is_bare(0, place) {
                    draft.arguments(0, place, text(item, "arguments").unwrap_or_default());
                }
            }
            _ => {}
        }
    }
}

fn begin(draft: &mut Draft, place: u64, item: &Value) {
    if text(item, "type") == Some("function_call") {
        draft.call(0, place, text(item, "call_id").unwrap_or_default(), text(item, "name").unwrap_or_default());
    }
}

fn usage(draft: &mut Draft, of: &Value) {
    let Some(usage) = of.get("usage").filter(|usage| usage.is_object()) else { return };
    let told = &mut draft.usage;
    told.input = number(usage, "/input_tokens");
    told.output = number(usage, "/output_tokens");
    told.cached = number(usage, "/input_tokens_details/cached_tokens");
    told.written = number(usage, "/input_tokens_details/cache_write_tokens");
    told.thinking = number(usage, "/output_tokens_details/reasoning_tokens");
}
