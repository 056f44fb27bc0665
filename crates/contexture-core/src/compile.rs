//! The one way from a snapshot to a document.

use crate::check::{Refused, checked};
use crate::count::{IMAGE, Meter};
use crate::fit::{self, OverBudget, Route};
use crate::fitting::{layers, path};
use crate::model::{
    Api, Block, Body, Compiled, Item, ItemKind, LeftOut, Level, Named, Note, Output, Pick, Plan, Snapshot, Tokens,
    Topic, TreeMode, View, Why, Wish,
};
use crate::options::{Format, Options};
use crate::render::talk::{self, Pictures, Talk};
use crate::safety::{Denied, Report, Screened};
use crate::shape::{CodeReader, Nature};
use crate::{fitting, render, shape};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt;

/// What the rooms are lent for a run: a way to count, and a way to find out what code defines.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// Counts what is written, and remembers it.
    pub meter: Meter<'a>,
    /// [`InProcess`](crate::InProcess), or something that asks parsers in processes of their own.
    pub code: &'a dyn CodeReader,
}

/// Why there is no document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// What must be shown is larger than the budget.
    OverBudget(OverBudget),
    /// A provider would not take the request.
    Refused(Refused),
    /// A policy keeps what was found from leaving.
    Denied(Denied),
}

impl CompileError {
    /// What was over the budget, when that is why there is no document.
    pub fn over_budget(self) -> Option<OverBudget> {
        match self {
            Self::OverBudget(over) => Some(over),
            Self::Refused(_) | Self::Denied(_) => None,
        }
    }
}

impl From<Denied> for CompileError {
    fn from(denied: Denied) -> Self {
        Self::Denied(denied)
    }
}

impl From<OverBudget> for CompileError {
    fn from(over: OverBudget) -> Self {
        Self::OverBudget(over)
    }
}

impl From<Refused> for CompileError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OverBudget(over) => over.fmt(f),
            Self::Refused(refused) => refused.fmt(f),
            Self::Denied(denied) => denied.fmt(f),
        }
    }
}

impl std::error::Error for CompileError {}

/// Walks every item through shape, fit and render; the same snapshot, options and counter give the same bytes.
///
/// Fails only when what must be shown is larger than the budget, when it is a request that its provider would refuse, or when a policy
/// forbids what was found in it. Everything else that goes wrong is in the notes.
pub fn compile(screened: &Screened, options: &Options, tools: &Tools<'_>) -> Result<Compiled, CompileError> {
    let (options, said) = screened.options(options);
    let mut safety = screened.report().clone();
    let said_notes = said.notes();
    safety.merge(said);
    if safety.is_denied() {
        return Err(Denied(safety).into());
    }
    let mut compiled = compile_screened(screened, &options, tools)?;
    if !said_notes.is_empty() {
        compiled.notes.extend(said_notes);
        compiled.notes.sort();
        compiled.notes.dedup();
    }
    Ok(Compiled { safety, ..compiled })
}

