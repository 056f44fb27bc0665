//! Trees that must not get in, and files that are no stores, or not any more.

use super::*;
use contexture_conversations::loom::{Fault, LoomErrorKind, repair};
use contexture_core::{Bundle, EdgeSource, EdgeType, LoomEdge, LoomPath, PathChoice, SourceRole};
use proptest::prelude::*;
use std::fs;

/// A tree of three nodes, `a`, `b` and `c`, with the last letters of their ids as names.
fn good() -> Bundle {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    loom.add(&id, vec![next("a"), next("b"), next("c")]).unwrap();
    loom.bundle(&id).unwrap()
}

fn edge(bundle: &Bundle, source: &str, target: usize) -> LoomEdge {
    let sources = vec![EdgeSource { node: source.into(), role: SourceRole::Primary }];
    let target = bundle.nodes[target].id.clone();
    LoomEdge { id: format!("edge-{}", bundle.edges.len()), sources, target, kind: EdgeType::Continuation, created: NOW }
}

#[test]
fn bad_trees_are_refused_and_nothing_is_written() {
    type Spoil = fn(&mut Bundle);
    let spoils: [(&str, Spoil); 22] = [
        ("a cycle", |b| {
            let id = b.nodes[2].id.clone();
            b.edges.push(edge(b, &id, 1));
        }),
        ("a cycle", |b| {
            let id = b.nodes[1].id.clone();
            b.edges[0].sources.push(EdgeSource { node: id, role: SourceRole::Context });
        }),
        ("cycle", |b| {
            let id = b.nodes[2].id.clone();
            b.edges.push(edge(b, &id, 0));
        }),
        ("a cycle", |b| b.nodes[1].edited_from = Some(b.nodes[1].id.clone())),
        ("a cycle", |b| {
            b.nodes[1].edited_from = Some(b.nodes[2].id.clone());
            b.nodes[2].edited_from = Some(b.nodes[1].id.clone());
        }),
        ("a second root", |b| drop(b.edges.remove(1))),
        ("names a primary that is not in the tree", |b| b.edges[1].sources[0].node = "gone".into()),
        ("names a context that is not in the tree", |b| {
            b.edges[1].sources.push(EdgeSource { node: "gone".into(), role: SourceRole::Context });
        }),
        ("names a target that is not in the tree", |b| b.edges[1].target = "gone".into()),
        ("names a node it was edited from that is not in the tree", |b| b.nodes[1].edited_from = Some("gone".into())),
        ("names a node it was pruned with that is not in the tree", |b| b.nodes[1].pruned = Some("gone".into())),
        ("names an author that is not in the tree", |b| b.nodes[1].author = "gone".into()),
        ("node `", |b| b.nodes[1].id = b.nodes[0].id.clone()),
        ("node `", |b| b.nodes[1].id = b.tree.id.clone()),
        ("edge `", |b| b.edges[1].id = b.edges[0].id.clone()),
        ("no primary source", |b| b.edges[1].sources[0].role = SourceRole::Context),
        ("no primary source", |b| b.edges[1].sources.clear()),
        ("names a node of a path that is not in the tree", |b| b.paths[0].active = Some("gone".into())),
        ("there is no path", |b| b.path = Some("gone".into())),
        ("not an id", |b| b.tree.id = "a b\u{1b}[31m".into()),
        ("not an id", |b| b.nodes[2].id = "a b\u{1b}[31m".into()),
        ("names a node of a pin that is not in the tree", |b| b.pins.push("gone".into())),
    ];
    let place = Place::new();
    let mut loom = place.open();
    loom.insert(&good(), false).unwrap();
    let before = (loom.trees().unwrap(), loom.verify().unwrap());
    for (expected, spoil) in spoils {
        let mut bundle = good();
        spoil(&mut bundle);
        for copy in [false, true] {
            let error = loom.insert(&bundle, copy).unwrap_err();
            assert!(error.to_string().contains(expected), "{error} is not {expected}");
            assert!(!error.hint().is_empty() && !error.to_string().contains('\u{1b}'));
            // All but the name of the path in use belong to a record.
            assert_eq!(error.record().is_none(), expected == "there is no path", "{error:?}");
            assert_eq!((loom.trees().unwrap(), loom.verify().unwrap()), before, "{expected}");
        }
    }
}

