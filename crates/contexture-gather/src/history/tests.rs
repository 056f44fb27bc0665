//! Histories of real repositories in temporary folders.

use super::*;
use crate::git::tests::Fixture;
use insta::assert_snapshot;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn of(root: &Path) -> History {
    history(&Roots::open(&[root.to_owned()]).unwrap(), None)
}

fn paths(history: &History) -> Vec<Vec<String>> {
    history.commits.iter().map(|commit| commit.paths.clone()).collect()
}

/// One line for each commit, then what is open.
fn shown(history: &History) -> String {
    let commits = history.commits.iter().map(|commit| format!("{}: {}", commit.message, commit.paths.join(" ")));
    let open = (!history.open.is_empty()).then(|| format!("open: {}", history.open.join(" ")));
    commits.chain(open).map(|line| line.escape_debug().to_string()).collect::<Vec<_>>().join("\n")
}

/// Three commits: `a b`, then `a sub/c`, then `sub/c sub/deep/d`.
fn ordinary() -> Fixture {
    let fixture = Fixture::new();
    for (paths, text) in [(["a", "b"], "1"), (["sub/c", "a"], "2"), (["sub/deep/d", "sub/c"], "3")] {
        for path in paths {
            fixture.write(path, text);
        }
        fixture.commit(text);
    }
    fixture
}

