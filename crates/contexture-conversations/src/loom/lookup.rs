//! Small questions of those who draw and choose: where a node stands, what it is called, what it means to choose it.

use super::Loom;
use super::names::{node_by_id, node_in, tree_by_id};
use super::records::{head, links};
use super::store::{Head, Result, Rows, Seq};
use contexture_core::{EdgeType, PathChoice, SourceRole};
use std::collections::BTreeMap;

/// What is connected to a node, hidden or not: names, no texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Neighbours {
    /// Of the edges that lead to it, in order.
    pub sources: Vec<Neighbour>,
    /// What it is a source of.
    pub targets: Vec<Neighbour>,
    /// The ids and short ids of its other versions, in order.
    pub versions: Vec<(String, String)>,
}

/// A node that an edge connects with another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbour {
    pub id: String,
    pub local: String,
    /// Of the source, be it this one or the node that was asked about.
    pub role: SourceRole,
    pub kind: EdgeType,
}

impl Loom {
    /// What is connected to the node with this id.
    pub fn neighbours(&mut self, node: &str) -> Result<Neighbours> {
        self.read(|rows| {
            let (_, seq) = node_by_id(rows, node)?;
            let beside = |rows: &mut dyn Rows, seq, role, kind| -> Result<Neighbour> {
                let Head { id, local, .. } = head(rows, seq)?;
                Ok(Neighbour { id, local, role, kind })
            };
            let mut found = Neighbours::default();
            for edge in rows.edges_into(seq)? {
                for (source, role) in edge.sources {
                    found.sources.push(beside(rows, source, role, edge.kind)?);
                }
            }
            for link in links(rows, seq)? {
                found.targets.push(beside(rows, link.target, link.role, link.kind)?);
            }
            let lineage = head(rows, seq)?.lineage;
            for version in rows.lineage(lineage)?.into_iter().filter(|version| *version != seq) {
                let Head { id, local, .. } = head(rows, version)?;
                found.versions.push((id, local));
            }
            Ok(found)
        })
    }

    /// The choices that lead a path through this node, one for each node that continues it. Where several edges lead there,
    /// the one from this node is named as well, continuations before annotations.
    pub fn choices_of(&mut self, node: &str) -> Result<Vec<PathChoice>> {
        self.read(|rows| {
            let (_, seq) = node_by_id(rows, node)?;
            let mut links = links(rows, seq)?;
            let source = rows.head(seq)?.map(|head| head.id);
            links.retain(|link| link.role == SourceRole::Primary);
            let mut choices = Vec::new();
            for links in links.chunk_by(|one, next| one.target == next.target) {
                let goes_on = links.iter().find(|link| link.kind == EdgeType::Continuation);
                let Some(link) = goes_on.or(links.first()) else { continue };
                let target = head(rows, link.target)?.id;
                let edges = rows.edges_into(link.target)?;
                let edge = edges.iter().find(|edge| edges.len() > 1 && edge.seq == link.edge);
                let edge = edge.map(|edge| edge.id.clone());
                choices.push(PathChoice { target, edge, source: source.clone() });
            }
            Ok(choices)
        })
    }

    /// The number of a node of this tree.
    pub fn place(&mut self, tree: &str, node: &str) -> Result<Seq> {
        self.read(|rows| {
            let tree = tree_by_id(rows, tree)?;
            node_in(rows, &tree, node)
        })
    }

    /// The short ids of nodes.
    pub fn locals(&mut self, seqs: &[Seq]) -> Result<BTreeMap<Seq, String>> {
        self.read(|rows| seqs.iter().map(|seq| Ok((*seq, super::records::local(rows, *seq)?))).collect())
    }
}