#[test]
fn a_batch_with_one_bad_node_leaves_nothing() {
    let place = Place::new();
    let mut loom = place.open();
    let first = tree(&mut loom, TreeMode::Dialogue);
    let other = add(&mut loom, &first, next("a"));
    let id = tree(&mut loom, TreeMode::Dialogue);
    let bad = [
        after("x", &[&other]),
        NewNode { contexts: vec![other.id.clone()], ..next("x") },
        NewNode { instructions: vec!["nobody".into()], ..next("x") },
        NewNode { author: "nobody".into(), ..next("x") },
    ];
    for bad in bad {
        let error = loom.add(&id, vec![next("good"), bad]).unwrap_err();
        assert!(matches!(error.fault, Fault::Dangling { .. } | Fault::Unknown { what: "agent", .. }), "{error}");
        assert_eq!(loom.trees().unwrap()[1].nodes, 0);
    }
    clean(&mut loom);
}

#[test]
fn parents_may_come_after_their_children() {
    let mut bundle = good();
    bundle.nodes.reverse();
    bundle.edges.reverse();
    let place = Place::new();
    let mut loom = place.open();
    let id = loom.insert(&bundle, false).unwrap().id;
    assert_eq!(shown(&mut loom, &id), "a b c");
    assert_eq!(loom.bundle(&id).unwrap(), bundle);
    clean(&mut loom);
}

#[test]
fn a_choice_is_asked_for_where_there_are_several_ways() {
    let mut bundle = good();
    let root = bundle.nodes[0].id.clone();
    bundle.edges.push(edge(&bundle, &root, 2));
    let place = Place::new();
    let mut loom = place.open();
    let id = loom.insert(&bundle, false).unwrap().id;
    let error = loom.walk(&id, &PathQuery::default()).unwrap_err();
    let (first, second) = (&bundle.nodes[1].local, &bundle.nodes[0].local);
    assert_eq!(
        told(&error),
        format!(
            "`{}` continues several nodes, and the path chooses none of them\n\
             `contexture loom path --choose NODE` chooses: `{first}`, `{second}`",
            bundle.nodes[2].local
        )
    );
    let target = bundle.nodes[2].id.clone();
    loom.choose(&id, None, &PathChoice { target: target.clone(), edge: None, source: Some(root) }).unwrap();
    assert_eq!(shown(&mut loom, &id), "a c");
    let other = PathChoice { target, edge: Some(bundle.edges[1].id.clone()), source: None };
    assert_eq!(walked(&mut loom, &id, &PathQuery { choices: vec![other], ..PathQuery::default() }), "a b c");
    let LoomPath { choices, .. } = loom.path_of(&id, None).unwrap();
    assert_eq!(choices.len(), 1);
}

