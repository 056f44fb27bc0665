//! Random operations on a store and on a model; both must agree at every step.
//!
//! Knows nothing of where the store is: whoever calls it says so.

use super::model::{Choice, Edge, Tree};
use super::*;
use contexture_conversations::loom::{Fault, WalkedPath, fresh};
use contexture_core::{EdgeSource, EdgeType, LoomEdge, PathChoice, SourceRole};
use proptest::prelude::*;

const OPERATIONS: usize = 200;

/// What to do, and numbers to choose with.
pub type Op = (u8, [u16; 4]);

struct Machine {
    place: Place,
    loom: Loom,
    trees: Vec<Tree>,
    current: usize,
}

/// What is to be done in a case.
pub fn ops() -> impl Strategy<Value = Vec<Op>> {
    prop::collection::vec((0..100u8, any::<[u16; 4]>()), OPERATIONS)
}

/// Does it to a new store and to the model.
pub fn agree(place: Place, ops: &[Op]) {
    let mut machine = Machine::new(place);
    for (step, op) in ops.iter().enumerate() {
        machine.apply(op);
        if step.is_multiple_of(2) {
            machine.compare(step.is_multiple_of(3));
        }
    }
    machine.finish();
}

impl Machine {
    fn new(place: Place) -> Self {
        let mut loom = place.open_hasty();
        let id = tree(&mut loom, TreeMode::Buffer);
        Self { place, loom, trees: vec![Tree::new(id, TreeMode::Buffer)], current: 0 }
    }

    fn apply(&mut self, (kind, [a, b, c, d]): &Op) {
        let (a, b, c, d) = (usize::from(*a), usize::from(*b), usize::from(*c), usize::from(*d));
        let tree = &mut self.trees[self.current];
        let count = tree.nodes.len();
        if *kind < 40 || (count == 0 && *kind < 93) {
            return self.add(a, b, c, d);
        }
        let pick = a % count.max(1);
        let id = tree.nodes.get(pick).map(|node| node.id.clone()).unwrap_or_default();
        match kind {
            40..52 => {
                let done = self.loom.edit(&id, said(&count.to_string()), "model", AuthorType::Model);
                assert_eq!(done.is_err(), tree.nodes[pick].pruned.is_some());
                if let Ok(node) = done {
                    let new = tree.edit(pick);
                    tree.nodes[new].id = node.id;
                }
            }
            52..58 => {
                let done = self.loom.annotate(&id, said(&count.to_string()), "model", AuthorType::Model);
                assert_eq!(done.is_err(), tree.nodes[pick].pruned.is_some());
                if let Ok(node) = done {
                    let new = tree.push(None);
                    tree.nodes[new].id = node.id;
                    let sources = vec![(pick, SourceRole::Primary)];
                    tree.edges.push(Edge { kind: EdgeType::Annotation, sources, target: new });
                }
            }
            58..64 => {
                tree.nodes[pick].excluded = b.is_multiple_of(2);
                self.loom.exclude(&id, b.is_multiple_of(2)).unwrap();
            }
            64..70 => assert_eq!(self.loom.prune(&id).unwrap(), tree.prune(pick)),
            70..76 => assert_eq!(self.loom.restore(&id).ok(), tree.restore(pick)),
            76..83 => {
                let path = b % tree.paths.len();
                tree.paths[path].active = Some(pick);
                tree.path = path;
                let name = tree.paths[path].name.clone();
                self.loom.go(&tree.id, Some(&name), &id).unwrap();
            }
            83..86 => {
                let name = format!("path {}", tree.paths.len());
                self.loom.fork(&tree.id, &name, &id).unwrap();
                let choices = tree.paths[tree.path].choices.clone();
                tree.paths.push(model::Path { name, active: Some(pick), choices });
                tree.path = tree.paths.len() - 1;
            }
            86..93 => self.choose(pick, b, c, d),
            93 => {
                self.loom = self.place.open_hasty();
            }
            94 | 95 => {
                let mode = if a.is_multiple_of(2) { TreeMode::Buffer } else { TreeMode::Dialogue };
                let id = super::tree(&mut self.loom, mode);
                self.trees.push(Tree::new(id, mode));
                self.current = self.trees.len() - 1;
            }
            96 => {
                self.current = a % self.trees.len();
                self.loom.use_tree(&self.trees[self.current].id).unwrap();
            }
            _ => self.copy(a, b, c),
        }
    }

