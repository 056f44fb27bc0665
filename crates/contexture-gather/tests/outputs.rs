//! Outputs as a caller sees them: numbers, names, folders, files by hand, pruning.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use contexture_gather::outputs::{Keep, OutputError, Published, own_output, prune, publish, write_atomic};

fn put(dir: &Path, namespace: &str, extension: &str) -> Published {
    publish(dir, namespace, extension, |out| out.write_all(b"text")).unwrap()
}

fn touch(dir: &Path, name: &str) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, name).unwrap();
    path
}

fn listing(dir: &Path) -> String {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names.join(" ")
}

/// The name that a folder with these files leads to.
#[track_caller]
fn check(there: &[&str], namespace: &str, next: &str) {
    let root = tempfile::tempdir().unwrap();
    there.iter().for_each(|name| drop(touch(root.path(), name)));
    assert_eq!(put(root.path(), namespace, "md").path, root.path().join(next));
    there.iter().for_each(|name| assert_eq!(fs::read_to_string(root.path().join(name)).unwrap(), *name));
}

#[test]
fn the_next_number_is_one_above_the_highest() {
    check(&[], "a", "a_001.md");
    check(&["a_001.md", "a_005.md"], "a", "a_006.md");
    check(&["a_999.md"], "a", "a_1000.md");
    check(&["a_999.md", "a_1000.md", "a_998.md"], "a", "a_1001.md");
    check(&["a_003.json"], "a", "a_004.md");
    check(&["a_7.md", "a_0009.pdf"], "a", "a_010.md");
}

#[test]
fn a_namespace_is_literal_and_knows_its_own() {
    check(&["axb_007.md"], "a.b", "a.b_001.md");
    check(&["a.b_007.md"], "a.b", "a.b_008.md");
    check(&["aab_007.md", "a+b_002.md"], "a+b", "a+b_003.md");
    check(&["a_b_009.md", "a_001_009.md", "ab_009.md", "A_009.md"], "a", "a_001.md");
    check(&["a_009.md"], "a_001", "a_001_001.md");
    check(&["(_009.md", "[a-z]_009.md"], "[a-z]", "[a-z]_010.md");
    check(&["é_001.md"], "é", "é_002.md");
    check(&["a_.md", "a_1x.md", "a_+1.md", "a_-1.md", "a_99999999999999999999999.md", "xa_4.md"], "a", "a_001.md");
}

