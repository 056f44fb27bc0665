//! Anthropic: the Messages API, which refuses what it does not know ("extra inputs are not permitted"). Members and settings are those of
//! the typed parameters in its library for Python, betas included: members as of 2026-08, settings as of 2026-11.

mod check;
mod write;

use super::check::{Object, Rules, Shape, Shapes, Stops, Violations, kind};
use super::reuse::{Layout, Section};
use super::{Answers, Dialect, Home, Pictures, Provider};
use crate::count::{Family, Tokenizer};
use crate::types::Api;
use Shape::{List, Of, Text, TextOrObject};
use serde_json::Value;

/// Messages: the system in a field of its own, and blocks in messages that alternate.
pub(super) static MESSAGES: Dialect = Dialect {
    answers: Answers::Messages,
    path: "messages",
    text_path: None,
    version: Some("v1/"),
    stream: "\"stream\":true",
    in_address: false,
    mark: ",\"cache_control\":{\"type\":\"ephemeral\"}",
    write: write::write,
    check: check::check,
    layout: Layout {
        blocks: &[(&[], "tools", Section::Tools), (&[], "system", Section::System)],
        messages: "messages",
        content: "content",
    },
};

/// Which form of the API is meant; there is only this one.
pub(super) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

pub(super) static PROVIDER: Provider = Provider {
    api: Api::Anthropic,
    vendor: "anthropic",
    dialect: &MESSAGES,
    home: Home {
        base_url: "https://api.anthropic.com",
        key_names: &["ANTHROPIC_API_KEY"],
        key_header: Some("x-api-key"),
        headers: &[VERSION],
    },
    tokenizer: Tokenizer::Estimate(Family::Claude),
    pictures: Pictures {
        types: &["image/png", "image/jpeg", "image/gif", "image/webp"],
        side: 8_000,
        of_many: (20, 2_000),
        data: 5 << 20,
        count: 100,
        in_results: true,
        ..Pictures::NONE
    },
    answer_limit: "max_tokens",
    no_temperature: Some("Anthropic's API has given them up"),
    returns_reasoning: false,
    rules: Rules {
        members: MEMBERS,
        shapes: &[("", SHAPES)],
        // Without an answer only the cache is filled.
        wholes: &[("max_tokens", 0, u64::MAX), ("top_k", 0, u64::MAX)],
        hottest: 1.0,
        stops: Some(Stops { key: "stop_sequences", most: usize::MAX, blank: false }),
        more: thinking,
        ..Rules::PLAIN
    },
    cache: "
-                  marks  4096  -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-fable-5     marks  512   -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-mythos-5    marks  512   -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-opus-4      marks  1024  -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-opus-4-5    marks  4096  -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-opus-4-6    marks  4096  -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-opus-4-7    marks  4096  -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-opus-4-8    marks  1024  -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-opus-5      marks  512   -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-sonnet-4    marks  1024  -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
claude-sonnet-4-6  marks  2048  -  4  20  5  125  10  2026-11-16  https://docs.orq.ai/docs/proxy/prompt-caching
claude-sonnet-5    marks  1024  -  4  20  5  125  10  2026-11-16  https://docs.litellm.ai/docs/completion/prompt_caching.md
",
    models: "
claude-fable-5     1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/en/models/fable-5/overview.md        10   50   1     12.5   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-fable-5-1   1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/zh-CN/models/fable-5-1/overview.md   10   50   0.25  12.5   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-haiku-4-5   200000   -  64000   claude  2026-11-16  https://platform.claude.com/docs/zh-CN/models/haiku-4-5/overview.md   1    5    0.1   1.25   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-haiku-5-5   1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/en/models/haiku-5-5/overview.md      0.1  0.5  0.01  0.125  2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-opus-4-5    200000   -  64000   claude  2026-11-16  https://platform.claude.com/docs/pt-BR/models/opus-4-5/overview.md    5    25   0.5   6.25   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-opus-4-6    1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/en/models/opus-4-6/overview.md       5    25   0.5   6.25   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-opus-4-8    1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/de/models/opus-4-8/overview.md       5    25   0.5   6.25   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-opus-5      1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/es/models/opus-5/overview.md         5    25   0.5   6.25   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-opus-5-5    1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/zh-CN/models/opus-5-5/overview.md    4    20   0.2   5      2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-sonnet-4-5  200000   -  64000   claude  2026-11-16  https://platform.claude.com/docs/pt-BR/models/sonnet-4-5/overview.md  3    15   0.3   3.75   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-sonnet-4-6  1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/pt-BR/models/sonnet-4-6/overview.md  3    15   0.3   3.75   2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-sonnet-5    1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/zh-CN/models/sonnet-5/overview.md    2    10   0.2   2.5    2026-11-16  https://pypi.org/project/litellm/1.106.2/
claude-sonnet-5-5  1000000  -  128000  claude  2026-11-16  https://platform.claude.com/docs/zh-CN/models/sonnet-5-5/overview     2    10   0.1   2.5    2026-11-16  https://pypi.org/project/litellm/1.106.2/
",
};

