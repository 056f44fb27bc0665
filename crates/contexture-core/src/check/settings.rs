//! The shapes of settings: what kind of value stands under which name.
//!
//! The names and shapes are those of the typed parameters in the providers' own libraries for Python, as of 2026-11. DeepSeek and MiniMax
//! pass over what they have no use for, so nothing is listed for them. `null` is for a setting that is not set.

use super::{Found, Object, gemini, kind};
use crate::model::Api;
use serde_json::Value;

enum Shape {
    Switch,
    Text,
    List,
    Object,
    TextOrObject,
    Whole,
    /// Numbers from one to the other.
    Number(f64, f64),
    /// An object of one of these types.
    Of(&'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
}

use Shape::{List, Number, Of, Switch, Text, TextOrObject, Whole, Word};

const ANTHROPIC: &[(&str, Shape)] = &[
    ("metadata", Shape::Object),
    ("tool_choice", Of(&["auto", "any", "tool", "none"])),
    ("thinking", Shape::Object),
    ("service_tier", Text),
    ("container", TextOrObject),
    ("mcp_servers", List),
    ("context_management", Shape::Object),
    ("output_config", Shape::Object),
];

const CHAT: &[(&str, Shape)] = &[
    ("tool_choice", TextOrObject),
    ("parallel_tool_calls", Switch),
    ("response_format", Of(&["text", "json_object", "json_schema"])),
    ("reasoning_effort", Text),
    ("verbosity", Text),
    ("stream_options", Shape::Object),
    ("seed", Whole),
    ("frequency_penalty", Number(-2.0, 2.0)),
    ("presence_penalty", Number(-2.0, 2.0)),
    ("logit_bias", Shape::Object),
    ("logprobs", Switch),
    ("top_logprobs", Number(0.0, 20.0)),
    ("modalities", List),
    ("audio", Shape::Object),
    ("prediction", Shape::Object),
    ("metadata", Shape::Object),
    ("store", Switch),
    ("user", Text),
    ("safety_identifier", Text),
    ("service_tier", Text),
    ("prompt_cache_key", Text),
    ("prompt_cache_options", Shape::Object),
    ("prompt_cache_retention", Text),
    ("web_search_options", Shape::Object),
    ("functions", List),
    ("function_call", TextOrObject),
];

const RESPONSES: &[(&str, Shape)] = &[
    ("tool_choice", TextOrObject),
    ("parallel_tool_calls", Switch),
    ("max_tool_calls", Whole),
    ("reasoning", Shape::Object),
    ("text", Shape::Object),
    ("truncation", Word(&["auto", "disabled"])),
    ("stream_options", Shape::Object),
    ("top_logprobs", Number(0.0, 20.0)),
    ("include", List),
    ("store", Switch),
    ("background", Switch),
    ("conversation", TextOrObject),
    ("previous_response_id", Text),
    ("prompt", Shape::Object),
    ("metadata", Shape::Object),
    ("user", Text),
    ("safety_identifier", Text),
    ("service_tier", Text),
    ("prompt_cache_key", Text),
    ("prompt_cache_options", Shape::Object),
    ("prompt_cache_retention", Text),
];

const GEMINI: &[(&str, Shape)] =
    &[("toolConfig", Shape::Object), ("safetySettings", List), ("cachedContent", Text), ("labels", Shape::Object)];

/// In `generationConfig`.
const GENERATION: &[(&str, Shape)] = &[
    ("seed", Whole),
    ("responseMimeType", Text),
    ("responseSchema", Shape::Object),
    ("responseModalities", List),
    ("responseLogprobs", Switch),
    ("thinkingConfig", Shape::Object),
    ("speechConfig", Shape::Object),
];

pub(super) fn check(request: &Object, found: &mut Found) {
    match found.api {
        Api::Anthropic => {
            found.shapes(request, ANTHROPIC, "");
            found.thinking(request);
        }
        Api::OpenAi => found.shapes(request, CHAT, ""),
        Api::Responses => found.shapes(request, RESPONSES, ""),
        Api::Gemini => {
            found.shapes(request, GEMINI, "");
            if let Some(config) = gemini::member(request, "generationConfig").and_then(Value::as_object) {
                found.shapes(config, GENERATION, "generationConfig");
            }
        }
        Api::DeepSeek | Api::MiniMax => {}
    }
    let is_streamed = request.get("stream").and_then(Value::as_bool) == Some(true);
    let has_options = request.get("stream_options").is_some_and(|options| !options.is_null());
    if matches!(found.api, Api::OpenAi | Api::Responses) && has_options && !is_streamed {
        found.add("", "`stream_options` is set and `stream` is not", "set `stream`, or leave them out");
    }
}

/// The beginnings of names of Claude models that answer at one temperature.
const EVEN_TEMPERED: [&str; 6] =
    ["claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5", "claude-fable-5", "claude-mythos-5"];

impl Found {
    fn shapes(&mut self, holder: &Object, shapes: &[(&str, Shape)], at: &str) {
        for (key, shape) in shapes {
            let value = match self.api {
                Api::Gemini => gemini::member(holder, key),
                _ => holder.get(*key),
            };
            if let Some(wanted) = value.filter(|value| !value.is_null()).and_then(|value| shape.misses(value)) {
                self.add(at, format!("`{key}` is no {wanted}"), "set another value, or none");
            }
        }
    }

    /// What Claude models take of temperature and thoughts.
    fn thinking(&mut self, request: &Object) {
        let model = request.get("model").and_then(Value::as_str).unwrap_or_default();
        let is_even = EVEN_TEMPERED.iter().any(|name| model.starts_with(name));
        let temperature = request.get("temperature").and_then(Value::as_f64);
        if is_even && temperature.is_some_and(|temperature| temperature != 1.0) {
            self.add("", "this model takes no `temperature`", "leave it out");
        }
        let Some(thinking) = request.get("thinking").and_then(Value::as_object) else { return };
        if kind(thinking) != "enabled" {
            return;
        }
        let budget = thinking.get("budget_tokens").and_then(Value::as_u64).unwrap_or(0);
        self.need(budget >= 1_024, "thinking", "`budget_tokens` is no whole number from 1024 on", "set another value");
        // Between calls of tools a model may think for longer than one answer is.
        let most = request.get("max_tokens").and_then(Value::as_u64).filter(|_| !request.contains_key("tools"));
        self.need(
            most.is_none_or(|most| budget < most),
            "thinking",
            "`budget_tokens` is not less than `max_tokens`",
            "thoughts count as part of the answer: set more for it",
        );
    }
}

impl Shape {
    /// What a value is not and should be.
    fn misses(&self, value: &Value) -> Option<String> {
        let (is_right, wanted) = match self {
            Self::Switch => (value.is_boolean(), "`true` or `false`".to_owned()),
            Self::Text => (value.is_string(), "text".into()),
            Self::List => (value.is_array(), "list".into()),
            Self::Object => (value.is_object(), "object".into()),
            Self::TextOrObject => (value.is_string() || value.is_object(), "text and no object".into()),
            Self::Whole => (value.is_i64() || value.is_u64(), "whole number".into()),
            Self::Number(least, most) => (
                value.as_f64().is_some_and(|value| (*least..=*most).contains(&value)),
                format!("number from {least} to {most}"),
            ),
            Self::Of(kinds) => (
                value.as_object().is_some_and(|object| kinds.contains(&kind(object))),
                format!("object of type {}", kinds.join(", ")),
            ),
            Self::Word(words) => {
                (value.as_str().is_some_and(|word| words.contains(&word)), format!("word of {}", words.join(", ")))
            }
        };
        (!is_right).then_some(wanted)
    }
}