fn compile_screened(snapshot: &Snapshot, options: &Options, tools: &Tools<'_>) -> Result<Compiled, CompileError> {
    let positions = positions(&snapshot.items);
    let is_layer = |item: &Item| matches!(item.kind, ItemKind::Layer(_));
    let documents = snapshot.items.par_iter().zip(positions).filter(|(item, _)| !is_layer(item));
    let fates: Vec<Fate> = documents.map(|(item, position)| fate(item, position, options, tools)).collect();

    let mut plan = Plan { picks: Vec::new(), left_out: snapshot.left_out.clone() };
    let mut notes = snapshot.notes.clone();
    let mut shown = Vec::with_capacity(fates.len());
    let mut free = Vec::new();
    let items = snapshot.items.iter().enumerate().filter(|(_, item)| !is_layer(item));
    for ((index, item), fate) in items.zip(fates) {
        match fate {
            Fate::Left(why) => plan.left_out.push(LeftOut { path: item.path.clone(), why }),
            Fate::Shown(mut made) => {
                notes.append(&mut made.notes);
                shown.push((index, made));
            }
            Fate::Free(nature, top, why) => free.push(Free { index, item, nature, top, why, passages: Vec::new() }),
        }
    }
    let has_layers = options.loom.is_some() || snapshot.items.iter().any(is_layer);
    // What a document is asked and shown with in a request takes its part of the budget.
    let is_asked = !has_layers && matches!(options.format, Format::Messages | Format::Request(_));
    let pictures = match is_asked {
        true => {
            let items = shown.iter().filter_map(|(index, _)| Some((*index, snapshot.items.get(*index)?)));
            talk::pictures(items, options.format)
        }
        false => Pictures::default(),
    };
    for talk::Refused { index, why, hint } in &pictures.refused {
        let Some((_, made)) = shown.iter_mut().find(|(shown, _)| shown == index) else { continue };
        let note = Note::new(Topic::Reduced, format!("the picture is not sent: {why}")).at(&made.pick.path);
        notes.push(note.hint(*hint));
        made.pick.why = Why::Kind(format!("shown by its path: {why}"));
    }
    let pictures = pictures.shown;
    let sent: BTreeSet<String> = pictures.iter().map(|(path, _)| path.clone()).collect();
    let around = if is_asked { talk::around(pictures.len(), options, &tools.meter) } else { Tokens(0) };
    let whole = options;
    let left =
        Options { budget: options.budget.map(|budget| Tokens(budget.0.saturating_sub(around.0))), ..options.clone() };
    let options = &left;
    // Pictures take their room before anything else does, so they are named where there is none.
    let widened = |over: OverBudget| {
        let is_picture = |path: &str| pictures.iter().any(|(picture, _)| picture == path);
        let others = over.largest.into_iter().filter(|(path, _)| !is_picture(path));
        let costs = others.chain(pictures.iter().map(|(path, _)| (path.clone(), Tokens(IMAGE))));
        OverBudget::new(costs, over.needed + around, whole.budget.unwrap_or(over.budget))
    };
    let mut fit = None;
    if options.budget.is_some() || !free.is_empty() {
        let fitted = fitting::fit(snapshot, free, &shown, options, tools).map_err(widened)?;
        plan.left_out.extend(fitted.left_out);
        shown.extend(fitted.shown);
        shown.sort_by_key(|(index, _)| *index);
        fit = options.budget.map(|_| fitted.fit);
    }
    plan.left_out.sort_by(|a, b| a.path.cmp(&b.path));
    let mut spoken = None;
    let mut sizes = Vec::new();
    let mut truncation = None;
    if has_layers {
        let measure = |layers: &[layers::Shown]| measure(snapshot, &shown, layers, options, tools);
        let fitted = match options.loom {
            Some(how) => {
                let (fitted, cut) = path::fit(snapshot, how, options, tools, measure)?;
                truncation = Some(cut);
                fitted
            }
            None => layers::fit(snapshot, options, tools, measure)?,
        };
        plan.left_out.extend(fitted.left_out);
        let said = if is_buffer(options) { Talk::default() } else { Talk::of(&fitted.shown, options) };
        if options.loom.is_none() {
            sizes = layers::sizes(snapshot, &fitted.shown, &said, &tools.meter);
        }
        if options.format == Format::Markdown {
            shown.extend(fitted.shown.iter().map(|layer| (layer.index, layer_made(snapshot, layer, tools))));
        }
        spoken = Some((said, fitted.shown));
    }
    notes.extend(model_note(options));
    notes.sort();
    notes.dedup();

    let (output, measured, prefix) = match &spoken {
        Some((_, layers)) if is_buffer(options) => {
            let output = render::buffer::output(snapshot, layers, options);
            let measured = render::buffer::measure(layers, &tools.meter);
            (output, measured, render::buffer::prefix(layers, measured, &tools.meter))
        }
        Some((said, layers)) if options.format != Format::Markdown => {
            let output = request(said, snapshot, options, tools)?;
            let measured = said.measure(layers, &tools.meter);
            (output, measured, said.prefix(layers, measured, &tools.meter))
        }
        _ => {
            let made = shown.iter().map(|(index, made)| (*index, &**made));
            let (output, measured) = render(snapshot, made, options, tools);
            let prefix = tools.meter.blocks(&output.blocks[..output.prefix_blocks]);
            match is_asked {
                true if pictures.is_empty() && !is_asking(options) && is_blank(&output) => {
                    return Err(Refused::empty(options.format.api()).into());
                }
                true => {
                    let pictures = pictures.into_iter().map(|(_, image)| image).collect();
                    let asked = Talk::about(&output, (prefix, measured), pictures, options);
                    (request(&asked, snapshot, options, tools)?, measured + around, prefix)
                }
                false => (output, measured, prefix),
            }
        }
    };
    if let (Some(cut), None) = (&mut truncation, options.budget) {
        (cut.before, cut.after) = (measured, measured);
    }
    // A picture is more than the line that names it.
    let whole_pick = |pick: Pick| match pick.kind == ItemKind::Screenshot && sent.contains(&pick.path) {
        true => Pick { tokens: pick.tokens + Tokens(IMAGE), ..pick },
        false => pick,
    };
    plan.picks = shown.into_iter().map(|(_, made)| whole_pick(made.pick)).collect();
    let mut messages = Vec::new();
    if let Some((said, layers)) = spoken {
        if options.format != Format::Markdown {
            let pick = |layer: &layers::Shown| layer_pick(snapshot, layer, Tokens(layer.tokens));
            plan.picks.par_extend(layers.par_iter().with_min_len(256).map(pick));
        }
        messages = said.into_messages();
        // In parts, on all threads: a million small things take a while to go away.
        layers.into_par_iter().with_min_len(4096).for_each(drop);
    }
    let safety = Report::default();
    Ok(Compiled { output, plan, measured, prefix, notes, fit, messages, layers: sizes, truncation, safety })
}

