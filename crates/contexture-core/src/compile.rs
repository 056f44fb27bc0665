//! The one way from a snapshot to a document.

use crate::count::Meter;
use crate::fit::{self, OverBudget, Route};
use crate::model::{
    Block, Body, Compiled, Item, ItemKind, LeftOut, Level, Note, Offer, Pick, Pin, Plan, Snapshot, Topic, View, Why,
};
use crate::options::Options;
use crate::shape::CodeReader;
use crate::{render, shape};
use rayon::prelude::*;

/// What the rooms are lent for a run: a way to count, and a way to find out what code defines.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    pub meter: Meter<'a>,
    pub code: &'a dyn CodeReader,
}

/// Walks every item through shape, fit and render; the same snapshot, options and counter give the same bytes.
///
/// Fails only when the document is larger than the budget. Everything else that goes wrong is in the notes.
pub fn compile(snapshot: &Snapshot, options: &Options, tools: &Tools<'_>) -> Result<Compiled, OverBudget> {
    let positions = positions(&snapshot.items);
    let fates: Vec<Fate> =
        snapshot.items.par_iter().zip(positions).map(|(item, position)| fate(item, position, options, tools)).collect();

    let mut plan = Plan { picks: Vec::new(), left_out: snapshot.left_out.clone() };
    let mut notes = snapshot.notes.clone();
    let mut shown = Vec::with_capacity(fates.len());
    let mut offers = Vec::with_capacity(fates.len());
    for (item, fate) in snapshot.items.iter().zip(fates) {
        match fate {
            Fate::Left(why) => plan.left_out.push(LeftOut { path: item.path.clone(), why }),
            Fate::Shown(made) => {
                let Made { pick, block, notes: said } = *made;
                notes.extend(said);
                let pin = if item.wish.force_full || item.wish.view.is_some() { Pin::Fixed } else { Pin::Free };
                offers.push(Offer { item: item.id.clone(), level: pick.level, cost: pick.tokens, pin });
                plan.picks.push(pick);
                shown.push((item, block));
            }
        }
    }
    plan.left_out.sort_by(|a, b| a.path.cmp(&b.path));
    notes.sort();
    notes.dedup();

    let mut output = render::assemble(shown, &snapshot.paths, options);
    tools.meter.frames(&mut output);
    let measured = tools.meter.blocks(&output.blocks);
    fit::check(&offers, measured, options.budget)?;
    let prefix = tools.meter.blocks(&output.blocks[..output.prefix_blocks]);
    Ok(Compiled { output, plan, measured, prefix, notes })
}

enum Fate {
    Left(Why),
    Shown(Box<Made>),
}

struct Made {
    pick: Pick,
    block: Block,
    notes: Vec<Note>,
}

fn fate(item: &Item, position: usize, options: &Options, tools: &Tools<'_>) -> Fate {
    let nature = shape::nature(item);
    let (level, why) = match fit::route(item, &nature, options) {
        Route::Show(level, why) => (level, why),
        Route::Leave(why) => return Fate::Left(why),
    };
    let view = shape::view(item, level, &nature, options, tools);
    let pieces = render::block(options.format, item, &view, position);
    let hash = if view.verbatim { item.hash.as_ref() } else { None };
    let tokens = tools.meter.block(&pieces, hash);
    let mut notes: Vec<Note> = note(item, level, &view, &why).into_iter().collect();
    notes.extend(view.remarks.iter().map(|remark| Note::new(Topic::View, remark.clone()).at(&item.path)));
    let why = match &view.fell_back {
        Some(cause) => Why::FellBack { wished: level, cause: cause.clone() },
        None => why,
    };
    let pick = Pick {
        item: item.id.clone(),
        kind: item.kind,
        path: item.path.clone(),
        level: view.level,
        tokens,
        hash: item.hash,
        why,
        error: view.error,
    };
    let block = Block { item: Some(item.id.clone()), pieces, tokens };
    Fate::Shown(Box::new(Made { pick, block, notes }))
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

/// Each item's place among the items of its kind.
fn positions(items: &[Item]) -> Vec<usize> {
    let mut last = None;
    let mut next = 0;
    items
        .iter()
        .map(|item| {
            if last != Some(item.kind) {
                last = Some(item.kind);
                next = 0;
            }
            next += 1;
            next - 1
        })
        .collect()
}
