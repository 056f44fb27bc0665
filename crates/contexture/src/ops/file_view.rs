//! One file by itself: read, masked, and shown in one view or in all of them, or as what it defines. And the files of a project by their
//! paths.

use super::driver::Memory;
use super::open::{Door, Opened, near};
use super::{OpError, summary_store};
use crate::requests::DocumentRequest;
use contexture_core::kind::fence_word;
use contexture_core::render::{grouped, printable};
use contexture_core::safety::Report;
use contexture_core::shape::{self, lines};
use contexture_core::{Body, CodeReader, Item, Level, Note, Snapshot, Text, Topic, View};
use contexture_gather::{GatherRequest, RootedPath, listing, literal_paths};
use contexture_syntax::Symbol;
use std::path::{Path, PathBuf};

/// One file in one view, without the frame it has in a document.
pub struct FileView {
    pub path: String,
    pub level: Level,
    pub text: Text,
    /// Of the text alone.
    pub tokens: u64,
    pub fell_back: Option<String>,
    pub error: Option<String>,
    pub notes: Vec<Note>,
    pub safety: Report,
}

/// One file in every view it has, read once.
pub struct FileViews {
    pub path: String,
    /// The word after the fence of a code block.
    pub language: String,
    pub lines: u64,
    pub views: Vec<FileView>,
    pub notes: Vec<Note>,
}

/// Shows one file in the view that the request names. An error is the one that would be in the document.
pub fn show(door: &Door, request: &DocumentRequest, path: &str) -> Result<FileView, OpError> {
    let mut file = open_file(door, request, path)?;
    file.notes.extend(summary_store::attach_summaries(door, &file.opened, std::slice::from_mut(&mut file.item)));
    let level = request.view().unwrap_or(if request.mask.is_empty() { Level::Full } else { Level::Masked });
    let ShownFile { item, mut notes, safety, mut views } = show_file(door, request, file, &[level])?;
    let (view, tokens) = views.pop().ok_or_else(|| OpError::failed("there is nothing to show"))?;
    notes.extend(view.remarks.iter().map(|remark| Note::new(Topic::View, remark.clone()).at(&item.path)));
    let level = view.level;
    let mut shown = file_view(&item, level, view, tokens, safety);
    // In a document the path is in the heading; here it must be in the text.
    if level == Level::Name {
        shown.text = format!("{} {}\n", printable(&item.path), &*shown.text).into();
    }
    Ok(FileView { notes, ..shown })
}

/// The views that a file has by itself. `custom` needs slices and `masked` a mask; those of the request are used.
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

/// Shows one file in all views.
pub fn views(door: &Door, request: &DocumentRequest, path: &str) -> Result<FileViews, OpError> {
    // Its slices and mask are in the composition; a diff needs another text beside the file's.
    let mut file = open_file(door, &DocumentRequest { view: Some(Level::Diff.into()), ..request.clone() }, path)?;
    let as_summary = door.open(&DocumentRequest { view: Some(Level::Summary.into()), ..request.clone() })?;
    file.notes.extend(summary_store::attach_summaries(door, &as_summary, std::slice::from_mut(&mut file.item)));
    file.opened.options.view = None;
    let ShownFile { item, notes, safety, views } = show_file(door, request, file, &VIEWS)?;
    let of_level =
        |(level, (view, tokens)): (Level, (View, u64))| file_view(&item, level, view, tokens, safety.clone());
    let views = VIEWS.into_iter().zip(views).map(of_level).collect();
    let (language, lines) = match &item.body {
        Body::Text { text, .. } => (fence_word(&item.path, text).to_owned(), lines(text).count() as u64),
        _ => (String::new(), 0),
    };
    Ok(FileViews { path: item.path, language, lines, views, notes })
}

fn file_view(item: &Item, level: Level, view: View, tokens: u64, safety: Report) -> FileView {
    let View { text, fell_back, error, .. } = view;
    FileView { path: item.path.clone(), level, text, tokens, fell_back, error, notes: Vec::new(), safety }
}

/// A file that passed the gate, with its views and their tokens in the order they were asked for.
struct ShownFile {
    item: Item,
    notes: Vec<Note>,
    safety: Report,
    views: Vec<(View, u64)>,
}

fn show_file(door: &Door, request: &DocumentRequest, file: SourceFile, levels: &[Level]) -> Result<ShownFile, OpError> {
    let memory = Memory::open(door, &file.opened);
    let (SourceFile { opened, mut item, notes }, safety) = file.screened(&memory)?;
    if !request.mask.is_empty() {
        item.wish.mask = request.mask();
    }
    let nature = shape::nature(&item);
    let views = memory.with_tools(door, |tools| {
        let view = |level: &Level| {
            let view = shape::view(&item, *level, &nature, &opened.options, tools);
            let tokens = tools.meter.words(&view.text).0;
            (view, tokens)
        };
        levels.iter().map(view).collect()
    })?;
    memory.save();
    Ok(ShownFile { item, notes, safety, views })
}

