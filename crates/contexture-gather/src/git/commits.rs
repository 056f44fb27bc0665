//! Which files were changed together, commit by commit, and what was said about it.
//!
//! Takes a commit; gives the messages of it and the commits before it with the paths they touched, newest first. Times and
//! authors are not asked for: order is all that a reader of this may use.

use super::child::{Git, PLAIN_LOG};
use super::{GitError, Repo, objects};
use contexture_core::Commit;
use std::ffi::OsString;
use std::time::Duration;

/// Commits that are looked at. A thousand are months of a busy project: what was changed together before that has mostly
/// been rewritten since, and each further thousand costs as much again (50 to 350 ms on projects of 2,000 to 38,000 files).
const COMMITS: usize = 1_000;

/// A commit that touches more is a move, an import or a new licence header, and relates everything to everything.
pub const MASS: usize = 30;

/// A message that goes on for longer is a list of all that a branch did.
const MESSAGE: usize = 2_000;

/// A thousand commits take some 500 KB. One that imports a whole tree takes megabytes, and a few of those may pass;
/// what lies behind them is not waited for.
const OUTPUT_CAP: u64 = 32 * 1024 * 1024;

/// Thirty times what the slowest measured project needs. Ranking goes on without.
const PATIENCE: Duration = Duration::from_secs(10);

/// Which commits, and what of each.
const OPTIONS: [&str; 5] =
    ["--name-status", "--no-merges", "--root", "--ignore-submodules=all", "--format=tformat:%H%x00%B"];

impl Repo {
    /// What each commit said and the paths below the root that it touched, sorted; newest commit first. Merges, commits that touch more
    /// than `MASS` (30) files and those that touch nothing below the root are left out.
    pub fn commits(&self, head: &str) -> Result<Vec<Commit>, GitError> {
        let mut args: Vec<OsString> = PLAIN_LOG.iter().chain(&OPTIONS).map(OsString::from).collect();
        // No path is named: with one, git would search all history for commits that touch it.
        args.extend([format!("--max-count={COMMITS}").into(), "--end-of-options".into(), head.into(), "--".into()]);
        let reply = self.with_short_patience().run_up_to(OUTPUT_CAP, "log", args, Vec::new())?;
        let cut = reply.cut;
        Ok(self.read_commits(&reply.or_fail("log")?, cut))
    }

    /// Git for what a run can do without.
    pub(super) fn with_short_patience(&self) -> Git {
        let mut git = self.git.clone();
        git.patience = git.patience.min(PATIENCE);
        git
    }

    pub(super) fn read_commits(&self, listing: &[u8], cut: bool) -> Vec<Commit> {
        let mut commits: Vec<CommitDraft> = Vec::new();
        let mut fields = listing.split(|byte| *byte == 0);
        // Where a commit or a status stands, a commit is known by its full id; a status has one letter. Behind the one stands
        // a message, behind the other a path.
        while let Some(field) = fields.next() {
            let word = field.trim_ascii_start();
            if std::str::from_utf8(word).is_ok_and(objects::is_oid) {
                commits
                    .push(CommitDraft { message: short(fields.next().unwrap_or_default()), ..CommitDraft::default() });
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
        wanted.map(CommitDraft::into_commit).collect()
    }
}

fn short(message: &[u8]) -> String {
    String::from_utf8_lossy(message.get(..MESSAGE).unwrap_or(message)).trim_end().to_owned()
}

#[derive(Default)]
struct CommitDraft {
    message: String,
    /// Below the root or not.
    touched: usize,
    paths: Vec<String>,
}

impl CommitDraft {
    fn into_commit(mut self) -> Commit {
        self.paths.sort_unstable();
        self.paths.dedup();
        Commit { message: self.message, paths: self.paths }
    }
}
