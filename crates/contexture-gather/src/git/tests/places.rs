//! Which repositories are read, and which are refused because they lead elsewhere.

use super::*;
use std::os::unix::fs::symlink;

fn refusal(root: &Path) -> &'static str {
    match Repo::discover(root) {
        Err(GitError::Refused(reason)) => reason,
        other => panic!("not refused: {other:?}"),
    }
}

fn committed() -> Fixture {
    let fixture = Fixture::new();
    fixture.write("secret", "not yours\n");
    fixture.commit("one");
    fixture
}

#[test]
fn no_repository() {
    let temp = tempfile::tempdir().unwrap();
    assert_eq!(Repo::discover(temp.path()).unwrap_err(), GitError::NoRepository);
    assert_eq!(Repo::discover(&temp.path().join("missing")).unwrap_err(), GitError::NoRepository);
    // A folder called `.git` that is none does not hide the repository above.
    let fixture = committed();
    fs::create_dir_all(fixture.top.join("sub/.git")).unwrap();
    fixture.write("sub/file", "x");
    fixture.git(&["add", "sub/file"]);
    fixture.git(&["commit", "--quiet", "-m", "sub"]);
    assert_eq!(fixture.paths(&fixture.top.join("sub")), "file");
}

#[test]
fn linked_work_trees_are_read() {
    let fixture = committed();
    let linked = fixture.beside("linked");
    fixture.git(&["worktree", "add", "--quiet", linked.to_str().unwrap(), "-b", "side"]);
    fs::write(linked.join("more"), "m").unwrap();
    fixture.git_in(&linked, &["add", "more"]);
    fixture.git_in(&linked, &["commit", "--quiet", "-m", "side"]);
    assert_eq!(fixture.paths(&linked), "more\nsecret");
    assert_eq!(fixture.paths(&fixture.top), "secret");
    // A copy of the linked work tree is not the one the repository knows.
    let copy = fixture.beside("copy");
    fs::create_dir(&copy).unwrap();
    fs::copy(linked.join(".git"), copy.join(".git")).unwrap();
    assert_eq!(refusal(&copy), "its `.git` file leads outside");
}

#[test]
fn submodules_are_read_and_only_from_their_own_folder() {
    let fixture = committed();
    let library = committed();
    let url = library.top.to_str().unwrap();
    for name in ["lib", "other"] {
        fixture.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, name]);
    }
    fixture.commit("submodules");
    assert_eq!(fixture.paths(&fixture.top.join("lib")), "secret");
    assert_eq!(fixture.paths(&fixture.top), ".gitmodules\nsecret");
    // One submodule may not show the other.
    fs::copy(fixture.top.join("other/.git"), fixture.top.join("lib/.git")).unwrap();
    assert_eq!(refusal(&fixture.top.join("lib")), "its `.git` names the git folder of another work tree");
    fs::write(fixture.top.join("lib/.git"), "gitdir: ../.git\n").unwrap();
    assert_eq!(refusal(&fixture.top.join("lib")), "its `.git` file leads outside");
}

#[test]
fn forged_git_files_are_refused() {
    let victim = committed();
    let victim_git = victim.top.join(".git");
    let temp = tempfile::tempdir().unwrap();
    let evil = temp.path().canonicalize().unwrap();
    let forge = |text: &str| fs::write(evil.join(".git"), text).unwrap();
    forge(&format!("gitdir: {}\n", victim_git.display()));
    assert_eq!(refusal(&evil), "its `.git` file leads outside");
    for nothing in ["", "gitdir: ", "gitdir: /nonexistent", "gitdir:\n", "\u{0}", &"x".repeat(100_000)] {
        forge(nothing);
        assert!(refusal(&evil).starts_with("its `.git` file leads"), "{nothing}");
    }
    // A record of a linked work tree that the forger wrote himself, sharing the victim's folder.
    let record = evil.join("worktrees/x");
    fs::create_dir_all(&record).unwrap();
    fs::write(record.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(record.join("commondir"), victim_git.to_str().unwrap()).unwrap();
    fs::write(record.join("gitdir"), "../../.git\n").unwrap();
    forge("gitdir: worktrees/x\n");
    assert_eq!(refusal(&evil), "its `.git` file leads outside");
    fs::remove_file(evil.join(".git")).unwrap();
    symlink(&victim_git, evil.join(".git")).unwrap();
    assert_eq!(refusal(&evil), "its `.git` is a link");
}

#[test]
fn borrowed_stores_are_refused() {
    let victim = committed();
    let victim_git = victim.top.join(".git");
    let make = || {
        let fixture = committed();
        let git_dir = fixture.top.join(".git");
        (fixture, git_dir)
    };
    let (fixture, git_dir) = make();
    fs::write(git_dir.join("commondir"), victim_git.to_str().unwrap()).unwrap();
    assert_eq!(refusal(&fixture.top), "its git folder shares that of another repository");

    let (fixture, git_dir) = make();
    fs::write(git_dir.join("objects/info/alternates"), victim_git.join("objects").to_str().unwrap()).unwrap();
    assert_eq!(refusal(&fixture.top), "its git folder borrows objects from another repository");

    for part in ["HEAD", "refs", "objects"] {
        let (fixture, git_dir) = make();
        fs::rename(git_dir.join(part), git_dir.join("away")).unwrap();
        symlink(victim_git.join(part), git_dir.join(part)).unwrap();
        assert_eq!(refusal(&fixture.top), "a part of its git folder is a link", "{part}");
    }
    let (fixture, git_dir) = make();
    fs::remove_dir(git_dir.join("objects/pack")).unwrap();
    symlink(victim_git.join("objects/pack"), git_dir.join("objects/pack")).unwrap();
    assert_eq!(refusal(&fixture.top), "a part of its objects is a link");
}