#[test]
fn the_newest_choice_wins_and_what_is_pruned_is_no_way() {
    // `c` continues `b` and `a` by an edge each, and `b` by a third one together with `a`.
    let mut bundle = good();
    let [a, b, c] = [0, 1, 2].map(|place: usize| bundle.nodes[place].clone());
    bundle.edges.push(edge(&bundle, &a.id, 2));
    bundle.edges.push(edge(&bundle, &b.id, 2));
    bundle.edges[3].sources.push(EdgeSource { node: a.id.clone(), role: SourceRole::Primary });
    let place = Place::new();
    let mut loom = place.open();
    let id = loom.insert(&bundle, false).unwrap().id;
    let choices = |loom: &mut Loom| match loom.walk(&id, &PathQuery::default()).unwrap_err().fault {
        Fault::Fork { choices, .. } => choices,
        fault => panic!("{fault}"),
    };
    assert_eq!(choices(&mut loom), [b.local.clone(), a.local.clone()]);
    for _ in 0..2 {
        for (node, expected) in [(&b, "a b c"), (&a, "a c")] {
            let choice =
                loom.choices_of(&node.local).unwrap().into_iter().find(|choice| choice.target == c.id).unwrap();
            let ask = PathQuery { choices: vec![choice.clone()], ..PathQuery::default() };
            assert_eq!(walked(&mut loom, &id, &ask), expected);
            loom.choose(&id, None, &choice).unwrap();
            assert_eq!(shown(&mut loom, &id), expected);
        }
    }
    assert_eq!(loom.choices_of(&a.id).unwrap().len(), 2);
    // By a source alone.
    let by = |node: &LoomNode| PathChoice { target: c.id.clone(), edge: None, source: Some(node.id.clone()) };
    loom.choose(&id, None, &PathChoice { target: c.id.clone(), edge: None, source: None }).unwrap();
    loom.choose(&id, None, &PathChoice { edge: Some(bundle.edges[1].id.clone()), ..by(&b) }).unwrap();
    loom.choose(&id, None, &by(&a)).unwrap();
    assert_eq!(choices(&mut loom), [a.local.clone(), b.local.clone()]);
    // With one live way left there is nothing to choose.
    let place = Place::new();
    let mut loom = place.open();
    let mut bundle = good();
    let side = LoomNode { id: "side".into(), local: "side".into(), ..b.clone() };
    bundle.nodes.push(LoomNode { author: bundle.nodes[0].author.clone(), ..side });
    let root = bundle.nodes[0].id.clone();
    bundle.edges.push(edge(&bundle, &root, 3));
    bundle.edges.push(edge(&bundle, "side", 2));
    bundle.edges.push(edge(&bundle, &root, 2));
    let id = loom.insert(&bundle, false).unwrap().id;
    loom.go(&id, None, &bundle.nodes[2].id).unwrap();
    loom.prune("side").unwrap();
    let Fault::Fork { choices, .. } = loom.walk(&id, &PathQuery::default()).unwrap_err().fault else { panic!() };
    assert_eq!(choices, [bundle.nodes[1].local.clone(), bundle.nodes[0].local.clone()]);
    bundle.edges.pop();
    let id = loom.insert(&bundle, true).unwrap().id;
    let nodes = loom.bundle(&id).unwrap().nodes;
    loom.go(&id, None, &nodes[2].id).unwrap();
    assert!(matches!(loom.walk(&id, &PathQuery::default()).unwrap_err().fault, Fault::Fork { .. }));
    loom.prune(&nodes[1].id).unwrap();
    assert_eq!(shown(&mut loom, &id), "a b c");
    assert_eq!(loom.way(&id, &PathQuery::default()).unwrap()[1], loom.place(&id, &nodes[3].id).unwrap());
    clean(&mut loom);
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let place = Place::new();
    drop(place.open());
    let connection = rusqlite::Connection::open(&place.path).unwrap();
    connection.execute_batch("PRAGMA user_version = 99").unwrap();
    drop(connection);
    assert!(matches!(Loom::open(&place.path, NOW).err().unwrap().fault, Fault::Newer));
}

#[test]
fn laws_that_are_broken_by_hand_are_told_and_mended() {
    let breaks = [
        "UPDATE nodes SET body = 'other' WHERE seq = 2",
        "DELETE FROM sources WHERE target = 3",
        "UPDATE sources SET node = 3 WHERE target = 2",
        "UPDATE shapes SET pruned = 1 WHERE seq = 1",
        "UPDATE shapes SET parent = 1 WHERE seq = 3",
        "DELETE FROM shapes WHERE seq = 2",
        "DELETE FROM nodes WHERE seq = 2",
        "UPDATE trees SET nodes = 7",
        "UPDATE trees SET root = 2",
        "UPDATE paths SET active = 77",
        "DELETE FROM paths",
        "DELETE FROM trees",
        "DELETE FROM agents",
        "UPDATE nodes SET lineage = 1 WHERE seq = 3",
        "UPDATE nodes SET id = 'a b' WHERE seq = 3",
    ];
    for sql in breaks {
        let place = Place::new();
        place.open().insert(&good(), false).unwrap();
        let connection = rusqlite::Connection::open(&place.path).unwrap();
        connection.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).unwrap();
        drop(connection);
        let mut loom = place.open();
        if sql != "UPDATE nodes SET id = 'a b' WHERE seq = 3" {
            assert_ne!(loom.verify().unwrap().problems, [], "{sql}");
        }
        drop(loom);
        let repaired = repair(&place.path, NOW).unwrap();
        let mut loom = place.open();
        assert_eq!(loom.verify().unwrap().problems, [], "{sql}");
        let deleted = u64::from(sql.starts_with("DELETE FROM nodes"));
        assert_eq!(repaired.nodes, 3 - deleted, "{sql}");
        assert_eq!(loom.trees().unwrap().iter().map(|info| info.nodes).sum::<u64>(), 3 - deleted);
    }
}

