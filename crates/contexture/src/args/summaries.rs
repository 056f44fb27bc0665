//! The words of `summarize` and `cache`.

use super::{Paths, SafetyArgs, providers};
use clap::{Args, Subcommand};
use contexture_core::Api;

#[derive(Args, Debug)]
pub struct SummarizeArgs {
    #[command(flatten)]
    pub paths: Paths,
    /// Whose API is asked [default: that of the model, or of the persona's first one].
    #[arg(long, value_name = "P", value_parser = providers())]
    pub provider: Option<Api>,
    /// Which model writes the summaries [default: the persona's first one].
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Take preset, model and tier from this persona.
    #[arg(long, value_name = "NAME")]
    pub persona: Option<String>,
    /// Take the composition of this preset.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// How detailed: 1 stands in for the file, 2 has key details, 3 and 4 are a short paragraph [default: the persona's, else 2].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub tier: Option<u8>,
    /// Only files that match; as in .gitignore. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// No files that match; as in .gitignore. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Another server that speaks the provider's API.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The variable that holds the key [default: the provider's own, as ANTHROPIC_API_KEY].
    #[arg(long, value_name = "NAME")]
    pub key_env: Option<String>,
    /// How many summaries are asked for at once.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
    /// Stop before more than so many US dollars are spent.
    #[arg(long, value_name = "X", value_parser = dollars)]
    pub max_cost: Option<f64>,
    /// US dollars for a million tokens of requests, where the price of the model is not known.
    #[arg(long, value_name = "X", value_parser = dollars)]
    pub price_in: Option<f64>,
    /// US dollars for a million tokens of answers.
    #[arg(long, value_name = "X", value_parser = dollars)]
    pub price_out: Option<f64>,
    /// Send nothing: list the files, their tokens, and what it would cost.
    #[arg(long)]
    pub dry_run: bool,
    /// Ask also for summaries that are there already.
    #[arg(long)]
    pub again: bool,
    /// Fail when a summary could not be made; those that could are kept.
    #[arg(long)]
    pub strict: bool,
    /// Seconds for one summary, waiting included.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
    #[command(flatten)]
    pub safety: SafetyArgs,
}

#[derive(Subcommand, Debug)]
pub enum CacheVerb {
    /// Say which files have a summary that a model wrote, who wrote it and when.
    Status {
        #[command(flatten)]
        paths: Paths,
        /// For documents of this tier [default: the persona's, else 2].
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
        tier: Option<u8>,
        /// Take the composition of this preset.
        #[arg(long, value_name = "NAME")]
        preset: Option<String>,
        /// Take preset and tier from this persona.
        #[arg(long, value_name = "NAME")]
        persona: Option<String>,
    },
    /// Remove summaries.
    Clear {
        /// Those about these files, now or earlier.
        #[arg(value_name = "PATH", conflicts_with_all = ["stale", "all"])]
        paths: Vec<String>,
        /// Those about earlier contents of files of this project.
        #[arg(long, conflicts_with = "all")]
        stale: bool,
        /// All of them, of all projects, and the cache of counts and other results.
        #[arg(long)]
        all: bool,
    },
    /// Remove what was written about contents that no file of this project has any more.
    Gc,
    /// Read everything there is and list what is damaged.
    Verify {
        /// Set a damaged store aside and save what can be read.
        #[arg(long)]
        repair: bool,
    },
}

/// A sum of money: a number that is not negative.
fn dollars(word: &str) -> Result<f64, String> {
    let number = word.trim_start_matches('$').parse::<f64>().ok();
    number.filter(|number| number.is_finite() && *number >= 0.0).ok_or_else(|| "not a sum of money, as 0.50".into())
}
