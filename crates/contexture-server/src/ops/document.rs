//! Plan, build, show: the same compilation, written or only looked at.

use super::hasty::Hasty;
use super::open::{Door, Opened, Request, Target, near, shows_pictures};
use super::runs::{self, Print};
use super::{BudgetFrom, OpError, why, written};
use contexture_core::render::printable;
use contexture_core::safety::{Report, Screened, screen};
use contexture_core::shape::kind::fence_word;
use contexture_core::shape::lines;
use contexture_core::{
    Body, Compiled, ContentHash, Counter, Forgetful, Format, History, Item, Level, Memo, Meter, Note, Output, Snapshot,
    Tokenizer, Tokens, Tools, Topic, compile,
};
use contexture_gather::cache::Cache;
use contexture_gather::config::Config;
use contexture_gather::workers::Workers;
use contexture_gather::{CleanTexts, Code, Place, Roots, history, outputs, snapshot};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

/// A compiled document with everything known about it.
pub struct Made {
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

/// How long each room took.
pub type Timings = Vec<(&'static str, Duration)>;

pub struct Written {
    pub made: Made,
    pub path: Option<PathBuf>,
    /// The number of the manifest it left.
    pub run: Option<u64>,
}

/// Compiles without writing.
pub fn plan(door: &Door, request: &Request) -> Result<Made, OpError> {
    make(door, &door.open(request)?)
}

/// A document that is only looked at, beside the one of the last run.
pub struct Preview {
    pub made: Made,
    /// `None`: there was no run yet.
    pub last: Option<runs::SinceLast>,
}

pub fn preview(door: &Door, request: &Request) -> Result<Preview, OpError> {
    let opened = door.open(request)?;
    let made = make(door, &opened)?;
    let last = runs::since_last(door, &opened, request, &made);
    Ok(Preview { made, last })
}

/// Compiles what is to be written or sent. Fails when the request is strict and something was lost.
pub(super) fn prepared(door: &Door, request: &Request) -> Result<(Opened, Made), OpError> {
    let opened = door.open(request)?;
    let made = make(door, &opened)?;
    if request.strict {
        let losses: Vec<Note> = made.compiled.notes.iter().filter(|note| note.topic.is_loss()).cloned().collect();
        if !losses.is_empty() {
            return Err(OpError::Unreadable { notes: losses });
        }
    }
    Ok((opened, made))
}

/// Compiles and writes. Nothing is written when the request is strict and something was lost.
pub fn build(door: &Door, request: &Request, target: &Target) -> Result<Written, OpError> {
    let target_file = match target {
        Target::File(file) => Some(file.clone()),
        Target::Numbered | Target::Caller => None,
    };
    let request = &Request { target: target_file, ..request.clone() };
    build_by(door, request, |opened, output| write(door, opened, request, target, output))
}

/// The same into something that is open already, such as standard output. What became of the writing stands beside the rest.
pub fn build_into(
    door: &Door,
    request: &Request,
    out: &mut (dyn Write + Send),
) -> Result<(Written, io::Result<()>), OpError> {
    let request = &Request { target: None, ..request.clone() };
    let mut done = Ok(());
    let written = build_by(door, request, |_, output| {
        done = output.write_to(out);
        Ok((None, Vec::new()))
    })?;
    Ok((written, done))
}

/// Compiles, hands the output to whoever writes it, and leaves a manifest.
fn build_by(
    door: &Door,
    request: &Request,
    write: impl FnOnce(&Opened, &Output) -> Result<(Option<PathBuf>, Vec<Note>), OpError>,
) -> Result<Written, OpError> {
    let (opened, mut made) = prepared(door, request)?;
    let started = Instant::now();
    // Hashing takes as long as writing, so both go on at once.
    let (written, print) = std::thread::scope(|scope| {
        let (output, items) = (&made.compiled.output, &made.snapshot.items);
        let print = (!request.no_manifest).then(|| scope.spawn(|| Print::of(output, items)));
        (write(&opened, output), print.and_then(|print| print.join().ok()))
    });
    let (path, notes) = written?;
    made.compiled.notes.extend(notes);
    made.timings.push(("write", started.elapsed()));

    let started = Instant::now();
    let mut run = None;
    if let Some(print) = print {
        let file = path.as_ref().map(|path| door.env.cwd.join(path));
        match runs::record_document(door, &opened, request, &made, print, file.as_deref()) {
            Ok(number) => run = number,
            Err(note) => made.compiled.notes.push(note),
        }
        made.timings.push(("record", started.elapsed()));
    }
    Ok(Written { made, path, run })
}

fn write(
    door: &Door,
    opened: &Opened,
    request: &Request,
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
                outputs::publish(&dir, &opened.namespace, extension(request.format), |out| output.write_to(out))?;
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

pub(super) fn make(door: &Door, opened: &Opened) -> Result<Made, OpError> {
    let started = Instant::now();
    let memory = Memory::open(door, opened);
    let mut snapshot = gathered(door, opened, memory.cache())?;
    snapshot.notes.extend(memory.note.clone());
    let gathered = ("gather", started.elapsed());
    let started = Instant::now();
    let screened = screened(opened, &memory, snapshot);
    let screening = ("screen", started.elapsed());
    let (compiled, timings) = compiled(door, opened, &memory, &screened)?;
    Ok(made(opened, compiled, screened, [gathered, screening].into_iter().chain(timings).collect()))
}

/// What may leave of a snapshot, with what was found elsewhere of the same run.
pub(super) fn screened(opened: &Opened, memory: &Memory, snapshot: Snapshot) -> Screened {
    screen(snapshot, &opened.safety, &memory.clean).with(opened.found.clone())
}

/// What a snapshot compiles to, and how long that took.
pub(super) fn compiled(
    door: &Door,
    opened: &Opened,
    memory: &Memory,
    snapshot: &Screened,
) -> Result<(Compiled, Timings), OpError> {
    let mut timings = Vec::new();
    let started = Instant::now();
    let code = memory.code(door);
    let counter = Hasty { inner: &opened.tokenizer, progress: &door.progress };
    let code = Hasty { inner: &code, progress: &door.progress };
    let tools = Tools { meter: Meter::new(&counter, memory.memo()), code: &code };
    let compiled = compile(snapshot, &opened.options, &tools);
    // Nothing of this may be used, nor remembered.
    if door.progress.is_stopped() {
        return Err(OpError::Interrupted);
    }
    let mut compiled = compiled?;
    timings.push(("compile", started.elapsed()));

    if compiled.plan.picks.is_empty() {
        compiled.notes.push(Note::new(Topic::Empty, "there is nothing to show: the document is empty"));
    }
    let started = Instant::now();
    memory.save();
    timings.push(("remember", started.elapsed()));
    tracing::info!(files = snapshot.items.len(), tokens = compiled.measured.0, "compiled");
    Ok((compiled, timings))
}

fn made(opened: &Opened, compiled: Compiled, snapshot: Screened, timings: Timings) -> Made {
    Made {
        compiled,
        exact: is_exact(opened, &snapshot),
        snapshot,
        tokenizer: tokenizer_name(opened.tokenizer),
        budget: opened.options.budget,
        budget_from: opened.budget_from.clone(),
        namespace: opened.namespace.clone(),
        timings,
    }
}

/// Whether what was measured is a count. What a picture takes is a fixed figure.
pub(super) fn is_exact(opened: &Opened, snapshot: &Snapshot) -> bool {
    let is_picture = |item: &Item| matches!(item.body, Body::Image { data: Some(_), .. });
    let is_reckoned = shows_pictures(opened.options.format) && snapshot.items.iter().any(is_picture);
    opened.tokenizer.exact() && !is_reckoned
}

/// The snapshot; where something is to be ranked also its past, which is looked up while files are read.
pub(super) fn gathered(door: &Door, opened: &Opened, cache: Option<&Cache>) -> Result<Snapshot, OpError> {
    std::thread::scope(|scope| {
        let ranked = opened.options.budget.is_some() || opened.ask.around;
        let past = ranked.then(|| scope.spawn(|| history(&opened.roots, cache)));
        let mut snapshot = snapshot(&opened.roots, &opened.config, &opened.ask, &door.progress)?;
        let past = past.and_then(|past| past.join().ok());
        snapshot.past = past.map(|past| past.past(&snapshot.items)).unwrap_or_default();
        let notes = written::give(door, opened, &mut snapshot.items);
        snapshot.notes.extend(notes);
        snapshot.notes.extend(opened.notes.iter().cloned());
        snapshot.notes.extend(why::config_above(opened));
        snapshot.notes.extend(Door::cache_note(&opened.config));
        Ok(snapshot)
    })
}

/// What is remembered of earlier counts; empty when there is no cache.
pub(super) struct Memory {
    cache: Option<Cache>,
    /// Texts that were scanned before and are clean.
    pub clean: CleanTexts,
    pub note: Option<Note>,
    tokenizer: Tokenizer,
}

impl Memory {
    pub fn open(door: &Door, opened: &Opened) -> Self {
        let memory = Self::for_counts(door, &opened.roots, &opened.config, opened.tokenizer);
        // Something will have to be counted, so the vocabulary is loaded while files are still being read.
        let is_new = |cache: &Cache| cache.is_empty() || is_new_task(cache, opened);
        if memory.cache.as_ref().is_none_or(is_new) && opened.options.history != History::Only {
            let tokenizer = opened.tokenizer;
            std::thread::spawn(move || tokenizer.load());
        }
        memory
    }

    /// For texts alone: no code will be read.
    pub fn for_counts(door: &Door, roots: &Roots, config: &Config, tokenizer: Tokenizer) -> Self {
        let (cache, note) = match door.open_cache(roots, config) {
            None => (None, None),
            Some(Ok(cache)) => (Some(cache), None),
            Some(Err(note)) => (None, Some(note)),
        };
        let clean = CleanTexts::read(cache.as_ref(), roots.project().as_os_str().as_encoded_bytes());
        Self { cache, clean, note, tokenizer }
    }

    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    pub fn memo(&self) -> &dyn Memo {
        match &self.cache {
            Some(cache) => cache,
            None => &Forgetful,
        }
    }

    /// What finds out what code defines: this memory, and parsers for what it does not know.
    pub fn code(&self, door: &Door) -> Code<'_> {
        let workers = Workers::new(door.env.program.clone());
        Code { cache: self.cache.as_ref(), workers, tokenizer: self.tokenizer, is_ready: Once::new() }
    }

    pub fn save(&self) {
        if let Some(cache) = &self.cache {
            self.clean.save(cache);
            cache.save();
        }
    }
}

/// Whether a budget is filled for this task for the first time; then what is chosen was never counted. Later, few counts are
/// new even when files changed.
fn is_new_task(cache: &Cache, opened: &Opened) -> bool {
    let Some(budget) = opened.options.budget else { return false };
    let key = ContentHash::of_parts([
        b"task".as_slice(),
        tokenizer_name(opened.tokenizer).as_bytes(),
        &budget.0.to_le_bytes(),
        opened.roots.project().as_os_str().as_encoded_bytes(),
        opened.options.query.as_deref().unwrap_or_default().as_bytes(),
    ]);
    let is_new = cache.blob(&key).is_none();
    if is_new {
        cache.put_blob(key, Vec::new());
    }
    is_new
}

pub(super) fn tokenizer_name(tokenizer: Tokenizer) -> &'static str {
    Tokenizer::NAMES.iter().find(|(_, known)| *known == tokenizer).map_or("unknown", |(name, _)| name)
}

/// One file of the project, read. Its text is as it is on disk: whoever shows it lets it pass [`One::screened`] first.
pub(super) struct One {
    pub opened: Opened,
    pub item: Item,
    pub notes: Vec<Note>,
}

impl One {
    /// The file as it may leave, and what was found in it.
    pub fn screened(self, memory: &Memory) -> Result<(Self, Report), OpError> {
        let Self { opened, item, notes } = self;
        let snapshot = Snapshot { items: vec![item], notes, ..Snapshot::default() };
        let screened = screen(snapshot, &opened.safety, &memory.clean).with(opened.found.clone());
        screened.passed()?;
        let (Snapshot { mut items, notes, .. }, report) = screened.into_parts();
        let item = items.pop().ok_or_else(|| OpError::failed("there is nothing to show"))?;
        Ok((Self { opened, item, notes }, report))
    }
}

/// Reads the one file a path names; anything else is an error that says so.
pub(super) fn open_one(door: &Door, request: &Request, path: &str) -> Result<One, OpError> {
    // What a program names is not named by hand: files with keys stay out of it.
    let named = vec![path.to_owned()];
    let request = match request.caller {
        Some(_) => Request { listed: named, ..request.clone() },
        None => Request { paths: named, ..request.clone() },
    };
    let opened = door.open(&request)?;
    let one_file = || {
        OpError::usage(format!("`{path}` is not one file"))
            .hint("this takes one file; `build` takes folders and patterns")
    };
    let project = Place { root: 0, rel: PathBuf::new() };
    if opened.roots.place(&project, Path::new(path)).is_ok_and(|place| opened.roots.absolute(&place).is_dir()) {
        return Err(one_file());
    }
    let mut ask = opened.ask.clone();
    ask.files_only = true;
    let mut snapshot = snapshot(&opened.roots, &opened.config, &ask, &door.progress)?;
    let item = match (snapshot.items.pop(), snapshot.items.is_empty()) {
        (Some(item), true) => item,
        _ => {
            return Err(match snapshot.left_out.first() {
                Some(left) => OpError::failed(format!("`{}` is not shown: {}", left.path, left.why)),
                None => one_file(),
            });
        }
    };
    if let Body::Failed(failure) = &item.body {
        let error = OpError::failed(format!("{failure}: {}", printable(&item.path)));
        return Err(match near(&opened.roots, path) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        });
    }
    Ok(One { opened, item, notes: snapshot.notes })
}

