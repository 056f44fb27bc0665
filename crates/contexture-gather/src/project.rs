//! Opens a project: everything a run will know about the outside, as one [`Snapshot`].
//!
//! Takes the roots, the settings and what was asked for; gives items, what was passed over, and notes. After this no room
//! touches the disk. One bad file is an item with its error, never the end of the run.

use crate::config::{Config, ExecutionMode, HistoryEntry, PathEntry, parse_history};
use crate::eligibility::{BadPattern, Eligibility};
use crate::git::GitError;
use crate::literal_paths::BEADS;
use crate::progress::Progress;
use crate::read::{self, FILE_CAP, FileRead, Identity};
use crate::request::{GatherRequest, is_own_output, output_dir};
use crate::roots::{RootedPath, Roots};
use crate::screenshots::{Pictures, screenshots};
use crate::select::{ChosenFile, SelectOptions, Selection, check_glob, is_hidden, select};
use crate::{changes, focus, names, renamed_files};
use contexture_core::{
    Body, Failure, Item, ItemId, ItemKind, LeftOut, Level, Note, SelectedBy, Snapshot, Topic, Why, Wish,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// Text above this is not taken into one run. Five hundred mebibytes are beyond any model; memory is not.
const RUN_CAP: u64 = 500 * 1024 * 1024;

/// What stops a run before there is anything to show.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    #[error("`--diff`: {0}")]
    Revision(#[from] GitError),
    #[error("`{key}` leads outside the roots: `{path}`")]
    BaseDir { key: &'static str, path: String },
    /// Somebody wished to stop, see [`Progress::stop`].
    #[error("interrupted")]
    Stopped,
}

/// Reads what was asked for, once, and gives it in one order. Only wrong patterns and revisions, folders outside the roots and
/// the wish to stop are errors: whatever is wrong with a file is said in its item or in a note.
pub fn snapshot(
    roots: &Roots,
    config: &Config,
    request: &GatherRequest,
    progress: &Progress,
) -> Result<Snapshot, GatherError> {
    let mut snapshot = Snapshot { notes: config.notes.clone(), ..Snapshot::default() };
    if !request.history_only {
        files(roots, config, request, progress, &mut snapshot)?;
        if !request.files_only {
            pictures(roots, config, request, &mut snapshot)?;
            changes::sections(roots, config, request, &mut snapshot)?;
            beads(roots, config, &mut snapshot);
        }
    }
    if !request.files_only {
        discussion(roots, config, &mut snapshot);
    }
    snapshot.items.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    Ok(snapshot)
}

fn base(roots: &Roots, key: &'static str, dir: &str) -> Result<RootedPath, GatherError> {
    let project = RootedPath { root: 0, rel: PathBuf::new() };
    roots.locate(&project, Path::new(dir)).map_err(|_| GatherError::BaseDir { key, path: dir.to_owned() })
}

fn files(
    roots: &Roots,
    config: &Config,
    request: &GatherRequest,
    progress: &Progress,
    snapshot: &mut Snapshot,
) -> Result<(), GatherError> {
    let output_dir = output_dir(roots, config);
    let (include, exclude) = request.patterns(config);
    let Selection { files, around, left_out, notes, paths, .. } = select_files(roots, config, request)?;
    tracing::debug!(files = files.len(), "selected");
    snapshot.left_out.extend(left_out);
    snapshot.notes.extend(notes);
    snapshot.paths = paths;
    let (files, same) = once_each(roots, files, &snapshot.left_out);
    snapshot.left_out.extend(same);
    tracing::debug!(files = files.len(), "told apart");
    progress.total.store((files.len() + around.len()) as u64, Relaxed);
    let read = |files: Vec<Due>| -> Result<Vec<(Item, Vec<Note>)>, GatherError> {
        files
            .into_par_iter()
            .map(|(place, chosen, unread)| {
                if progress.is_stopped() {
                    return Err(GatherError::Stopped);
                }
                let item = item(roots, place, chosen, unread, request);
                progress.read.fetch_add(1, Relaxed);
                Ok(item)
            })
            .collect()
    };
    let around = outside(roots, around, &files, &snapshot.left_out);
    for (item, notes) in read(files)? {
        snapshot.items.push(item);
        snapshot.notes.extend(notes);
    }
    // Nobody asked for these: what is wrong with one of them is not worth a remark.
    let retrieved = |item| Item { kind: ItemKind::Retrieved, wish: Wish::default(), ..item };
    snapshot.items.extend(read(around)?.into_iter().map(|(item, _)| retrieved(item)));
    tracing::debug!("read");
    let own_output = |rel: &Path| is_own_output(roots, rel, &output_dir, request);
    let eligibility = Eligibility::new(&include, &exclude, Path::new(""), &own_output)?;
    renamed_files::follow(roots, &eligibility, request.threads, &output_dir, snapshot);
    focus::focus(roots, &request.focus, &mut snapshot.items, &mut snapshot.notes)?;
    changes::bases(roots, request, snapshot);
    Ok(())
}

/// Whether settings can be followed: folders inside the roots, patterns that are some. Nothing is listed.
pub fn followable(roots: &Roots, config: &Config, request: &GatherRequest) -> Result<(), GatherError> {
    let files = base(roots, "files.base_dir", &config.files.base_dir)?;
    let pictures = base(roots, "screenshots.base_dir", &config.screenshots.base_dir)?;
    let (include, exclude) = request.patterns(config);
    Eligibility::new(&include, &exclude, Path::new(""), &|_| false)?;
    let entries = config.files.paths.iter().flatten().map(|entry| (&files, &entry.path));
    let shots = config.screenshots.paths.iter().map(|path| (&pictures, path));
    for (base, path) in entries.chain(shots) {
        check_glob(roots, path, base)?;
    }
    Ok(())
}

/// The files that are meant, by their paths; none is opened.
pub fn listing(roots: &Roots, config: &Config, request: &GatherRequest) -> Result<Vec<String>, GatherError> {
    let files = select_files(roots, config, request)?.files;
    let mut paths: Vec<String> = files
        .iter()
        .filter(|(_, chosen)| chosen.failure.is_none())
        .map(|(place, _)| roots.display_path(place))
        .collect();
    paths.sort_unstable();
    Ok(paths)
}

fn select_files(roots: &Roots, config: &Config, request: &GatherRequest) -> Result<Selection, GatherError> {
    let output_dir = output_dir(roots, config);
    let entries = |paths: &[String]| paths.iter().map(PathEntry::new).collect::<Vec<PathEntry>>();
    let (named, listed) = (entries(&request.named), entries(&request.listed));
    let (include, exclude) = request.patterns(config);
    let base = if request.named.is_empty() && request.listed.is_empty() {
        base(roots, "files.base_dir", &config.files.base_dir)?
    } else {
        RootedPath { root: 0, rel: PathBuf::new() }
    };
    Ok(select(
        roots,
        &SelectOptions {
            named: &named,
            listed: &listed,
            composition: request.composition.as_deref().or(config.files.paths.as_deref()),
            base,
            include: &include,
            exclude: &exclude,
            threads: request.threads,
            output_dir: Some(&output_dir),
            own_output: &|rel| is_own_output(roots, rel, &output_dir, request),
            full_tree: request.full_tree,
            around: request.around,
        },
    )?)
}

/// Files outside the composition. One that is in it under another name is not outside.
fn outside(roots: &Roots, around: BTreeMap<RootedPath, ChosenFile>, inside: &[Due], left_out: &[LeftOut]) -> Vec<Due> {
    if around.is_empty() {
        return Vec::new();
    }
    let identity = |place: &RootedPath| read::identity(&roots.absolute(place).metadata().ok()?);
    let known: HashSet<Identity> = inside.iter().filter_map(|(place, ..)| identity(place)).collect();
    let (mut files, _) = once_each(roots, around, left_out);
    files.retain(|(place, _, unread)| {
        *unread == UnreadReason::No && !identity(place).is_some_and(|identity| known.contains(&identity))
    });
    files
}

/// Why a file is not read though it is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnreadReason {
    No,
    OverRunCap,
}

type Due = (RootedPath, ChosenFile, UnreadReason);

/// Each file once, whatever names it has: the name given by hand, else the first. And no more than a run can hold.
fn once_each(roots: &Roots, files: BTreeMap<RootedPath, ChosenFile>, left_out: &[LeftOut]) -> (Vec<Due>, Vec<LeftOut>) {
    let files: Vec<(RootedPath, ChosenFile)> = files.into_iter().collect();
    let known: Vec<Option<std::fs::Metadata>> = files
        .par_iter()
        .map(|(place, chosen)| match chosen.failure {
            Some(_) => None,
            None => roots.absolute(place).metadata().ok(),
        })
        .collect();
    let mut first: HashMap<Identity, usize> = HashMap::with_capacity(files.len());
    for (index, data) in known.iter().enumerate() {
        let Some(identity) = data.as_ref().and_then(read::identity) else { continue };
        let place = first.entry(identity).or_insert(index);
        if files[*place].1.selected_by != SelectedBy::Path && files[index].1.selected_by == SelectedBy::Path {
            *place = index;
        }
    }
    // Another name of a history file is still that file.
    let project = RootedPath { root: 0, rel: PathBuf::new() };
    let history: Vec<Identity> = left_out
        .iter()
        .filter(|left| left.why == Why::HistoryFile)
        .filter_map(|left| roots.locate(&project, &names::original_path(&left.path)).ok())
        .filter_map(|place| read::identity(&roots.absolute(&place).metadata().ok()?))
        .collect();
    let mut due = Vec::with_capacity(files.len());
    let mut same = Vec::new();
    let mut total = 0u64;
    let names: Vec<RootedPath> = files.iter().map(|(place, _)| place.clone()).collect();
    for (index, ((place, chosen), data)) in files.into_iter().zip(&known).enumerate() {
        let kept = data.as_ref().and_then(read::identity).and_then(|identity| first.get(&identity)).copied();
        let still = |kept: &usize| is_still_one(&roots.absolute(&names[*kept]), &roots.absolute(&place));
        if let Some(kept) = kept.filter(|kept| *kept != index).filter(still) {
            let why = Why::SameFile(roots.display_path(&names[kept]));
            same.push(LeftOut { path: roots.display_path(&place), why });
            continue;
        }
        if data.as_ref().and_then(read::identity).is_some_and(|identity| history.contains(&identity)) {
            same.push(LeftOut { path: roots.display_path(&place), why: Why::HistoryFile });
            continue;
        }
        let size = data.as_ref().map_or(0, std::fs::Metadata::len);
        let held = if size > FILE_CAP { 0 } else { size };
        let unread = if total + held > RUN_CAP { UnreadReason::OverRunCap } else { UnreadReason::No };
        if unread == UnreadReason::No {
            total += held;
        }
        due.push((place, chosen, unread));
    }
    (due, same)
}

/// Whether two names lead to one file, asked again: a file that was replaced since the first look may have left its
/// number to another, and then two files would pass for one. The first name is asked before and after the second.
fn is_still_one(a: &Path, b: &Path) -> bool {
    let identity_of = |path: &Path| path.metadata().ok().as_ref().and_then(read::identity);
    let first = identity_of(a);
    first.is_some() && first == identity_of(b) && first == identity_of(a)
}

fn item(
    roots: &Roots,
    place: RootedPath,
    chosen: ChosenFile,
    unread: UnreadReason,
    request: &GatherRequest,
) -> (Item, Vec<Note>) {
    let path = roots.display_path(&place);
    let mut notes = Vec::new();
    let hidden = is_hidden(&chosen.wish) || (request.view == Some(Level::None) && !chosen.wish.force_full);
    let got = match chosen.failure {
        Some(failure) => FileRead::failed(failure),
        None if hidden || unread == UnreadReason::OverRunCap => {
            FileRead { body: Body::Unread, ..FileRead::failed(Failure::NotFound) }
        }
        None => read::read(roots, &place),
    };
    if let Body::Failed(failure) = &got.body {
        let note = Note::new(Topic::Unread, failure.to_string()).at(&path);
        notes.push(match failure {
            Failure::NotFound => match roots.near(&path) {
                Some(near) => note.hint(format!("did you mean `{near}`?")),
                None => note,
            },
            Failure::OutsideRoots => note.hint("add its folder with `--root DIR`"),
            Failure::PermissionDenied | Failure::NotAFile(_) | Failure::Unreadable(_) => note,
        });
    }
    if let Some(remark) = &got.remark {
        notes.push(Note::new(Topic::Encoding, remark.clone()).at(&path));
    }
    if got.unstable {
        let text = "changed while it was read, four times: what is shown may be of two versions";
        notes.push(Note::new(Topic::Unstable, text).at(&path));
    }
    let item = Item {
        selected_by: chosen.selected_by,
        hash: got.hash,
        size: got.size,
        modified: got.modified,
        wish: chosen.wish,
        ..Item::new(&*path, ItemKind::File, &path, got.body)
    };
    (item, notes)
}

fn pictures(
    roots: &Roots,
    config: &Config,
    request: &GatherRequest,
    snapshot: &mut Snapshot,
) -> Result<(), GatherError> {
    let wanted = Pictures {
        base: base(roots, "screenshots.base_dir", &config.screenshots.base_dir)?,
        paths: request.screenshots.as_deref().unwrap_or(&config.screenshots.paths),
        embed: request.embed,
        threads: request.threads,
    };
    let (items, notes) = screenshots(roots, &wanted)?;
    snapshot.items.extend(items);
    snapshot.notes.extend(notes);
    Ok(())
}

fn beads(roots: &Roots, config: &Config, snapshot: &mut Snapshot) {
    if config.project.execution_mode != ExecutionMode::Beads {
        return;
    }
    for name in BEADS {
        let read = read::read(roots, &RootedPath { root: 0, rel: name.into() });
        let Body::Text { text, .. } = &read.body else { continue };
        let exported = jiff::Timestamp::from_second(read.modified).map(|time| time.to_string()).ok();
        match contexture_core::shape::beads::beads_section(text, exported.as_deref()) {
            Some(section) => snapshot.items.push(Item::section(ItemKind::Beads, name, section)),
            None if text.trim().is_empty() => {}
            None => snapshot.notes.push(Note::new(Topic::Empty, "holds no task that can be read").at(name)),
        }
        return;
    }
    let text = "`execution_mode` is `beads`, but there is no export to read";
    snapshot.notes.push(Note::new(Topic::Empty, text).hint("run `bd export` or remove `project.execution_mode`"));
}

fn discussion(roots: &Roots, config: &Config, snapshot: &mut Snapshot) {
    let mut entries: Vec<HistoryEntry> = config.discussion.history.clone();
    if let Some(file) = &config.discussion.history_file {
        let project = RootedPath { root: 0, rel: PathBuf::new() };
        let body = match roots.locate(&project, Path::new(file)) {
            Ok(place) => read::read(roots, &place).body,
            Err(failure) => Body::Failed(failure),
        };
        let parsed = match &body {
            Body::Text { text, .. } => parse_history(text, file).map_err(|error| error.to_string()),
            Body::Failed(failure) => Err(failure.to_string()),
            _ => Err("not a text file".into()),
        };
        match parsed {
            Ok(more) => entries.extend(more),
            Err(cause) => snapshot.notes.push(Note::new(Topic::Unread, format!("history left out: {cause}")).at(file)),
        }
    }
    for (index, entry) in entries.into_iter().enumerate() {
        let path = format!("discussion/{}", index + 1);
        snapshot.items.push(Item {
            hash: Some(Item::said_hash(entry.role.as_deref(), &entry.content)),
            size: entry.content.len() as u64,
            // Padded, so that the order of ids is the order of the entries.
            id: ItemId(format!("discussion/{:010}", index + 1).into()),
            body: Body::Said { role: entry.role, content: entry.content.into() },
            ..Item::section(ItemKind::Discussion, &path, String::new())
        });
    }
}
