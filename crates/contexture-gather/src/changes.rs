//! What git knows: the text a `diff` view compares with, changes as a section, commits as a section.
//!
//! Takes the snapshot so far and what was asked for; adds to it. Whatever git cannot answer is a note.

use crate::config::Config;
use crate::decode::{DecodedKind, decode};
use crate::eligibility::Eligibility;
use crate::git::{self, GitError, Repo};
use crate::names;
use crate::read;
use crate::request::{GatherRequest, is_own_output, output_dir};
use crate::roots::{RootedPath, Roots};
use crate::select::is_hidden;
use crate::walk::{WalkOptions, walk};
use contexture_core::shape::diff::unified;
use contexture_core::{Base, Body, Item, ItemKind, Level, Note, Snapshot, Text, Topic};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Lines of context around a change, as git has it.
const CONTEXT: usize = 3;

/// Gives files that will be shown as `diff` the text of the base revision.
pub fn bases(roots: &Roots, request: &GatherRequest, snapshot: &mut Snapshot) {
    let wanted = |item: &Item| match request.view {
        Some(view) => view == Level::Diff,
        None => item.wish.view == Some(Level::Diff),
    };
    if !snapshot.items.iter().any(wanted) {
        return;
    }
    let found = tree_at(roots, &request.base).and_then(|known| {
        let oids: Vec<&str> =
            snapshot.items.iter().filter(|item| wanted(item)).filter_map(|item| known.oid(&item.path)).collect();
        let blobs = known.repo.blobs(&oids)?;
        Ok((known, blobs))
    });
    for item in snapshot.items.iter_mut().filter(|item| wanted(item)) {
        let Body::Text { base, .. } = &mut item.body else { continue };
        *base = match &found {
            // Before the first commit nothing is tracked.
            Err(GitError::NoCommits) => Base::Untracked,
            Err(error) => Base::Failed(error.to_string()),
            Ok((known, blobs)) => match known.oid(&item.path).map(|oid| blobs.get(oid)) {
                None => Base::Untracked,
                Some(Some(bytes)) => {
                    blob_text(bytes).map_or_else(|| Base::Failed("it was binary before".into()), Base::Known)
                }
                Some(None) => Base::Failed("git does not give its earlier text".into()),
            },
        };
    }
}

/// Adds `## Diff` and `## Log` where they were asked for.
///
/// A revision that was asked for and is none is an error; everything else that git cannot do is a note.
pub fn sections(
    roots: &Roots,
    config: &Config,
    request: &GatherRequest,
    snapshot: &mut Snapshot,
) -> Result<(), GitError> {
    if let Some(revision) = &request.diff {
        match diff(roots, config, request, revision, snapshot) {
            Ok(Changes { text, lines, notes }) => {
                snapshot.notes.extend(notes);
                snapshot.past.changed = lines;
                if text.is_empty() {
                    snapshot.notes.push(Note::new(Topic::Empty, format!("nothing changed since `{revision}`")));
                } else {
                    snapshot.items.push(Item::section(ItemKind::Diff, "diff", text));
                }
            }
            Err(error @ (GitError::BadRevision(_) | GitError::UnknownRevision(_))) => return Err(error),
            Err(error) => snapshot.notes.push(git_note(format!("the diff is left out: {error}"), &error)),
        }
    }
    if let Some(commits) = request.log {
        match Repo::discover(roots.project()).and_then(|repo| repo.log(commits)) {
            Ok(text) if text.is_empty() => {}
            Ok(text) => snapshot.items.push(Item::section(ItemKind::Log, "log", text)),
            Err(error) => snapshot.notes.push(git_note(format!("the log is left out: {error}"), &error)),
        }
    }
    Ok(())
}

fn git_note(text: String, error: &GitError) -> Note {
    let note = Note::new(Topic::Unread, text);
    match error.hint() {
        Some(hint) => note.hint(hint),
        None => note,
    }
}

struct RevisionTree {
    repo: Repo,
    tree: BTreeMap<String, git::Blob>,
}

impl RevisionTree {
    fn oid(&self, path: &str) -> Option<&str> {
        self.tree.get(path).map(|blob| blob.oid.as_str())
    }
}

fn tree_at(roots: &Roots, revision: &str) -> Result<RevisionTree, GitError> {
    let repo = Repo::discover(roots.project())?;
    let commit = repo.resolve(revision)?;
    let tree = repo.tree(&commit)?;
    Ok(RevisionTree { repo, tree })
}

/// Changes as text, and where they are in the current files.
struct Changes {
    text: String,
    lines: BTreeMap<String, Vec<(u64, u64)>>,
    notes: Vec<Note>,
}

