//! Trees on disk: rules, hostile input, processes that are killed, and a model in memory that must agree.
#![allow(clippy::unwrap_used)]

mod agree;
mod hostile;
mod leaks;
mod machine;
mod model;
mod processes;
mod rules;
mod words;

use contexture_conversations::loom::{Loom, LoomError, NewNode, NewTree, PathQuery};
use contexture_core::{AuthorType, LoomNode, TreeMode};
use contexture_testkit::cases;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use words::*;

struct Place {
    _dir: TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("data/loom.sqlite");
        Self { _dir: dir, path }
    }

    fn open(&self) -> Loom {
        Loom::open(&self.path, NOW).unwrap()
    }

    /// For tests that write a million times.
    fn open_hasty(&self) -> Loom {
        Loom::open_hasty(&self.path, NOW).unwrap()
    }
}

fn files(path: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
