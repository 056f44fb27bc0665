//! Plan, preview, build: the same compilation, written or only shown.

use super::driver::{Driver, Timings, record_run};
use super::open::{Door, Opened, Target, shows_pictures};
use super::runs::{self, OutputHashes, RunDraft};
use super::{BudgetFrom, OpError, summary_store, why};
use crate::requests::DocumentRequest;
use contexture_core::safety::Screened;
use contexture_core::{Body, Compiled, Counter, Format, Item, Note, Output, Snapshot, Tokens};
use contexture_gather::cache::Cache;
use contexture_gather::{history, outputs};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// A compiled document with everything known about it.
pub struct CompiledDocument {
    pub compiled: Compiled,
    pub snapshot: Screened,
    pub tokenizer: &'static str,
    pub exact: bool,
    pub budget: Option<Tokens>,
    pub budget_from: Option<BudgetFrom>,
    pub namespace: String,
    /// How long each room took, for `--timings`.
    pub timings: Timings,
}

/// A document that was written, with its place and its run.
pub struct BuiltDocument {
    pub document: CompiledDocument,
    pub path: Option<PathBuf>,
    /// The number of the manifest it left.
    pub run: Option<u64>,
}

/// Compiles without writing.
pub fn plan(door: &Door, request: &DocumentRequest) -> Result<CompiledDocument, OpError> {
    compile_document(door, &door.open(request)?)
}

/// A document that is only looked at, beside the one of the last run.
pub struct Preview {
    pub document: CompiledDocument,
    /// `None`: there was no run yet.
    pub last: Option<runs::SinceLast>,
}

/// Compiles without writing, and compares with the last run.
pub fn preview(door: &Door, request: &DocumentRequest) -> Result<Preview, OpError> {
    let opened = door.open(request)?;
    let document = compile_document(door, &opened)?;
    let last = runs::since_last(door, &opened, request, &document);
    Ok(Preview { document, last })
}

/// Compiles what is to be written or sent. Fails when the request is strict and something was lost.
pub(super) fn compile_strict(door: &Door, request: &DocumentRequest) -> Result<(Opened, CompiledDocument), OpError> {
    let opened = door.open(request)?;
    let document = compile_document(door, &opened)?;
    if request.strict {
        let losses: Vec<Note> = document.compiled.notes.iter().filter(|note| note.topic.is_loss()).cloned().collect();
        if !losses.is_empty() {
            return Err(OpError::Unreadable { notes: losses });
        }
    }
    Ok((opened, document))
}

/// Compiles and writes. Nothing is written when the request is strict and something was lost.
pub fn build(door: &Door, request: &DocumentRequest, target: &Target) -> Result<BuiltDocument, OpError> {
    let target_file = match target {
        Target::File(file) => Some(file.clone()),
        Target::Numbered | Target::Caller => None,
    };
    let request = &DocumentRequest { target: target_file, ..request.clone() };
    build_with(door, request, |opened, output| write(door, opened, request, target, output))
}

/// The same into something that is open already, such as standard output. What became of the writing stands beside the rest.
pub fn build_into(
    door: &Door,
    request: &DocumentRequest,
    out: &mut (dyn Write + Send),
) -> Result<(BuiltDocument, io::Result<()>), OpError> {
    let request = &DocumentRequest { target: None, ..request.clone() };
    let mut done = Ok(());
    let written = build_with(door, request, |_, output| {
        done = output.write_to(out);
        Ok((None, Vec::new()))
    })?;
    Ok((written, done))
}

