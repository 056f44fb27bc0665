//! Nodes of another program become a tree of ours.
//!
//! Takes nodes that name their parents, in the order of their file; gives a [`Bundle`] with ids of our own, one root and one
//! continuation edge a node. Nothing is dropped: nodes without a parent that should have one, and circles, hang below the
//! root, and a note says so.

use super::super::{Fault, LoomError, fresh};
use super::ImportOptions;
use super::forest::forest;
use crate::sessions::tally::Tally;
use contexture_core::{
    AuthorType, Bundle, EdgeSource, EdgeType, LoomAgent, LoomEdge, LoomNode, LoomPath, LoomTree, Message, Note,
    Permissions, Preferences, Role, SourceRole, Text, Topic, TreeMode,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Another node, as the file names it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Place {
    #[default]
    None,
    Id(String),
    /// By its place in the list.
    At(usize),
}

#[derive(Debug)]
pub(super) struct Raw {
    /// Empty where the file has none.
    pub id: String,
    pub parent: Place,
    pub message: Message,
    pub author: Author,
    pub created: Option<i64>,
    pub excluded: bool,
    pub pruned: bool,
    pub bookmark: Option<String>,
    /// Part of the file's chain of parents, but nothing that was said.
    pub silent: bool,
    /// 0 when nobody knows.
    pub line: usize,
}

impl Raw {
    pub fn new(id: String, parent: Place, message: Message, author: Author) -> Self {
        Self {
            id,
            parent,
            message,
            author,
            created: None,
            excluded: false,
            pruned: false,
            bookmark: None,
            silent: false,
            line: 0,
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Author {
    pub name: String,
    pub kind: AuthorType,
    /// `provider:model`, or a model's name alone.
    pub model: Option<String>,
}

impl Author {
    pub fn human() -> Self {
        Self::named("human", AuthorType::Human)
    }

    pub fn named(name: &str, kind: AuthorType) -> Self {
        Self { name: name.into(), kind, model: None }
    }

    /// A model by its name, where the file has it.
    pub fn model(provider: Option<&str>, name: Option<&str>) -> Self {
        let name = name.filter(|name| !name.is_empty());
        let full = name.map(|name| match provider.filter(|provider| !provider.is_empty()) {
            Some(provider) => format!("{provider}:{name}"),
            None => name.into(),
        });
        Self { name: name.unwrap_or("model").into(), kind: AuthorType::Model, model: full }
    }

    /// Who speaks in this role. Neither a tool nor a system is a person, but no model wrote what they say.
    pub fn of(role: Role) -> Self {
        match role {
            Role::Assistant => Self::model(None, None),
            Role::User => Self::human(),
            Role::Tool => Self::named("tool", AuthorType::Human),
            Role::System => Self::named("system", AuthorType::Human),
        }
    }
}

pub(super) struct Seed {
    pub title: String,
    pub mode: TreeMode,
    pub system_context: Option<Text>,
    pub created: Option<i64>,
    pub raws: Vec<Raw>,
    /// Else the last node.
    pub active: Place,
}

/// `lines` takes the line of each node by its new id.
pub(super) fn plant(
    seed: Seed,
    options: &ImportOptions,
    tally: &mut Tally,
    lines: &mut BTreeMap<String, usize>,
) -> Result<Bundle, LoomError> {
    let Seed { title, mode, system_context, created, raws, active } = seed;
    let mut names = Names::default();
    let title = if title.trim().is_empty() { options.name.clone() } else { title };
    let created = created.unwrap_or(options.now);
    let id = name()?;
    let tree = LoomTree {
        local: names.local(&id),
        id,
        title,
        mode,
        system_context,
        buffer_mode_system_context: false,
        preferences: Preferences::default(),
        created,
    };
    let places = Places::new(&raws, tally);
    let (order, parents) = arranged(&raws, &places, tally);
    let mut active = places.find(&active).filter(|&place| place < raws.len());
    while let Some(place) = active.filter(|&place| raws.get(place).is_none_or(|raw| raw.silent)) {
        active = parents.get(place).copied().flatten();
    }
    let active = active.or(order.last().copied());
    let mut bundle = Bundle {
        tree,
        agents: Vec::new(),
        nodes: Vec::with_capacity(order.len() + 1),
        edges: Vec::with_capacity(order.len()),
        paths: Vec::new(),
        path: Some("main".into()),
        pins: Vec::new(),
        stashes: Vec::new(),
        actions: Vec::new(),
        responses: Vec::new(),
    };
    let mut agents: BTreeMap<Author, Arc<str>> = BTreeMap::new();
    // The place of each node in the bundle.
    let mut planted: Vec<Option<usize>> = vec![None; raws.len()];
    let several = order.iter().filter(|&&place| parents[place].is_none()).count() > 1;
    if several {
        let text = "several nodes begin a tree in the file: an empty root of our own holds them";
        tally.note(Note::new(Topic::Reduced, text));
        let raw = Raw::new(String::new(), Place::None, Message::new(Role::User, ""), Author::human());
        push(&mut bundle, raw, None, created, &mut names, &mut agents)?;
    }
    let mut raws: Vec<Option<Raw>> = raws.into_iter().map(Some).collect();
    for place in order {
        let Some(raw) = raws.get_mut(place).and_then(Option::take) else { continue };
        let parent = match parents[place] {
            Some(parent) => planted[parent],
            None => several.then_some(0),
        };
        let (line, time) = (raw.line, raw.created.unwrap_or(options.now));
        let id = push(&mut bundle, raw, parent, time, &mut names, &mut agents)?;
        if line > 0 {
            lines.insert(id, line);
        }
        planted[place] = Some(bundle.nodes.len() - 1);
    }
    let active = active.and_then(|place| planted[place]).and_then(|place| bundle.nodes.get(place));
    let active = active.map(|node| node.id.clone());
    bundle.paths.push(LoomPath { id: name()?, name: "main".into(), active, choices: Vec::new() });
    Ok(bundle)
}

fn push(
    bundle: &mut Bundle,
    raw: Raw,
    parent: Option<usize>,
    created: i64,
    names: &mut Names,
    agents: &mut BTreeMap<Author, Arc<str>>,
) -> Result<String, LoomError> {
    let id = name()?;
    let parent = parent.and_then(|parent| bundle.nodes.get(parent));
    // Below a pruned node all is pruned with it, unless it was by itself.
    let pruned = if raw.pruned { Some(id.clone()) } else { parent.and_then(|parent| parent.pruned.clone()) };
    if let Some(parent) = parent {
        bundle.edges.push(LoomEdge {
            id: name()?,
            sources: vec![EdgeSource { node: parent.id.clone(), role: SourceRole::Primary }],
            target: id.clone(),
            kind: EdgeType::Continuation,
            created,
        });
    }
    let author_type = raw.author.kind;
    let author = match agents.get(&raw.author) {
        Some(id) => id.clone(),
        None => {
            let agent = names.agent(&raw.author)?;
            let id: Arc<str> = agent.id.as_str().into();
            bundle.agents.push(agent);
            agents.insert(raw.author, id.clone());
            id
        }
    };
    bundle.nodes.push(LoomNode {
        local: names.local(&id),
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

/// Nodes in the order they are written, and their parents. At most one tree, or several that all begin with nothing.
fn arranged(raws: &[Raw], places: &Places, tally: &mut Tally) -> (Vec<usize>, Vec<Option<usize>>) {
    let named: Vec<Option<usize>> = raws.iter().map(|raw| places.find(&raw.parent)).collect();
    let mut stray: Vec<bool> =
        raws.iter().zip(&named).map(|(raw, found)| raw.parent != Place::None && found.is_none()).collect();
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
    fn new(raws: &[Raw], tally: &mut Tally) -> Self {
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

    fn find(&self, place: &Place) -> Option<usize> {
        match place {
            Place::None => None,
            Place::Id(id) => self.by_id.get(id).copied(),
            Place::At(place) => Some(*place).filter(|&place| place < self.count),
        }
    }
}

/// Names that are given in a tree.
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

    fn agent(&mut self, author: &Author) -> Result<LoomAgent, LoomError> {
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
        Ok(LoomAgent {
            id: self::name()?,
            name,
            kind: author.kind,
            system_prompt: None,
            model: author.model.clone(),
            permissions: Permissions::default(),
        })
    }
}

fn name() -> Result<String, LoomError> {
    fresh().map_err(|cause| Fault::Io { what: "make an id", cause }.into())
}