/// One file's view, without a frame. The error is the one that would stand in the document.
pub fn show(door: &Door, request: &Request, path: &str) -> Result<Shown, OpError> {
    let mut one = open_one(door, request, path)?;
    one.notes.extend(written::give(door, &one.opened, std::slice::from_mut(&mut one.item)));
    let memory = Memory::open(door, &one.opened);
    let (One { opened, mut item, notes }, safety) = one.screened(&memory)?;
    if !request.mask.is_empty() {
        item.wish.mask = request.mask.clone();
    }
    let code = memory.code(door);
    let tools = Tools { meter: Meter::new(&opened.tokenizer, memory.memo()), code: &code };
    let nature = contexture_core::shape::nature(&item);
    let level = request.view.unwrap_or(if request.mask.is_empty() { Level::Full } else { Level::Masked });
    let view = contexture_core::shape::view(&item, level, &nature, &opened.options, &tools);
    let tokens = tools.meter.words(&view.text).0;
    memory.save();
    let remarks = view.remarks.iter().map(|remark| Note::new(Topic::View, remark.clone()).at(&item.path));
    let notes = notes.into_iter().chain(remarks).collect();
    // In a document the path stands in the heading; here it must stand in the text.
    let text = match view.level {
        Level::Name => format!("{} {}\n", printable(&item.path), &*view.text).into(),
        _ => view.text,
    };
    Ok(Shown {
        level: view.level,
        text,
        tokens,
        fell_back: view.fell_back,
        error: view.error,
        path: item.path,
        notes,
        safety,
    })
}

