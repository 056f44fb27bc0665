//! A write that fails or dies between any two of its steps, and what the folder looks like afterwards.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;

use super::fault::armed::{Fault, arm, seen};
use super::*;

const OLD: &[u8] = b"old content";
const NEW: &[u8] = b"new content";

fn put(dir: &Path, bytes: &'static [u8]) -> Result<Published, OutputError> {
    publish(dir, "a", "md", |out| out.write_all(bytes))
}

/// All names in the folder but the ones that every run leaves.
fn names(dir: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != ".a.seq" && name != ".gitignore");
    names.sort();
    names
}

/// Whatever happened: outputs are whole, and the folder ignores itself or has not got so far.
fn assert_whole(dir: &Path) {
    for name in names(dir) {
        let bytes = fs::read(dir.join(&name)).unwrap();
        assert!(temp::is_temp(&name) || bytes == OLD || bytes == NEW, "{name}: {bytes:?}");
    }
    if let Ok(ignore) = fs::read(dir.join(".gitignore")) {
        assert_eq!(ignore, b"*\n");
    }
}

#[derive(Clone, Copy)]
enum Act {
    /// The first output of a folder that does not exist.
    First,
    /// The second output, `a_002.md`.
    Second,
    /// A file by name, over an old one.
    Replace,
    /// Of two outputs without a sequence, all go.
    Prune,
}

fn set_up(act: Act, dir: &Path) {
    match act {
        Act::First => {}
        Act::Second => drop(put(dir, OLD).unwrap()),
        Act::Replace => {
            fs::create_dir_all(dir).unwrap();
            fs::write(dir.join("file"), OLD).unwrap();
        }
        Act::Prune => {
            fs::create_dir_all(dir).unwrap();
            fs::write(dir.join("a_001.md"), OLD).unwrap();
            fs::write(dir.join("a_002.md"), OLD).unwrap();
        }
    }
}

fn run(act: Act, dir: &Path) -> Result<(), OutputError> {
    match act {
        Act::First | Act::Second => put(dir, NEW).map(drop),
        Act::Replace => write_atomic(&dir.join("file"), |out| out.write_all(NEW)).map(drop),
        Act::Prune => prune(dir, "a", Keep::Newest(0), 0).map(drop),
    }
}

/// The steps of an act that succeeds.
fn steps(act: Act) -> Vec<&'static str> {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("out");
    set_up(act, &dir);
    arm(None);
    run(act, &dir).unwrap();
    seen()
}