/// One file of the project, read. Its text is as it is on disk: it must pass [`SourceFile::screened`] before it is shown.
pub(super) struct SourceFile {
    pub opened: Opened,
    pub item: Item,
    pub notes: Vec<Note>,
}

impl SourceFile {
    /// The file with its secrets masked, and what was found in it.
    pub fn screened(self, memory: &Memory) -> Result<(Self, Report), OpError> {
        let Self { opened, item, notes } = self;
        let snapshot = Snapshot { items: vec![item], notes, ..Snapshot::default() };
        let screened = opened.screen(snapshot, memory);
        screened.passed()?;
        let (Snapshot { mut items, notes, .. }, report) = screened.into_parts();
        let item = items.pop().ok_or_else(|| OpError::failed("there is nothing to show"))?;
        Ok((Self { opened, item, notes }, report))
    }
}

/// Reads the one file a path names; anything else is an error that says so.
pub(super) fn open_file(door: &Door, request: &DocumentRequest, path: &str) -> Result<SourceFile, OpError> {
    // Paths named by a program do not count as explicitly listed: files with keys stay out.
    let named = vec![path.to_owned()];
    let request = match request.caller {
        Some(_) => DocumentRequest { listed: named, paths: Vec::new(), ..request.clone() },
        None => DocumentRequest { paths: named, listed: Vec::new(), ..request.clone() },
    };
    let opened = door.open(&request)?;
    let one_file = || {
        OpError::usage(format!("`{path}` is not one file"))
            .hint("this takes one file; `build` takes folders and patterns")
    };
    let project = RootedPath { root: 0, rel: PathBuf::new() };
    if opened.roots.locate(&project, Path::new(path)).is_ok_and(|place| opened.roots.absolute(&place).is_dir()) {
        return Err(one_file());
    }
    // Whatever else the request brings into a document, such as passages for its task, is not this file.
    let ask = GatherRequest { files_only: true, around: false, history_only: false, ..opened.ask.clone() };
    let mut snapshot = opened.read(door, &ask)?;
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
        let near = near(&opened.roots, path).map(|near| format!("did you mean `{near}`?"));
        return Err(OpError::failed(format!("{failure}: {}", printable(&item.path))).with_hints(near));
    }
    Ok(SourceFile { opened, item, notes: snapshot.notes })
}

/// What one file defines.
pub struct FileSymbols {
    pub path: String,
    pub language: &'static str,
    /// In the order of the file.
    pub symbols: Vec<Symbol>,
    pub notes: Vec<Note>,
}

/// Parses one file and lists what it defines.
pub fn symbols(door: &Door, path: &str) -> Result<FileSymbols, OpError> {
    let one = open_file(door, &DocumentRequest::default(), path)?;
    let memory = Memory::open(door, &one.opened);
    let (one, _) = one.screened(&memory)?;
    let text = match &one.item.body {
        Body::Text { text, .. } => text,
        Body::Huge { .. } => {
            let bytes = grouped(one.item.size);
            return Err(OpError::failed(format!("`{path}`: {bytes} bytes is too large to be parsed")));
        }
        _ => return Err(OpError::failed(format!("`{path}` is no text that could be parsed"))),
    };
    let Some(language) = shape::language_of(&one.item, text) else {
        let known: Vec<&str> = contexture_syntax::LANGUAGES.iter().map(|language| language.name).collect();
        return Err(OpError::failed(format!("`{path}` is in no language whose symbols are known"))
            .hint(format!("there are: {}", known.join(", "))));
    };
    let structure = memory
        .code(door)
        .structure(language, text, one.item.hash.as_ref())
        .map_err(|cause| OpError::failed(format!("`{path}`: {cause}")))?;
    memory.save();
    let symbols = contexture_syntax::symbols(language, &structure, text);
    Ok(FileSymbols { path: one.item.path.clone(), language: language.name, symbols, notes: one.notes })
}

/// The paths of all files, sorted; none is read. The composition, or the whole tree where there is none, as `build` would take it.
pub fn files(door: &Door, request: &DocumentRequest) -> Result<Vec<String>, OpError> {
    let opened = door.open(request)?;
    Ok(listing(&opened.roots, &opened.config, &opened.ask)?)
}

/// What a request names literally, absolute: it is shown whatever ignore files say.
pub fn named_files(door: &Door, request: &DocumentRequest) -> Result<Vec<PathBuf>, OpError> {
    let opened = door.open(request)?;
    Ok(literal_paths(&opened.roots, &opened.config, &opened.ask))
}
