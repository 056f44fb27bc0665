//! Conversations that fork: the way from a leaf back to where it began.

use std::collections::BTreeMap;

use super::super::error::{Fault, Result};
use super::super::tally::Tally;
use contexture_core::{Note, Topic};

/// Ids and parents of the entries, in the order of the file.
#[derive(Default)]
pub(super) struct Tree {
    ids: Vec<String>,
    by_id: BTreeMap<String, usize>,
    parents: Vec<Option<String>>,
}

impl Tree {
    /// Entries are numbered in the order they come. An id that comes twice means its later entry: programs write an entry
    /// again when they move it.
    pub fn add(&mut self, id: String, parent: Option<String>) {
        self.by_id.insert(id.clone(), self.ids.len());
        self.ids.push(id);
        self.parents.push(parent);
    }

    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The entry that was asked for, by its id or the beginning of it that no other has; else the given one.
    pub fn leaf(&self, asked: Option<&str>, usual: Option<usize>) -> Result<Option<usize>> {
        let Some(asked) = asked else { return Ok(usual) };
        let mut beginning = self.by_id.range(asked.to_string()..).take_while(|(id, _)| id.starts_with(asked));
        match (self.find(asked), beginning.next(), beginning.next()) {
            (Some(index), ..) | (None, Some((_, &index)), None) if !asked.is_empty() => Ok(Some(index)),
            _ => Err(Fault::Leaf { wanted: asked.into(), known: self.leaves() }.into()),
        }
    }

    /// From the root to the leaf. Where a parent is missing, the entry before in the file is taken for it, so that one lost
    /// line does not cost all that was said before it; `skips` tells which entries cannot be that. Both that and a circle
    /// are told.
    pub fn path(&self, leaf: usize, skips: impl Fn(usize) -> bool, tally: &mut Tally) -> Vec<usize> {
        let mut seen = vec![false; self.ids.len()];
        let mut path = Vec::new();
        let mut missing = 0;
        // For each entry the one before it that may stand in for a parent.
        let before: Vec<Option<usize>> = (0..self.ids.len())
            .scan(None, |last, index| {
                let before = *last;
                *last = if skips(index) { *last } else { Some(index) };
                Some(before)
            })
            .collect();
        let mut next = Some(leaf);
        while let Some(index) = next {
            match seen.get_mut(index) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    let text = "entries are their own parents: the conversation begins behind the circle";
                    tally.note(Note::new(Topic::Unread, text));
                    break;
                }
            }
            path.push(index);
            next = match self.parents.get(index).and_then(Option::as_deref) {
                None => None,
                Some(parent) => self.find(parent).or_else(|| {
                    missing += 1;
                    before.get(index).copied().flatten()
                }),
            };
        }
        if missing > 0 {
            let text = format!("parents are missing: {missing}: the entry before each in the file is taken for it");
            tally.note(Note::new(Topic::Unread, text));
        }
        path.reverse();
        path
    }

    /// Ids without children, the latest first.
    fn leaves(&self) -> Vec<String> {
        let mut inner = vec![false; self.ids.len()];
        for parent in self.parents.iter().flatten() {
            if let Some(inner) = self.find(parent).and_then(|index| inner.get_mut(index)) {
                *inner = true;
            }
        }
        let ids = self.ids.iter().zip(inner).rev();
        ids.filter(|(_, inner)| !inner).map(|(id, _)| id.clone()).collect()
    }
}
