//! How much of an item is shown after some steps.

use super::ladder::Part;
use crate::model::Level;
use contexture_syntax::Shown;

/// Grows with every step, never shrinks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Extent {
    /// `None`: nothing at all.
    pub level: Option<Level>,
    /// Symbols by their place in the structure of the text, for `masked` and `skeleton`; passages by their place, for
    /// `custom`.
    pub shown: Vec<Shown>,
}

impl Extent {
    pub fn take(&mut self, part: Part) {
        let (level, symbol) = match part {
            Part::Name | Part::Frame => (Level::Name, None),
            Part::Summary => (Level::Summary, None),
            Part::Outline => (Level::Outline, None),
            Part::Signature(at) => (Level::Masked, Some((at, Shown::Signature))),
            Part::Whole(at) => (Level::Masked, Some((at, Shown::Whole))),
            Part::Passage(at) => (Level::Custom, Some((at, Shown::Whole))),
            Part::Skeleton => (Level::Skeleton, None),
            Part::Full => (Level::Full, None),
        };
        self.level = self.level.max(Some(level));
        if let Some((at, how)) = symbol {
            let at = at as usize;
            if self.shown.len() <= at {
                self.shown.resize(at + 1, Shown::Hidden);
            }
            self.shown[at] = self.shown[at].max(how);
        }
    }

    /// How a symbol is shown, or a passage.
    pub fn of(&self, at: usize) -> Shown {
        let least = match self.level {
            Some(Level::Full) => Shown::Whole,
            Some(Level::Skeleton) => Shown::Signature,
            _ => Shown::Hidden,
        };
        self.shown.get(at).copied().unwrap_or_default().max(least)
    }

    /// Of so many symbols, how many are shown whole, and by their signature.
    pub fn counts(&self, symbols: usize) -> (usize, usize) {
        let count = |how| (0..symbols.max(self.shown.len())).filter(|at| self.of(*at) == how).count();
        (count(Shown::Whole), count(Shown::Signature))
    }
}