const MEMBERS: &[(&str, &str)] = &[
    (
        "request",
        "model max_tokens messages system tools tool_choice stream stop_sequences temperature top_k top_p thinking metadata cache_control \
         container inference_geo output_config output_format service_tier context_management diagnostics fallback_credit_token fallbacks \
         mcp_servers speed",
    ),
    ("message", "role content"),
    (
        "tool",
        "name type description input_schema cache_control allowed_callers defer_loading eager_input_streaming input_examples strict",
    ),
    ("text", "type text cache_control citations"),
    ("image", "type source cache_control"),
    ("base64", "type media_type data"),
    ("url", "type url"),
    ("file", "type file_id"),
    ("document", "type source cache_control citations context title"),
    ("search_result", "type source title content cache_control citations"),
    ("tool_use", "type id name input cache_control caller"),
    ("server_tool_use", "type id name input cache_control caller"),
    ("tool_result", "type tool_use_id content is_error cache_control"),
    ("thinking", "type thinking signature"),
    ("redacted_thinking", "type data"),
    ("container_upload", "type file_id cache_control"),
    ("mark", "type ttl"),
];

const SHAPES: Shapes = &[
    ("metadata", Shape::Object),
    ("tool_choice", Of(&["auto", "any", "tool", "none"])),
    ("thinking", Shape::Object),
    ("service_tier", Text),
    ("container", TextOrObject),
    ("mcp_servers", List),
    ("context_management", Shape::Object),
    ("output_config", Shape::Object),
];

/// The beginnings of names of Claude models that answer at one temperature.
const EVEN_TEMPERED: [&str; 6] =
    ["claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5", "claude-fable-5", "claude-mythos-5"];

/// What Claude models take of temperature and thoughts.
fn thinking(request: &Object, found: &mut Violations) {
    let model = request.get("model").and_then(Value::as_str).unwrap_or_default();
    let is_even = EVEN_TEMPERED.iter().any(|name| model.starts_with(name));
    let temperature = request.get("temperature").and_then(Value::as_f64);
    if is_even && temperature.is_some_and(|temperature| temperature != 1.0) {
        found.add("", "this model takes no `temperature`", "leave it out");
    }
    let Some(thinking) = request.get("thinking").and_then(Value::as_object) else { return };
    if kind(thinking) != "enabled" {
        return;
    }
    let budget = thinking.get("budget_tokens").and_then(Value::as_u64).unwrap_or(0);
    found.need(budget >= 1_024, "thinking", "`budget_tokens` is no whole number from 1024 on", "set another value");
    // Between calls of tools a model may think for longer than one answer is.
    let most = request.get("max_tokens").and_then(Value::as_u64).filter(|_| !request.contains_key("tools"));
    found.need(
        most.is_none_or(|most| budget < most),
        "thinking",
        "`budget_tokens` is not less than `max_tokens`",
        "thoughts count as part of the answer: set more for it",
    );
}
