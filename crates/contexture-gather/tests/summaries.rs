//! Summaries written by many processes at once, and by processes that are killed in between.
//!
//! The children are this test binary again, sent to [`child`] by a variable. `PROPTEST_CASES=1000` makes a thousand kills.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use contexture_core::ContentHash;
use contexture_gather::summaries::{Generator, SummaryEntry, SummaryKey, open, open_existing};
use contexture_testkit::{ChildJob, Random, acknowledge, acknowledged, cases, figure, run_children};
use std::path::Path;

fn job(name: String, count: u64, kill_after: u64, path: &Path) -> ChildJob {
    ChildJob { test: "child", name, count, kill_after, path: path.into() }
}

fn entry(path: &str) -> SummaryEntry {
    SummaryEntry {
        file_path: path.into(),
        file_hash: ContentHash::of(path),
        // Longer than a page, so that a row takes several.
        summary: format!("{path} ").repeat(1_000),
        outline: String::new(),
        generated_at: "2026-01-02T03:04:05Z".into(),
        generator_tier: 2,
        generator: Generator { provider: "some".into(), model: "model".into(), prompt_version: "1".into() },
        view: "summary".into(),
        params: String::new(),
        input_tokens: None,
        output_tokens: None,
    }
}

/// Not a test of its own: what a child does.
#[test]
fn child() {
    let Some(job) = ChildJob::of_this_process("child") else { return };
    let mut summaries = open(&job.path).unwrap().summaries;
    for round in 0..job.count {
        // One of its own, and one that all write.
        let (own, shared) = (format!("{}.{round}", job.name), format!("shared.{round}"));
        summaries.put(&[entry(&own), entry(&shared)]).unwrap();
        acknowledge(&[&own, &shared]);
    }
}

#[test]
fn many_processes_make_the_store_and_write_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("cache");
    let outputs = run_children((0..8).map(|index| job(index.to_string(), 10, 0, &folder)));
    let acks = acknowledged(&outputs);
    assert_eq!(acks.len(), 8 * 10 * 2, "{}", String::from_utf8_lossy(&outputs[0].stdout));
    assert_eq!(found(&folder, &acks), 8 * 10 + 10);
}

#[test]
fn kills_lose_nothing_that_was_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("cache");
    let mut random = Random::default();
    let mut acks = Vec::new();
    let kills = cases(20);
    for wave in 0..kills.div_ceil(4) {
        let jobs = (0..4).map(|index| job(format!("{wave}-{index}"), 100_000, random.up_to(90_000), &folder));
        acks.extend(acknowledged(&run_children(jobs)));
        if wave % 16 == 15 {
            found(&folder, &acks);
        }
    }
    assert!(!acks.is_empty());
    let entries = found(&folder, &acks);
    figure(&format!("{kills} kills, {} acknowledged, {entries} entries", acks.len()));
}

/// Everything acknowledged is there and the store is sound; how many entries there are.
fn found(folder: &Path, acks: &[String]) -> u64 {
    let opened = open_existing(folder).unwrap().unwrap();
    assert_eq!(opened.note, None);
    let mut summaries = opened.summaries;
    let keys: Vec<SummaryKey> = acks.iter().map(|ack| entry(ack).key()).collect();
    let there = summaries.get(&keys).unwrap();
    assert_eq!(there.damaged, 0);
    for ack in acks {
        assert_eq!(there.entries.get(&entry(ack).key()), Some(&entry(ack)), "lost: {ack}");
    }
    let verified = summaries.verify().unwrap();
    assert!(verified.is_sound(), "{verified:?}");
    verified.entries
}
