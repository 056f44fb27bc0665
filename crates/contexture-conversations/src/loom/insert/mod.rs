//! Takes in a whole tree. Everything is checked before the first row is written.

use super::add::node_row;
use super::names::local_for;
use super::paths::choose;
use super::store::{Choice, EdgeRow, Marks, PathRow, Result, Rows, Seq, Shape, TreeRow};
use super::trees::MAIN;
use super::{ACTIONS, Fault, Loom, new_id};
use contexture_core::{Bundle, LoomAgent, LoomNode, LoomTree};
use plan::Plan;
pub(super) use plan::check_id;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

mod plan;

impl Loom {
    /// The tree as it is, or under new ids as a copy. It is in use from then on.
    pub fn insert(&mut self, bundle: &Bundle, copy: bool) -> Result<LoomTree> {
        let mut trees = self.insert_all(std::slice::from_ref(bundle), copy)?;
        trees.pop().ok_or_else(|| Fault::NoTree.into())
    }

    /// All of these trees, or none. The last one is in use from then on.
    pub fn insert_all(&mut self, bundles: &[Bundle], copy: bool) -> Result<Vec<LoomTree>> {
        let plans: Vec<Plan<'_>> = bundles.iter().map(Plan::of).collect::<Result<_>>()?;
        self.write(|rows, _| {
            bundles.iter().zip(&plans).map(|(bundle, plan)| insert(rows, bundle, plan, copy)).collect()
        })
    }

    /// The names of agents of these trees that the store has with other settings; it keeps its own. The same before and
    /// after the trees are taken in.
    pub fn kept_agents(&mut self, bundles: &[Bundle]) -> Result<Vec<String>> {
        self.read(|rows| {
            let known = rows.agents()?;
            let differs = |agent: &&LoomAgent| {
                let old = same(&known, agent).map(|(_, old)| old);
                old.is_some_and(|old| LoomAgent { id: old.id.clone(), ..(*agent).clone() } != *old)
            };
            let all = bundles.iter().flat_map(|bundle| &bundle.agents).filter(differs);
            let names: BTreeSet<String> = all.map(|agent| agent.name.clone()).collect();
            Ok(names.into_iter().collect())
        })
    }
}

fn insert(rows: &mut dyn Rows, bundle: &Bundle, plan: &Plan<'_>, copy: bool) -> Result<LoomTree> {
    if !copy {
        refuse_known(rows, bundle)?;
    }
    let tree = write_tree(rows, bundle, copy)?;
    let first = rows.last_node()? + 1;
    let mut writer = Writer { rows, bundle, plan, tree, first, copy, edges: HashMap::new() };
    writer.nodes()?;
    writer.edges()?;
    writer.paths()?;
    writer.memories()?;
    let tree = writer.tree;
    rows.update_tree(&tree)?;
    rows.set_current(tree.seq)?;
    Ok(tree.tree)
}

fn refuse_known(rows: &mut dyn Rows, bundle: &Bundle) -> Result<()> {
    let taken = |what, id: &str| Err(Fault::Duplicate { what, id: id.into() }.into());
    if rows.is_taken(&bundle.tree.id)? {
        return taken("tree", &bundle.tree.id);
    }
    for node in &bundle.nodes {
        if rows.is_taken(&node.id)? {
            return taken("node", &node.id);
        }
    }
    for edge in &bundle.edges {
        if rows.edge_named(&edge.id)?.is_some() {
            return taken("edge", &edge.id);
        }
    }
    for path in &bundle.paths {
        if rows.has_path_id(&path.id)? {
            return taken("path", &path.id);
        }
    }
    Ok(())
}

fn write_tree(rows: &mut dyn Rows, bundle: &Bundle, copy: bool) -> Result<TreeRow> {
    let mut tree = bundle.tree.clone();
    if copy {
        tree.id = new_id()?;
    }
    tree.local = local(rows, &tree.id, &tree.local, copy)?;
    let mut row = TreeRow { seq: 0, tree, nodes: 0, root: None, path: None };
    row.seq = rows.insert_tree(&row)?;
    Ok(row)
}

/// The short id it had, if nothing else in this store has it.
fn local(rows: &mut dyn Rows, id: &str, old: &str, copy: bool) -> Result<String> {
    let is_fit = id.starts_with(old) || (id.len() < 26 && check_id(old).is_ok());
    if !copy && old.len() >= 4 && is_fit && !rows.is_taken(old)? {
        return Ok(old.into());
    }
    local_for(rows, id)
}

struct Writer<'a> {
    rows: &'a mut dyn Rows,
    bundle: &'a Bundle,
    plan: &'a Plan<'a>,
    tree: TreeRow,
    /// The number of the first node.
    first: Seq,
    copy: bool,
    edges: HashMap<&'a str, Seq>,
}

impl<'a> Writer<'a> {
    fn seq(&self, place: usize) -> Seq {
        self.first + place as Seq
    }

    /// Of an id that was checked.
    fn node(&self, id: &str) -> Result<Seq> {
        let place = self.plan.place(id).ok_or_else(|| Fault::Broken(format!("no node `{id}`")))?;
        Ok(self.seq(place))
    }

