//! Anchored slices: make one, find it again, bring the stored ones up to date.

use super::file_view;
use super::open::Door;
use super::{OpError, preset};
use crate::requests::{DocumentRequest, SliceRequest, SlicesRequest, StoredSlice};
use contexture_core::anchor::{self, Outcome, Resolved};
use contexture_core::safety::{Report, Safety, TextKind};
use contexture_core::{Body, Item, Note, Slice, Text, Topic};
use contexture_gather::config::edit::{self, NewSlice};
use contexture_gather::config::{self, EntrySlice, Origin, PathEntry, Scope};
use contexture_gather::{GatherRequest, RootedPath, is_glob, names};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A slice of a file that was marked.
pub struct CreatedSlice {
    pub path: String,
    pub slice: EntrySlice,
    pub notes: Vec<Note>,
}

/// Marks lines of a file. Writes nothing.
pub fn slice_make(door: &Door, request: &SliceRequest) -> Result<CreatedSlice, OpError> {
    let SliceRequest { path, start_line, end_line, tag, comment } = request;
    let one = file_view::open_file(door, &DocumentRequest::default(), path)?;
    let safety = one.opened.safety.clone();
    let (path, text, notes) = text_in(one, path)?;
    let slice = anchor::make(&text, *start_line, *end_line, tag.as_deref(), comment.as_deref())
        .map_err(|cause| OpError::usage(cause.to_string()))?;
    let slice = without_secrets(slice, &path, &text, &safety);
    Ok(CreatedSlice { path, slice: slice.into(), notes })
}

/// Slices of a file, with the lines where each is now.
pub struct ResolvedSlices {
    pub path: String,
    /// In the order they were given.
    pub found: Vec<(Slice, Resolved)>,
    pub notes: Vec<Note>,
}

/// Where slices are in a file now.
pub fn slice_resolve(door: &Door, request: SlicesRequest) -> Result<ResolvedSlices, OpError> {
    let one = file_view::open_file(door, &DocumentRequest::default(), &request.path)?;
    let (path, text, notes) = text_in(one, &request.path)?;
    let resolved = |StoredSlice(stored): StoredSlice| {
        let now = anchor::resolve(&stored.slice, &text);
        (stored.slice, now)
    };
    Ok(ResolvedSlices { path, found: request.slices.into_iter().map(resolved).collect(), notes })
}

/// The lines around a slice are kept as text, so they are masked; what it is found by is of the file as it is.
fn without_secrets(slice: Slice, path: &str, text: &str, safety: &Safety) -> Slice {
    let kind = TextKind::of_file(path, text);
    let Some(masked) = safety.text(path, text, kind, &mut Report::new(safety)) else { return slice };
    match anchor::make(&masked, slice.start_line, slice.end_line, None, None) {
        Ok(made) => Slice { anchor_lines: made.anchor_lines, ..slice },
        Err(_) => Slice { anchor_lines: Vec::new(), ..slice },
    }
}

fn text_in(one: file_view::SourceFile, path: &str) -> Result<(String, Text, Vec<Note>), OpError> {
    match one.item.body {
        Body::Text { text, .. } => Ok((one.item.path, text, one.notes)),
        _ => Err(OpError::failed(format!("`{path}` is no text with lines"))),
    }
}

/// A stored slice, and where it is now.
pub struct SliceState {
    pub path: String,
    pub old: Slice,
    pub now: Resolved,
    /// Whether it was stored anew; a slice that says the same already, or cannot be found, is left as it is.
    pub stored: bool,
}

/// All slices of a composition after a refresh.
pub struct SlicesRefreshed {
    /// The file of the composition, whether or not it was written.
    pub file: PathBuf,
    pub slices: Vec<SliceState>,
    pub notes: Vec<Note>,
}

