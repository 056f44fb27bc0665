//! What people and programs call trees and nodes, and short ids for both.

use super::records::{self, record};
use super::store::{Name, Result, Rows, Seq, TreeRow};
use super::{Fault, Loom};
use contexture_core::{LoomNode, LoomTree};

/// A node and its tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeNode {
    pub tree: LoomTree,
    pub node: LoomNode,
}

/// The shortest short id: a million nodes need one letter more.
const SHORT: usize = 4;
/// More choices would not be read.
const SHOWN: usize = 11;

impl Loom {
    /// By id, short id, or the beginning of an id that no other node has.
    pub fn find(&mut self, word: &str) -> Result<TreeNode> {
        self.read(|rows| {
            let (tree, node) = node_by_word(rows, word)?;
            Ok(TreeNode { node: record(rows, tree.seq, node)?, tree: tree.tree })
        })
    }

    /// By id, short id, beginning of an id, or title. Without a word: the tree in use, or the only one.
    pub fn tree(&mut self, word: Option<&str>) -> Result<LoomTree> {
        self.read(|rows| Ok(tree_by_word(rows, word)?.tree))
    }
}

pub(super) fn tree_by_word(rows: &mut dyn Rows, word: Option<&str>) -> Result<TreeRow> {
    let Some(word) = word else { return tree_in_use(rows) };
    if let Some(tree) = tree_named(rows, word)? {
        return Ok(tree);
    }
    let all = rows.trees()?;
    let titled =
        |test: &dyn Fn(&str) -> bool| all.iter().filter(|row| test(&row.tree.title)).cloned().collect::<Vec<TreeRow>>();
    let lower = word.to_lowercase();
    for mut found in [titled(&|title| title == word), titled(&|title| title.to_lowercase() == lower), {
        let is_long = word.len() >= SHORT;
        all.iter().filter(|row| is_long && row.tree.id.starts_with(&lower)).cloned().collect()
    }] {
        match found.len() {
            0 => {}
            1 => return Ok(found.remove(0)),
            _ => return Err(Fault::Several { what: "tree", word: word.into(), choices: shown(&found) }.into()),
        }
    }
    let near = nearest(word, all.iter().map(|row| row.tree.title.as_str()));
    Err(Fault::Unknown { what: "tree", word: word.into(), near }.into())
}

fn tree_in_use(rows: &mut dyn Rows) -> Result<TreeRow> {
    if let Some(seq) = rows.current()?
        && let Some(tree) = rows.tree(seq)?
    {
        return Ok(tree);
    }
    let mut all = rows.trees()?;
    match all.len() {
        0 => Err(Fault::NoTree.into()),
        1 => Ok(all.remove(0)),
        _ => Err(Fault::Several { what: "tree", word: String::new(), choices: shown(&all) }.into()),
    }
}

/// By id or short id alone, which is what programs say.
pub(super) fn tree_by_id(rows: &mut dyn Rows, id: &str) -> Result<TreeRow> {
    tree_named(rows, id)?.ok_or_else(|| Fault::Unknown { what: "tree", word: id.into(), near: Vec::new() }.into())
}

fn tree_named(rows: &mut dyn Rows, word: &str) -> Result<Option<TreeRow>> {
    match rows.named(word)? {
        Some(Name { tree, node: None, .. }) => rows.tree(tree),
        _ => Ok(None),
    }
}

pub(super) fn node_by_word(rows: &mut dyn Rows, word: &str) -> Result<(TreeRow, Seq)> {
    let lower = word.to_ascii_lowercase();
    let exact = match rows.named(word)? {
        Some(name) => Some(name),
        None => rows.named(&lower)?,
    };
    if let Some(Name { tree, node: Some(node), .. }) = exact {
        return Ok((records::tree(rows, tree)?, node));
    }
    let found: Vec<Name> = if word.is_empty() { Vec::new() } else { rows.beginning(&lower, SHOWN)? };
    let found: Vec<Name> = found.into_iter().filter(|name| name.node.is_some()).collect();
    match found.as_slice() {
        [Name { tree, node: Some(node), .. }] => Ok((records::tree(rows, *tree)?, *node)),
        [] => {
            let start = lower.get(..3).unwrap_or(&lower);
            let near = if start.is_empty() { Vec::new() } else { rows.beginning(start, 3)? };
            let near = near.into_iter().filter(|name| name.node.is_some()).map(|name| name.local).collect();
            Err(Fault::Unknown { what: "node", word: word.into(), near }.into())
        }
        several => {
            let choices = several.iter().map(|name| name.local.clone()).collect();
            Err(Fault::Several { what: "node", word: word.into(), choices }.into())
        }
    }
}

/// A node by id or short id, and its tree.
pub(super) fn node_by_id(rows: &mut dyn Rows, id: &str) -> Result<(TreeRow, Seq)> {
    let (tree, node) = node_seqs(rows, id)?;
    Ok((records::tree(rows, tree)?, node))
}

/// The numbers of a tree and a node of it.
pub(super) fn node_seqs(rows: &mut dyn Rows, id: &str) -> Result<(Seq, Seq)> {
    match rows.named(id)? {
        Some(Name { tree, node: Some(node), .. }) => Ok((tree, node)),
        _ => Err(Fault::Unknown { what: "node", word: id.into(), near: Vec::new() }.into()),
    }
}

/// A node of this tree.
pub(super) fn node_in(rows: &mut dyn Rows, tree: &TreeRow, id: &str) -> Result<Seq> {
    match rows.named(id)? {
        Some(Name { tree: seq, node: Some(node), .. }) if seq == tree.seq => Ok(node),
        _ => Err(Fault::Unknown { what: "node", word: id.into(), near: Vec::new() }.into()),
    }
}

/// A short id for this id that nothing else in the store has.
pub(super) fn local_for(rows: &mut dyn Rows, id: &str) -> Result<String> {
    let mut length = SHORT.min(id.len());
    while let Some(local) = id.get(..length) {
        if !rows.is_taken(local)? {
            return Ok(local.into());
        }
        length += 1;
    }
    // Only ids that were not made here are so alike.
    local_for_fresh(rows)
}

fn local_for_fresh(rows: &mut dyn Rows) -> Result<String> {
    let id = super::new_id()?;
    for length in SHORT..=id.len() {
        if let Some(local) = id.get(..length)
            && !rows.is_taken(local)?
        {
            return Ok(local.into());
        }
    }
    Err(Fault::Duplicate { what: "id", id }.into())
}

/// At most three names that a person may have meant.
pub(super) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let word = word.to_lowercase();
    let mut near: Vec<_> = names
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let likeness = strsim::jaro_winkler(&word, &lower);
            (likeness > 0.8 || lower.contains(&word)).then(|| (likeness, name.to_owned()))
        })
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

fn shown(rows: &[TreeRow]) -> Vec<String> {
    rows.iter().map(|row| format!("{} {}", row.tree.local, row.tree.title)).collect()
}
