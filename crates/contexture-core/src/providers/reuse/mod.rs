//! What a provider keeps of a request for the next one: rules as data, where marks stand, how much is found again.
//!
//! Takes requests as they are written; gives places for marks, and what of an earlier request a later one can use again, with the
//! first byte that is another. Knows the rules of the providers' rows and nothing of what a provider does today: it never asks one.

mod place;
mod predict;
mod request;
#[cfg(test)]
mod tests;

pub(crate) use place::{Anchor, Spot, places};
pub use predict::{Change, Difference, Reuse, predict};
pub(super) use request::Layout;
pub use request::{NotARequest, Request, Section, Segment};

use crate::types::Api;
use std::sync::LazyLock;

/// A line of a provider's `cache`, its columns separated by spaces:
///
/// | column | what it says |
/// |---|---|
/// | model | the beginning of the names it holds for; of several lines the one with the longest holds; `-` for all others |
/// | kind | `marks`: kept where a mark stands, found by looking back from a mark; `points`: kept at marks and at the end of the newest message, found only where one ends; `steps`: kept by itself, in steps of tokens; `prefix`: kept by itself, to the token; `units`: kept whole, at the end of a request and where two requests part |
/// | minimum | the fewest tokens that are kept |
/// | step | tokens; `-` where there are none |
/// | marks | the most that a request may have; `-` where there are none |
/// | lookback | for `marks`: blocks; for `points`: ends of messages; `-` where there is none |
/// | minutes | how long it is kept at least |
/// | write, read | what keeping and finding cost, in percent of the price of a token |
/// | checked, source | when the page was read, and which |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    pub api: Api,
    /// The beginning of the names of models it holds for; empty for all that no other row holds for.
    pub model: &'static str,
    pub kind: CacheKind,
    /// The fewest tokens that are kept.
    pub minimum: u64,
    /// How long at least.
    pub minutes: u64,
    /// In percent of the price of a token: keeping it, and finding it again.
    pub write: u64,
    pub read: u64,
    /// When the source was read: `2026-11-16`.
    pub checked: &'static str,
    /// The page that says so.
    pub source: &'static str,
}

/// How a provider keeps the beginning of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheKind {
    /// Kept where one of `most` marks stands; found by looking at so many blocks back from each mark of the next request.
    Marks { most: usize, lookback: usize },
    /// Kept at marks and at the end of the newest message, `most` in all; found where one of the newest ends of messages, or a mark,
    /// stands at the same place.
    Points { most: usize, lookback: usize },
    /// Kept by itself, in steps of tokens.
    Steps(u64),
    /// Kept by itself, to the token.
    Prefix,
    /// Kept whole: at the end of a request, of its answer, and where two requests part.
    Units,
}

impl CacheKind {
    /// Every word of [`Self::as_str`].
    pub const WORDS: &'static [&'static str] = &["marks", "points", "steps", "prefix", "units"];

    /// The word for it in a line of `cache`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Marks { .. } => "marks",
            Self::Points { .. } => "points",
            Self::Steps(_) => "steps",
            Self::Prefix => "prefix",
            Self::Units => "units",
        }
    }
}

/// Every rule, in the order of the APIs.
pub fn rules() -> &'static [Rule] {
    static ALL: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let rows = Api::ALL.iter().map(|api| parse(*api, api.provider().cache));
        rows.collect::<Option<Vec<_>>>().unwrap_or_default().concat()
    });
    &ALL
}

/// The rule for a model of this API: that with the longest name that the model's begins with. A model nobody named has the one for all
/// others, which asks for the most.
pub fn rule(api: Api, model: Option<&str>) -> Option<&'static Rule> {
    let model = model.unwrap_or_default();
    // Gateways put the provider before the name.
    let name = model.rsplit('/').next().unwrap_or(model);
    let holds = |rule: &&Rule| {
        rule.api == api && name.get(..rule.model.len()).is_some_and(|start| start.eq_ignore_ascii_case(rule.model))
    };
    rules().iter().filter(holds).max_by_key(|rule| rule.model.len())
}

fn parse(api: Api, table: &'static str) -> Option<Vec<Rule>> {
    table.trim().lines().map(|line| row(api, &line.split_ascii_whitespace().collect::<Vec<_>>())).collect()
}

fn row(api: Api, cells: &[&'static str]) -> Option<Rule> {
    let [model, kind, minimum, step, marks, lookback, minutes, write, read, checked, source] = *cells else {
        return None;
    };
    let kind = match kind {
        "marks" => CacheKind::Marks { most: marks.parse().ok()?, lookback: lookback.parse().ok()? },
        "points" => CacheKind::Points { most: marks.parse().ok()?, lookback: lookback.parse().ok()? },
        "steps" => CacheKind::Steps(step.parse().ok().filter(|step| *step > 0)?),
        "prefix" => CacheKind::Prefix,
        "units" => CacheKind::Units,
        _ => return None,
    };
    Some(Rule {
        api,
        model: if model == "-" { "" } else { model },
        kind,
        minimum: minimum.parse().ok()?,
        minutes: minutes.parse().ok()?,
        write: write.parse().ok()?,
        read: read.parse().ok()?,
        checked,
        source,
    })
}