/// What becomes of one file where nothing but its own wishes and the options decide: how it is shown and what its block takes, or why
/// it is left out. The same as in a document of all files, as long as no budget weighs them against each other. With a `wish` it is
/// shown as if somebody had named it by hand and wished for that.
///
/// The block is that of a document, also where the format is a request: there it stands within a string
/// ([`render::talk::quoted`]).
pub fn alone(
    snapshot: &Screened,
    index: usize,
    wish: Option<Wish>,
    options: &Options,
    tools: &Tools<'_>,
) -> Result<(Pick, Block), Why> {
    let mut item = snapshot.items[index].clone();
    if let Some(wish) = wish {
        (item.wish, item.named) = (wish, Named::ByHand);
    }
    let options = Options { budget: None, ..options.clone() };
    match fate(&item, 0, &options, tools) {
        Fate::Left(why) => Err(why),
        Fate::Shown(made) => Ok((made.pick, made.block)),
        Fate::Free(nature, level, why) => {
            let view = shape::view(&item, level, &nature, &options, tools);
            let made = made(&item, 0, view, why, &options, tools);
            Ok((made.pick, made.block))
        }
    }
}

/// A conversation as it is written. Every door gets its requests from here, so this is where each is looked at before it leaves.
fn request(talk: &Talk, snapshot: &Snapshot, options: &Options, tools: &Tools<'_>) -> Result<Output, Refused> {
    let output = talk::output(talk, snapshot, options, &tools.meter);
    match options.format.api() {
        Some(api) => checked(api, output),
        None => Ok(output),
    }
}

/// A request can be written before it is known which model gets it; it cannot be sent like that.
fn model_note(options: &Options) -> Option<Note> {
    let api = options.format.api().filter(|api| *api != Api::Gemini && options.request.model.is_none())?;
    let note = Note::new(Topic::Setting, format!("the request names no model, and `{api}` demands one"));
    Some(note.hint("`--model NAME` names it"))
}

fn is_asking(options: &Options) -> bool {
    options.request.message.as_ref().is_some_and(|message| !message.trim().is_empty())
}

fn is_blank(output: &Output) -> bool {
    output.pieces().all(|piece| piece.trim().is_empty())
}

/// The tokens of a context with these layers.
fn measure(
    snapshot: &Snapshot,
    documents: &[(usize, Box<Made>)],
    layers: &[layers::Shown],
    options: &Options,
    tools: &Tools<'_>,
) -> Tokens {
    if is_buffer(options) {
        return render::buffer::measure(layers, &tools.meter);
    }
    if options.format != Format::Markdown {
        return Talk::of(layers, options).measure(layers, &tools.meter);
    }
    let layers: Vec<_> = layers.iter().map(|layer| (layer.index, layer_made(snapshot, layer, tools))).collect();
    let all = documents.iter().chain(&layers).map(|(index, made)| (*index, &**made));
    render(snapshot, all, options, tools).1
}

