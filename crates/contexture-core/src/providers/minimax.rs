//! MiniMax: Anthropic's Messages in the same words, with rules of its own for the cache. It passes over what it has no use for, and its
//! models are shown no pictures.

use super::anthropic::{MESSAGES, VERSION};
use super::check::Rules;
use super::{Home, Pictures, Provider};
use crate::count::{Family, Tokenizer};
use crate::types::Api;

pub(super) static PROVIDER: Provider = Provider {
    api: Api::MiniMax,
    vendor: "minimax",
    dialect: &MESSAGES,
    home: Home {
        base_url: "https://api.minimax.io/anthropic",
        key_names: &["MINIMAX_API_KEY"],
        key_header: Some("x-api-key"),
        headers: &[VERSION],
    },
    tokenizer: Tokenizer::Estimate(Family::Generic),
    pictures: Pictures::NONE,
    answer_limit: "max_tokens",
    no_temperature: None,
    returns_reasoning: false,
    rules: Rules { hottest: 1.0, ..Rules::PLAIN },
    cache: "
-             marks  512  -  4  20  5  125  10  2026-11-16  https://platform.minimax.io/docs/api-reference/anthropic-api-compatible-cache
MiniMax-M2.7  marks  512  -  4  20  5  125  20  2026-11-16  https://platform.minimax.io/docs/api-reference/anthropic-api-compatible-cache
",
    models: "
MiniMax-M2.5  204800   -  -  estimate  2026-11-16  https://platform.minimaxi.com/docs/guides/text-generation.md  0.3  1.2  0.03  0.375  2026-11-16  https://pypi.org/project/litellm/1.106.2/
MiniMax-M2.7  204800   -  -  estimate  2026-11-16  https://platform.minimax.io/docs/guides/text-generation.md    0.3  1.2  0.06  -      2026-11-16  https://www.promptfoo.dev/docs/providers/minimax/
MiniMax-M3    1000000  -  -  estimate  2026-11-16  https://platform.minimax.io/docs/guides/text-generation.md    0.3  1.2  0.06  -      2026-11-16  https://pypi.org/project/litellm/1.106.2/
",
};
