//! A tree of ours as other programs have trees: each node with one parent, and notes on what that costs.
//!
//! Takes a bundle and what the format can hold; gives nodes in an order in which parents come first. A node that continues
//! several stays below the one that its path takes. What is excluded or pruned stays only where the format can mark it; what
//! it held goes to the nearest node above it that stays.

use super::super::aside::aside;
use super::forest::forest;
use super::lost::{Holds, Part, count_note, lost};
use contexture_core::{
    AuthorType, Bundle, EdgeType, LoomAgent, LoomEdge, LoomNode, Message, Note, PathChoice, Role, SourceRole, Topic,
};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) struct PlainTree {
    /// At most the first has no parent.
    pub nodes: Vec<PlainNode>,
    /// The place of the active node.
    pub active: Option<usize>,
    pub notes: Vec<Note>,
}

pub(super) struct PlainNode {
    pub id: String,
    pub parent: Option<usize>,
    pub message: Arc<Message>,
    pub kind: AuthorType,
    /// The model of the agent as provider and name; both may be empty.
    pub model: (String, String),
    pub created: i64,
    pub excluded: bool,
    /// Pruned by itself, not only by the node above.
    pub pruned: bool,
    pub bookmark: Option<String>,
}

pub(super) fn lay(bundle: &Bundle, holds: &Holds) -> PlainTree {
    let nodes = &bundle.nodes;
    let places: BTreeMap<&str, usize> =
        nodes.iter().enumerate().rev().map(|(place, node)| (&*node.id, place)).collect();
    let edges = Edges::new(bundle, &places);
    let target = |edge: &LoomEdge| places.get(&*edge.target).copied();
    let ways = bundle.edges.iter().filter_map(|edge| Some((edge.kind, edges.primaries(edge), target(edge)?)));
    let aside = aside(nodes.len(), &ways.collect::<Vec<_>>());
    let is_aside = |place: usize| aside[place];
    let is_hidden = |place: usize| nodes[place].excluded || nodes[place].pruned.is_some() || is_aside(place);
    let keep = |place: usize| holds.has(Part::Hidden) || !is_hidden(place);
    let parents = (0..nodes.len()).map(|place| edges.parent(place)).collect();
    let grown = forest(parents, keep);

    let mut notes = lost(bundle, holds, &grown.order);
    let say = |count: usize, what: &str| count_note(count, what, holds);
    let several = nodes.iter().enumerate().filter(|(place, _)| edges.joins(*place)).count();
    notes.extend(say(several, "further sources of nodes"));
    let hidden = (0..nodes.len()).filter(|&place| !keep(place)).count();
    notes.extend(say(hidden, "nodes that are excluded, pruned or annotations"));
    let aside = (0..nodes.len()).filter(|&place| keep(place) && is_aside(place)).count();
    if aside > 0 {
        notes.push(Note::new(Topic::Reduced, format!("annotations: {aside}: kept as excluded nodes")));
    }
    if !grown.cut.is_empty() {
        notes.push(Note::new(Topic::Reduced, format!("circles of nodes: {}: cut", grown.cut.len())));
    }

    let agents: BTreeMap<&str, &LoomAgent> = bundle.agents.iter().map(|agent| (&*agent.id, agent)).collect();
    let mut laid: Vec<PlainNode> = Vec::with_capacity(grown.order.len() + 1);
    let mut at: Vec<Option<usize>> = vec![None; nodes.len()];
    let tops = grown.order.iter().filter(|&&place| grown.parent[place].is_none()).count();
    if tops > 1 {
        notes.push(Note::new(Topic::Reduced, "several nodes begin the tree: an empty one holds them"));
        laid.push(structural(bundle));
    }
    for &place in &grown.order {
        let node = &nodes[place];
        let parent = match grown.parent[place] {
            Some(parent) => at[parent],
            None => (tops > 1).then_some(0),
        };
        let above = grown.parent[place].and_then(|parent| nodes[parent].pruned.as_ref());
        let agent = agents.get(&*node.author);
        at[place] = Some(laid.len());
        laid.push(PlainNode {
            id: node.id.clone(),
            parent,
            message: node.message.clone(),
            kind: node.author_type,
            model: agent.map(|agent| model(agent)).unwrap_or_default(),
            created: node.created,
            excluded: node.excluded || is_aside(place),
            pruned: node.pruned.is_some() && node.pruned.as_ref() != above,
            bookmark: node.bookmark.clone(),
        });
    }
    let mut active = edges.active.and_then(|id| places.get(id).copied());
    if let Some(place) = active.filter(|&place| !keep(place)) {
        active = grown.parent[place];
    }
    PlainTree { nodes: laid, active: active.and_then(|place| at[place]), notes }
}

