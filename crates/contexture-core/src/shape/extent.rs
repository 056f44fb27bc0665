//! How much of an item is shown after some steps.

use crate::types::Level;
use contexture_syntax::SymbolExtent;

/// What a step of fitting adds to its item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExtentPart {
    /// The path.
    Name,
    Summary,
    Outline,
    /// The signature of a symbol.
    Signature(u32),
    /// The lines of a symbol that the task mentions.
    Hunks(u32),
    /// A symbol without the tail of its documentation.
    Brief(u32),
    /// The tail of a symbol's documentation, after the rest of it.
    Doc(u32),
    /// All of a symbol.
    Whole(u32),
    /// Lines of a file outside the composition.
    Passage(u32),
    /// What a skeleton has beside signatures.
    Skeleton,
    Full,
}

impl ExtentPart {
    /// The symbol that it is a part of.
    pub fn symbol(self) -> Option<u32> {
        match self {
            Self::Signature(at) | Self::Hunks(at) | Self::Brief(at) | Self::Doc(at) | Self::Whole(at) => Some(at),
            Self::Name | Self::Summary | Self::Outline | Self::Passage(_) | Self::Skeleton | Self::Full => None,
        }
    }
}

/// Grows with every step, never shrinks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Extent {
    /// `None`: nothing at all.
    pub level: Option<Level>,
    /// Symbols by their place in the structure of the text, for `masked` and `skeleton`; passages by their place, for
    /// `custom`.
    pub shown: Vec<SymbolExtent>,
}

impl Extent {
    /// Adds one part to what is shown; the richer level holds.
    pub fn take(&mut self, part: ExtentPart) {
        let (level, symbol) = match part {
            ExtentPart::Name => (Level::Name, None),
            ExtentPart::Summary => (Level::Summary, None),
            ExtentPart::Outline => (Level::Outline, None),
            ExtentPart::Signature(at) => (Level::Masked, Some((at, SymbolExtent::Signature))),
            ExtentPart::Hunks(at) => (Level::Masked, Some((at, SymbolExtent::Hunks))),
            ExtentPart::Brief(at) => (Level::Masked, Some((at, SymbolExtent::Brief))),
            ExtentPart::Doc(at) | ExtentPart::Whole(at) => (Level::Masked, Some((at, SymbolExtent::Whole))),
            ExtentPart::Passage(at) => (Level::Custom, Some((at, SymbolExtent::Whole))),
            ExtentPart::Skeleton => (Level::Skeleton, None),
            ExtentPart::Full => (Level::Full, None),
        };
        self.level = self.level.max(Some(level));
        if let Some((at, how)) = symbol {
            let at = at as usize;
            if self.shown.len() <= at {
                self.shown.resize(at + 1, SymbolExtent::Hidden);
            }
            self.shown[at] = self.shown[at].max(how);
        }
    }

    /// How a symbol is shown, or a passage.
    pub fn of(&self, at: usize) -> SymbolExtent {
        let least = match self.level {
            Some(Level::Full) => SymbolExtent::Whole,
            Some(Level::Skeleton) => SymbolExtent::Signature,
            _ => SymbolExtent::Hidden,
        };
        self.shown.get(at).copied().unwrap_or_default().max(least)
    }

    /// How many of this many symbols are shown whole, in hunks, and by their signature.
    pub fn counts(&self, symbols: usize) -> [usize; 3] {
        let all = || (0..symbols.max(self.shown.len())).map(|at| self.of(at));
        let whole = all().filter(|how| *how >= SymbolExtent::Brief).count();
        let of = |wanted: SymbolExtent| all().filter(|how| *how == wanted).count();
        [whole, of(SymbolExtent::Hunks), of(SymbolExtent::Signature)]
    }
}
