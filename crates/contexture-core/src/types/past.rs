//! What a version history says about files.

use std::collections::BTreeMap;

/// Which files were changed together and why, and which are being changed, by the paths of items. A help for ranking: nothing else
/// rests on it, and there may be none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Past {
    /// The newest first.
    pub commits: Vec<Commit>,
    /// What differs from the last commit, new files too.
    pub open: Vec<String>,
    /// The commit that is checked out.
    pub head: Option<String>,
    /// The changed lines of each file since the revision that a diff starts from, in its current text: the first and the last, counted
    /// from 1. Where lines were only removed, the lines around the place.
    pub changed: BTreeMap<String, Vec<(u64, u64)>>,
}

/// What was done at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Commit {
    pub message: String,
    /// The files that it touched.
    pub paths: Vec<String>,
}
