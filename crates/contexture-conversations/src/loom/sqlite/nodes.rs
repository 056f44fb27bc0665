//! Nodes: what never changes in one table, how they stand in their tree in another.

use super::super::Fault;
use super::super::columns::{self, author_type, read_body, write_body};
use super::super::store::{Head, Marks, Name, NodeRow, Nodes, Result, SaidRow, Seq, Shape};
use super::{Tables, connect, get};
use contexture_core::ContentHash;
use rusqlite::{Row, params};
use std::sync::Arc;

pub(super) const NODE: &str = "seq, tree, id, local, author, form, created, lineage, edited_from, origin, hash, body";
const SAID: &str = "seq, form, body, id, local, author, created, edited_from, origin";
/// Numbers this close together are read in one go: to step over a row costs less than to look one up.
const GAP: Seq = 4;
/// To open a second connection takes as long as to read some thousand rows.
const MANY: usize = 20_000;

impl Nodes for Tables<'_> {
    fn named(&mut self, word: &str) -> Result<Option<Name>> {
        for query in [
            "SELECT id, local, tree, seq FROM nodes WHERE id = ?1",
            "SELECT id, local, seq, NULL FROM trees WHERE id = ?1",
            "SELECT id, local, tree, seq FROM nodes WHERE local = ?1",
            "SELECT id, local, seq, NULL FROM trees WHERE local = ?1",
        ] {
            if let Some(found) = self.one(query, [word], name)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn is_taken(&mut self, word: &str) -> Result<bool> {
        let query =
            "SELECT EXISTS (SELECT 1 FROM nodes WHERE local = ?1) OR EXISTS (SELECT 1 FROM trees WHERE local = ?1)
             OR EXISTS (SELECT 1 FROM nodes WHERE id = ?1) OR EXISTS (SELECT 1 FROM trees WHERE id = ?1)";
        Ok(self.one(query, [word], |row| get(row, 0))?.unwrap_or(false))
    }

    fn beginning(&mut self, word: &str, limit: usize) -> Result<Vec<Name>> {
        // Behind every text that begins with the word: no letter of an id is greater.
        let end = format!("{word}\u{10ffff}");
        self.all(
            "SELECT * FROM (SELECT id, local, tree, seq FROM nodes WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3)
             UNION ALL
             SELECT * FROM (SELECT id, local, seq, NULL FROM trees WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3)
             ORDER BY 1 LIMIT ?3",
            params![word, end, limit as i64],
            name,
        )
    }

    fn last_node(&mut self) -> Result<Seq> {
        Ok(self.one("SELECT max(seq) FROM nodes", [], |row| get::<Option<Seq>>(row, 0))?.flatten().unwrap_or(0))
    }

    fn insert_node(&mut self, row: &NodeRow) -> Result<()> {
        let (mut form, text) = write_body(&row.message, row.author_type);
        if row.edited_from.is_some() || row.origin.is_some() {
            form |= columns::MORE;
        }
        let NodeRow { seq, tree, id, local, author, created, lineage, edited_from, origin, hash, .. } = row;
        self.execute(
            &format!("INSERT INTO nodes ({NODE}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"),
            params![seq, tree, id, local, author, form, created, lineage, edited_from, origin, &hash.0[..], text],
        )
    }

    fn insert_shape(&mut self, tree: Seq, shape: &Shape) -> Result<()> {
        self.execute(
            "INSERT INTO shapes (tree, seq, parent, marks, pruned) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![tree, shape.seq, shape.parent, shape.marks.0, shape.pruned],
        )
    }

    fn update_shape(&mut self, tree: Seq, shape: &Shape) -> Result<()> {
        self.execute(
            "UPDATE shapes SET parent = ?3, marks = ?4, pruned = ?5 WHERE tree = ?1 AND seq = ?2",
            params![tree, shape.seq, shape.parent, shape.marks.0, shape.pruned],
        )
    }

    fn shapes(&mut self, tree: Seq, from: Seq, to: Seq, take: &mut dyn FnMut(Shape)) -> Result<()> {
        let query =
            "SELECT seq, parent, marks, pruned FROM shapes WHERE tree = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq";
        self.each(query, [tree, from, to], |row| {
            let marks = Marks(get(row, 2)?);
            take(Shape { seq: get(row, 0)?, parent: get(row, 1)?, marks, pruned: get(row, 3)? });
            Ok(())
        })
    }

    fn set_pruned(&mut self, tree: Seq, from: Seq, to: Seq, by: Seq) -> Result<()> {
        let query = "UPDATE shapes SET pruned = ?4 WHERE tree = ?1 AND seq BETWEEN ?2 AND ?3";
        self.execute(query, [tree, from, to, by])
    }

    fn restore_with(&mut self, tree: Seq, by: Seq) -> Result<usize> {
        let query = "UPDATE shapes SET pruned = NULL WHERE tree = ?1 AND pruned = ?2 AND pruned IS NOT NULL";
        self.change(query, [tree, by])
    }

    fn said(&mut self, seqs: &[Seq], take: &mut dyn FnMut(SaidRow)) -> Result<()> {
        let Some(path) = self.beside.filter(|_| seqs.len() >= MANY) else { return self.runs(SAID, seqs, said, take) };
        // Nodes never change and are never taken away, so a second connection sees the same ones.
        let (first, second) = seqs.split_at(seqs.len() / 2);
        std::thread::scope(|scope| {
            let rest = scope.spawn(|| -> Result<Vec<SaidRow>> {
                let connection = connect(path, true)?;
                let mut rows = Vec::with_capacity(second.len());
                let tables = Tables { connection: &connection, beside: None };
                tables.runs(SAID, second, said, &mut |row| rows.push(row))?;
                Ok(rows)
            });
            self.runs(SAID, first, said, take)?;
            match rest.join() {
                Ok(rows) => rows?.into_iter().for_each(take),
                Err(_) => return Err(Fault::Store("a thread ended early".into()).into()),
            }
            Ok(())
        })
    }

    fn nodes(&mut self, seqs: &[Seq], take: &mut dyn FnMut(NodeRow)) -> Result<()> {
        self.runs(NODE, seqs, node, take)
    }

    fn head(&mut self, seq: Seq) -> Result<Option<Head>> {
        self.one("SELECT id, local, lineage FROM nodes WHERE seq = ?1", [seq], |row| {
            Ok(Head { id: get(row, 0)?, local: get(row, 1)?, lineage: get(row, 2)? })
        })
    }

    fn lineage(&mut self, first: Seq) -> Result<Vec<Seq>> {
        let mut all = vec![first];
        let query = "SELECT seq FROM nodes WHERE lineage = ?1 AND lineage <> seq ORDER BY seq";
        all.extend(self.all(query, [first], |row| get::<Seq>(row, 0))?);
        // In a tree that came as a whole, the first may stand behind what was made of it.
        all.sort_unstable();
        Ok(all)
    }

    fn bookmark(&mut self, node: Seq) -> Result<Option<String>> {
        self.one("SELECT label FROM bookmarks WHERE node = ?1", [node], |row| get(row, 0))
    }

    fn set_bookmark(&mut self, node: Seq, label: Option<&str>) -> Result<()> {
        match label {
            Some(label) => {
                self.execute("INSERT OR REPLACE INTO bookmarks (node, label) VALUES (?1, ?2)", params![node, label])
            }
            None => self.execute("DELETE FROM bookmarks WHERE node = ?1", [node]),
        }
    }
}

impl Tables<'_> {
    /// Rows of nodes, in runs of numbers that are close together.
    fn runs<T>(
        &self,
        columns: &str,
        seqs: &[Seq],
        read: fn(Seq, &Row<'_>) -> Result<T>,
        take: &mut dyn FnMut(T),
    ) -> Result<()> {
        let query = format!("SELECT {columns} FROM nodes WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq");
        for run in seqs.chunk_by(|one, next| next - one <= GAP) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let mut wanted = run.iter().copied().peekable();
            self.each(&query, [first, last], |row| {
                let seq = get(row, 0)?;
                while wanted.next_if(|next| *next < seq).is_some() {}
                if wanted.next_if_eq(&seq).is_some() {
                    take(read(seq, row)?);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

fn name(row: &Row<'_>) -> Result<Name> {
    Ok(Name { local: get(row, 1)?, tree: get(row, 2)?, node: get(row, 3)? })
}

fn said(seq: Seq, row: &Row<'_>) -> Result<SaidRow> {
    let form: i64 = get(row, 1)?;
    let text = row.get_ref(2)?;
    let text = text.as_str().map_err(|error| Fault::Damaged(error.to_string()))?;
    Ok(SaidRow {
        seq,
        message: Arc::new(read_body(form, text)?),
        author_type: author_type(form),
        id: get(row, 3)?,
        local: get(row, 4)?,
        author: get(row, 5)?,
        created: get(row, 6)?,
        // Most nodes have neither, and to ask costs time.
        edited_from: if columns::has_more(form) { get(row, 7)? } else { None },
        origin: if columns::has_more(form) { get(row, 8)? } else { None },
    })
}

fn node(seq: Seq, row: &Row<'_>) -> Result<NodeRow> {
    let form: i64 = get(row, 5)?;
    let text = row.get_ref(11)?;
    let text = text.as_str().map_err(|error| Fault::Damaged(error.to_string()))?;
    let hash: [u8; 32] = get(row, 10)?;
    Ok(NodeRow {
        seq,
        tree: get(row, 1)?,
        id: get(row, 2)?,
        local: get(row, 3)?,
        author: get(row, 4)?,
        author_type: author_type(form),
        message: Arc::new(read_body(form, text)?),
        created: get(row, 6)?,
        lineage: get(row, 7)?,
        edited_from: get(row, 8)?,
        origin: get(row, 9)?,
        hash: ContentHash(hash),
    })
}
