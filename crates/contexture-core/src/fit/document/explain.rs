//! Explains how a fitted document came to be. Takes what was ranked, offered and taken; gives words and numbers, no text.

use super::super::FreeItem;
use super::ladder::Step;
use super::prices::Prices;
use crate::rank::{Basis, Callers, Ranking, file_reasons, symbol_reasons};
use crate::shape::{Extent, ExtentPart};
use crate::types::{Explained, ExplainedSymbol, FitMove, grouped};
use contexture_syntax::SymbolExtent;
use std::collections::BTreeMap;

/// How many steps before and after the border are listed.
const LISTED: usize = 8;

pub struct Explainer<'a> {
    pub free: &'a [FreeItem<'a>],
    pub ranking: &'a Ranking,
    pub steps: &'a [Step],
    /// The gain per token of each step.
    pub priorities: &'a [f64],
    /// Those that were taken and those that were not, best first.
    pub taken: &'a [u32],
    pub left: &'a [u32],
    pub extents: &'a [Extent],
    /// Of each item, the symbols that probable bodies call.
    pub calls: &'a [BTreeMap<u32, Callers>],
}

impl Explainer<'_> {
    /// What was taken last, and what comes next.
    pub fn border(&self, prices: &mut Prices<'_>) -> (Vec<FitMove>, Vec<FitMove>) {
        let mut moves = |steps: &mut dyn Iterator<Item = &u32>| -> Vec<FitMove> {
            steps.take(LISTED).map(|step| self.step_move(*step, prices)).collect()
        };
        (moves(&mut self.taken.iter().rev()), moves(&mut self.left.iter()))
    }

    fn step_move(&self, step: u32, prices: &mut Prices<'_>) -> FitMove {
        let one = &self.steps[step as usize];
        let last = self.taken.last().map_or(f64::MIN_POSITIVE, |last| self.priorities[*last as usize]);
        let what = match one.part {
            ExtentPart::Name => "name",
            ExtentPart::Summary => "summary",
            ExtentPart::Outline => "outline",
            ExtentPart::Signature(_) => "signature",
            ExtentPart::Hunks(_) => "hunks",
            ExtentPart::Brief(_) => "brief",
            ExtentPart::Doc(_) | ExtentPart::Whole(_) => "whole",
            ExtentPart::Passage(_) => "passage",
            ExtentPart::Skeleton => "skeleton",
            ExtentPart::Full => "full",
        };
        FitMove {
            path: self.free[one.item as usize].item.path.clone(),
            symbol: one.part.symbol().and_then(|at| prices.name(one.item, at)),
            what,
            tokens: prices.of(one).max(0.0) as u64,
            worth: self.priorities[step as usize] / last.max(f64::MIN_POSITIVE),
        }
    }

    /// What the best symbol of an item is, and its place among all symbols. Without a task a file does not rank by its symbols.
    fn best_symbol(&self, at: usize, prices: &mut Prices<'_>) -> Option<String> {
        let by_probability = |a: &(usize, f32), b: &(usize, f32)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
        let own = self.ranking.symbols[at].iter().map(|symbol| symbol.probability).enumerate();
        let (symbol, probability) = own.max_by(by_probability).filter(|_| self.ranking.basis == Basis::Task)?;
        let better = self.ranking.symbols.iter().flatten().filter(|symbol| symbol.probability > probability).count();
        let kind = prices.place(at as u32, symbol as u32)?.kind.as_str();
        Some(format!("its {kind} `{}` ranks {}", prices.name(at as u32, symbol as u32)?, ordinal(better + 1)))
    }

    /// The most probable caller of a symbol of which more than the signature is shown.
    fn caller(&self, at: usize, symbol: u32, prices: &mut Prices<'_>) -> Option<String> {
        let callers = self.calls[at].get(&symbol)?;
        let is_shown = |extent: SymbolExtent| extent > SymbolExtent::Signature;
        let shown = [callers.near, callers.far].into_iter().flatten();
        let shown = shown.filter(|caller| is_shown(self.extents[caller.file].of(caller.symbol as usize)));
        let best = shown.reduce(|best, other| if other.probability > best.probability { other } else { best })?;
        prices.name(best.file as u32, best.symbol)
    }

    /// Everything about one item.
    pub fn item(&self, path: &str, prices: &mut Prices<'_>) -> Option<Explained> {
        let at = self.free.iter().position(|free| free.item.path == path)?;
        let score = &self.ranking.files[at];
        let own = |step: &&u32| self.steps[**step as usize].item as usize == at;
        let open: Vec<u32> = self.left.iter().filter(own).copied().collect();
        let up = open.first().map(|step| self.step_move(*step, prices));
        let mut symbols: Vec<(usize, f32)> =
            self.ranking.symbols[at].iter().enumerate().map(|(index, symbol)| (index, symbol.probability)).collect();
        symbols.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let symbols = symbols
            .into_iter()
            .filter_map(|(index, probability)| {
                let is_about = |step: &&u32| self.steps[**step as usize].part.symbol() == u32::try_from(index).ok();
                Some(ExplainedSymbol {
                    qualified: prices.name(at as u32, index as u32)?,
                    shown: match self.extents[at].of(index) {
                        SymbolExtent::Hidden => "hidden",
                        SymbolExtent::Signature => "signature",
                        SymbolExtent::Hunks => "hunks",
                        SymbolExtent::Brief => "brief",
                        SymbolExtent::Whole => "whole",
                    },
                    probability: f64::from(probability.min(1.0)),
                    parts: symbol_reasons(&self.ranking.symbols[at][index], self.ranking.basis),
                    called_by: self.caller(at, index as u32, prices),
                    up: open.iter().find(is_about).map(|step| self.step_move(*step, prices)),
                })
            })
            .collect();
        Some(Explained {
            path: path.to_owned(),
            rank: score.rank + 1,
            of: self.free.len() as u32,
            probability: f64::from(score.probability.min(1.0)),
            parts: file_reasons(score, self.ranking.basis),
            best: self.best_symbol(at, prices),
            symbols,
            up,
        })
    }
}

/// `1st`, `2nd`, `11th`.
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{}{ending}", grouped(number as u64))
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn numbers_have_their_endings() {
        let all = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 1003].map(ordinal).join(" ");
        assert_eq!(all, "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th 1,003rd");
    }
}