#[test]
fn a_store_in_use_is_not_repaired() {
    let place = Place::new();
    let mut loom = place.open();
    loom.insert(&good(), false).unwrap();
    assert!(matches!(repair(&place.path, NOW).unwrap_err().fault, Fault::Busy));
    drop(loom);
    assert_eq!(repair(&place.path, NOW).unwrap().lost, Vec::<String>::new());
    assert_eq!(repair(&place.path, NOW).unwrap().aside, [place.path.with_file_name("loom.sqlite.damaged-2")]);
    assert_eq!(
        files(&place.path),
        [".loom.sqlite.lock", "loom.sqlite", "loom.sqlite.damaged-1", "loom.sqlite.damaged-2"]
    );
}

/// A store of some pages, and what is in it.
fn stored() -> (Place, Vec<u8>) {
    let place = Place::new();
    let mut loom = Loom::open_hasty(&place.path, NOW).unwrap();
    for mode in [TreeMode::Dialogue, TreeMode::Buffer] {
        let id = tree(&mut loom, mode);
        let all = (0..60).map(|number| next(&format!("{number} {}", "text ".repeat(60)))).collect();
        let nodes = loom.add(&id, all).unwrap();
        loom.edit(&nodes[30].id, said("edited"), "human", AuthorType::Human).unwrap();
        loom.prune(&nodes[50].id).unwrap();
    }
    drop(loom);
    let bytes = fs::read(&place.path).unwrap();
    (place, bytes)
}

#[test]
fn a_store_without_its_last_pages_keeps_the_others() {
    let (place, bytes) = stored();
    for missing in [4096, 5000, 3 * 4096] {
        fs::write(&place.path, &bytes[..bytes.len() - missing]).unwrap();
        let repaired = repair(&place.path, NOW).unwrap();
        assert!(repaired.nodes > 100 && !repaired.lost.is_empty(), "{repaired:?}");
        clean(&mut place.open());
    }
}

#[test]
fn where_nothing_can_be_saved_the_file_stays() {
    let (place, mut bytes) = stored();
    bytes[..4096].fill(0xaa);
    fs::write(&place.path, &bytes).unwrap();
    let error = repair(&place.path, NOW).unwrap_err();
    assert_eq!(error.kind(), LoomErrorKind::Verification);
    let aside = place.path.with_file_name("loom.sqlite.damaged-1");
    assert!(
        told(&error).contains("nothing of the store can be saved: ") && told(&error).contains("loom.sqlite.damaged-1")
    );
    assert_eq!(fs::read(&place.path).unwrap(), bytes);
    assert_eq!(fs::read(aside).unwrap(), bytes);
    assert_eq!(files(&place.path), [".loom.sqlite.lock", "loom.sqlite", "loom.sqlite.damaged-1"]);
}

#[test]
fn files_of_others_are_left_alone() {
    let place = Place::new();
    let dir = place.path.parent().unwrap();
    fs::create_dir(dir).unwrap();
    let connection = rusqlite::Connection::open(dir.join("plain.db")).unwrap();
    connection.execute_batch("CREATE TABLE mail (text TEXT); INSERT INTO mail VALUES ('hello')").unwrap();
    let connection = rusqlite::Connection::open(dir.join("known.db")).unwrap();
    connection.execute_batch("PRAGMA application_id = 7; PRAGMA user_version = 1").unwrap();
    connection.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE mail (text TEXT)").unwrap();
    drop(connection);
    fs::write(dir.join("notes.txt"), "notes").unwrap();
    for name in ["plain.db", "known.db", "notes.txt"] {
        let path = dir.join(name);
        let (before, names) = (fs::read(&path).unwrap(), files(&path));
        let open = |make: bool| if make { Loom::open(&path, NOW) } else { Loom::open_existing(&path, NOW) };
        for error in [open(true).err().unwrap(), open(false).err().unwrap(), repair(&path, NOW).unwrap_err()] {
            assert!(
                told(&error).ends_with(&format!(
                    "{name}: not a store of trees\nname another file for the store: `--store FILE`"
                ))
            );
            assert_eq!(error.kind(), LoomErrorKind::Conflict);
        }
        assert_eq!((fs::read(&path).unwrap(), files(&path)), (before, names), "{name}");
    }
    // Not even where a store was before.
    fs::write(dir.join(".plain.db.lock"), "").unwrap();
    let path = dir.join("plain.db");
    assert!(matches!(Loom::open(&path, NOW).err().unwrap().fault, Fault::Foreign));
    assert!(matches!(repair(&path, NOW).unwrap_err().fault, Fault::Foreign));
    assert!(files(&path).iter().all(|name| !name.contains("damaged")));
}

