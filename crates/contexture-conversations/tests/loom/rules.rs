//! The rules of trees, one small story each.

use super::*;
use contexture_conversations::loom::{AgentChange, Fault, Neighbour, TreeChange};
use contexture_core::{PathChoice, RawResponse, Truncation};

#[test]
fn a_path_goes_from_the_root_to_the_active_node() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    assert!(matches!(loom.walk(&id, &PathQuery::default()).unwrap_err().fault, Fault::NoNode));
    let nodes = loom.add(&id, vec![next("a"), next("b"), next("c")]).unwrap();
    assert_eq!(shown(&mut loom, &id), "a b c");
    add(&mut loom, &id, after("d", &[&nodes[0]]));
    assert_eq!(shown(&mut loom, &id), "a d");
    loom.go(&id, None, &nodes[1].id).unwrap();
    assert_eq!(shown(&mut loom, &id), "a b");
    assert_eq!(loom.find(&nodes[2].local).unwrap().node, nodes[2]);
    assert_eq!(loom.find(&nodes[2].id[..20].to_uppercase()).unwrap().node, nodes[2]);
    drop(loom);
    let mut loom = place.open();
    assert_eq!(shown(&mut loom, &id), "a b");
    assert_eq!(loom.trees().unwrap()[0].nodes, 4);
    clean(&mut loom);
}

#[test]
fn a_named_path_grows_without_coming_into_use() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    let nodes = loom.add(&id, vec![next("a"), next("b")]).unwrap();
    loom.fork(&id, "other", &nodes[0].id).unwrap();
    loom.go(&id, Some("main"), &nodes[1].id).unwrap();
    let other = |text: &str| NewNode { path: Some("other".into()), ..next(text) };
    loom.add(&id, vec![other("x"), next("c"), other("y"), NewNode { move_path: false, ..other("z") }]).unwrap();
    assert_eq!(shown(&mut loom, &id), "a b c");
    assert_eq!(walked(&mut loom, &id, &PathQuery { path: Some("other".into()), ..PathQuery::default() }), "a x y");
    let unknown = NewNode { path: Some("othr".into()), ..next("d") };
    assert_eq!(told(&loom.add(&id, vec![unknown]).unwrap_err()), "there is no path `othr`\ndid you mean `other`?");
    clean(&mut loom);
}

#[test]
#[cfg(unix)]
fn the_store_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let _loom = place.open();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(place.path.parent().unwrap()), 0o700);
    for name in files(&place.path) {
        assert_eq!(mode(&place.path.with_file_name(&name)), 0o600, "{name}");
    }
}

#[test]
fn sources_stand_before_what_they_belong_to() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    let nodes = loom.add(&id, vec![next("root"), next("b")]).unwrap();
    let image = add(&mut loom, &id, NewNode { move_path: false, ..after("image", &[&nodes[0]]) });
    let rule = add(&mut loom, &id, NewNode { move_path: false, ..after("rule", &[&nodes[0]]) });
    let new =
        NewNode { contexts: vec![image.id.clone()], instructions: vec![rule.id.clone()], ..after("c", &[&nodes[1]]) };
    let c = add(&mut loom, &id, new);
    assert_eq!(shown(&mut loom, &id), "root (image) b c | rule");
    // A node of the path that is a source as well stays where it is.
    add(&mut loom, &id, NewNode { contexts: vec![nodes[0].id.clone(), image.id.clone()], ..after("d", &[&c]) });
    assert_eq!(shown(&mut loom, &id), "root (image) b c d | rule");
    // Unrelated primaries are joined in order, and the path goes on from the first.
    let joined = add(&mut loom, &id, after("e", &[&c, &image]));
    assert_eq!(shown(&mut loom, &id), "root b c image e | rule");
    let joined = add(&mut loom, &id, after("f", &[&rule, &joined]));
    assert_eq!(shown(&mut loom, &id), "root rule e f");
    loom.exclude(&rule.id, true).unwrap();
    assert_eq!(shown(&mut loom, &id), "root e f !excluded");
    loom.exclude(&image.id, true).unwrap();
    loom.go(&id, None, &c.id).unwrap();
    assert_eq!(shown(&mut loom, &id), "root b c !excluded !excluded");
    assert_eq!(loom.bundle(&id).unwrap().edges.last().unwrap().target, joined.id);
    clean(&mut loom);
}