    fn add(&mut self, a: usize, b: usize, c: usize, d: usize) {
        let other = self.trees.iter().find(|tree| tree.id != self.trees[self.current].id && !tree.nodes.is_empty());
        let foreign = other.map(|tree| tree.nodes[0].id.clone());
        let tree = &mut self.trees[self.current];
        let count = tree.nodes.len();
        let id = |at: usize| tree.nodes[at % count].id.clone();
        let mut new = NewNode { message: said(&count.to_string()), move_path: !b.is_multiple_of(4), ..next("") };
        let mut sources = vec![];
        if count > 0 {
            // Mostly one primary or the active node; sometimes several sources of all kinds.
            let picks: Vec<usize> = [a, b / 4, c].iter().map(|at| at % count).collect();
            let primaries: &[usize] = match d % 8 {
                0..4 => &[],
                4 | 5 => &picks[..1],
                6 => &picks[..2],
                _ => &picks,
            };
            let contexts = if (d / 8).is_multiple_of(4) { &picks[1..] } else { &[] };
            let instructions = if (d / 32).is_multiple_of(4) { &picks[..1] } else { &[] };
            new.primaries = primaries.iter().map(|at| id(*at)).collect();
            new.contexts = contexts.iter().map(|at| id(*at)).collect();
            new.instructions = instructions.iter().map(|at| id(*at)).collect();
            let active = [tree.paths[tree.path].active.unwrap_or(0)];
            let primaries = if primaries.is_empty() { &active[..] } else { primaries };
            let roles = [
                (primaries, SourceRole::Primary),
                (contexts, SourceRole::Context),
                (instructions, SourceRole::Instruction),
            ];
            for (nodes, role) in roles {
                for node in nodes {
                    if !sources.contains(&(*node, role)) {
                        sources.push((*node, role));
                    }
                }
            }
        }
        if let (Some(foreign), 0) = (foreign, d / 128 % 16) {
            // A source of another tree: refused, and the good node before it as well.
            let good = NewNode { primaries: vec![], contexts: vec![], instructions: vec![], ..new.clone() };
            let bad = NewNode { contexts: vec![foreign], ..new };
            assert!(self.loom.add(&tree.id, vec![good, bad]).is_err());
            return;
        }
        let is_pruned =
            |source: &(usize, SourceRole)| source.1 == SourceRole::Primary && tree.nodes[source.0].pruned.is_some();
        let refused = sources.iter().any(is_pruned);
        let done = self.loom.add(&tree.id, vec![new.clone()]);
        assert_eq!(done.is_err(), refused);
        let Ok(nodes) = done else { return };
        let node = tree.push(None);
        tree.nodes[node].id = nodes[0].id.clone();
        if !sources.is_empty() {
            tree.edges.push(Edge { kind: EdgeType::Continuation, sources, target: node });
        }
        if new.move_path {
            let path = tree.path;
            tree.paths[path].active = Some(node);
        }
    }

    fn choose(&mut self, target: usize, b: usize, c: usize, d: usize) {
        let tree = &mut self.trees[self.current];
        let edges = tree.incoming(target);
        let mut choice = Choice { target, edge: None, source: None };
        let mut edge_id = None;
        if !edges.is_empty() {
            let at = b % edges.len();
            let primaries = tree.of(edges[at], SourceRole::Primary);
            if !d.is_multiple_of(3) {
                choice.source = Some(primaries[c % primaries.len()]);
            }
            if d.is_multiple_of(4) {
                choice.edge = Some(edges[at]);
                let all = self.loom.bundle(&tree.id).unwrap().edges;
                edge_id = Some(all[edges[at]].id.clone());
            }
        }
        let id = |node: usize| tree.nodes[node].id.clone();
        let said = PathChoice { target: id(target), edge: edge_id, source: choice.source.map(id) };
        self.loom.choose(&tree.id, None, &said).unwrap();
        tree.put(tree.path, choice);
    }

