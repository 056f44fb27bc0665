//! Decides what is shown: first who has a say about each item, then whether it all fits.
//!
//! Takes what the person wished ([`crate::Wish`]), what kind of file it is, the strategy and who set it; later the
//! [`Offer`]s and the budget. Gives a level with its reason, or the reason for nothing. Knows costs and wishes, never
//! text: cutting belongs to `shape`, wording to `render`.

mod climb;
mod extent;
pub mod history;
mod ladder;
mod offers;
pub mod truncate;

pub use climb::climb;
pub use extent::Extent;
pub use ladder::{After, Part, Step, order, priorities};
pub use offers::{Offered, steps};

use crate::model::{Body, Item, ItemKind, Level, Named, Tokens, Why};
use crate::options::{History, Mode, Options};
use crate::shape::{self, Nature};
use std::fmt;

/// Items of this tier are in focus for a worker (F14).
const FOCUSED_TIER: u8 = 3;

/// What becomes of an item.
#[derive(Clone, PartialEq, Debug)]
pub enum Route {
    /// At this level, for this reason.
    Show(Level, Why),
    /// Not at all, for this reason.
    Leave(Why),
}

/// The one place where an item's view is decided. From the strongest say to the weakest.
pub fn route(item: &Item, nature: &Nature, options: &Options) -> Route {
    match (options.history, item.kind) {
        (History::Without, ItemKind::Discussion) => return Route::Leave(Why::HistoryFlag("--no-history")),
        (History::Only, kind) if kind != ItemKind::Discussion => {
            return Route::Leave(Why::HistoryFlag("--history-only"));
        }
        _ => {}
    }
    match item.kind {
        ItemKind::File => route_file(item, nature, options),
        ItemKind::Screenshot => Route::Show(Level::Full, Why::Section("[screenshots]")),
        ItemKind::Diff => Route::Show(Level::Full, Why::Section("`--diff`")),
        ItemKind::Log => Route::Show(Level::Full, Why::Section("`--log`")),
        ItemKind::Beads => Route::Show(Level::Full, Why::Section("`execution_mode = \"beads\"`")),
        ItemKind::Retrieved => Route::Show(Level::Custom, Why::Section("`--query`")),
        ItemKind::Discussion => Route::Show(Level::Full, Why::Section("[discussion]")),
        ItemKind::Layer(layer) => Route::Show(Level::Full, Why::Layer(layer.as_str().into())),
    }
}

fn route_file(item: &Item, nature: &Nature, options: &Options) -> Route {
    let wish = &item.wish;
    if !wish.auto_aggregate {
        return Route::Leave(Why::NotAggregated);
    }
    if let Body::Failed(failure) = &item.body {
        return Route::Show(Level::Name, Why::Failed(failure.to_string()));
    }
    if wish.view == Some(Level::None) {
        return Route::Show(Level::None, Why::HandSet(Level::None));
    }
    if wish.force_full {
        return Route::Show(Level::Full, Why::ForceFull);
    }
    if options.focused && (wish.focus || wish.tier == Some(FOCUSED_TIER)) {
        return Route::Show(Level::Full, Why::Focus);
    }
    if let Some(level) = options.view {
        return Route::Show(level, Why::ViewFlag(level));
    }
    let strategy = || Why::Strategy { name: options.strategy.name, source: options.strategy.source.clone() };
    if options.strategy.mode == Mode::Summarize && !options.focused {
        return Route::Show(Level::Summary, strategy());
    }
    // Slices and masks are made to be shown; a worker gets them also where the composition says otherwise.
    let marked = if !wish.slices.is_empty() {
        Some((Level::Custom, Why::Marked("custom_slices")))
    } else if !wish.mask.is_empty() || wish.signatures || wish.definitions {
        Some((Level::Masked, Why::Marked("ast_mask")))
    } else {
        None
    };
    if let Some((level, why)) = marked.filter(|_| options.focused || wish.view.is_none()) {
        return Route::Show(level, why);
    }
    if let Some(level) = wish.view.filter(|_| !options.focused) {
        return Route::Show(level, Why::HandSet(level));
    }
    if item.named != Named::ByHand
        && let Some((level, reason)) = nature.reduced()
    {
        return Route::Show(level, Why::Kind(reason));
    }
    // A file without syntax is summarised where others are cut: that is no fault of it.
    let cut = |level| if shape::has_syntax(item) { level } else { Level::Summary };
    if options.focused {
        return Route::Show(cut(Level::Skeleton), Why::OutOfFocus);
    }
    match options.strategy.mode {
        Mode::OwnView | Mode::Summarize => Route::Show(Level::Full, strategy()),
        Mode::Outline => Route::Show(cut(Level::Outline), strategy()),
        Mode::Skeleton => Route::Show(cut(Level::Skeleton), strategy()),
    }
}

/// Whether less than the level of its route may be shown of an item, or nothing: nobody set its view by hand. Without a
/// budget that is so for passages alone.
pub fn is_free(item: &Item, why: &Why, options: &Options) -> bool {
    let by_nobody = matches!(why, Why::Strategy { .. } | Why::Kind(_) | Why::OutOfFocus);
    item.kind == ItemKind::Retrieved || (options.budget.is_some() && by_nobody)
}

/// Whether an item may be shown as its summary, so that one that was written is worth looking up. Says rather yes than no:
/// poorer views, too, fall back to it.
pub fn may_summarize(item: &Item, options: &Options) -> bool {
    let nature = shape::nature(item);
    match route(item, &nature, options) {
        Route::Leave(_) => false,
        Route::Show(_, why) if item.kind == ItemKind::File && is_free(item, &why, options) => true,
        Route::Show(Level::None | Level::Name | Level::Full, _) => false,
        Route::Show(
            Level::Summary | Level::Outline | Level::Masked | Level::Custom | Level::Skeleton | Level::Diff,
            _,
        ) => item.kind == ItemKind::File,
    }
}

/// What must be shown is larger than the budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OverBudget {
    pub needed: Tokens,
    pub budget: Tokens,
    /// The most expensive items, largest first.
    pub largest: Vec<(String, Tokens)>,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "what must be shown needs {} tokens, the budget is {}", self.needed, self.budget)
    }
}

impl std::error::Error for OverBudget {}

/// How many of the largest items an [`OverBudget`] names.
const NAMED: usize = 5;

impl OverBudget {
    pub(crate) fn new(costs: impl Iterator<Item = (String, Tokens)>, needed: Tokens, budget: Tokens) -> Self {
        let mut largest: Vec<_> = costs.collect();
        largest.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        largest.truncate(NAMED);
        Self { needed, budget, largest }
    }
}
