//! Appends by many processes at once, and by processes that are killed in between.
//!
//! The children are this test binary again, sent to [`child`] by a variable.
#![cfg(unix)]

use super::{messages, spoken};
use contexture_conversations::sessions::{append, read_file};
use contexture_core::{Message, Role};
use contexture_testkit::{ChildJob, Random, acknowledge, acknowledged, run_children};
use std::path::Path;

const CHILD: &str = "processes::child";

fn job(name: String, count: u64, kill_after: u64, path: &Path) -> ChildJob {
    ChildJob { test: CHILD, name, count, kill_after, path: path.into() }
}

/// Not a test of its own: what a child does.
#[test]
fn child() {
    let Some(job) = ChildJob::of_this_process(CHILD) else { return };
    for round in 0..job.count {
        let text = format!("{}.{round}", job.name);
        append(&job.path, &[spoken(Message::new(Role::User, &*text), None)], "2026-01-01T00:00:00Z").unwrap();
        acknowledge(&[&text]);
    }
}

#[test]
fn many_processes_lose_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("sessions/a_b.json");
    for output in run_children((0..12).map(|index| job(index.to_string(), 8, 0, &path))) {
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
    let mut random = Random::default();
    for wave in 0..4 {
        let jobs = (0..8).map(|index| job(format!("{wave}-{index}"), 100_000, random.up_to(60_000), &path));
        acks.extend(acknowledged(&run_children(jobs)));
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
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..40 {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a_b.json");
        std::fs::write(&path, old).unwrap();
        run_children([job("x".into(), 3, random.up_to(4_000), &path)]);
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