/// All changes below the root since a revision: files that are tracked there, and new ones that nothing ignores.
fn diff(
    roots: &Roots,
    config: &Config,
    request: &GatherRequest,
    revision: &str,
    snapshot: &Snapshot,
) -> Result<Changes, GitError> {
    let known = tree_at(roots, revision)?;
    let outputs = output_dir(roots, config);
    let own_output = |rel: &Path| is_own_output(roots, rel, &outputs, request);
    let (include, exclude) = request.patterns(config);
    // The patterns were good enough for the files.
    let eligibility = Eligibility::new(&include, &exclude, Path::new(""), &own_output).ok();
    let hidden: BTreeSet<&str> =
        snapshot.items.iter().filter(|item| is_hidden(&item.wish)).map(|item| item.path.as_str()).collect();
    let enters = |path: &str, rel: &Path| {
        let place = RootedPath { root: 0, rel: rel.to_owned() };
        !hidden.contains(path) && eligibility.as_ref().is_some_and(|eligibility| eligibility.refusal(&place).is_none())
    };
    let oid_length = known.tree.values().next().map_or(40, |blob| blob.oid.len());
    let read_already: BTreeMap<&str, &Body> = snapshot
        .items
        .iter()
        .filter(|item| item.kind == ItemKind::File)
        .map(|item| (item.path.as_str(), &item.body))
        .collect();
    let mut changed: Vec<(String, Option<Text>)> = Vec::new();
    for (path, rel) in files_on_disk(roots, request, &outputs, &known) {
        if !enters(&path, &rel) {
            continue;
        }
        let body = match read_already.get(path.as_str()) {
            Some(Body::Unread) | None => read::read(roots, &RootedPath { root: 0, rel }).body,
            Some(body) => (*body).clone(),
        };
        if let Body::Text { text, .. } = body
            && known.oid(&path) != Some(git::blob_oid(text.as_bytes(), oid_length).as_str())
        {
            changed.push((path, Some(text)));
        }
    }
    for path in known.tree.keys() {
        if enters(path, Path::new(path)) && roots.project().join(path).symlink_metadata().is_err() {
            changed.push((path.clone(), None));
        }
    }
    changed.sort_by(|a, b| a.0.cmp(&b.0));
    let oids: Vec<&str> = changed.iter().filter_map(|(path, _)| known.oid(path)).collect();
    let blobs = known.repo.blobs(&oids)?;
    let (mut out, mut lines, mut notes) = (String::new(), BTreeMap::new(), Vec::new());
    for (path, new) in &changed {
        let old = match known.oid(path).map(|oid| blobs.get(oid).map(|bytes| blob_text(bytes))) {
            None => None,
            Some(Some(Some(text))) => Some(text),
            Some(Some(None)) => {
                notes.push(Note::new(Topic::Git, "was binary before: not in the diff").at(path));
                continue;
            }
            Some(None) => {
                notes.push(Note::new(Topic::Git, "git does not give its earlier text: not in the diff").at(path));
                continue;
            }
        };
        out.push_str(&unified(path, old.as_deref(), new.as_deref(), CONTEXT));
        if new.is_some() {
            lines.insert(path.clone(), changed_lines(&unified(path, old.as_deref(), new.as_deref(), 0)));
        }
    }
    Ok(Changes { text: out, lines, notes })
}

/// The lines of the new text that a diff without context names: `@@ -3,2 +3,4 @@`.
fn changed_lines(diff: &str) -> Vec<(u64, u64)> {
    let range = |line: &str| {
        let (_, new) = line.strip_prefix("@@ -")?.split_once(" +")?;
        let (new, _) = new.split_once(" @@")?;
        let (first, count) = new.split_once(',').unwrap_or((new, "1"));
        let (first, count): (u64, u64) = (first.parse().ok()?, count.parse().ok()?);
        Some(if count == 0 { (first.max(1), first + 1) } else { (first, first + count - 1) })
    };
    diff.lines().filter_map(range).collect()
}

/// The files on disk that a diff may speak of: what a walk finds, and what is tracked though a rule would ignore it.
fn files_on_disk(
    roots: &Roots,
    request: &GatherRequest,
    outputs: &Path,
    known: &RevisionTree,
) -> BTreeMap<String, PathBuf> {
    let project = RootedPath { root: 0, rel: PathBuf::new() };
    let options = WalkOptions { threads: request.threads, output_dir: Some(outputs), ..WalkOptions::default() };
    let walked = walk(roots.root(&project), roots.project(), &options);
    let mut present: BTreeMap<String, PathBuf> =
        walked.files.into_iter().map(|rel| (names::display_path(&rel), rel)).collect();
    for path in known.tree.keys() {
        if !present.contains_key(path) && roots.project().join(path).symlink_metadata().is_ok_and(|data| data.is_file())
        {
            present.insert(path.clone(), path.into());
        }
    }
    present
}

/// The text of a blob; `None` when it is none.
fn blob_text(bytes: &[u8]) -> Option<Text> {
    match decode(bytes.to_vec()).kind {
        DecodedKind::Text(text) => Some(text),
        DecodedKind::Binary(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_those_of_the_new_text() {
        let old = "a\nb\nc\nd\ne\n";
        let lines = |new: &str| changed_lines(&unified("x", Some(old), Some(new), 0));
        assert_eq!(lines("a\nB\nc\nd\ne\nf\n"), [(2, 2), (6, 6)]);
        assert_eq!(lines("a\nb\nd\ne\n"), [(2, 3)]);
        assert_eq!(lines(old), []);
        assert_eq!(changed_lines(&unified("x", None, Some("a\nb\n"), 0)), [(1, 2)]);
    }
}