#[test]
fn what_is_not_there_or_no_file_is_told_and_nothing_is_made() {
    let place = Place::new();
    let dir = place.path.parent().unwrap();
    for error in [Loom::open_existing(&place.path, NOW).err().unwrap(), repair(&place.path, NOW).unwrap_err()] {
        assert_eq!(
            told(&error),
            format!("there is no store yet: {}\n`contexture loom new TITLE` makes one", place.path.display())
        );
        assert_eq!(error.kind(), LoomErrorKind::Usage);
    }
    assert!(!dir.exists());
    fs::create_dir_all(&place.path).unwrap();
    fs::write(dir.join("empty"), "").unwrap();
    assert!(matches!(Loom::open_existing(&dir.join("empty"), NOW).err().unwrap().fault, Fault::NoStore(_)));
    let mut odd = vec![place.path.clone()];
    if cfg!(unix) {
        odd.push("/dev/null".into());
    }
    for path in odd {
        for error in [Loom::open(&path, NOW).err().unwrap(), repair(&path, NOW).unwrap_err()] {
            assert_eq!(error.to_string(), format!("{}: not a regular file", path.display()));
        }
    }
    assert_eq!(files(&place.path), ["empty", "loom.sqlite"]);
    assert!(!Path::new("/dev/.null.lock").exists());
}

#[test]
#[cfg(unix)]
fn a_link_is_the_store_that_it_leads_to() {
    let place = Place::new();
    drop(place.open());
    let link = place.path.parent().unwrap().parent().unwrap().join("link.sqlite");
    std::os::unix::fs::symlink("data/loom.sqlite", &link).unwrap();
    let mut loom = Loom::open_existing(&link, NOW).unwrap();
    tree(&mut loom, TreeMode::Dialogue);
    assert!(matches!(repair(&place.path, NOW).unwrap_err().fault, Fault::Busy));
    drop(loom);
    let loom = place.open();
    assert!(matches!(repair(&link, NOW).unwrap_err().fault, Fault::Busy));
    drop(loom);
    repair(&link, NOW).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(Loom::open(&link, NOW).unwrap().trees().unwrap(), place.open().trees().unwrap());
    assert_eq!(files(&link), ["data", "link.sqlite"]);
    // To where nothing is yet.
    let second = link.with_file_name("second");
    std::os::unix::fs::symlink("data/new.sqlite", &second).unwrap();
    assert!(matches!(Loom::open_existing(&second, NOW).err().unwrap().fault, Fault::NoStore(_)));
    drop(Loom::open(&second, NOW).unwrap());
    assert!(files(&place.path).contains(&".new.sqlite.lock".into()));
    let round = link.with_file_name("round");
    std::os::unix::fs::symlink("round", &round).unwrap();
    assert!(Loom::open(&round, NOW).err().unwrap().to_string().ends_with("cannot open the store: too many links"));
}

