//! Writes by many processes at once, and by processes that are killed in between.
//!
//! The children are this test binary again, sent to [`child`] by a variable. `PROPTEST_CASES=1000` makes a thousand kills.
#![cfg(unix)]

use super::*;
use std::io::{Write, stdout};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const JOB: &str = "CONTEXTURE_TEST_LOOM_JOB";

/// Not a test of its own: what a child does. The job is `name count kill-after-microseconds tree file`; the tree `own` is a
/// new one.
#[test]
fn child() {
    let Ok(job) = std::env::var(JOB) else { return };
    let mut parts = job.splitn(5, ' ');
    let name = parts.next().unwrap();
    let count: u64 = parts.next().unwrap().parse().unwrap();
    let kill_after: u64 = parts.next().unwrap().parse().unwrap();
    let tree = parts.next().unwrap();
    let path = Path::new(parts.next().unwrap());
    if kill_after > 0 {
        let end = Instant::now() + Duration::from_micros(kill_after);
        std::thread::spawn(move || {
            while Instant::now() < end {
                std::thread::yield_now();
            }
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
        });
    }
    let mut loom = Loom::open(path, NOW).unwrap();
    let own = if tree == "own" { super::tree(&mut loom, TreeMode::Dialogue) } else { tree.into() };
    let tree = own.as_str();
    for round in 0..count {
        let new = [next(&format!("{name}.{round}")), next("second")];
        let nodes = loom.add(tree, new.into()).unwrap();
        if round % 5 == 4 {
            loom.edit(&nodes[0].id, said("edited"), "model", AuthorType::Model).unwrap();
        }
        let text: String = nodes.iter().map(|node| format!("\nack {}\n", node.id)).collect();
        // One write, so that a kill cannot tear a line; the newline before it ends the harness's own text.
        stdout().write_all(text.as_bytes()).unwrap();
        stdout().flush().unwrap();
    }
}

#[test]
fn many_processes_write_at_once() {
    let place = Place::new();
    let id = tree(&mut place.open(), TreeMode::Buffer);
    let children: Vec<_> = (0..8).map(|index| spawn(&format!("{index} 10 0 {id} {}", place.path.display()))).collect();
    let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let acks: Vec<String> = outputs.iter().flat_map(read_acks).collect();
    assert_eq!(acks.len(), 8 * 10 * 2, "{}", String::from_utf8_lossy(&outputs[0].stdout));
    let mut loom = place.open();
    // Two of each ten writes were edits.
    assert_eq!(loom.trees().unwrap()[0].nodes, 8 * (10 * 2 + 2));
    found(&mut loom, &acks);
}

#[test]
fn many_processes_make_the_store_at_once() {
    for _ in 0..3 {
        let place = Place::new();
        let job = format!("x 2 0 own {}", place.path.display());
        let children: Vec<_> = (0..8).map(|_| spawn(&job)).collect();
        let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        let acks: Vec<String> = outputs.iter().flat_map(read_acks).collect();
        assert_eq!(acks.len(), 8 * 4);
        let mut loom = place.open();
        assert_eq!(loom.trees().unwrap().len(), 8);
        found(&mut loom, &acks);
    }
}

#[test]
fn kills_lose_nothing_that_was_acknowledged() {
    let place = Place::new();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut id = tree(&mut place.open(), TreeMode::Dialogue);
    let mut acks = Vec::new();
    for wave in 0..cases(20).div_ceil(4) {
        let children: Vec<_> = (0..4)
            .map(|index| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                spawn(&format!("{wave}-{index} 100000 {} {id} {}", 1 + random % 90_000, place.path.display()))
            })
            .collect();
        children.into_iter().for_each(|child| acks.extend(read_acks(&child.wait_with_output().unwrap())));
        if wave % 16 == 15 {
            found(&mut place.open(), &acks);
            id = tree(&mut place.open(), TreeMode::Dialogue);
        }
    }
    assert!(!acks.is_empty());
    found(&mut place.open(), &acks);
}

fn found(loom: &mut Loom, acks: &[String]) {
    clean(loom);
    for ack in acks {
        assert!(loom.find(ack).is_ok(), "lost: {ack}");
    }
}

fn read_acks(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| line.strip_prefix("ack ")).map(String::from).collect()
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
