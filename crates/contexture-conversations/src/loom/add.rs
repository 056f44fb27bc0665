//! New nodes. What they name must be there, in the same tree; so no edge can ever close a circle.

use super::agents::author;
use super::names::{local_for, tree_by_id};
use super::paths::path_named;
use super::records::{local, shape};
use super::store::{EdgeRow, Marks, Name, NodeRow, Result, Rows, Seq, Shape, TreeRow};
use super::{Fault, Loom, acted, new_id};
use contexture_core::{AuthorType, EdgeType, LoomNode, Message, RawResponse, SourceRole};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A node that is to be added, and what it follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewNode {
    pub message: Message,
    /// The name of an agent.
    pub author: String,
    pub author_type: AuthorType,
    /// Ids of what it continues. None: the active node of the path; the first node of a tree continues nothing.
    pub primaries: Vec<String>,
    /// Ids of nodes that stand before the primary as reference.
    pub contexts: Vec<String>,
    /// Ids of nodes that are added to the system context.
    pub instructions: Vec<String>,
    /// The name of the path that gives the default parent and that moves; `None` is the one in use. A path that moves does
    /// not come into use by it.
    pub path: Option<String>,
    /// Whether the path goes on to it.
    pub move_path: bool,
}

impl Loom {
    /// All of them, in order, or none. Later ones may continue earlier ones by moving the path.
    pub fn add(&mut self, tree: &str, new: Vec<NewNode>) -> Result<Vec<LoomNode>> {
        self.write(|rows, now| Ok(add(rows, tree, new, now)?.into_iter().map(|(_, node)| node).collect()))
    }

    /// Answers of a model, each with the response it came in: both are there, or neither.
    pub fn add_answers(&mut self, tree: &str, new: Vec<NewNode>, response: &RawResponse) -> Result<Vec<LoomNode>> {
        self.write(|rows, now| {
            let added = add(rows, tree, new, now)?;
            added.iter().try_for_each(|(seq, _)| rows.add_response(*seq, response))?;
            Ok(added.into_iter().map(|(_, node)| node).collect())
        })
    }
}

fn add(rows: &mut dyn Rows, tree: &str, new: Vec<NewNode>, now: i64) -> Result<Vec<(Seq, LoomNode)>> {
    let mut row = tree_by_id(rows, tree)?;
    // Each path where it was, and where it is now.
    let mut paths: BTreeMap<Seq, (Option<Seq>, Option<Seq>)> = BTreeMap::new();
    let mut done = Vec::with_capacity(new.len());
    for new in new {
        let path = path_named(rows, &row, new.path.as_deref())?;
        let (_, active) = paths.entry(path.seq).or_insert((path.active, path.active));
        let sources = sources(rows, &row, *active, &new)?;
        let edge = (!sources.is_empty()).then_some((EdgeType::Continuation, sources));
        let said = NodeContent { message: new.message, author: &new.author, author_type: new.author_type };
        let (seq, node) = write_node(rows, &mut row, said, None, edge, now)?;
        if new.move_path {
            *active = Some(seq);
        }
        acted(rows, row.seq, now, format!("add {}", node.local))?;
        done.push((seq, node));
    }
    for (path, (_, active)) in paths.into_iter().filter(|(_, (before, after))| before != after) {
        rows.set_active(path, active)?;
    }
    rows.update_tree(&row)?;
    Ok(done)
}

fn sources(rows: &mut dyn Rows, tree: &TreeRow, active: Option<Seq>, new: &NewNode) -> Result<Vec<(Seq, SourceRole)>> {
    let mut sources: Vec<(Seq, SourceRole)> = Vec::new();
    let mut seen = BTreeSet::new();
    let lists = [
        (&new.primaries, SourceRole::Primary),
        (&new.contexts, SourceRole::Context),
        (&new.instructions, SourceRole::Instruction),
    ];
    if tree.nodes == 0
        && let Some((word, role)) = lists.iter().find_map(|(list, role)| Some((list.first()?, role)))
    {
        return Err(dangling(*role, word));
    }
    if new.primaries.is_empty() {
        // A path without an end in a tree with nodes is one that was emptied; the root is where it begins.
        sources.extend(active.or(tree.root).map(|node| (node, SourceRole::Primary)));
    }
    for (list, role) in lists {
        for word in list {
            let node = match rows.named(word)? {
                Some(Name { tree: of, node: Some(node), .. }) if of == tree.seq => node,
                _ => return Err(dangling(role, word)),
            };
            if seen.insert((node, role)) {
                sources.push((node, role));
            }
        }
    }
    for (node, _) in sources.iter().filter(|(_, role)| *role == SourceRole::Primary) {
        refuse_pruned(rows, tree.seq, *node, "nothing is added below it")?;
    }
    Ok(sources)
}

