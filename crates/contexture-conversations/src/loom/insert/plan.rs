//! The checks of a tree that comes as a whole, and what follows from its edges. No store is needed for any of it.

use super::super::aside::{aside, waiting};
use super::super::store::{Marks, Result};
use super::super::{Fault, LoomError};
use contexture_core::render::printable;
use contexture_core::{Bundle, EdgeType, LoomEdge, SourceRole};
use std::collections::{HashMap, HashSet};

/// Nodes are meant by their places in the bundle.
pub(super) struct Plan<'a> {
    places: HashMap<&'a str, usize>,
    nodes: Vec<PlannedNode>,
    pub root: Option<usize>,
    /// The last that is no remark and not pruned.
    pub last: Option<usize>,
}

#[derive(Clone, Default)]
pub(super) struct PlannedNode {
    pub parent: Option<usize>,
    pub marks: Marks,
    pub edited: Option<usize>,
    pub lineage: usize,
    pub pruned: Option<usize>,
}

/// The edges that lead to each node, and those that lead from it, by their places in the bundle.
struct Ends {
    into: Vec<Vec<usize>>,
    from: Vec<Vec<usize>>,
}

impl<'a> Plan<'a> {
    pub fn of(bundle: &'a Bundle) -> Result<Self> {
        let mut places = HashMap::with_capacity(bundle.nodes.len());
        for (place, node) in bundle.nodes.iter().enumerate() {
            if node.id == bundle.tree.id || places.insert(node.id.as_str(), place).is_some() {
                return Err(Fault::Duplicate { what: "node", id: node.id.clone() }.into());
            }
        }
        let ids = [&bundle.tree.id].into_iter().chain(bundle.nodes.iter().map(|node| &node.id));
        ids.into_iter().try_for_each(|id| check_id(id).map_err(|error| error.of(id)))?;
        let mut plan = Self { places, nodes: vec![PlannedNode::default(); bundle.nodes.len()], root: None, last: None };
        plan.authors(bundle)?;
        plan.lineages(bundle)?;
        let ends = plan.ends(bundle)?;
        plan.roots(bundle, &ends)?;
        plan.circles(bundle, &ends)?;
        plan.shapes(bundle, &ends);
        plan.prune(bundle, &ends)?;
        plan.rest(bundle)?;
        let is_shown = |node: &PlannedNode| !node.marks.has(Marks::ANNOTATION) && node.pruned.is_none();
        plan.last = plan.nodes.iter().rposition(is_shown).or(plan.root);
        Ok(plan)
    }

    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// What follows for the node at this place of the bundle.
    pub fn node(&self, place: usize) -> &PlannedNode {
        &self.nodes[place]
    }

    fn named(&self, node: &str, role: &'static str, id: &str) -> Result<usize> {
        self.place(id).ok_or_else(|| dangling(node, role, id))
    }

    fn authors(&self, bundle: &Bundle) -> Result<()> {
        let mut ids = HashSet::new();
        let mut names = HashSet::new();
        for agent in &bundle.agents {
            if !ids.insert(agent.id.as_str()) || !names.insert(agent.name.as_str()) {
                return Err(LoomError::from(Fault::Duplicate { what: "agent", id: agent.name.clone() }).of(&agent.id));
            }
        }
        match bundle.nodes.iter().find(|node| !ids.contains(&*node.author)) {
            Some(node) => Err(dangling(&node.id, "author", &node.author)),
            None => Ok(()),
        }
    }

