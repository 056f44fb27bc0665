//! Edges and their sources, and paths with what was chosen on them.

use super::{Sql, Tables, get, sql, text};
use contexture_conversations::loom::columns::{kind, kind_number, role, role_number};
use contexture_conversations::loom::store::{Choice, EdgeRow, Edges, Link, PathRow, Paths, Result, Seq};
use sqlx::postgres::PgRow;

macro_rules! edge {
    ($after:literal) => {
        concat!(
            "SELECT edges.seq, edges.id, edges.target, edges.kind, edges.created, sources.node, sources.role
             FROM contexture.edges AS edges JOIN contexture.sources AS sources
                 ON sources.target = edges.target AND sources.edge = edges.seq ",
            $after
        )
    };
}

impl Edges for Tables<'_> {
    fn insert_edge(&mut self, tree: Seq, edge: &EdgeRow) -> Result<Seq> {
        let query = "INSERT INTO contexture.edges (tree, id, target, kind, created)
             VALUES ($1, $2, $3, $4, $5) RETURNING seq";
        let (id, kind) = (edge.id.as_bytes(), kind_number(edge.kind));
        let seq = self.insert(sql(query).bind(tree).bind(id).bind(edge.target).bind(kind).bind(edge.created))?;
        self.insert_sources(seq, edge)?;
        Ok(seq)
    }

    fn set_sources(&mut self, edge: &EdgeRow) -> Result<()> {
        let query = "DELETE FROM contexture.sources WHERE target = $1 AND edge = $2";
        self.execute(sql(query).bind(edge.target).bind(edge.seq))?;
        self.insert_sources(edge.seq, edge)
    }

    fn edge(&mut self, seq: Seq) -> Result<Option<EdgeRow>> {
        let mut found = Vec::new();
        let query = edge!("WHERE edges.seq = $1 ORDER BY sources.place");
        self.gather(sql(query).bind(seq), &mut |edge| found.push(edge))?;
        Ok(found.pop())
    }

    fn edge_named(&mut self, id: &str) -> Result<Option<(Seq, Seq)>> {
        let query = "SELECT seq, target FROM contexture.edges WHERE id = $1";
        self.one(sql(query).bind(id.as_bytes()), |row| Ok((get(row, 0)?, get(row, 1)?)))
    }

    fn edges_into(&mut self, target: Seq) -> Result<Vec<EdgeRow>> {
        let mut found = Vec::new();
        let query = edge!("WHERE sources.target = $1 ORDER BY sources.edge, sources.place");
        self.gather(sql(query).bind(target), &mut |edge| found.push(edge))?;
        Ok(found)
    }

    fn links(&mut self, from: Seq, to: Seq, take: &mut dyn FnMut(Link)) -> Result<()> {
        let query = "SELECT node, edge, target, kind, role FROM contexture.sources WHERE node BETWEEN $1 AND $2
             ORDER BY node, target, edge, place";
        self.all(sql(query).bind(from).bind(to), link)?.into_iter().for_each(take);
        Ok(())
    }

    fn edges_of(&mut self, tree: Seq, take: &mut dyn FnMut(EdgeRow)) -> Result<()> {
        self.gather(sql(edge!("WHERE edges.tree = $1 ORDER BY edges.seq, sources.place")).bind(tree), take)
    }
}

impl Tables<'_> {
    fn insert_sources(&mut self, seq: Seq, edge: &EdgeRow) -> Result<()> {
        let nodes: Vec<i64> = edge.sources.iter().map(|(node, _)| *node).collect();
        let roles: Vec<i64> = edge.sources.iter().map(|(_, role)| role_number(*role)).collect();
        let query = "INSERT INTO contexture.sources (target, edge, place, node, role, kind)
             SELECT $1, $2, place - 1, node, role, $3
             FROM UNNEST($4::bigint[], $5::bigint[]) WITH ORDINALITY AS given (node, role, place)";
        self.execute(sql(query).bind(edge.target).bind(seq).bind(kind_number(edge.kind)).bind(nodes).bind(roles))
    }

    /// Edges from rows of one source each.
    fn gather(&mut self, sql: Sql, take: &mut dyn FnMut(EdgeRow)) -> Result<()> {
        let mut last: Option<EdgeRow> = None;
        for row in self.rows(sql)? {
            let seq: Seq = get(&row, 0)?;
            if last.as_ref().is_none_or(|edge| edge.seq != seq) {
                last.replace(edge(seq, &row)?).into_iter().for_each(&mut *take);
            }
            let source = (get(&row, 5)?, role(get(&row, 6)?)?);
            last.iter_mut().for_each(|edge| edge.sources.push(source));
        }
        last.into_iter().for_each(take);
        Ok(())
    }
}

