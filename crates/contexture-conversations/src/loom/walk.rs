//! From a node up to the root, and everything that belongs to that way.
//!
//! What is hidden is left out here, before its text is read: no later step can let it out.

use super::blocks::Blocks;
use super::names::{node_in, tree_by_id};
use super::paths::{Chosen, path_named, pick_edge, put_choice, resolve};
use super::records::{damaged, head, links, local, records_as};
use super::store::{Choice, EdgeRow, Marks, Result, Rows, Seq, Shape, TreeRow};
use super::{Fault, Loom};
use contexture_core::{EdgeType, LoomNode, PathChoice, SourceRole, keywords};
use std::collections::{HashMap, HashSet};

/// Which path to walk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathQuery {
    /// The id of the node where it ends; else the active node of the path.
    pub leaf: Option<String>,
    /// The name of a path; else the one in use.
    pub path: Option<String>,
    /// Over those of the path.
    pub choices: Vec<PathChoice>,
    /// Whether annotations are shown.
    pub annotations: bool,
}

/// Why a node stands on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepRole {
    Primary,
    Context,
    /// About the node before it.
    Annotation,
}

/// One node of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    pub node: LoomNode,
    pub role: StepRole,
}

/// Why a node is not shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HiddenReason {
    Excluded,
    Pruned,
    Annotation,
}

keywords!(StepRole { Primary = "primary", Context = "context", Annotation = "annotation" });
keywords!(HiddenReason { Excluded = "excluded", Pruned = "pruned", Annotation = "an annotation" });

/// A path that was walked: what is shown of it, and what is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkedPath {
    /// From the root on.
    pub steps: Vec<PathStep>,
    /// What is added to the system context, in the order of the path.
    pub instructions: Vec<LoomNode>,
    /// Short ids of what stands on the way and is not shown.
    pub hidden: Vec<(String, HiddenReason)>,
    /// The id of the node where it ends.
    pub leaf: String,
}

impl Loom {
    /// Walks up from a node of the tree with this id, and reads what is shown. What is hidden is not read.
    pub fn walk(&mut self, tree: &str, ask: &PathQuery) -> Result<WalkedPath> {
        self.read(|rows| {
            let (tree, leaf, way) = way(rows, tree, ask)?;
            show(rows, &tree, way, leaf, ask.annotations)
        })
    }

    /// The numbers of the nodes on the way, from the root on, hidden or not, without what stands beside it.
    pub fn way(&mut self, tree: &str, ask: &PathQuery) -> Result<Vec<Seq>> {
        self.read(|rows| {
            let (_, _, way) = way(rows, tree, ask)?;
            let on_it = way.steps.iter().rev().filter(|(_, role)| *role == StepRole::Primary);
            Ok(on_it.map(|(shape, _)| shape.seq).collect())
        })
    }
}

fn way(rows: &mut dyn Rows, tree: &str, ask: &PathQuery) -> Result<(TreeRow, Seq, Way)> {
    let tree = tree_by_id(rows, tree)?;
    let path = path_named(rows, &tree, ask.path.as_deref())?;
    let leaf = match &ask.leaf {
        Some(leaf) => node_in(rows, &tree, leaf)?,
        None => path.active.or(tree.root).ok_or(Fault::NoNode)?,
    };
    let mut choices: HashMap<Seq, Vec<Choice>> = HashMap::new();
    for choice in rows.choices(path.seq)? {
        choices.entry(choice.target).or_default().push(choice);
    }
    for choice in &ask.choices {
        let choice = resolve(rows, &tree, choice)?;
        put_choice(rows, choices.entry(choice.target).or_default(), choice)?;
    }
    let way = climb(rows, &tree, leaf, &choices)?;
    Ok((tree, leaf, way))
}

/// What stands on the way, the leaf first, with things named twice.
struct Way {
    steps: Vec<(Shape, StepRole)>,
    instructions: Vec<Shape>,
    /// Each step is the only source of the one before it, so nothing can be there twice.
    is_plain: bool,
    blocks: Blocks,
}

