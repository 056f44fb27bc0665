//! Small questions of those who draw and choose: where a node stands, what it is called, what it means to choose it.

use super::Loom;
use super::names::{node_by_id, node_in, tree_by_id};
use super::records::damaged;
use super::store::{Result, Seq};
use contexture_core::{PathChoice, SourceRole};
use std::collections::BTreeMap;

impl Loom {
    /// The choices that lead a path through this node, for each node that continues it.
    pub fn choices_of(&mut self, node: &str) -> Result<Vec<PathChoice>> {
        self.read(|rows| {
            let (_, seq) = node_by_id(rows, node)?;
            let mut links = Vec::new();
            rows.links(seq, seq, &mut |link| links.push(link))?;
            let mut choices = Vec::new();
            for link in links.into_iter().filter(|link| link.role == SourceRole::Primary) {
                let target = rows.head(link.target)?.ok_or_else(|| damaged("a node is missing"))?.id;
                choices.push(PathChoice { target, edge: None, source: Some(node.to_owned()) });
            }
            choices.dedup();
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