/// Whether a path becomes one continuous text.
fn is_buffer(options: &Options) -> bool {
    options.loom.is_some_and(|how| how.mode == TreeMode::Buffer) && options.format != Format::Markdown
}

/// A part of an agent's context in a document for people.
fn layer_made(snapshot: &Snapshot, shown: &layers::Shown, tools: &Tools<'_>) -> Box<Made> {
    let pieces = render::layer(shown);
    let tokens = tools.meter.block(&pieces, None);
    let pick = layer_pick(snapshot, shown, tokens);
    let block = Block { item: Some(pick.item.clone()), section: None, pieces, tokens };
    Box::new(Made { pick, block, notes: Vec::new() })
}

fn layer_pick(snapshot: &Snapshot, shown: &layers::Shown, tokens: Tokens) -> Pick {
    let item = &snapshot.items[shown.index];
    Pick {
        item: item.id.clone(),
        kind: item.kind,
        path: item.path.clone(),
        level: shown.level,
        tokens,
        hash: item.hash,
        why: shown.why.clone(),
        error: None,
        written: None,
    }
}

/// The document of some items, in the order of the snapshot, and its tokens.
pub(crate) fn render<'a>(
    snapshot: &Snapshot,
    shown: impl Iterator<Item = (usize, &'a Made)>,
    options: &Options,
    tools: &Tools<'_>,
) -> (Output, Tokens) {
    let blocks = shown.filter_map(|(index, made)| Some((snapshot.items.get(index)?, made.block.clone()))).collect();
    let mut output = render::assemble(blocks, &snapshot.paths, options);
    tools.meter.frames(&mut output);
    let measured = tools.meter.blocks(&output.blocks);
    (output, measured)
}

enum Fate {
    Left(Why),
    Shown(Box<Made>),
    /// The budget, or how well it answers the task, decides how much of it is shown, up to this level.
    Free(Nature, Level, Why),
}

/// An item whose view nobody set.
pub(crate) struct Free<'a> {
    pub index: usize,
    pub item: &'a Item,
    pub nature: Nature,
    pub top: Level,
    pub why: Why,
    /// The lines that may be shown, where the item lies outside the composition.
    pub passages: Vec<(u64, u64)>,
}

/// An item with its block.
#[derive(Clone)]
pub(crate) struct Made {
    pub pick: Pick,
    pub block: Block,
    pub notes: Vec<Note>,
}

fn fate(item: &Item, position: usize, options: &Options, tools: &Tools<'_>) -> Fate {
    let nature = shape::nature(item);
    let (level, why) = match fit::route(item, &nature, options) {
        Route::Show(level, why) => (level, why),
        Route::Leave(why) => return Fate::Left(why),
    };
    if fit::is_free(item, &why, options) {
        return Fate::Free(nature, level, why);
    }
    let view = shape::view(item, level, &nature, options, tools);
    let mut notes: Vec<Note> = note(item, level, &view, &why).into_iter().collect();
    notes.extend(view.remarks.iter().map(|remark| Note::new(Topic::View, remark.clone()).at(&item.path)));
    let why = match &view.fell_back {
        Some(cause) => Why::FellBack { wished: level, cause: cause.clone() },
        None => why,
    };
    Fate::Shown(Box::new(Made { notes, ..made(item, position, view, why, options, tools) }))
}

pub(crate) fn made(item: &Item, position: usize, view: View, why: Why, options: &Options, tools: &Tools<'_>) -> Made {
    let pieces = render::block(options.format, item, &view, position);
    let hash = if view.verbatim { item.hash.as_ref() } else { None };
    let tokens = tools.meter.block(&pieces, hash);
    let pick = Pick {
        item: item.id.clone(),
        kind: item.kind,
        path: item.path.clone(),
        level: view.level,
        tokens,
        hash: item.hash,
        why,
        error: view.error,
        written: view.written,
    };
    let block = Block { item: Some(item.id.clone()), section: None, pieces, tokens };
    Made { pick, block, notes: Vec::new() }
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
