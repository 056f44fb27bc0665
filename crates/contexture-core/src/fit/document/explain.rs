//! Explains how a fitted document came to be. Takes what was ranked, offered and taken; gives words and numbers, no text.

use super::super::FreeItem;
use super::ladder::{Step, priorities};
use super::prices::Prices;
use crate::rank::{Ranking, file_reasons, symbol_reasons};
use crate::shape::{Extent, ExtentPart};
use crate::types::{Explained, ExplainedSymbol, Move};
use contexture_syntax::SymbolExtent;
use std::collections::BTreeSet;

/// How many steps before and after the border are listed.
const LISTED: usize = 8;

pub struct Explainer<'a> {
    pub free: &'a [FreeItem<'a>],
    pub ranking: &'a Ranking,
    pub steps: &'a [Step],
    /// In the order they are taken, and how many were.
    pub order: &'a [u32],
    pub taken: usize,
    pub extents: &'a [Extent],
}

impl Explainer<'_> {
    /// What was taken last, and what comes next.
    pub fn border(&self, prices: &mut Prices<'_>) -> (Vec<Move>, Vec<Move>) {
        let priorities = priorities(self.steps, 1.0);
        let (before, after) = self.order.split_at(self.taken);
        let mut moves = |steps: &mut dyn Iterator<Item = &u32>| -> Vec<Move> {
            steps
                .filter(|step| !self.is_silent(**step))
                .take(LISTED)
                .map(|step| self.step_move(*step, &priorities, prices))
                .collect()
        };
        (moves(&mut before.iter().rev()), moves(&mut after.iter()))
    }

    /// Steps that show nothing by themselves.
    fn is_silent(&self, step: u32) -> bool {
        self.steps[step as usize].part == ExtentPart::Frame
    }

    fn step_move(&self, step: u32, priorities: &[f32], prices: &mut Prices<'_>) -> Move {
        let one = &self.steps[step as usize];
        let last = self.order[..self.taken].last().map_or(f32::MIN_POSITIVE, |last| priorities[*last as usize]);
        let (what, symbol) = match one.part {
            ExtentPart::Name | ExtentPart::Frame => ("name", None),
            ExtentPart::Summary => ("summary", None),
            ExtentPart::Outline => ("outline", None),
            ExtentPart::Signature(at) => ("signature", Some(at)),
            ExtentPart::Whole(at) => ("whole", Some(at)),
            ExtentPart::Passage(_) => ("passage", None),
            ExtentPart::Skeleton => ("skeleton", None),
            ExtentPart::Full => ("full", None),
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
        let up =
            open.iter().find(|step| !self.is_silent(**step)).map(|step| self.step_move(*step, &priorities, prices));
        let mut symbols: Vec<(usize, f32)> =
            self.ranking.symbols[at].iter().enumerate().map(|(index, symbol)| (index, symbol.probability)).collect();
        symbols.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let symbols = symbols
            .into_iter()
            .filter_map(|(index, probability)| {
                let is_about = |step: &&u32| match self.steps[**step as usize].part {
                    ExtentPart::Signature(symbol) | ExtentPart::Whole(symbol) => symbol as usize == index,
                    _ => false,
                };
                Some(ExplainedSymbol {
                    qualified: prices.name(at as u32, index as u32)?,
                    shown: match self.extents[at].of(index) {
                        SymbolExtent::Hidden => "hidden",
                        SymbolExtent::Signature => "signature",
                        SymbolExtent::Whole => "whole",
                    },
                    probability: f64::from(probability),
                    parts: symbol_reasons(&self.ranking.symbols[at][index], self.ranking.basis),
                    up: open.iter().find(is_about).map(|step| self.step_move(*step, &priorities, prices)),
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
