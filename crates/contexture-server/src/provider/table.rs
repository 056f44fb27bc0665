//! Where the APIs are at home, as data: address, names of the key's variable, the header that takes the key.
//!
//! Takes an [`Api`]; gives its row. Reads no variable: that is for those who know the environment.

use contexture_core::Api;
use reqwest::header::HeaderName;

/// A provider's own place. As documented by each of them, looked up in November 2026.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Home {
    /// As their own libraries are given it: OpenAI's with a version, Anthropic's and Google's without.
    pub base_url: &'static str,
    /// Variables with the key, the first that is set wins.
    pub key_names: &'static [&'static str],
    pub(super) carrier: Carrier,
}

/// How the key travels. Never in the address, which logs and errors of others show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carrier {
    Bearer,
    /// In a header of its own.
    Named(&'static str),
}

impl Carrier {
    /// The header, and what stands before the key in it.
    pub fn header(self) -> (HeaderName, &'static str) {
        match self {
            Self::Bearer => (reqwest::header::AUTHORIZATION, "Bearer "),
            Self::Named(name) => (HeaderName::from_static(name), ""),
        }
    }
}

/// Anthropic's header that says which form of the API is meant, and the only form there is.
pub(super) const ANTHROPIC_VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

pub fn home(api: Api) -> Home {
    let (base_url, key_names, carrier): (_, &[&str], _) = match api {
        Api::Anthropic => ("https://api.anthropic.com", &["ANTHROPIC_API_KEY"], Carrier::Named("x-api-key")),
        Api::OpenAi | Api::Responses => ("https://api.openai.com/v1", &["OPENAI_API_KEY"], Carrier::Bearer),
        Api::Gemini => (
            "https://generativelanguage.googleapis.com",
            &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            Carrier::Named("x-goog-api-key"),
        ),
        Api::DeepSeek => ("https://api.deepseek.com", &["DEEPSEEK_API_KEY"], Carrier::Bearer),
        Api::MiniMax => ("https://api.minimax.io/anthropic", &["MINIMAX_API_KEY"], Carrier::Named("x-api-key")),
    };
    Home { base_url, key_names, carrier }
}
