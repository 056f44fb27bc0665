//! Real repositories in temporary folders, made by the real `git` in an environment of their own.

mod hostile;
mod places;
mod reading;

use super::*;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

pub struct Fixture {
    _temp: tempfile::TempDir,
    /// Canonical, as the temporary folder itself may be a link.
    pub top: PathBuf,
}

impl Fixture {
    /// A repository `repo` in a new folder, without commits.
    pub fn new() -> Self {
        Self::with_format("sha1")
    }

    pub fn with_format(format: &str) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap().join("repo");
        fs::create_dir(&top).unwrap();
        let fixture = Self { _temp: temp, top };
        fixture.git(&["init", "--quiet", "--initial-branch=main", &format!("--object-format={format}")]);
        fixture
    }

    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let file = self.top.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.top, args)
    }

    pub fn git_in(&self, dir: &Path, args: &[&str]) -> String {
        let output = plain_git(dir).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    pub fn repo(&self) -> Repo {
        Repo::discover(&self.top).unwrap()
    }

    /// What a listing holds, one path per line.
    pub fn paths(&self, root: &Path) -> String {
        let tree = Repo::discover(root).unwrap().tree("HEAD").unwrap();
        tree.keys().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// A folder beside the repository.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.top.parent().unwrap().join(name)
    }
}

impl Repo {
    /// Any question to git fails from here on.
    pub fn forget_git(&mut self) {
        self.git.forget();
    }
}

/// Git as a person has it, without that person's settings: what the repository configures does run here.
pub fn plain_git(dir: &Path) -> Command {
    let mut git = Command::new("git");
    git.env_clear().current_dir(dir).env("PATH", std::env::var_os("PATH").unwrap());
    git.envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("HOME", "/nonexistent")]);
    git.envs([("GIT_AUTHOR_NAME", "Test"), ("GIT_AUTHOR_EMAIL", "test@example.org")]);
    git.envs([("GIT_COMMITTER_NAME", "Test"), ("GIT_COMMITTER_EMAIL", "test@example.org")]);
    git.envs([("GIT_AUTHOR_DATE", "2026-01-02T03:04:05+02:00"), ("GIT_COMMITTER_DATE", "2026-01-02T03:04:05+02:00")]);
    git
}
