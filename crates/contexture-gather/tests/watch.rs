//! What is told of the disk: what the project could show, and nothing that it ignores.

#![allow(clippy::unwrap_used)]

use contexture_gather::Env;
use contexture_gather::watch::{Change, Watch, watch};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

struct Project {
    folder: TempDir,
    watch: Watch,
    told: Receiver<Vec<Change>>,
}

impl Project {
    /// A project with these files; its user has no folders yet.
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("project")).unwrap();
        for (name, text) in files {
            put(&folder.path().join("project").join(name), text);
        }
        let below = |name: &str| Some(folder.path().join(name));
        let env = Env {
            cwd: folder.path().to_owned(),
            data_dir: below("user/share/data"),
            cache_dir: below("user/cache"),
            config_dir: below("user/config"),
            ..Env::default()
        };
        let (tell, told) = channel();
        let tell = Box::new(move |changes| drop(tell.send(changes)));
        let watch = watch(&[folder.path().join("project")], &env, tell).unwrap();
        Self { folder, watch, told }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project").join(name)
    }

    fn write(&self, name: &str) {
        put(&self.path(name), "text\n");
    }

    /// All that is told until this is.
    fn until(&self, wanted: &Change) -> Vec<Change> {
        let mut all = Vec::new();
        while !all.contains(wanted) {
            all.extend(
                self.told.recv_timeout(Duration::from_secs(30)).unwrap_or_else(|_| panic!("{wanted:?}: {all:?}")),
            );
        }
        all
    }

    /// The same for a file: all paths that are told until it is.
    fn until_file(&self, name: &str) -> Vec<String> {
        let names = self.until(&file(name)).into_iter().map(|change| match change {
            Change::File(name) => name,
            other => format!("{other:?}"),
        });
        names.collect()
    }
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn file(name: &str) -> Change {
    Change::File(name.into())
}

#[test]
fn what_is_ignored_is_not_told() {
    let project = Project::with(&[
        (".gitignore", "target/\n*.log\n!kept.log\n"),
        (".git/info/exclude", "mine/\n"),
        ("src/.ignore", "made/\n"),
        (".contextureignore", "data/\n"),
        ("target/debug/a.o", ""),
        ("mine/a.txt", ""),
        ("src/made/a.rs", ""),
        ("data/a.csv", ""),
        ("node_modules/x/index.js", ""),
        ("src/gone.log", ""),
        ("src/lib.rs", ""),
    ]);
    for name in ["target/debug/b.o", "target/new/c.o", "mine/b.txt", "src/made/b.rs", "data/b.csv", "src/b.log"] {
        project.write(name);
    }
    project.write("node_modules/y/index.js");
    fs::remove_file(project.path("src/gone.log")).unwrap();
    fs::write(project.path("src/short"), "").unwrap();
    fs::remove_file(project.path("src/short")).unwrap();
    project.write("src/kept.log");
    project.write("src/lib.rs");
    let mut all = project.until_file("src/lib.rs");
    all.sort();
    assert_eq!(all, ["src/kept.log", "src/lib.rs"]);
    fs::remove_file(project.path("src/lib.rs")).unwrap();
    assert_eq!(project.until_file("src/lib.rs"), ["src/lib.rs"]);
}

#[test]
fn other_rules_are_told_and_hold_from_then_on() {
    let project = Project::with(&[(".gitignore", "made/\n"), ("made/a.txt", ""), ("other/a.txt", ""), ("z.txt", "")]);
    put(&project.path(".gitignore"), "other/\n");
    project.until_file(".gitignore");
    project.write("made/deep/b.txt");
    project.until_file("made/deep/b.txt");
    project.write("other/b.txt");
    project.write("made/a.txt");
    assert_eq!(project.until_file("made/a.txt"), ["made/a.txt"]);
    put(&project.path(".git/info/exclude"), "made/\n");
    project.until(&Change::Everything);
    project.write("made/c.txt");
    project.write("z.txt");
    assert_eq!(project.until_file("z.txt"), ["z.txt"]);
}

