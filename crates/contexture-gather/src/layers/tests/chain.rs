//! `AGENTS.md` from a repository down to a folder.

use super::*;

/// What is read for a folder; the repository's folder has another name every time.
fn show(folder: &Path) -> String {
    let (documents, said) = agents_chain(folder);
    let below = |path: &str| path.split_once('/').unwrap().1.to_owned();
    let lines = documents.iter().map(|document| {
        let first = document.text.lines().next().unwrap_or_default();
        format!("{} {} {} {first:?}\n", below(&document.path), document.state, document.text.len())
    });
    let said: Vec<Note> = said.into_iter().map(|note| Note { path: note.path.as_deref().map(below), ..note }).collect();
    lines.collect::<String>() + &notes(&said)
}

#[test]
fn from_the_repository_down() {
    let folder = Folder::new(&[
        ("AGENTS.md", "above the repository"),
        ("repo/.git/HEAD", ""),
        ("repo/AGENTS.md", "root\n"),
        ("repo/a/AGENTS.md", "hidden by the override\n"),
        ("repo/a/AGENTS.override.md", "a\n"),
        ("repo/a/b/AGENTS.override.md", " \n"),
        ("repo/a/b/AGENTS.md", "an empty override is one\n"),
        ("repo/a/b/c/AGENTS.md", "c\n"),
        ("repo/a/b/c/d/AGENTS.md", "below\n"),
        ("repo/other/AGENTS.md", "beside\n"),
    ]);
    insta::assert_snapshot!(show(&folder.join("repo/a/b/c")), @r#"
    AGENTS.md ok 5 "root"
    a/AGENTS.override.md ok 2 "a"
    a/b/c/AGENTS.md ok 2 "c"
    "#);
    // Outside of a repository only the folder itself.
    fs::remove_dir_all(folder.join("repo/.git")).unwrap();
    insta::assert_snapshot!(show(&folder.join("repo/a")), @r#"AGENTS.override.md ok 2 "a""#);
    assert_eq!(agents_chain(&folder.join("repo/other/..")).0.len(), 1);
}

#[test]
fn the_cap_cuts_at_a_line_and_leaves_out_the_rest() {
    let folder = Folder::new(&[(".git", "gitdir: elsewhere"), ("a/b/AGENTS.md", "never\n")]);
    folder.write("AGENTS.md", "xxxxxxxxxxxxxxx\n".repeat(31 * 64));
    folder.write("a/AGENTS.md", "0123456789\n".repeat(1000));
    insta::assert_snapshot!(show(&folder.join("a/b")), @r#"
    AGENTS.md ok 31744 "xxxxxxxxxxxxxxx"
    a/AGENTS.md truncated 1023 "0123456789"
    reduced | a/AGENTS.md: cut at a line after 1023 of 11000 bytes: a chain holds 32768
    reduced | a/b/AGENTS.md: left out: the files above it fill 32768 bytes
    "#);
}

#[test]
fn a_folder_that_is_not_there() {
    let folder = Folder::new(&[]);
    let (documents, said) = agents_chain(&folder.join("missing"));
    assert!(documents.is_empty());
    assert_eq!(said.len(), 1);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_repository() {
    use std::os::unix::fs::symlink;
    let outside = Folder::new(&[("AGENTS.md", "canary")]);
    let folder = Folder::new(&[(".git/HEAD", ""), ("CLAUDE.md", "linked inside\n"), ("a/x", "")]);
    symlink("CLAUDE.md", folder.join("AGENTS.md")).unwrap();
    symlink(outside.join("AGENTS.md"), folder.join("a/AGENTS.override.md")).unwrap();
    let shown = show(&folder.join("a"));
    insta::assert_snapshot!(shown, @r#"
    AGENTS.md ok 14 "linked inside"
    unread | a/AGENTS.override.md: outside the roots
    "#);
    assert!(!shown.contains("canary"));
}

#[test]
fn a_workspace_takes_a_chain_and_no_file_twice() {
    let folder = Folder::new(&[(".git/HEAD", ""), ("AGENTS.md", "one\n"), ("sub/AGENTS.md", "two\n")]);
    let workspace = WorkspaceReader::new(folder.path()).chain(folder.join("sub")).read();
    let texts: Vec<&str> = workspace.agents.iter().map(|document| &*document.text).collect();
    assert_eq!(texts, ["one\n", "two\n"]);
}
