//! Paths: where they end, what they choose, and which one is in use.

use super::names::{nearest, node_in, tree_by_id};
use super::records::{damaged, head};
use super::store::{Choice, EdgeRow, PathRow, Result, Rows, Seq, TreeRow};
use super::{Fault, Loom, did, new_id};
use contexture_core::{EdgeType, LoomPath, PathChoice, SourceRole};

impl Loom {
    /// Every path of the tree with this id, in the order of making.
    pub fn paths(&mut self, tree: &str) -> Result<Vec<LoomPath>> {
        self.read(|rows| {
            let tree = tree_by_id(rows, tree)?;
            let all = rows.paths(tree.seq)?;
            all.into_iter().map(|path| record(rows, path)).collect()
        })
    }

    /// The path with this name, or the one in use.
    pub fn path_of(&mut self, tree: &str, name: Option<&str>) -> Result<LoomPath> {
        self.read(|rows| {
            let tree = tree_by_id(rows, tree)?;
            let path = path_named(rows, &tree, name)?;
            record(rows, path)
        })
    }

    /// The path ends at this node from now on, and is in use.
    pub fn go(&mut self, tree: &str, path: Option<&str>, node: &str) -> Result<LoomPath> {
        self.write(|rows, now| {
            let mut tree = tree_by_id(rows, tree)?;
            let path = path_named(rows, &tree, path)?;
            let node = node_in(rows, &tree, node)?;
            rows.set_active(path.seq, Some(node))?;
            if tree.path != Some(path.seq) {
                tree.path = Some(path.seq);
                rows.update_tree(&tree)?;
            }
            did(rows, tree.seq, now, "path", node)?;
            record(rows, PathRow { active: Some(node), ..path })
        })
    }

    /// A new path that ends at this node and chooses like the one in use; it is in use from then on.
    pub fn fork(&mut self, tree: &str, name: &str, node: &str) -> Result<LoomPath> {
        self.write(|rows, now| {
            let mut tree = tree_by_id(rows, tree)?;
            let node = node_in(rows, &tree, node)?;
            if name.trim().is_empty() {
                let (message, hint) = ("a path needs a name".into(), "`contexture loom fork NODE --name NAME`".into());
                return Err(Fault::Refused { message, hint }.into());
            }
            if rows.paths(tree.seq)?.iter().any(|path| path.name == name) {
                let hint = format!("`contexture loom path NODE --name {name}` moves it");
                return Err(Fault::Refused { message: format!("path `{name}` is there already"), hint }.into());
            }
            let old = path_in_use(rows, &tree)?;
            let mut path = PathRow { seq: 0, id: new_id()?, name: name.into(), active: Some(node) };
            path.seq = rows.insert_path(tree.seq, &path)?;
            for choice in rows.choices(old.seq)? {
                choose(rows, path.seq, choice)?;
            }
            tree.path = Some(path.seq);
            rows.update_tree(&tree)?;
            did(rows, tree.seq, now, "fork", node)?;
            record(rows, path)
        })
    }

    /// At a target, this edge or this version from now on. A choice of neither forgets what was chosen there.
    pub fn choose(&mut self, tree: &str, path: Option<&str>, choice: &PathChoice) -> Result<LoomPath> {
        self.write(|rows, now| {
            let tree = tree_by_id(rows, tree)?;
            let path = path_named(rows, &tree, path)?;
            let choice = resolve(rows, &tree, choice)?;
            choose(rows, path.seq, choice)?;
            did(rows, tree.seq, now, "choose", choice.target)?;
            record(rows, path)
        })
    }
}

pub(super) fn path_in_use(rows: &mut dyn Rows, tree: &TreeRow) -> Result<PathRow> {
    let path = match tree.path {
        Some(path) => rows.path(path)?,
        None => rows.paths(tree.seq)?.into_iter().next(),
    };
    path.ok_or_else(|| damaged("a path is missing"))
}

pub(super) fn path_named(rows: &mut dyn Rows, tree: &TreeRow, name: Option<&str>) -> Result<PathRow> {
    let Some(name) = name else { return path_in_use(rows, tree) };
    let all = rows.paths(tree.seq)?;
    if let Some(path) = all.iter().find(|path| path.name == name || path.id == name) {
        return Ok(path.clone());
    }
    let near = nearest(name, all.iter().map(|path| path.name.as_str()));
    Err(Fault::Unknown { what: "path", word: name.into(), near }.into())
}

/// With other choices made at the same target: an edge takes the place of an edge, a version that of another version.
pub(super) fn choose(rows: &mut dyn Rows, path: Seq, choice: Choice) -> Result<()> {
    let mut all = rows.choices_at(path, choice.target)?;
    put_choice(rows, &mut all, choice)?;
    rows.set_choices(path, choice.target, &all)
}

