//! DeepSeek: Chat Completions with thoughts that go back. It passes over what it has no use for, takes plain texts and functions alone, and
//! its models are shown no pictures.

use super::check::{Rules, Stops};
use super::openai::CHAT;
use super::{Home, Pictures, Provider};
use crate::count::{Family, Tokenizer};
use crate::types::Api;

pub(super) static PROVIDER: Provider = Provider {
    api: Api::DeepSeek,
    vendor: "deepseek",
    dialect: &CHAT,
    home: Home {
        base_url: "https://api.deepseek.com",
        key_names: &["DEEPSEEK_API_KEY"],
        key_header: None,
        headers: &[],
    },
    tokenizer: Tokenizer::Estimate(Family::Generic),
    pictures: Pictures::NONE,
    answer_limit: "max_tokens",
    no_temperature: None,
    returns_reasoning: true,
    rules: Rules { stops: Some(Stops { key: "stop", most: 16, blank: true }), is_lean: true, ..Rules::PLAIN },
    cache: "
-  units  0  -  -  -  60  100  10  2026-11-16  https://api-docs.deepseek.com/guides/kv_cache
",
    models: "
deepseek-v4-flash  1000000  -  384000  estimate  2026-11-16  https://megalodon.jp/ref/2026-0426-0157-09/https://api-docs.deepseek.com:443/quick_start/pricing  0.3   1.2   0.006  -  2026-11-16  https://pypi.org/project/litellm/1.106.2/
deepseek-v4-pro    1000000  -  384000  estimate  2026-11-16  https://megalodon.jp/ref/2026-0426-0157-09/https://api-docs.deepseek.com:443/quick_start/pricing  1.32  3.96  0.044  -  2026-11-16  https://pypi.org/project/litellm/1.106.2/
",
};
