//! Writes by many processes at once, and by processes that are killed in between.
//!
//! The children are this test binary again, sent to [`child`] by a variable. `PROPTEST_CASES=1000` makes a thousand kills.
#![cfg(unix)]

use super::*;
use contexture_testkit::{ChildJob, Random, acknowledge, acknowledged, run_children};

const CHILD: &str = "processes::child";

/// The name is that of the child and that of its tree; the tree `own` is a new one.
fn job(name: String, count: u64, kill_after: u64, path: &Path) -> ChildJob {
    ChildJob { test: CHILD, name, count, kill_after, path: path.into() }
}

/// Not a test of its own: what a child does.
#[test]
fn child() {
    let Some(job) = ChildJob::of_this_process(CHILD) else { return };
    let (name, tree) = job.name.split_once(' ').unwrap();
    let mut loom = Loom::open(&job.path, NOW).unwrap();
    let own = if tree == "own" { super::tree(&mut loom, TreeMode::Dialogue) } else { tree.into() };
    let tree = own.as_str();
    for round in 0..job.count {
        let new = [next(&format!("{name}.{round}")), next("second")];
        let nodes = loom.add(tree, new.into()).unwrap();
        if round % 5 == 4 {
            loom.edit(&nodes[0].id, said("edited"), "model", AuthorType::Model).unwrap();
        }
        acknowledge(&nodes.iter().map(|node| node.id.as_str()).collect::<Vec<_>>());
    }
}

#[test]
fn many_processes_write_at_once() {
    let place = Place::new();
    let id = tree(&mut place.open(), TreeMode::Buffer);
    let outputs = run_children((0..8).map(|index| job(format!("{index} {id}"), 10, 0, &place.path)));
    let acks = acknowledged(&outputs);
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
        let acks = acknowledged(&run_children((0..8).map(|_| job("x own".into(), 2, 0, &place.path))));
        assert_eq!(acks.len(), 8 * 4);
        let mut loom = place.open();
        assert_eq!(loom.trees().unwrap().len(), 8);
        found(&mut loom, &acks);
    }
}

#[test]
fn kills_lose_nothing_that_was_acknowledged() {
    let place = Place::new();
    let mut random = Random::default();
    let mut id = tree(&mut place.open(), TreeMode::Dialogue);
    let mut acks = Vec::new();
    for wave in 0..cases(20).div_ceil(4) {
        let name = |index: u32| format!("{wave}-{index} {id}");
        let jobs = (0..4).map(|index| job(name(index), 100_000, random.up_to(90_000), &place.path));
        acks.extend(acknowledged(&run_children(jobs)));
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