/// One file in every view it has, read once.
pub struct Views {
    pub path: String,
    /// The word behind a fence.
    pub language: String,
    pub lines: u64,
    pub views: Vec<Shown>,
    pub notes: Vec<Note>,
}

/// The views that a file has by itself. `custom` needs slices and `masked` a mask; what the request has of them is used.
const VIEWS: [Level; 8] = [
    Level::Full,
    Level::Skeleton,
    Level::Outline,
    Level::Summary,
    Level::Masked,
    Level::Custom,
    Level::Diff,
    Level::Name,
];

pub fn views(door: &Door, request: &Request, path: &str) -> Result<Views, OpError> {
    // Its slices and mask stand in the composition; a diff needs another text beside the file's.
    let mut one = open_one(door, &Request { view: Some(Level::Diff), ..request.clone() }, path)?;
    let as_summary = door.open(&Request { view: Some(Level::Summary), ..request.clone() })?;
    one.notes.extend(written::give(door, &as_summary, std::slice::from_mut(&mut one.item)));
    one.opened.options.view = None;
    let memory = Memory::open(door, &one.opened);
    let (One { opened, mut item, notes }, safety) = one.screened(&memory)?;
    if !request.mask.is_empty() {
        item.wish.mask = request.mask.clone();
    }
    let code = memory.code(door);
    let tools = Tools { meter: Meter::new(&opened.tokenizer, memory.memo()), code: &code };
    let nature = contexture_core::shape::nature(&item);
    let one = |level: Level| {
        let view = contexture_core::shape::view(&item, level, &nature, &opened.options, &tools);
        let tokens = tools.meter.words(&view.text).0;
        Shown {
            path: item.path.clone(),
            level,
            tokens,
            text: view.text,
            fell_back: view.fell_back,
            error: view.error,
            notes: Vec::new(),
            safety: safety.clone(),
        }
    };
    let views: Vec<Shown> = VIEWS.into_iter().map(one).collect();
    memory.save();
    let (language, lines) = match &item.body {
        Body::Text { text, .. } => (fence_word(&item.path, text).to_owned(), lines(text).count() as u64),
        _ => (String::new(), 0),
    };
    Ok(Views { path: item.path.clone(), language, lines, views, notes })
}

pub struct Shown {
    pub path: String,
    pub level: Level,
    pub text: contexture_core::Text,
    /// Of the text, without the frame it has in a document.
    pub tokens: u64,
    pub fell_back: Option<String>,
    pub error: Option<String>,
    pub notes: Vec<Note>,
    pub safety: Report,
}
