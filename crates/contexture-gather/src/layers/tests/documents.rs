//! The four files of a workspace and what stands for them.

use super::*;
use contexture_core::{Counter, Tokenizer};

fn show(workspace: &Workspace) -> String {
    let line = |document: &Document| {
        let first = document.text.lines().next().unwrap_or_default();
        format!("{} {} {} {first:?}\n", document.path, document.state, document.raw_bytes)
    };
    let mut out = line(&workspace.soul);
    out.extend(workspace.agents.iter().map(line));
    out += &line(&workspace.tools);
    if let Some(memory) = &workspace.memory {
        out += &line(&memory.document);
        out.extend(memory.entries.iter().map(|entry| format!("  {}: {}\n", entry.trail.join(" > "), entry.text)));
    }
    out.extend(workspace.skills.iter().map(|skill| format!("{}: {}\n", skill.name, skill.description)));
    out + &notes(&workspace.notes)
}

#[test]
fn a_whole_workspace() {
    let folder = Folder::new(&[
        ("SOUL.md", "Be brief.\n"),
        ("AGENTS.md", "Work.\n"),
        ("TOOLS.md", "Few.\n"),
        ("memory/MEMORY.md", "# Memory\n## People\n- Ann likes tea\n"),
        ("skills/b/SKILL.md", &skill("b", "Second.")),
        ("skills/a/SKILL.md", &skill("a", "First.")),
    ]);
    insta::assert_snapshot!(show(&folder.read()), @r##"
    SOUL.md ok 10 "Be brief."
    AGENTS.md ok 6 "Work."
    TOOLS.md ok 5 "Few."
    memory/MEMORY.md ok 35 "# Memory"
      People: Ann likes tea
    a: First.
    b: Second.
    "##);
}

#[test]
fn an_empty_workspace_has_defaults_and_notes() {
    insta::assert_snapshot!(show(&Folder::new(&[]).read()), @r#"
    SOUL.md default 0 "You are a careful, capable assistant who works for the person you talk to."
    AGENTS.md default 0 "How to work:"
    TOOLS.md default 0 "How to use tools:"
    empty | SOUL.md: file not found: the built-in default is used
    empty | AGENTS.md: file not found: the built-in default is used
    empty | TOOLS.md: file not found: the built-in default is used
    empty | memory/MEMORY.md: file not found: layer left out
    empty | skills: no skills: layer left out
    "#);
    let blank = Folder::new(&[
        ("SOUL.md", ""),
        ("AGENTS.md", " \n\t\n"),
        ("TOOLS.md", "\u{feff}\n"),
        ("memory/MEMORY.md", "\n"),
    ]);
    fs::create_dir(blank.join("skills")).unwrap();
    insta::assert_snapshot!(show(&blank.read()), @r#"
    SOUL.md default 0 "You are a careful, capable assistant who works for the person you talk to."
    AGENTS.md default 0 "How to work:"
    TOOLS.md default 0 "How to use tools:"
    empty | SOUL.md: empty: the built-in default is used
    empty | AGENTS.md: empty: the built-in default is used
    encoding | TOOLS.md: byte order mark removed
    empty | TOOLS.md: empty: the built-in default is used
    empty | memory/MEMORY.md: empty: layer left out
    empty | skills: no skills: layer left out
    "#);
}

#[test]
fn a_workspace_that_is_not_there_is_one_note() {
    let folder = Folder::new(&[("file", "x")]);
    for name in ["missing", "file"] {
        let workspace = WorkspaceReader::new(folder.join(name)).read();
        assert_eq!(workspace.soul.state, State::Default);
        assert_eq!(workspace.notes.len(), 1, "{:?}", workspace.notes);
        assert!(workspace.notes[0].text.starts_with("workspace not read, "), "{:?}", workspace.notes);
        assert!(workspace.notes[0].hint.as_deref().is_some_and(|hint| hint.contains("--workspace")));
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_text_file_is_told_and_replaced() {
    use std::os::unix::fs::symlink;
    let outside = Folder::new(&[("secret.md", "canary"), ("skills/s/SKILL.md", &skill("s", "canary"))]);
    let folder = Folder::new(&[("real/TOOLS.md", "inside\n")]);
    fs::create_dir(folder.join("SOUL.md")).unwrap();
    symlink(outside.join("secret.md"), folder.join("AGENTS.md")).unwrap();
    // A link inside of the workspace is read.
    symlink("real/TOOLS.md", folder.join("TOOLS.md")).unwrap();
    fs::create_dir(folder.join("memory")).unwrap();
    symlink("nowhere", folder.join("memory/MEMORY.md")).unwrap();
    symlink(outside.join("skills"), folder.join("skills")).unwrap();
    let workspace = folder.read();
    insta::assert_snapshot!(show(&workspace), @r#"
    SOUL.md default 0 "You are a careful, capable assistant who works for the person you talk to."
    AGENTS.md default 0 "How to work:"
    TOOLS.md ok 7 "inside"
    unread | SOUL.md: not a regular file (a folder): the built-in default is used
    unread | AGENTS.md: outside the roots: the built-in default is used
    empty | memory/MEMORY.md: a link that leads nowhere: layer left out
    unread | skills: outside the roots
    "#);
    assert!(!format!("{workspace:?}").contains("canary"));

    let folder = Folder::new(&[]);
    rustix::fs::mkfifoat(rustix::fs::CWD, folder.join("SOUL.md"), rustix::fs::Mode::RWXU).unwrap();
    folder.write("AGENTS.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    folder.write("TOOLS.md", b"caf\xe9\n");
    symlink("memory", folder.join("memory")).unwrap();
    fs::create_dir(folder.join("skills")).unwrap();
    symlink(outside.join("skills/s"), folder.join("skills/s")).unwrap();
    symlink("..", folder.join("skills/loop")).unwrap();
    let workspace = folder.read();
    insta::assert_snapshot!(show(&workspace), @r#"
    SOUL.md default 0 "You are a careful, capable assistant who works for the person you talk to."
    AGENTS.md default 0 "How to work:"
    TOOLS.md ok 5 "caf�"
    unread | SOUL.md: not a regular file (a pipe): the built-in default is used
    unread | AGENTS.md: not text (image/png): the built-in default is used
    encoding | TOOLS.md: not valid UTF-8: 1 places replaced by U+FFFD
    unread | memory/MEMORY.md: unreadable (a loop of links): layer left out
    unread | skills/s/SKILL.md: outside the roots: skill left out
    "#);
    assert!(!format!("{workspace:?}").contains("canary"));
}

#[cfg(unix)]
#[test]
fn a_folder_of_skills_that_is_none() {
    use std::os::unix::fs::symlink;
    let told = |make: &dyn Fn(&Path)| {
        let folder = Folder::new(&[]);
        make(&folder.join("skills"));
        folder.read().notes.iter().filter(|note| note.path.as_deref() == Some("skills")).map(Note::to_string).collect()
    };
    let all: [String; 4] = [
        told(&|path| fs::write(path, "x").unwrap()),
        told(&|path| symlink("nowhere", path).unwrap()),
        told(&|path| symlink("skills", path).unwrap()),
        told(&|path| symlink("/", path).unwrap()),
    ];
    insta::assert_snapshot!(all.join("\n"), @r"
    skills: not a folder
    skills: a link that leads nowhere
    skills: unreadable (a loop of links)
    skills: outside the roots
    ");
}

#[test]
fn a_file_above_the_cap_is_cut_at_a_line() {
    let line = "0123456789abcde\n";
    let folder = Folder::new(&[]);
    folder.write("SOUL.md", line.repeat(LAYER_CAP / 16));
    folder.write("AGENTS.md", format!("{}ä", line.repeat(LAYER_CAP / 16)));
    folder.write("TOOLS.md", "ä".repeat(LAYER_CAP));
    // Larger than anything that is read whole: the newest is at its end.
    folder.write("memory/MEMORY.md", format!("{}- newest\n", "- item\n".repeat(2 * LAYER_CAP)));
    let workspace = folder.read();
    let memory = workspace.memory.as_ref().unwrap();
    let sizes = |document: &Document| (document.text.len(), document.raw_bytes as usize, document.state);
    assert_eq!(sizes(&workspace.soul), (LAYER_CAP, LAYER_CAP, State::Ok));
    assert_eq!(sizes(&workspace.agents[0]), (LAYER_CAP, LAYER_CAP + 2, State::Truncated));
    assert_eq!(sizes(&workspace.tools), (LAYER_CAP, 2 * LAYER_CAP, State::Truncated));
    assert_eq!((memory.document.raw_bytes as usize, memory.document.state), (14 * LAYER_CAP + 9, State::Truncated));
    assert_eq!((memory.entries.len(), memory.entries.last().unwrap().text.as_str()), (1_497_965, "newest"));
    assert_eq!(workspace.notes.iter().filter(|note| note.topic == contexture_core::Topic::Reduced).count(), 3);
}

#[test]
fn defaults_are_short() {
    let workspace = Folder::new(&[]).read();
    for document in [&workspace.soul, &workspace.agents[0], &workspace.tools] {
        let tokens = Tokenizer::O200k.count(&document.text);
        assert!(tokens < 120, "{}: {tokens}", document.path);
    }
}
