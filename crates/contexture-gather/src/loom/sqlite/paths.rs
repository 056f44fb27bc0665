//! Paths and what was chosen on them.

use super::super::store::{Choice, PathRow, Paths, Result, Seq};
use super::{Tables, get};
use rusqlite::{Row, params};

impl Paths for Tables<'_> {
    fn insert_path(&mut self, tree: Seq, path: &PathRow) -> Result<Seq> {
        self.insert(
            "INSERT INTO paths (tree, id, name, active) VALUES (?1, ?2, ?3, ?4)",
            params![tree, path.id, path.name, path.active],
        )
    }

    fn set_active(&mut self, path: Seq, active: Option<Seq>) -> Result<()> {
        self.execute("UPDATE paths SET active = ?2 WHERE seq = ?1", params![path, active])?;
        Ok(())
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
