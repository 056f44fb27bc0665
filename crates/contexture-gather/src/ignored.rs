//! Which rule of which ignore file leaves a path out, for `why`.

use crate::roots::{RootedPath, Roots};
use crate::walk::{IGNORE_FILE, inside_repository};
use contexture_core::render::printable;
use ignore::gitignore::GitignoreBuilder;
use std::path::{Path, PathBuf};

/// The rule that ignores a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The ignore file, relative to the root where it is inside it.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    pub pattern: String,
    /// The folder or file that the rule matched: the path itself or something above it.
    pub matched: String,
}

/// Asks the ignore files from the top down, the way git does: a folder that is ignored ends the question.
pub fn rule_for(roots: &Roots, place: &RootedPath) -> Option<Rule> {
    let root = roots.root(place);
    let tops: Vec<PathBuf> = if inside_repository(&root.path) {
        let mut above: Vec<PathBuf> = Vec::new();
        for folder in root.path.ancestors() {
            above.push(folder.to_owned());
            if folder.join(".git").exists() {
                break;
            }
        }
        above.reverse();
        above
    } else {
        vec![root.path.clone()]
    };
    let target = roots.absolute(place);
    let is_folder = target.is_dir();
    let mut trail: Vec<&Path> = target.ancestors().take_while(|path| *path != root.path).collect();
    trail.reverse();
    for (index, step) in trail.iter().enumerate() {
        let folder = index + 1 < trail.len() || is_folder;
        if let Some(rule) = verdict(&root.path, &tops, step, folder) {
            let matched = crate::names::display_path(step.strip_prefix(&root.path).unwrap_or(step));
            return Some(Rule { matched, ..rule });
        }
    }
    None
}

/// The rule that ignores one step of the way; `None` when no rule does, or one takes it in again.
fn verdict(root: &Path, tops: &[PathBuf], path: &Path, folder: bool) -> Option<Rule> {
    let parent = path.parent()?;
    let mut folders: Vec<PathBuf> = tops.to_vec();
    let mut below: Vec<&Path> = parent.ancestors().take_while(|above| *above != root).collect();
    below.reverse();
    folders.extend(below.into_iter().map(Path::to_owned));
    // The nearest file speaks first; among the files of a folder our own, then `.ignore`, then `.gitignore`.
    for name in [IGNORE_FILE, ".ignore", ".gitignore", ".git/info/exclude"] {
        for within in folders.iter().rev() {
            let file = within.join(name);
            if !file.is_file() {
                continue;
            }
            let mut builder = GitignoreBuilder::new(within);
            builder.add(&file);
            let Ok(rules) = builder.build() else { continue };
            let found = rules.matched(path, folder);
            if found.is_whitelist() {
                return None;
            }
            if let ignore::Match::Ignore(glob) = found {
                let line = line_of(&file, glob.original());
                let shown = crate::names::display_path(file.strip_prefix(root).unwrap_or(&file));
                let pattern = printable(glob.original()).into_owned();
                return Some(Rule { file: shown, line, pattern, matched: String::new() });
            }
        }
    }
    None
}

/// The last line that holds this pattern: of several equal ones the last decides.
fn line_of(file: &Path, pattern: &str) -> usize {
    let text = std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    text.lines()
        .enumerate()
        .filter(|(_, line)| line.trim_end() == pattern.trim_end())
        .map(|(index, _)| index + 1)
        .last()
        .unwrap_or(0)
}
