//! A file that was renamed though slices of it are marked: the slices tell where it went.
//!
//! Takes items whose file is gone and that have slices; where exactly one file of the project holds the text of all of
//! them, by content hash, the item shows that file, and a note says so. Nothing is guessed: no file, or two, and the item
//! stays an error.

use crate::eligibility::Eligibility;
use crate::read::{self, FileRead};
use crate::roots::{RootedPath, Roots};
use crate::walk::{WalkOptions, walk};
use contexture_core::anchor::holds;
use contexture_core::render::printable;
use contexture_core::{Body, Failure, Item, ItemId, ItemKind, Note, Snapshot, Topic};
use rayon::prelude::*;
use std::path::Path;

/// Files beyond this are not looked into: people mark slices of files that people wrote.
const LARGEST: u64 = 4 << 20;

pub fn follow(
    roots: &Roots,
    eligibility: &Eligibility<'_>,
    threads: usize,
    output_dir: &Path,
    snapshot: &mut Snapshot,
) {
    let Snapshot { items, notes, .. } = snapshot;
    let is_gone = |item: &Item| item.kind == ItemKind::File && matches!(item.body, Body::Failed(Failure::NotFound));
    let is_marked = |item: &Item| item.wish.slices.iter().any(|slice| slice.content_hash.is_some());
    let gone: Vec<&mut Item> = items.iter_mut().filter(|item| is_gone(item) && is_marked(item)).collect();
    if gone.is_empty() {
        return;
    }
    let places = candidates(roots, eligibility, threads, output_dir);
    // Every file is read once, however many items are gone.
    let held: Vec<(usize, String, FileRead)> = places
        .par_iter()
        .flat_map_iter(|place| {
            let got = read::read(roots, place);
            let Body::Text { text, .. } = &got.body else { return Vec::new() };
            let held: Vec<usize> = (0..gone.len())
                .filter(|index| gone.get(*index).is_some_and(|item| holds(&item.wish.slices, text)))
                .collect();
            held.into_iter().map(|index| (index, roots.display_path(place), got.clone())).collect()
        })
        .collect();
    let mut moves = Vec::new();
    for (index, item) in gone.iter().enumerate() {
        let mut here = held.iter().filter(|(which, ..)| *which == index);
        if let (Some((_, path, got)), None) = (here.next(), here.next()) {
            moves.push((item.path.clone(), path.clone(), got.clone()));
        }
    }
    for (old, path, got) in moves {
        let text = format!("it is gone; the text of its slices stands in `{}`", printable(&path));
        let hint = format!("write `{}` in the composition", printable(&path));
        let note = Note::new(Topic::Setting, text).at(&old).hint(hint);
        // Where the other file is shown already, for itself, the entry stays an error and the note says why.
        let is_shown = items.iter().any(|item| item.path == path);
        if let Some(item) = items.iter_mut().find(|item| item.path == old && !is_shown) {
            notes.retain(|note| note.topic != Topic::Unread || note.path.as_deref() != Some(&old));
            item.id = ItemId(path.as_str().into());
            item.path = path;
            (item.body, item.hash, item.size, item.modified) = (got.body, got.hash, got.size, got.modified);
        }
        notes.push(note);
    }
}

/// The files a renamed one could be: those a walk finds and nothing keeps out.
fn candidates(roots: &Roots, eligibility: &Eligibility<'_>, threads: usize, output_dir: &Path) -> Vec<RootedPath> {
    let options = WalkOptions { threads, output_dir: Some(output_dir), ..WalkOptions::default() };
    let all = roots.iter().flat_map(|(root, folder)| {
        walk(folder, &folder.path, &options).files.into_iter().map(move |rel| RootedPath { root, rel })
    });
    all.filter(|place| eligibility.refusal(place).is_none())
        .filter(|place| roots.absolute(place).metadata().is_ok_and(|data| data.len() <= LARGEST))
        .collect()
}