/// Stores the slices of the composition as they are now: their lines, their hashes, their surroundings. With `paths`, only
/// those of these files. What is lost or ambiguous is told and not touched.
pub fn slice_refresh(door: &Door, paths: &[String]) -> Result<SlicesRefreshed, OpError> {
    let opened = door.open(&DocumentRequest::default())?;
    let file = preset::file_of(&opened.config, Scope::Project)?;
    let entries = opened.config.files.paths.clone().unwrap_or_default();
    let marked = || entries.iter().enumerate().filter(|(_, entry)| !entry.custom_slices.is_empty());
    if marked().next().is_none() {
        return Err(OpError::usage("the composition has no slices")
            .hint("`contexture slice make PATH 10-20` prints one to put into `custom_slices` of an entry"));
    }
    if !matches!(opened.config.origin("files.paths"), Origin::Project { .. }) {
        return Err(OpError::usage("the composition is not set in the project's own file")
            .hint("`contexture config --origins` says where"));
    }
    let project = RootedPath { root: 0, rel: PathBuf::new() };
    let base = opened.roots.locate(&project, Path::new(&opened.config.files.base_dir)).unwrap_or(project.clone());
    let shown = |base: &RootedPath, path: &str| {
        opened
            .roots
            .locate(base, &names::original_path(path))
            .map_or_else(|_| path.to_owned(), |place| opened.roots.display_path(&place))
    };
    let wanted: Vec<String> = paths.iter().map(|path| shown(&project, path)).collect();

    // Whatever an entry says of its view, its text is needed here.
    let readable = |(_, entry): (usize, &PathEntry)| PathEntry {
        custom_slices: entry.custom_slices.clone(),
        ..PathEntry::new(entry.path.clone())
    };
    let composition = Some(marked().map(readable).collect());
    let snapshot = opened.read(door, &GatherRequest { composition, files_only: true, ..opened.ask.clone() })?;
    let text_of = |item: &Item| match &item.body {
        Body::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    let texts: BTreeMap<&str, Text> =
        snapshot.items.iter().filter_map(|item| Some((item.path.as_str(), text_of(item)?))).collect();

    let mut slices = Vec::new();
    let mut new = Vec::new();
    let mut notes = snapshot.notes.clone();
    for (entry_index, entry) in marked() {
        let path = shown(&base, &entry.path);
        if !wanted.is_empty() && !wanted.contains(&path) {
            continue;
        }
        if is_glob(&entry.path) && !texts.contains_key(path.as_str()) {
            let text = "slices of a pattern are not refreshed: they may stand in several files";
            notes.push(Note::new(Topic::Setting, text).at(&entry.path).hint("give the file an entry of its own"));
            continue;
        }
        // A file that was renamed stands under its new name, with the slices of the old one.
        let own: Vec<&Slice> = entry.custom_slices.iter().map(|stored| &stored.slice).collect();
        let renamed = || snapshot.items.iter().find(|item| item.wish.slices.iter().eq(own.iter().copied()));
        let text = texts.get(path.as_str()).cloned().or_else(|| renamed().and_then(text_of));
        for (place, stored) in entry.custom_slices.iter().enumerate() {
            let old = stored.slice.clone();
            let (now, slice) = match &text {
                Some(text) => {
                    let (now, slice) = refreshed(&old, text);
                    (now, slice.map(|slice| without_secrets(slice, &path, text, &opened.safety)))
                }
                None => {
                    let why = "its file cannot be read".into();
                    (Resolved { outcome: Outcome::Lost, lines: None, confidence: 0.0, why }, None)
                }
            };
            let slice = slice.filter(|slice| *slice != old);
            let stored = slice.is_some();
            new.extend(slice.map(|slice| NewSlice { entry: entry_index, place, old: old.clone(), slice }));
            slices.push(SliceState { path: path.clone(), old, now, stored });
        }
    }
    if let Some(path) = wanted.iter().find(|path| !slices.iter().any(|state| state.path == **path)) {
        return Err(OpError::usage(format!("the composition has no slices of `{path}`")));
    }
    if !new.is_empty() {
        config::edit_file(&file, |text| edit::store_slices(text, &new))?;
    }
    Ok(SlicesRefreshed { file, slices, notes })
}

/// Where a slice is, and the slice as it would be made there today.
fn refreshed(old: &Slice, text: &str) -> (Resolved, Option<Slice>) {
    let now = anchor::resolve(old, text);
    let made = now
        .lines
        .and_then(|(start, end)| anchor::make(text, start, end, old.tag.as_deref(), old.comment.as_deref()).ok());
    (now, made)
}