/// An empty node above others.
fn structural(bundle: &Bundle) -> PlainNode {
    PlainNode {
        id: bundle.tree.id.clone(),
        parent: None,
        message: Arc::new(Message::new(Role::User, "")),
        kind: AuthorType::Human,
        model: Default::default(),
        created: bundle.tree.created,
        excluded: false,
        pruned: false,
        bookmark: None,
    }
}

fn model(agent: &LoomAgent) -> (String, String) {
    match agent.model.as_deref().map(|model| model.split_once(':').unwrap_or(("", model))) {
        Some((provider, name)) => (provider.into(), name.into()),
        None if agent.name == "model" => Default::default(),
        None => (String::new(), agent.name.clone()),
    }
}

/// What leads to each node, and what the path in use chose.
struct Edges<'a> {
    nodes: &'a [LoomNode],
    places: &'a BTreeMap<&'a str, usize>,
    to: Vec<Vec<&'a LoomEdge>>,
    /// At each target, the oldest first.
    chosen: BTreeMap<&'a str, Vec<&'a PathChoice>>,
    active: Option<&'a str>,
    /// The first version of each node.
    lineage: Vec<usize>,
}

impl<'a> Edges<'a> {
    fn new(bundle: &'a Bundle, places: &'a BTreeMap<&'a str, usize>) -> Self {
        let nodes = &bundle.nodes;
        let mut to = vec![Vec::new(); nodes.len()];
        for edge in &bundle.edges {
            if let Some(&place) = places.get(&*edge.target) {
                to[place].push(edge);
            }
        }
        let path = bundle.paths.iter().find(|path| Some(&path.name) == bundle.path.as_ref()).or(bundle.paths.first());
        let mut chosen: BTreeMap<&str, Vec<&PathChoice>> = BTreeMap::new();
        for choice in path.iter().flat_map(|path| &path.choices) {
            chosen.entry(&choice.target).or_default().push(choice);
        }
        let edited = nodes.iter().map(|node| places.get(node.edited_from.as_deref()?).copied()).collect();
        let versions = forest(edited, |_| true);
        let mut lineage: Vec<usize> = (0..nodes.len()).collect();
        for place in versions.order {
            lineage[place] = versions.parent[place].map_or(place, |first| lineage[first]);
        }
        Self { nodes, places, to, chosen, active: path.and_then(|path| path.active.as_deref()), lineage }
    }

    /// The one node that this one stays below.
    fn parent(&self, place: usize) -> Option<usize> {
        let node = self.nodes.get(place)?;
        let chosen = self.chosen.get(&*node.id).map_or(&[][..], Vec::as_slice);
        let to = &self.to[place];
        let goes_on = to.iter().any(|edge| edge.kind == EdgeType::Continuation);
        let kind = if goes_on { EdgeType::Continuation } else { EdgeType::Annotation };
        let is_live = |place: &usize| self.nodes[*place].pruned.is_none();
        let fitting = || to.iter().filter(|edge| edge.kind == kind);
        let live = || fitting().filter(|edge| self.primaries(edge).iter().any(is_live));
        let is_wished = |choice: &PathChoice, edge: &LoomEdge| match (&choice.edge, &choice.source) {
            (Some(id), _) => edge.id == *id,
            (None, source) => source
                .as_ref()
                .and_then(|id| self.places.get(&**id))
                .is_some_and(|place| self.primaries(edge).contains(place)),
        };
        let newest = || chosen.iter().rev();
        let wished = newest().find_map(|choice| live().find(|edge| is_wished(choice, edge)));
        let edge = wished.or_else(|| live().next()).or_else(|| fitting().next())?;
        let primaries = self.primaries(edge);
        let &first = primaries.first()?;
        let sources = newest().filter_map(|choice| self.places.get(choice.source.as_deref()?));
        let is_version = |place: usize| self.lineage[place] == self.lineage[first];
        let mut sources = sources.filter(|&&place| primaries.contains(&place) && is_live(&place) && is_version(place));
        if let Some(&wished) = sources.next() {
            return Some(wished);
        }
        let version = |place: &&usize| self.lineage[**place] == self.lineage[first] && is_live(place);
        let any_live = primaries.iter().find(|place| is_live(place));
        Some(*primaries.iter().rev().find(version).or(any_live).unwrap_or(&first))
    }

    fn primaries(&self, edge: &LoomEdge) -> Vec<usize> {
        let sources = edge.sources.iter().filter(|source| source.role == SourceRole::Primary);
        sources.filter_map(|source| self.places.get(&*source.node).copied()).collect()
    }

    /// Whether more than one node leads to it.
    fn joins(&self, place: usize) -> bool {
        self.to[place].len() > 1 || self.to[place].iter().any(|edge| edge.sources.len() > 1)
    }
}
