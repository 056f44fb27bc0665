//! Tells how a fitted document came to be. Takes what was ranked, offered and taken; gives words and numbers, no text.

use super::prices::Prices;
use crate::compile::Free;
use crate::fit::{Extent, Part, Step, priorities};
use crate::model::{Explained, ExplainedSymbol, Move};
use crate::rank::{Ranking, file_reasons, symbol_reasons};
use contexture_syntax::Shown;
use std::collections::BTreeSet;

/// How many steps before and behind the border are told.
const TOLD: usize = 8;

pub struct Story<'a> {
    pub free: &'a [Free<'a>],
    pub ranking: &'a Ranking,
    pub steps: &'a [Step],
    /// In the order they are taken, and how many were.
    pub order: &'a [u32],
    pub taken: usize,
    pub extents: &'a [Extent],
}

impl Story<'_> {
    /// What was taken last, and what comes next.
    pub fn border(&self, prices: &mut Prices<'_>) -> (Vec<Move>, Vec<Move>) {
        let priorities = priorities(self.steps, 1.0);
        let (before, behind) = self.order.split_at(self.taken);
        let mut tell = |steps: &mut dyn Iterator<Item = &u32>| -> Vec<Move> {
            steps
                .filter(|step| !self.is_silent(**step))
                .take(TOLD)
                .map(|step| self.told(*step, &priorities, prices))
                .collect()
        };
        (tell(&mut before.iter().rev()), tell(&mut behind.iter()))
    }

    /// Steps that show nothing by themselves.
    fn is_silent(&self, step: u32) -> bool {
        self.steps[step as usize].part == Part::Frame
    }

    fn told(&self, step: u32, priorities: &[f32], prices: &mut Prices<'_>) -> Move {
        let one = &self.steps[step as usize];
        let last = self.order[..self.taken].last().map_or(f32::MIN_POSITIVE, |last| priorities[*last as usize]);
        let (what, symbol) = match one.part {
            Part::Name | Part::Frame => ("name", None),
            Part::Summary => ("summary", None),
            Part::Outline => ("outline", None),
            Part::Signature(at) => ("signature", Some(at)),
            Part::Whole(at) => ("whole", Some(at)),
            Part::Passage(_) => ("passage", None),
            Part::Skeleton => ("skeleton", None),
            Part::Full => ("full", None),
        };
        Move {
            path: self.free[one.item as usize].item.path.clone(),
            symbol: symbol.and_then(|at| prices.name(one.item, at)),
            what,
            tokens: prices.of(one).max(0.0) as u64,
            worth: f64::from(priorities[step as usize] / last.max(f32::MIN_POSITIVE)),
        }
    }

    /// Everything about one item.
    pub fn item(&self, path: &str, prices: &mut Prices<'_>) -> Option<Explained> {
        let at = self.free.iter().position(|free| free.item.path == path)?;
        let score = &self.ranking.files[at];
        let priorities = priorities(self.steps, 1.0);
        let taken: BTreeSet<u32> = self.order[..self.taken].iter().copied().collect();
        let own = |step: &u32| self.steps[*step as usize].item as usize == at;
        let mut open: Vec<u32> =
            (0..self.steps.len() as u32).filter(own).filter(|step| !taken.contains(step)).collect();
        open.sort_by(|a, b| priorities[*b as usize].total_cmp(&priorities[*a as usize]).then(a.cmp(b)));
        let up = open.iter().find(|step| !self.is_silent(**step)).map(|step| self.told(*step, &priorities, prices));
        let mut symbols: Vec<(usize, f32)> =
            self.ranking.symbols[at].iter().enumerate().map(|(index, symbol)| (index, symbol.probability)).collect();
        symbols.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let symbols = symbols
            .into_iter()
            .filter_map(|(index, probability)| {
                let is_about = |step: &&u32| match self.steps[**step as usize].part {
                    Part::Signature(symbol) | Part::Whole(symbol) => symbol as usize == index,
                    _ => false,
                };
                Some(ExplainedSymbol {
                    qualified: prices.name(at as u32, index as u32)?,
                    shown: match self.extents[at].of(index) {
                        Shown::Hidden => "hidden",
                        Shown::Signature => "signature",
                        Shown::Whole => "whole",
                    },
                    probability: f64::from(probability),
                    parts: symbol_reasons(&self.ranking.symbols[at][index], self.ranking.basis),
                    up: open.iter().find(is_about).map(|step| self.told(*step, &priorities, prices)),
                })
            })
            .collect();
        Some(Explained {
            path: path.to_owned(),
            rank: score.rank + 1,
            of: self.free.len() as u32,
            probability: f64::from(score.probability),
            parts: file_reasons(score, self.ranking.basis),
            symbols,
            up,
        })
    }
}
