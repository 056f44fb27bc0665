//! What a version history says about files.

/// Which files were changed together and which are being changed, by the paths of items. A help for ranking: nothing else
/// rests on it, and there may be none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Past {
    /// The files that each commit touched, the newest commit first.
    pub together: Vec<Vec<String>>,
    /// What differs from the last commit, new files too.
    pub open: Vec<String>,
}