/// `all` are choices at one target.
pub(super) fn put_choice(rows: &mut dyn Rows, all: &mut Vec<Choice>, choice: Choice) -> Result<()> {
    if choice.edge.is_none() && choice.source.is_none() {
        all.clear();
        return Ok(());
    }
    let lineage = |rows: &mut dyn Rows, node: Option<Seq>| -> Result<Option<Seq>> {
        Ok(node.map(|node| rows.head(node)).transpose()?.flatten().map(|head| head.lineage))
    };
    let new = lineage(rows, choice.source)?;
    for old in all.iter_mut() {
        if choice.edge.is_some() {
            old.edge = None;
        }
        if new.is_some() && lineage(rows, old.source)? == new {
            old.source = None;
        }
    }
    all.retain(|old| old.edge.is_some() || old.source.is_some());
    all.push(choice);
    Ok(())
}

/// What a choice names must be there and belong together.
pub(super) fn resolve(rows: &mut dyn Rows, tree: &TreeRow, choice: &PathChoice) -> Result<Choice> {
    let target = node_in(rows, tree, &choice.target)?;
    let refused = |message: String| Fault::Refused { message, hint: "`contexture loom show` shows the tree".into() };
    let edges = rows.edges_into(target)?;
    let edge = match &choice.edge {
        Some(id) => match rows.edge_named(id)? {
            Some((seq, of)) if of == target => Some(seq),
            _ => return Err(refused(format!("no edge `{id}` leads to `{}`", choice.target)).into()),
        },
        None => None,
    };
    let source = match &choice.source {
        Some(id) => {
            let node = node_in(rows, tree, id)?;
            let mut meant = edges.iter().filter(|row| edge.is_none_or(|edge| edge == row.seq));
            if !meant.any(|edge| edge.of(SourceRole::Primary).any(|source| source == node)) {
                return Err(refused(format!("`{}` does not continue `{id}`", choice.target)).into());
            }
            Some(node)
        }
        None => None,
    };
    Ok(Choice { target, edge, source })
}

/// Which edge a path goes up by; the numbers are places in the list.
pub(super) enum Chosen {
    None,
    Edge(usize),
    Several(Vec<usize>),
}

/// Continuations before annotations, and what is live before what is pruned. Of several the newest choice that names one of
/// them or a source of it decides; where it fits several, those before it.
pub(super) fn pick_edge(
    edges: &[EdgeRow],
    choices: &[Choice],
    is_live: &mut dyn FnMut(&EdgeRow) -> Result<bool>,
) -> Result<Chosen> {
    let goes_on = edges.iter().any(|edge| edge.kind == EdgeType::Continuation);
    let kind = if goes_on { EdgeType::Continuation } else { EdgeType::Annotation };
    let mut all: Vec<(usize, &EdgeRow)> = edges.iter().enumerate().filter(|(_, edge)| edge.kind == kind).collect();
    if all.len() > 1 {
        let mut live = Vec::with_capacity(all.len());
        for (place, edge) in &all {
            if is_live(edge)? {
                live.push((*place, *edge));
            }
        }
        all = if live.is_empty() { all } else { live };
    }
    for choice in choices.iter().rev() {
        if all.len() < 2 {
            break;
        }
        let fits = |edge: &EdgeRow| match (choice.edge, choice.source) {
            (Some(seq), _) => edge.seq == seq,
            (None, Some(node)) => edge.of(SourceRole::Primary).any(|source| source == node),
            (None, None) => false,
        };
        let fitting: Vec<(usize, &EdgeRow)> = all.iter().filter(|(_, edge)| fits(edge)).copied().collect();
        all = if fitting.is_empty() { all } else { fitting };
    }
    Ok(match all.as_slice() {
        [] => Chosen::None,
        [(one, _)] => Chosen::Edge(*one),
        _ => Chosen::Several(all.into_iter().map(|(place, _)| place).collect()),
    })
}

pub(super) fn record(rows: &mut dyn Rows, path: PathRow) -> Result<LoomPath> {
    let id = |rows: &mut dyn Rows, node: Seq| -> Result<String> { Ok(head(rows, node)?.id) };
    let mut choices = Vec::new();
    for choice in rows.choices(path.seq)? {
        let edge = choice.edge.map(|edge| rows.edge(edge)).transpose()?.flatten().map(|edge| edge.id);
        let source = choice.source.map(|node| id(rows, node)).transpose()?;
        choices.push(PathChoice { target: id(rows, choice.target)?, edge, source });
    }
    let active = path.active.map(|node| id(rows, node)).transpose()?;
    Ok(LoomPath { id: path.id, name: path.name, active, choices })
}
