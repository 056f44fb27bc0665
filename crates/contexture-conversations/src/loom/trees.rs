//! Trees as wholes: made, listed, changed, and which one is in use.

use super::names::{local_for, tree_by_id};
use super::store::{PathRow, Result, TreeRow};
use super::{Loom, acted, new_id};
use contexture_core::{LoomTree, Preferences, Text, TreeMode};

/// The name of the path that every new tree has.
pub(super) const MAIN: &str = "main";

/// A tree in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeInfo {
    pub tree: LoomTree,
    pub nodes: u64,
    pub is_current: bool,
}

/// A tree that is to be made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewTree {
    pub title: String,
    pub mode: TreeMode,
    pub system_context: Option<Text>,
    pub buffer_mode_system_context: bool,
    pub preferences: Preferences,
}

/// What is to become different; an inner `None` takes a value away.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeChange {
    pub title: Option<String>,
    pub system_context: Option<Option<Text>>,
    pub buffer_mode_system_context: Option<bool>,
    pub truncation: Option<Option<contexture_core::Truncation>>,
    pub minimum_recent_nodes: Option<Option<u64>>,
    pub token_buffer: Option<Option<u64>>,
}

impl Loom {
    /// Every tree, in the order of making.
    pub fn trees(&mut self) -> Result<Vec<TreeInfo>> {
        self.read(|rows| {
            let current = rows.current()?;
            let info =
                |row: TreeRow| TreeInfo { is_current: current == Some(row.seq), nodes: row.nodes, tree: row.tree };
            Ok(rows.trees()?.into_iter().map(info).collect())
        })
    }

    /// A tree without nodes, with a path; it is in use from then on.
    pub fn new_tree(&mut self, new: NewTree) -> Result<LoomTree> {
        self.write(|rows, now| {
            let id = new_id()?;
            let tree = LoomTree {
                local: local_for(rows, &id)?,
                id,
                title: new.title,
                mode: new.mode,
                system_context: new.system_context,
                buffer_mode_system_context: new.buffer_mode_system_context,
                preferences: new.preferences,
                created: now,
            };
            let mut row = TreeRow { seq: 0, tree, nodes: 0, root: None, path: None };
            row.seq = rows.insert_tree(&row)?;
            let path = PathRow { seq: 0, id: new_id()?, name: MAIN.into(), active: None };
            row.path = Some(rows.insert_path(row.seq, &path)?);
            rows.update_tree(&row)?;
            rows.set_current(row.seq)?;
            acted(rows, row.seq, now, format!("new {}", row.tree.local))?;
            Ok(row.tree)
        })
    }

    /// Changes the tree with this id; what is `None` stays.
    pub fn set_tree(&mut self, id: &str, change: TreeChange) -> Result<LoomTree> {
        self.write(|rows, now| {
            let mut row = tree_by_id(rows, id)?;
            let tree = &mut row.tree;
            let preferences = &mut tree.preferences;
            put(&mut tree.title, change.title);
            put(&mut tree.system_context, change.system_context);
            put(&mut tree.buffer_mode_system_context, change.buffer_mode_system_context);
            put(&mut preferences.truncation, change.truncation);
            put(&mut preferences.minimum_recent_nodes, change.minimum_recent_nodes);
            put(&mut preferences.token_buffer, change.token_buffer);
            rows.update_tree(&row)?;
            acted(rows, row.seq, now, format!("set {}", row.tree.local))?;
            Ok(row.tree)
        })
    }

    /// It is the tree that is meant where none is named.
    pub fn use_tree(&mut self, id: &str) -> Result<LoomTree> {
        self.write(|rows, now| {
            let row = tree_by_id(rows, id)?;
            rows.set_current(row.seq)?;
            acted(rows, row.seq, now, format!("use {}", row.tree.local))?;
            Ok(row.tree)
        })
    }
}

pub(super) fn put<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
