//! Opens a project: everything a run will know about the outside, as one [`Snapshot`].
//!
//! Takes the roots, the settings and what was asked for; gives items, what was passed over, and notes. After this no room
//! touches the disk. One bad file is an item with its error, never the end of the run.

use crate::config::{Config, Entry, ExecutionMode, HistoryEntry, parse_history};
use crate::git::GitError;
use crate::progress::Progress;
use crate::read::{self, FILE_CAP, FileRead, Identity};
use crate::roots::{Place, Roots};
use crate::screenshots::{Pictures, screenshots};
use crate::select::{Chosen, SelectOptions, Selection, check_glob, select};
use crate::sieve::{BadPattern, Sieve};
use crate::{changes, focus, names, outputs, renamed};
use contexture_core::{
    Base, Body, Failure, Item, ItemId, ItemKind, LeftOut, Level, Named, Note, Snapshot, Topic, Why, Wish,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// Text above this is not taken into one run. Five hundred mebibytes are beyond any model; memory is not.
const RUN_CAP: u64 = 500 * 1024 * 1024;

/// What a door asks gather for.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// Paths on the command line; they replace the composition.
    pub named: Vec<String>,
    /// Paths a program listed on standard input; the same, but not named by hand.
    pub listed: Vec<String>,
    /// The composition, when it is not the one of the settings.
    pub composition: Option<Vec<Entry>>,
    /// Pictures, when they are not those of the settings.
    pub screenshots: Option<Vec<String>>,
    /// Patterns as in `.gitignore`, beside those of the settings; the same for `exclude`.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// For walking; 0 for as many as seem good.
    pub threads: usize,
    /// Every path of the walk is wanted, for a tree.
    pub full_tree: bool,
    /// Changes since this revision, as a section.
    pub diff: Option<String>,
    /// This many commits, as a section.
    pub log: Option<usize>,
    /// Revision for `diff` views.
    pub base: String,
    /// `--view`, as far as it decides what must be read.
    pub view: Option<Level>,
    /// What `--focus` names.
    pub focus: Vec<String>,
    /// Files outside the composition are wanted too, for passages.
    pub around: bool,
    /// Only the discussion is wanted.
    pub history_only: bool,
    /// Only files are wanted.
    pub files_only: bool,
    /// Pictures as data.
    pub embed: bool,
    /// Documents of this name in the root are our own.
    pub namespace: String,
    /// The file the document goes to, absolute.
    pub target: Option<PathBuf>,
}

impl Ask {
    /// Include and exclude patterns, of the settings and of the request together.
    pub(crate) fn patterns(&self, config: &Config) -> (Vec<String>, Vec<String>) {
        let both = |set: &[String], asked: &[String]| set.iter().chain(asked).cloned().collect();
        (both(&config.files.include, &self.include), both(&config.files.exclude, &self.exclude))
    }
}

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
pub fn snapshot(roots: &Roots, config: &Config, ask: &Ask, progress: &Progress) -> Result<Snapshot, GatherError> {
    let mut snapshot = Snapshot { notes: config.notes.clone(), ..Snapshot::default() };
    if !ask.history_only {
        files(roots, config, ask, progress, &mut snapshot)?;
        if !ask.files_only {
            pictures(roots, config, ask, &mut snapshot)?;
            changes::sections(roots, config, ask, &mut snapshot)?;
            beads(roots, config, &mut snapshot);
        }
    }
    if !ask.files_only {
        discussion(roots, config, &mut snapshot);
    }
    snapshot.items.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    Ok(snapshot)
}

fn base(roots: &Roots, key: &'static str, dir: &str) -> Result<Place, GatherError> {
    let project = Place { root: 0, rel: PathBuf::new() };
    roots.place(&project, Path::new(dir)).map_err(|_| GatherError::BaseDir { key, path: dir.to_owned() })
}

fn files(
    roots: &Roots,
    config: &Config,
    ask: &Ask,
    progress: &Progress,
    snapshot: &mut Snapshot,
) -> Result<(), GatherError> {
    let output_dir = output_dir(roots, config);
    let (include, exclude) = ask.patterns(config);
    let Selection { files, around, left_out, notes, paths, .. } = selected(roots, config, ask)?;
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
                let item = item(roots, place, chosen, unread, ask);
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
    let own_output = |rel: &Path| is_own_output(roots, rel, &output_dir, ask);
    let sieve = Sieve::new(&include, &exclude, Path::new(""), &own_output)?;
    renamed::follow(roots, &sieve, ask.threads, &output_dir, snapshot);
    focus::focus(roots, &ask.focus, &mut snapshot.items, &mut snapshot.notes)?;
    changes::bases(roots, ask, snapshot);
    Ok(())
}

