//! Trees and agents.

use super::super::columns::{packed, unpacked};
use super::super::store::{Result, Seq, TreeRow, Trees};
use super::{Known, Tables, get};
use contexture_core::{LoomAgent, LoomTree, Preferences, Text, Truncation};
use rusqlite::{Row, params};

pub(super) const TREE: &str = "seq, id, local, title, mode, system_context, buffer_system, truncation, minimum_recent, token_buffer, \
                    created, nodes, root, path";

pub(super) const AGENT: &str = "seq, id, name, kind, system_prompt, model, permissions";

impl Trees for Tables<'_> {
    fn insert_tree(&mut self, row: &TreeRow) -> Result<Seq> {
        let tree = &row.tree;
        let seq = self.insert(
            "INSERT INTO trees (id, local, title, mode, buffer_system, created, nodes) VALUES (?1, ?2, ?3, ?4, 0, ?5, 0)",
            params![tree.id, tree.local, tree.title, tree.mode.as_str(), tree.created],
        )?;
        self.update_tree(&TreeRow { seq, ..row.clone() })?;
        Ok(seq)
    }

    fn update_tree(&mut self, row: &TreeRow) -> Result<()> {
        let (tree, preferences) = (&row.tree, row.tree.preferences);
        self.execute(
            "UPDATE trees SET title = ?2, mode = ?3, system_context = ?4, buffer_system = ?5, truncation = ?6,
                 minimum_recent = ?7, token_buffer = ?8, nodes = ?9, root = ?10, path = ?11 WHERE seq = ?1",
            params![
                row.seq,
                tree.title,
                tree.mode.as_str(),
                tree.system_context.as_deref(),
                tree.buffer_mode_system_context,
                preferences.truncation.map(Truncation::as_str),
                preferences.minimum_recent_nodes.map(signed),
                preferences.token_buffer.map(signed),
                signed(row.nodes),
                row.root,
                row.path,
            ],
        )
    }

    fn tree(&mut self, seq: Seq) -> Result<Option<TreeRow>> {
        self.one(&format!("SELECT {TREE} FROM trees WHERE seq = ?1"), [seq], tree)
    }

    fn trees(&mut self) -> Result<Vec<TreeRow>> {
        self.all(&format!("SELECT {TREE} FROM trees ORDER BY seq"), [], tree)
    }

    fn current(&mut self) -> Result<Option<Seq>> {
        self.one("SELECT value FROM settings WHERE name = 'tree'", [], |row| get(row, 0))
    }

    fn set_current(&mut self, tree: Seq) -> Result<()> {
        self.execute("INSERT OR REPLACE INTO settings (name, value) VALUES ('tree', ?1)", [tree])
    }

    fn insert_agent(&mut self, agent: &LoomAgent) -> Result<Seq> {
        let LoomAgent { id, name, kind, system_prompt, model, permissions } = agent;
        self.insert(
            "INSERT INTO agents (id, name, kind, system_prompt, model, permissions) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id, name, kind.as_str(), system_prompt.as_deref(), model, packed(*permissions)],
        )
    }

    fn update_agent(&mut self, seq: Seq, agent: &LoomAgent) -> Result<()> {
        let LoomAgent { name, kind, system_prompt, model, permissions, .. } = agent;
        self.execute(
            "UPDATE agents SET name = ?2, kind = ?3, system_prompt = ?4, model = ?5, permissions = ?6 WHERE seq = ?1",
            params![seq, name, kind.as_str(), system_prompt.as_deref(), model, packed(*permissions)],
        )
    }

    fn agents(&mut self) -> Result<Vec<(Seq, LoomAgent)>> {
        self.all(&format!("SELECT {AGENT} FROM agents ORDER BY seq"), [], agent)
    }
}

pub(super) fn agent(row: &Row<'_>) -> Result<(Seq, LoomAgent)> {
    let Known(kind) = get(row, 3)?;
    let system_prompt = get::<Option<String>>(row, 4)?.map(Text::from);
    let permissions = unpacked(get(row, 6)?);
    let agent =
        LoomAgent { id: get(row, 1)?, name: get(row, 2)?, kind, system_prompt, model: get(row, 5)?, permissions };
    Ok((get(row, 0)?, agent))
}

pub(super) fn tree(row: &Row<'_>) -> Result<TreeRow> {
    let Known(mode) = get(row, 4)?;
    let truncation: Option<Known<Truncation>> = get(row, 7)?;
    let tree = LoomTree {
        id: get(row, 1)?,
        local: get(row, 2)?,
        title: get(row, 3)?,
        mode,
        system_context: get::<Option<String>>(row, 5)?.map(Text::from),
        buffer_mode_system_context: get(row, 6)?,
        preferences: Preferences {
            truncation: truncation.map(|known| known.0),
            minimum_recent_nodes: get::<Option<i64>>(row, 8)?.map(unsigned),
            token_buffer: get::<Option<i64>>(row, 9)?.map(unsigned),
        },
        created: get(row, 10)?,
    };
    Ok(TreeRow { seq: get(row, 0)?, tree, nodes: unsigned(get(row, 11)?), root: get(row, 12)?, path: get(row, 13)? })
}

/// The same bits: SQLite has no unsigned numbers.
pub(super) fn signed(number: u64) -> i64 {
    number.cast_signed()
}

pub(super) fn unsigned(number: i64) -> u64 {
    number.cast_unsigned()
}
