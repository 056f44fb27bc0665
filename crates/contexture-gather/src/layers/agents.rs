//! `AGENTS.md` the way coding agents read it: from the repository down to a folder.
//!
//! Takes a folder; gives one document for each folder on the way that has one, the repository's first. Never looks above the
//! repository and follows no link out of it; a folder outside of any repository is read alone.

use super::part::{self, LoadedPart, PartContent, PartKind, Parts};
use super::{Document, State};
use crate::names::display_path;
use crate::roots::{self, RootedPath, Roots};
use contexture_core::{Note, Text, Topic};
use std::path::{Path, PathBuf};

/// What all of a chain may hold together, as other agents have it.
pub const CHAIN_CAP: usize = 32 * 1024;

/// In a folder, the first of these that is there counts.
const FILES: [&str; 2] = ["AGENTS.override.md", "AGENTS.md"];

/// Reads the `AGENTS.md` of every folder from the repository down to this one, with notes about what could not be read.
pub fn agents_chain(folder: &Path) -> (Vec<Document>, Vec<Note>) {
    let chain = read(&Parts::new(), folder);
    documents_within_cap(&chain.got, chain.notes, None)
}

#[derive(Default)]
pub struct Chain {
    pub got: Vec<LoadedPart>,
    pub notes: Vec<Note>,
}

/// The files of a chain, whole.
pub fn read(known: &Parts, folder: &Path) -> Chain {
    let mut chain = Chain::default();
    let refused = |cause: String| {
        Note::new(Topic::Unread, format!("`AGENTS.md` of a folder not read: {cause}")).at(folder.display().to_string())
    };
    let opened = folder.canonicalize().map_err(|error| roots::failure(&error)).and_then(|folder| {
        let root = folder.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok()).unwrap_or(&folder);
        let roots = Roots::open(&[root.to_owned()]).map_err(|(_, error)| roots::failure(&error))?;
        let below = folder.strip_prefix(root).map(Path::to_owned).unwrap_or_default();
        Ok((roots, below))
    });
    let (roots, below) = match opened {
        Ok(opened) => opened,
        Err(failure) => {
            chain.notes.push(refused(failure.to_string()));
            return chain;
        }
    };
    let name = roots.project().file_name().map_or_else(|| "/".to_owned(), |name| display_path(Path::new(name)));
    let mut steps: Vec<PathBuf> = below.ancestors().map(Path::to_owned).collect();
    steps.reverse();
    for step in steps {
        for file in FILES {
            let place = RootedPath { root: 0, rel: step.join(file) };
            let path = format!("{name}/{}", roots.display_path(&place));
            let got = part::get(known, &roots, &place, PartKind::Document, path);
            let is_there = matches!(got.part.found, PartContent::Document(_) | PartContent::Nothing("empty"));
            chain.got.push(got);
            if is_there {
                break;
            }
        }
    }
    chain
}

/// The documents of a chain under its cap. A file that the workspace has already given (`except`) is not given again.
pub fn documents_within_cap(
    chain: &[LoadedPart],
    mut notes: Vec<Note>,
    except: Option<crate::read::Identity>,
) -> (Vec<Document>, Vec<Note>) {
    let mut documents = Vec::new();
    let mut left = CHAIN_CAP;
    for LoadedPart { part, .. } in chain {
        let document = match &part.found {
            PartContent::Document(_) if except.is_some() && part.identity == except => continue,
            PartContent::Document(document) => document,
            PartContent::Unusable(cause) => {
                notes.push(Note::new(Topic::Unread, cause.clone()).at(part.path.clone()));
                continue;
            }
            _ => continue,
        };
        notes.extend(part.notes.iter().cloned());
        let reduced = |cause: String| {
            let hint = "move what is rarely needed into files that are read on demand";
            Note::new(Topic::Reduced, cause).at(part.path.clone()).hint(hint)
        };
        if left == 0 {
            notes.push(reduced(format!("left out: the files above it fill {CHAIN_CAP} bytes")));
            continue;
        }
        let text = part::lines_within(&document.text, left);
        match text {
            None => {
                left -= document.text.len();
                documents.push(document.clone());
            }
            Some(text) => {
                left = 0;
                let of = document.text.len();
                notes.push(reduced(format!(
                    "cut at a line after {} of {of} bytes: a chain holds {CHAIN_CAP}",
                    text.len()
                )));
                if !text.trim().is_empty() {
                    documents.push(Document { text: Text::from(text), state: State::Truncated, ..document.clone() });
                }
            }
        }
    }
    (documents, notes)
}
