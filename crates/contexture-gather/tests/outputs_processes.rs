//! Outputs under many processes at once, under `kill -9`, and under a limit on file sizes.
//!
//! The children are this test binary again, sent to [`child`] by a variable. `CONTEXTURE_TORTURE=full` runs the whole
//! measure of 64 processes with 200 outputs each and 10,000 kills; the usual run is a share of it that takes seconds.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

use contexture_gather::outputs::{OutputError, own_output, publish};
use contexture_testkit::{ChildJob, Random, acknowledge, acknowledged, full, run_children};

const NAMESPACES: [&str; 2] = ["a.b", "a+b"];

fn job(namespace: &str, count: u64, kill_after: u64, path: &Path) -> ChildJob {
    ChildJob { test: "child", name: namespace.into(), count, kill_after, path: path.into() }
}

/// Not a test of its own: what a child does. Its name is the namespace.
#[test]
fn child() {
    let Some(job) = ChildJob::of_this_process("child") else { return };
    for round in 0..job.count {
        let seed = u64::from(std::process::id()) << 20 | round;
        let text = content(seed);
        match publish(&job.path, &job.name, "md", |out| text.chunks(7000).try_for_each(|piece| out.write_all(piece))) {
            Ok(done) => {
                assert_eq!(done.notes, []);
                let end = if done.number % 5 == 0 { " deleted" } else { "" };
                acknowledge(&[&format!("{} {:x}{end}", done.number, hash(&text))]);
                if !end.is_empty() {
                    fs::remove_file(done.path).unwrap();
                }
            }
            Err(error @ OutputError::Full { needed, .. }) => {
                std::io::stdout().write_all(format!("\nfull {needed} of {} {error}\n", text.len()).as_bytes()).unwrap();
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn no_two_processes_get_the_same_number() {
    let (processes, rounds) = if full() { (64, 200) } else { (64, 3) };
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("out");
    fs::create_dir(&dir).unwrap();
    NAMESPACES.iter().for_each(|name| fs::write(dir.join(format!("{name}_995.md")), framed(b"first")).unwrap());
    let outputs = run_children((0..processes).map(|i| job(NAMESPACES[i % 2], rounds, 0, &dir)));
    let mut acks = Acks::default();
    for (i, output) in outputs.into_iter().enumerate() {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        acks.read(NAMESPACES[i % 2], output);
    }
    for namespace in NAMESPACES {
        let numbers: Vec<_> = acks.0.keys().filter(|key| key.0 == namespace).map(|key| key.1).collect();
        // Nobody died, so there is no gap either.
        assert_eq!(numbers, (996..996 + processes as u64 / 2 * rounds).collect::<Vec<_>>());
    }
    acks.judge(&dir);
}

#[test]
fn kills_lose_nothing_that_was_acknowledged() {
    let (waves, width) = if full() { (157, 64) } else { (6, 16) };
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("out");
    let mut acks = Acks::default();
    let mut random = Random::default();
    for _ in 0..waves {
        // From before the first step to some dozens of outputs later, on a slow disk and on a fast one.
        let times = [3_000, 30_000, 120_000];
        let outputs =
            run_children((0..width).map(|i| job(NAMESPACES[i % 2], 100_000, random.up_to(times[i % 3]), &dir)));
        for (i, output) in outputs.into_iter().enumerate() {
            assert_eq!(output.status.signal(), Some(9), "{}", String::from_utf8_lossy(&output.stdout));
            acks.read(NAMESPACES[i % 2], output);
        }
    }
    assert!(acks.0.len() > waves, "the children had hardly a chance: {}", acks.0.len());
    acks.judge(&dir);
    // The next run goes on above all of them and clears what the dead left.
    for namespace in NAMESPACES {
        let highest = acks.0.keys().filter(|key| key.0 == namespace).map(|key| key.1).max().unwrap_or(0);
        let next = publish(&dir, namespace, "md", |out| out.write_all(b"x")).unwrap();
        assert!(next.number > highest && next.notes.is_empty());
    }
    assert!(!names(&dir).iter().any(|name| name.ends_with(".tmp")), "{:?}", names(&dir));
}

#[test]
fn a_full_disk_names_the_bytes_and_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a_001.md"), "old").unwrap();
    // Sixteen blocks of 512 or 1024 bytes: enough for the sequence, too little for any content.
    for (trap, signal) in [("trap '' XFSZ; ", None), ("", Some(25))] {
        let (name, value) = job("a", 1, 0, root.path()).variable();
        let output = Command::new("sh")
            .args(["-c", &format!("{trap}ulimit -f 16; ulimit -c 0; exec \"$0\" --exact child --nocapture")])
            .arg(std::env::current_exe().unwrap())
            .env(name, value)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.signal(), signal, "{text}");
        if signal.is_none() {
            let line = text.lines().find(|line| line.starts_with("full ")).unwrap();
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!(words[1], words[3], "bytes needed are the bytes of the content");
            assert!(line.contains("disk is full: `"), "{line}");
            assert_eq!(names(root.path()), ["a_001.md"]);
        }
    }
    // The one killed by the limit left its temp; the next run sweeps it.
    assert_eq!(names(root.path()).len(), 2);
    assert_eq!(publish(root.path(), "a", "md", |_| Ok(())).unwrap().number, 2);
    assert_eq!(names(root.path()), [".a.seq", "a_001.md", "a_002.md"]);
    assert_eq!(fs::read_to_string(root.path().join("a_001.md")).unwrap(), "old");
}

/// What the children said, by namespace and number.
#[derive(Default)]
struct Acks(BTreeMap<(&'static str, u64), (String, bool)>);

impl Acks {
    fn read(&mut self, namespace: &'static str, output: Output) {
        for line in acknowledged(&[output]) {
            let words: Vec<_> = line.split(' ').collect();
            let told = (words[1].to_string(), words.len() > 2);
            let before = self.0.insert((namespace, words[0].parse().unwrap()), told);
            assert_eq!(before, None, "issued twice: {namespace} {line}");
        }
    }

    fn judge(&self, dir: &Path) {
        for ((namespace, number), (told, deleted)) in &self.0 {
            match fs::read(dir.join(format!("{namespace}_{number:03}.md"))) {
                Ok(bytes) => assert_eq!(format!("{:x}", hash(&bytes)), *told, "{namespace} {number}"),
                Err(error) => assert!(*deleted, "{namespace} {number}: {error}"),
            }
        }
        for name in names(dir) {
            if NAMESPACES.iter().any(|namespace| own_output(&name, namespace).is_some()) {
                let bytes = fs::read(dir.join(&name)).unwrap();
                let body = bytes.get(17..).unwrap_or_else(|| panic!("{name} is torn"));
                assert!(framed(body) == bytes, "{name} is torn");
            }
        }
    }
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// 20 to 220 KB that prove by themselves that they are whole.
fn content(seed: u64) -> Vec<u8> {
    let mut random = Random(seed + 1);
    let length = 20_000 + random.up_to(200_000);
    framed(&(0..length).map(|_| random.up_to(256) as u8).collect::<Vec<_>>())
}

fn framed(body: &[u8]) -> Vec<u8> {
    [format!("{:016x}\n", hash(body)).as_bytes(), body].concat()
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
