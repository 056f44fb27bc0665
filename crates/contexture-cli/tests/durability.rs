//! Durability at the door: what the program printed is on disk and whole, whoever else builds at that moment,
//! whenever it is killed, and whatever the disk, the folder or the system refuses.
//!
//! The usual run is a share that takes seconds; `CONTEXTURE_TORTURE=full` runs 64 builders with 200 documents each and
//! 10,000 kills. The steps of the writer are tested one by one in `contexture-gather`; here only the outside is looked at.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use contexture_testkit::{TestEnv, figure, full};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Different documents are built, so that a mix of two would be seen.
const FILES: [&str; 4] = ["one.txt", "two.txt", "three.txt", "four.txt"];
const BUILD: [&str; 4] = ["build", "--quiet", "--tokenizer", "estimate"];
const OUT: &str = ".contexture/out";

#[test]
fn builders_at_once_lose_and_share_no_number() {
    let (builders, rounds) = if full() { (64, 200) } else { (64, 2) };
    let (env, expected) = project();
    let printed: Vec<(usize, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..builders)
            .map(|builder| {
                let env = &env;
                scope.spawn(move || {
                    let kind = builder % FILES.len();
                    let once = |_| {
                        let ran = env.run(&[&BUILD[..], &[FILES[kind]]].concat());
                        assert_eq!(ran.code, Some(0), "{}", ran.all());
                        (kind, ran.stdout)
                    };
                    (0..rounds).map(once).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut numbers = BTreeSet::new();
    for (kind, path) in &printed {
        assert!(numbers.insert(number(path)), "issued twice: {path}");
        assert!(fs::read(env.root().join(path.trim_end())).unwrap() == expected[*kind], "torn or mixed: {path}");
    }
    // Nobody died, so there is no gap and nothing lies about.
    assert_eq!(numbers.into_iter().collect::<Vec<_>>(), (1..=builders * rounds).collect::<Vec<_>>());
    assert_eq!(names(&env.root().join(OUT)).len(), builders * rounds + 2, "documents, sequence, ignore file");
}

#[test]
fn kills_lose_nothing_that_was_printed() {
    let wanted = if full() { 10_000 } else { 40 };
    // Few at a time: with more, this thread would not run often enough to meet the short moment of writing. The crowd is
    // the business of the test above and of `outputs_processes.rs`.
    let width = 4;
    let (env, expected) = project();
    let out = env.root().join(OUT);
    let spawn = |kind: usize| {
        let mut command = env.command(&[&BUILD[..], &[FILES[kind]]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    // How long a wave takes that nobody disturbs: the kills fall into this time, on a slow machine and on a fast one.
    let started = Instant::now();
    let whole: Vec<Child> = (0..width).map(|i| spawn(i % FILES.len())).collect();
    let mut printed: BTreeMap<usize, usize> = BTreeMap::new();
    whole.into_iter().enumerate().for_each(|(i, child)| note_printed(&mut printed, i % FILES.len(), child));
    let usual = started.elapsed();

    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut begun, mut killed, mut stale) = (0, 0, 0);
    while killed < wanted || stale == 0 {
        begun += width;
        assert!(
            begun < 10 * wanted,
            "the moments are badly chosen: {killed} of {begun} were met, {stale} while writing"
        );
        let mut running: Vec<(usize, Child, Moment)> = Vec::new();
        for i in 0..width {
            random = mix(random);
            let part = Duration::from_nanos(random % (usual.as_nanos() as u64 + 1));
            let moment = match i % 3 {
                0 => Moment::After(Instant::now() + part),
                1 => Moment::Writing,
                _ => Moment::WritingThen(part / 20),
            };
            running.push((i % FILES.len(), spawn(i % FILES.len()), moment));
        }
        while !running.is_empty() {
            let mut next = Vec::new();
            for (kind, mut child, moment) in running {
                if child.try_wait().unwrap().is_some() {
                    note_printed(&mut printed, kind, child);
                    continue;
                }
                let moment = moment.advance(&out, child.id());
                if moment.is_due() {
                    child.kill().unwrap();
                    killed += usize::from(child.wait().unwrap().signal() == Some(9));
                    note_printed(&mut printed, kind, child);
                } else {
                    next.push((kind, child, moment));
                }
            }
            running = next;
            std::thread::yield_now();
        }
        stale += names(&out).iter().filter(|name| name.ends_with(".tmp")).count();
        // Whatever has a final name is whole, printed or not: its writer may have died before it could say so.
        for name in names(&out).iter().filter(|name| name.ends_with(".md")) {
            let bytes = fs::read(out.join(name)).unwrap();
            assert!(expected.contains(&bytes), "torn: {name}, {} bytes", bytes.len());
        }
        for (number, kind) in &printed {
            let path = out.join(format!("project_{number:03}.md"));
            assert!(fs::read(&path).unwrap() == expected[*kind], "printed, but not there: {number}");
        }
        let last = env.run(&[&BUILD[..], &[FILES[0]]].concat());
        assert_eq!(last.code, Some(0), "{}", last.all());
        let number = number(&last.stdout);
        assert!(printed.insert(number, 0).is_none() && printed.last_key_value() == Some((&number, &0)), "{number}");
        let left: Vec<String> = names(&out).into_iter().filter(|name| name.ends_with(".tmp")).collect();
        assert!(left.is_empty(), "not swept: {left:?}");
        // The next wave begins with few files, or the judge would read for longer than the builders work.
        let kept = format!("project_{number:03}.md");
        for old in names(&out).iter().filter(|name| name.ends_with(".md") && **name != kept) {
            fs::remove_file(out.join(old)).unwrap();
        }
        printed.retain(|&old, _| old == number);
    }
    figure(&format!("{killed} kills of {begun} builds, {stale} temp files left by the dead and swept"));
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let (env, expected) = project();
    let first = env.run(&[&BUILD[..], &[FILES[1]]].concat());
    assert_eq!(first.stdout, ".contexture/out/project_001.md\n");
    env.write("named.md", "old\n");
    let named = [&BUILD[..], &["-o", "named.md", FILES[0]]].concat();
    let numbered = [&BUILD[..], &[FILES[0]]].concat();
    // Sixteen blocks of 512 or 1,024 bytes are less than a document. Ignored, the signal becomes an error of the write.
    for args in [&named, &numbered] {
        let output = shell(&env, "trap '' XFSZ; ulimit -f 16", args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("error: disk is full: `"), "{stderr}");
        assert!(stderr.contains(&format!("{} bytes needed", expected[0].len())), "{stderr}");
        assert!(output.stdout.is_empty());
        intact(&env, &expected);
    }
    // Not ignored, it kills; that is a kill like any other.
    for args in [&named, &numbered] {
        let output = shell(&env, "ulimit -c 0; ulimit -f 16", args).output().unwrap();
        assert!(matches!(output.status.code(), None | Some(1)) && output.stdout.is_empty());
        assert_eq!(env.read("named.md"), "old\n");
        assert_eq!(documents(&env), ["project_001.md"]);
    }
    assert_eq!(env.run(&named).code, Some(0));
    assert_eq!(fs::read(env.root().join("named.md")).unwrap(), expected[0]);
    assert_eq!(env.run(&numbered).code, Some(0));
    assert!(names(&env.root()).into_iter().chain(names(&env.root().join(OUT))).all(|name| !name.ends_with(".tmp")));
}

#[test]
fn a_full_standard_output_is_told() {
    let (env, _) = project();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = env
        .command(&[&BUILD[..], &["-o", "-", FILES[0]]].concat())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.starts_with(b"error: "));
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_left() {
    let (env, expected) = project();
    assert_eq!(env.run(&[&BUILD[..], &[FILES[1]]].concat()).code, Some(0));
    env.write("named.md", "old\n");
    fs::set_permissions(env.root().join("named.md"), Permissions::from_mode(0o666)).unwrap();
    let before = names(&env.root().join(OUT));
    closed(&env, || {
        for more in [&["-o", "named.md"][..], &["-o", "new.md"], &["-o", ".contexture/out/x.md"], &[]] {
            let output = other(&env, &[&BUILD[..], &["--no-cache", FILES[0]], more].concat()).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{more:?} {stderr}");
            assert!(
                stderr.starts_with("error: cannot ") && stderr.to_lowercase().contains("permission denied"),
                "{stderr}"
            );
            assert!(stderr.contains("hint: ") && output.stdout.is_empty(), "{stderr}");
            intact(&env, &expected);
        }
    });
    assert_eq!(names(&env.root().join(OUT)), before);
    assert!(!env.root().join("new.md").exists());
}

#[test]
fn few_open_files_are_enough() {
    let (env, _) = project();
    for n in 0..300 {
        env.write(&format!("many/{}/{n}.txt", n % 20), format!("file {n}\n"));
    }
    // Not quiet: a file that could not be opened must be told.
    let args = ["build", "--tokenizer", "estimate", "--threads", "16", "-o", "-"];
    let whole = env.run(&args);
    assert_eq!(whole.code, Some(0), "{}", whole.all());
    for limit in [32, 16, 8, 5] {
        let output = shell(&env, &format!("ulimit -n {limit}"), &args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{limit}: {stderr}");
        match output.status.code() {
            Some(0) => assert!(
                output.stdout == whole.stdout.as_bytes() || stderr.contains("too many open files"),
                "{limit}: another document, and nobody said so: {stderr}"
            ),
            code => assert!(matches!(code, Some(1 | 2)) && stderr.starts_with("error: "), "{limit}: {code:?} {stderr}"),
        }
        // Under `--strict` the whole document or none.
        let strict = shell(&env, &format!("ulimit -n {limit}"), &[&args[..], &["--strict"]].concat()).output().unwrap();
        let whole_or_none = if strict.status.code() == Some(0) { whole.stdout.as_bytes() } else { b"" };
        assert!(strict.stdout == whole_or_none, "{limit}: {}", String::from_utf8_lossy(&strict.stderr));
        if limit == 32 {
            assert!(output.stdout == whole.stdout.as_bytes(), "{stderr}");
        }
    }
}

#[test]
fn a_cache_that_cannot_be_used_costs_a_note() {
    let (env, _) = project();
    let args = [&["build", "--tokenizer", "estimate", "-o", "-"][..], &[FILES[0]]].concat();
    let without = env.run(&[&args[..], &["--no-cache"]].concat());
    let warm = env.run(&args);
    assert_eq!((warm.code, &warm.stdout), (Some(0), &without.stdout));
    let cache = env.home().join(".cache/contexture");
    assert!(cache.join("cache.sqlite").exists());
    // Closed, then readable only; first without, then with the files beside the database.
    for (folder, file) in [(0o700, 0o600), (0o755, 0o644), (0o755, 0o444)] {
        fs::set_permissions(&cache, Permissions::from_mode(folder)).unwrap();
        for name in names(&cache) {
            fs::set_permissions(cache.join(name), Permissions::from_mode(file)).unwrap();
        }
        closed(&env, || {
            let output = other(&env, &args).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{stderr}");
            assert!(output.stdout == without.stdout.as_bytes());
            if folder == 0o700 {
                assert!(stderr.contains("note: the cache is not used: "), "{stderr}");
            }
        });
    }
    fs::remove_dir_all(&cache).unwrap();
    fs::write(&cache, "a file is in the way").unwrap();
    let ran = env.run(&args);
    assert_eq!((ran.code, &ran.stdout), (Some(0), &without.stdout));
    assert!(ran.stderr.contains("note: the cache is not used: "), "{}", ran.stderr);
    // A disk without room for the cache: the document goes to a pipe, which has no limit.
    fs::remove_file(&cache).unwrap();
    let output = shell(&env, "trap '' XFSZ; ulimit -f 0", &args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout == without.stdout.as_bytes());
}

/// When a child is to die.
enum Moment {
    After(Instant),
    /// As soon as it has a temp file.
    Writing,
    /// That much later, so that the kill falls between any two of its steps.
    WritingThen(Duration),
    Now,
}

impl Moment {
    fn advance(self, out: &Path, child: u32) -> Self {
        let writes = || (0..2).any(|n| out.join(format!(".contexture-{child}-{n}.tmp")).exists());
        match self {
            Self::After(time) if Instant::now() >= time => Self::Now,
            Self::Writing if writes() => Self::Now,
            Self::WritingThen(part) if writes() => Self::After(Instant::now() + part),
            same => same,
        }
    }

    fn is_due(&self) -> bool {
        matches!(self, Self::Now)
    }
}

/// Takes down what the child acknowledged: a whole line, or nothing.
fn note_printed(printed: &mut BTreeMap<usize, usize>, kind: usize, mut child: Child) {
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    let _ = child.wait();
    if text.ends_with('\n') {
        assert_eq!(printed.insert(number(&text), kind), None, "issued twice: {text}");
    }
}

/// A project of four files of 30 to 40 KB, and the document of each.
fn project() -> (TestEnv, Vec<Vec<u8>>) {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    let expected = (0..FILES.len())
        .map(|kind| {
            let line = format!("line of document {kind}, which is long enough to be told from the others\n");
            env.write(FILES[kind], line.repeat(400 + 50 * kind));
            let ran = env.run(&[&BUILD[..], &["-o", "-", "--no-cache", FILES[kind]]].concat());
            assert_eq!(ran.code, Some(0), "{}", ran.all());
            ran.stdout.into_bytes()
        })
        .collect();
    (env, expected)
}

fn number(printed: &str) -> usize {
    let name = printed.trim_end().strip_prefix(".contexture/out/project_").and_then(|name| name.strip_suffix(".md"));
    name.unwrap_or_else(|| panic!("not a path of ours: {printed:?}")).parse().unwrap()
}

/// What was there before is there, and nothing else.
fn intact(env: &TestEnv, expected: &[Vec<u8>]) {
    assert_eq!(env.read("named.md"), "old\n");
    assert_eq!(documents(env), ["project_001.md"]);
    assert_eq!(fs::read(env.root().join(OUT).join("project_001.md")).unwrap(), expected[1]);
    for dir in [env.root(), env.root().join(OUT)] {
        assert!(names(&dir).iter().all(|name| !name.ends_with(".tmp")), "{:?}", names(&dir));
    }
}

fn documents(env: &TestEnv) -> Vec<String> {
    names(&env.root().join(OUT)).into_iter().filter(|name| name.ends_with(".md")).collect()
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The program below a shell that sets something first.
fn shell(env: &TestEnv, first: &str, args: &[&str]) -> Command {
    let inner = env.command(args);
    let mut sh = Command::new("sh");
    sh.arg("-c").arg(format!("{first}; exec \"$0\" \"$@\"")).arg(inner.get_program()).args(inner.get_args());
    dressed(sh, &inner, env)
}

/// The program as somebody who may not write here. Nothing is closed to the superuser, so it runs as another user then.
fn other(env: &TestEnv, args: &[&str]) -> Command {
    let inner = env.command(args);
    let own = env.temp().join("contexture");
    let program = if own.exists() { own } else { PathBuf::from(inner.get_program()) };
    let mut command = Command::new(program);
    command.args(inner.get_args());
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    dressed(command, &inner, env)
}

fn dressed(mut command: Command, inner: &Command, env: &TestEnv) -> Command {
    command.env_clear().current_dir(env.root()).stdin(Stdio::null());
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

/// Runs something while every folder of the environment can be read and none can be written, for everybody but root.
fn closed(env: &TestEnv, run: impl FnOnce()) {
    let own = env.temp().join("contexture");
    // By another process: a file that this one wrote cannot be started while any child of another test still holds it open.
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_contexture")).arg(&own).status().unwrap().success());
    fs::set_permissions(&own, Permissions::from_mode(0o755)).unwrap();
    let home = env.home();
    let mut folders =
        vec![env.temp().to_path_buf(), env.root(), home.clone(), home.join(".cache"), env.root().join(".contexture")];
    folders.push(env.root().join(OUT));
    folders.retain(|folder| folder.is_dir());
    let set = |mode| folders.iter().for_each(|dir| fs::set_permissions(dir, Permissions::from_mode(mode)).unwrap());
    set(0o555);
    run();
    set(0o755);
}

/// xorshift64.
fn mix(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^ x << 17
}
