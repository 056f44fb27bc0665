//! The commits of a history in one order, so that each task sees those before it.

use crate::quality::History;
use contexture_core::{Commit, Past};
use std::collections::BTreeMap;

pub struct Commits {
    /// The newest first.
    all: Vec<(String, Commit)>,
    places: BTreeMap<String, usize>,
}

/// As many as `contexture-gather` reads, and no commits of more files than it takes for one piece of work.
const READ: usize = 1_000;
const MASS: usize = 30;

pub fn read(history: &History) -> Result<Commits, String> {
    let format = "--format=tformat:%x01%H%x02%B%x03";
    let text = history.ask(&[
        "log",
        "--no-merges",
        "--name-only",
        "--no-renames",
        "--no-show-signature",
        format,
        &history.head,
    ])?;
    let mut all = Vec::new();
    for record in text.split('\u{1}').skip(1) {
        let Some((id, rest)) = record.split_once('\u{2}') else { continue };
        let Some((message, paths)) = rest.split_once('\u{3}') else { continue };
        let paths: Vec<String> = paths.lines().filter(|path| !path.is_empty()).map(str::to_owned).collect();
        all.push((id.to_owned(), Commit { message: message.to_owned(), paths }));
    }
    let places = all.iter().enumerate().map(|(place, (id, _))| (id.clone(), place)).collect();
    Ok(Commits { all, places })
}

impl Commits {
    pub fn position(&self, id: &str) -> usize {
        self.places.get(id).copied().unwrap_or(usize::MAX)
    }

    /// What was there before a commit.
    pub fn before(&self, position: usize) -> Past {
        let earlier = self.all.iter().skip(position.saturating_add(1)).take(READ);
        let commits = earlier.map(|(_, commit)| commit).filter(|commit| (1..=MASS).contains(&commit.paths.len()));
        Past { commits: commits.cloned().collect(), ..Past::default() }
    }
}
