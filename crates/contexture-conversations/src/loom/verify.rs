//! Looks for everything that cannot be in a store whose rules were kept: the database's own checks, then all laws.

use super::aside::{aside, waiting};
use super::records::tree;
use super::store::{EdgeRow, Marks, NodeRow, Result, Rows, Seq, Shape, TreeRow};
use super::{Fault, Loom, LoomError};
use contexture_core::{LoomNode, SourceRole};
use std::collections::HashMap;
use std::sync::Arc;

/// How much was looked at, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    pub trees: u64,
    pub nodes: u64,
    pub edges: u64,
    pub problems: Vec<Problem>,
}

/// One thing that cannot be in a store whose rules were kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub what: String,
    /// Of a tree or a node; empty when the whole store is meant.
    pub id: String,
    pub hint: String,
}

const HINT: &str = "`contexture loom verify --repair` copies the store aside and saves what can be read";
/// Texts are read in parts of this many nodes.
const PART: usize = 4096;
/// More problems than this are one problem.
const SHOWN: usize = 100;

impl Loom {
    /// Damage is told as a problem; an error is only what prevents looking.
    pub fn verify(&mut self) -> Result<Verified> {
        let mut found = Verified::default();
        match self.store.check() {
            Ok(problems) => problems.into_iter().for_each(|what| found.tell(what, "")),
            Err(error) => found.damage(error)?,
        }
        let looked = self.read(|rows| {
            let agents: HashMap<Seq, Arc<str>> =
                rows.agents()?.into_iter().map(|(seq, agent)| (seq, Arc::from(agent.id))).collect();
            for row in rows.trees()? {
                found.trees += 1;
                if let Err(error) = (Look { rows, tree: &row, agents: &agents, found: &mut found }).all() {
                    found.damage(error)?;
                }
            }
            if let Some(current) = rows.current()? {
                tree(rows, current)?;
            }
            Ok(())
        });
        looked.or_else(|error| found.damage(error))?;
        found.problems.truncate(SHOWN);
        Ok(found)
    }
}

impl Verified {
    fn tell(&mut self, what: impl Into<String>, id: &str) {
        if self.problems.len() < SHOWN {
            self.problems.push(Problem { what: what.into(), id: id.into(), hint: HINT.into() });
        }
    }

    fn damage(&mut self, error: LoomError) -> Result<()> {
        match error.fault {
            Fault::Damaged(what) => {
                self.tell(what, "");
                Ok(())
            }
            _ => Err(error),
        }
    }
}

/// The laws of one tree.
struct Look<'a> {
    rows: &'a mut dyn Rows,
    tree: &'a TreeRow,
    agents: &'a HashMap<Seq, Arc<str>>,
    found: &'a mut Verified,
}

/// What is needed of a node to judge others by it.
struct CheckedNode {
    shape: Shape,
    lineage: Seq,
    edited_from: Option<Seq>,
    id: String,
}