/// Whether settings can be followed: folders inside the roots, patterns that are some. Nothing is listed.
pub fn followable(roots: &Roots, config: &Config, ask: &Ask) -> Result<(), GatherError> {
    let files = base(roots, "files.base_dir", &config.files.base_dir)?;
    let pictures = base(roots, "screenshots.base_dir", &config.screenshots.base_dir)?;
    let (include, exclude) = ask.patterns(config);
    Sieve::new(&include, &exclude, Path::new(""), &|_| false)?;
    let entries = config.files.paths.iter().flatten().map(|entry| (&files, &entry.path));
    let shots = config.screenshots.paths.iter().map(|path| (&pictures, path));
    for (base, path) in entries.chain(shots) {
        check_glob(roots, path, base)?;
    }
    Ok(())
}

/// The files that are meant, by their paths; none is opened.
pub fn listing(roots: &Roots, config: &Config, ask: &Ask) -> Result<Vec<String>, GatherError> {
    let files = selected(roots, config, ask)?.files;
    let mut paths: Vec<String> =
        files.iter().filter(|(_, chosen)| chosen.failure.is_none()).map(|(place, _)| roots.shown(place)).collect();
    paths.sort_unstable();
    Ok(paths)
}

fn selected(roots: &Roots, config: &Config, ask: &Ask) -> Result<Selection, GatherError> {
    let output_dir = output_dir(roots, config);
    let entries = |paths: &[String]| paths.iter().map(Entry::new).collect::<Vec<Entry>>();
    let (named, listed) = (entries(&ask.named), entries(&ask.listed));
    let (include, exclude) = ask.patterns(config);
    let base = if ask.named.is_empty() && ask.listed.is_empty() {
        base(roots, "files.base_dir", &config.files.base_dir)?
    } else {
        Place { root: 0, rel: PathBuf::new() }
    };
    Ok(select(
        roots,
        &SelectOptions {
            named: &named,
            listed: &listed,
            composition: ask.composition.as_deref().or(config.files.paths.as_deref()),
            base,
            include: &include,
            exclude: &exclude,
            threads: ask.threads,
            output_dir: Some(&output_dir),
            own_output: &|rel| is_own_output(roots, rel, &output_dir, ask),
            full_tree: ask.full_tree,
            around: ask.around,
        },
    )?)
}

/// Files outside the composition. One that is in it under another name is not outside.
fn outside(roots: &Roots, around: BTreeMap<Place, Chosen>, inside: &[Due], left_out: &[LeftOut]) -> Vec<Due> {
    if around.is_empty() {
        return Vec::new();
    }
    let identity = |place: &Place| read::identity(&roots.absolute(place).metadata().ok()?);
    let known: HashSet<Identity> = inside.iter().filter_map(|(place, ..)| identity(place)).collect();
    let (mut files, _) = once_each(roots, around, left_out);
    files.retain(|(place, _, unread)| {
        *unread == Unread::No && !identity(place).is_some_and(|identity| known.contains(&identity))
    });
    files
}

/// The folder of numbered documents, without the dots people write.
pub(crate) fn output_dir(roots: &Roots, config: &Config) -> PathBuf {
    roots.project().join(&config.output.dir).components().filter(|part| *part != Component::CurDir).collect()
}

/// Whether a path of the project is one of our own documents, or what we keep beside them.
pub(crate) fn is_own_output(roots: &Roots, rel: &Path, output_dir: &Path, ask: &Ask) -> bool {
    let name = rel.file_name().unwrap_or_default().to_string_lossy();
    let path = roots.project().join(rel);
    (outputs::is_ours(&name, &ask.namespace) && path.parent() == Some(output_dir)) || ask.target.as_ref() == Some(&path)
}

/// Why a file is not read though it is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unread {
    No,
    OverRunCap,
}

type Due = (Place, Chosen, Unread);

