//! OpenAI: Chat Completions, which many servers speak. It refuses what it does not know ("unknown parameter"). Members and settings are
//! those of the typed parameters in its library for Python: members as of 2026-08, settings as of 2026-11.

mod check;
mod write;

pub(super) use check::Marks;
pub use write::message_json;
pub(crate) use write::write_list;
pub(super) use write::{arguments, picture_url};

use super::check::{Object, Rules, Shape, Shapes, Stops, Violations};
use super::reuse::{Layout, Section};
use super::{Answers, Dialect, Home, Pictures, Provider};
use crate::count::Tokenizer;
use crate::types::Api;
use Shape::{List, Number, Of, Switch, Text, TextOrObject, Whole};
use serde_json::Value;

/// Chat Completions: roles stay where they are, results name their call.
pub(super) static CHAT: Dialect = Dialect {
    answers: Answers::Chat,
    path: "chat/completions",
    text_path: Some("completions"),
    version: None,
    // The figures come at the end of the stream, where they are asked for.
    stream: "\"stream\":true,\"stream_options\":{\"include_usage\":true}",
    in_address: false,
    mark: BREAKPOINT,
    write: write::write,
    check: check::check,
    layout: Layout { blocks: &[(&[], "tools", Section::Tools)], messages: "messages", content: "content" },
};

pub(super) const BREAKPOINT: &str = ",\"prompt_cache_breakpoint\":{\"mode\":\"explicit\"}";
pub(super) const HOME: Home =
    Home { base_url: "https://api.openai.com/v1", key_names: &["OPENAI_API_KEY"], key_header: None, headers: &[] };
pub(super) const PICTURES: Pictures = Pictures {
    types: &["image/png", "image/jpeg", "image/gif", "image/webp"],
    count: 500,
    data_urls: true,
    ..Pictures::NONE
};
pub(super) const CACHE: &str = "
-        steps   1024  128  -  -   5   100  10  2026-11-16  https://developers.openai.com/api/docs/guides/prompt-caching
gpt-5.6  points  1024  -    4  80  30  125  10  2026-11-16  https://docs.rs/async-openai/0.42.0/async_openai/types/responses/struct.PromptCacheOptionsParam.html
gpt-6    points  1024  -    4  80  30  125  10  2026-11-16  https://docs.rs/async-openai/0.42.0/async_openai/types/responses/struct.PromptCacheOptionsParam.html
";

pub(super) static PROVIDER: Provider = Provider {
    api: Api::OpenAi,
    vendor: "openai",
    dialect: &CHAT,
    home: HOME,
    tokenizer: Tokenizer::O200k,
    pictures: PICTURES,
    answer_limit: "max_completion_tokens",
    no_temperature: None,
    returns_reasoning: false,
    rules: Rules {
        members: MEMBERS,
        shapes: &[("", SHAPES)],
        wholes: &[("max_tokens", 1, u64::MAX), ("max_completion_tokens", 1, u64::MAX), ("n", 1, 128)],
        stops: Some(Stops { key: "stop", most: 4, blank: true }),
        more: stream_options,
        ..Rules::PLAIN
    },
    cache: CACHE,
    models: "
gpt-4.1        1047576  -       32768   o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  2     8    0.5    -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-4.1-mini   1047576  -       32768   o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  0.4   1.6  0.1    -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-5          400000   272000  128000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  1.25  10   0.125  -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-5-mini     400000   272000  128000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  0.25  2    0.025  -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-5.1        400000   272000  128000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  1.25  10   0.125  -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-5.2        400000   272000  128000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  1.75  14   0.175  -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-5.3-codex  400000   272000  128000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  1.75  14   0.175  -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-5.4        1050000  922000  128000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  2.5   15   0.25   -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-5.4-mini   400000   272000  128000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  0.75  4.5  0.075  -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-5.5        1050000  922000  128000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  5     30   0.5    -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-6.1-sol    1050000  922000  128000  estimate    2026-11-16  https://documentation.s3ns.fr/gemini-enterprise-agent-platform/models/partner-models/openai/gpt-6-1-sol                                                      2     10   0.1    2.5  2026-11-16  https://pypi.org/project/litellm/1.106.2/
gpt-oss-120b   131072   -       131072  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md
o3             200000   -       100000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  2     8    0.5    -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
o4-mini        200000   -       100000  o200k_base  2026-11-16  https://github.com/MicrosoftDocs/azure-ai-docs/blob/00bb5540c93f4bf3d1d78fe21e36c6dbc2930026/articles/foundry/openai/includes/models-azure-direct-openai.md  1.1   4.4  0.275  -    2026-11-16  https://pypi.org/project/litellm/1.106.2/
",
};

const MEMBERS: &[(&str, &str)] = &[
    (
        "request",
        "model messages tools tool_choice parallel_tool_calls stream stream_options stop n temperature top_p seed max_tokens \
         max_completion_tokens frequency_penalty presence_penalty logit_bias logprobs top_logprobs response_format reasoning_effort verbosity \
         modalities audio prediction metadata moderation store user safety_identifier service_tier prompt_cache_key prompt_cache_options \
         prompt_cache_retention web_search_options functions function_call",
    ),
    ("system", "role content name"),
    ("developer", "role content name"),
    ("user", "role content name"),
    ("assistant", "role content name refusal audio tool_calls function_call"),
    ("tool", "role content tool_call_id"),
    ("function", "role content name"),
    ("call of function", "id type function"),
    ("call of custom", "id type custom"),
    ("called", "name arguments"),
    ("tool of function", "type function"),
    ("tool of custom", "type custom"),
    ("declared", "name description parameters strict"),
    ("text", "type text prompt_cache_breakpoint"),
    ("image_url", "type image_url prompt_cache_breakpoint"),
    ("address", "url detail"),
    ("input_audio", "type input_audio prompt_cache_breakpoint"),
    ("file", "type file prompt_cache_breakpoint"),
    ("refusal", "type refusal"),
];

const SHAPES: Shapes = &[
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

pub(super) fn stream_options(request: &Object, found: &mut Violations) {
    let is_streamed = request.get("stream").and_then(Value::as_bool) == Some(true);
    let has_options = request.get("stream_options").is_some_and(|options| !options.is_null());
    if has_options && !is_streamed {
        found.add("", "`stream_options` is set and `stream` is not", "set `stream`, or leave them out");
    }
}
