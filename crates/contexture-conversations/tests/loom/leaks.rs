//! Random hypergraphs with nodes hidden in every way: no byte of what they say comes out by any route.

use super::*;
use contexture_conversations::loom::{Fault, fresh};
use contexture_core::{Bundle, EdgeSource, EdgeType, LoomEdge, PathChoice, SourceRole};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// For each node behind the root: its edges, each with a kind and sources with roles.
type Graph = Vec<Vec<(bool, Vec<(prop::sample::Index, u8)>)>>;

fn graph() -> impl Strategy<Value = Graph> {
    let sources = prop::collection::vec((any::<prop::sample::Index>(), 0..3u8), 1..5);
    let edge = (prop::bool::weighted(0.2), sources);
    prop::collection::vec(prop::collection::vec(edge, 1..3), 1..25)
}

/// What a node says, which nothing else says.
fn secret(place: usize) -> String {
    format!("<<secret {place}>>")
}

fn bundle(graph: &Graph) -> Bundle {
    let place = Place::new();
    let mut loom = Loom::open_hasty(&place.path, NOW).unwrap();
    let id = tree(&mut loom, TreeMode::Dialogue);
    add(&mut loom, &id, next(&secret(0)));
    let mut bundle = loom.bundle(&id).unwrap();
    for (before, edges) in graph.iter().enumerate() {
        let id = fresh().unwrap();
        let node = LoomNode {
            local: id[..4].into(),
            id: id.clone(),
            message: Arc::new(said(&secret(before + 1))),
            ..bundle.nodes[0].clone()
        };
        for (is_remark, sources) in edges {
            let roles = [SourceRole::Primary, SourceRole::Context, SourceRole::Instruction];
            let mut sources: Vec<EdgeSource> = sources
                .iter()
                .map(|(at, role)| EdgeSource {
                    node: bundle.nodes[at.index(before + 1)].id.clone(),
                    role: roles[usize::from(*role)],
                })
                .collect();
            sources[0].role = SourceRole::Primary;
            let kind = if *is_remark { EdgeType::Annotation } else { EdgeType::Continuation };
            bundle.edges.push(LoomEdge { id: fresh().unwrap(), sources, target: id.clone(), kind, created: NOW });
        }
        bundle.nodes.push(node);
    }
    bundle
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_of_a_hidden_node_comes_out(
        graph in graph(),
        marks in prop::collection::vec((any::<prop::sample::Index>(), 0..6u8), 0..12),
    ) {
        let place = Place::new();
        let mut loom = Loom::open_hasty(&place.path, NOW).unwrap();
        let bundle = bundle(&graph);
        let tree = loom.insert(&bundle, false).unwrap().id;
        for (number, (at, mark)) in marks.into_iter().enumerate() {
            let id = &bundle.nodes[at.index(bundle.nodes.len())].id;
            match mark {
                0 | 1 => loom.exclude(id, true).unwrap(),
                2 => drop(loom.prune(id).unwrap()),
                3 => drop(loom.annotate(id, said(&secret(1000 + number)), "human", AuthorType::Human)),
                4 => loom.bookmark(id, Some("label".into())).unwrap(),
                _ => loom.pin(id, true).unwrap(),
            }
        }
        let marked = loom.bundle(&tree).unwrap();
        // Whatever the root reaches without an annotation: sources come before their targets.
        let mut reached = BTreeSet::from([marked.nodes[0].id.as_str()]);
        for node in &marked.nodes {
            let mut edges = marked.edges.iter().filter(|edge| edge.target == node.id);
            let is_primary = |source: &&EdgeSource| source.role == SourceRole::Primary;
            if edges.any(|edge| {
                let mut primaries = edge.sources.iter().filter(is_primary);
                edge.kind == EdgeType::Continuation && primaries.any(|source| reached.contains(source.node.as_str()))
            }) {
                reached.insert(&node.id);
            }
        }
        let is_remark = |node: &LoomNode| !reached.contains(node.id.as_str());
        for annotations in [false, true] {
            let hidden: Vec<&LoomNode> = marked
                .nodes
                .iter()
                .filter(|node| node.excluded || node.pruned.is_some() || (is_remark(node) && !annotations))
                .collect();
            let check = |out: String| -> Result<(), TestCaseError> {
                for node in &hidden {
                    prop_assert!(!out.contains(&*node.message.text()), "{} in {out}", node.message.text().to_string());
                }
                Ok(())
            };
            for node in &marked.nodes {
                let mut ask = PathQuery { leaf: Some(node.id.clone()), annotations, ..PathQuery::default() };
                // At every fork the first way.
                loop {
                    match loom.walk(&tree, &ask) {
                        Ok(walked) => {
                            check(format!("{walked:?}"))?;
                            let total = walked.steps.len() + walked.instructions.len();
                            let all = walked.steps.iter().map(|step| &step.node).chain(&walked.instructions);
                            let ids: BTreeSet<&str> = all.map(|node| node.id.as_str()).collect();
                            prop_assert_eq!(ids.len(), total, "each once");
                            break;
                        }
                        Err(error) => {
                            check(format!("{error:?}{}", told(&error)))?;
                            let Fault::Fork { node, .. } = error.fault else { return Err(TestCaseError::fail("an error")) };
                            let target = loom.find(&node).unwrap().node.id;
                            let kinds = [EdgeType::Continuation, EdgeType::Annotation];
                            let edge = kinds.iter().find_map(|kind| {
                                marked.edges.iter().find(|edge| edge.target == target && edge.kind == *kind)
                            });
                            let edge = Some(edge.unwrap().id.clone());
                            ask.choices.push(PathChoice { target, edge, source: None });
                        }
                    }
                }
                check(format!("{:?}", loom.connections(&[&node.id]).unwrap()))?;
            }
            check(format!("{:?}{:?}", loom.paths(&tree).unwrap(), loom.trees().unwrap()))?;
            if !annotations {
                check(format!("{:?}", loom.memory(&tree).unwrap()))?;
            }
        }
        clean(&mut loom);
    }
}
