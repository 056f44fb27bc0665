//! The interfaces of providers that a request can be written for.

use std::fmt;

/// A provider's interface: it decides the shape of a request, what is refused in it, and what a cache keeps of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Api {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Chat Completions, which many servers speak.
    OpenAi,
    /// OpenAI's Responses.
    Responses,
    Gemini,
    /// Chat Completions with thoughts that go back.
    DeepSeek,
    /// Messages as Anthropic's, with rules of its own for the cache.
    MiniMax,
}

impl Api {
    /// Every interface, in the order in which they are listed to people.
    pub const ALL: [Self; 6] =
        [Self::Anthropic, Self::OpenAi, Self::Responses, Self::Gemini, Self::DeepSeek, Self::MiniMax];

    /// The word that `--format` and `--provider` take.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Responses => "responses",
            Self::Gemini => "gemini",
            Self::DeepSeek => "deepseek",
            Self::MiniMax => "minimax",
        }
    }

    /// The types of pictures that its models are shown. Those of some read text alone, or it is not told.
    pub fn pictures(self) -> &'static [&'static str] {
        match self {
            Self::Anthropic | Self::OpenAi | Self::Responses => &["image/png", "image/jpeg", "image/gif", "image/webp"],
            Self::Gemini => &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
            Self::DeepSeek | Self::MiniMax => &[],
        }
    }

    /// The interface with this word; the opposite of [`Api::as_str`].
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|api| api.as_str() == word)
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
