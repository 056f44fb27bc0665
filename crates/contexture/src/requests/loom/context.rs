//! Paths as contexts, and answers of models to them.

use super::TruncationOptions;
#[cfg(feature = "cli")]
use crate::requests::check::{number, ranged};
use crate::requests::{DAY, TokenCount, Word};
use contexture_core::safety::Secrets;
use contexture_core::{Api, Format, Keyword, Tokenizer};
use schemars::JsonSchema;
use serde::Deserialize;

/// Which path to turn into a context, for whom, and how much of it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct PathOptions {
    /// Node where the path ends [default: the end of the path in use]
    pub node: Option<String>,
    /// Path to follow [default: the one in use]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub path: Option<String>,
    /// Node to go through at a fork or among versions; may be repeated
    #[cfg_attr(feature = "cli", arg(long, value_name = "NODE"))]
    #[serde(default)]
    pub choose: Vec<String>,
    /// Agent whose system prompt, model and permissions apply
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub agent: Option<String>,
    /// Include node ids and times, operational memory and the position
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub loom_aware: bool,
    /// Include annotations of the path
    #[cfg_attr(feature = "cli", arg(long = "with-annotations"))]
    #[serde(default)]
    pub annotations: bool,
    /// Text to put last that is not a node yet
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", allow_hyphen_values = true))]
    pub working: Option<String>,
    /// Fit the path into this many tokens [default: budget.max_tokens]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", alias = "budget"))]
    pub max_tokens: Option<TokenCount>,
    /// Model that reads the path; its window is the limit without --max-tokens
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub model: Option<String>,
    #[serde(flatten)]
    #[cfg_attr(feature = "cli", command(flatten))]
    pub truncation: TruncationOptions,
    #[doc = help!(tokenizer)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", help = help!(tokenizer)))]
    pub tokenizer: Option<Word<Tokenizer>>,
    #[doc = help!(secrets)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "POLICY", help = help!(secrets)))]
    pub secrets: Option<Word<Secrets>>,
}

/// A path as messages, a request, or one continuous text.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct AssembleRequest {
    #[serde(flatten)]
    #[cfg_attr(feature = "cli", command(flatten))]
    pub path: PathOptions,
    /// Format to write [default: messages, or text for continuous text]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT"))]
    pub format: Option<Word<PathFormat>>,
    /// The longest answer that a request asks for, in tokens.
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip)]
    pub max_answer: Option<u64>,
}

/// A path to send to a server with OpenAI's API; its answers become nodes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct GenerateRequest {
    #[serde(flatten)]
    #[cfg_attr(feature = "cli", command(flatten))]
    pub path: PathOptions,
    /// Address of a server with OpenAI's API, such as http://127.0.0.1:8080/v1
    #[cfg_attr(feature = "cli", arg(long, value_name = "URL"))]
    pub base_url: String,
    /// Number of answers, at most 100
    #[cfg_attr(feature = "cli", arg(long, short, value_name = "N", default_value_t = answers(), value_parser = ranged::<Self, u64>("n")))]
    #[schemars(range(min = 1, max = 100))]
    #[serde(default = "answers")]
    pub n: u64,
    /// Longest answer to request, in tokens
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = max_answer(), value_parser = ranged::<Self, u64>("max_answer")))]
    #[schemars(range(min = 1))]
    #[serde(default = "max_answer")]
    pub max_answer: u64,
    /// Sampling temperature, from 0 to 2
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", value_parser = number::<Self>("temperature"), allow_negative_numbers = true))]
    #[schemars(range(min = 0, max = 2))]
    pub temperature: Option<f64>,
    /// Give up after this many seconds
    #[cfg_attr(feature = "cli", arg(long, value_name = "S", default_value_t = timeout(), value_parser = ranged::<Self, u64>("timeout")))]
    #[schemars(range(min = 1, max = DAY))]
    #[serde(default = "timeout")]
    pub timeout: u64,
}

fn answers() -> u64 {
    1
}

fn max_answer() -> u64 {
    1024
}

/// A model that reasons for long says nothing meanwhile.
fn timeout() -> u64 {
    600
}

/// A format that a path can be written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathFormat(pub Format);

impl PathFormat {
    const COUNT: usize = 3 + Api::ALL.len();
}

impl Keyword for PathFormat {
    const ALL: &'static [Self] = &{
        let mut all = [Self(Format::Messages); Self::COUNT];
        let mut at = 0;
        while at < Api::ALL.len() {
            all[1 + at] = Self(Format::Request(Api::ALL[at]));
            at += 1;
        }
        (all[at + 1], all[at + 2]) = (Self(Format::Markdown), Self(Format::Text));
        all
    };

    const WORDS: &'static [&'static str] = &{
        let mut words = [""; Self::COUNT];
        let mut at = 0;
        while at < words.len() {
            words[at] = Self::ALL[at].0.as_str();
            at += 1;
        }
        words
    };

    fn as_str(self) -> &'static str {
        self.0.as_str()
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.as_str() == word)
    }
}
