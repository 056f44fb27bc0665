//! What git knows of a project: trees, blobs, revisions, the log.

use super::*;
use contexture_core::Commit;
use insta::assert_snapshot;

/// The comparison a caller makes: which of the files on disk are the revision's, by hash alone.
fn compare(root: &Path, on_disk: &[(&str, &[u8])]) -> String {
    let repo = Repo::discover(root).unwrap();
    let mut tree = repo.tree("HEAD").unwrap();
    let mut lines = Vec::new();
    for (path, bytes) in on_disk {
        let word = match tree.remove(*path) {
            None => "untracked",
            Some(blob) if blob.oid == blob_oid(bytes, blob.oid.len()) => "same",
            Some(_) => "modified",
        };
        lines.push(format!("{word} {path}"));
    }
    lines.extend(tree.keys().map(|path| format!("deleted {path}")));
    lines.join("\n")
}

#[test]
fn modified_added_deleted_untracked() {
    let fixture = Fixture::new();
    for (path, text) in [("same", "s\n"), ("modified", "old\n"), ("deleted", "d\n"), ("crlf", "a\nb\n")] {
        fixture.write(path, text);
    }
    fixture.commit("first");
    let disk: [(&str, &[u8]); 4] =
        [("same", b"s\n"), ("modified", b"new\n"), ("untracked", b"u"), ("crlf", b"a\r\nb\r\n")];
    assert_snapshot!(compare(&fixture.top, &disk), @r"
    same same
    modified modified
    untracked untracked
    modified crlf
    deleted deleted
    ");
    let repo = fixture.repo();
    let tree = repo.tree("HEAD").unwrap();
    let oids: Vec<&str> = tree.values().map(|blob| blob.oid.as_str()).collect();
    let blobs = repo.blobs(&oids).unwrap();
    assert_eq!(blobs[&tree["crlf"].oid], b"a\nb\n");
    assert_eq!(blobs.len(), 4);
}

#[test]
fn a_root_below_the_top_sees_only_itself() {
    let fixture = Fixture::new();
    for path in ["top", "sub/a", "sub/deep/b", "subway/c", "sub.txt", ":(top)/m", "*/n"] {
        fixture.write(path, path);
    }
    fixture.commit("files");
    fixture.write("top", "changed");
    fixture.commit("outside the root");
    let untracked = fixture.top.join("new");
    fs::create_dir(&untracked).unwrap();
    assert_snapshot!(fixture.paths(&fixture.top.join("sub")), @r"
    a
    deep/b
    ");
    assert_eq!(fixture.paths(&fixture.top.join(":(top)")), "m");
    assert_eq!(fixture.paths(&fixture.top.join("*")), "n");
    assert_eq!(fixture.paths(&untracked), "");
    let log = Repo::discover(&fixture.top.join("sub")).unwrap().log(9).unwrap();
    assert_snapshot!(without_hashes(&log), @r"
    2026-01-02T03:04:05+02:00 Test: files
      A a
      A deep/b
    ");
}

#[test]
fn names_links_and_modes() {
    use std::os::unix::ffi::OsStringExt;
    let fixture = Fixture::new();
    fixture.write("ünï/日本.txt", "u");
    fixture.write("new\nline\t\"q\"", "n");
    fixture.write("-dash", "d");
    let raw = fixture.top.join(std::ffi::OsString::from_vec(b"bad\xff".to_vec()));
    fs::write(raw, "b").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", fixture.top.join("link")).unwrap();
    let inner = fixture.top.join("inner");
    fs::create_dir(&inner).unwrap();
    fixture.git_in(&inner, &["init", "--quiet"]);
    fixture.git_in(&inner, &["commit", "--quiet", "--allow-empty", "-m", "inner"]);
    fixture.write("run.sh", "#!/bin/sh\n");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(fixture.top.join("run.sh"), executable).unwrap();
    fixture.commit("names");
    let tree = fixture.repo().tree("main").unwrap();
    let lines: Vec<String> = tree.iter().map(|(path, blob)| format!("{:o} {path:?}", blob.mode)).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    100644 "-dash"
    100644 "bad\u{10ffff}"
    100644 "new\nline\t\"q\""
    100755 "run.sh"
    100644 "ünï/日本.txt"
    "#);
    assert_snapshot!(without_hashes(&fixture.repo().log(1).unwrap()), @r#"
    2026-01-02T03:04:05+02:00 Test: names
      A -dash
      A "bad\udcff"
      A inner
      A link
      A "new\nline\t\"q\""
      A run.sh
      A ünï/日本.txt
    "#);
}

#[test]
fn revisions() {
    let fixture = Fixture::new();
    assert_eq!(fixture.repo().resolve("HEAD"), Err(GitError::NoCommits));
    assert_eq!(fixture.repo().log(3), Err(GitError::NoCommits));
    fixture.write("a", "1");
    fixture.commit("one");
    fixture.git(&["tag", "-a", "v1", "-m", "tag"]);
    fixture.write("a", "2");
    fixture.commit("two");
    fixture.git(&["checkout", "--quiet", "--detach", "HEAD"]);
    let repo = fixture.repo();
    assert_eq!(repo.resolve("HEAD").unwrap(), fixture.git(&["rev-parse", "HEAD"]));
    assert_eq!(repo.resolve("v1").unwrap(), fixture.git(&["rev-parse", "HEAD~1"]));
    assert_eq!(repo.tree("HEAD~1").unwrap()["a"].oid, blob_oid(b"1", 40));
    for bad in ["", "-n", "--output=x", "a\nb", "--all"] {
        assert_eq!(repo.resolve(bad), Err(GitError::BadRevision(bad.to_owned())), "{bad}");
    }
    for unknown in ["nope", "HEAD..v1", "HEAD~9", "v1:a", "HEAD^{tree}", "^HEAD", "refs/heads/", "@{u}"] {
        assert_eq!(repo.resolve(unknown), Err(GitError::UnknownRevision(unknown.to_owned())), "{unknown}");
    }
    let error = repo.tree("nope").unwrap_err();
    assert_snapshot!(format!("{error}\n{}", error.hint().unwrap()), @r"
    unknown revision: `nope`
    run `git log --oneline --all` to see the revisions
    ");
}

#[test]
fn the_log_is_stable_text() {
    let fixture = Fixture::new();
    for n in 0..25 {
        fixture.write(format!("f{n:02}"), "x");
    }
    fixture.commit("many files");
    fs::remove_file(fixture.top.join("f00")).unwrap();
    fixture.write("f01", "y");
    fixture.commit("edit\u{7}\tand\u{1b}[31m remove\n\nA body that is not shown.");
    fixture.git(&["config", "format.pretty", "oneline"]);
    fixture.git(&["config", "diff.renames", "copies"]);
    let log = fixture.repo().log(9).unwrap();
    assert_eq!(log.lines().next().unwrap().split(' ').next(), fixture.git(&["rev-parse", "HEAD"]).get(..12));
    assert_eq!(log.lines().filter(|line| line.starts_with("  A f")).count(), 20);
    assert_snapshot!(without_hashes(&log).lines().take(5).chain(log.lines().last()).collect::<Vec<_>>().join("\n"), @r"
    2026-01-02T03:04:05+02:00 Test: edit and [31m remove
      D f00
      M f01
    2026-01-02T03:04:05+02:00 Test: many files
      A f00
      and 5 more
    ");
    assert_eq!(fixture.repo().log(0).unwrap(), "");
    assert_eq!(fixture.repo().log(1).unwrap().lines().count(), 3);
}

#[test]
fn blobs_are_bounded_and_pipes_do_not_jam() {
    let fixture = Fixture::new();
    // Requests and answers both far above the 64 KiB of a pipe.
    for n in 0..3_000 {
        fixture.write(format!("d{}/f{n}", n % 30), format!("{n}\n").repeat(50));
    }
    fixture.write("huge", vec![b'x'; crate::FILE_CAP as usize + 1]);
    fixture.write("empty", "");
    fixture.commit("blobs");
    let repo = fixture.repo();
    let tree = repo.tree("HEAD").unwrap();
    let missing = "0123456789012345678901234567890123456789";
    let head = repo.resolve("HEAD").unwrap();
    let mut oids: Vec<&str> = tree.values().map(|blob| blob.oid.as_str()).collect();
    oids.extend([missing, &head, "not an id", "HEAD", "", oids[0]]);
    let blobs = repo.blobs(&oids).unwrap();
    assert_eq!(blobs.len(), 3_001);
    assert_eq!(blobs[&tree["empty"].oid], b"");
    assert!(blobs.iter().all(|(oid, bytes)| *oid == blob_oid(bytes, 40)));
    let sizes = repo.sizes(&oids).unwrap();
    assert_eq!(sizes[&tree["huge"].oid], Some(crate::FILE_CAP + 1));
    assert_eq!((sizes[missing], sizes[&head], sizes["HEAD"]), (None, None, None));
}

/// Of an output that is cut off, the first bytes are used; the commit they end in is not.
#[test]
fn a_part_of_the_history_is_a_history() {
    let fixture = Fixture::new();
    for n in 0..3 {
        fixture.write("a", format!("{n}"));
        fixture.write(format!("b{n}"), "x");
        fixture.commit("x");
    }
    let repo = fixture.repo();
    let args = ["-z", "--name-status", "--no-renames", "--format=tformat:%H%x00%B"];
    let all = repo.git.run("log", args, Vec::new()).unwrap();
    assert!(!all.cut);
    let whole = repo.commits("HEAD").unwrap();
    let commit = |new: &str| Commit { message: "x".into(), paths: vec!["a".into(), new.into()] };
    assert_eq!(whole, [commit("b2"), commit("b1"), commit("b0")]);
    assert_eq!(repo.read_commits(&all.stdout, false), whole);
    let length = all.stdout.len() as u64;
    for cap in 0..length {
        let part = repo.git.run_up_to(cap, "log", args, Vec::new()).unwrap();
        assert!(part.ok && part.cut && part.stdout == all.stdout[..cap as usize]);
        let commits = repo.read_commits(&part.stdout, true);
        assert!(whole.starts_with(&commits) && commits.len() < 3, "{cap}");
    }
    assert!(!repo.git.run_up_to(length, "log", args, Vec::new()).unwrap().cut);
}

#[test]
fn repositories_with_long_ids() {
    let fixture = Fixture::with_format("sha256");
    fixture.write("a", "text\n");
    fixture.commit("one");
    let repo = fixture.repo();
    let oid = repo.tree("HEAD").unwrap()["a"].oid.clone();
    assert_eq!(oid, blob_oid(b"text\n", 64));
    assert_eq!(repo.blobs(&[&oid]).unwrap()[&oid], b"text\n");
    assert!(repo.log(1).unwrap().ends_with("Test: one\n  A a\n"));
}

/// The date onwards: hashes change with the fixture.
fn without_hashes(log: &str) -> String {
    let line = |line: &str| if line.starts_with(' ') { line.to_owned() } else { line[13..].to_owned() };
    log.lines().map(line).collect::<Vec<_>>().join("\n")
}
