//! The one way from a snapshot to an output: shape, fit, render.

mod compiled;
mod context;
mod error;
mod frame;
mod items;
mod question;
mod unseen;

pub use compiled::Compiled;
pub use error::CompileError;

use crate::count::Meter;
use crate::providers::check::{Refused, checked};
use crate::render::Draft;
use crate::render::talk::{self, Talk};
use crate::safety::{Denied, Report, Safety, Screened};
use crate::shape::{self, Tools};
use crate::types::{
    Api, Block, Format, LoomOptions, Note, Options, Output, Pick, Plan, RequestOptions, SearchHits, SelectedBy,
    Snapshot, Tokens, Topic, Why, Wish,
};
use items::{ItemFate, Items, is_layer};

/// Walks every item through shape, fit and render; the same snapshot, options and counter give the same bytes.
///
/// Fails only when what must be shown is larger than the budget, when it is a request that its provider would refuse, or when a policy
/// forbids what was found in it. Everything else that goes wrong is in the notes.
pub fn compile(screened: &Screened, options: &Options, tools: &Tools<'_>) -> Result<Compiled, CompileError> {
    let (options, in_options) = screened.options(options);
    let mut safety = screened.report().clone();
    let option_notes = in_options.notes();
    safety.merge(in_options);
    if safety.is_denied() {
        return Err(Denied(safety).into());
    }
    let (options, task_note) = frame::fitted_frame(options, tools);
    let run = Run { snapshot: screened, options: &options, tools };
    let mut items = Items::shaped(&run);
    let compiled = match OutputKind::of(screened, &options) {
        OutputKind::Document => {
            items.fit(&run)?;
            let written = run.document(&items);
            run.compiled(items, written)
        }
        OutputKind::Question => {
            let written = question::write(&mut items, &run)?;
            run.compiled(items, written)
        }
        OutputKind::Agent => context::compile(items, None, &run)?,
        OutputKind::Path(how) => context::compile(items, Some(how), &run)?,
    };
    let mut notes = match compiled.fit {
        Some(_) => unseen::counted(compiled.notes, &compiled.plan, screened, &safety),
        None => compiled.notes,
    };
    notes.extend(compiled.fit.as_ref().filter(|fit| fit.is_unmatched).map(|_| unmatched_note()));
    notes.extend(model_note(&options));
    notes.extend(option_notes);
    notes.extend(task_note);
    notes.sort();
    notes.dedup();
    Ok(Compiled { safety, notes, ..compiled })
}

/// The note for a query that matches nothing.
pub fn unmatched_note() -> Note {
    let text = "no word of the query occurs in the project";
    Note::new(Topic::Empty, text).hint("use names, paths or words of messages that occur in the code")
}

/// Ranks what lies outside the composition for the query of the options: the `top` files and symbols, and passages that answer it.
pub fn search(
    screened: &Screened,
    options: &Options,
    top: usize,
    tools: &Tools<'_>,
) -> Result<SearchHits, CompileError> {
    if screened.report().is_denied() {
        return Err(Denied(screened.report().clone()).into());
    }
    let run = Run { snapshot: screened, options, tools };
    Ok(Items::shaped(&run).search(&run, top))
}

/// The body of a request that has a system text and a message but no document, with its tokens. It is masked and checked like every
/// other request.
pub fn request_body(
    api: Api,
    request: RequestOptions,
    safety: &Safety,
    meter: &Meter<'_>,
) -> Result<(String, Tokens), CompileError> {
    let options = Options { format: Format::Request(api), request, ..Options::default() };
    let (options, report) = safety.options(&options);
    if report.is_denied() {
        return Err(Denied(report).into());
    }
    let talk = Talk::about(&Output::default(), (Tokens(0), Tokens(0)), Vec::new(), &options);
    let output = checked(api, talk::output(&talk, &Snapshot::default(), &options, meter))?;
    Ok((output.text(), talk::around(0, &options, meter)))
}

