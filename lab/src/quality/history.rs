//! A public history: its commits, what they changed, and its files as they were.
//!
//! Takes a git directory or a work tree; gives commits, patches, texts and exported trees. Git runs without the settings of
//! the person and the machine, fetches nothing and writes only into the exported tree. No choice is made here.

use crate::proc;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository up to one commit.
pub struct History {
    /// For tables: `owner/name`, or the name of the folder.
    pub name: String,
    pub head: String,
    /// Only so many of the last commits.
    pub recent: Option<usize>,
    git: PathBuf,
}

/// A commit with one parent.
pub struct Commit {
    pub id: String,
    pub parent: String,
    pub message: String,
}

/// A path that a commit added (`A`), changed (`M`), removed (`D`) or turned into another kind of thing (`T`).
pub struct Change {
    pub status: char,
    pub path: String,
}

impl History {
    /// `DIR`, or `DIR@REVISION` for a history that ends earlier than its head.
    pub fn open(place: &str) -> Result<Self, String> {
        let (folder, revision) = match place.rsplit_once('@') {
            Some((folder, revision)) if !Path::new(place).exists() => (folder, revision),
            _ => (place, "HEAD"),
        };
        let folder = std::path::absolute(folder).map_err(|error| format!("`{folder}`: {error}"))?;
        let inner = folder.join(".git");
        let git = if inner.exists() { inner } else { folder.clone() };
        let mut history = Self { name: name(&folder), head: String::new(), recent: None, git };
        let head = history.ask(&["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")]);
        history.head = head.map_err(|cause| format!("no history at `{place}`: {cause}"))?.trim().to_owned();
        Ok(history)
    }

    /// All commits with exactly one parent, in the order of their ids: a shuffle that is always the same.
    pub fn commits(&self) -> Result<Vec<Commit>, String> {
        let format = "--format=tformat:%H%x00%P%x00%B%x00";
        let words = ["log", "--min-parents=1", "--max-parents=1", "--no-show-signature", "--encoding=UTF-8", format];
        let recent = self.recent.map(|count| format!("--max-count={count}"));
        let last: Vec<&str> = recent.as_deref().into_iter().chain([self.head.as_str()]).collect();
        let text = self.ask(&[&words[..], &last].concat())?;
        let mut fields = text.split('\0');
        let mut commits = Vec::new();
        while let (Some(id), Some(parent), Some(message)) = (fields.next(), fields.next(), fields.next()) {
            commits.push(Commit {
                id: id.trim().to_owned(),
                parent: parent.trim().to_owned(),
                message: message.to_owned(),
            });
        }
        commits.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        Ok(commits)
    }

    /// What a commit did to which paths; a renamed file is one removed and one added.
    pub fn changes(&self, commit: &Commit) -> Result<Vec<Change>, String> {
        let Commit { id, parent, .. } = commit;
        let text = self.ask(&["diff-tree", "-r", "-z", "--no-renames", "--name-status", parent, id])?;
        let mut fields = text.split('\0');
        let mut changes = Vec::new();
        while let (Some(status), Some(path)) = (fields.next(), fields.next()) {
            changes.push(Change { status: status.chars().next().unwrap_or('?'), path: path.to_owned() });
        }
        Ok(changes)
    }

    /// The patch of one path without context lines. How lines are matched is said, so that no setting decides it.
    pub fn patch(&self, commit: &Commit, path: &str) -> Result<String, String> {
        let how = ["-p", "-U0", "--inter-hunk-context=0", "--histogram", "--indent-heuristic", "--no-renames"];
        let plain = ["--no-ext-diff", "--no-textconv", "--no-color"];
        let Commit { id, parent, .. } = commit;
        self.ask(&[&["diff-tree"], &how[..], &plain[..], &[parent, id, "--", path]].concat())
    }

    /// A file as it was before a commit.
    pub fn before(&self, commit: &Commit, path: &str) -> Result<String, String> {
        self.ask(&["cat-file", "blob", &format!("{}:{path}", commit.parent)])
    }

    /// Puts the tree of a commit into an empty folder, as a repository whose history ends there: its objects are borrowed,
    /// and what came later cannot be reached. Blobs that the git directory lacks (snapshots leave out large ones) are absent.
    pub fn export(&self, commit: &str, folder: &Path) -> Result<(), String> {
        let git = folder.join(".git");
        for part in ["objects/info", "refs/heads"] {
            make(&git.join(part))?;
        }
        let objects = self.ask(&["rev-parse", "--path-format=absolute", "--git-path", "objects"])?;
        write(&git.join("objects/info/alternates"), &objects)?;
        write(&git.join("HEAD"), &format!("{commit}\n"))?;
        let run = |words: &[&str]| {
            let mut command = hermetic();
            command.current_dir(folder).arg("--git-dir").arg(&git).arg("--work-tree").arg(folder).args(words);
            proc::capture(&mut command)
        };
        run(&["read-tree", commit])?;
        if run(&["checkout-index", "--all", "--force", "--quiet", "--index"]).is_err() {
            // What is absent must not look like an open change.
            let absent = run(&["ls-files", "--deleted", "-z"])?;
            let absent: Vec<&str> = absent.split('\0').filter(|path| !path.is_empty()).collect();
            for some in absent.chunks(500) {
                run(&[&["update-index", "--skip-worktree", "--"], some].concat())?;
            }
        }
        Ok(())
    }

    pub fn ask(&self, words: &[&str]) -> Result<String, String> {
        proc::capture(&mut self.git(words))
    }

    /// Git with these words, to be started.
    pub fn git(&self, words: &[&str]) -> Command {
        let mut git = hermetic();
        git.arg("--git-dir").arg(&self.git).arg("--literal-pathspecs").args(words);
        git
    }
}

/// Git without any settings but those of the repository itself, and without a way out.
fn hermetic() -> Command {
    let mut git = Command::new("git");
    git.env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_ATTR_NOSYSTEM", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .args(["--no-pager", "--no-replace-objects"]);
    git
}

/// The name of a clone: its folder, or the one above when that is only `repo` or `.git`. Mirrors write `owner+name`.
fn name(folder: &Path) -> String {
    let parts: Vec<String> = folder.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let own = parts.iter().rev().find(|part| !["repo", ".git", ".", "/"].contains(&part.as_str()));
    let own = own.map_or("history", |part| part.strip_suffix(".git").unwrap_or(part));
    own.replacen('+', "/", 1)
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}