    /// A copy of the tree with one edge more, so that a node continues several.
    fn copy(&mut self, a: usize, b: usize, c: usize) {
        let mut tree = self.trees[self.current].clone();
        let mut bundle = self.loom.bundle(&tree.id).unwrap();
        assert_eq!(bundle.nodes.len(), tree.nodes.len());
        if tree.nodes.len() > 2 {
            let target = 1 + a % (tree.nodes.len() - 1);
            let source = b % target;
            let kind = if c.is_multiple_of(4) { EdgeType::Annotation } else { EdgeType::Continuation };
            let is_dead = tree.nodes[source].pruned.is_some() != tree.nodes[target].pruned.is_some();
            // Versions shared by edits may lead to earlier nodes; those would close a circle.
            if !is_dead && !tree.incoming(target).is_empty() && !reaches(&tree, target, source) {
                tree.edges.push(Edge { kind, sources: vec![(source, SourceRole::Primary)], target });
                let role = SourceRole::Primary;
                bundle.edges.push(LoomEdge {
                    id: fresh().unwrap(),
                    sources: vec![EdgeSource { node: bundle.nodes[source].id.clone(), role }],
                    target: bundle.nodes[target].id.clone(),
                    kind,
                    created: NOW,
                });
            }
        }
        tree.id = self.loom.insert(&bundle, true).unwrap().id;
        let copied = self.loom.bundle(&tree.id).unwrap();
        for (node, copied) in tree.nodes.iter_mut().zip(copied.nodes) {
            node.id = copied.id;
        }
        if self.trees.len() > 3 {
            self.trees.remove(0);
        }
        self.trees.push(tree);
        self.current = self.trees.len() - 1;
    }

    fn compare(&mut self, remarks: bool) {
        let tree = &self.trees[self.current];
        let path = &tree.paths[tree.path];
        if let Some(leaf) = path.active.or((!tree.nodes.is_empty()).then_some(0)) {
            let ask = PathQuery { annotations: remarks, ..PathQuery::default() };
            same(tree, leaf, &self.loom.walk(&tree.id, &ask), remarks);
        }
    }

    /// Every node is there, and its way to the root is the model's.
    fn finish(&mut self) {
        for tree in &self.trees {
            for leaf in 0..tree.nodes.len() {
                let found = self.loom.find(&tree.nodes[leaf].id).unwrap();
                assert_eq!(found.node.excluded, tree.nodes[leaf].excluded);
                let pruned = tree.nodes[leaf].pruned.map(|by| tree.nodes[by].id.clone());
                assert_eq!(found.node.pruned, pruned);
                // A third of the ways is enough: a node is on those of all that follow it.
                if leaf.is_multiple_of(3) {
                    let annotations = leaf.is_multiple_of(2);
                    let ask = PathQuery { leaf: Some(found.node.id), annotations, ..PathQuery::default() };
                    same(tree, leaf, &self.loom.walk(&tree.id, &ask), annotations);
                }
            }
            assert_eq!(self.loom.outline(&tree.id).unwrap().len(), tree.nodes.len());
        }
        clean(&mut self.loom);
    }
}

/// Whether there is a way down from one node to another.
fn reaches(tree: &Tree, from: usize, to: usize) -> bool {
    let mut seen = vec![from];
    let mut at = 0;
    while at < seen.len() {
        for edge in &tree.edges {
            if edge.sources.iter().any(|source| source.0 == seen[at]) && !seen.contains(&edge.target) {
                seen.push(edge.target);
            }
        }
        at += 1;
    }
    seen.contains(&to)
}

fn same(tree: &Tree, leaf: usize, walked: &Result<WalkedPath, LoomError>, remarks: bool) {
    let Some(expected) = tree.walk(leaf, &tree.paths[tree.path].choices, remarks) else {
        assert!(matches!(walked.as_ref().unwrap_err().fault, Fault::Fork { .. }));
        return;
    };
    let walked = walked.as_ref().unwrap();
    let id = |node: usize| tree.nodes[node].id.as_str();
    let steps: Vec<_> = expected.steps.iter().map(|(node, role)| (id(*node), *role)).collect();
    assert_eq!(walked.steps.iter().map(|step| (step.node.id.as_str(), step.role)).collect::<Vec<_>>(), steps);
    let instructions: Vec<_> = expected.instructions.iter().map(|node| id(*node)).collect();
    assert_eq!(walked.instructions.iter().map(|node| node.id.as_str()).collect::<Vec<_>>(), instructions);
    assert_eq!(walked.hidden.len(), expected.hidden.len());
    for ((local, why), (node, expected)) in walked.hidden.iter().zip(&expected.hidden) {
        assert!(id(*node).starts_with(local.as_str()) && why == expected);
    }
    // The text of each is its number.
    for step in &walked.steps {
        assert_eq!(id(step.node.message.text().parse().unwrap()), step.node.id);
    }
}
