//! What is kept between runs: the runs themselves, and summaries that models wrote.

use super::Word;
#[cfg(feature = "cli")]
use super::check::ranged;
use contexture_gather::runs::KeptBody;
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::ops::Deref;

/// A run: a number, `last`, or -1, -2… from the newest. JSON may have the number itself.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(inline, description = "", extend("type" = ["string", "integer"], "minimum" = 0))]
pub struct RunName(String);

impl Deref for RunName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for RunName {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl<'de> Deserialize<'de> for RunName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(name) => Ok(Self(name)),
            Value::Number(number) => Ok(Self(number.to_string())),
            _ => Err(D::Error::custom("not a number or a text")),
        }
    }
}

/// The newest runs.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct RunsListRequest {
    /// List at most this many runs
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = Self::default().limit, value_parser = ranged::<Self, u64>("limit")))]
    #[schemars(range(min = 1))]
    pub limit: u64,
}

impl Default for RunsListRequest {
    fn default() -> Self {
        Self { limit: 20 }
    }
}

/// One run.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// A number, `last`, or -1, -2… from the newest
    #[cfg_attr(feature = "cli", arg(value_name = "N", allow_hyphen_values = true))]
    pub run: RunName,
}

/// The exact text of a request or of its answer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunTextRequest {
    /// A number, `last`, or -1, -2… from the newest
    pub run: RunName,
    /// Which of the two
    pub what: Word<KeptBody>,
}

/// Two runs to compare.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct RunsDiffRequest {
    /// The earlier run [default: the one before the last]
    #[cfg_attr(feature = "cli", arg(value_name = "A", allow_hyphen_values = true))]
    pub a: Option<RunName>,
    /// The later run [default: the last]
    #[cfg_attr(feature = "cli", arg(value_name = "B", allow_hyphen_values = true))]
    pub b: Option<RunName>,
}

/// A run to compile again.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ReplayRequest {
    /// A number, `last`, or -1, -2… from the newest
    #[cfg_attr(feature = "cli", arg(value_name = "N", allow_hyphen_values = true))]
    pub run: RunName,
    /// Return the document even if it differs
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub anyway: bool,
}

/// Summaries to remove.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct CacheClearRequest {
    /// Remove summaries of these files, current and earlier ones
    #[cfg_attr(feature = "cli", arg(value_name = "PATH", conflicts_with_all = ["stale", "all"]))]
    pub paths: Vec<String>,
    /// Remove summaries of earlier versions of files of this project
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "all"))]
    pub stale: bool,
    /// Remove the summaries of all projects, and all cached results
    #[cfg_attr(feature = "cli", arg(long))]
    pub all: bool,
}

/// A check of everything that is kept.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct CacheVerifyRequest {
    /// Set a damaged store aside and save the readable entries
    #[cfg_attr(feature = "cli", arg(long))]
    pub repair: bool,
}
