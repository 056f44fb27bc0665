//! Appends by many processes at once, and by processes that are killed in between.
//!
//! The children are this test binary again, sent to [`child`] by a variable.
#![cfg(unix)]

use super::{messages, spoken};
use contexture_core::{Message, Role};
use contexture_gather::sessions::{append, read_file};
use std::io::{Write, stdout};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const JOB: &str = "CONTEXTURE_TEST_SESSION_JOB";

/// Not a test of its own: what a child does. The job is `name count kill-after-microseconds file`.
#[test]
fn child() {
    let Ok(job) = std::env::var(JOB) else { return };
    let mut parts = job.splitn(4, ' ');
    let name = parts.next().unwrap();
    let count: u64 = parts.next().unwrap().parse().unwrap();
    let kill_after: u64 = parts.next().unwrap().parse().unwrap();
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
    for round in 0..count {
        let text = format!("{name}.{round}");
        append(path, &[spoken(Message::new(Role::User, &*text), None)], "2026-01-01T00:00:00Z").unwrap();
        // One write, so that a kill cannot tear the line; the newline before it ends the harness's own text.
        stdout().write_all(format!("\nack {text}\n").as_bytes()).unwrap();
        stdout().flush().unwrap();
    }
}

#[test]
fn many_processes_lose_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("sessions/a_b.json");
    let children: Vec<_> = (0..12).map(|index| spawn(&format!("{index} 8 0 {}", path.display()))).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let texts = texts(&path);
    assert_eq!(texts.len(), 12 * 8);
    for index in 0..12 {
        let own: Vec<_> = texts.iter().filter(|text| text.starts_with(&format!("{index}."))).cloned().collect();
        assert_eq!(own, (0..8).map(|round| format!("{index}.{round}")).collect::<Vec<_>>());
    }
}

#[test]
fn kills_lose_nothing_that_was_acknowledged_and_tear_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("sessions/a_b.json");
    let mut acks = Vec::new();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for wave in 0..4 {
        let children: Vec<_> = (0..8)
            .map(|index| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                spawn(&format!("{wave}-{index} 100000 {} {}", 1 + random % 60_000, path.display()))
            })
            .collect();
        children.into_iter().for_each(|child| acks.extend(read_acks(&child.wait_with_output().unwrap())));
        if path.exists() {
            texts(&path);
        }
    }
    let texts: std::collections::BTreeSet<_> = texts(&path).into_iter().collect();
    assert!(!acks.is_empty());
    for ack in acks {
        assert!(texts.contains(&ack), "lost: {ack}");
    }
}

#[test]
fn a_kill_while_damage_is_set_aside_loses_no_byte() {
    let old = b"{\"messages\": [\n  {\"role\": \"user\", \"content\": \"first\"},\n  {\"role\": \"us";
    let (mut before, mut after) = (0, 0);
    let mut random = 0x2545_f491_4f6c_dd1du64;
    for _ in 0..40 {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a_b.json");
        std::fs::write(&path, old).unwrap();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        spawn(&format!("x 3 {} {}", 1 + random % 4_000, path.display())).wait_with_output().unwrap();
        if std::fs::read(&path).unwrap() == old {
            before += 1;
        } else {
            after += 1;
            assert_eq!(std::fs::read(root.path().join("a_b.json.damaged-1")).unwrap(), old);
            assert_eq!(texts(&path)[0], "first");
        }
    }
    assert_eq!(before + after, 40);
}

/// Whole at every moment: no note, and no message twice.
fn texts(path: &Path) -> Vec<String> {
    let read = read_file(path).unwrap().unwrap();
    assert_eq!(read.notes, []);
    let texts: Vec<_> = messages(&read).iter().map(|message| message.text().to_string()).collect();
    let different: std::collections::BTreeSet<_> = texts.iter().collect();
    assert_eq!(different.len(), texts.len());
    texts
}

fn read_acks(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| line.strip_prefix("ack ")).map(String::from).collect()
}

fn spawn(job: &str) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::child", "--nocapture"])
        .env(JOB, job)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}
