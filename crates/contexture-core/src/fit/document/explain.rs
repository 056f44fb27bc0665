//! Explains how a fitted document came to be. Takes what was ranked, offered and taken; gives words and numbers, no text.

use super::super::FreeItem;
use super::ladder::Step;
use super::prices::Prices;
use crate::rank::{Ranking, file_reasons, symbol_reasons};
use crate::shape::{Extent, ExtentPart};
use crate::types::{Explained, ExplainedSymbol, FitMove};
use contexture_syntax::SymbolExtent;

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
            symbols,
            up,
        })
    }
}
