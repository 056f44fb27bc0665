//! A reader that is kept: reads what changed, and nothing else.

use super::*;

fn sample() -> Folder {
    Folder::new(&[
        ("SOUL.md", "soul\n"),
        ("AGENTS.md", "agents\n"),
        ("TOOLS.md", "tools\n"),
        ("memory/MEMORY.md", "- a\n"),
        ("skills/a/SKILL.md", &skill("a", "x")),
        ("skills/b/SKILL.md", &skill("b", "x")),
    ])
}

fn is_shared<T: Send + Sync>(_: &T) {}

#[test]
fn nothing_is_read_twice() {
    let folder = sample();
    let reader = WorkspaceReader::new(folder.path());
    is_shared(&reader);
    let first = reader.read();
    assert_eq!(reader.reads(), 6);
    let second = reader.read();
    assert_eq!(reader.reads(), 0);
    assert!(Arc::ptr_eq(&first, &second));
}

#[test]
fn only_what_changed_is_read() {
    let folder = sample();
    let reader = WorkspaceReader::new(folder.path());
    let first = reader.read();
    // As long as before: the stamp tells it by its times.
    folder.write("SOUL.md", "SOUL\n");
    let second = reader.read();
    assert_eq!((reader.reads(), &*second.soul.text), (1, "SOUL\n"));
    // What did not change is the same text, not a copy.
    assert!(std::ptr::eq(&*first.tools.text, &*second.tools.text));
    assert!(Arc::ptr_eq(&first.memory.as_ref().unwrap().entries, &second.memory.as_ref().unwrap().entries));

    folder.write("skills/c/SKILL.md", skill("c", "new"));
    assert_eq!((names(&reader.read()), reader.reads()), (vec!["a", "b", "c"], 1));
    fs::remove_dir_all(folder.join("skills/a")).unwrap();
    assert_eq!((names(&reader.read()), reader.reads()), (vec!["b", "c"], 0));

    fs::remove_file(folder.join("SOUL.md")).unwrap();
    assert_eq!((reader.read().soul.state, reader.reads()), (State::Default, 0));
    reader.read();
    assert_eq!(reader.reads(), 0);
    folder.write("SOUL.md", "back\n");
    assert_eq!((reader.read().soul.state, reader.reads()), (State::Ok, 1));

    // Replaced by a file of the same length and time.
    let old = fs::metadata(folder.join("TOOLS.md")).unwrap().modified().unwrap();
    folder.write("new", "TOOLS\n");
    fs::File::options().write(true).open(folder.join("new")).unwrap().set_modified(old).unwrap();
    fs::rename(folder.join("new"), folder.join("TOOLS.md")).unwrap();
    assert_eq!((&*reader.read().tools.text, reader.reads()), ("TOOLS\n", 1));
}

#[test]
fn what_was_just_written_is_read_again() {
    let folder = sample();
    folder.write_aged("SOUL.md", "fresh\n", Duration::ZERO);
    let reader = WorkspaceReader::new(folder.path());
    reader.read();
    let again = reader.read();
    assert_eq!((reader.reads(), &*again.soul.text), (1, "fresh\n"));
    // A time in the future says nothing.
    let ahead = SystemTime::now() + Duration::from_secs(3600);
    fs::File::options().write(true).open(folder.join("SOUL.md")).unwrap().set_modified(ahead).unwrap();
    reader.read();
    reader.read();
    assert_eq!(reader.reads(), 1);
}

#[test]
fn the_whole_workspace_may_come_and_go() {
    let folder = sample();
    let reader = WorkspaceReader::new(folder.join("later"));
    assert_eq!(reader.read().soul.state, State::Default);
    assert!(Arc::ptr_eq(&reader.read(), &reader.read()));
    folder.write("later/SOUL.md", "here\n");
    assert_eq!(&*reader.read().soul.text, "here\n");
    fs::remove_dir_all(folder.join("later")).unwrap();
    assert_eq!((reader.read().soul.state, reader.read().notes.len()), (State::Default, 1));
}

#[test]
fn a_kept_reader_says_what_a_new_one_says() {
    let folder = sample();
    let project = Folder::new(&[(".git/HEAD", ""), ("AGENTS.md", "p\n"), (".claude/skills/z/SKILL.md", "no skill")]);
    let new = || WorkspaceReader::new(folder.path()).project(project.path()).chain(project.path());
    let kept = new();
    let steps: [&dyn Fn(); 6] = [
        &|| {},
        &|| folder.write("memory/MEMORY.md", "- a\n- b\n"),
        &|| project.write(".claude/skills/z/SKILL.md", skill("z", "x")),
        &|| project.write("AGENTS.override.md", "o\n"),
        &|| fs::remove_dir_all(folder.join("skills")).unwrap(),
        &|| fs::remove_dir_all(project.join(".claude")).unwrap(),
    ];
    for step in steps {
        step();
        assert_eq!(format!("{:?}", kept.read()), format!("{:?}", new().read()));
    }
}

#[test]
fn many_threads_may_read_at_once() {
    let folder = sample();
    let reader = WorkspaceReader::new(folder.path());
    let expected = format!("{:?}", reader.read());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..20).for_each(|_| assert_eq!(format!("{:?}", reader.read()), expected)));
        }
    });
    rayon::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|_| assert_eq!(format!("{:?}", reader.read()), expected));
        }
    });
}
