//! Small questions of those who draw and choose: where a node stands, what it is called, what it means to choose it.

use super::Loom;
use super::names::{node_by_id, node_in, tree_by_id};
use super::records::damaged;
use super::store::{Result, Seq};
use contexture_core::{EdgeType, PathChoice, SourceRole};
use std::collections::BTreeMap;

impl Loom {
    /// The choices that lead a path through this node, one for each node that continues it. Where several edges lead there,
    /// the one from this node is named as well, continuations before annotations.
    pub fn choices_of(&mut self, node: &str) -> Result<Vec<PathChoice>> {
        self.read(|rows| {
            let (_, seq) = node_by_id(rows, node)?;
            let mut links = Vec::new();
            rows.links(seq, seq, &mut |link| links.push(link))?;
            let source = rows.head(seq)?.map(|head| head.id);
            links.retain(|link| link.role == SourceRole::Primary);
            let mut choices = Vec::new();
            for links in links.chunk_by(|one, next| one.target == next.target) {
                let goes_on = links.iter().find(|link| link.kind == EdgeType::Continuation);
                let Some(link) = goes_on.or(links.first()) else { continue };
                let target = rows.head(link.target)?.ok_or_else(|| damaged("a node is missing"))?.id;
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
