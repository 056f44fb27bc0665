//! Files that change, vanish and come back while the program reads them.
//!
//! Each file is opened once and what is shown is what was hashed. A file replaced by a rename is one version or the other;
//! a file overwritten in place is shown as it was at one moment, or noted as unstable. `CONTEXTURE_TORTURE=full` makes
//! 100,000 reads of each sort, the usual run some hundreds.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use contexture_testkit::{TestEnv, figure, full, recover};
use rustix::fs::inotify;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const READ: [&str; 7] = ["build", "-o", "-", "--json", "--no-cache", "--tokenizer", "estimate"];

#[test]
fn a_renamed_file_is_one_version_or_the_other() {
    let (files, runs) = if full() { (50, 2000) } else { (20, 15) };
    let env = env();
    let versions = [body('A', 16 * 1024), body('B', 16 * 1024)];
    for n in 0..files {
        env.write(&format!("f{n:02}.txt"), &versions[0]);
    }
    let (aside, root) = (env.temp().join("aside"), env.root());
    let mut seen = BTreeSet::new();
    let swaps = while_writing(
        |step| {
            fs::write(&aside, &versions[step % 2]).unwrap();
            fs::rename(&aside, root.join(format!("f{:02}.txt", step / 2 % files))).unwrap();
        },
        || {
            for _ in 0..runs {
                let shown = read(&env);
                assert_eq!(shown.files.len(), files, "left out: {}", shown.report["left_out"]);
                for (path, text) in &shown.files {
                    assert!(versions.contains(text), "{path} is of two versions");
                    seen.insert(text.starts_with('A'));
                }
            }
        },
    );
    assert_eq!(seen.len(), 2, "the writer was never met");
    figure(&format!("{} reads during {swaps} renames", runs * files));
}

#[test]
fn a_file_overwritten_in_place_is_whole_or_noted() {
    // Long enough that a read meets several writes.
    let pages = 24;
    let runs = if full() { 25_000 } else { 12 };
    let env = env();
    let names = ["a.txt", "b.txt", "c.txt", "d.txt"];
    let first: String = (0..pages).map(|_| page(0)).collect();
    let open: Vec<File> = names
        .iter()
        .map(|name| {
            env.write(name, &first);
            File::options().write(true).open(env.root().join(name)).unwrap()
        })
        .collect();
    let gap = if times_are_fine(&open[0]) { Duration::ZERO } else { Duration::from_millis(11) };
    let (mut reads, mut torn, mut noted) = (0, 0, 0);
    let writes = while_writing(
        // From front to back with the number of the round: at any one moment the numbers fall at most once, and by one.
        |step| {
            let (file, page_index, round) =
                (step % open.len(), step / open.len() % pages, step / open.len() / pages + 1);
            open[file].write_all_at(page(round).as_bytes(), (page_index * PAGE) as u64).unwrap();
            spin(gap);
        },
        || {
            // On a busy machine the writer may not get its turn: then there are more reads, until it is met.
            while reads < runs || (noted == 0 && gap == Duration::ZERO && reads < runs * 100) {
                reads += 1;
                let shown = read(&env);
                assert_eq!(shown.files.len(), names.len());
                for (path, text) in &shown.files {
                    assert_eq!(text.len(), pages * PAGE, "the size never changed: {path}");
                    let unstable = shown.unstable.contains(path);
                    noted += usize::from(unstable);
                    if !of_one_moment(text) {
                        torn += 1;
                        assert!(unstable, "{path} is of two moments and nobody said so");
                    }
                }
            }
        },
    );
    let reads = reads * names.len();
    figure(&format!(
        "{reads} reads during {writes} writes in place: {noted} noted, {torn} of two moments, all of them noted"
    ));
    assert!(gap > Duration::ZERO || noted > 0, "the writer was never met: {torn} torn, {noted} noted");
}

#[test]
fn growing_and_shrinking_files_are_shown_as_they_were_read() {
    let runs = if full() { 2000 } else { 15 };
    let env = env();
    env.write("log.txt", "").write("cut.txt", body('A', 64 * 1024));
    let log = File::options().append(true).open(env.root().join("log.txt")).unwrap();
    let cut = File::options().write(true).open(env.root().join("cut.txt")).unwrap();
    while_writing(
        |step| {
            use std::io::Write;
            (&log).write_all(b"one more line\n").unwrap();
            cut.set_len(if step % 2 == 0 { 0 } else { 64 * 1024 }).unwrap();
            if step % 20_000 == 19_999 {
                log.set_len(0).unwrap();
            }
        },
        // `read` compares the hash with the text; beyond that any length is right.
        || (0..runs).for_each(|_| assert_eq!(read(&env).seen, 2)),
    );
}