fn edge(seq: Seq, row: &PgRow) -> Result<EdgeRow> {
    let kind = kind(get(row, 3)?)?;
    Ok(EdgeRow { seq, id: text(row, 1)?, target: get(row, 2)?, kind, created: get(row, 4)?, sources: Vec::new() })
}

fn link(row: &PgRow) -> Result<Link> {
    let (kind, role) = (kind(get(row, 3)?)?, role(get(row, 4)?)?);
    Ok(Link { source: get(row, 0)?, edge: get(row, 1)?, target: get(row, 2)?, kind, role })
}

impl Paths for Tables<'_> {
    fn insert_path(&mut self, tree: Seq, path: &PathRow) -> Result<Seq> {
        let query = "INSERT INTO contexture.paths (tree, id, name, active) VALUES ($1, $2, $3, $4) RETURNING seq";
        self.insert(sql(query).bind(tree).bind(path.id.as_bytes()).bind(path.name.as_bytes()).bind(path.active))
    }

    fn set_active(&mut self, path: Seq, active: Option<Seq>) -> Result<()> {
        self.execute(sql("UPDATE contexture.paths SET active = $2 WHERE seq = $1").bind(path).bind(active))
    }

    fn paths(&mut self, tree: Seq) -> Result<Vec<PathRow>> {
        let query = "SELECT seq, id, name, active FROM contexture.paths WHERE tree = $1 ORDER BY seq";
        self.all(sql(query).bind(tree), path)
    }

    fn path(&mut self, seq: Seq) -> Result<Option<PathRow>> {
        self.one(sql("SELECT seq, id, name, active FROM contexture.paths WHERE seq = $1").bind(seq), path)
    }

    fn has_path_id(&mut self, id: &str) -> Result<bool> {
        let query = "SELECT EXISTS (SELECT 1 FROM contexture.paths WHERE id = $1)";
        Ok(self.one(sql(query).bind(id.as_bytes()), |row| get(row, 0))?.unwrap_or(false))
    }

    fn choices(&mut self, path: Seq) -> Result<Vec<Choice>> {
        let query = "SELECT target, edge, source FROM contexture.choices WHERE path = $1 ORDER BY seq";
        self.all(sql(query).bind(path), choice)
    }

    fn choices_at(&mut self, path: Seq, target: Seq) -> Result<Vec<Choice>> {
        let query = "SELECT target, edge, source FROM contexture.choices WHERE path = $1 AND target = $2 ORDER BY seq";
        self.all(sql(query).bind(path).bind(target), choice)
    }

    fn set_choices(&mut self, path: Seq, target: Seq, choices: &[Choice]) -> Result<()> {
        let query = "DELETE FROM contexture.choices WHERE path = $1 AND target = $2";
        self.execute(sql(query).bind(path).bind(target))?;
        let query = "INSERT INTO contexture.choices (path, target, edge, source) VALUES ($1, $2, $3, $4)";
        for choice in choices {
            self.execute(sql(query).bind(path).bind(target).bind(choice.edge).bind(choice.source))?;
        }
        Ok(())
    }
}

fn path(row: &PgRow) -> Result<PathRow> {
    Ok(PathRow { seq: get(row, 0)?, id: text(row, 1)?, name: text(row, 2)?, active: get(row, 3)? })
}

fn choice(row: &PgRow) -> Result<Choice> {
    Ok(Choice { target: get(row, 0)?, edge: get(row, 1)?, source: get(row, 2)? })
}
