//! Lists the files of a root, honouring what people ignore.
//!
//! Takes a root and what to skip; gives every file below it, sorted, and what was passed over with its reason. Links are
//! not followed. Order of discovery, threads and hash seeds leave no trace.

use crate::names;
use crate::roots::{Root, bytewise};
use contexture_core::{Failure, LeftOut, Why};
use ignore::{DirEntry, WalkBuilder, WalkState};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};

/// Files that say what to leave out, besides `.gitignore`, `.ignore` and `.git/info/exclude`.
pub const IGNORE_FILE: &str = ".contextureignore";

#[derive(Default)]
pub struct Walked {
    /// Regular files, relative to the root, sorted bytewise.
    pub files: Vec<PathBuf>,
    pub links: Vec<PathBuf>,
    /// Pipes, sockets, devices.
    pub special: Vec<PathBuf>,
    /// Folders and files that could not be listed.
    pub failed: Vec<(PathBuf, Failure)>,
    /// Folders passed over whole.
    pub passed_over: Vec<LeftOut>,
    /// Folders that were entered, below the one where the walk began; in no order.
    pub folders: Vec<PathBuf>,
}

#[derive(Default)]
pub struct WalkOptions<'a> {
    pub threads: usize,
    /// Folder of our own outputs, absolute: never walked.
    pub output_dir: Option<&'a Path>,
    /// Whether a folder that was named by hand is walked: then nothing above it is asked what to ignore.
    pub named_by_hand: bool,
    /// Where to look; `None`: everywhere.
    pub within: Option<Arc<Within>>,
}

/// Some paths of a root, absolute: a walk for them lists only the folders that lead there, and asks the same rules on the way.
#[derive(Default)]
pub struct Within {
    pub paths: BTreeSet<PathBuf>,
    /// Folders among them of which all is wanted.
    pub whole: BTreeSet<PathBuf>,
}

impl Within {
    fn has(&self, path: &Path) -> bool {
        // Paths are ordered by their parts: what is below a folder stands right behind it.
        let leads =
            |set: &BTreeSet<PathBuf>| set.range(path.to_owned()..).next().is_some_and(|next| next.starts_with(path));
        leads(&self.paths) || leads(&self.whole) || path.ancestors().any(|above| self.whole.contains(above))
    }
}

/// Walks `start` (the root itself or a folder in it). Paths come back relative to the root.
pub fn walk(root: &Root, start: &Path, options: &WalkOptions<'_>) -> Walked {
    let (send, receive) = mpsc::channel();
    let passed_over = Mutex::new(Vec::new());
    if let Some(failure) = unusable_rules(start) {
        let rel = start.strip_prefix(&root.path).unwrap_or(start).to_owned();
        return Walked { failed: vec![(rel, failure)], ..Walked::default() };
    }
    let enter = |entry: &DirEntry| match skipped_folder(entry, options) {
        Some(Skip::Silently) => false,
        Some(Skip::Saying(why)) => {
            let rel = entry.path().strip_prefix(&root.path).unwrap_or(entry.path());
            if let Ok(mut list) = passed_over.lock() {
                list.push(LeftOut { path: format!("{}/", names::display_path(rel)), why });
            }
            false
        }
        None => true,
    };
    let mut builder = builder(root, start, options);
    // Asked before a folder's rules are read: thousands of patterns would cost gigabytes and minutes.
    let refused = Arc::new(Mutex::new(Vec::new()));
    let noting = Arc::clone(&refused);
    let within = options.within.clone();
    builder.filter_entry(move |entry| {
        if within.as_ref().is_some_and(|within| !within.has(entry.path())) {
            return false;
        }
        let failure =
            if entry.file_type().is_some_and(|kind| kind.is_dir()) { unusable_rules(entry.path()) } else { None };
        match failure {
            None => true,
            Some(failure) => {
                if let Ok(mut list) = noting.lock() {
                    list.push((entry.path().to_owned(), failure));
                }
                false
            }
        }
    });
    builder.build_parallel().run(|| {
        let send = send.clone();
        let enter = &enter;
        Box::new(move |entry| {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_dir()) => {
                    if entry.depth() == 0 {
                        return WalkState::Continue;
                    }
                    if !enter(&entry) {
                        return WalkState::Skip;
                    }
                    drop(send.send(Ok(entry)));
                }
                Ok(entry) if names::is_version_control(&entry.file_name().to_string_lossy()) => {}
                Ok(entry) => drop(send.send(Ok(entry))),
                Err(error) => drop(send.send(Err(error))),
            }
            WalkState::Continue
        })
    });
    drop(send);
    let mut walked = Walked::default();
    for found in receive {
        sort_out(found, root, &mut walked);
    }
    if let Ok(list) = refused.lock() {
        walked.failed.extend(
            list.iter()
                .map(|(path, failure)| (path.strip_prefix(&root.path).unwrap_or(path).to_owned(), failure.clone())),
        );
    }
    for list in [&mut walked.files, &mut walked.links, &mut walked.special] {
        list.sort_unstable_by(|a, b| bytewise(a, b));
    }
    walked.failed.sort_by(|a, b| bytewise(&a.0, &b.0));
    walked.passed_over = passed_over.into_inner().unwrap_or_default();
    walked.passed_over.sort_by(|a, b| a.path.cmp(&b.path));
    walked
}

