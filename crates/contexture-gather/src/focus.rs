//! Which files are in focus.
//!
//! Takes what was named with `--focus` and the items of a run; marks the items. A name matches by the path, by the end of the path at
//! a folder's border, by the file's name, or as a pattern; never by a part of a name: `a.py` is not `data.py`.

use crate::eligibility::BadPattern;
use crate::roots::{RootedPath, Roots};
use crate::select::is_glob;
use contexture_core::{Item, ItemKind, Note, Topic};
use globset::{GlobBuilder, GlobMatcher};
use std::path::{Path, PathBuf};

pub fn focus(roots: &Roots, wanted: &[String], items: &mut [Item], notes: &mut Vec<Note>) -> Result<(), BadPattern> {
    for name in wanted {
        let target = Target::new(roots, name)?;
        let mut any = false;
        for item in items.iter_mut().filter(|item| item.kind == ItemKind::File) {
            if target.is(&item.path) {
                item.wish.focus = true;
                any = true;
            }
        }
        if !any {
            let note = Note::new(Topic::Empty, format!("`--focus {name}` matches no file that is selected"));
            notes.push(note.hint("`contexture tokens` lists the files; `contexture build PATH --focus PATH` adds one"));
        }
    }
    Ok(())
}

struct Target {
    /// As it would be shown, when it leads into the roots.
    place: Option<String>,
    suffix: String,
    pattern: Option<GlobMatcher>,
}

impl Target {
    fn new(roots: &Roots, name: &str) -> Result<Self, BadPattern> {
        let project = RootedPath { root: 0, rel: PathBuf::new() };
        let place = roots.locate(&project, Path::new(name)).ok().map(|place| roots.display_path(&place));
        let suffix = name.trim_start_matches("./").to_owned();
        let pattern = if is_glob(name) {
            let glob = GlobBuilder::new(&suffix).literal_separator(true).build();
            Some(glob.map_err(|error| BadPattern::new(name, error.to_string()))?.compile_matcher())
        } else {
            None
        };
        Ok(Self { place, suffix, pattern })
    }

    fn is(&self, path: &str) -> bool {
        self.place.as_deref() == Some(path)
            || path == self.suffix
            || path.strip_suffix(&*self.suffix).is_some_and(|before| !self.suffix.is_empty() && before.ends_with('/'))
            || self.pattern.as_ref().is_some_and(|pattern| pattern.is_match(path))
    }
}
