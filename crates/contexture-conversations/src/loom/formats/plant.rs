//! Nodes of another program become a tree of ours.
//!
//! Takes nodes that name their parents, in the order of their file; gives a [`Bundle`] with ids of our own, one root and one
//! continuation edge a node. Nothing is dropped: nodes without a parent that should have one, and circles, hang below the
//! root, and a note says so.

use super::super::agents::plain_agent;
use super::super::new_id;
use super::super::store::Result;
use super::ImportOptions;
use super::forest::forest;
use super::raw::{Author, NodeRef, RawNode, Seed};
use crate::sessions::tally::Tally;
use contexture_core::{
    Bundle, EdgeSource, EdgeType, LoomAgent, LoomEdge, LoomNode, LoomPath, LoomTree, Message, Note, Role, SourceRole,
    Topic,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// `lines` takes the line of each node by its new id.
pub(super) fn plant(
    seed: Seed,
    options: &ImportOptions,
    tally: &mut Tally,
    lines: &mut BTreeMap<String, usize>,
) -> Result<Bundle> {
    let Seed { title, mode, system_context, created, raws, active } = seed;
    let mut taken = Names::default();
    let title = if title.trim().is_empty() { options.name.clone() } else { title };
    // What has no time of its own is as old as its tree.
    let created = created.unwrap_or(options.now);
    let id = new_id()?;
    let tree = LoomTree { local: taken.local(&id), id, title, mode, system_context, created, ..LoomTree::default() };
    let places = Places::new(&raws, tally);
    let (order, parents) = arranged(&raws, &places, tally);
    let mut active = places.find(&active).filter(|&place| place < raws.len());
    while let Some(place) = active.filter(|&place| raws.get(place).is_none_or(|raw| raw.silent)) {
        active = parents.get(place).copied().flatten();
    }
    let active = active.or(order.last().copied());
    let bundle = Bundle {
        tree,
        nodes: Vec::with_capacity(order.len() + 1),
        edges: Vec::with_capacity(order.len()),
        path: Some("main".into()),
        ..Bundle::default()
    };
    let mut growing = Growing { bundle, taken, agents: BTreeMap::new() };
    // The place of each node in the bundle.
    let mut planted: Vec<Option<usize>> = vec![None; raws.len()];
    let several = order.iter().filter(|&&place| parents[place].is_none()).count() > 1;
    if several {
        let text = "several nodes begin a tree in the file: an empty root of our own holds them";
        tally.note(Note::new(Topic::Reduced, text));
        let raw = RawNode::new(String::new(), NodeRef::None, Message::new(Role::User, ""), Author::human());
        growing.push(raw, None, created)?;
    }
    let mut raws: Vec<Option<RawNode>> = raws.into_iter().map(Some).collect();
    for place in order {
        let Some(raw) = raws.get_mut(place).and_then(Option::take) else { continue };
        let parent = match parents[place] {
            Some(parent) => planted[parent],
            None => several.then_some(0),
        };
        let (line, time) = (raw.line, raw.created.unwrap_or(created));
        let id = growing.push(raw, parent, time)?;
        if line > 0 {
            lines.insert(id, line);
        }
        planted[place] = Some(growing.bundle.nodes.len() - 1);
    }
    let mut bundle = growing.bundle;
    let active = active.and_then(|place| planted[place]).and_then(|place| bundle.nodes.get(place));
    let active = active.map(|node| node.id.clone());
    bundle.paths.push(LoomPath { id: new_id()?, name: "main".into(), active, choices: Vec::new() });
    Ok(bundle)
}

/// A tree that gets its nodes.
struct Growing {
    bundle: Bundle,
    taken: Names,
    agents: BTreeMap<Author, Arc<str>>,
}

impl Growing {
    /// The id of the new node.
    fn push(&mut self, raw: RawNode, parent: Option<usize>, created: i64) -> Result<String> {
        let Self { bundle, taken, agents } = self;
        let id = new_id()?;
        let parent = parent.and_then(|parent| bundle.nodes.get(parent));
        // Below a pruned node all is pruned with it, unless it was by itself.
        let pruned = if raw.pruned { Some(id.clone()) } else { parent.and_then(|parent| parent.pruned.clone()) };
        if let Some(parent) = parent {
            let sources = vec![EdgeSource { node: parent.id.clone(), role: SourceRole::Primary }];
            let (target, kind) = (id.clone(), EdgeType::Continuation);
            bundle.edges.push(LoomEdge { id: new_id()?, sources, target, kind, created });
        }
        let author_type = raw.author.kind;
        let author = match agents.get(&raw.author) {
            Some(id) => id.clone(),
            None => {
                let agent = taken.agent(&raw.author)?;
                let id: Arc<str> = agent.id.as_str().into();
                bundle.agents.push(agent);
                agents.insert(raw.author, id.clone());
                id
            }
        };
        bundle.nodes.push(LoomNode {
            local: taken.local(&id),
            id: id.clone(),
            message: Arc::new(raw.message),
            author,
            author_type,
            edited_from: None,
            created,
            excluded: raw.excluded,
            pruned,
            bookmark: raw.bookmark,
            origin: (!raw.id.is_empty()).then_some(raw.id),
        });
        Ok(id)
    }
}

/// Nodes in the order they are written, and their parents. At most one tree, or several that all begin with nothing.
fn arranged(raws: &[RawNode], places: &Places, tally: &mut Tally) -> (Vec<usize>, Vec<Option<usize>>) {
    let named: Vec<Option<usize>> = raws.iter().map(|raw| places.find(&raw.parent)).collect();
    let mut stray: Vec<bool> =
        raws.iter().zip(&named).map(|(raw, found)| raw.parent != NodeRef::None && found.is_none()).collect();
    let orphans = stray.iter().filter(|&&stray| stray).count();
    let keep = |place: usize| raws.get(place).is_some_and(|raw| !raw.silent);
    let mut first = forest(named.clone(), keep);
    first.cut.iter().for_each(|&place| stray[place] = true);
    for (count, what) in [(orphans, "nodes whose parent is missing"), (first.cut.len(), "circles of nodes")] {
        if count > 0 {
            tally.note(Note::new(Topic::Unread, format!("{what}: {count}: kept, and attached to the root")));
        }
    }
    if orphans == 0 && first.cut.is_empty() {
        return (first.order, first.parent);
    }
    // What a silent stray held is astray as well.
    let mut named = named;
    first.cut.iter().for_each(|&place| named[place] = None);
    let mut above = forest(named.clone(), |_| true);
    for &place in &above.order {
        if let Some(parent) = above.parent[place].filter(|&parent| !keep(parent)) {
            stray[place] = stray[place] || stray[parent];
        }
    }
    let tops: Vec<usize> = first.order.iter().copied().filter(|&place| first.parent[place].is_none()).collect();
    let mut sound = tops.iter().copied().filter(|&place| !stray[place]);
    if let (Some(root), None) = (sound.next(), sound.next()) {
        tops.iter().filter(|&&place| place != root).for_each(|&place| first.parent[place] = Some(root));
        above = forest(std::mem::take(&mut first.parent), |_| true);
        return (above.order.into_iter().filter(|&place| keep(place)).collect(), above.parent);
    }
    (first.order, first.parent)
}

/// Where the ids of a file lead.
struct Places {
    by_id: BTreeMap<String, usize>,
    count: usize,
}

impl Places {
    /// Of nodes with one id the first is meant by it.
    fn new(raws: &[RawNode], tally: &mut Tally) -> Self {
        let mut by_id = BTreeMap::new();
        let mut twice = 0;
        for (place, raw) in raws.iter().enumerate().filter(|(_, raw)| !raw.id.is_empty()) {
            match by_id.entry(raw.id.clone()) {
                std::collections::btree_map::Entry::Vacant(slot) => drop(slot.insert(place)),
                std::collections::btree_map::Entry::Occupied(_) => twice += 1,
            }
        }
        if twice > 0 {
            let text = format!("nodes with the id of another: {twice}: kept as nodes of their own");
            tally.note(Note::new(Topic::Unread, text));
        }
        Self { by_id, count: raws.len() }
    }

    fn find(&self, place: &NodeRef) -> Option<usize> {
        match place {
            NodeRef::None => None,
            NodeRef::Id(id) => self.by_id.get(id).copied(),
            NodeRef::At(place) => Some(*place).filter(|&place| place < self.count),
        }
    }
}

/// What is taken in a tree.
#[derive(Default)]
struct Names {
    locals: BTreeSet<String>,
    agents: BTreeSet<String>,
}

impl Names {
    /// The beginning of the id that nothing else in the tree has; the store looks at what else it holds.
    fn local(&mut self, id: &str) -> String {
        let lengths = 4..=id.len();
        let free = lengths.filter_map(|length| id.get(..length)).find(|local| !self.locals.contains(*local));
        let local = free.unwrap_or(id).to_string();
        self.locals.insert(local.clone());
        local
    }

    fn agent(&mut self, author: &Author) -> Result<LoomAgent> {
        let mut name = author.name.clone();
        // Agents are told apart by name: a model may be called `human`, or come from two providers.
        if self.agents.contains(&name) {
            name = author.model.clone().unwrap_or(name);
        }
        if self.agents.contains(&name) {
            name = format!("{name} ({})", author.kind);
        }
        let mut number = 2;
        let base = name.clone();
        while !self.agents.insert(name.clone()) {
            name = format!("{base} {number}");
            number += 1;
        }
        Ok(LoomAgent { model: author.model.clone(), ..plain_agent(new_id()?, &name, author.kind) })
    }
}