fn climb(rows: &mut dyn Rows, tree: &TreeRow, leaf: Seq, choices: &HashMap<Seq, Vec<Choice>>) -> Result<Way> {
    let mut blocks = Blocks::new(tree.seq);
    let mut at = blocks.get(rows, leaf)?;
    let mut way = Way { steps: vec![(at, StepRole::Primary)], instructions: Vec::new(), is_plain: true, blocks };
    // A way longer than the tree has nodes goes round in a circle.
    for _ in 0..=tree.nodes {
        if at.marks.has(Marks::SIMPLE)
            && let Some(parent) = at.parent
        {
            at = way.blocks.get(rows, parent)?;
            way.steps.push((at, StepRole::Primary));
            continue;
        }
        let edges = rows.edges_into(at.seq)?;
        let chosen = choices.get(&at.seq).map_or(&[][..], Vec::as_slice);
        let mut is_live = |edge: &EdgeRow| Ok(!live(rows, &mut way.blocks, edge)?.is_empty());
        let edge = match pick_edge(&edges, chosen, &mut is_live)? {
            Chosen::None => return Ok(way),
            Chosen::Edge(place) => edges.get(place).ok_or_else(|| damaged("an edge is missing"))?,
            Chosen::Several(places) => return Err(fork(rows, &mut way.blocks, at.seq, &edges, &places)?),
        };
        let primaries = primaries(rows, &mut way.blocks, edge, chosen)?;
        let contexts: Vec<Seq> = edge.of(SourceRole::Context).collect();
        way.is_plain &= primaries.len() == 1 && contexts.is_empty();
        for primary in primaries.iter().rev() {
            way.steps.push((way.blocks.get(rows, *primary)?, StepRole::Primary));
        }
        let first = way.steps.last().map(|(shape, _)| *shape);
        for context in contexts.iter().rev() {
            way.steps.push((way.blocks.look(rows, *context)?, StepRole::Context));
        }
        let instructions: Vec<Seq> = edge.of(SourceRole::Instruction).collect();
        for instruction in instructions.iter().rev() {
            way.instructions.push(way.blocks.look(rows, *instruction)?);
        }
        at = first.ok_or_else(|| damaged("an edge without a primary source"))?;
    }
    Err(Fault::Cycle { node: local(rows, at.seq)? }.into())
}

/// The primaries of an edge in order, of several versions the chosen one, else the latest; but what is live before what is pruned.
fn primaries(rows: &mut dyn Rows, blocks: &mut Blocks, edge: &EdgeRow, choices: &[Choice]) -> Result<Vec<Seq>> {
    let all: Vec<Seq> = edge.of(SourceRole::Primary).collect();
    if all.len() < 2 {
        return Ok(all);
    }
    let mut order: Vec<Seq> = Vec::new();
    let mut versions: HashMap<Seq, Vec<Seq>> = HashMap::new();
    for node in all {
        let lineage = head(rows, node)?.lineage;
        let known = versions.entry(lineage).or_default();
        if known.is_empty() {
            order.push(lineage);
        }
        known.push(node);
    }
    let mut picked = Vec::with_capacity(order.len());
    for lineage in order {
        let versions = versions.get(&lineage).map_or(&[][..], Vec::as_slice);
        let chosen = choices.iter().rev().find_map(|choice| choice.source.filter(|source| versions.contains(source)));
        let mut live: Vec<Seq> = Vec::new();
        for version in versions {
            if blocks.look(rows, *version)?.pruned.is_none() {
                live.push(*version);
            }
        }
        let chosen = chosen.filter(|chosen| live.is_empty() || live.contains(chosen));
        picked.extend(chosen.or(live.into_iter().max()).or(versions.iter().copied().max()));
    }
    Ok(picked)
}

/// The primaries of an edge that are not pruned.
fn live(rows: &mut dyn Rows, blocks: &mut Blocks, edge: &EdgeRow) -> Result<Vec<Seq>> {
    let mut live = Vec::new();
    for source in edge.of(SourceRole::Primary) {
        if blocks.look(rows, source)?.pruned.is_none() {
            live.push(source);
        }
    }
    Ok(live)
}

/// Each source once; pruned ones only where there are no others.
fn fork(
    rows: &mut dyn Rows,
    blocks: &mut Blocks,
    node: Seq,
    edges: &[EdgeRow],
    places: &[usize],
) -> Result<super::LoomError> {
    let (mut choices, mut seen) = (Vec::new(), HashSet::new());
    for edge in places.iter().filter_map(|place| edges.get(*place)) {
        let live = live(rows, blocks, edge)?;
        let meant = if live.is_empty() { edge.of(SourceRole::Primary).collect() } else { live };
        for source in meant.into_iter().filter(|source| seen.insert(*source)) {
            choices.push(local(rows, source)?);
        }
    }
    Ok(Fault::Fork { node: local(rows, node)?, choices }.into())
}

