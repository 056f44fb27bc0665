//! OpenAI: the Responses API, which refuses what it does not know. Members and settings are those of the typed parameters in its library
//! for Python: members as of 2026-08, settings as of 2026-11.

mod check;
mod write;

use super::check::{Rules, Shape, Shapes};
use super::openai::{BREAKPOINT, CACHE, HOME, PICTURES, stream_options};
use super::reuse::{Layout, Section};
use super::{Answers, Dialect, Provider};
use crate::count::Tokenizer;
use crate::types::Api;
use Shape::{List, Number, Switch, Text, TextOrObject, Whole, Word};

/// A list of items: messages, calls, results and thoughts each stand by themselves.
static ITEMS: Dialect = Dialect {
    answers: Answers::Responses,
    path: "responses",
    text_path: None,
    version: None,
    stream: "\"stream\":true",
    in_address: false,
    mark: BREAKPOINT,
    write: write::write,
    check: check::check,
    layout: Layout {
        blocks: &[(&[], "tools", Section::Tools), (&[], "instructions", Section::System)],
        messages: "input",
        content: "content",
    },
};

pub(super) static PROVIDER: Provider = Provider {
    api: Api::Responses,
    vendor: "openai",
    dialect: &ITEMS,
    home: HOME,
    tokenizer: Tokenizer::O200k,
    pictures: PICTURES,
    answer_limit: "max_output_tokens",
    no_temperature: None,
    returns_reasoning: false,
    rules: Rules {
        members: MEMBERS,
        shapes: &[("", SHAPES)],
        wholes: &[("max_output_tokens", 1, u64::MAX)],
        names_model: Some("prompt"),
        more: stream_options,
        ..Rules::PLAIN
    },
    cache: CACHE,
    // Those of `openai`.
    models: "",
};

const MEMBERS: &[(&str, &str)] = &[
    (
        "request",
        "model input instructions tools tool_choice parallel_tool_calls max_tool_calls stream stream_options store include background \
         conversation previous_response_id prompt context_management truncation temperature top_p top_logprobs max_output_tokens reasoning \
         text metadata moderation user safety_identifier service_tier prompt_cache_key prompt_cache_options prompt_cache_retention",
    ),
    ("message", "type role content id status phase"),
    ("function_call", "type id call_id name arguments status caller namespace"),
    ("function_call_output", "type id call_id output status caller name namespace"),
    ("reasoning", "type id summary content encrypted_content status"),
    ("tool of function", "type name description parameters strict allowed_callers defer_loading output_schema"),
    ("input_text", "type text prompt_cache_breakpoint"),
    ("input_image", "type image_url file_id detail prompt_cache_breakpoint"),
    ("input_file", "type file_id file_data file_url filename detail prompt_cache_breakpoint"),
    ("output_text", "type text annotations logprobs"),
    ("refusal", "type refusal"),
];

const SHAPES: Shapes = &[
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
