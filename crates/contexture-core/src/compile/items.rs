//! The items of a document: shaped where wishes and options decide, fitted where a budget does.
//!
//! Takes a snapshot; gives blocks with their picks, omitted items with reasons, and notes. Layers of a context are skipped.

use super::Run;
use crate::fit::{self, FreeItem, OverBudget, Route, ShownItem, document};
use crate::shape;
use crate::types::{Body, Fit, Item, ItemKind, LeftOut, Level, Note, SearchHits, Snapshot, Topic, View, Why};
use rayon::prelude::*;

/// The items after shaping, and later after fitting.
pub struct Items<'a> {
    /// Each with its place in the snapshot.
    pub shown: Vec<(usize, Box<ShownItem>)>,
    free: Vec<FreeItem<'a>>,
    pub left_out: Vec<LeftOut>,
    pub notes: Vec<Note>,
    pub fit: Option<Fit>,
}

/// What becomes of one item.
pub enum ItemFate<'a> {
    Left(Why),
    Shown(Box<ShownItem>),
    Free(FreeItem<'a>),
}

pub fn is_layer(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Layer(_))
}

impl<'a> Items<'a> {
    /// Every item in the view its wishes and the options give it; free items wait for [`Items::fit`].
    pub fn shaped(run: &Run<'a>) -> Self {
        let Snapshot { items, left_out, notes, .. } = run.snapshot;
        let places = items.par_iter().zip(positions(items)).enumerate().filter(|(_, (item, _))| !is_layer(item));
        let fates: Vec<(usize, ItemFate<'_>)> =
            places.map(|(index, (item, position))| (index, run.fate(index, item, position))).collect();
        let (shown, free) = (Vec::with_capacity(fates.len()), Vec::new());
        let mut all = Self { shown, free, left_out: left_out.clone(), notes: notes.clone(), fit: None };
        for (index, fate) in fates {
            match fate {
                ItemFate::Left(why) => all.left_out.push(LeftOut { path: items[index].path.clone(), why }),
                ItemFate::Shown(mut shown) => {
                    all.notes.append(&mut shown.notes);
                    all.shown.push((index, shown));
                }
                ItemFate::Free(free) => all.free.push(free),
            }
        }
        all
    }

    /// Ranks the free items for the query.
    pub fn search(self, run: &Run<'_>, top: usize) -> SearchHits {
        document::search(self.free, &run.snapshot.past, top, run.options, run.tools, &run.draft())
    }

    /// Fits the free items into the budget.
    pub fn fit(&mut self, run: &Run<'_>) -> Result<(), OverBudget> {
        let Run { snapshot, options, tools } = *run;
        if options.budget.is_some() || !self.free.is_empty() {
            let free = std::mem::take(&mut self.free);
            let fitted = document::fit(free, &self.shown, &snapshot.past, options, tools, &run.draft())?;
            self.left_out.extend(fitted.left_out);
            self.shown.extend(fitted.shown);
            fit::sort_shown(&mut self.shown, options.order);
            self.fit = options.budget.map(|_| fitted.fit);
        }
        self.left_out.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(())
    }
}

impl<'a> Run<'a> {
    /// What becomes of an item where nothing but its own wishes and the options decide.
    pub fn fate<'b>(&self, index: usize, item: &'b Item, position: usize) -> ItemFate<'b> {
        let Self { options, tools, .. } = *self;
        let nature = shape::nature(item);
        let (level, why) = match fit::route(item, &nature, options) {
            Route::Show(level, why) => (level, why),
            Route::Leave(why) => return ItemFate::Left(why),
        };
        if fit::is_free(item, &why, options) {
            return ItemFate::Free(FreeItem {
                index,
                item,
                nature,
                top: level,
                why,
                rank: 0,
                is_unmatched: false,
                passages: Vec::new(),
                hunks: Default::default(),
            });
        }
        let view = shape::view(item, level, &nature, options, tools);
        let mut notes: Vec<Note> = note(item, level, &view, &why).into_iter().collect();
        notes.extend(view.remarks.iter().map(|remark| Note::new(Topic::View, remark.clone()).at(&item.path)));
        let why = match &view.fell_back {
            Some(cause) => Why::FellBack { wished: level, cause: cause.clone() },
            None => why,
        };
        ItemFate::Shown(Box::new(ShownItem { notes, ..self.draft().item_at(item, position, view, why) }))
    }
}

fn note(item: &Item, wished: Level, view: &View, why: &Why) -> Option<Note> {
    match (&item.body, &view.error) {
        // Gather has said so already, with a hint.
        (Body::Failed(_), _) => return None,
        (_, Some(error)) => return Some(Note::new(Topic::View, error.clone())),
        _ => {}
    }
    if let Some(cause) = &view.fell_back {
        if is_unremarkable(item, wished) {
            return None;
        }
        let text = format!("`{wished}` was wished, `{}` is shown: {cause}", view.level);
        let topic = if is_by_hand(item, wished) { Topic::View } else { Topic::Reduced };
        return Some(Note::new(topic, text).at(&item.path));
    }
    match why {
        Why::Kind(reason) if item.kind == ItemKind::File => {
            let note = Note::new(Topic::Reduced, reason.clone()).at(&item.path);
            // Naming a file shows its text; a binary or huge one has none to show.
            let has_text = matches!(item.body, Body::Text { .. });
            Some(if has_text { note.hint("name the file to show it in full") } else { note })
        }
        _ => None,
    }
}

/// A flag for all files asks of each what it can show; only what was wished for one file by hand is worth a remark. The
/// plan has the reason of both.
fn is_unremarkable(item: &Item, wished: Level) -> bool {
    let from_syntax = matches!(wished, Level::Skeleton | Level::Outline | Level::Masked | Level::Custom);
    from_syntax && !is_by_hand(item, wished) && matches!(item.body, Body::Text { .. })
}

/// Whether this view was wished for this very item.
fn is_by_hand(item: &Item, wished: Level) -> bool {
    match wished {
        _ if item.wish.view == Some(wished) => true,
        Level::Masked => shape::has_mask(item),
        Level::Custom => !item.wish.slices.is_empty(),
        _ => false,
    }
}

/// Each item's place among the items of its kind, which follow each other.
fn positions(items: &[Item]) -> Vec<usize> {
    items.chunk_by(|a, b| a.kind == b.kind).flat_map(|same| 0..same.len()).collect()
}