#[test]
fn an_edit_of_a_dialogue_is_a_branch_beside() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    let nodes = loom.add(&id, vec![next("a"), next("b"), next("c")]).unwrap();
    let edited = loom.edit(&nodes[1].id, said("B"), "human", AuthorType::Human).unwrap();
    assert_eq!(edited.edited_from.as_ref(), Some(&nodes[1].id));
    assert_eq!(shown(&mut loom, &id), "a B");
    add(&mut loom, &id, next("d"));
    assert_eq!(shown(&mut loom, &id), "a B d");
    // The root has no other place: its version continues nothing either.
    loom.edit(&nodes[0].id, said("A"), "human", AuthorType::Human).unwrap();
    assert_eq!(shown(&mut loom, &id), "A");
    assert_eq!(loom.connections(&[&nodes[1].local]).unwrap()[0].versions, 2);
    clean(&mut loom);
}

#[test]
fn an_edit_of_a_buffer_shares_what_follows() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Buffer);
    let nodes = loom.add(&id, vec![next("a"), next("b"), next("c")]).unwrap();
    let second = loom.edit(&nodes[1].id, said("B"), "human", AuthorType::Human).unwrap();
    assert_eq!(shown(&mut loom, &id), "a B c");
    loom.edit(&nodes[0].id, said("A"), "human", AuthorType::Human).unwrap();
    assert_eq!(shown(&mut loom, &id), "A B c");
    let choice =
        |source: &LoomNode| PathChoice { target: nodes[2].id.clone(), edge: None, source: Some(source.id.clone()) };
    loom.choose(&id, None, &choice(&nodes[1])).unwrap();
    assert_eq!(shown(&mut loom, &id), "A b c");
    let ask = PathQuery { choices: vec![choice(&second)], ..PathQuery::default() };
    // The new version of the root came later than that of the second node, whose edge now names both.
    assert_eq!(walked(&mut loom, &id, &ask), "A B c");
    loom.edit(&nodes[2].id, said("C"), "human", AuthorType::Human).unwrap();
    assert_eq!(shown(&mut loom, &id), "A b C");
    // Without a choice, the latest version that is live.
    loom.fork(&id, "other", &nodes[2].id).unwrap();
    loom.choose(&id, None, &PathChoice { target: nodes[2].id.clone(), edge: None, source: None }).unwrap();
    assert_eq!(shown(&mut loom, &id), "A B c");
    assert_eq!(loom.prune(&second.id).unwrap(), 1);
    assert_eq!(shown(&mut loom, &id), "A b c");
    clean(&mut loom);
}

#[test]
fn pruning_takes_what_has_no_other_way_and_can_be_undone() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    let nodes = loom.add(&id, vec![next("a"), next("b"), next("c")]).unwrap();
    let side = add(&mut loom, &id, after("side", &[&nodes[0]]));
    add(&mut loom, &id, after("joined", &[&nodes[2], &side]));
    loom.annotate(&nodes[2].id, said("remark"), "human", AuthorType::Human).unwrap();
    assert_eq!(loom.prune(&nodes[1].id).unwrap(), 3);
    assert_eq!(shown(&mut loom, &id), "a side joined !pruned !pruned");
    let refused = loom.add(&id, vec![after("x", &[&nodes[2]])]).unwrap_err();
    assert_eq!(
        told(&refused),
        format!(
            "`{}` is pruned: nothing is added below it\n`contexture loom restore {}`",
            nodes[2].local, nodes[1].local
        )
    );
    assert!(told(&loom.restore(&nodes[2].id).unwrap_err()).contains(&format!("was pruned with `{}`", nodes[1].local)));
    assert_eq!(loom.prune(&nodes[0].id).unwrap(), 3);
    assert!(told(&loom.restore(&nodes[1].id).unwrap_err()).contains(&format!("restore {}` first", nodes[0].local)));
    clean(&mut loom);
    assert_eq!(loom.restore(&nodes[0].id).unwrap(), 3);
    assert_eq!(loom.restore(&nodes[1].id).unwrap(), 3);
    assert_eq!(shown(&mut loom, &id), "a b c side joined");
    clean(&mut loom);
}