#[test]
fn a_file_that_vanishes_is_absent_or_an_error() {
    let runs = if full() { 2000 } else { 20 };
    let env = env();
    env.write("stays.txt", "here\n")
        .write("contexture.toml", "[files]\npaths = [\"*.txt\", \"sub/**\", \"named.md\"]\n");
    let root = env.root();
    let (mut errors, mut texts) = (0, 0);
    let rounds = while_writing(
        |step| {
            let text = "there for a moment\n";
            let (file, named, dir) = (root.join(format!("g{}.txt", step % 7)), root.join("named.md"), root.join("sub"));
            fs::create_dir_all(dir.join("deep")).unwrap();
            for path in [&file, &named, &dir.join("deep/x.txt")] {
                fs::write(path, text).unwrap();
            }
            for path in [&file, &named] {
                fs::remove_file(path).unwrap();
            }
            fs::remove_dir_all(&dir).unwrap();
        },
        || {
            for _ in 0..runs {
                let shown = read(&env);
                assert_eq!(shown.files.get("stays.txt").map(String::as_str), Some("here\n"));
                for (path, text) in shown.files.iter().filter(|(path, _)| *path != "stays.txt") {
                    assert!(["", "there for a moment\n"].contains(&text.as_str()), "{path}: {text:?}");
                    texts += 1;
                }
                for (path, error) in &shown.errors {
                    // The one named by hand is missed for being away; the others were listed and then gone.
                    assert_eq!(*error, format!("ERROR: file not found: {path}"));
                    errors += usize::from(path != "named.md");
                }
            }
        },
    );
    figure(&format!(
        "{runs} runs during {rounds} rounds of making and deleting: {texts} caught, {errors} gone since the walk"
    ));
}

#[test]
fn history_that_is_being_written_stays_out_by_any_name() {
    let runs = if full() { 2000 } else { 15 };
    let env = env();
    env.write("history.toml", "canary\n");
    (0..100).for_each(|n| fs::write(env.root().join(format!("f{n}.txt")), "text\n").unwrap());
    fs::hard_link(env.root().join("history.toml"), env.root().join("linked.md")).unwrap();
    let log = File::options().append(true).open(env.root().join("history.toml")).unwrap();
    while_writing(
        |step| {
            use std::io::Write;
            (&log).write_all(b"canary\n").unwrap();
            if step % 1000 == 999 {
                log.set_len(7).unwrap();
            }
        },
        || (0..runs).for_each(|_| assert!(!read(&env).report["document"].as_str().unwrap().contains("canary"))),
    );
}

#[test]
fn each_file_is_opened_once_and_hidden_ones_never() {
    let env = env();
    env.write("src/lib.rs", "pub fn one() {}\n").write("src/two.rs", "pub fn two() {}\n").write("none.md", "# No\n");
    env.write("hidden.md", "# Hidden\n").write("notes/deep.md", "# Deep\n").write("data.csv", "a,b\n1,2\n");
    env.write(
        "contexture.toml",
        "[files]\npaths = [\"src/**\", \"src/lib.rs\", \"./src/two.rs\", \"notes\", \"data.csv\", \
         { path = \"none.md\", view_mode = \"none\" }, { path = \"hidden.md\", auto_aggregate = false }]\n",
    );
    let files =
        [("src/lib.rs", 1), ("src/two.rs", 1), ("notes/deep.md", 1), ("data.csv", 1), ("none.md", 0), ("hidden.md", 0)];
    for view in [&[][..], &["--strategy", "summarize"], &["--tree", "full", "--line-numbers"]] {
        let args = [&READ[..], view].concat();
        let opens = opens(&env, &args, &files.map(|(name, _)| name));
        assert_eq!(opens, files.map(|(_, times)| times), "{view:?}");
        let traced = traced_opens(&env, &args, &files.map(|(name, _)| name));
        assert!(traced.is_none_or(|traced| traced == opens), "{view:?}");
    }
    // The program sees them all the same.
    let shown = read(&env);
    assert!(shown.report["document"].as_str().unwrap().contains("(context excluded)"));
    assert!(!shown.report["document"].as_str().unwrap().contains("Hidden"));
}

/// One run, judged by what holds for every run.
struct Shown {
    report: serde_json::Value,
    /// Files with a text, by path; the texts are what an independent reader finds in the document.
    files: BTreeMap<String, String>,
    errors: BTreeMap<String, String>,
    unstable: BTreeSet<String>,
    seen: usize,
}

