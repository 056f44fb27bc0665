//! The rules of trees over the server, before the same judges as over a file.

#[path = "../../../contexture-conversations/tests/loom/machine.rs"]
mod machine;
#[path = "../../../contexture-conversations/tests/loom/model.rs"]
mod model;
#[allow(dead_code)]
#[path = "../../../contexture-conversations/tests/loom/words.rs"]
mod words;

use super::address;
use contexture_conversations::loom::{Loom, LoomError, NewNode, PathQuery};
use contexture_core::{AuthorType, TreeMode};
use contexture_server::shared::{self, Address};
use contexture_testkit::Postgres;
use proptest::test_runner::{Config, TestRunner};
use words::*;

/// A store in a database of its own.
pub struct Place {
    address: Address,
}

impl Place {
    fn open(&self) -> Loom {
        shared::open_trees(&self.address, NOW).unwrap()
    }

    fn open_hasty(&self) -> Loom {
        self.open()
    }
}

#[test]
fn the_server_does_what_the_model_does() {
    let Some(server) = Postgres::start() else { return };
    // A case makes some thousand statements, so a share of what a file takes.
    let config =
        Config { cases: super::cases(6), failure_persistence: None, max_shrink_iters: 64, ..Config::default() };
    let agreed = TestRunner::new(config).run(&machine::ops(), |ops| {
        machine::agree(Place { address: address(&server.database()) }, &ops);
        Ok(())
    });
    if let Err(error) = agreed {
        panic!("{error}");
    }
}

#[test]
fn many_write_at_once_and_numbers_stay_in_order() {
    let Some(server) = Postgres::start() else { return };
    let place = Place { address: address(&server.database()) };
    // All of them find an empty database, and make the tables at the same time.
    let write = |index: usize| {
        let mut loom = shared::open_trees(&place.address, NOW).unwrap();
        let own = tree(&mut loom, TreeMode::Buffer);
        let add = |loom: &mut Loom, round: usize| {
            let new = [next(&format!("{index}.{round}\0")), next("second")];
            loom.add(&own, new.into()).unwrap().into_iter().map(|node| node.id).collect::<Vec<_>>()
        };
        (0..10).flat_map(|round| add(&mut loom, round)).collect::<Vec<String>>()
    };
    let ids: Vec<Vec<String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|index| scope.spawn(move || write(index))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut loom = place.open();
    clean(&mut loom);
    assert_eq!(loom.trees().unwrap().len(), 8);
    for (index, ids) in ids.iter().enumerate() {
        assert_eq!(ids.len(), 20);
        let first = loom.find(&ids[0]).unwrap().node;
        assert_eq!(&*first.message.text(), format!("{index}.0\0"));
    }
    let database = place.address.to_string().rsplit('/').next().unwrap().to_owned();
    let versions = server.ask(&database, "SELECT string_agg(version::text, ',') FROM contexture.versions");
    assert_eq!(versions, "1");
}

#[test]
fn what_fails_leaves_nothing_behind() {
    let Some(server) = Postgres::start() else { return };
    let place = Place { address: address(&server.database()) };
    let mut loom = place.open();
    let own = tree(&mut loom, TreeMode::Dialogue);
    let first = add(&mut loom, &own, next("first"));
    let refused =
        loom.add(&own, vec![after("second", &[&first]), NewNode { author: "nobody".into(), ..next("third") }]);
    assert!(refused.is_err());
    assert_eq!(loom.trees().unwrap()[0].nodes, 1);
    assert_eq!(walked(&mut loom, &own, &PathQuery::default()), "first");
    // A newer version's tables are left alone.
    let database = place.address.to_string().rsplit('/').next().unwrap().to_owned();
    server.ask(&database, "INSERT INTO contexture.versions (version) VALUES (99)");
    let error = shared::open_trees(&place.address, NOW).err().unwrap();
    assert!(error.to_string().ends_with("the store was written by a newer version"), "{error}");
}

#[test]
fn a_server_that_is_not_there_is_told_without_the_password() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("postgres:///team?host={}&user=ann&password=hidden", dir.path().display());
    let error = shared::open_trees(&address(&url), NOW).err().unwrap();
    let said = format!("{error}\n{}\n{error:?}", error.hint());
    assert!(said.contains("the server cannot be reached"), "{said}");
    assert!(!said.contains("hidden"), "{said}");
}

/// Waiting works also within somebody else's runtime.
#[test]
fn it_can_be_used_within_a_runtime() {
    let Some(server) = Postgres::start() else { return };
    let place = Place { address: address(&server.database()) };
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
        let mut loom = place.open();
        let own = tree(&mut loom, TreeMode::Dialogue);
        add(&mut loom, &own, next("first"));
        assert_eq!(shown(&mut loom, &own), "first");
    });
}