#[test]
fn annotations_are_shown_on_demand() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    let nodes = loom.add(&id, vec![next("a"), next("b")]).unwrap();
    let remark = loom.annotate(&nodes[0].id, said("remark"), "model", AuthorType::Model).unwrap();
    assert_eq!(shown(&mut loom, &id), "a b");
    let ask = PathQuery { annotations: true, ..PathQuery::default() };
    assert_eq!(walked(&mut loom, &id, &ask), "a [remark] b");
    loom.go(&id, None, &remark.id).unwrap();
    assert_eq!(shown(&mut loom, &id), "a !annotation");
    assert_eq!(walked(&mut loom, &id, &ask), "a remark");
    let second = loom.edit(&remark.id, said("better"), "model", AuthorType::Model).unwrap();
    assert_eq!(shown(&mut loom, &id), "a !annotation");
    loom.pin(&second.id, true).unwrap();
    loom.pin(&nodes[1].id, true).unwrap();
    loom.pin(&nodes[0].id, true).unwrap();
    assert_eq!(loom.memory(&id).unwrap().pins.len(), 2);
    loom.exclude(&nodes[1].id, true).unwrap();
    assert_eq!(loom.memory(&id).unwrap().pins, [loom.find(&nodes[0].id).unwrap().node]);
    clean(&mut loom);
}

#[test]
fn what_continues_an_annotation_is_as_hidden_as_it_is() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    let nodes = loom.add(&id, vec![next("a"), next("b")]).unwrap();
    let remark = loom.annotate(&nodes[1].id, said("remark"), "model", AuthorType::Model).unwrap();
    let beside = |new: NewNode| NewNode { move_path: false, ..new };
    let reply = add(&mut loom, &id, beside(after("reply", &[&remark])));
    let second = add(&mut loom, &id, beside(after("second", &[&reply])));
    let joined = add(&mut loom, &id, beside(after("joined", &[&second, &nodes[1]])));
    for node in [&remark, &reply, &second, &joined, &nodes[0]] {
        loom.pin(&node.id, true).unwrap();
    }
    assert_eq!(loom.memory(&id).unwrap().pins, [joined.clone(), nodes[0].clone()]);
    let new = beside(NewNode {
        contexts: vec![second.id.clone()],
        instructions: vec![reply.id.clone()],
        ..after("c", &[&nodes[1]])
    });
    let c = add(&mut loom, &id, new);
    let ask = |leaf: &LoomNode, annotations: bool| PathQuery {
        leaf: Some(leaf.id.clone()),
        annotations,
        ..PathQuery::default()
    };
    assert_eq!(walked(&mut loom, &id, &ask(&c, false)), "a b c !annotation !annotation");
    assert_eq!(walked(&mut loom, &id, &ask(&second, false)), "a b !annotation !annotation !annotation");
    assert_eq!(walked(&mut loom, &id, &ask(&second, true)), "a b remark reply second");
    let aside: Vec<bool> = loom.outline(&id).unwrap().iter().map(|row| row.is_annotation).collect();
    assert_eq!(aside, [false, false, true, true, true, false, false]);
    let bundle = loom.bundle(&id).unwrap();
    let copy = loom.insert(&bundle, true).unwrap().id;
    let copied: Vec<bool> = loom.outline(&copy).unwrap().iter().map(|row| row.is_annotation).collect();
    assert_eq!(aside, copied);
    clean(&mut loom);
    drop(loom);
    let connection = rusqlite::Connection::open(&place.path).unwrap();
    connection.execute_batch("UPDATE shapes SET marks = marks & ~2 WHERE seq = 4").unwrap();
    drop(connection);
    let problems = place.open().verify().unwrap().problems;
    assert_eq!(problems[0].what, "whether it is an annotation differs from its edges");
}

#[test]
fn what_was_done_is_told_without_naming_what_is_hidden() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Dialogue);
    let nodes = loom.add(&id, vec![next("a"), next("b"), next("c"), next("d")]).unwrap();
    for _ in 0..30 {
        loom.exclude(&nodes[1].id, true).unwrap();
    }
    loom.prune(&nodes[2].id).unwrap();
    let remark = loom.annotate(&nodes[0].id, said("remark"), "human", AuthorType::Human).unwrap();
    loom.pin(&remark.id, true).unwrap();
    loom.bookmark(&nodes[0].id, Some("here".into())).unwrap();
    loom.bookmark(&nodes[0].id, None).unwrap();
    loom.pin(&nodes[0].id, true).unwrap();
    loom.pin(&nodes[0].id, false).unwrap();
    loom.stash(&id, "my note", "text".into()).unwrap();
    loom.recall(&id, "my note", true).unwrap();
    loom.recall(&id, "my note", false).unwrap();
    loom.stash(&id, "secret", "text".into()).unwrap();
    loom.drop_stash(&id, "secret").unwrap();
    let said = |loom: &mut Loom| {
        let actions = loom.memory(&id).unwrap().actions;
        let told: Vec<_> = actions.iter().map(|action| action.text.replace(&nodes[0].local, "A")).collect();
        told.join(", ").replace(&id[..4], "T").replace(&nodes[1].local, "B")
    };
    assert_eq!(
        said(&mut loom),
        "new T, add A, annotate A, bookmark A, unbookmark A, pin A, unpin A, stash my note, recall my note, \
         put away my note"
    );
    loom.exclude(&nodes[1].id, false).unwrap();
    assert!(said(&mut loom).ends_with("put away my note, include B"));
    // As other programs say it.
    let mut bundle = loom.bundle(&id).unwrap();
    bundle.actions = [format!("saw `{}`, then left", remark.local), "prune gone".into(), "slept".into()]
        .map(|text| contexture_core::Action { at: NOW, text })
        .into();
    let copy = loom.insert(&bundle, true).unwrap().id;
    let actions = loom.memory(&copy).unwrap().actions;
    assert_eq!(actions.iter().map(|action| action.text.as_str()).collect::<Vec<_>>(), ["slept"]);
}

