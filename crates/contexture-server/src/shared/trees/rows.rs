//! Trees and agents.

use super::{Sql, Tables, get, known, optional_text, sql, text};
use contexture_conversations::loom::columns::{packed, unpacked};
use contexture_conversations::loom::store::{Result, Seq, TreeRow, Trees};
use contexture_core::{AuthorType, LoomAgent, LoomTree, Preferences, Text, TreeMode, Truncation};
use sqlx::postgres::PgRow;

macro_rules! tree {
    ($after:literal) => {
        concat!(
            "SELECT seq, id, local, title, mode, system_context, buffer_system, truncation, minimum_recent, token_buffer,
                 created, nodes, root, path FROM contexture.trees ",
            $after
        )
    };
}

impl Trees for Tables<'_> {
    fn insert_tree(&mut self, row: &TreeRow) -> Result<Seq> {
        let tree = &row.tree;
        let query = "INSERT INTO contexture.trees (id, local, title, mode, buffer_system, created, nodes)
             VALUES ($1, $2, $3, $4, 0, $5, 0) RETURNING seq";
        let seq = self.insert(
            sql(query)
                .bind(tree.id.as_bytes())
                .bind(tree.local.as_bytes())
                .bind(tree.title.as_bytes())
                .bind(tree.mode.as_str().as_bytes())
                .bind(tree.created),
        )?;
        self.update_tree(&TreeRow { seq, ..row.clone() })?;
        Ok(seq)
    }

    fn update_tree(&mut self, row: &TreeRow) -> Result<()> {
        let (tree, preferences) = (&row.tree, row.tree.preferences);
        let query = "UPDATE contexture.trees SET title = $2, mode = $3, system_context = $4, buffer_system = $5,
             truncation = $6, minimum_recent = $7, token_buffer = $8, nodes = $9, root = $10, path = $11 WHERE seq = $1";
        self.execute(
            sql(query)
                .bind(row.seq)
                .bind(tree.title.as_bytes())
                .bind(tree.mode.as_str().as_bytes())
                .bind(tree.system_context.as_deref().map(str::as_bytes))
                .bind(i64::from(tree.buffer_mode_system_context))
                .bind(preferences.truncation.map(|strategy| strategy.as_str().as_bytes()))
                .bind(preferences.minimum_recent_nodes.map(u64::cast_signed))
                .bind(preferences.token_buffer.map(u64::cast_signed))
                .bind(row.nodes.cast_signed())
                .bind(row.root)
                .bind(row.path),
        )
    }

    fn tree(&mut self, seq: Seq) -> Result<Option<TreeRow>> {
        self.one(sql(tree!("WHERE seq = $1")).bind(seq), tree)
    }

    fn trees(&mut self) -> Result<Vec<TreeRow>> {
        self.all(sql(tree!("ORDER BY seq")), tree)
    }

    fn current(&mut self) -> Result<Option<Seq>> {
        self.one(sql("SELECT value FROM contexture.settings WHERE name = 'tree'"), |row| get(row, 0))
    }

    fn set_current(&mut self, tree: Seq) -> Result<()> {
        let query = "INSERT INTO contexture.settings (name, value) VALUES ('tree', $1)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        self.execute(sql(query).bind(tree))
    }

    fn insert_agent(&mut self, agent: &LoomAgent) -> Result<Seq> {
        let query = "INSERT INTO contexture.agents (id, name, kind, system_prompt, model, permissions)
             VALUES ($1, $2, $3, $4, $5, $6) RETURNING seq";
        self.insert(with_agent(sql(query).bind(agent.id.as_bytes()), agent))
    }

    fn update_agent(&mut self, seq: Seq, agent: &LoomAgent) -> Result<()> {
        let query = "UPDATE contexture.agents SET name = $2, kind = $3, system_prompt = $4, model = $5,
             permissions = $6 WHERE seq = $1";
        self.execute(with_agent(sql(query).bind(seq), agent))
    }

    fn agents(&mut self) -> Result<Vec<(Seq, LoomAgent)>> {
        let query = "SELECT seq, id, name, kind, system_prompt, model, permissions FROM contexture.agents ORDER BY seq";
        self.all(sql(query), agent)
    }
}

/// All that can change of an agent, as the values from the second on.
fn with_agent(sql: Sql, agent: &LoomAgent) -> Sql {
    sql.bind(agent.name.as_bytes())
        .bind(agent.kind.as_str().as_bytes())
        .bind(agent.system_prompt.as_deref().map(str::as_bytes))
        .bind(agent.model.as_deref().map(str::as_bytes))
        .bind(packed(agent.permissions))
}

fn agent(row: &PgRow) -> Result<(Seq, LoomAgent)> {
    let agent = LoomAgent {
        id: text(row, 1)?,
        name: text(row, 2)?,
        kind: known(row, 3, AuthorType::parse)?,
        system_prompt: optional_text(row, 4)?.map(Text::from),
        model: optional_text(row, 5)?,
        permissions: unpacked(get(row, 6)?),
    };
    Ok((get(row, 0)?, agent))
}

fn tree(row: &PgRow) -> Result<TreeRow> {
    let truncation: Option<Vec<u8>> = get(row, 7)?;
    let unsigned = |at: usize| get::<Option<i64>>(row, at).map(|number| number.map(i64::cast_unsigned));
    let tree = LoomTree {
        id: text(row, 1)?,
        local: text(row, 2)?,
        title: text(row, 3)?,
        mode: known(row, 4, TreeMode::parse)?,
        system_context: optional_text(row, 5)?.map(Text::from),
        buffer_mode_system_context: get::<i64>(row, 6)? != 0,
        preferences: Preferences {
            truncation: truncation.map(|_| known(row, 7, Truncation::parse)).transpose()?,
            minimum_recent_nodes: unsigned(8)?,
            token_buffer: unsigned(9)?,
        },
        created: get(row, 10)?,
    };
    let nodes = get::<i64>(row, 11)?.cast_unsigned();
    Ok(TreeRow { seq: get(row, 0)?, tree, nodes, root: get(row, 12)?, path: get(row, 13)? })
}
