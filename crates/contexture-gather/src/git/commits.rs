//! Which files were changed together, commit by commit.
//!
//! Takes a commit; gives the paths that it and the commits before it touched, newest first. Times, authors and subjects
//! are not asked for: order is all that a reader of this may use.

use super::child::Git;
use super::{GitError, Repo, objects};
use std::ffi::OsString;
use std::time::Duration;

/// Commits that are looked at. A thousand are months of a busy project: what was changed together before that has mostly
/// been rewritten since, and each further thousand costs as much again (50 to 350 ms on projects of 2,000 to 38,000 files).
const COMMITS: usize = 1_000;

/// A commit that touches more is a move, an import or a new licence header, and relates everything to everything.
pub const MASS: usize = 30;

/// A thousand commits take some 300 KB. One that imports a whole tree takes megabytes, and a few of those may pass;
/// what lies behind them is not waited for.
const OUTPUT_CAP: u64 = 32 * 1024 * 1024;

/// Thirty times what the slowest measured project needs. Ranking goes on without.
const PATIENCE: Duration = Duration::from_secs(10);

/// Everything a repository's settings could change is said here.
const OPTIONS: [&str; 17] = [
    "-z",
    "--name-status",
    "--no-merges",
    "--root",
    "--no-color",
    "--no-decorate",
    "--no-notes",
    "--no-mailmap",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-relative",
    "--ignore-submodules=all",
    // An empty order file instead of one the repository names.
    "-O/dev/null",
    "--encoding=UTF-8",
    "--format=tformat:%H",
];

impl Repo {
    /// The paths below the root that each commit touched, sorted; newest commit first. Merges, commits that touch more
    /// than [`MASS`] files and those that touch nothing below the root are left out.
    pub fn changed_together(&self, head: &str) -> Result<Vec<Vec<String>>, GitError> {
        let mut args: Vec<OsString> = OPTIONS.map(OsString::from).to_vec();
        // No path is named: with one, git would search all history for commits that touch it.
        args.extend([format!("--max-count={COMMITS}").into(), "--end-of-options".into(), head.into(), "--".into()]);
        let reply = self.hurried().run_up_to(OUTPUT_CAP, "log", args, Vec::new())?;
        let cut = reply.cut;
        Ok(self.read_commits(&reply.or_fail("log")?, cut))
    }

    /// Git for what a run can do without.
    pub(super) fn hurried(&self) -> Git {
        let mut git = self.git.clone();
        git.patience = git.patience.min(PATIENCE);
        git
    }

    pub(super) fn read_commits(&self, listing: &[u8], cut: bool) -> Vec<Vec<String>> {
        let mut commits: Vec<Commit> = Vec::new();
        let mut fields = listing.split(|byte| *byte == 0);
        // Where a commit or a status stands, a commit is known by its full id; a status has one letter.
        while let Some(field) = fields.next() {
            let word = field.trim_ascii_start();
            if std::str::from_utf8(word).is_ok_and(objects::is_oid) {
                commits.push(Commit::default());
            } else if !word.is_empty()
                && let (Some(path), Some(commit)) = (fields.next(), commits.last_mut())
            {
                commit.touched += 1;
                if commit.touched <= MASS {
                    commit.paths.extend(self.below_root(path));
                }
            }
        }
        if cut {
            // Its list may go on behind the cut.
            commits.pop();
        }
        let wanted = commits.into_iter().filter(|commit| commit.touched <= MASS && !commit.paths.is_empty());
        wanted.map(Commit::sorted).collect()
    }
}

#[derive(Default)]
struct Commit {
    /// Below the root or not.
    touched: usize,
    paths: Vec<String>,
}

impl Commit {
    fn sorted(mut self) -> Vec<String> {
        self.paths.sort_unstable();
        self.paths.dedup();
        self.paths
    }
}