#[test]
fn agents_of_the_store_keep_their_settings_and_that_is_told() {
    let (place, other) = (Place::new(), Place::new());
    let (mut loom, mut second) = (place.open(), other.open());
    let agent = |name: &str, model: &str| AgentChange {
        name: name.into(),
        model: Some(Some(model.into())),
        ..AgentChange::default()
    };
    let id = tree(&mut loom, TreeMode::Dialogue);
    for name in ["same", "other", "new"] {
        loom.set_agent(agent(name, "m")).unwrap();
        add(&mut loom, &id, NewNode { author: name.into(), ..next(name) });
    }
    second.set_agent(agent("same", "m")).unwrap();
    second.set_agent(agent("other", "of its own")).unwrap();
    let bundles = [loom.bundle(&id).unwrap()];
    assert_eq!(second.kept_agents(&bundles).unwrap(), ["other"]);
    second.insert_all(&bundles, false).unwrap();
    assert_eq!(second.kept_agents(&bundles).unwrap(), ["other"]);
    assert_eq!(second.agent("other").unwrap().model.as_deref(), Some("of its own"));
}

/// Read in blocks and marked in runs, with nodes of another tree and earlier marks in between.
#[test]
fn many_are_pruned_at_once() {
    let place = Place::new();
    let mut loom = Loom::open_hasty(&place.path, NOW).unwrap();
    let (id, other) = (tree(&mut loom, TreeMode::Dialogue), tree(&mut loom, TreeMode::Dialogue));
    let mut nodes = Vec::new();
    for _ in 0..30 {
        nodes.extend(loom.add(&id, (0..20).map(|nth| next(&nth.to_string())).collect()).unwrap());
        add(&mut loom, &other, next("x"));
    }
    let side = add(&mut loom, &id, after("side", &[&nodes[100]]));
    assert_eq!(loom.prune(&side.id).unwrap(), 1);
    let shared = add(&mut loom, &id, after("shared", &[&nodes[0], &nodes[599]]));
    assert_eq!(loom.prune(&nodes[50].id).unwrap(), 550);
    clean(&mut loom);
    assert_eq!(loom.find(&shared.id).unwrap().node.pruned, None);
    assert_eq!(loom.find(&side.id).unwrap().node.pruned, Some(side.id));
    assert_eq!(loom.restore(&nodes[50].id).unwrap(), 550);
    clean(&mut loom);
}

#[test]
fn a_node_knows_what_it_is_connected_to() {
    let place = Place::new();
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Buffer);
    let nodes = loom.add(&id, vec![next("a"), next("b")]).unwrap();
    let side = add(&mut loom, &id, NewNode { move_path: false, ..after("side", &[&nodes[0]]) });
    let (contexts, instructions) = (vec![side.id.clone()], vec![nodes[0].id.clone()]);
    let c = add(&mut loom, &id, NewNode { contexts, instructions, ..next("c") });
    let remark = loom.annotate(&nodes[1].id, said("remark"), "human", AuthorType::Human).unwrap();
    let edited = loom.edit(&nodes[1].id, said("B"), "human", AuthorType::Human).unwrap();
    loom.prune(&remark.id).unwrap();
    loom.exclude(&edited.id, true).unwrap();
    let names = [(&nodes[0], "a"), (&nodes[1], "b"), (&side, "side"), (&c, "c"), (&remark, "remark"), (&edited, "B")];
    let name = |id: &str| names.iter().find(|(node, _)| node.id == id).unwrap().1;
    let told = |loom: &mut Loom, node: &LoomNode| {
        let found = loom.neighbours(&node.local).unwrap();
        let listed = |all: &[Neighbour]| {
            let all: Vec<_> = all.iter().map(|one| format!("{} {} {}", name(&one.id), one.role, one.kind)).collect();
            all.join(", ")
        };
        let versions: Vec<_> = found.versions.iter().map(|(id, _)| name(id)).collect();
        format!("{} > {} = {}", listed(&found.sources), listed(&found.targets), versions.join(", "))
    };
    assert_eq!(
        told(&mut loom, &c),
        "b primary continuation, B primary continuation, side context continuation, a instruction continuation >  = "
    );
    assert_eq!(
        told(&mut loom, &nodes[1]),
        "a primary continuation > c primary continuation, remark primary annotation = B"
    );
    assert_eq!(told(&mut loom, &side), "a primary continuation > c context continuation = ");
}