fn dangling(role: SourceRole, word: &str) -> super::LoomError {
    Fault::Dangling { node: "the new node".into(), role: role.as_str(), source_node: word.into() }.into()
}

/// What was pruned must be restored first.
pub(super) fn refuse_pruned(rows: &mut dyn Rows, tree: Seq, node: Seq, why: &str) -> Result<Shape> {
    let shape = shape(rows, tree, node)?;
    let Some(by) = shape.pruned else { return Ok(shape) };
    let message = format!("`{}` is pruned: {why}", local(rows, node)?);
    Err(Fault::Refused { message, hint: format!("`contexture loom restore {}`", local(rows, by)?) }.into())
}

/// What a new node says, and who says it.
pub(super) struct NodeContent<'a> {
    pub message: Message,
    pub author: &'a str,
    pub author_type: AuthorType,
}

/// A node and the edge that leads to it. Counts it in `tree`, which is not written here.
pub(super) fn write_node(
    rows: &mut dyn Rows,
    tree: &mut TreeRow,
    said: NodeContent<'_>,
    edited_from: Option<Seq>,
    edge: Option<(EdgeType, Vec<(Seq, SourceRole)>)>,
    now: i64,
) -> Result<(Seq, LoomNode)> {
    let (author, agent) = author(rows, said.author)?;
    let edited = edited_from.map(|seq| rows.head(seq)).transpose()?.flatten();
    let id = new_id()?;
    let node = LoomNode {
        local: local_for(rows, &id)?,
        id,
        message: Arc::new(said.message),
        author: agent.id.into(),
        author_type: said.author_type,
        edited_from: edited.as_ref().map(|head| head.id.clone()),
        created: now,
        excluded: false,
        pruned: None,
        bookmark: None,
        origin: None,
    };
    let seq = rows.last_node()? + 1;
    let lineage = edited.map_or(seq, |head| head.lineage);
    rows.insert_node(&node_row(seq, tree.seq, &node, author, edited_from, lineage))?;
    let (kind, sources) = edge.unwrap_or((EdgeType::Continuation, Vec::new()));
    let mut marks = Marks::default();
    marks.set(Marks::ANNOTATION, is_aside(rows, tree.seq, kind, &sources)?);
    marks.set(Marks::SIMPLE, sources.len() == 1);
    marks.set(Marks::VERSIONED, edited_from.is_some());
    let parent = sources.iter().find(|(_, role)| *role == SourceRole::Primary).map(|(node, _)| *node);
    rows.insert_shape(tree.seq, &Shape { seq, parent, marks, pruned: None })?;
    if kind == EdgeType::Annotation {
        for (source, _) in &sources {
            mark(rows, tree.seq, *source, Marks::ANNOTATED)?;
        }
    }
    if !sources.is_empty() {
        let edge = EdgeRow { seq: 0, id: new_id()?, target: seq, kind, created: now, sources };
        rows.insert_edge(tree.seq, &edge)?;
    }
    tree.nodes += 1;
    tree.root.get_or_insert(seq);
    Ok((seq, node))
}

/// What continues remarks alone is as little part of the conversation as they are.
fn is_aside(rows: &mut dyn Rows, tree: Seq, kind: EdgeType, sources: &[(Seq, SourceRole)]) -> Result<bool> {
    if kind == EdgeType::Annotation {
        return Ok(true);
    }
    for (source, _) in sources.iter().filter(|(_, role)| *role == SourceRole::Primary) {
        if !shape(rows, tree, *source)?.marks.has(Marks::ANNOTATION) {
            return Ok(false);
        }
    }
    Ok(!sources.is_empty())
}

pub(super) fn node_row(
    seq: Seq,
    tree: Seq,
    node: &LoomNode,
    author: Seq,
    edited_from: Option<Seq>,
    lineage: Seq,
) -> NodeRow {
    NodeRow {
        seq,
        tree,
        id: node.id.clone(),
        local: node.local.clone(),
        message: node.message.clone(),
        author,
        author_type: node.author_type,
        edited_from,
        lineage,
        created: node.created,
        origin: node.origin.clone(),
        hash: node.hash(),
    }
}

pub(super) fn mark(rows: &mut dyn Rows, tree: Seq, node: Seq, mark: u8) -> Result<()> {
    let mut shape = shape(rows, tree, node)?;
    if !shape.marks.has(mark) {
        shape.marks.set(mark, true);
        rows.update_shape(tree, &shape)?;
    }
    Ok(())
}
