//! Edges and their sources, and the paths that choose among them.

use super::super::columns::{kind, kind_number, role, role_number};
use super::super::store::{Choice, EdgeRow, Edges, Link, PathRow, Paths, Result, Seq};
use super::{Tables, get};
use rusqlite::{Row, params};

const EDGE: &str = "edges.seq, edges.id, edges.target, edges.kind, edges.created, sources.node, sources.role";

impl Edges for Tables<'_> {
    fn insert_edge(&mut self, tree: Seq, edge: &EdgeRow) -> Result<Seq> {
        let seq = self.insert(
            "INSERT INTO edges (tree, id, target, kind, created) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![tree, edge.id, edge.target, kind_number(edge.kind), edge.created],
        )?;
        self.insert_sources(seq, edge)?;
        Ok(seq)
    }

    fn set_sources(&mut self, edge: &EdgeRow) -> Result<()> {
        self.execute("DELETE FROM sources WHERE target = ?1 AND edge = ?2", [edge.target, edge.seq])?;
        self.insert_sources(edge.seq, edge)
    }

    fn edge(&mut self, seq: Seq) -> Result<Option<EdgeRow>> {
        let mut found = Vec::new();
        let query = format!(
            "SELECT {EDGE} FROM edges CROSS JOIN sources ON sources.target = edges.target AND sources.edge = edges.seq
             WHERE edges.seq = ?1 ORDER BY sources.place"
        );
        self.gather(&query, seq, &mut |edge| found.push(edge))?;
        Ok(found.pop())
    }

    fn edge_named(&mut self, id: &str) -> Result<Option<(Seq, Seq)>> {
        self.one("SELECT seq, target FROM edges WHERE id = ?1", [id], |row| Ok((get(row, 0)?, get(row, 1)?)))
    }

    fn edges_into(&mut self, target: Seq) -> Result<Vec<EdgeRow>> {
        let mut found = Vec::new();
        let query = format!(
            "SELECT {EDGE} FROM sources CROSS JOIN edges ON edges.seq = sources.edge
             WHERE sources.target = ?1 ORDER BY sources.edge, sources.place"
        );
        self.gather(&query, target, &mut |edge| found.push(edge))?;
        Ok(found)
    }

    fn links(&mut self, from: Seq, to: Seq, take: &mut dyn FnMut(Link)) -> Result<()> {
        let query = "SELECT node, edge, target, kind, role FROM sources WHERE node BETWEEN ?1 AND ?2
             ORDER BY node, target, edge, place";
        self.each(query, [from, to], |row| {
            let (kind, role) = (kind(get(row, 3)?)?, role(get(row, 4)?)?);
            take(Link { source: get(row, 0)?, edge: get(row, 1)?, target: get(row, 2)?, kind, role });
            Ok(())
        })
    }

    fn edges_of(&mut self, tree: Seq, take: &mut dyn FnMut(EdgeRow)) -> Result<()> {
        let query = format!(
            "SELECT {EDGE} FROM edges CROSS JOIN sources ON sources.target = edges.target AND sources.edge = edges.seq
             WHERE edges.tree = ?1 ORDER BY edges.seq, sources.place"
        );
        self.gather(&query, tree, take)
    }
}

impl Tables<'_> {
    fn insert_sources(&self, seq: Seq, edge: &EdgeRow) -> Result<()> {
        for (place, (node, role)) in edge.sources.iter().enumerate() {
            self.execute(
                "INSERT INTO sources (target, edge, place, node, role, kind) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![edge.target, seq, place as i64, node, role_number(*role), kind_number(edge.kind)],
            )?;
        }
        Ok(())
    }

    /// Edges from rows of one source each.
    fn gather(&self, query: &str, number: Seq, take: &mut dyn FnMut(EdgeRow)) -> Result<()> {
        let mut last: Option<EdgeRow> = None;
        self.each(query, [number], |row| {
            let seq: Seq = get(row, 0)?;
            if last.as_ref().is_none_or(|edge| edge.seq != seq) {
                last.replace(edge(seq, row)?).into_iter().for_each(&mut *take);
            }
            let source = (get(row, 5)?, role(get(row, 6)?)?);
            last.iter_mut().for_each(|edge| edge.sources.push(source));
            Ok(())
        })?;
        last.into_iter().for_each(take);
        Ok(())
    }
}

fn edge(seq: Seq, row: &Row<'_>) -> Result<EdgeRow> {
    let kind = kind(get(row, 3)?)?;
    Ok(EdgeRow { seq, id: get(row, 1)?, target: get(row, 2)?, kind, created: get(row, 4)?, sources: Vec::new() })
}

impl Paths for Tables<'_> {
    fn insert_path(&mut self, tree: Seq, path: &PathRow) -> Result<Seq> {
        self.insert(
            "INSERT INTO paths (tree, id, name, active) VALUES (?1, ?2, ?3, ?4)",
            params![tree, path.id, path.name, path.active],
        )
    }

    fn set_active(&mut self, path: Seq, active: Option<Seq>) -> Result<()> {
        self.execute("UPDATE paths SET active = ?2 WHERE seq = ?1", params![path, active])
    }

    fn paths(&mut self, tree: Seq) -> Result<Vec<PathRow>> {
        self.all("SELECT seq, id, name, active FROM paths WHERE tree = ?1 ORDER BY seq", [tree], path)
    }

    fn path(&mut self, seq: Seq) -> Result<Option<PathRow>> {
        self.one("SELECT seq, id, name, active FROM paths WHERE seq = ?1", [seq], path)
    }

    fn has_path_id(&mut self, id: &str) -> Result<bool> {
        Ok(self.one("SELECT 1 FROM paths WHERE id = ?1", [id], |_| Ok(()))?.is_some())
    }

    fn choices(&mut self, path: Seq) -> Result<Vec<Choice>> {
        self.all("SELECT target, edge, source FROM choices WHERE path = ?1 ORDER BY seq", [path], choice)
    }

    fn choices_at(&mut self, path: Seq, target: Seq) -> Result<Vec<Choice>> {
        let query = "SELECT target, edge, source FROM choices WHERE path = ?1 AND target = ?2 ORDER BY seq";
        self.all(query, [path, target], choice)
    }

    fn set_choices(&mut self, path: Seq, target: Seq, choices: &[Choice]) -> Result<()> {
        self.execute("DELETE FROM choices WHERE path = ?1 AND target = ?2", [path, target])?;
        for choice in choices {
            self.execute(
                "INSERT INTO choices (path, target, edge, source) VALUES (?1, ?2, ?3, ?4)",
                params![path, target, choice.edge, choice.source],
            )?;
        }
        Ok(())
    }
}

fn path(row: &Row<'_>) -> Result<PathRow> {
    Ok(PathRow { seq: get(row, 0)?, id: get(row, 1)?, name: get(row, 2)?, active: get(row, 3)? })
}

fn choice(row: &Row<'_>) -> Result<Choice> {
    Ok(Choice { target: get(row, 0)?, edge: get(row, 1)?, source: get(row, 2)? })
}