/// Each file once, whatever names it has: the name given by hand, else the first. And no more than a run can hold.
fn once_each(roots: &Roots, files: BTreeMap<Place, Chosen>, left_out: &[LeftOut]) -> (Vec<Due>, Vec<LeftOut>) {
    let files: Vec<(Place, Chosen)> = files.into_iter().collect();
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
        if files[*place].1.named != Named::ByHand && files[index].1.named == Named::ByHand {
            *place = index;
        }
    }
    // Another name of a history file is still that file.
    let project = Place { root: 0, rel: PathBuf::new() };
    let history: Vec<Identity> = left_out
        .iter()
        .filter(|left| left.why == Why::HistoryFile)
        .filter_map(|left| roots.place(&project, &names::actual(&left.path)).ok())
        .filter_map(|place| read::identity(&roots.absolute(&place).metadata().ok()?))
        .collect();
    let mut due = Vec::with_capacity(files.len());
    let mut same = Vec::new();
    let mut total = 0u64;
    let names: Vec<Place> = files.iter().map(|(place, _)| place.clone()).collect();
    for (index, ((place, chosen), data)) in files.into_iter().zip(&known).enumerate() {
        let kept = data.as_ref().and_then(read::identity).and_then(|identity| first.get(&identity)).copied();
        let still = |kept: &usize| is_still_one(&roots.absolute(&names[*kept]), &roots.absolute(&place));
        if let Some(kept) = kept.filter(|kept| *kept != index).filter(still) {
            let why = Why::SameFile(roots.shown(&names[kept]));
            same.push(LeftOut { path: roots.shown(&place), why });
            continue;
        }
        if data.as_ref().and_then(read::identity).is_some_and(|identity| history.contains(&identity)) {
            same.push(LeftOut { path: roots.shown(&place), why: Why::HistoryFile });
            continue;
        }
        let size = data.as_ref().map_or(0, std::fs::Metadata::len);
        let held = if size > FILE_CAP { 0 } else { size };
        let unread = if total + held > RUN_CAP { Unread::OverRunCap } else { Unread::No };
        if unread == Unread::No {
            total += held;
        }
        due.push((place, chosen, unread));
    }
    (due, same)
}

/// Whether two names lead to one file, asked again: a file that was replaced since the first look may have left its
/// number to another, and then two files would pass for one. The first name is asked before and after the second.
fn is_still_one(a: &Path, b: &Path) -> bool {
    let ask = |path: &Path| path.metadata().ok().as_ref().and_then(read::identity);
    let first = ask(a);
    first.is_some() && first == ask(b) && first == ask(a)
}

/// Whether a person wished a file's bytes away.
pub(crate) fn is_hidden(wish: &Wish) -> bool {
    !wish.auto_aggregate || wish.view == Some(Level::None)
}

fn item(roots: &Roots, place: Place, chosen: Chosen, unread: Unread, ask: &Ask) -> (Item, Vec<Note>) {
    let path = roots.shown(&place);
    let mut notes = Vec::new();
    let hidden = is_hidden(&chosen.wish) || (ask.view == Some(Level::None) && !chosen.wish.force_full);
    let got = match chosen.failure {
        Some(failure) => FileRead::failed(failure),
        None if hidden || unread == Unread::OverRunCap => {
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
        id: ItemId(path.as_str().into()),
        kind: ItemKind::File,
        path,
        named: chosen.named,
        body: got.body,
        hash: got.hash,
        size: got.size,
        modified: got.modified,
        wish: chosen.wish,
        written: None,
        located: None,
    };
    (item, notes)
}

fn pictures(roots: &Roots, config: &Config, ask: &Ask, snapshot: &mut Snapshot) -> Result<(), GatherError> {
    let wanted = Pictures {
        base: base(roots, "screenshots.base_dir", &config.screenshots.base_dir)?,
        paths: ask.screenshots.as_deref().unwrap_or(&config.screenshots.paths),
        embed: ask.embed,
        threads: ask.threads,
    };
    let (items, notes) = screenshots(roots, &wanted)?;
    snapshot.items.extend(items);
    snapshot.notes.extend(notes);
    Ok(())
}

/// Where beads leaves its export, the newest name first.
pub(crate) const BEADS: [&str; 3] = [".beads/issues.jsonl", ".beads/beads.jsonl", ".beads_mock/beads.json"];

fn beads(roots: &Roots, config: &Config, snapshot: &mut Snapshot) {
    if config.project.execution_mode != ExecutionMode::Beads {
        return;
    }
    for name in BEADS {
        let read = read::read(roots, &Place { root: 0, rel: name.into() });
        let Body::Text { text, .. } = &read.body else { continue };
        let exported = jiff::Timestamp::from_second(read.modified).map(|time| time.to_string()).ok();
        match contexture_core::shape::beads::beads_section(text, exported.as_deref()) {
            Some(section) => snapshot.items.push(section_item(ItemKind::Beads, name, section)),
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
        let project = Place { root: 0, rel: PathBuf::new() };
        let body = match roots.place(&project, Path::new(file)) {
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
            ..section_item(ItemKind::Discussion, &path, String::new())
        });
    }
}

/// A section that is one text of ours.
pub(crate) fn section_item(kind: ItemKind, path: &str, text: String) -> Item {
    Item {
        id: ItemId(path.into()),
        kind,
        path: path.to_owned(),
        named: Named::ByHand,
        hash: Some(contexture_core::ContentHash::of(&text)),
        size: text.len() as u64,
        body: Body::Text { text: text.into(), base: Base::NotAsked },
        modified: 0,
        wish: Wish::default(),
        written: None,
        located: None,
    }
}