/// Compiles, writes the output with `write`, and records the run.
fn build_with(
    door: &Door,
    request: &DocumentRequest,
    write: impl FnOnce(&Opened, &Output) -> Result<(Option<PathBuf>, Vec<Note>), OpError>,
) -> Result<BuiltDocument, OpError> {
    let (opened, mut document) = compile_strict(door, request)?;
    let started = Instant::now();
    // Hashing takes as long as writing, so both go on at once.
    let (written, hashes) = std::thread::scope(|scope| {
        let (output, items) = (&document.compiled.output, &document.snapshot.items);
        let hashes = (!request.no_manifest).then(|| scope.spawn(|| OutputHashes::of(output, items)));
        (write(&opened, output), hashes.and_then(|hashes| hashes.join().ok()))
    });
    let (path, notes) = written?;
    document.compiled.notes.extend(notes);
    document.timings.push(("write", started.elapsed()));
    let Some(hashes) = hashes else { return Ok(BuiltDocument { document, path, run: None }) };

    let started = Instant::now();
    let file = path.as_ref().map(|path| door.env.cwd.join(path));
    let draft = RunDraft::of_document(door, &opened, request, &document, Some(hashes));
    let draft = RunDraft { path: file.as_deref(), ..draft };
    let bytes = opened.options.format.api().map(|_| document.compiled.output.text());
    let mut notes = Vec::new();
    let run = record_run(door, (&opened.roots, &opened.config), draft, bytes.as_deref().map(str::as_bytes), &mut notes);
    document.compiled.notes.extend(notes);
    document.timings.push(("record", started.elapsed()));
    Ok(BuiltDocument { document, path, run })
}

fn write(
    door: &Door,
    opened: &Opened,
    request: &DocumentRequest,
    target: &Target,
    output: &Output,
) -> Result<(Option<PathBuf>, Vec<Note>), OpError> {
    match target {
        Target::Caller => Ok((None, Vec::new())),
        Target::File(file) => {
            let path = door.env.cwd.join(file);
            outputs::write_atomic(&path, |out| output.write_to(out))?;
            Ok((Some(file.clone()), Vec::new()))
        }
        Target::Numbered => {
            let dir = opened.output_dir()?;
            let published =
                outputs::publish(&dir, &opened.namespace, extension(request.format()), |out| output.write_to(out))?;
            if let Some(keep) = opened.config.output.keep {
                outputs::prune(&dir, &opened.namespace, outputs::Keep::Newest(keep), door.env.now)?;
            }
            Ok((Some(published.path), published.notes))
        }
    }
}

fn extension(format: Option<Format>) -> &'static str {
    match format.unwrap_or(Format::Markdown) {
        Format::Messages | Format::Request(_) => "json",
        format @ (Format::Markdown | Format::Xml | Format::Json | Format::Text) => format.as_str(),
    }
}

pub(super) fn compile_document(door: &Door, opened: &Opened) -> Result<CompiledDocument, OpError> {
    let mut driver = Driver::for_document(door, opened);
    let mut snapshot = gather_items(door, opened, driver.memory.cache())?;
    snapshot.notes.extend(driver.memory.note.clone());
    driver.end("gather");
    let snapshot = driver.screen_files(snapshot, opened)?;
    let compiled = driver.compile(&snapshot, &opened.options)?;
    Ok(CompiledDocument {
        compiled,
        exact: is_exact(opened, &snapshot),
        snapshot,
        tokenizer: opened.tokenizer.as_str(),
        budget: opened.options.budget,
        budget_from: opened.budget_from.clone(),
        namespace: opened.namespace.clone(),
        timings: driver.timings,
    })
}

/// Whether what was measured is a count. What a picture takes is a fixed figure.
pub(super) fn is_exact(opened: &Opened, snapshot: &Snapshot) -> bool {
    let is_picture = |item: &Item| matches!(item.body, Body::Image { data: Some(_), .. });
    let is_reckoned = shows_pictures(opened.options.format) && snapshot.items.iter().any(is_picture);
    opened.tokenizer.exact() && !is_reckoned
}

/// The snapshot; where something is to be ranked also its past, which is looked up while files are read.
pub(super) fn gather_items(door: &Door, opened: &Opened, cache: Option<&Cache>) -> Result<Snapshot, OpError> {
    std::thread::scope(|scope| {
        let ranked = opened.options.budget.is_some() || opened.ask.around;
        let past = ranked.then(|| scope.spawn(|| history(&opened.roots, cache)));
        let mut snapshot = opened.read(door, &opened.ask)?;
        let past = past.and_then(|past| past.join().ok());
        let changed = std::mem::take(&mut snapshot.past.changed);
        snapshot.past = past.map(|past| past.past(&snapshot.items)).unwrap_or_default();
        snapshot.past.changed = changed;
        let notes = summary_store::attach_summaries(door, opened, &mut snapshot.items);
        snapshot.notes.extend(notes);
        snapshot.notes.extend(opened.notes.iter().cloned());
        snapshot.notes.extend(why::config_above(opened));
        snapshot.notes.extend(Door::cache_note(&opened.config));
        Ok(snapshot)
    })
}
