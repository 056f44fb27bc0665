//! Writes by many processes at once, and by processes that are killed in between.
//!
//! The children are this test binary again, sent to [`child`] by a variable. `PROPTEST_CASES=1000` makes a thousand kills.
#![cfg(unix)]

use super::*;
use contexture_gather::runs::Runs;
use std::collections::BTreeSet;
use std::io::{Write, stdout};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const JOB: &str = "CONTEXTURE_TEST_RUNS_JOB";
const PROJECT: &str = "/a/project";

/// Not a test of its own: what a child does. The job is `name count kill-after-microseconds folder`.
#[test]
fn child() {
    let Ok(job) = std::env::var(JOB) else { return };
    let mut parts = job.splitn(4, ' ');
    let name = parts.next().unwrap();
    let count: u64 = parts.next().unwrap().parse().unwrap();
    let kill_after: u64 = parts.next().unwrap().parse().unwrap();
    let folder = Path::new(parts.next().unwrap());
    if kill_after > 0 {
        let end = Instant::now() + Duration::from_micros(kill_after);
        std::thread::spawn(move || {
            while Instant::now() < end {
                std::thread::yield_now();
            }
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
        });
    }
    for round in 0..count {
        let path = format!("{name}.{round}");
        let manifest = manifest(&[(&path, "text\n"), ("shared", "the same in all\n")]);
        let mut runs = Runs::open(folder).unwrap();
        let number = runs.record(Path::new(PROJECT), &manifest, Some(path.as_bytes())).unwrap();
        // One write, so that a kill cannot tear the line; the newline before it ends the harness's own text.
        stdout().write_all(format!("\nack {number} {path}\n").as_bytes()).unwrap();
        stdout().flush().unwrap();
    }
}

#[test]
fn many_processes_get_different_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..8).map(|index| spawn(&format!("{index} 10 0 {}", dir.path().display()))).collect();
    let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let acks: Vec<_> = outputs.iter().flat_map(read_acks).collect();
    let numbers: BTreeSet<u64> = acks.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=80).collect(), "{}", String::from_utf8_lossy(&outputs[0].stdout));
    found(dir.path(), &acks);
}

#[test]
fn kills_lose_nothing_that_was_acknowledged_and_give_no_number_twice() {
    let dir = tempfile::tempdir().unwrap();
    let mut acks = Vec::new();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for wave in 0..cases(32).div_ceil(8) {
        let children: Vec<_> = (0..8)
            .map(|index| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                spawn(&format!("{wave}-{index} 100000 {} {}", 1 + random % 60_000, dir.path().display()))
            })
            .collect();
        children.into_iter().for_each(|child| acks.extend(read_acks(&child.wait_with_output().unwrap())));
    }
    assert!(!acks.is_empty());
    let numbers: BTreeSet<u64> = acks.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers.len(), acks.len(), "a number was given twice");
    found(dir.path(), &acks);
}

/// Every run that was acknowledged is there, as far as the limit of runs goes, and the file is whole.
fn found(dir: &Path, acks: &[(u64, String)]) {
    let runs = Runs::open(dir).unwrap();
    runs.check().unwrap();
    let newest = runs.list(Path::new(PROJECT), 1).unwrap()[0].number;
    for (number, path) in acks.iter().filter(|(number, _)| number + 1_000 > newest) {
        let run = runs.get(Path::new(PROJECT), *number).unwrap();
        assert_eq!(run.items[0].path, *path);
        assert_eq!(run.items[1].path, "shared");
    }
}

fn read_acks(output: &Output) -> Vec<(u64, String)> {
    let text = String::from_utf8_lossy(&output.stdout);
    let ack = |line: &str| {
        let (number, path) = line.strip_prefix("ack ")?.split_once(' ')?;
        Some((number.parse().ok()?, path.to_owned()))
    };
    text.lines().filter_map(ack).collect()
}

fn spawn(job: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::child", "--nocapture"])
        .env(JOB, job)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}