/// Each once, the hidden ones without their texts.
fn show(rows: &mut dyn Rows, tree: &TreeRow, mut way: Way, leaf: Seq, annotations: bool) -> Result<WalkedPath> {
    way.steps.reverse();
    way.instructions.reverse();
    let mut seen: HashSet<Seq> = HashSet::new();
    if !way.is_plain {
        // On the path before by the way.
        let path: HashSet<Seq> =
            way.steps.iter().filter(|(_, role)| *role == StepRole::Primary).map(|(shape, _)| shape.seq).collect();
        way.steps.retain(|(shape, role)| {
            (*role == StepRole::Primary || !path.contains(&shape.seq)) && seen.insert(shape.seq)
        });
    }
    if annotations && way.is_plain {
        seen.extend(way.steps.iter().map(|(shape, _)| shape.seq));
    }
    let why = |shape: &Shape| {
        let reasons = [
            (shape.marks.has(Marks::EXCLUDED), HiddenReason::Excluded),
            (shape.pruned.is_some(), HiddenReason::Pruned),
            (shape.marks.has(Marks::ANNOTATION) && !annotations, HiddenReason::Annotation),
        ];
        reasons.into_iter().find(|(is_so, _)| *is_so).map(|(_, why)| why)
    };
    let mut hidden: Vec<(Seq, HiddenReason)> = Vec::new();
    let mut steps = way.steps;
    if annotations {
        steps = with_remarks(rows, tree.seq, steps, &mut seen, &why, &mut hidden)?;
    } else {
        steps.retain(|(shape, _)| {
            let why = why(shape);
            hidden.extend(why.map(|why| (shape.seq, why)));
            why.is_none()
        });
    }
    let mut instructions = Vec::new();
    if !way.instructions.is_empty() && way.is_plain && !annotations {
        seen.extend(steps.iter().map(|(shape, _)| shape.seq).chain(hidden.iter().map(|(seq, _)| *seq)));
    }
    for shape in way.instructions {
        match why(&shape) {
            _ if !seen.insert(shape.seq) => {}
            Some(why) => hidden.push((shape.seq, why)),
            None => instructions.push(shape),
        }
    }
    let steps = in_order(rows, steps)?;
    let instructions = instructions.into_iter().map(|shape| (shape, StepRole::Primary)).collect();
    let instructions = in_order(rows, instructions)?.into_iter().map(|step| step.node).collect();
    let hidden = hidden.into_iter().map(|(seq, why)| Ok((local(rows, seq)?, why))).collect::<Result<_>>()?;
    let leaf = head(rows, leaf)?.id;
    Ok(WalkedPath { steps, instructions, hidden, leaf })
}

/// What is shown of the way, with the annotations of each node of the path right behind it.
fn with_remarks(
    rows: &mut dyn Rows,
    tree: Seq,
    way: Vec<(Shape, StepRole)>,
    seen: &mut HashSet<Seq>,
    why: &dyn Fn(&Shape) -> Option<HiddenReason>,
    hidden: &mut Vec<(Seq, HiddenReason)>,
) -> Result<Vec<(Shape, StepRole)>> {
    let mut steps = Vec::with_capacity(way.len());
    for (shape, role) in way {
        if let Some(why) = why(&shape) {
            hidden.push((shape.seq, why));
            continue;
        }
        steps.push((shape, role));
        if role != StepRole::Primary || !shape.marks.has(Marks::ANNOTATED) {
            continue;
        }
        for shape in remarks(rows, tree, shape.seq)? {
            match why(&shape) {
                _ if !seen.insert(shape.seq) => {}
                Some(why) => hidden.push((shape.seq, why)),
                None => steps.push((shape, StepRole::Annotation)),
            }
        }
    }
    Ok(steps)
}

/// The annotations of a node.
fn remarks(rows: &mut dyn Rows, tree: Seq, node: Seq) -> Result<Vec<Shape>> {
    let mut all = Vec::new();
    for link in links(rows, node)? {
        if link.kind == EdgeType::Annotation && link.role == SourceRole::Primary {
            let shape = super::records::shape(rows, tree, link.target)?;
            if shape.marks.has(Marks::ANNOTATION) {
                all.push(shape);
            }
        }
    }
    Ok(all)
}

/// The nodes of shapes in any order, each once.
fn in_order(rows: &mut dyn Rows, mut way: Vec<(Shape, StepRole)>) -> Result<Vec<PathStep>> {
    let step = |(_, role): &(Shape, StepRole), node| PathStep { node, role: *role };
    if way.is_sorted_by(|(one, _), (next, _)| one.seq < next.seq) {
        return records_as(rows, &way, |(shape, _)| shape, step, |step| &mut step.node);
    }
    let mut places: Vec<usize> = (0..way.len()).collect();
    places.sort_unstable_by_key(|place| way.get(*place).map(|(shape, _)| shape.seq));
    way.sort_unstable_by_key(|(shape, _)| shape.seq);
    let steps = records_as(rows, &way, |(shape, _)| shape, step, |step| &mut step.node)?;
    let mut placed: Vec<(usize, PathStep)> = places.into_iter().zip(steps).collect();
    placed.sort_unstable_by_key(|(place, _)| *place);
    Ok(placed.into_iter().map(|(_, step)| step).collect())
}
