//! What models cost: a table with dates and sources.
//!
//! Takes a model's name and numbers of tokens; gives US dollars. What is not in `prices.tsv` has no known price, and is never guessed.

use super::{is_day, is_version};
use std::sync::LazyLock;

/// A row of the table: US dollars for a million tokens.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Price {
    pub model: &'static str,
    pub input: f64,
    pub output: f64,
    /// Of the input, what the provider's cache finds again, and what it keeps.
    pub cached: f64,
    pub written: f64,
    /// When the source was read: `2026-11-16`.
    pub checked: &'static str,
    pub source: &'static str,
}

/// The price of the model of this name, or of this name without the date or number of a version at its end.
pub fn price(name: &str) -> Option<&'static Price> {
    let same = |price: &&Price| price.model.eq_ignore_ascii_case(name);
    all().iter().find(same).or_else(|| all().iter().find(|price| is_version(price.model, name)))
}

impl Price {
    /// Of one request and its answer. `cached` and `written` are parts of `input`.
    pub fn cost(&self, input: u64, output: u64, cached: u64, written: u64) -> f64 {
        let plain = input.saturating_sub(cached).saturating_sub(written);
        let all = [(plain, self.input), (cached, self.cached), (written, self.written), (output, self.output)];
        all.iter().map(|(tokens, price)| *tokens as f64 * price / 1e6).sum()
    }
}

pub(super) fn all() -> &'static [Price] {
    static ALL: LazyLock<Vec<Price>> = LazyLock::new(|| parse(include_str!("prices.tsv")).unwrap_or_default());
    &ALL
}

pub(super) fn parse(table: &'static str) -> Option<Vec<Price>> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).skip(1);
    lines.map(|line| row(&line.split('\t').collect::<Vec<_>>())).collect()
}

fn row(cells: &[&'static str]) -> Option<Price> {
    let [model, input, output, cached, written, checked, source] = *cells else { return None };
    let number = |cell: &str| cell.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    let input = number(input)?;
    let or_input = |cell: &str| if cell == "-" { Some(input) } else { number(cell) };
    let price = Price {
        model,
        input,
        output: number(output)?,
        cached: or_input(cached)?,
        written: or_input(written)?,
        checked,
        source,
    };
    (!model.is_empty() && is_day(checked) && source.starts_with("https://")).then_some(price)
}