fn sort_out(found: Result<DirEntry, ignore::Error>, root: &Root, walked: &mut Walked) {
    match found {
        Ok(entry) => {
            let Ok(rel) = entry.path().strip_prefix(&root.path) else { return };
            let rel = rel.to_owned();
            match entry.file_type() {
                Some(kind) if kind.is_file() => walked.files.push(rel),
                Some(kind) if kind.is_symlink() => walked.links.push(rel),
                Some(kind) if kind.is_dir() => walked.folders.push(rel),
                _ => walked.special.push(rel),
            }
        }
        Err(error) => {
            let Some(path) = path_of(&error) else { return };
            let rel = path.strip_prefix(&root.path).unwrap_or(path).to_owned();
            let failure = error.io_error().map_or(Failure::Unreadable("not listed".into()), crate::roots::failure);
            // A faulty pattern in an ignore file concerns that file, and the walk went on.
            if error.io_error().is_some() {
                walked.failed.push((rel, failure));
            }
        }
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        ignore::Error::Partial(errors) => errors.iter().find_map(path_of),
        _ => None,
    }
}

/// Rules a folder may have. A pattern costs some 17 KB and 0.1 ms, so this many stay below 100 MB and half a second.
const MAX_RULES: usize = 5000;
/// A file of rules up to this size cannot hold so many, and need not be read to know it.
const SMALL_RULES: u64 = 2 * MAX_RULES as u64;
/// No person writes more.
const LARGEST_RULES: u64 = 8 * 1024 * 1024;

/// Files of a folder that say what is left out.
pub const RULES: [&str; 4] = [".gitignore", ".ignore", IGNORE_FILE, ".git/info/exclude"];

/// Why a folder is not walked: its ignore files hold more patterns than can be compiled in reasonable time, or reading one
/// would never end.
fn unusable_rules(folder: &Path) -> Option<Failure> {
    RULES.iter().find_map(|name| {
        let file = folder.join(name);
        let data = file.metadata().ok().filter(|data| !data.is_dir())?;
        if !data.is_file() {
            return Some(Failure::Unreadable(format!("its {name} is a pipe or a device")));
        }
        let size = data.len();
        if size <= SMALL_RULES {
            return None;
        }
        let rules = if size > LARGEST_RULES { usize::MAX } else { patterns_in(&std::fs::read(&file).ok()?) };
        (rules > MAX_RULES).then(|| Failure::Unreadable(format!("its {name} holds more than {MAX_RULES} patterns")))
    })
}

/// Lines with wildcards; plain names are cheap.
fn patterns_in(rules: &[u8]) -> usize {
    rules
        .split(|byte| *byte == b'\n')
        .filter(|line| line.iter().any(|byte| matches!(byte, b'*' | b'?' | b'[' | b'{')))
        .count()
}

fn builder(root: &Root, start: &Path, options: &WalkOptions<'_>) -> WalkBuilder {
    let mut builder = WalkBuilder::new(start);
    builder
        .hidden(false)
        .git_ignore(true)
        .git_exclude(true)
        // A rule of one person's machine would give two people two documents of one project.
        .git_global(false)
        .require_git(false)
        .parents(!options.named_by_hand && inside_repository(&root.path))
        .follow_links(false)
        .add_custom_ignore_filename(IGNORE_FILE)
        .threads(options.threads);
    builder
}

/// Ignore files above the root count when the root is part of a larger repository, as they do for git.
pub fn inside_repository(root: &Path) -> bool {
    !root.join(".git").exists() && root.ancestors().skip(1).any(|above| above.join(".git").exists())
}

/// Whether a path lies in a folder that no walk enters, whatever the rules say.
pub fn is_passed_over(rel: &Path) -> bool {
    let is_so = |name: &str| names::is_version_control(name) || names::dependency_folder(name).is_some();
    rel.components().any(|part| is_so(&part.as_os_str().to_string_lossy()))
}

enum Skip {
    Silently,
    Saying(Why),
}

fn skipped_folder(entry: &DirEntry, options: &WalkOptions<'_>) -> Option<Skip> {
    let name = entry.file_name().to_string_lossy();
    if names::is_version_control(&name) {
        return Some(Skip::Silently);
    }
    // A folder of outputs that was there before is walked: our files in it are known by name.
    if options.output_dir.is_some_and(|dir| entry.path() == dir && dir.ends_with(".contexture/out")) {
        return Some(Skip::Silently);
    }
    if let Some(what) = names::dependency_folder(&name) {
        return Some(Skip::Saying(Why::DependencyFolder(what)));
    }
    None
}
