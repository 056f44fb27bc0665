//! Where the repository of a root is, and whether it is that root's own.
//!
//! Takes a canonical root; gives the top of its work tree and its git folder, or why that folder is not read. A folder
//! of unknown origin may carry a `.git` that leads to someone else's objects; following it would bring text from
//! outside the root into the output. So whatever leads away must be confirmed by the place it leads to, which only git
//! itself or the owner could have written.

use super::GitError;
use super::child::Git;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct RepoLocation {
    pub top: PathBuf,
    pub git_dir: PathBuf,
    /// Where refs and objects are: the git folder itself, but for a linked work tree.
    pub common: PathBuf,
    /// A submodule's git folder says in its configuration which folder it belongs to; it must be this one.
    pub must_point_back: Option<PathBuf>,
    /// Whether objects may come from another repository.
    pub borrows: bool,
}

pub fn find(root: &Path) -> Result<RepoLocation, GitError> {
    for dir in root.ancestors() {
        let dot_git = dir.join(".git");
        let kind = match fs::symlink_metadata(&dot_git) {
            Ok(meta) => meta.file_type(),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
            Err(_) => return Err(GitError::Refused("its `.git` cannot be looked at")),
        };
        if kind.is_symlink() {
            return Err(GitError::Refused("its `.git` is a link"));
        }
        // Git, too, passes by a folder called `.git` that holds no repository.
        if kind.is_dir() && !is_repository(&dot_git) {
            continue;
        }
        if dir != root && !same_owner(&dot_git, root) {
            return Err(GitError::Refused("its `.git` lies above the root and belongs to another user"));
        }
        if kind.is_dir() {
            let borrows = check_store(&dot_git)?;
            let (top, common) = (dir.to_owned(), dot_git.clone());
            return Ok(RepoLocation { top, common, git_dir: dot_git, must_point_back: None, borrows });
        }
        return follow(dir, &dot_git);
    }
    Err(GitError::NoRepository)
}

/// A submodule's `core.worktree` must lead back to the folder we came from.
pub fn check_submodule(git: &Git, dir: &Path) -> Result<(), GitError> {
    let reply = git.run("config", ["--no-includes", "--get", "core.worktree"], Vec::new())?;
    let back = String::from_utf8_lossy(&reply.stdout).trim_end_matches('\n').to_owned();
    if reply.ok && !back.is_empty() && git.git_dir().join(back).canonicalize().is_ok_and(|back| back == dir) {
        return Ok(());
    }
    Err(GitError::Refused("its `.git` names the git folder of another work tree"))
}

/// A `.git` that is a file: a linked work tree or a submodule.
fn follow(dir: &Path, dot_git: &Path) -> Result<RepoLocation, GitError> {
    let git_dir = pointer(dot_git, "gitdir: ").ok_or(GitError::Refused("its `.git` file leads nowhere"))?;
    if let Some(common) = linked_from(&git_dir, dot_git) {
        let borrows = check_store(&common)?;
        return Ok(RepoLocation { top: dir.to_owned(), git_dir, common, must_point_back: None, borrows });
    }
    let above = dir.ancestors().skip(1).filter_map(|above| own_git_dir(&above.join(".git")));
    if above.map(|owner| owner.join("modules")).any(|modules| git_dir.starts_with(modules)) {
        let borrows = check_store(&git_dir)?;
        let must_point_back = Some(dir.to_owned());
        return Ok(RepoLocation { top: dir.to_owned(), common: git_dir.clone(), git_dir, must_point_back, borrows });
    }
    Err(GitError::Refused("its `.git` file leads outside"))
}

/// The main git folder, if `git_dir` is its record of the linked work tree that `dot_git` stands in. The record must lie
/// in `worktrees/` of the very folder it shares, so that nobody else could have written it, and must name `dot_git`.
fn linked_from(git_dir: &Path, dot_git: &Path) -> Option<PathBuf> {
    let common = pointer(&git_dir.join("commondir"), "")?;
    let here = pointer(&git_dir.join("gitdir"), "")?;
    let recorded = git_dir.parent()? == common.join("worktrees") && !is_link(&git_dir.join("HEAD"));
    (recorded && here == dot_git.canonicalize().ok()?).then_some(common)
}

/// The git folder of a work tree above a submodule, if it is plain or a genuine link.
fn own_git_dir(dot_git: &Path) -> Option<PathBuf> {
    let kind = fs::symlink_metadata(dot_git).ok()?.file_type();
    if kind.is_dir() {
        return dot_git.canonicalize().ok();
    }
    let git_dir = kind.is_file().then(|| pointer(dot_git, "gitdir: "))??;
    linked_from(&git_dir, dot_git).map(|_| git_dir)
}

/// The path a small file of git's holds, canonical; relative ones count from the file's folder.
fn pointer(file: &Path, label: &str) -> Option<PathBuf> {
    let mut text = String::new();
    // Paths end at 4,096 bytes on Linux. A regular file only: opening a pipe would wait for its writer.
    let meta = fs::symlink_metadata(file).ok()?;
    if !meta.is_file() || meta.len() > 8192 {
        return None;
    }
    fs::File::open(file).ok()?.take(8192).read_to_string(&mut text).ok()?;
    let path = text.strip_prefix(label)?.trim_end_matches(['\n', '\r']);
    file.parent()?.join(path).canonicalize().ok()
}

fn is_repository(git_dir: &Path) -> bool {
    let has = |name: &str| git_dir.join(name).symlink_metadata().is_ok();
    has("HEAD") && has("objects") && has("refs")
}

/// A git folder must hold its own refs and objects: a link or a shared folder would show another repository's text under
/// this root's name. So would a borrowed object store; whether there is one is told.
fn check_store(git_dir: &Path) -> Result<bool, GitError> {
    let own = [
        "HEAD",
        "config",
        "config.worktree",
        "objects",
        "refs",
        "packed-refs",
        "reftable",
        "shallow",
        "worktrees",
        "modules",
    ];
    if own.iter().any(|name| is_link(&git_dir.join(name))) {
        return Err(GitError::Refused("a part of its git folder is a link"));
    }
    let files = ["HEAD", "config", "config.worktree", "packed-refs", "shallow", "index", "objects/info/commit-graph"];
    if files.iter().any(|name| git_dir.join(name).symlink_metadata().is_ok_and(|meta| !meta.is_file())) {
        return Err(GitError::Refused("a part of its git folder is a pipe or a folder where a file belongs"));
    }
    if git_dir.join("commondir").symlink_metadata().is_ok() {
        return Err(GitError::Refused("its git folder shares that of another repository"));
    }
    let objects = git_dir.join("objects");
    let alternates = objects.join("info").join("alternates");
    if [&objects, &objects.join("pack")].into_iter().any(|dir| holds_link(dir)) {
        return Err(GitError::Refused("a part of its objects is a link"));
    }
    Ok(alternates.symlink_metadata().is_ok_and(|meta| !meta.is_file() || meta.len() > 0))
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_symlink())
}

fn holds_link(dir: &Path) -> bool {
    let Ok(entries) = fs::read_dir(dir) else { return false };
    entries.flatten().any(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()))
}

/// A repository above the root must be of whoever owns the root or runs this: anyone may put one into `/tmp`.
#[cfg(unix)]
fn same_owner(dot_git: &Path, root: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = |path: &Path| fs::symlink_metadata(path).ok().map(|meta| meta.uid());
    let found = owner(dot_git);
    found.is_some() && (found == owner(root) || found == Some(rustix::process::geteuid().as_raw()))
}

#[cfg(not(unix))]
fn same_owner(_: &Path, _: &Path) -> bool {
    true
}