#[test]
fn commits_newest_first() {
    let fixture = ordinary();
    let history = of(&fixture.top);
    assert_eq!(history.head, Some(fixture.git(&["rev-parse", "HEAD"])));
    assert_eq!(history.tracked, ["a", "b", "sub/c", "sub/deep/d"]);
    assert_snapshot!(shown(&history), @r"
    3: sub/c sub/deep/d
    2: a sub/c
    1: a b
    ");
}

#[test]
fn a_root_below_the_top() {
    let fixture = ordinary();
    fixture.write("a", "edited");
    fixture.write("sub/c", "edited");
    let history = of(&fixture.top.join("sub"));
    assert_eq!(history.tracked, ["c", "deep/d"]);
    assert_snapshot!(shown(&history), @r"
    3: c deep/d
    2: c
    open: c
    ");
    // With a second root, paths carry the name of theirs.
    let roots = Roots::open(&[fixture.top.join("sub"), fixture.top.join("sub/deep")]).unwrap();
    let history = super::history(&roots, None);
    assert_eq!(paths(&history), [vec!["sub/c", "sub/deep/d"], vec!["sub/c"]]);
    assert_eq!((history.open, history.tracked.len()), (vec!["sub/c".to_owned()], 2));
}

/// What a borrowed object says is weighed and never shown, so that a clone that shares its objects has a history too.
#[test]
fn objects_of_another_repository() {
    let (lender, fixture) = (ordinary(), Fixture::new());
    let head = lender.git(&["rev-parse", "HEAD"]);
    fs::write(fixture.top.join(".git/objects/info/alternates"), lender.top.join(".git/objects").to_str().unwrap())
        .unwrap();
    fixture.git(&["checkout", "--quiet", "--detach", &head]);
    let history = of(&fixture.top);
    assert_eq!(history, of(&lender.top));
    assert_eq!(history.commits.len(), 3);
    let shown = Repo::discover(&fixture.top).map(|repo| repo.resolve("HEAD"));
    assert!(matches!(shown, Err(GitError::Refused(_))), "{shown:?}");
}

#[test]
fn renames_merges_and_mass_changes() {
    let fixture = ordinary();
    fixture.git(&["mv", "b", "moved"]);
    fixture.commit("rename");
    fixture.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    fixture.write("a", "side");
    fixture.commit("side");
    fixture.git(&["checkout", "--quiet", "main"]);
    fixture.git(&["merge", "--quiet", "--no-ff", "-m", "merge", "side"]);
    for n in 0..30 {
        fixture.write(format!("many/{n:02}"), "x");
    }
    fixture.commit("thirty");
    for n in 0..31 {
        fixture.write(format!("many/{n:02}"), "y");
    }
    fixture.write("sub/c", "y");
    fixture.commit("too many, of which one below the folder");
    fixture.commit("nothing at all");
    let history = of(&fixture.top);
    assert_eq!(paths(&history).first().map(Vec::len), Some(30));
    let rest = History { commits: history.commits[1..].to_vec(), ..History::default() };
    // The dates of the two sides are the same; which goes first is git's to say.
    assert_snapshot!(shown(&rest), @"
    rename: b moved
    side: a
    3: sub/c sub/deep/d
    2: a sub/c
    1: a b
    ");
    assert_eq!(of(&fixture.top.join("sub")).commits.len(), 2);
}

#[test]
fn settings_change_nothing() {
    let fixture = ordinary();
    fixture.git(&["mv", "b", "moved"]);
    fixture.commit("rename");
    fixture.write("a", "edited");
    fixture.git(&["add", "a"]);
    let plain = of(&fixture.top);
    let sub = of(&fixture.top.join("sub"));
    for (key, value) in [
        ("log.showRoot", "false"),
        ("log.follow", "true"),
        ("log.date", "relative"),
        ("log.diffMerges", "first-parent"),
        ("log.decorate", "full"),
        ("format.pretty", "fuller"),
        ("format.notes", "*"),
        ("diff.renames", "copies"),
        ("diff.relative", "true"),
        ("diff.noPrefix", "true"),
        ("diff.orderFile", "order"),
        ("diff.submodule", "log"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
        ("core.abbrev", "5"),
        ("core.worktree", "/"),
        ("core.ignoreCase", "true"),
        ("core.fileMode", "false"),
        ("core.checkStat", "minimal"),
    ] {
        fixture.git(&["config", key, value]);
    }
    fixture.write("order", "sub/*\n");
    let grafted = fixture.top.join(".git/info/grafts");
    fs::write(grafted, plain.head.as_ref().unwrap()).unwrap();
    assert_eq!(of(&fixture.top), plain);
    assert_eq!(of(&fixture.top.join("sub")), sub);
    assert_eq!((plain.commits.len(), plain.open), (4, vec!["a".to_owned()]));
}

/// A clone without trees has no lists of files, and none may be fetched; what was edited shows all the same.
#[test]
fn a_clone_without_trees() {
    let fixture = ordinary();
    fixture.git(&["config", "uploadpack.allowFilter", "true"]);
    let clone = fixture.beside("clone");
    let url = format!("file://{}", fixture.top.display());
    fixture.git(&["clone", "--quiet", "--filter=tree:0", &url, clone.to_str().unwrap()]);
    fs::write(clone.join("a"), "edited").unwrap();
    let history = of(&clone);
    assert_eq!(history.commits, []);
    assert_eq!((history.open, history.tracked.len()), (vec!["a".to_owned()], 4));
}

#[test]
fn a_shallow_clone_and_the_same_deepened() {
    let fixture = ordinary();
    let clone = fixture.beside("clone");
    let url = format!("file://{}", fixture.top.display());
    fixture.git(&["clone", "--quiet", "--depth=2", &url, clone.to_str().unwrap()]);
    let store = tempfile::tempdir().unwrap();
    let roots = Roots::open(std::slice::from_ref(&clone)).unwrap();
    let remembering = || {
        let cache = Cache::open(store.path()).unwrap();
        let history = history(&roots, Some(&cache));
        cache.save();
        history
    };
    // Where a shallow clone ends, everything seems to be new.
    assert_snapshot!(shown(&remembering()), @"
    3: sub/c sub/deep/d
    2: a b sub/c
    ");
    fixture.git_in(&clone, &["fetch", "--quiet", "--unshallow"]);
    assert_eq!(remembering(), of(&fixture.top));
}

#[test]
fn nothing_to_tell() {
    let temp = tempfile::tempdir().unwrap();
    assert_eq!(of(temp.path()), History::default());
    let fixture = Fixture::new();
    fixture.write("a", "a");
    assert_eq!(of(&fixture.top), History::default());
    fixture.git(&["add", "a"]);
    assert_eq!(of(&fixture.top), History::default());
    fs::write(fixture.top.join(".git/HEAD"), "ref: refs/heads/../../x").unwrap();
    assert_eq!(of(&fixture.top), History::default());
}

#[test]
fn the_head_is_found_without_git() {
    let fixture = ordinary();
    let head = fixture.git(&["rev-parse", "HEAD"]);
    // No process could answer here.
    let without_git = |root: &Path| {
        let mut repo = Repo::discover(root).unwrap();
        repo.forget_git();
        repo.head()
    };
    assert_eq!(without_git(&fixture.top).as_ref(), Ok(&head));
    fixture.git(&["pack-refs", "--all"]);
    assert!(!fixture.top.join(".git/refs/heads/main").exists());
    assert_eq!(without_git(&fixture.top).as_ref(), Ok(&head));
    fixture.git(&["checkout", "--quiet", "--detach"]);
    assert_eq!(without_git(&fixture.top).as_ref(), Ok(&head));
    let linked = fixture.beside("linked");
    fixture.git(&["worktree", "add", "--quiet", linked.to_str().unwrap(), "-b", "si/de"]);
    assert_eq!(without_git(&linked).as_ref(), Ok(&head));
    fixture.git(&["checkout", "--quiet", "--orphan", "fresh"]);
    assert_eq!(without_git(&fixture.top), Err(GitError::NoCommits));
    // A chain of refs is git's to follow.
    fixture.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    fixture.git(&["symbolic-ref", "HEAD", "refs/heads/alias"]);
    assert!(without_git(&fixture.top).is_err());
    assert_eq!(Repo::discover(&fixture.top).unwrap().head(), Ok(head));
}

#[test]
fn what_is_open() {
    let fixture = ordinary();
    for path in ["gone", "staged", "same", "folder/file", "touched", "chosen"] {
        fixture.write(path, "text\n");
    }
    fixture.commit("files");
    fs::remove_file(fixture.top.join("gone")).unwrap();
    fixture.write("a", "longer than before");
    fixture.write("touched", "text\n");
    fixture.write("staged", "text2\n");
    fixture.write("new and staged", "");
    fixture.git(&["add", "staged", "new and staged"]);
    fixture.write("staged", "text\n");
    fixture.write("chosen", "edited\n");
    fixture.git(&["update-index", "--assume-unchanged", "chosen"]);
    fixture.write("not tracked", "");
    fs::remove_dir_all(fixture.top.join("folder")).unwrap();
    fs::write(fixture.top.join("folder"), "a file now").unwrap();
    let history = of(&fixture.top);
    assert_eq!(history.open.join(", "), "a, folder/file, gone, new and staged, staged");
    assert!(history.is_new("not tracked") && history.is_new("folder"));
    assert!(!history.is_new("new and staged") && !history.is_new("same") && !History::default().is_new("same"));
}

/// Size and time are those of the index, but the index was written no later: only the bytes can tell.
#[test]
fn an_edit_in_the_same_moment() {
    let fixture = ordinary();
    let before = fs::metadata(fixture.top.join("b")).unwrap().modified().unwrap();
    let set_modified = |path: &str, time| {
        fs::File::options().write(true).open(fixture.top.join(path)).unwrap().set_modified(time).unwrap();
    };
    fixture.write("b", "9");
    set_modified("b", before);
    set_modified(".git/index", before);
    assert_eq!(of(&fixture.top).open, ["b"]);
    set_modified(".git/index", before + std::time::Duration::from_secs(2));
    assert_eq!(of(&fixture.top).open, [""; 0]);
}

/// All ways in which git writes its index; one of them we do not read.
#[test]
fn every_index() {
    let fixture = ordinary();
    for n in 0..6 {
        fixture.write(format!("long/name/of/folder/{n}"), "x");
    }
    fixture.commit("more");
    fixture.write("sub/c", "edited, and longer");
    for version in ["2", "3", "4"] {
        fixture.git(&["update-index", "--index-version", version, "--force-write-index"]);
        assert_eq!(of(&fixture.top).open, ["sub/c"], "{version}");
        assert_eq!(of(&fixture.top).tracked.len(), 10);
    }
    // Entries with more flags.
    fixture.git(&["update-index", "--skip-worktree", "sub/c"]);
    fixture.git(&["add", "--intent-to-add", "--all"]);
    assert_eq!(of(&fixture.top).open, [""; 0]);
    fixture.git(&["update-index", "--no-skip-worktree", "sub/c"]);
    fixture.git(&["update-index", "--split-index"]);
    let history = of(&fixture.top);
    assert_eq!((history.commits.len(), history.open.len(), history.tracked.len()), (4, 0, 0));
    fixture.git(&["update-index", "--no-split-index"]);
    assert_eq!(of(&fixture.top).open, ["sub/c"]);

    let file = fixture.top.join(".git/index");
    let whole = fs::read(&file).unwrap();
    let repo = Repo::discover(&fixture.top).unwrap();
    let read = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        // Damage may go unnoticed; it may do no more than make the answer wrong.
        repo.index(&"0".repeat(40)).is_ok()
    };
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] = !damaged[at];
        read(&damaged);
        read(&whole[..at]);
    }
    assert!(read(&whole) && repo.index(&"0".repeat(64)).is_err());
    fs::remove_file(&file).unwrap();
    assert_eq!(of(&fixture.top).tracked, [""; 0]);
}

#[test]
fn a_merge_with_conflicts_and_long_ids() {
    let fixture = Fixture::with_format("sha256");
    fixture.write("a", "1\n");
    fixture.write("b", "1\n");
    fixture.commit("one");
    fixture.git(&["checkout", "--quiet", "-b", "side"]);
    fixture.write("a", "2\n");
    fixture.commit("two");
    fixture.git(&["checkout", "--quiet", "main"]);
    fixture.write("a", "3\n");
    fixture.commit("three");
    assert_eq!(of(&fixture.top).open, [""; 0]);
    assert!(!crate::git::tests::plain_git(&fixture.top).args(["merge", "side"]).output().unwrap().status.success());
    let history = of(&fixture.top);
    assert_eq!((history.open, history.tracked), (vec!["a".to_owned()], vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(history.head.map(|head| head.len()), Some(64));
}

#[test]
fn names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new();
    let id = "0123456789abcdef0123456789abcdef01234567";
    for name in [b"new\nline".as_slice(), b"M", b"bad\xff/x\xfe", id.as_bytes()] {
        fixture.write(std::ffi::OsStr::from_bytes(name), "x");
    }
    fixture.commit("names");
    fixture.write(std::ffi::OsStr::from_bytes(b"bad\xff/x\xfe"), "edited");
    assert_snapshot!(shown(&of(&fixture.top)), @r"
    names: 0123456789abcdef0123456789abcdef01234567 M bad\u{10ffff}/x\u{10fffe} new\nline
    open: bad\u{10ffff}/x\u{10fffe}
    ");
}

/// A tracked folder that became a link to somewhere else says nothing about what lies there.
#[test]
fn links_out_are_not_followed() {
    let fixture = ordinary();
    let away = fixture.beside("away");
    fs::rename(fixture.top.join("sub"), &away).unwrap();
    std::os::unix::fs::symlink(&away, fixture.top.join("sub")).unwrap();
    fs::write(away.join("c"), "whatever it is").unwrap();
    assert_eq!(of(&fixture.top).open, [""; 0]);
    let index = fixture.top.join(".git/index");
    fs::rename(&index, fixture.beside("index")).unwrap();
    std::os::unix::fs::symlink(fixture.beside("index"), &index).unwrap();
    assert_eq!(of(&fixture.top).tracked, [""; 0]);
}

#[test]
fn what_is_remembered_is_what_was_found() {
    let fixture = ordinary();
    let fresh = of(&fixture.top);
    let store = tempfile::tempdir().unwrap();
    let roots = Roots::open(std::slice::from_ref(&fixture.top)).unwrap();
    let repo = Repo::discover(&fixture.top).unwrap();
    let key = key(&repo, fresh.head.as_ref().unwrap()).unwrap();
    let remembering = || {
        let cache = Cache::open(store.path()).unwrap();
        let history = history(&roots, Some(&cache));
        cache.save();
        history
    };
    assert_eq!(remembering(), fresh);
    let good = Cache::open(store.path()).unwrap().blob(&key).unwrap();
    assert_eq!(remembering(), fresh);
    // That the record is used: another one that reads well is believed.
    let put = |bytes: Vec<u8>| {
        let cache = Cache::open(store.path()).unwrap();
        cache.put_blob(key, bytes);
        cache.save();
    };
    let other = [Commit { message: "y".into(), paths: vec!["x".into()] }];
    put(record::encode(&other));
    assert_eq!(remembering().commits, other);
    // Damage is noticed wherever it is, and mended.
    for at in [0, 8, 9, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        put(bad);
        assert_eq!(remembering(), fresh);
        assert_eq!(Cache::open(store.path()).unwrap().blob(&key).as_ref(), Some(&good));
    }
    for end in 0..good.len() {
        assert_eq!(record::decode(&good[..end]), None);
    }
    // A folder of the repository has a record of its own, and so has another head.
    assert_ne!(super::key(&Repo::discover(&fixture.top.join("sub")).unwrap(), fresh.head.as_ref().unwrap()), Some(key));
    assert_ne!(super::key(&repo, &fixture.git(&["rev-parse", "HEAD~1"])), Some(key));
}

proptest::proptest! {
    #[test]
    fn records_read_back(commits in proptest::collection::vec(("\\PC{0,9}", proptest::collection::btree_set("[a-cü/]{0,9}", 0..6)), 0..9)) {
        let one = |(message, paths): (String, BTreeSet<String>)| Commit { message, paths: paths.into_iter().collect() };
        let commits: Vec<Commit> = commits.into_iter().map(one).collect();
        proptest::prop_assert_eq!(record::decode(&record::encode(&commits)), Some(commits));
    }
}

#[test]
fn of_another_root_nothing_is_new() {
    let fixture = ordinary();
    let other = tempfile::tempdir().unwrap();
    let history = history(&Roots::open(&[fixture.top.clone(), other.path().to_owned()]).unwrap(), None);
    let (own, label) =
        (fixture.top.file_name().unwrap().to_string_lossy(), other.path().file_name().unwrap().to_string_lossy());
    assert!(history.is_new(&format!("{own}/untracked")) && !history.is_new(&format!("{own}/a")));
    assert!(!history.is_new(&format!("{label}/x")), "git was not asked about it");
}