#[test]
fn a_tree_goes_there_and_back_as_a_whole() {
    let (place, other) = (Place::new(), Place::new());
    let mut loom = place.open();
    let id = tree(&mut loom, TreeMode::Buffer);
    loom.set_agent(AgentChange { name: "writer".into(), ..AgentChange::default() }).unwrap();
    let nodes = loom.add(&id, vec![next("a"), next("b"), NewNode { author: "writer".into(), ..next("c") }]).unwrap();
    loom.edit(&nodes[1].id, said("B"), "human", AuthorType::Human).unwrap();
    loom.annotate(&nodes[2].id, said("remark"), "human", AuthorType::Human).unwrap();
    loom.bookmark(&nodes[2].id, Some("end".into())).unwrap();
    loom.exclude(&nodes[0].id, true).unwrap();
    loom.pin(&nodes[1].id, true).unwrap();
    loom.stash(&id, "note", "text".into()).unwrap();
    loom.recall(&id, "note", true).unwrap();
    loom.fork(&id, "other", &nodes[1].id).unwrap();
    loom.prune(&nodes[2].id).unwrap();
    let change = TreeChange { truncation: Some(Some(Truncation::Rolling)), ..TreeChange::default() };
    loom.set_tree(&id, change).unwrap();
    let response = RawResponse {
        node: nodes[2].id.clone(),
        provider: "p".into(),
        model: "m".into(),
        body: "{}".into(),
        input_tokens: Some(1),
        output_tokens: None,
        latency_ms: 5,
        created: NOW,
    };
    loom.record(&response).unwrap();
    assert_eq!(loom.responses(&nodes[2].id).unwrap(), [response]);
    let bundle = loom.bundle(&id).unwrap();
    let mut second = other.open();
    assert_eq!(second.insert(&bundle, false).unwrap(), bundle.tree);
    assert_eq!(second.bundle(&id).unwrap(), bundle);
    assert_eq!(
        told(&second.insert(&bundle, false).unwrap_err()),
        format!("tree `{id}` is there already\n`--copy` imports it under new ids")
    );
    let copy = second.insert(&bundle, true).unwrap();
    let copied = second.bundle(&copy.id).unwrap();
    assert_eq!(copied.nodes.len(), bundle.nodes.len());
    assert_eq!(shown(&mut second, &copy.id), shown(&mut loom, &id));
    clean(&mut second);
    clean(&mut loom);
}

#[test]
fn trees_are_meant_by_many_words() {
    let place = Place::new();
    let mut loom = place.open();
    assert!(matches!(loom.tree(None).unwrap_err().fault, Fault::NoTree));
    let new = |title: &str| NewTree { title: title.into(), ..NewTree::default() };
    let first = loom.new_tree(new("Garden")).unwrap();
    let second = loom.new_tree(new("Kitchen")).unwrap();
    assert_eq!(loom.tree(None).unwrap(), second);
    loom.use_tree(&first.id).unwrap();
    for word in [None, Some("Garden"), Some("garden"), Some(first.local.as_str()), Some(&first.id[..12])] {
        assert_eq!(loom.tree(word).unwrap(), first, "{word:?}");
    }
    assert_eq!(told(&loom.tree(Some("Gardn")).unwrap_err()), "there is no tree `Gardn`\ndid you mean `Garden`?");
    loom.new_tree(new("garden")).unwrap();
    assert_eq!(loom.tree(Some("Garden")).unwrap(), first);
    assert!(matches!(loom.tree(Some("GARDEN")).unwrap_err().fault, Fault::Several { .. }));
}