/// Without rights of root, for whom everything can be written.
#[test]
#[cfg(unix)]
fn a_store_that_cannot_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let (place, _) = stored();
    let dir = place.path.parent().unwrap();
    let rights = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for has_lock in [true, false] {
        rights(&place.path, 0o400);
        rights(dir, 0o500);
        if fs::write(dir.join("probe"), "").is_ok() {
            rights(dir, 0o700);
            return;
        }
        let mut loom = Loom::open_existing(&place.path, NOW).unwrap();
        let trees = loom.trees().unwrap();
        assert_eq!(trees.iter().map(|info| info.nodes).sum::<u64>(), 122);
        assert_eq!(loom.bundle(&trees[0].tree.id).unwrap().nodes.len(), 61);
        clean(&mut loom);
        let error = loom.add(&trees[0].tree.id, vec![next("x")]).unwrap_err();
        assert!(error.to_string().ends_with("cannot write to the store: permission denied"), "{error}");
        rights(dir, 0o700);
        if has_lock {
            fs::remove_file(dir.join(".loom.sqlite.lock")).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(48), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damage_anywhere_is_survived(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..4),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let (place, mut bytes) = stored();
        for (at, byte, kind) in flips {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes[at] ^= 1 << (byte % 8),
                _ => bytes[at / 4096 * 4096..].iter_mut().take(512).for_each(|place| *place = byte),
            }
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        fs::write(&place.path, &bytes).unwrap();
        let told = match Loom::open(&place.path, NOW) {
            Ok(mut loom) => {
                for info in loom.trees().unwrap_or_default() {
                    let _ = loom.walk(&info.tree.id, &PathQuery { annotations: true, ..PathQuery::default() });
                    let _ = loom.bundle(&info.tree.id);
                    let _ = loom.outline(&info.tree.id);
                    let _ = loom.memory(&info.tree.id);
                }
                loom.verify().map_or(true, |verified| !verified.problems.is_empty())
            }
            Err(_) => true,
        };
        let before = fs::read(&place.path).unwrap();
        let repaired = match repair(&place.path, NOW) {
            Ok(repaired) => repaired,
            Err(error) => {
                let Fault::Lost { aside, .. } = error.fault else { return Err(TestCaseError::fail(error.to_string())) };
                prop_assert_eq!(&fs::read(aside).unwrap(), &before);
                prop_assert_eq!(fs::read(&place.path).unwrap(), before);
                return Ok(());
            }
        };
        prop_assert_eq!(fs::read(&repaired.aside[0]).unwrap(), before);
        let mut loom = place.open();
        prop_assert_eq!(loom.verify().unwrap().problems, []);
        let nodes = loom.trees().unwrap().iter().map(|info| info.nodes).sum::<u64>();
        prop_assert_eq!(nodes, repaired.nodes);
        // Whoever was not told of any damage lost nothing.
        prop_assert!(told || (nodes == 122 && repaired.lost.is_empty()), "{:?}", repaired);
    }

    #[test]
    fn any_bytes_are_opened_calmly(bytes in prop::collection::vec(any::<u8>(), 0..2000), headed in any::<bool>()) {
        let place = Place::new();
        fs::create_dir(place.path.parent().unwrap()).unwrap();
        let bytes = if headed { [&b"SQLite format 3\0"[..], &bytes].concat() } else { bytes };
        fs::write(&place.path, &bytes).unwrap();
        // SQLite takes a file of one byte for an empty one: older systems left such files behind.
        if bytes.is_empty() || (bytes.len() == 1 && !headed) {
            fs::write(&place.path, "").unwrap();
            clean(&mut place.open());
            return Ok(());
        }
        // Without our lock beside it, nothing says that it was ever ours.
        for fault in [Loom::open(&place.path, NOW).err(), repair(&place.path, NOW).err()] {
            prop_assert!(matches!(fault, Some(LoomError { fault: Fault::Foreign, .. })), "{:?}", fault);
            prop_assert_eq!(files(&place.path), ["loom.sqlite"]);
        }
        fs::write(place.path.with_file_name(".loom.sqlite.lock"), "").unwrap();
        let fault = Loom::open(&place.path, NOW).err().map(|error| error.fault);
        prop_assert!(matches!(fault, Some(Fault::Damaged(_))), "{:?}", fault);
        let Fault::Lost { aside, .. } = repair(&place.path, NOW).unwrap_err().fault else { panic!() };
        prop_assert_eq!(&fs::read(aside).unwrap(), &bytes);
        prop_assert_eq!(&fs::read(&place.path).unwrap(), &bytes);
    }
}
