//! Saved rows as whole trees again. What hangs in the air is attached to the root, and everything that is changed is told.

use super::super::agents::plain_agent;
use super::super::aside::waiting;
use super::super::columns::{kind, role};
use super::super::insert::check_id;
use super::super::names::tree_by_id;
use super::super::sqlite::salvage::Salvaged;
use super::super::store::{Marks, NodeRow, Result, Seq};
use super::super::{Loom, new_id};
use super::Repaired;
use contexture_core::{
    AuthorType, Bundle, EdgeSource, EdgeType, LoomEdge, LoomNode, LoomPath, LoomTree, PathChoice, RawResponse,
    SourceRole,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

pub(super) fn fill(loom: &mut Loom, saved: Salvaged, done: &mut Repaired) -> Result<()> {
    let mut saved = saved;
    done.lost.append(&mut saved.lost);
    let mut of_tree: BTreeMap<Seq, Vec<NodeRow>> = saved.trees.iter().map(|(seq, _)| (*seq, Vec::new())).collect();
    for (_, row) in std::mem::take(&mut saved.nodes) {
        of_tree.entry(row.tree).or_default().push(row);
    }
    loom.write(|rows, _| {
        for (_, agent) in &saved.agents {
            // Two of one name would be one of them twice.
            if !rows.agents()?.iter().any(|(_, old)| old.id == agent.id || old.name == agent.name) {
                rows.insert_agent(agent)?;
            }
        }
        Ok(())
    })?;
    let mut current = None;
    let mut ids = HashSet::new();
    for (seq, nodes) in of_tree {
        let count = nodes.len() as u64;
        let bundle = Mender { saved: &saved, tree: seq, done, ids: &mut ids }.bundle(nodes)?;
        match loom.insert(&bundle, false) {
            Ok(tree) => {
                done.trees += 1;
                done.nodes += count;
                if saved.current == Some(seq) {
                    current = Some(tree.id);
                }
            }
            Err(error) => done.lost.push(format!("tree `{}` with {count} nodes: {error}", bundle.tree.id)),
        }
    }
    if let Some(current) = current {
        loom.write(|rows, _| {
            let tree = tree_by_id(rows, &current)?;
            rows.set_current(tree.seq)
        })?;
    }
    Ok(())
}

struct Mender<'a> {
    saved: &'a Salvaged,
    tree: Seq,
    done: &'a mut Repaired,
    /// Of trees and nodes so far.
    ids: &'a mut HashSet<String>,
}

