//! Summaries written by many processes at once, and by processes that are killed in between.
//!
//! The children are this test binary again, sent to [`child`] by a variable. `PROPTEST_CASES=1000` makes a thousand kills.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use contexture_core::ContentHash;
use contexture_gather::summaries::{Entry, Generator, SummaryKey, open, open_existing};
use std::io::{Write, stdout};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const JOB: &str = "CONTEXTURE_TEST_SUMMARIES_JOB";

fn entry(path: &str) -> Entry {
    Entry {
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

/// Not a test of its own: what a child does. The job is `name count kill-after-microseconds folder`.
#[test]
fn child() {
    let Ok(job) = std::env::var(JOB) else { return };
    let mut parts = job.splitn(4, ' ');
    let name = parts.next().unwrap();
    let count: u64 = parts.next().unwrap().parse().unwrap();
    let kill_after: u64 = parts.next().unwrap().parse().unwrap();
    let dir = Path::new(parts.next().unwrap());
    if kill_after > 0 {
        let end = Instant::now() + Duration::from_micros(kill_after);
        std::thread::spawn(move || {
            while Instant::now() < end {
                std::thread::yield_now();
            }
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
        });
    }
    let mut summaries = open(dir).unwrap().summaries;
    for round in 0..count {
        // One of its own, and one that all write.
        let (own, shared) = (format!("{name}.{round}"), format!("shared.{round}"));
        summaries.put(&[entry(&own), entry(&shared)]).unwrap();
        // One write, so that a kill cannot tear a line; the newline before it ends the harness's own text.
        stdout().write_all(format!("\nack {own}\nack {shared}\n").as_bytes()).unwrap();
        stdout().flush().unwrap();
    }
}

#[test]
fn many_processes_make_the_store_and_write_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("cache");
    let children: Vec<_> = (0..8).map(|index| spawn(&format!("{index} 10 0 {}", folder.display()))).collect();
    let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let acks: Vec<String> = outputs.iter().flat_map(read_acks).collect();
    assert_eq!(acks.len(), 8 * 10 * 2, "{}", String::from_utf8_lossy(&outputs[0].stdout));
    assert_eq!(found(&folder, &acks), 8 * 10 + 10);
}

#[test]
fn kills_lose_nothing_that_was_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("cache");
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut acks = Vec::new();
    let kills = std::env::var("PROPTEST_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(20_u32);
    for wave in 0..kills.div_ceil(4) {
        let children: Vec<_> = (0..4)
            .map(|index| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                spawn(&format!("{wave}-{index} 100000 {} {}", 1 + random % 90_000, folder.display()))
            })
            .collect();
        children.into_iter().for_each(|child| acks.extend(read_acks(&child.wait_with_output().unwrap())));
        if wave % 16 == 15 {
            found(&folder, &acks);
        }
    }
    assert!(!acks.is_empty());
    let entries = found(&folder, &acks);
    println!("figure: {kills} kills, {} acknowledged, {entries} entries", acks.len());
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

fn read_acks(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| line.strip_prefix("ack ")).map(String::from).collect()
}

fn spawn(job: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(JOB, job)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}
