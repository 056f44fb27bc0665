//! Decides who has a say about the view of an item.
//!
//! Takes what the person wished ([`crate::Wish`]), what kind of file it is, the strategy and who set it; gives a level with its
//! reason, or the reason for nothing.

use crate::shape::{self, FileNature};
use crate::types::{Body, History, Item, ItemKind, Level, Options, SelectedBy, StrategyMode, Why};

/// Items of this tier are in focus for a worker.
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
pub fn route(item: &Item, nature: &FileNature, options: &Options) -> Route {
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

fn route_file(item: &Item, nature: &FileNature, options: &Options) -> Route {
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
    if options.strategy.mode == StrategyMode::Summarize && !options.focused {
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
    if item.selected_by != SelectedBy::Path
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
        StrategyMode::OwnView | StrategyMode::Summarize => Route::Show(Level::Full, strategy()),
        StrategyMode::Outline => Route::Show(cut(Level::Outline), strategy()),
        StrategyMode::Skeleton => Route::Show(cut(Level::Skeleton), strategy()),
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
