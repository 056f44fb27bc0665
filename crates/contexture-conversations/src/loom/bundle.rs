//! A whole tree as plain data.

use super::names::tree_by_id;
use super::paths::{self, path_in_use};
use super::records::{damaged, records};
use super::store::{EdgeRow, Result, Rows, Seq, Shape};
use super::{Loom, LoomError};
use contexture_core::{Bundle, EdgeSource, LoomEdge, LoomNode, RawResponse};
use std::collections::BTreeSet;

impl Loom {
    /// Everything that belongs to a tree, in the order of writing.
    pub fn bundle(&mut self, tree: &str) -> Result<Bundle> {
        self.read(|rows| {
            let tree = tree_by_id(rows, tree)?;
            let mut shapes: Vec<Shape> = Vec::new();
            rows.shapes(tree.seq, 0, Seq::MAX, &mut |shape| shapes.push(shape))?;
            let nodes = records(rows, &shapes)?;
            let ids = NodeIds { shapes: &shapes, nodes: &nodes };
            let edges = edges(rows, tree.seq, &ids)?;
            let authors: BTreeSet<&str> = nodes.iter().map(|node| &*node.author).collect();
            let agents = rows.agents()?.into_iter().map(|(_, agent)| agent);
            let agents = agents.filter(|agent| authors.contains(agent.id.as_str())).collect();
            let all = rows.paths(tree.seq)?;
            let path = path_in_use(rows, &tree)?.name;
            let paths = all.into_iter().map(|path| paths::record(rows, path)).collect::<Result<_>>()?;
            let pins = rows.pins(tree.seq)?.into_iter().map(|node| ids.id(node)).collect::<Result<_>>()?;
            let responses = rows.answered(tree.seq)?.into_iter();
            let responses = responses.map(|(node, response)| Ok(RawResponse { node: ids.id(node)?, ..response }));
            let responses = responses.collect::<Result<_>>()?;
            let (stashes, actions) = (rows.stashes(tree.seq)?, rows.actions(tree.seq)?);
            let path = Some(path);
            Ok(Bundle { tree: tree.tree, agents, nodes, edges, paths, path, pins, stashes, actions, responses })
        })
    }
}

fn edges(rows: &mut dyn Rows, tree: Seq, ids: &NodeIds<'_>) -> Result<Vec<LoomEdge>> {
    let mut all = Vec::with_capacity(ids.nodes.len());
    let mut failed: Option<LoomError> = None;
    rows.edges_of(tree, &mut |edge| match record(edge, ids) {
        Ok(edge) => all.push(edge),
        Err(error) => failed = Some(error),
    })?;
    failed.map_or(Ok(all), Err)
}

fn record(edge: EdgeRow, ids: &NodeIds<'_>) -> Result<LoomEdge> {
    let sources = edge.sources.iter().map(|(node, role)| Ok(EdgeSource { node: ids.id(*node)?, role: *role }));
    let sources = sources.collect::<Result<_>>()?;
    Ok(LoomEdge { id: edge.id, sources, target: ids.id(edge.target)?, kind: edge.kind, created: edge.created })
}

/// The ids of the nodes of a tree by their numbers.
struct NodeIds<'a> {
    shapes: &'a [Shape],
    nodes: &'a [LoomNode],
}

impl NodeIds<'_> {
    fn id(&self, seq: Seq) -> Result<String> {
        let place = self.shapes.binary_search_by_key(&seq, |shape| shape.seq).ok();
        let node = place.and_then(|place| self.nodes.get(place));
        Ok(node.ok_or_else(|| damaged("an edge leads out of its tree"))?.id.clone())
    }
}