    /// What each node was edited from in the end; each chain is followed once.
    fn lineages(&mut self, bundle: &Bundle) -> Result<()> {
        for (place, node) in bundle.nodes.iter().enumerate() {
            let edited = node
                .edited_from
                .as_deref()
                .map(|id| self.named(&node.id, "node it was edited from", id))
                .transpose()?;
            let versioned = edited.map(|edited| [edited, place]).into_iter().flatten();
            versioned.for_each(|at| self.nodes[at].marks.set(Marks::VERSIONED, true));
            self.nodes[place].edited = edited;
        }
        let mut known: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut chain = Vec::new();
            let mut at = start;
            let lineage = loop {
                if let Some(lineage) = known[at] {
                    break lineage;
                }
                chain.push(at);
                match self.nodes[at].edited {
                    None => break at,
                    // A chain longer than all nodes goes round.
                    Some(_) if chain.len() > self.nodes.len() => return Err(circle(bundle, start)),
                    Some(edited) => at = edited,
                }
            };
            for at in chain {
                known[at] = Some(lineage);
                self.nodes[at].lineage = lineage;
            }
        }
        Ok(())
    }

    fn ends(&self, bundle: &Bundle) -> Result<Ends> {
        let mut ends = Ends { into: vec![Vec::new(); self.nodes.len()], from: vec![Vec::new(); self.nodes.len()] };
        let mut ids = HashSet::with_capacity(bundle.edges.len());
        for (at, edge) in bundle.edges.iter().enumerate() {
            if !ids.insert(edge.id.as_str()) {
                return Err(Fault::Duplicate { what: "edge", id: edge.id.clone() }.into());
            }
            let target = self.named(&edge.id, "target", &edge.target)?;
            ends.into[target].push(at);
            for source in &edge.sources {
                let place = self.named(&edge.target, source.role.as_str(), &source.node);
                ends.from[place.map_err(|error| error.of(&edge.id))?].push(at);
            }
            if !edge.sources.iter().any(|source| source.role == SourceRole::Primary) {
                let what = format!("edge `{}` has no primary source", printable(&edge.id));
                return Err(LoomError::from(Fault::Broken(what)).of(&edge.id));
            }
        }
        Ok(ends)
    }

    /// One node continues nothing; others only as versions of it.
    fn roots(&mut self, bundle: &Bundle, ends: &Ends) -> Result<()> {
        let mut roots = ends.into.iter().enumerate().filter(|(_, edges)| edges.is_empty()).map(|(place, _)| place);
        let first = roots.next();
        let id = |place: usize| bundle.nodes[place].id.clone();
        for second in roots {
            let root = first.unwrap_or(second);
            if self.nodes[second].lineage != self.nodes[root].lineage {
                return Err(Fault::SecondRoot { first: id(root), second: id(second) }.into());
            }
        }
        // Without a root there is a circle, and that is told.
        self.root = first;
        Ok(())
    }

    fn circles(&self, bundle: &Bundle, ends: &Ends) -> Result<()> {
        let from = ends.from.iter().enumerate();
        let edges = from.flat_map(|(place, edges)| edges.iter().map(move |edge| (place, self.target(bundle, *edge))));
        let waits = waiting(self.nodes.len(), edges);
        // Up from any that waits, always to one that waits: who is met twice is in the circle.
        let is_waiting = |place: &usize| waits[*place] > 0;
        let Some(mut at) = (0..waits.len()).find(is_waiting) else { return Ok(()) };
        let mut seen = HashSet::new();
        while seen.insert(at) {
            let edges = ends.into[at].iter().map(|edge| &bundle.edges[*edge]);
            let mut sources = edges.flat_map(|edge| &edge.sources).filter_map(|source| self.place(&source.node));
            at = sources.find(is_waiting).unwrap_or(at);
        }
        Err(circle(bundle, at))
    }

    fn shapes(&mut self, bundle: &Bundle, ends: &Ends) {
        let primaries = |edge: &LoomEdge| {
            let primaries = edge.sources.iter().filter(|source| source.role == SourceRole::Primary);
            primaries.filter_map(|source| self.place(&source.node)).collect()
        };
        let edges = bundle.edges.iter();
        let edges = edges.filter_map(|edge| Some((edge.kind, primaries(edge), self.place(&edge.target)?)));
        let aside = aside(self.nodes.len(), &edges.collect::<Vec<_>>());
        for (place, (edges, is_remark)) in ends.into.iter().zip(aside).enumerate() {
            let edges: Vec<&LoomEdge> = edges.iter().map(|edge| &bundle.edges[*edge]).collect();
            let is_simple = matches!(edges.as_slice(), [edge] if edge.sources.len() == 1);
            let primary =
                edges.first().and_then(|edge| edge.sources.iter().find(|source| source.role == SourceRole::Primary));
            let parent = primary.and_then(|source| self.place(&source.node));
            let remarked = edges.iter().filter(|edge| edge.kind == EdgeType::Annotation).flat_map(|edge| &edge.sources);
            let remarked: Vec<usize> = remarked.filter_map(|source| self.place(&source.node)).collect();
            remarked.into_iter().for_each(|at| self.nodes[at].marks.set(Marks::ANNOTATED, true));
            let node = &mut self.nodes[place];
            node.parent = parent;
            node.marks.set(Marks::ANNOTATION, is_remark);
            node.marks.set(Marks::SIMPLE, is_simple);
        }
    }

    /// Marks as they came, and those that follow: what has no live way is pruned with what it hangs on.
    fn prune(&mut self, bundle: &Bundle, ends: &Ends) -> Result<()> {
        let mut todo = Vec::new();
        for (place, node) in bundle.nodes.iter().enumerate() {
            if let Some(by) = &node.pruned {
                let by = self.named(&node.id, "node it was pruned with", by)?;
                self.nodes[place].pruned = Some(by);
                todo.push(place);
            }
        }
        // A mark must name a node that was pruned itself, else nothing could ever restore it.
        for place in todo.clone() {
            let by = self.nodes[place].pruned.filter(|by| self.nodes[*by].pruned == Some(*by));
            self.nodes[place].pruned = Some(by.unwrap_or(place));
        }
        let is_live = |plan: &Self, edge: &LoomEdge| {
            let mut primaries = edge.sources.iter().filter(|source| source.role == SourceRole::Primary);
            primaries.any(|source| plan.place(&source.node).is_some_and(|place| plan.nodes[place].pruned.is_none()))
        };
        while let Some(place) = todo.pop() {
            let by = self.nodes[place].pruned;
            for edge in &ends.from[place] {
                let target = self.target(bundle, *edge);
                let mut into = ends.into[target].iter().map(|edge| &bundle.edges[*edge]);
                if self.nodes[target].pruned.is_none() && !into.any(|edge| is_live(self, edge)) {
                    self.nodes[target].pruned = by;
                    todo.push(target);
                }
            }
        }
        Ok(())
    }

    /// Paths, pins, stashes and responses name what is there.
    fn rest(&self, bundle: &Bundle) -> Result<()> {
        let (mut names, mut ids) = (HashSet::new(), HashSet::new());
        let edges: HashMap<&str, &LoomEdge> = bundle.edges.iter().map(|edge| (edge.id.as_str(), edge)).collect();
        for path in &bundle.paths {
            if !names.insert(path.name.as_str()) || !ids.insert(path.id.as_str()) {
                return Err(LoomError::from(Fault::Duplicate { what: "path", id: path.name.clone() }).of(&path.id));
            }
            let targets = path.choices.iter().map(|choice| &choice.target);
            let sources = path.choices.iter().filter_map(|choice| choice.source.as_ref());
            for id in path.active.iter().chain(targets).chain(sources) {
                self.named(&path.name, "node of a path", id).map_err(|error| error.of(&path.id))?;
            }
            for choice in &path.choices {
                if let Some(id) = &choice.edge
                    && edges.get(id.as_str()).is_none_or(|edge| edge.target != choice.target)
                {
                    return Err(dangling(&path.name, "edge of a path", id).of(&path.id));
                }
            }
        }
        if let Some(name) = &bundle.path
            && !names.contains(name.as_str())
        {
            return Err(Fault::Unknown { what: "path", word: name.clone(), near: Vec::new() }.into());
        }
        for pin in &bundle.pins {
            self.named(&bundle.tree.id, "node of a pin", pin).map_err(|error| error.of(pin))?;
        }
        let mut labels = HashSet::new();
        if let Some(stash) = bundle.stashes.iter().find(|stash| !labels.insert(stash.label.as_str())) {
            return Err(Fault::Duplicate { what: "stash", id: stash.label.clone() }.into());
        }
        for response in &bundle.responses {
            self.named(&bundle.tree.id, "node of a response", &response.node)
                .map_err(|error| error.of(&response.node))?;
        }
        Ok(())
    }

    /// Where an edge leads to, which was looked up when its ends were.
    fn target(&self, bundle: &Bundle, edge: usize) -> usize {
        self.places[bundle.edges[edge].target.as_str()]
    }
}

/// Ids are typed and printed; anything else than short words of letters would be a trap.
pub(in super::super) fn check_id(id: &str) -> Result<()> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    if id.is_empty() || id.len() > 128 || !id.bytes().all(is_plain) {
        return Err(Fault::Broken(format!("not an id: `{}`", printable(id))).into());
    }
    Ok(())
}

fn dangling(node: &str, role: &'static str, id: &str) -> LoomError {
    Fault::Dangling { node: node.into(), role, source_node: id.into() }.into()
}

fn circle(bundle: &Bundle, place: usize) -> LoomError {
    Fault::Cycle { node: bundle.nodes[place].id.clone() }.into()
}