    fn nodes(&mut self) -> Result<()> {
        let authors = authors(self.rows, &self.bundle.agents)?;
        let mut new_ids: Vec<String> = Vec::new();
        if self.copy {
            new_ids = self.bundle.nodes.iter().map(|_| new_id()).collect::<Result<_>>()?;
        }
        let renamed = |place: usize, old: &str| new_ids.get(place).cloned().unwrap_or_else(|| old.into());
        for (place, old) in self.bundle.nodes.iter().enumerate() {
            let no_author =
                || Fault::Dangling { node: old.id.clone(), role: "author", source_node: old.author.to_string() };
            let (author, author_id) = authors.get(&*old.author).cloned().ok_or_else(no_author)?;
            let id = renamed(place, &old.id);
            let planned = self.plan.node(place);
            let mut node = LoomNode { author: author_id, ..old.clone() };
            node.local = local(self.rows, &id, &old.local, self.copy)?;
            node.id = id;
            if let (Some(edited), Some(old)) = (planned.edited, &old.edited_from) {
                node.edited_from = Some(renamed(edited, old));
            }
            let (edited, lineage) = (planned.edited.map(|place| self.seq(place)), self.seq(planned.lineage));
            self.rows.insert_node(&node_row(self.seq(place), self.tree.seq, &node, author, edited, lineage))?;
        }
        for (place, node) in self.bundle.nodes.iter().enumerate() {
            let planned = self.plan.node(place);
            let mut marks = planned.marks;
            marks.set(Marks::EXCLUDED, node.excluded);
            marks.set(Marks::BOOKMARKED, node.bookmark.is_some());
            let parent = planned.parent.map(|place| self.seq(place));
            let pruned = planned.pruned.map(|place| self.seq(place));
            self.rows.insert_shape(self.tree.seq, &Shape { seq: self.seq(place), parent, marks, pruned })?;
            if node.bookmark.is_some() {
                self.rows.set_bookmark(self.seq(place), node.bookmark.as_deref())?;
            }
        }
        self.tree.nodes = self.bundle.nodes.len() as u64;
        self.tree.root = self.plan.root.map(|place| self.seq(place));
        Ok(())
    }

    fn edges(&mut self) -> Result<()> {
        for edge in &self.bundle.edges {
            let sources = edge.sources.iter().map(|source| Ok((self.node(&source.node)?, source.role)));
            let sources = sources.collect::<Result<_>>()?;
            let id = if self.copy { new_id()? } else { edge.id.clone() };
            let target = self.node(&edge.target)?;
            let row = EdgeRow { seq: 0, id, target, kind: edge.kind, created: edge.created, sources };
            let seq = self.rows.insert_edge(self.tree.seq, &row)?;
            self.edges.insert(&edge.id, seq);
        }
        Ok(())
    }

    fn paths(&mut self) -> Result<()> {
        for path in &self.bundle.paths {
            let active = path.active.as_deref().map(|id| self.node(id)).transpose()?;
            let id = if self.copy { new_id()? } else { path.id.clone() };
            let row = PathRow { seq: 0, id, name: path.name.clone(), active };
            let seq = self.rows.insert_path(self.tree.seq, &row)?;
            for choice in &path.choices {
                let target = self.node(&choice.target)?;
                let source = choice.source.as_deref().map(|id| self.node(id)).transpose()?;
                let edge = choice.edge.as_deref().and_then(|id| self.edges.get(id).copied());
                choose(self.rows, seq, Choice { target, edge, source })?;
            }
            if self.bundle.path.as_deref().is_none_or(|name| name == path.name) {
                self.tree.path.get_or_insert(seq);
            }
        }
        if self.bundle.paths.is_empty() {
            // It ends where the conversation was last: what was written last and is no remark.
            let active = self.plan.last.map(|place| self.seq(place));
            let row = PathRow { seq: 0, id: new_id()?, name: MAIN.into(), active };
            self.tree.path = Some(self.rows.insert_path(self.tree.seq, &row)?);
        }
        Ok(())
    }

    fn memories(&mut self) -> Result<()> {
        let tree = self.tree.seq;
        for pin in &self.bundle.pins {
            self.rows.set_pin(tree, self.node(pin)?, true)?;
        }
        for stash in &self.bundle.stashes {
            self.rows.set_stash(tree, stash)?;
        }
        for action in &self.bundle.actions {
            self.rows.add_action(tree, action, ACTIONS)?;
        }
        for response in &self.bundle.responses {
            self.rows.add_response(self.node(&response.node)?, response)?;
        }
        Ok(())
    }
}

/// The agents of the bundle by their ids there: those of the store with the same id or name, else new ones.
fn authors(rows: &mut dyn Rows, agents: &[LoomAgent]) -> Result<BTreeMap<String, (Seq, Arc<str>)>> {
    let mut known = rows.agents()?;
    let mut authors = BTreeMap::new();
    for agent in agents {
        let (seq, id) = match same(&known, agent) {
            Some((seq, old)) => (*seq, old.id.clone()),
            None => {
                let seq = rows.insert_agent(agent)?;
                known.push((seq, agent.clone()));
                (seq, agent.id.clone())
            }
        };
        authors.insert(agent.id.clone(), (seq, Arc::from(id)));
    }
    Ok(authors)
}

/// The agent of the store that stands for one that comes.
fn same<'a>(known: &'a [(Seq, LoomAgent)], agent: &LoomAgent) -> Option<&'a (Seq, LoomAgent)> {
    let same = known.iter().find(|(_, old)| old.id == agent.id);
    same.or_else(|| known.iter().find(|(_, old)| old.name == agent.name))
}
