//! The checks of a tree that comes as a whole, and what follows from its edges. No store is needed for any of it.

use super::super::aside::aside;
use super::super::store::{Marks, Result};
use super::super::{Fault, LoomError};
use super::{is_continuation, is_primary};
use contexture_core::render::printable;
use contexture_core::{Bundle, LoomEdge};
use std::collections::{HashMap, HashSet};

/// Nodes are meant by their places in the bundle.
pub(super) struct Plan<'a> {
    places: HashMap<&'a str, usize>,
    nodes: Vec<Node>,
    pub root: Option<usize>,
    /// The last that is no remark and not pruned.
    pub last: Option<usize>,
}

#[derive(Clone, Default)]
struct Node {
    parent: Option<usize>,
    marks: Marks,
    edited: Option<usize>,
    lineage: usize,
    pruned: Option<usize>,
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
        let mut plan = Self { places, nodes: vec![Node::default(); bundle.nodes.len()], root: None, last: None };
        plan.authors(bundle)?;
        plan.lineages(bundle)?;
        let ends = plan.ends(bundle)?;
        plan.roots(bundle, &ends)?;
        plan.circles(bundle, &ends)?;
        plan.shapes(bundle, &ends);
        plan.prune(bundle, &ends)?;
        plan.rest(bundle)?;
        let is_shown = |node: &Node| !node.marks.has(Marks::ANNOTATION) && node.pruned.is_none();
        plan.last = plan.nodes.iter().rposition(is_shown).or(plan.root);
        Ok(plan)
    }

    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    pub fn marks(&self, place: usize) -> Marks {
        self.nodes.get(place).map(|node| node.marks).unwrap_or_default()
    }

    pub fn parent(&self, place: usize) -> Option<usize> {
        self.nodes.get(place)?.parent
    }

    pub fn edited(&self, place: usize) -> Option<usize> {
        self.nodes.get(place)?.edited
    }

    pub fn lineage(&self, place: usize) -> usize {
        self.nodes.get(place).map_or(place, |node| node.lineage)
    }

    pub fn pruned(&self, place: usize) -> Option<usize> {
        self.nodes.get(place)?.pruned
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
            versioned.for_each(|at| self.change(at, |node| node.marks.set(Marks::VERSIONED, true)));
            self.change(place, |node| node.edited = edited);
        }
        let mut known: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut chain = Vec::new();
            let mut at = start;
            let lineage = loop {
                if let Some(lineage) = known.get(at).copied().flatten() {
                    break lineage;
                }
                chain.push(at);
                match self.edited(at) {
                    None => break at,
                    // A chain longer than all nodes goes round.
                    Some(_) if chain.len() > self.nodes.len() => return Err(circle(bundle, start)),
                    Some(edited) => at = edited,
                }
            };
            for at in chain {
                known.iter_mut().skip(at).take(1).for_each(|place| *place = Some(lineage));
                self.change(at, |node| node.lineage = lineage);
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
            ends.into.iter_mut().skip(target).take(1).for_each(|list| list.push(at));
            for source in &edge.sources {
                let place = self.named(&edge.target, source.role.as_str(), &source.node);
                let place = place.map_err(|error| error.of(&edge.id))?;
                ends.from.iter_mut().skip(place).take(1).for_each(|list| list.push(at));
            }
            if !edge.sources.iter().any(|source| is_primary(source.role)) {
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
        let id = |place: usize| bundle.nodes.get(place).map(|node| node.id.clone()).unwrap_or_default();
        for second in roots {
            let root = first.unwrap_or(second);
            if self.lineage(second) != self.lineage(root) {
                return Err(Fault::SecondRoot { first: id(root), second: id(second) }.into());
            }
        }
        // Without a root there is a circle, and that is told.
        self.root = first;
        Ok(())
    }

    /// Takes away what has all its sources before it, again and again; what remains is in a circle or behind one.
    fn circles(&self, bundle: &Bundle, ends: &Ends) -> Result<()> {
        let count = |edge: &usize| bundle.edges.get(*edge).map_or(0, |edge| edge.sources.len());
        let mut waits: Vec<usize> = ends.into.iter().map(|edges| edges.iter().map(count).sum()).collect();
        let mut ready: Vec<usize> = (0..waits.len()).filter(|place| waits.get(*place) == Some(&0)).collect();
        let mut left = waits.len();
        while let Some(place) = ready.pop() {
            left -= 1;
            for edge in ends.from.get(place).into_iter().flatten() {
                let Some(target) = self.target(bundle, *edge) else { continue };
                let Some(wait) = waits.get_mut(target) else { continue };
                *wait = wait.saturating_sub(1);
                if *wait == 0 {
                    ready.push(target);
                }
            }
        }
        if left == 0 {
            return Ok(());
        }
        // Up from any that waits, always to one that waits: who is met twice is in the circle.
        let is_waiting = |place: &usize| waits.get(*place).is_some_and(|wait| *wait > 0);
        let mut at = (0..waits.len()).find(is_waiting).unwrap_or(0);
        let mut seen = HashSet::new();
        while seen.insert(at) {
            let edges = ends.into.get(at).into_iter().flatten().filter_map(|edge| bundle.edges.get(*edge));
            let mut sources = edges.flat_map(|edge| &edge.sources).filter_map(|source| self.place(&source.node));
            at = sources.find(is_waiting).unwrap_or(at);
        }
        Err(circle(bundle, at))
    }

    fn shapes(&mut self, bundle: &Bundle, ends: &Ends) {
        let primaries = |edge: &LoomEdge| {
            let primaries = edge.sources.iter().filter(|source| is_primary(source.role));
            primaries.filter_map(|source| self.place(&source.node)).collect()
        };
        let edges = bundle.edges.iter();
        let edges = edges.filter_map(|edge| Some((edge.kind, primaries(edge), self.place(&edge.target)?)));
        let aside = aside(self.nodes.len(), &edges.collect::<Vec<_>>());
        for (place, (edges, is_remark)) in ends.into.iter().zip(aside).enumerate() {
            let edges: Vec<&LoomEdge> = edges.iter().filter_map(|edge| bundle.edges.get(*edge)).collect();
            let is_simple = matches!(edges.as_slice(), [edge] if edge.sources.len() == 1);
            let primary = edges.first().and_then(|edge| edge.sources.iter().find(|source| is_primary(source.role)));
            let parent = primary.and_then(|source| self.place(&source.node));
            let remarked = edges.iter().filter(|edge| !is_continuation(edge.kind)).flat_map(|edge| &edge.sources);
            let remarked: Vec<usize> = remarked.filter_map(|source| self.place(&source.node)).collect();
            remarked.into_iter().for_each(|at| self.change(at, |node| node.marks.set(Marks::ANNOTATED, true)));
            self.change(place, |node| {
                node.parent = parent;
                node.marks.set(Marks::ANNOTATION, is_remark);
                node.marks.set(Marks::SIMPLE, is_simple);
            });
        }
    }

    /// Marks as they came, and those that follow: what has no live way is pruned with what it hangs on.
    fn prune(&mut self, bundle: &Bundle, ends: &Ends) -> Result<()> {
        let mut todo = Vec::new();
        for (place, node) in bundle.nodes.iter().enumerate() {
            if let Some(by) = &node.pruned {
                let by = self.named(&node.id, "node it was pruned with", by)?;
                self.change(place, |node| node.pruned = Some(by));
                todo.push(place);
            }
        }
        // A mark must name a node that was pruned itself, else nothing could ever restore it.
        for place in todo.clone() {
            let by = self.pruned(place).filter(|by| self.pruned(*by) == Some(*by));
            self.change(place, |node| node.pruned = Some(by.unwrap_or(place)));
        }
        let is_live = |plan: &Self, edge: &LoomEdge| {
            let mut primaries = edge.sources.iter().filter(|source| is_primary(source.role));
            primaries.any(|source| plan.place(&source.node).is_some_and(|place| plan.pruned(place).is_none()))
        };
        while let Some(place) = todo.pop() {
            let by = self.pruned(place);
            for edge in ends.from.get(place).into_iter().flatten() {
                let Some(target) = self.target(bundle, *edge) else { continue };
                let mut into = ends.into.get(target).into_iter().flatten().filter_map(|edge| bundle.edges.get(*edge));
                if self.pruned(target).is_none() && !into.any(|edge| is_live(self, edge)) {
                    self.change(target, |node| node.pruned = by);
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

    fn target(&self, bundle: &Bundle, edge: usize) -> Option<usize> {
        self.place(&bundle.edges.get(edge)?.target)
    }

    fn change(&mut self, place: usize, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(place) {
            change(node);
        }
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
    Fault::Cycle { node: bundle.nodes.get(place).map(|node| node.id.clone()).unwrap_or_default() }.into()
}
