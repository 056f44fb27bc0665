//! An exported tree, read once for all documents of a task.
//!
//! Takes a folder; gives the paths of its regular files and the texts of its sources. Links are not followed.

use contexture_syntax as syntax;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

pub struct Project {
    pub paths: BTreeSet<String>,
    /// Path and text of every file in a language we know, in order of their path.
    pub sources: Vec<(String, String)>,
}

/// Larger sources are data in disguise.
const LARGEST: u64 = 2_000_000;

impl Project {
    pub fn read(root: &Path) -> Result<Self, String> {
        let mut open = vec![root.to_path_buf()];
        let mut paths = BTreeSet::new();
        while let Some(next) = open.pop() {
            let entries = fs::read_dir(&next).map_err(|error| format!("cannot list `{}`: {error}", next.display()))?;
            for entry in entries.flatten().filter(|entry| entry.file_name() != ".git") {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(entry.path()),
                    Ok(kind) if kind.is_file() => {
                        let path = entry.path();
                        let path = path.strip_prefix(root).ok().and_then(Path::to_str);
                        paths.extend(path.map(str::to_owned));
                    }
                    _ => {}
                }
            }
        }
        let sources = paths.iter().filter_map(|path| Some((path.clone(), source(root, path)?))).collect();
        Ok(Self { paths, sources })
    }
}

/// The text of a file, when its name or its first line tells a language.
fn source(root: &Path, path: &str) -> Option<String> {
    let place = root.join(path);
    let known = syntax::language_of(path, "").is_some() || !path.rsplit('/').next().unwrap_or(path).contains('.');
    if !known || place.metadata().ok()?.len() > LARGEST {
        return None;
    }
    let text = String::from_utf8(fs::read(&place).ok()?).ok()?;
    syntax::language_of(path, &text).map(|_| text)
}