impl Look<'_> {
    fn all(&mut self) -> Result<()> {
        let mut shapes = Vec::new();
        self.rows.shapes(self.tree.seq, Seq::MIN, Seq::MAX, &mut |shape| shapes.push(shape))?;
        let nodes = self.nodes(&shapes)?;
        let place: HashMap<Seq, usize> = nodes.iter().enumerate().map(|(at, node)| (node.shape.seq, at)).collect();
        if self.tree.nodes != shapes.len() as u64 || nodes.len() != shapes.len() {
            let what = format!("{} nodes are counted, {} are there", self.tree.nodes, nodes.len());
            self.found.tell(what, &self.tree.tree.id);
        }
        let mut edges = Vec::new();
        self.rows.edges_of(self.tree.seq, &mut |edge| edges.push(edge))?;
        self.found.nodes += nodes.len() as u64;
        self.found.edges += edges.len() as u64;
        let mut into: Vec<Vec<&EdgeRow>> = vec![Vec::new(); nodes.len()];
        for edge in &edges {
            let ends = edge.sources.iter().map(|(node, _)| node).chain([&edge.target]);
            if !ends.clone().all(|end| place.contains_key(end)) {
                self.found.tell(format!("edge `{}` leads out of its tree", edge.id), &self.tree.tree.id);
                continue;
            }
            if edge.of(SourceRole::Primary).next().is_none() {
                self.found.tell(format!("edge `{}` has no primary source", edge.id), &self.tree.tree.id);
            }
            let target = place.get(&edge.target).and_then(|at| into.get_mut(*at));
            target.into_iter().for_each(|list| list.push(edge));
        }
        let pruned =
            |seq: Seq| place.get(&seq).and_then(|at| nodes.get(*at)).is_none_or(|node| node.shape.pruned.is_some());
        let root = self.tree.root.and_then(|root| nodes.get(*place.get(&root)?));
        if root.is_none() && !nodes.is_empty() {
            self.found.tell("the root is missing", &self.tree.tree.id);
        }
        let at = |seq: Seq| place.get(&seq).copied();
        let inner = into.iter().flatten().filter_map(|edge| {
            let primaries = edge.of(SourceRole::Primary).filter_map(at).collect();
            Some((edge.kind, primaries, at(edge.target)?))
        });
        let aside = aside(nodes.len(), &inner.collect::<Vec<_>>());
        for ((node, into), is_remark) in nodes.iter().zip(&into).zip(aside) {
            self.laws(node, into, root, &pruned);
            if node.shape.marks.has(Marks::ANNOTATION) != is_remark {
                self.found.tell("whether it is an annotation differs from its edges", &node.id);
            }
            let by = node.shape.pruned.and_then(|by| nodes.get(*place.get(&by)?));
            if node.shape.pruned.is_some() && by.is_none_or(|by| by.shape.pruned != Some(by.shape.seq)) {
                self.found.tell("pruned with a node that is not pruned", &node.id);
            }
            let from = node.edited_from.map(|from| nodes.get(*place.get(&from)?));
            let lineage = from.map_or(Some(node.shape.seq), |from| Some(from?.lineage));
            if lineage != Some(node.lineage) {
                self.found.tell("edited from a node that is not there, or not its version", &node.id);
            }
        }
        self.circles(&nodes, &edges, &place);
        self.names()
    }

    /// The rows of the nodes, with their hashes checked.
    fn nodes(&mut self, shapes: &[Shape]) -> Result<Vec<CheckedNode>> {
        let mut all = Vec::with_capacity(shapes.len());
        for shapes in shapes.chunks(PART) {
            let seqs: Vec<Seq> = shapes.iter().map(|shape| shape.seq).collect();
            let mut part: Vec<NodeRow> = Vec::with_capacity(seqs.len());
            self.rows.nodes(&seqs, &mut |row| part.push(row))?;
            for row in part {
                let Ok(at) = shapes.binary_search_by_key(&row.seq, |shape| shape.seq) else { continue };
                let Some(shape) = shapes.get(at).copied() else { continue };
                if row.tree != self.tree.seq {
                    self.found.tell("in two trees", &row.id);
                }
                if !self.has_hash(&row)? {
                    self.found.tell("the text or its author differs from its hash", &row.id);
                }
                all.push(CheckedNode { shape, lineage: row.lineage, edited_from: row.edited_from, id: row.id });
            }
        }
        Ok(all)
    }

    fn has_hash(&mut self, row: &NodeRow) -> Result<bool> {
        let Some(author) = self.agents.get(&row.author).cloned() else { return Ok(false) };
        let edited_from = row.edited_from.map(|seq| self.rows.head(seq)).transpose()?.flatten().map(|head| head.id);
        let node = LoomNode {
            id: String::new(),
            local: String::new(),
            message: row.message.clone(),
            author,
            author_type: row.author_type,
            edited_from,
            created: row.created,
            excluded: false,
            pruned: None,
            bookmark: None,
            origin: None,
        };
        Ok(node.hash() == row.hash)
    }

    fn laws(
        &mut self,
        node: &CheckedNode,
        into: &[&EdgeRow],
        root: Option<&CheckedNode>,
        pruned: &dyn Fn(Seq) -> bool,
    ) {
        let shape = &node.shape;
        let is_version = root.is_some_and(|root| root.lineage == node.lineage);
        if into.is_empty() && !is_version {
            self.found.tell("nothing leads to it, and it is not the root", &node.id);
        }
        let is_live = |edge: &&EdgeRow| edge.of(SourceRole::Primary).any(|source| !pruned(source));
        if shape.pruned.is_none() && !into.is_empty() && !into.iter().any(is_live) {
            self.found.tell("not pruned, but all it continues is", &node.id);
        }
        let is_simple = matches!(into, [edge] if edge.sources.len() == 1);
        let parent = into.first().and_then(|edge| edge.of(SourceRole::Primary).next());
        if shape.parent != parent || shape.marks.has(Marks::SIMPLE) != is_simple {
            self.found.tell("its place in the tree differs from its edges", &node.id);
        }
    }

    fn circles(&mut self, nodes: &[CheckedNode], edges: &[EdgeRow], place: &HashMap<Seq, usize>) {
        let at = |seq: &Seq| place.get(seq).copied();
        let ends = edges.iter().flat_map(|edge| {
            let sources = edge.sources.iter().filter_map(move |(node, _)| at(node));
            sources.zip(std::iter::repeat(at(&edge.target))).filter_map(|(source, target)| Some((source, target?)))
        });
        for (node, _) in nodes.iter().zip(waiting(nodes.len(), ends)).filter(|(_, wait)| *wait > 0) {
            self.found.tell("in a circle, or behind one", &node.id);
        }
    }

    /// Paths end in the tree, and no node has a name of the tree.
    fn names(&mut self) -> Result<()> {
        let id = &self.tree.tree.id;
        for name in [id, &self.tree.tree.local] {
            if self.rows.named(name)?.is_none_or(|name| name.node.is_some() || name.tree != self.tree.seq) {
                self.found.tell("a node has the id of a tree", id);
            }
        }
        let paths = self.rows.paths(self.tree.seq)?;
        if !paths.iter().any(|path| Some(path.seq) == self.tree.path) {
            self.found.tell("the path in use is missing", id);
        }
        for path in paths {
            let choices = self.rows.choices(path.seq)?;
            let nodes = choices.iter().flat_map(|choice| [Some(choice.target), choice.source]).flatten();
            for node in nodes.chain(path.active) {
                if !self.has_node(node)? {
                    self.found.tell(format!("path `{}` names a node that is not in the tree", path.name), id);
                }
            }
        }
        for pin in self.rows.pins(self.tree.seq)? {
            if !self.has_node(pin)? {
                self.found.tell("a pin names a node that is not in the tree", id);
            }
        }
        Ok(())
    }

    fn has_node(&mut self, node: Seq) -> Result<bool> {
        let mut is_there = false;
        self.rows.shapes(self.tree.seq, node, node, &mut |_| is_there = true)?;
        Ok(is_there)
    }
}
