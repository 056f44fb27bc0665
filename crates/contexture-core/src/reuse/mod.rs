//! What a provider keeps of a request for the next one: rules as data, where marks stand, how much is found again (R2, R4).
//!
//! Takes requests as they are written; gives places for marks, and what of an earlier request a later one can use again, with the
//! first byte that is another. Knows the rules of `rules.tsv` and nothing of what a provider does today: it never asks one.

mod place;
mod predict;
mod request;
#[cfg(test)]
mod tests;

pub(crate) use place::{Anchor, Spot, places};
pub use predict::{Change, Difference, Reuse, predict};
pub use request::{NotARequest, Request, Section, Segment};

use crate::model::Api;
use std::sync::LazyLock;

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    pub api: Api,
    /// The beginning of the names of models it holds for; empty for all that no other row holds for.
    pub model: &'static str,
    pub kind: Kind,
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
pub enum Kind {
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

impl Kind {
    /// The word for it in `rules.tsv`.
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

/// Every rule, as the table has them.
pub fn rules() -> &'static [Rule] {
    static ALL: LazyLock<Vec<Rule>> = LazyLock::new(|| parse(include_str!("rules.tsv")).unwrap_or_default());
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

fn parse(table: &'static str) -> Option<Vec<Rule>> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).skip(1);
    lines.map(|line| row(&line.split('\t').collect::<Vec<_>>())).collect()
}

fn row(cells: &[&'static str]) -> Option<Rule> {
    let [api, model, kind, minimum, step, marks, lookback, minutes, write, read, checked, source] = *cells else {
        return None;
    };
    let kind = match kind {
        "marks" => Kind::Marks { most: marks.parse().ok()?, lookback: lookback.parse().ok()? },
        "points" => Kind::Points { most: marks.parse().ok()?, lookback: lookback.parse().ok()? },
        "steps" => Kind::Steps(step.parse().ok().filter(|step| *step > 0)?),
        "prefix" => Kind::Prefix,
        "units" => Kind::Units,
        _ => return None,
    };
    Some(Rule {
        api: Api::parse(api)?,
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