fn read(env: &TestEnv) -> Shown {
    let ran = env.run(&READ);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report = ran.json();
    let blocks = recover(report["document"].as_str().unwrap());
    let items = report["items"].as_array().unwrap();
    assert_eq!(blocks.len(), items.len());
    let (mut files, mut errors) = (BTreeMap::new(), BTreeMap::new());
    for (block, item) in blocks.into_iter().zip(items) {
        assert_eq!(item["path"], block.path);
        if let Some(error) = item["error"].as_str() {
            errors.insert(block.path, error.to_owned());
            continue;
        }
        let text = block.text.unwrap_or_default();
        // A file of zeros is binary, and shown by its type: there is no text to hash.
        if item["view"] == "full" && block.label.is_empty() {
            assert_eq!(item["hash"], sha256(&text), "{}: the hash is of other bytes", block.path);
        }
        files.insert(block.path, text);
    }
    let notes = report["notes"].as_array().unwrap().iter().filter(|note| note["topic"] == "unstable");
    let unstable = notes.map(|note| note["path"].as_str().unwrap().to_owned()).collect();
    let seen = items.len();
    Shown { files, errors, unstable, seen, report }
}

/// Runs the second while the first is called over and over by another thread, with 0, 1, 2 …; gives how often it was.
fn while_writing(mut write: impl FnMut(usize) + Send, run: impl FnOnce()) -> usize {
    let stop = AtomicBool::new(false);
    /// Stops the writer also when the judge panics, or the scope would wait for ever.
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| (0..).take_while(|_| !stop.load(Ordering::Relaxed)).map(&mut write).count());
        let stopper = Stop(&stop);
        run();
        drop(stopper);
        writer.join().unwrap()
    })
}

const PAGE: usize = 4096;

/// A page that bears its number in every line.
fn page(round: usize) -> String {
    format!("{round:031}\n").repeat(PAGE / 32)
}

fn of_one_moment(text: &str) -> bool {
    let rounds: Vec<usize> = text.lines().map(|line| line.parse().unwrap()).collect();
    let falls = rounds.windows(2).filter(|pair| pair[0] != pair[1]).collect::<Vec<_>>();
    // Within one write the kernel copies from front to back too, so a fall may stand anywhere, but only one.
    falls.len() <= 1 && falls.iter().all(|pair| pair[0] == pair[1] + 1)
}

/// Whether a write that follows a look always gets a time of its own. Where it does not, two writes within one tick of the
/// clock cannot be told apart by anybody, and the writer has to be slower than the tick.
fn times_are_fine(file: &File) -> bool {
    let time = || file.metadata().map(|data| (data.mtime(), data.mtime_nsec())).unwrap();
    (0..100).all(|_| {
        let before = time();
        file.write_all_at(page(0).as_bytes(), 0).unwrap();
        time() != before
    })
}

fn spin(gap: Duration) {
    let end = Instant::now() + gap;
    while Instant::now() < end {
        std::thread::yield_now();
    }
}

/// How often each file was opened, as the kernel tells it.
fn opens(env: &TestEnv, args: &[&str], files: &[&str]) -> [usize; 6] {
    use inotify::{CreateFlags, ReadFlags, WatchFlags};
    let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
    // The reads and the close are watched too: two opens in a row would be told as one.
    let flags = WatchFlags::OPEN | WatchFlags::ACCESS | WatchFlags::CLOSE;
    let watches: Vec<i32> =
        files.iter().map(|file| inotify::add_watch(&queue, env.root().join(file), flags).unwrap()).collect();
    assert_eq!(env.run(args).code, Some(0));
    let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
    let mut events = inotify::Reader::new(&queue, &mut buffer);
    let mut counts = [0; 6];
    while let Ok(event) = events.next() {
        if event.events().contains(ReadFlags::OPEN)
            && let Some(index) = watches.iter().position(|watch| *watch == event.wd())
        {
            counts[index] += 1;
        }
    }
    counts
}

/// The same by the calls of the program, where `strace` can be had: it also sees an open within an open.
fn traced_opens(env: &TestEnv, args: &[&str], files: &[&str]) -> Option<[usize; 6]> {
    let (inner, log) = (env.command(args), env.temp().join("trace"));
    let mut command = std::process::Command::new("strace");
    command
        .args(["-f", "-qq", "-s", "4096", "-e", "trace=open,openat,openat2", "-o"])
        .arg(&log)
        .arg(inner.get_program());
    command.args(inner.get_args()).current_dir(env.root()).env_clear();
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    // It is not everywhere, and where it is it may not be allowed to trace.
    command.output().ok().filter(|output| output.status.success())?;
    let text = fs::read_to_string(log).unwrap();
    let mut counts = [0; 6];
    for line in text.lines() {
        let path = line.split('"').nth(1).unwrap_or_default();
        let name = Path::new(path).file_name();
        if let Some(index) = files.iter().position(|file| name.is_some() && Path::new(file).file_name() == name) {
            counts[index] += 1;
        }
    }
    Some(counts)
}

fn body(letter: char, bytes: usize) -> String {
    let line = String::from_iter(std::iter::repeat_n(letter, 63)) + "\n";
    line.repeat(bytes / 64)
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_contexture"))
}