#[test]
fn what_is_named_is_told_though_it_is_ignored() {
    let project = Project::with(&[(".gitignore", "made/\nlib/\n*.min.js\n"), ("made/a.txt", ""), ("lib/own/a.js", "")]);
    project.watch.name(vec![project.path("made/a.txt"), project.path("made/later/b.txt"), project.path("lib/own")]);
    project.write("made/other.txt");
    project.write("lib/other.js");
    project.write("made/a.txt");
    assert_eq!(project.until_file("made/a.txt"), ["made/a.txt"]);
    project.write("made/later/other.txt");
    project.write("made/later/b.txt");
    assert_eq!(project.until_file("made/later/b.txt"), ["made/later/b.txt"]);
    // Saved as editors do it, and once more.
    for _ in 0..2 {
        project.write("made/a.txt.new");
        fs::rename(project.path("made/a.txt.new"), project.path("made/a.txt")).unwrap();
        assert_eq!(project.until_file("made/a.txt"), ["made/a.txt"]);
    }
    // A folder goes by its own rules, as it does in a document.
    project.write("lib/own/new/b.js");
    project.until_file("lib/own/new/b.js");
}

#[test]
fn folders_that_come_are_told_with_all_in_them() {
    let project = Project::with(&[(".gitignore", "out/\n"), ("src/lib.rs", "")]);
    let outside = project.folder.path().join("outside");
    put(&outside.join("deep/er/a.rs"), "");
    put(&outside.join("out/a.o"), "");
    fs::rename(&outside, project.path("src/new")).unwrap();
    let all = project.until_file("src/new/deep/er/a.rs");
    assert!(!all.iter().any(|name| name.contains("out")), "{all:?}");
    project.write("src/new/deep/er/b.rs");
    project.until_file("src/new/deep/er/b.rs");
    // Another folder under the old name, and the old one under another.
    fs::rename(project.path("src/new"), project.path("src/old")).unwrap();
    project.write("src/new/c.rs");
    project.until_file("src/new/c.rs");
    project.write("src/new/d.rs");
    project.until_file("src/new/d.rs");
    project.write("src/old/deep/er/d.rs");
    project.until_file("src/old/deep/er/d.rs");
}

#[test]
fn a_root_that_is_made_again_is_watched_again() {
    let project = Project::with(&[("src/lib.rs", "")]);
    fs::remove_dir_all(project.path("")).unwrap();
    project.until(&Change::Everything);
    project.write("src/lib.rs");
    project.until(&Change::Everything);
    project.write("src/later/b.rs");
    project.until_file("src/later/b.rs");
}

#[test]
fn folders_of_the_user_that_come_later_are_watched() {
    let project = Project::with(&[("a.txt", "")]);
    let user = project.folder.path().join("user");
    put(&user.join("share/data/runs.sqlite"), "rows");
    project.until(&Change::Runs);
    put(&user.join("share/data/loom.sqlite"), "rows");
    project.until(&Change::Trees);
    put(&user.join("cache/summaries.sqlite"), "rows");
    project.until(&Change::Summaries);
    put(&user.join("config/config.toml"), "");
    project.until(&Change::Settings);
    // One that went away and came again.
    fs::remove_dir_all(user.join("config")).unwrap();
    project.write("a.txt");
    project.until_file("a.txt");
    put(&user.join("config/config.toml"), "");
    project.until(&Change::Settings);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let project = Project::with(&[("a.txt", "a\n"), ("sub/b.txt", "b\n")]);
    let outside = project.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, project.path("docs")).unwrap();
    // Round in circles: whoever follows these never comes to an end.
    symlink(".", project.path("sub/here")).unwrap();
    symlink("..", project.path("sub/above")).unwrap();
    project.write("after-links.txt");
    project.until_file("after-links.txt");
    put(&outside.join("layoffs.txt"), "x\n");
    project.write("a.txt");
    let told = project.until_file("a.txt");
    assert!(!told.iter().any(|name| name.contains("layoffs")), "{told:?}");
}