/// What is written, and so which way of fitting it takes.
enum OutputKind {
    Document,
    /// A document with what is asked about it, as a request.
    Question,
    Agent,
    Path(LoomOptions),
}

impl OutputKind {
    fn of(snapshot: &Snapshot, options: &Options) -> Self {
        match (options.loom, options.format) {
            (Some(how), _) => Self::Path(how),
            (None, _) if snapshot.items.iter().any(is_layer) => Self::Agent,
            (None, Format::Messages | Format::Request(_)) => Self::Question,
            (None, Format::Markdown | Format::Xml | Format::Json | Format::Text) => Self::Document,
        }
    }
}

/// What all stages of a compilation see.
#[derive(Clone, Copy)]
struct Run<'a> {
    snapshot: &'a Snapshot,
    options: &'a Options,
    tools: &'a Tools<'a>,
}

impl<'a> Run<'a> {
    fn draft(&self) -> Draft<'a> {
        Draft { snapshot: self.snapshot, options: self.options, meter: self.tools.meter, items: &[] }
    }

    /// The document of the items that are shown, its tokens and those of its prefix.
    fn document(&self, items: &Items<'_>) -> (Output, Tokens, Tokens) {
        let (output, measured) = self.draft().document(items.shown.iter().map(|(index, shown)| (*index, &**shown)));
        let prefix = self.tools.meter.blocks(&output.blocks[..output.prefix_blocks]);
        (output, measured, prefix)
    }

    /// A conversation as it is written. Every request comes from here, so this is where each is checked before it is sent.
    fn request(&self, talk: &Talk) -> Result<Output, Refused> {
        let output = talk::output(talk, self.snapshot, self.options, &self.tools.meter);
        match self.options.format.api() {
            Some(api) => checked(api, output),
            None => Ok(output),
        }
    }

    fn compiled(&self, items: Items<'_>, (output, measured, prefix): (Output, Tokens, Tokens)) -> Compiled {
        let picks = items.shown.into_iter().map(|(_, shown)| shown.pick).collect();
        Compiled {
            output,
            plan: Plan { picks, left_out: items.left_out },
            measured,
            prefix,
            notes: items.notes,
            fit: items.fit,
            messages: Vec::new(),
            layers: Vec::new(),
            truncation: None,
            safety: Report::default(),
        }
    }
}

/// What becomes of one file where nothing but its own wishes and the options decide: how it is shown and what its block takes, or why
/// it is left out. The same as in a document of all files, as long as no budget weighs them against each other. With a `wish` it is
/// shown as if somebody had named it by hand and wished for that.
///
/// The block is that of a document, also where the format is a request: there it stands within a string
/// ([`crate::render::talk::quoted`]).
pub fn compile_one(
    snapshot: &Screened,
    index: usize,
    wish: Option<Wish>,
    options: &Options,
    tools: &Tools<'_>,
) -> Result<(Pick, Block), Why> {
    let mut item = snapshot.items[index].clone();
    if let Some(wish) = wish {
        (item.wish, item.selected_by) = (wish, SelectedBy::Path);
    }
    let options = Options { budget: None, ..options.clone() };
    let run = Run { snapshot, options: &options, tools };
    let shown = match run.fate(index, &item, 0) {
        ItemFate::Left(why) => return Err(why),
        ItemFate::Shown(shown) => *shown,
        ItemFate::Free(free) => {
            let view = shape::view(&item, free.top, &free.nature, &options, tools);
            run.draft().item_at(&item, 0, view, free.why)
        }
    };
    Ok((shown.pick, shown.block))
}

/// A request can be written before it is known which model gets it; it cannot be sent like that.
fn model_note(options: &Options) -> Option<Note> {
    let api =
        options.format.api().filter(|api| !api.provider().dialect.in_address && options.request.model.is_none())?;
    let note = Note::new(Topic::Setting, format!("the request names no model, and `{api}` demands one"));
    Some(note.hint("`--model NAME` names it"))
}
