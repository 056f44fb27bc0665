//! The interfaces of providers that a request can be written for.

use crate::keywords;

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

keywords!(Api {
    Anthropic = "anthropic",
    OpenAi = "openai",
    Responses = "responses",
    Gemini = "gemini",
    DeepSeek = "deepseek",
    MiniMax = "minimax",
});