#[test]
fn the_order_of_steps_is_the_design() {
    insta::assert_snapshot!(steps(Act::Second).join("\n"), @"
    create the temp file
    lock the temp file
    write the content
    sync the content
    open the sequence
    lock the sequence
    list the folder
    record the number
    sync the sequence
    name the output
    sync the folder
    ");
    insta::assert_snapshot!(steps(Act::Replace).join("\n"), @"
    create the temp file
    lock the temp file
    keep the permissions
    write the content
    sync the content
    name the file
    sync the folder
    ");
    insta::assert_snapshot!(steps(Act::Prune).join("\n"), @"
    open the sequence
    lock the sequence
    list the folder
    sync the parents
    sync the parents
    sync the parents
    sync the parents
    record the number
    sync the sequence
    remove an output
    remove an output
    sync the folder
    ");
    // The parents are as many as the path is deep.
    let mut first = steps(Act::First);
    first.dedup();
    insta::assert_snapshot!(first.join("\n"), @"
    create the temp file
    lock the temp file
    write the content
    sync the content
    name the ignore file
    create the temp file
    lock the temp file
    write the content
    sync the content
    open the sequence
    lock the sequence
    list the folder
    sync the parents
    record the number
    sync the sequence
    name the output
    sync the folder
    ");
}

#[test]
fn a_step_that_fails_leaves_no_trace_and_says_which_it_was() {
    let mut told = String::new();
    for act in [Act::First, Act::Second, Act::Replace, Act::Prune] {
        for (at, step) in steps(act).into_iter().enumerate() {
            for fault in [Fault::Error, Fault::Full] {
                let root = tempfile::tempdir().unwrap();
                let dir = root.path().join("out");
                set_up(act, &dir);
                let before = names(&dir);
                arm(Some((at, fault)));
                let error = run(act, &dir).unwrap_err();
                arm(None);
                assert_whole(&dir);
                match act {
                    Act::Prune => assert!(names(&dir).len() <= 2),
                    _ => assert_eq!(names(&dir), before, "{step}"),
                }
                if matches!(act, Act::Replace) && step != "sync the folder" {
                    assert_eq!(fs::read(dir.join("file")).unwrap(), OLD);
                }
                let highest = match act {
                    Act::First | Act::Replace => 0,
                    Act::Second => 1,
                    Act::Prune => 2,
                };
                assert!(put(&dir, NEW).unwrap().number > highest, "{step}");
                if matches!(act, Act::Second) {
                    told += &format!("{error}\n").replace(&dir.display().to_string(), "OUT");
                }
            }
        }
    }
    insta::assert_snapshot!(told, @"
    cannot create a file in: `OUT`: broken on purpose
    cannot create a file in: `OUT`: no storage space
    cannot lock the temp file of: `OUT/a_NNN.md`: broken on purpose
    cannot lock the temp file of: `OUT/a_NNN.md`: no storage space
    cannot write: `OUT/a_NNN.md`: broken on purpose
    cannot write: `OUT/a_NNN.md`: no storage space
    cannot sync: `OUT/a_NNN.md`: broken on purpose
    disk is full: `OUT/a_NNN.md`: 11 bytes needed: no storage space
    cannot open the sequence: `OUT/.a.seq`: broken on purpose
    disk is full: `OUT/.a.seq`: 4096 bytes needed: no storage space
    cannot lock the sequence: `OUT/.a.seq`: broken on purpose
    cannot lock the sequence: `OUT/.a.seq`: no storage space
    cannot list the folder: `OUT`: broken on purpose
    cannot list the folder: `OUT`: no storage space
    cannot record the number: `OUT/.a.seq`: broken on purpose
    disk is full: `OUT/.a.seq`: 4096 bytes needed: no storage space
    cannot record the number: `OUT/.a.seq`: broken on purpose
    disk is full: `OUT/.a.seq`: 4096 bytes needed: no storage space
    cannot name the output: `OUT/a_002.md`: broken on purpose
    cannot name the output: `OUT/a_002.md`: no storage space
    cannot sync the folder: `OUT`: broken on purpose
    cannot sync the folder: `OUT`: no storage space
    ");
}

/// Not a test of its own: the process that dies.
#[test]
fn child() {
    let Ok(job) = std::env::var("CONTEXTURE_TEST_DIE") else { return };
    let mut parts = job.splitn(3, ' ');
    let act = match parts.next().unwrap() {
        "first" => Act::First,
        "second" => Act::Second,
        "replace" => Act::Replace,
        _ => Act::Prune,
    };
    let at = parts.next().unwrap().parse().unwrap();
    arm(Some((at, Fault::Kill)));
    let _ = run(act, Path::new(parts.next().unwrap()));
}

/// Lets a process die at every step in turn, each in a folder of its own, until one survives.
fn die_everywhere(act: Act, word: &str, mut check: impl FnMut(usize, &Path)) {
    for at in 0.. {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("out");
        set_up(act, &dir);
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "outputs::tests::child"])
            .env("CONTEXTURE_TEST_DIE", format!("{word} {at} {}", dir.display()))
            .output()
            .unwrap()
            .status;
        if status.success() {
            assert!(at > 5, "the child did not run");
            return;
        }
        assert_whole(&dir);
        check(at, &dir);
    }
}

fn outputs(dir: &Path) -> Vec<String> {
    names(dir).into_iter().filter(|name| !temp::is_temp(name)).collect()
}

#[test]
fn a_process_that_dies_burns_a_number_at_most() {
    let steps = steps(Act::Second);
    let mut told = String::new();
    die_everywhere(Act::Second, "second", |at, dir| {
        let left = outputs(dir).join(" ");
        let next = put(dir, NEW).unwrap();
        assert_eq!(next.notes, []);
        assert_eq!(names(dir), outputs(dir), "swept");
        told += &format!("{:22} {left:18} next {}\n", steps[at], next.number);
    });
    insta::assert_snapshot!(told, @"
    create the temp file   a_001.md           next 2
    lock the temp file     a_001.md           next 2
    write the content      a_001.md           next 2
    sync the content       a_001.md           next 2
    open the sequence      a_001.md           next 2
    lock the sequence      a_001.md           next 2
    list the folder        a_001.md           next 2
    record the number      a_001.md           next 2
    sync the sequence      a_001.md           next 3
    name the output        a_001.md           next 3
    sync the folder        a_001.md a_002.md  next 3
    ");
}

#[test]
fn a_process_that_dies_on_first_use_leaves_a_usable_folder() {
    die_everywhere(Act::First, "first", |at, dir| {
        let left = outputs(dir).len() as u64;
        let next = put(dir, NEW).unwrap();
        assert!(next.number > left && next.number <= 2, "{at}: {}", next.number);
        assert_eq!(names(dir), outputs(dir), "swept");
    });
}

#[test]
fn a_process_that_dies_while_replacing_leaves_the_old_or_the_new() {
    die_everywhere(Act::Replace, "replace", |_, dir| {
        assert_eq!(outputs(dir), ["file"]);
        run(Act::Replace, dir).unwrap();
        assert_eq!(names(dir), ["file"]);
    });
}

#[test]
fn a_process_that_dies_while_pruning_never_brings_a_number_back() {
    die_everywhere(Act::Prune, "prune", |_, dir| assert_eq!(put(dir, NEW).unwrap().number, 3));
}

#[test]
fn a_torn_sequence_falls_back_by_one_and_says_so() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    for _ in 0..7 {
        let path = put(dir, OLD).unwrap().path;
        fs::remove_file(path).unwrap();
    }
    let file = dir.join(".a.seq");
    let good = fs::read(&file).unwrap();
    // Seven lies in the first block, six in the second.
    for torn in 0..38 {
        let mut bytes = good.clone();
        bytes[torn] ^= 1;
        fs::write(&file, &bytes).unwrap();
        let next = put(dir, NEW).unwrap();
        assert_eq!((next.number, next.notes.len()), (7, 1));
        fs::remove_file(next.path).unwrap();
        assert_eq!(fs::read(&file).unwrap(), good, "repaired");
    }
    let mut bytes = good;
    bytes[0] = b'x';
    bytes[4096] = b'x';
    fs::write(&file, &bytes).unwrap();
    fs::write(dir.join("a_012.md"), OLD).unwrap();
    let next = put(dir, NEW).unwrap();
    insta::assert_snapshot!(next.notes[0].text, @"sequence file was damaged: numbers go on above the highest output found");
    assert_eq!(next.number, 13);
    assert_eq!(put(dir, NEW).unwrap().notes, []);
}

#[test]
fn a_panic_of_the_writer_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let caught = std::panic::catch_unwind(|| {
        publish(root.path(), "a", "md", |out| {
            out.write_all(NEW)?;
            panic!("on purpose")
        })
    });
    assert!(caught.is_err());
    assert_eq!(names(root.path()), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_the_writer_swallows_is_still_an_error() {
    let file = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = temp::pour(&file, Path::new("x"), |out| {
        for _ in 0..5 {
            let _ = out.write_all(&[0; temp::BUFFER]);
        }
        Ok(())
    });
    assert!(matches!(error, Err(OutputError::Full { needed: 5_242_880, .. })), "{error:?}");
    let read_only = fs::File::open("/dev/null").unwrap();
    let error = temp::pour(&read_only, Path::new("x"), |out| {
        let _ = out.write_all(&[0; temp::BUFFER]);
        Ok(())
    });
    assert!(matches!(error, Err(OutputError::Io { .. })), "{error:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_name_gives_its_number_back(namespace in "[^/\\\\.\\x00][^/\\\\\\x00]{0,40}", number in 1u64.., pick in 0..EXTENSIONS.len()) {
        let name = name::file_name(&namespace, number, EXTENSIONS[pick]);
        prop_assert_eq!(own_output(&name, &namespace), Some(number));
        prop_assert_eq!(name::looks_like(&name, &namespace), Some(number));
        prop_assert_eq!(own_output(&name, &format!("{namespace}_")), None);
    }

    #[test]
    fn any_name_and_namespace_are_taken_calmly(name in any::<String>(), namespace in any::<String>()) {
        let _ = own_output(&name, &namespace);
        let _ = name::check_namespace(&namespace);
        let _ = temp::is_temp(&name);
    }

    #[test]
    fn any_sequence_file_still_gives_a_free_number(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a_041.md"), OLD).unwrap();
        fs::write(root.path().join(".a.seq"), bytes).unwrap();
        prop_assert_eq!(put(root.path(), NEW).unwrap().number, 42);
        prop_assert_eq!(put(root.path(), NEW).unwrap().notes, vec![]);
    }
}

#[test]
fn errors_of_the_writer_are_told_with_the_place() {
    let root = tempfile::tempdir().unwrap();
    let error = publish(root.path(), "a", "md", |_| Err(io::Error::other("no more words"))).unwrap_err();
    assert!(error.to_string().starts_with("cannot write: `"), "{error}");
    assert!(error.to_string().ends_with("no more words"), "{error}");
}
