//! Paths and what was chosen on them.

use super::{Tables, get, text};
use contexture_gather::loom::store::{Choice, PathRow, Paths, Result, Seq};
use sqlx::postgres::PgRow;

impl Paths for Tables<'_> {
    fn insert_path(&mut self, tree: Seq, path: &PathRow) -> Result<Seq> {
        self.insert(
            "INSERT INTO contexture.paths (tree, id, name, active) VALUES ($1, $2, $3, $4) RETURNING seq",
            &[tree.into(), (&path.id).into(), (&path.name).into(), path.active.into()],
        )
    }

    fn set_active(&mut self, path: Seq, active: Option<Seq>) -> Result<()> {
        self.execute("UPDATE contexture.paths SET active = $2 WHERE seq = $1", &[path.into(), active.into()])?;
        Ok(())
    }

    fn paths(&mut self, tree: Seq) -> Result<Vec<PathRow>> {
        let query = "SELECT seq, id, name, active FROM contexture.paths WHERE tree = $1 ORDER BY seq";
        self.all(query, &[tree.into()], path)
    }

    fn path(&mut self, seq: Seq) -> Result<Option<PathRow>> {
        self.one("SELECT seq, id, name, active FROM contexture.paths WHERE seq = $1", &[seq.into()], path)
    }

    fn has_path_id(&mut self, id: &str) -> Result<bool> {
        let query = "SELECT EXISTS (SELECT 1 FROM contexture.paths WHERE id = $1)";
        Ok(self.one(query, &[id.into()], |row| get(row, 0))?.unwrap_or(false))
    }

    fn choices(&mut self, path: Seq) -> Result<Vec<Choice>> {
        let query = "SELECT target, edge, source FROM contexture.choices WHERE path = $1 ORDER BY seq";
        self.all(query, &[path.into()], choice)
    }

    fn choices_at(&mut self, path: Seq, target: Seq) -> Result<Vec<Choice>> {
        let query = "SELECT target, edge, source FROM contexture.choices WHERE path = $1 AND target = $2 ORDER BY seq";
        self.all(query, &[path.into(), target.into()], choice)
    }

    fn set_choices(&mut self, path: Seq, target: Seq, choices: &[Choice]) -> Result<()> {
        let query = "DELETE FROM contexture.choices WHERE path = $1 AND target = $2";
        self.execute(query, &[path.into(), target.into()])?;
        for choice in choices {
            self.execute(
                "INSERT INTO contexture.choices (path, target, edge, source) VALUES ($1, $2, $3, $4)",
                &[path.into(), target.into(), choice.edge.into(), choice.source.into()],
            )?;
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
