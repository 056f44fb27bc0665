//! Conversations that branch, on disk: a store of trees, and files of other programs.
//!
//! Takes words of people (ids, titles) and records; gives records, paths through trees and whole trees. What is written
//! is whole, checked and on disk when a call returns, or nothing of it is there.

mod add;
mod agents;
mod aside;
mod blocks;
mod bundle;
pub mod columns;
mod edit;
mod error;
pub mod formats;
mod insert;
mod lookup;
mod marks;
mod memory;
mod names;
mod outline;
mod paths;
mod records;
mod repair;
mod snapshot;
mod sqlite;
pub mod store;
mod trees;
mod verify;
mod walk;

pub use add::NewNode;
pub use agents::AgentChange;
pub use error::{Fault, LoomError, LoomErrorKind};
pub use lookup::{Neighbour, Neighbours};
pub use memory::{Connections, TreeMemory};
pub use names::TreeNode;
pub use outline::OutlineRow;
pub use repair::{Repaired, repair};
pub use snapshot::{Around, snapshot};
pub use store::Seq;
pub use trees::{NewTree, TreeChange, TreeInfo};
pub use verify::{Problem, Verified};
pub use walk::{HiddenReason, PathQuery, PathStep, StepRole, WalkedPath};

use contexture_core::Action;
use std::path::{Path, PathBuf};
use store::{Result, Rows, Store, Work};

/// Older ones are not looked at by anybody.
const ACTIONS: usize = 64;

/// A store of trees. All rules are kept here, whatever database is below.
pub struct Loom {
    store: Box<dyn Store>,
    path: PathBuf,
    /// Milliseconds since the epoch: when the next records are written.
    now: i64,
}

impl Loom {
    /// Opens the store in a file, making it when it is not there.
    pub fn open(path: &Path, now: i64) -> Result<Self> {
        Self::open_as(path, now, true, true)
    }

    /// Only a store that is there. Nothing is made.
    pub fn open_existing(path: &Path, now: i64) -> Result<Self> {
        Self::open_as(path, now, false, true)
    }

    /// Without waiting for the disk, for tests that write a million times.
    #[doc(hidden)]
    pub fn open_hasty(path: &Path, now: i64) -> Result<Self> {
        Self::open_as(path, now, true, false)
    }

    /// The rules of trees over a database that somebody else opened. `name` is what errors call it.
    pub fn over(store: Box<dyn Store>, name: &str, now: i64) -> Self {
        Self { store, path: name.into(), now }
    }

    fn open_as(path: &Path, now: i64, make: bool, is_durable: bool) -> Result<Self> {
        let store = sqlite::Sqlite::open(path, make, is_durable).map_err(|error| match error.fault {
            Fault::NoStore(_) => error,
            _ => error.at(path),
        })?;
        Ok(Self { store: Box::new(store), path: path.into(), now })
    }

    /// The time has gone on.
    pub fn set_now(&mut self, now: i64) {
        self.now = now;
    }

    fn read<T>(&mut self, work: impl FnOnce(&mut dyn Rows) -> Result<T>) -> Result<T> {
        result_of(work, |work| self.store.read(work), &self.path)
    }

    /// `work` is told when its records are written.
    fn write<T>(&mut self, work: impl FnOnce(&mut dyn Rows, i64) -> Result<T>) -> Result<T> {
        let now = self.now;
        result_of(|rows| work(rows, now), |work| self.store.write(work), &self.path)
    }
}

fn result_of<T>(
    work: impl FnOnce(&mut dyn Rows) -> Result<T>,
    run: impl FnOnce(Work<'_>) -> Result<()>,
    path: &Path,
) -> Result<T> {
    let (mut work, mut result) = (Some(work), None);
    let done = run(&mut |rows| {
        result = work.take().map(|work| work(rows)).transpose()?;
        Ok(())
    });
    // The file is named where it is the matter, not where a word of a person is.
    done.map_err(|error| match error.fault {
        Fault::Damaged(_) | Fault::Store(_) | Fault::Busy | Fault::Newer | Fault::Io { .. } => error.at(path),
        _ => error,
    })?;
    result.ok_or_else(|| Fault::Store("nothing was done".into()).into())
}

/// Remembers what was done, in the same transaction.
fn acted(rows: &mut dyn Rows, tree: Seq, at: i64, text: String) -> Result<()> {
    rows.add_action(tree, &Action { at, text }, ACTIONS)
}

/// The same for what was done with a node.
fn did(rows: &mut dyn Rows, tree: Seq, at: i64, verb: &str, node: Seq) -> Result<()> {
    let text = format!("{verb} {}", records::local(rows, node)?);
    acted(rows, tree, at, text)
}

/// A new id; without random bits nothing can be written.
fn new_id() -> Result<String> {
    fresh().map_err(|cause| Fault::Io { what: "make an id", cause }.into())
}

/// Crockford's letters: none of them looks like another.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// An id that no other record anywhere has: 130 random bits. A time in it would make those of one moment alike: short ids are its
/// beginning.
pub fn fresh() -> std::io::Result<String> {
    let mut bytes = [0; 26];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words_of_their_own() {
        let (one, other) = (fresh().unwrap(), fresh().unwrap());
        assert_eq!(one.len(), 26);
        assert_ne!(one[..13], other[..13]);
        assert!(one.bytes().all(|byte| LETTERS.contains(&byte)));
    }
}
