//! Looks for `SKILL.md` below a folder of skills.
//!
//! Takes a root and the name of the folder; gives places in the order of their paths. Opens no file, follows no link to look
//! further below, and stops at bounds: a folder of skills may be any folder.

use crate::names::{dependency_folder, is_version_control};
use crate::roots::{RootedPath, Roots, bytewise, failure};
use contexture_core::{Failure, Note, Topic};
use std::io;
use std::path::{Path, PathBuf};

pub const FILE: &str = "SKILL.md";
/// `skills/a/b/c/d/SKILL.md` is the deepest.
const DEEPEST: usize = 4;
/// How many folders are looked at: more skills than any catalog can hold, and a moment's work.
const MOST: usize = 10_000;

#[derive(Default)]
pub struct Listing {
    pub files: Vec<RootedPath>,
    pub notes: Vec<Note>,
    /// Whether the folder of skills itself is there.
    pub exists: bool,
}

pub fn find(roots: &Roots, top: &str) -> Listing {
    let place = |rel: PathBuf| RootedPath { root: 0, rel };
    let mut found = Listing::default();
    let mut level = vec![PathBuf::from(top)];
    let mut seen = 0;
    for depth in 1..=DEEPEST {
        let mut deeper = Vec::new();
        for folder in level {
            let names = match folders(roots, &place(folder.clone())) {
                Ok(names) => names,
                Err(error) if depth == 1 && is_absent(&error, roots, &folder) => return found,
                Err(error) => {
                    found.exists = true;
                    let place = place(folder);
                    let cause = refusal(roots, &place, &error);
                    found.notes.push(Note::new(Topic::Unread, cause).at(roots.display_path(&place)));
                    continue;
                }
            };
            found.exists = true;
            for (name, is_link) in names {
                seen += 1;
                if seen > MOST {
                    let cause = format!("more than {MOST} folders: the rest is left out");
                    found.notes.push(Note::new(Topic::Reduced, cause).at(top));
                    return sort_listing(found);
                }
                let below = folder.join(name);
                let file = place(below.join(FILE));
                if roots.absolute(&file).symlink_metadata().is_ok() {
                    found.files.push(file);
                } else if !is_link {
                    deeper.push(below);
                }
            }
        }
        level = deeper;
    }
    sort_listing(found)
}

fn sort_listing(mut found: Listing) -> Listing {
    found.files.sort();
    found
}

/// The folders in a folder, by name, and whether each is a link.
fn folders(roots: &Roots, place: &RootedPath) -> io::Result<Vec<(PathBuf, bool)>> {
    let dir = match roots.open_folder(place) {
        Ok(dir) => dir,
        // A link with an absolute target inside of the root must be named from the root.
        Err(error) => roots.open_folder(&roots.real_path(place).ok_or(error)?)?,
    };
    let mut names = Vec::new();
    for entry in dir.entries()? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let name = entry.file_name();
        let is_ours = name.to_str().is_none_or(|name| !is_version_control(name) && dependency_folder(name).is_none());
        if (kind.is_dir() || kind.is_symlink()) && is_ours {
            names.push((PathBuf::from(name), kind.is_symlink()));
        }
    }
    names.sort_by(|(a, _), (b, _)| bytewise(a, b));
    Ok(names)
}

fn is_absent(error: &io::Error, roots: &Roots, folder: &Path) -> bool {
    let absolute = roots.absolute(&RootedPath { root: 0, rel: folder.to_owned() });
    error.kind() == io::ErrorKind::NotFound && absolute.symlink_metadata().is_err()
}

/// A folder that leads outside is refused with the same error as one that may not be entered; where it leads tells them apart.
fn refusal(roots: &Roots, place: &RootedPath, error: &io::Error) -> String {
    match roots.absolute(place).canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => "a link that leads nowhere".to_owned(),
        Err(error) => failure(&error).to_string(),
        Ok(_) if roots.real_path(place).is_none() => Failure::OutsideRoots.to_string(),
        Ok(_) if error.kind() == io::ErrorKind::NotADirectory => "not a folder".to_owned(),
        Ok(_) => failure(error).to_string(),
    }
}
