//! Requests that go to models: a document with a question, files to summarize, and a body that a provider may refuse.

#[cfg(feature = "cli")]
use super::check::ranged;
use super::{DocumentRequest, Word};
use contexture_core::{Api, keywords};
use schemars::JsonSchema;
use serde::Deserialize;

/// The API of a server, or a program in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    Api(Api),
    /// Gemini CLI, a program with its own login.
    GeminiCli,
}

impl Via {
    /// All providers and programs.
    pub const ALL: &[Self] = &{
        let mut all = [Self::GeminiCli; Api::ALL.len() + 1];
        let mut at = 0;
        while at < Api::ALL.len() {
            all[at] = Self::Api(Api::ALL[at]);
            at += 1;
        }
        all
    };

    /// Their names.
    pub const WORDS: &[&str] = &{
        let mut words = [""; Self::ALL.len()];
        let mut at = 0;
        while at < words.len() {
            words[at] = Self::ALL[at].as_str();
            at += 1;
        }
        words
    };

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Api(api) => api.as_str(),
            Self::GeminiCli => "gemini-cli",
        }
    }

    /// The words of flags, and those of personas and tables.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "gemini-cli" | "gemini_cli" => Some(Self::GeminiCli),
            word => {
                let served = || Api::ALL.iter().copied().find(|api| api.provider().vendor == word);
                Api::parse(word).or_else(served).map(Self::Api)
            }
        }
    }
}

keywords!(impl Via);

/// A document to send to a model.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SendRequest {
    /// The document; its format follows from the provider
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub request: DocumentRequest,
    /// Provider to call [default: that of the model, or of the persona]
    #[cfg_attr(feature = "cli", arg(long, value_name = "P"))]
    pub provider: Option<Word<Via>>,
    /// Model to call [default: the model of the document, or of the persona]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub model: Option<String>,
    /// Address of another server with the API of the provider
    #[cfg_attr(feature = "cli", arg(long, value_name = "URL"))]
    pub base_url: Option<String>,
    /// Seconds for the whole answer
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = send_seconds(), value_parser = ranged::<Self, u64>("timeout")))]
    #[schemars(range(min = 1, max = DAY))]
    #[serde(default = "send_seconds")]
    pub timeout: u64,
    /// Send nothing; report what would be sent and its cost
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub dry_run: bool,
}

impl SendRequest {
    /// The model that is named, beside the document or in it.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref().or(self.request.model.as_deref())
    }
}

/// Seconds of the longest timeout.
pub const DAY: u64 = 86_400;

/// A model that reasons for long is silent meanwhile.
fn send_seconds() -> u64 {
    600
}

/// Files whose missing summaries a model writes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct SummarizeRequest {
    /// The files, the persona and the tier
    #[cfg_attr(feature = "cli", arg(skip))]
    pub request: DocumentRequest,
    /// Provider to call [default: that of the model, or of the persona]
    #[cfg_attr(feature = "cli", arg(long, value_name = "P"))]
    pub provider: Option<Word<Api>>,
    /// Model that writes the summaries [default: the first of the persona]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub model: Option<String>,
    /// Address of another server with the API of the provider
    #[cfg_attr(feature = "cli", arg(long, value_name = "URL"))]
    pub base_url: Option<String>,
    /// Number of concurrent calls, from 1 to 64
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = Self::default().jobs, value_parser = ranged::<Self, u64>("jobs")))]
    #[schemars(range(min = 1, max = 64))]
    pub jobs: u64,
    /// Stop before spending more than this, in US dollars
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", value_parser = dollars))]
    #[schemars(range(min = 0))]
    pub max_cost: Option<f64>,
    /// Price of a million input tokens, if it is unknown, in US dollars
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", value_parser = dollars))]
    #[schemars(range(min = 0))]
    pub price_in: Option<f64>,
    /// Price of a million output tokens, if it is unknown, in US dollars
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", value_parser = dollars))]
    #[schemars(range(min = 0))]
    pub price_out: Option<f64>,
    /// Send nothing; report the files, their tokens and the cost
    #[cfg_attr(feature = "cli", arg(long))]
    pub dry_run: bool,
    /// Replace summaries that exist already
    #[cfg_attr(feature = "cli", arg(long))]
    pub again: bool,
    /// Seconds for one summary, waiting included
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = Self::default().timeout, value_parser = ranged::<Self, u64>("timeout")))]
    #[schemars(range(min = 1, max = DAY))]
    pub timeout: u64,
}

impl Default for SummarizeRequest {
    fn default() -> Self {
        Self {
            request: DocumentRequest::default(),
            provider: None,
            model: None,
            base_url: None,
            jobs: 4,
            max_cost: None,
            price_in: None,
            price_out: None,
            dry_run: false,
            again: false,
            timeout: 300,
        }
    }
}

/// A sum of money: a number that is not negative.
#[cfg(feature = "cli")]
fn dollars(word: &str) -> Result<f64, String> {
    let number = word.trim_start_matches('$').parse::<f64>().ok();
    number.filter(|number| number.is_finite() && *number >= 0.0).ok_or_else(|| "not a sum of money, as 0.50".into())
}

/// The body of a request, to check it as its provider would.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    /// Provider whose rules apply
    #[cfg_attr(feature = "cli", arg(long, value_name = "P"))]
    pub provider: Word<Api>,
    /// The body of the request, as JSON
    #[cfg_attr(feature = "cli", arg(skip))]
    pub body: String,
}