#[test]
fn hostile_namespaces_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let long = "x".repeat(65);
    let wide = "\u{1F600}".repeat(64);
    let mut told = String::new();
    for namespace in ["", ".", "..", ".a", "a/b", "/etc/x", "a\\b", "a\nb", "a\0", "\u{1b}[2J", &long, &wide] {
        let error = publish(root.path(), namespace, "md", |_| Ok(())).unwrap_err();
        assert!(matches!(error, OutputError::Namespace { .. }));
        assert!(matches!(prune(root.path(), namespace, Keep::Newest(0), 0), Err(OutputError::Namespace { .. })));
        told += &format!("{error}\n");
    }
    insta::assert_snapshot!(told, @r#"
    namespace cannot be used in a file name: `""`: it is empty
    namespace cannot be used in a file name: `.`: it starts with a dot
    namespace cannot be used in a file name: `..`: it starts with a dot
    namespace cannot be used in a file name: `.a`: it starts with a dot
    namespace cannot be used in a file name: `a/b`: it has a path separator
    namespace cannot be used in a file name: `/etc/x`: it has a path separator
    namespace cannot be used in a file name: `"a\\b"`: it has a path separator
    namespace cannot be used in a file name: `"a\nb"`: it has a control character
    namespace cannot be used in a file name: `"a\u0000"`: it has a control character
    namespace cannot be used in a file name: `"\u001b[2J"`: it has a control character
    namespace cannot be used in a file name: `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`: it is longer than 64 characters or 200 bytes
    namespace cannot be used in a file name: `😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀`: it is longer than 64 characters or 200 bytes
    "#);
    let error = publish(root.path(), "a", "md/../../x", |_| Ok(())).unwrap_err();
    insta::assert_snapshot!(format!("{error}\n{}", error.hint()), @"
    extension is not known: `md/../../x`
    use one of: md, xml, json, jsonl, txt
    ");
    assert_eq!(listing(root.path()), "");
    check(&[], &"é".repeat(64), &format!("{}_001.md", "é".repeat(64)));
}

#[test]
fn a_deleted_number_never_comes_back() {
    let root = tempfile::tempdir().unwrap();
    for expected in 1..=5 {
        let done = put(root.path(), "a", ["md", "json", "xml"][expected as usize % 3]);
        assert_eq!(done.number, expected);
        fs::remove_file(done.path).unwrap();
    }
    prune(root.path(), "a", Keep::Newest(0), 0).unwrap();
    assert_eq!(put(root.path(), "a", "md").number, 6);
    assert_eq!(put(root.path(), "b", "md").number, 1);
}

#[test]
fn the_last_number_is_an_error_not_an_overflow() {
    let root = tempfile::tempdir().unwrap();
    touch(root.path(), &format!("a_{}.md", u64::MAX - 1));
    assert_eq!(put(root.path(), "a", "md").number, u64::MAX);
    let error = publish(root.path(), "a", "md", |_| Ok(())).unwrap_err();
    assert!(matches!(error, OutputError::Exhausted { .. }), "{error}");
}

#[test]
fn own_outputs_are_known_by_name() {
    let told: String =
        ["a_001.md", "a_1000.json", "a_000.md", "a_01.md", "a_0001.md", "a_001.png", "a_001.md.bak", "a_001"]
            .iter()
            .map(|name| format!("{name} {:?}\n", own_output(name, "a")))
            .collect();
    insta::assert_snapshot!(told, @"
    a_001.md Some(1)
    a_1000.json Some(1000)
    a_000.md None
    a_01.md None
    a_0001.md None
    a_001.png None
    a_001.md.bak None
    a_001 None
    ");
}

#[test]
fn a_folder_of_ours_ignores_itself_and_one_of_the_user_does_not() {
    let root = tempfile::tempdir().unwrap();
    let made = root.path().join("x/y");
    put(&made, "a", "md");
    assert_eq!(listing(&made), ".a.seq .gitignore a_001.md");
    assert_eq!(fs::read_to_string(made.join(".gitignore")).unwrap(), "*\n");
    assert_eq!(listing(&root.path().join("x")), "y");

    let usual = root.path().join(".contexture/out");
    fs::create_dir_all(&usual).unwrap();
    put(&usual, "a", "md");
    assert_eq!(listing(&usual), ".a.seq .gitignore a_001.md");
    fs::write(usual.join(".gitignore"), "of the user").unwrap();
    put(&usual, "a", "md");
    assert_eq!(fs::read_to_string(usual.join(".gitignore")).unwrap(), "of the user");

    put(root.path(), "a", "md");
    assert_eq!(listing(root.path()), ".a.seq .contexture a_001.md x");
}

#[test]
fn a_writer_that_fails_midway_leaves_everything_as_it_was() {
    let root = tempfile::tempdir().unwrap();
    let first = put(root.path(), "a", "md");
    let before = listing(root.path());
    let error = publish(root.path(), "a", "md", |out| {
        out.write_all(&vec![b'x'; 3 << 20])?;
        Err(io::Error::other("halfway"))
    });
    assert!(error.is_err());
    assert!(write_atomic(&first.path, |out| out.write_all(b"new").and(Err(io::Error::other("halfway")))).is_err());
    assert_eq!(listing(root.path()), before);
    assert_eq!(fs::read_to_string(first.path).unwrap(), "text");
}

#[test]
fn a_file_or_a_dead_end_as_folder_is_told() {
    let root = tempfile::tempdir().unwrap();
    let file = touch(root.path(), "file");
    for dir in [file.clone(), file.join("deeper")] {
        let error = publish(&dir, "a", "md", |_| Ok(())).unwrap_err();
        assert!(error.to_string().starts_with("cannot make the folder: `"), "{error}");
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "file");
}

#[test]
fn large_content_arrives_whole() {
    let root = tempfile::tempdir().unwrap();
    let piece: Vec<u8> = (0..=255).collect();
    let done = publish(root.path(), "a", "md", |out| (0..12_000).try_for_each(|_| out.write_all(&piece))).unwrap();
    assert_eq!(done.bytes, 256 * 12_000);
    assert!(fs::read(done.path).unwrap().chunks(256).all(|chunk| chunk == piece));
}

#[test]
fn prune_keeps_the_newest_by_number() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    for name in ["a_998.md", "a_999.json", "a_1000.md", "a_1000.xml", "a_b_001.md", "a_1.md", "a_002.png", "b_001.md"] {
        touch(dir, name);
    }
    fs::create_dir(dir.join("a_003.md")).unwrap();
    let done = prune(dir, "a", Keep::Newest(2), 0).unwrap();
    assert_eq!((done.removed, done.kept), (vec![dir.join("a_998.md")], 3));
    let done = prune(dir, "a", Keep::Newest(0), 0).unwrap();
    assert_eq!((done.removed.len(), done.kept), (3, 0));
    assert_eq!(listing(dir), ".a.seq a_002.png a_003.md a_1.md a_b_001.md b_001.md");
    assert_eq!(put(dir, "a", "md").number, 1001);
    assert_eq!(prune(&dir.join("nowhere"), "a", Keep::Newest(0), 0).unwrap(), Default::default());
}

#[test]
fn prune_keeps_the_last_days_by_time() {
    const DAY: i64 = 86_400;
    let now = 1_800_000_000;
    let root = tempfile::tempdir().unwrap();
    for (name, age) in [("a_001.md", 0), ("a_002.md", 3 * DAY), ("a_003.md", 3 * DAY + 1), ("a_004.md", -9 * DAY)] {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs((now - age) as u64);
        fs::File::create(root.path().join(name)).unwrap().set_modified(time).unwrap();
    }
    let done = prune(root.path(), "a", Keep::Days(u64::MAX), now).unwrap();
    assert_eq!((done.removed.len(), done.kept, listing(root.path()).contains("seq")), (0, 4, false));
    let done = prune(root.path(), "a", Keep::Days(3), now).unwrap();
    assert_eq!((done.removed, done.kept), (vec![root.path().join("a_003.md")], 3));
    assert_eq!(prune(root.path(), "a", Keep::Days(0), now).unwrap().kept, 2);
    assert_eq!(put(root.path(), "a", "md").number, 5);
}

#[test]
fn a_file_by_hand_needs_its_folder_and_no_folder_in_its_place() {
    let root = tempfile::tempdir().unwrap();
    let error = write_atomic(&root.path().join("no/file"), |_| Ok(())).unwrap_err();
    assert!(matches!(error, OutputError::NoFolder(_)), "{error}");
    assert!(error.hint().starts_with("make it first: `mkdir -p "), "{}", error.hint());
    assert!(matches!(write_atomic(root.path(), |_| Ok(())), Err(OutputError::IsFolder(_))));
    let file = root.path().join("file");
    assert_eq!(write_atomic(&file, |out| out.write_all(b"one")).unwrap(), 3);
    assert_eq!(write_atomic(&file, |out| out.write_all(b"three")).unwrap(), 5);
    assert_eq!(fs::read_to_string(&file).unwrap(), "three");
    assert_eq!(listing(root.path()), "file");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use rustix::fs::{CWD, Mode, mkfifoat};

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn a_link_is_followed_and_permissions_stay() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path();
        fs::create_dir(dir.join("sub")).unwrap();
        let real = touch(&dir.join("sub"), "real");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("sub/real", dir.join("one")).unwrap();
        symlink("one", dir.join("two")).unwrap();
        write_atomic(&dir.join("two"), |out| out.write_all(b"new")).unwrap();
        assert_eq!((fs::read_to_string(&real).unwrap().as_str(), mode(&real)), ("new", 0o640));
        assert!(fs::symlink_metadata(dir.join("two")).unwrap().is_symlink());

        symlink("sub/later", dir.join("dangling")).unwrap();
        write_atomic(&dir.join("dangling"), |out| out.write_all(b"now")).unwrap();
        assert_eq!(listing(&dir.join("sub")), "later real");
        symlink("loop", dir.join("loop")).unwrap();
        assert!(write_atomic(&dir.join("loop"), |_| Ok(())).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_pipes_are_written_through() {
        assert_eq!(write_atomic(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap(), 4);
        let error = write_atomic(Path::new("/dev/full"), |out| out.write_all(&[0; 3 << 20])).unwrap_err();
        insta::assert_snapshot!(format!("{error}\n{}", error.hint()), @"
        disk is full: `/dev/full`: 3145728 bytes needed: No space left on device (os error 28)
        free some space with `contexture prune`, or write elsewhere with `-o FILE`
        ");
        let root = tempfile::tempdir().unwrap();
        let pipe = root.path().join("pipe");
        mkfifoat(CWD, &pipe, Mode::from_raw_mode(0o600)).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write_atomic(&pipe, |out| out.write_all(b"through")).unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert_eq!(listing(root.path()), "pipe");
    }

    #[test]
    fn a_sequence_that_is_a_link_or_a_pipe_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let victim = touch(root.path(), "victim");
        symlink(&victim, root.path().join(".a.seq")).unwrap();
        mkfifoat(CWD, root.path().join(".b.seq"), Mode::from_raw_mode(0o600)).unwrap();
        symlink(root.path().join("new"), root.path().join(".c.seq")).unwrap();
        for namespace in ["a", "b", "c"] {
            let error = publish(root.path(), namespace, "md", |_| Ok(())).unwrap_err();
            assert!(matches!(error, OutputError::NotRegular(_)), "{error}");
        }
        assert_eq!(fs::read_to_string(victim).unwrap(), "victim");
        assert_eq!(listing(root.path()), ".a.seq .b.seq .c.seq victim");
    }

    #[test]
    fn stale_temps_go_and_strange_things_of_that_name_stay() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path();
        let victim = touch(dir, "victim");
        touch(dir, ".contexture-1-1.tmp");
        touch(dir, ".contexture-1-.tmp");
        let live = fs::File::create(dir.join(".contexture-1-2.tmp")).unwrap();
        live.lock().unwrap();
        symlink(&victim, dir.join(".contexture-1-3.tmp")).unwrap();
        mkfifoat(CWD, dir.join(".contexture-1-4.tmp"), Mode::from_raw_mode(0o600)).unwrap();
        fs::create_dir(dir.join(".contexture-1-5.tmp")).unwrap();
        put(dir, "a", "md");
        let left: Vec<_> = listing(dir).split(' ').map(String::from).filter(|name| name.ends_with("tmp")).collect();
        insta::assert_snapshot!(left.join("\n"), @"
        .contexture-1-.tmp
        .contexture-1-2.tmp
        .contexture-1-3.tmp
        .contexture-1-4.tmp
        .contexture-1-5.tmp
        ");
        drop(live);
        write_atomic(&dir.join("file"), |out| out.write_all(b"x")).unwrap();
        assert!(!dir.join(".contexture-1-2.tmp").exists());
        assert!(victim.exists());
    }

    /// The superuser may write everywhere but where the kernel says no.
    #[test]
    fn a_folder_that_cannot_be_written_is_told() {
        let root = tempfile::tempdir().unwrap();
        let file = touch(root.path(), "a_001.md");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o555)).unwrap();
        let locked = if fs::File::create(root.path().join("probe")).is_ok() {
            Path::new("/proc")
        } else {
            assert!(write_atomic(&file, |out| out.write_all(b"new")).is_err(), "write-protected");
            root.path()
        };
        let error = publish(locked, "a", "md", |_| Ok(())).unwrap_err();
        assert!(error.to_string().starts_with("cannot create a file in: `"), "{error}");
        assert!(error.hint().contains("-o FILE"));
        assert!(write_atomic(&locked.join("x"), |_| Ok(())).is_err());
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(fs::read_to_string(file).unwrap(), "a_001.md");
    }
}
