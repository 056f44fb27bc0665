//! Laws over random trees: what goes out comes back, as far as each format holds it.

use super::random::{self, edge, node, plain, wild};
use super::{again, options, parents};
use contexture_conversations::loom::formats::{TreeFormat, export, import_bytes};
use contexture_core::{AuthorType, Bundle, Message, Role};
use proptest::prelude::*;

const FOREIGN: [TreeFormat; 5] =
    [TreeFormat::Pyloom, TreeFormat::Loomsidian, TreeFormat::LoomEngine, TreeFormat::Pi, TreeFormat::ChatGpt];

/// A node as a format can hold it. Equal lists are equal trees: siblings stand in their order.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    parent: Option<usize>,
    text: String,
    kind: AuthorType,
    bookmark: Option<String>,
    excluded: bool,
    pruned: Option<usize>,
    created: i64,
    calls: usize,
    active: bool,
}

/// The nodes depth first, so that formats may write them in their own order.
fn seen(bundle: &Bundle) -> Vec<Seen> {
    let parents = parents(bundle);
    let mut children = vec![Vec::new(); parents.len()];
    for (place, parent) in parents.iter().enumerate() {
        parent.iter().for_each(|&parent: &usize| children[parent].push(place));
    }
    let mut order = Vec::new();
    let mut due: Vec<usize> = (0..parents.len().min(1)).collect();
    while let Some(place) = due.pop() {
        order.push(place);
        due.extend(children[place].iter().rev());
    }
    let mut at = vec![0; parents.len()];
    order.iter().enumerate().for_each(|(new, &place)| at[place] = new);
    let place_of = |id: &String| at[bundle.nodes.iter().position(|node| node.id == *id).unwrap()];
    let node = |&place: &usize| {
        let node = &bundle.nodes[place];
        Seen {
            parent: parents[place].map(|parent| at[parent]),
            text: node.message.text().to_string(),
            kind: node.author_type,
            bookmark: node.bookmark.clone(),
            excluded: node.excluded,
            pruned: node.pruned.as_ref().map(place_of),
            created: node.created,
            calls: node.message.calls.len(),
            active: bundle.paths[0].active.as_ref() == Some(&node.id),
        }
    };
    order.iter().map(node).collect()
}

/// Without the nodes that are hidden: what they held goes to the nearest above. Several tops get an empty root.
fn shown(bundle: &Bundle) -> Bundle {
    let parents = parents(bundle);
    let keep = |at: usize| !bundle.nodes[at].excluded && bundle.nodes[at].pruned.is_none();
    let above = |mut place: Option<usize>| {
        while let Some(at) = place.filter(|&at| !keep(at)) {
            place = parents[at];
        }
        place
    };
    let kept: Vec<usize> = (0..parents.len()).filter(|&at| keep(at)).collect();
    let several = kept.iter().filter(|&&at| above(parents[at]).is_none()).count() > 1;
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    if several {
        nodes.push(node("top", AuthorType::Human, Message::new(Role::User, "")));
    }
    for &at in &kept {
        let id = &bundle.nodes[at].id;
        let source = above(parents[at]).map(|parent| &*bundle.nodes[parent].id).or(several.then_some("top"));
        edges.extend(source.map(|source| edge(id, source, id)));
        nodes.push(bundle.nodes[at].clone());
    }
    let active = bundle.nodes.iter().position(|node| Some(&node.id) == bundle.paths[0].active.as_ref());
    let active = above(active).map(|at| bundle.nodes[at].id.clone());
    let mut shown = random::bundle(nodes, edges);
    // With nothing left of the path, any node may be active.
    shown.paths[0].active = active;
    shown
}

fn forget(list: &mut [Seen], test: impl Fn(&mut Seen)) {
    list.iter_mut().for_each(test);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_own_json_keeps_everything(bundle in wild()) {
        let exported = export(&bundle, TreeFormat::Contexture);
        prop_assert!(exported.notes.is_empty());
        let imported = import_bytes(exported.files[0].1.as_bytes(), &options()).unwrap();
        prop_assert!(imported.notes.is_empty(), "{:?}", imported.notes);
        prop_assert_eq!(&imported.bundles[0], &bundle);
        prop_assert_eq!(export(&imported.bundles[0], TreeFormat::Contexture), exported);
    }

    #[test]
    fn foreign_formats_keep_what_they_hold(bundle in plain()) {
        let shown = shown(&bundle);
        for format in FOREIGN {
            let (exported, imported) = again(&bundle, format);
            let mut expected = seen(if format == TreeFormat::Pyloom { &bundle } else { &shown });
            if expected.is_empty() {
                prop_assert!(imported.bundles.iter().all(|bundle| bundle.nodes.len() <= 1));
                continue;
            }
            let mut found = seen(&imported.bundles[0]);
            if expected.iter().all(|node| !node.active) {
                forget(&mut found, |node| node.active = false);
            }
            for list in [&mut expected, &mut found] {
                match format {
                    TreeFormat::Pyloom => forget(list, |node| (node.calls, node.created) = (0, node.created / 1000)),
                    TreeFormat::Loomsidian => forget(list, |node| {
                        (node.kind, node.calls, node.created) = (AuthorType::Human, 0, 0);
                        node.bookmark = node.bookmark.as_ref().map(|_| String::new());
                    }),
                    TreeFormat::LoomEngine => forget(list, |node| node.active = false),
                    TreeFormat::Pi => forget(list, |node| {
                        node.bookmark = node.bookmark.take().map(|label| if label.is_empty() { "bookmark".into() } else { label });
                    }),
                    _ => forget(list, |node| {
                        // One call without a text is a message there.
                        (node.bookmark, node.calls) = (None, if node.text.is_empty() { node.calls } else { 0 });
                    }),
                }
                // The time of an empty root of our own is the tree's.
                if let Some(root) = list.first_mut().filter(|root| root.text.is_empty()) {
                    root.created = 0;
                }
            }
            prop_assert_eq!(found, expected, "{}\n{:?}", format, exported.files);
            // Once more gives the same, and no more is lost.
            let (_, third) = again(&imported.bundles[0], format);
            prop_assert_eq!(seen(&third.bundles[0]).len(), seen(&imported.bundles[0]).len());
        }
    }

    #[test]
    fn whatever_the_records_are_no_export_fails_and_nothing_hidden_leaves(mut bundle in wild()) {
        for node in &mut bundle.nodes {
            if node.excluded || node.pruned.is_some() {
                let secret = Message::new(Role::User, "s3cret");
                (node.message, node.bookmark) = (secret.into(), Some("s3cret".into()));
            }
        }
        for format in FOREIGN {
            let (exported, imported) = again(&bundle, format);
            imported.bundles.iter().for_each(|bundle| drop(parents(bundle)));
            if format != TreeFormat::Pyloom {
                prop_assert!(!format!("{exported:?}").contains("s3cret"), "{}", format);
            }
        }
    }
}
