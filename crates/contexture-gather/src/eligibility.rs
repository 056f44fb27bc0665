//! What may not enter by a walk or a pattern: include and exclude patterns, history, names of secrets, our own outputs.
//!
//! Takes places, judged by name (and, for history, by identity); gives a refusal with its reason, or none. Never reads a file.

use crate::names;
use crate::roots::{RootedPath, Roots};
use contexture_core::Why;
use contexture_core::render::printable;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::{Path, PathBuf};

/// The most patterns in one list, and the longest one: more is a mistake or an attack, and is refused cleanly.
pub const MAX_PATTERNS: usize = 1024;
pub const MAX_PATTERN: usize = 4096;

/// A pattern that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("pattern `{pattern}`: {cause}")]
pub struct BadPattern {
    pub pattern: String,
    pub cause: String,
}

impl BadPattern {
    pub(crate) fn new(pattern: &str, cause: impl Into<String>) -> Self {
        Self { pattern: pattern.chars().take(80).collect(), cause: cause.into() }
    }
}

pub struct Eligibility<'a> {
    include: Option<Gitignore>,
    exclude: Option<Gitignore>,
    own_output: &'a dyn Fn(&Path) -> bool,
    base: PathBuf,
}

impl<'a> Eligibility<'a> {
    /// `base` is the folder of the project that walks and patterns stay in; `own_output` knows our documents by path.
    pub fn new(
        include: &[String],
        exclude: &[String],
        base: &Path,
        own_output: &'a dyn Fn(&Path) -> bool,
    ) -> Result<Self, BadPattern> {
        Ok(Self { include: patterns(include)?, exclude: patterns(exclude)?, own_output, base: base.to_owned() })
    }

    /// Outside the folder that was asked for: not worth a word.
    pub fn outside(&self, place: &RootedPath) -> bool {
        place.root == 0 && !place.rel.starts_with(&self.base)
    }

    /// The exclude pattern that matches; it beats also what was named by hand.
    pub fn exclusion(&self, place: &RootedPath) -> Option<Why> {
        let set = self.exclude.as_ref()?;
        match set.matched_path_or_any_parents(&place.rel, false) {
            ignore::Match::Ignore(glob) => Some(Why::Excluded(printable(glob.original()).into_owned())),
            _ => None,
        }
    }

    /// Why a file that a walk or a pattern found does not enter.
    pub fn refusal(&self, place: &RootedPath) -> Option<Why> {
        let rel = &place.rel;
        if self.include.as_ref().is_some_and(|set| !set.matched_path_or_any_parents(rel, false).is_ignore()) {
            return Some(Why::NotIncluded);
        }
        if let Some(why) = self.exclusion(place) {
            return Some(why);
        }
        if names::is_history(rel) {
            return Some(Why::HistoryFile);
        }
        if let Some(rule) = names::secret_rule(rel) {
            return Some(Why::SecretName(rule));
        }
        if names::is_unfinished(rel) || (place.root == 0 && (self.own_output)(rel)) {
            return Some(Why::OwnOutput);
        }
        None
    }
}

/// Patterns in the manner of `.gitignore`: a name anywhere, a path from the root, a folder with all below it.
fn patterns(list: &[String]) -> Result<Option<Gitignore>, BadPattern> {
    if list.is_empty() {
        return Ok(None);
    }
    if list.len() > MAX_PATTERNS {
        return Err(BadPattern::new(&list[MAX_PATTERNS], format!("more than {MAX_PATTERNS} patterns")));
    }
    let mut builder = GitignoreBuilder::new("");
    for pattern in list {
        if pattern.len() > MAX_PATTERN {
            return Err(BadPattern::new(pattern, format!("longer than {MAX_PATTERN} bytes")));
        }
        let line = if pattern.starts_with(['#', ' ']) { format!("\\{pattern}") } else { pattern.clone() };
        builder.add_line(None, &line).map_err(|error| BadPattern::new(pattern, error.to_string()))?;
    }
    builder.build().map(Some).map_err(|error| BadPattern::new(&list[0], error.to_string()))
}

/// Whether a place is a history file by its own name or by what it links to; also by another name of the same file.
pub fn is_history(roots: &Roots, place: &RootedPath) -> bool {
    if names::is_history(&place.rel) || roots.real_path(place).is_some_and(|real| names::is_history(&real.rel)) {
        return true;
    }
    let path = roots.absolute(place);
    let Ok(data) = path.metadata() else { return false };
    if !has_other_names(&data) {
        return false;
    }
    let identity = crate::read::identity(&data);
    let folders = [path.parent(), Some(roots.project())];
    folders.into_iter().flatten().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten().any(|other| {
        names::is_history(Path::new(&other.file_name()))
            && other.metadata().is_ok_and(|data| identity.is_some() && crate::read::identity(&data) == identity)
    })
}

/// Whether a file has more than one name.
#[cfg(unix)]
fn has_other_names(data: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    data.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &std::fs::Metadata) -> bool {
    false
}
