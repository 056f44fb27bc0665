//! Writes by many processes at once, and by processes that are killed in between.
//!
//! The children are this test binary again, sent to [`child`] by a variable. `PROPTEST_CASES=1000` makes a thousand kills.
#![cfg(unix)]

use super::*;
use contexture_gather::runs::Runs;
use contexture_testkit::{ChildJob, Random, acknowledge, acknowledged, run_children};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;

const PROJECT: &str = "/a/project";
const CHILD: &str = "processes::child";

fn job(name: String, count: u64, kill_after: u64, path: &Path) -> ChildJob {
    ChildJob { test: CHILD, name, count, kill_after, path: path.into() }
}

/// Not a test of its own: what a child does.
#[test]
fn child() {
    let Some(job) = ChildJob::of_this_process(CHILD) else { return };
    for round in 0..job.count {
        let path = format!("{}.{round}", job.name);
        let manifest = manifest(&[(&path, "text\n"), ("shared", "the same in all\n")]);
        let mut runs = Runs::open(&job.path).unwrap();
        let number = runs.record(Path::new(PROJECT), &manifest, Some(path.as_bytes())).unwrap();
        acknowledge(&[&format!("{number} {path}")]);
    }
}

#[test]
fn many_processes_get_different_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let outputs = run_children((0..8).map(|index| job(index.to_string(), 10, 0, dir.path())));
    let acks = read_acks(&outputs);
    let numbers: BTreeSet<u64> = acks.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=80).collect(), "{}", String::from_utf8_lossy(&outputs[0].stdout));
    found(dir.path(), &acks);
}

#[test]
fn kills_lose_nothing_that_was_acknowledged_and_give_no_number_twice() {
    let dir = tempfile::tempdir().unwrap();
    let mut acks = Vec::new();
    let mut random = Random::default();
    for wave in 0..cases(32).div_ceil(8) {
        let jobs = (0..8).map(|index| job(format!("{wave}-{index}"), 100_000, random.up_to(60_000), dir.path()));
        acks.extend(read_acks(&run_children(jobs)));
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

fn read_acks(outputs: &[Output]) -> Vec<(u64, String)> {
    let ack = |line: String| {
        let (number, path) = line.split_once(' ')?;
        Some((number.parse().ok()?, path.to_owned()))
    };
    acknowledged(outputs).into_iter().filter_map(ack).collect()
}