impl Mender<'_> {
    fn bundle(&mut self, rows: Vec<NodeRow>) -> Result<Bundle> {
        let tree = self.tree_record()?;
        let mut ids: BTreeMap<Seq, String> = BTreeMap::new();
        for row in &rows {
            let id = self.own_id("node", row.seq, &row.id)?;
            ids.insert(row.seq, id);
        }
        let mut nodes = Vec::with_capacity(rows.len());
        for row in &rows {
            nodes.push(self.node(row, &ids)?);
        }
        let mut agents: Vec<_> = self.saved.agents.iter().map(|(_, agent)| agent.clone()).collect();
        if nodes.iter().any(|node| &*node.author == LOST) {
            agents.push(plain_agent(LOST.into(), LOST, AuthorType::Human));
        }
        let mut edges = self.edges(&ids, &rows)?;
        self.attach(&rows, &ids, &mut edges)?;
        let paths = self.paths(&ids, &edges)?;
        let in_use = self.saved.trees.iter().find(|(seq, _)| *seq == self.tree).and_then(|(_, row)| row.path);
        let in_use = self.saved.paths.iter().find(|(seq, _)| Some(*seq) == in_use).map(|(_, (_, path))| &path.name);
        let path = in_use.filter(|name| paths.iter().any(|path| path.name == **name)).cloned();
        let pins = self.saved.pins.iter().filter(|(_, (tree, _))| *tree == self.tree);
        let pins = pins.filter_map(|(_, (_, node))| ids.get(node).cloned()).collect();
        let mut labels = BTreeSet::new();
        let stashes = self.saved.stashes.iter().filter(|(_, (tree, _))| *tree == self.tree);
        let stashes = stashes.map(|(_, (_, stash))| stash.clone()).filter(|stash| labels.insert(stash.label.clone()));
        let actions = self.saved.actions.iter().filter(|(_, (tree, _))| *tree == self.tree);
        let responses =
            self.saved.responses.iter().filter_map(|(_, (node, response))| {
                Some(RawResponse { node: ids.get(node)?.clone(), ..response.clone() })
            });
        Ok(Bundle {
            tree,
            agents,
            nodes,
            edges: edges.into_iter().map(|(_, edge)| edge).collect(),
            paths,
            path,
            pins,
            stashes: stashes.collect(),
            actions: actions.map(|(_, (_, action))| action.clone()).collect(),
            responses: responses.collect(),
        })
    }

    fn tree_record(&mut self) -> Result<LoomTree> {
        let known = self.saved.trees.iter().find(|(seq, _)| *seq == self.tree).map(|(_, row)| row.tree.clone());
        if let Some(tree) = known {
            let id = self.own_id("tree", self.tree, &tree.id)?;
            return Ok(LoomTree { id, ..tree });
        }
        let id = new_id()?;
        self.ids.insert(id.clone());
        self.done.lost.push(format!("tree {}: its title and settings; its nodes are in tree `{id}`", self.tree));
        Ok(LoomTree { title: format!("recovered {}", self.tree), id, ..LoomTree::default() })
    }

    /// The id it has, or a new one if that is damaged.
    fn own_id(&mut self, what: &str, seq: Seq, id: &str) -> Result<String> {
        if check_id(id).is_ok() && self.ids.insert(id.into()) {
            return Ok(id.into());
        }
        let new = new_id()?;
        self.done.lost.push(format!("{what} {seq}: its id; it is `{new}` now"));
        self.ids.insert(new.clone());
        Ok(new)
    }

    fn node(&mut self, row: &NodeRow, ids: &BTreeMap<Seq, String>) -> Result<LoomNode> {
        let id = ids.get(&row.seq).cloned().unwrap_or_default();
        let author = self.saved.agents.iter().find(|(seq, _)| *seq == row.author).map(|(_, agent)| agent.id.as_str());
        if author.is_none() {
            self.done.lost.push(format!("node `{id}`: its author"));
        }
        let edited_from = row.edited_from.and_then(|from| ids.get(&from).cloned());
        if edited_from.is_none() && row.edited_from.is_some() {
            self.done.lost.push(format!("node `{id}`: what it was edited from"));
        }
        let shape = self.saved.shapes.get(&row.seq).copied();
        if shape.is_none() {
            // Whether it was to be seen is not known any more; to show it would be the worse mistake.
            self.done.lost.push(format!("node `{id}`: its marks; it is excluded now"));
        }
        let label = || self.saved.bookmarks.binary_search_by_key(&row.seq, |(node, _)| *node).ok();
        let bookmark = shape.filter(|shape| shape.marks.has(Marks::BOOKMARKED)).map(|_| {
            label().and_then(|at| self.saved.bookmarks.get(at)).map(|(_, label)| label.clone()).unwrap_or_default()
        });
        let node = LoomNode {
            local: row.local.clone(),
            message: row.message.clone(),
            author: Arc::from(author.unwrap_or(LOST)),
            author_type: row.author_type,
            edited_from,
            created: row.created,
            excluded: shape.is_none_or(|shape| shape.marks.has(Marks::EXCLUDED)),
            pruned: shape.and_then(|shape| shape.pruned).map(|by| ids.get(&by).unwrap_or(&id).clone()),
            bookmark,
            origin: row.origin.clone(),
            id,
        };
        if node.hash() != row.hash {
            self.done.lost.push(format!("node `{}`: it is not what was written; see the copy", node.id));
        }
        Ok(node)
    }

    /// With the numbers of their targets. Only sources from before a node are kept where there could be a circle.
    fn edges(&mut self, ids: &BTreeMap<Seq, String>, rows: &[NodeRow]) -> Result<Vec<(Seq, LoomEdge)>> {
        let created: BTreeMap<Seq, i64> = rows.iter().map(|row| (row.seq, row.created)).collect();
        let mut known = BTreeSet::new();
        let mut edges = Vec::new();
        for (seq, (target, number, sources)) in &self.saved.sources {
            let Some(target_id) = ids.get(target) else { continue };
            let row = self.saved.edges.get(seq).filter(|(_, to, ..)| to == target);
            let id = row.map(|(id, ..)| id.clone()).filter(|id| check_id(id).is_ok() && known.insert(id.clone()));
            let id = id.map_or_else(new_id, Ok)?;
            let kind = kind(*number).unwrap_or(EdgeType::Continuation);
            let kept: Vec<EdgeSource> = sources
                .iter()
                .filter_map(|(node, number)| {
                    let role = role(*number).unwrap_or(SourceRole::Context);
                    Some(EdgeSource { node: ids.get(node)?.clone(), role })
                })
                .collect();
            if kept.len() < sources.len() || row.is_none() {
                self.done.lost.push(format!("node `{target_id}`: a part of the edge that leads to it"));
            }
            if kept.iter().any(|source| source.role == SourceRole::Primary) {
                let created = row.map(|row| row.3).or(created.get(target).copied()).unwrap_or_default();
                edges.push((*target, LoomEdge { id, sources: kept, target: target_id.clone(), kind, created }));
            }
        }
        Ok(self.without_circles(edges, ids))
    }

    fn without_circles(&mut self, edges: Vec<(Seq, LoomEdge)>, ids: &BTreeMap<Seq, String>) -> Vec<(Seq, LoomEdge)> {
        let seqs: BTreeMap<&str, Seq> = ids.iter().map(|(seq, id)| (id.as_str(), *seq)).collect();
        let places: BTreeMap<&str, usize> = ids.values().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
        let place = |id: &str| places.get(id).copied();
        let ends = edges.iter().flat_map(|(_, edge)| edge.sources.iter().map(move |source| (source, edge)));
        let ends = ends.filter_map(|(source, edge)| Some((place(&source.node)?, place(&edge.target)?)));
        let waits = waiting(ids.len(), ends);
        let is_stuck = |id: &str| place(id).is_some_and(|at| waits[at] > 0);
        let mut kept = Vec::with_capacity(edges.len());
        for (target, mut edge) in edges {
            let before = edge.sources.len();
            if is_stuck(&edge.target) {
                edge.sources.retain(|source| seqs.get(source.node.as_str()).is_some_and(|source| *source < target));
            }
            if edge.sources.len() < before {
                self.done.lost.push(format!("node `{}`: an edge that closes a circle", edge.target));
            }
            if edge.sources.iter().any(|source| source.role == SourceRole::Primary) {
                kept.push((target, edge));
            }
        }
        kept
    }

    /// Nodes that nothing leads to continue the root, unless they are versions of it.
    fn attach(
        &mut self,
        rows: &[NodeRow],
        ids: &BTreeMap<Seq, String>,
        edges: &mut Vec<(Seq, LoomEdge)>,
    ) -> Result<()> {
        let reached: BTreeSet<Seq> = edges.iter().map(|(target, _)| *target).collect();
        let known = self.saved.trees.iter().find(|(seq, _)| *seq == self.tree).and_then(|(_, row)| row.root);
        let known = known.filter(|root| ids.contains_key(root) && !reached.contains(root));
        let first = rows.iter().map(|row| row.seq).find(|seq| !reached.contains(seq));
        let Some(root) = known.or(first) else { return Ok(()) };
        let root_id = ids.get(&root).cloned().unwrap_or_default();
        let from: BTreeMap<Seq, Seq> = rows.iter().filter_map(|row| Some((row.seq, row.edited_from?))).collect();
        let lineage = |mut seq: Seq| {
            // Up the edits, as far as they are there; no longer than there are nodes.
            for _ in 0..rows.len() {
                match from.get(&seq).filter(|from| ids.contains_key(from)) {
                    Some(next) => seq = *next,
                    None => break,
                }
            }
            seq
        };
        let root_lineage = lineage(root);
        for row in rows.iter().filter(|row| row.seq != root && !reached.contains(&row.seq)) {
            if row.edited_from.is_some() && lineage(row.seq) == root_lineage {
                continue;
            }
            let target = ids.get(&row.seq).cloned().unwrap_or_default();
            self.done.lost.push(format!("node `{target}`: what it continues; it continues the root now"));
            let sources = vec![EdgeSource { node: root_id.clone(), role: SourceRole::Primary }];
            let (kind, created) = (EdgeType::Continuation, row.created);
            edges.push((row.seq, LoomEdge { id: new_id()?, sources, target, kind, created }));
        }
        Ok(())
    }

    fn paths(&mut self, ids: &BTreeMap<Seq, String>, edges: &[(Seq, LoomEdge)]) -> Result<Vec<LoomPath>> {
        let there: BTreeMap<&str, Seq> = edges.iter().map(|(target, edge)| (edge.id.as_str(), *target)).collect();
        let (mut names, mut known) = (BTreeSet::new(), BTreeSet::new());
        let mut paths = Vec::new();
        for (seq, (_, path)) in self.saved.paths.iter().filter(|(_, (tree, _))| *tree == self.tree) {
            if !names.insert(path.name.clone()) || !known.insert(path.id.clone()) {
                self.done.lost.push(format!("path `{}`: its name is taken", path.name));
                continue;
            }
            let active = path.active.and_then(|node| ids.get(&node).cloned());
            if active.is_none() && path.active.is_some() {
                self.done.lost.push(format!("path `{}`: the node where it ends", path.name));
            }
            let choices =
                self.saved.choices.iter().filter(|(_, (path, _))| path == seq).filter_map(|(_, (_, choice))| {
                    let edge = choice.edge.and_then(|edge| self.saved.edges.get(&edge)).map(|(id, ..)| id.clone());
                    let edge = edge.filter(|id| there.get(id.as_str()) == Some(&choice.target));
                    let source = choice.source.and_then(|node| ids.get(&node).cloned());
                    (edge.is_some() || source.is_some())
                        .then(|| Some(PathChoice { target: ids.get(&choice.target)?.clone(), edge, source }))
                        .flatten()
                });
            paths.push(LoomPath { id: path.id.clone(), name: path.name.clone(), active, choices: choices.collect() });
        }
        Ok(paths)
    }
}

/// Stands for an author whose record is gone.
const LOST: &str = "lost";
