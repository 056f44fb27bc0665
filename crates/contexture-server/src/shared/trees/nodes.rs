//! Nodes: what never changes in one table, how they stand in their tree in another.

use super::{Sql, Tables, get, optional_text, sql, text};
use contexture_conversations::loom::Fault;
use contexture_conversations::loom::columns::{author_type, read_body, write_body};
use contexture_conversations::loom::store::{Head, Marks, Name, NodeRow, Nodes, Result, SaidRow, Seq, Shape};
use contexture_core::ContentHash;
use sqlx::postgres::PgRow;
use std::sync::Arc;

/// Rows that are asked for at once: a path of a million nodes takes some hundred round trips, and little memory.
const MANY: usize = 8_192;

impl Nodes for Tables<'_> {
    fn named(&mut self, word: &str) -> Result<Option<Name>> {
        // An id before a short one, a node before a tree.
        let query = "SELECT local, tree, seq FROM (
                 SELECT 1 AS rank, local, tree, seq FROM contexture.nodes WHERE id = $1
                 UNION ALL SELECT 2, local, seq, NULL FROM contexture.trees WHERE id = $1
                 UNION ALL SELECT 3, local, tree, seq FROM contexture.nodes WHERE local = $1
                 UNION ALL SELECT 4, local, seq, NULL FROM contexture.trees WHERE local = $1) AS found
             ORDER BY rank LIMIT 1";
        self.one(sql(query).bind(word.as_bytes()), name)
    }

    fn is_taken(&mut self, word: &str) -> Result<bool> {
        let query = "SELECT EXISTS (SELECT 1 FROM contexture.nodes WHERE local = $1 OR id = $1)
             OR EXISTS (SELECT 1 FROM contexture.trees WHERE local = $1 OR id = $1)";
        Ok(self.one(sql(query).bind(word.as_bytes()), |row| get(row, 0))?.unwrap_or(false))
    }

    fn beginning(&mut self, word: &str, limit: usize) -> Result<Vec<Name>> {
        // Behind every text that begins with the word: no letter of an id is greater.
        let end = format!("{word}\u{10ffff}");
        let query = "SELECT local, tree, seq FROM (
                 (SELECT id, local, tree, seq FROM contexture.nodes WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3)
                 UNION ALL
                 (SELECT id, local, seq, NULL FROM contexture.trees WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3)
             ) AS found ORDER BY id LIMIT $3";
        self.all(sql(query).bind(word.as_bytes()).bind(end.as_bytes()).bind(limit as i64), name)
    }

    fn last_node(&mut self) -> Result<Seq> {
        Ok(self.one(sql("SELECT coalesce(max(seq), 0) FROM contexture.nodes"), |row| get(row, 0))?.unwrap_or(0))
    }

    fn insert_node(&mut self, row: &NodeRow) -> Result<()> {
        let (form, body) = write_body(&row.message, row.author_type);
        let query = "INSERT INTO contexture.nodes (seq, tree, id, local, author, form, created, lineage, edited_from,
             origin, hash, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        self.execute(
            sql(query)
                .bind(row.seq)
                .bind(row.tree)
                .bind(row.id.as_bytes())
                .bind(row.local.as_bytes())
                .bind(row.author)
                .bind(form)
                .bind(row.created)
                .bind(row.lineage)
                .bind(row.edited_from)
                .bind(row.origin.as_deref().map(str::as_bytes))
                .bind(row.hash.0.as_slice())
                .bind(body.as_bytes()),
        )
    }

    fn insert_shape(&mut self, tree: Seq, shape: &Shape) -> Result<()> {
        let query = "INSERT INTO contexture.shapes (tree, seq, parent, marks, pruned) VALUES ($1, $2, $3, $4, $5)";
        self.execute(with_shape(query, tree, shape))
    }

    fn update_shape(&mut self, tree: Seq, shape: &Shape) -> Result<()> {
        let query = "UPDATE contexture.shapes SET parent = $3, marks = $4, pruned = $5 WHERE tree = $1 AND seq = $2";
        self.execute(with_shape(query, tree, shape))
    }

    fn shapes(&mut self, tree: Seq, from: Seq, to: Seq, take: &mut dyn FnMut(Shape)) -> Result<()> {
        let query = "SELECT seq, parent, marks, pruned FROM contexture.shapes
             WHERE tree = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT $4";
        let mut from = from;
        loop {
            let rows = self.all(sql(query).bind(tree).bind(from).bind(to).bind(MANY as i64), shape)?;
            let (count, last) = (rows.len(), rows.last().map(|shape| shape.seq));
            rows.into_iter().for_each(&mut *take);
            match last.and_then(|last| last.checked_add(1)) {
                Some(next) if count == MANY => from = next,
                _ => return Ok(()),
            }
        }
    }

    fn set_pruned(&mut self, tree: Seq, from: Seq, to: Seq, by: Seq) -> Result<()> {
        let query = "UPDATE contexture.shapes SET pruned = $4 WHERE tree = $1 AND seq BETWEEN $2 AND $3";
        self.execute(sql(query).bind(tree).bind(from).bind(to).bind(by))
    }

    fn restore_with(&mut self, tree: Seq, by: Seq) -> Result<usize> {
        let query = "UPDATE contexture.shapes SET pruned = NULL WHERE tree = $1 AND pruned = $2";
        let many = self.change(sql(query).bind(tree).bind(by))?;
        Ok(usize::try_from(many).unwrap_or(usize::MAX))
    }

    fn said(&mut self, seqs: &[Seq], take: &mut dyn FnMut(SaidRow)) -> Result<()> {
        let query = "SELECT seq, form, body, id, local, author, created, edited_from, origin FROM contexture.nodes
             WHERE seq = ANY($1) ORDER BY seq";
        for some in seqs.chunks(MANY) {
            self.all(sql(query).bind(some), said)?.into_iter().for_each(&mut *take);
        }
        Ok(())
    }

    fn nodes(&mut self, seqs: &[Seq], take: &mut dyn FnMut(NodeRow)) -> Result<()> {
        let query = "SELECT seq, tree, id, local, author, form, created, lineage, edited_from, origin, hash, body
             FROM contexture.nodes WHERE seq = ANY($1) ORDER BY seq";
        for some in seqs.chunks(MANY) {
            self.all(sql(query).bind(some), node)?.into_iter().for_each(&mut *take);
        }
        Ok(())
    }

    fn head(&mut self, seq: Seq) -> Result<Option<Head>> {
        self.one(sql("SELECT id, local, lineage FROM contexture.nodes WHERE seq = $1").bind(seq), |row| {
            Ok(Head { id: text(row, 0)?, local: text(row, 1)?, lineage: get(row, 2)? })
        })
    }

    fn lineage(&mut self, first: Seq) -> Result<Vec<Seq>> {
        let mut all = vec![first];
        let query = "SELECT seq FROM contexture.nodes WHERE lineage = $1 AND lineage <> seq ORDER BY seq";
        all.extend(self.all(sql(query).bind(first), |row| get::<Seq>(row, 0))?);
        // In a tree that came as a whole, the first may stand behind what was made of it.
        all.sort_unstable();
        Ok(all)
    }

    fn bookmark(&mut self, node: Seq) -> Result<Option<String>> {
        self.one(sql("SELECT label FROM contexture.bookmarks WHERE node = $1").bind(node), |row| text(row, 0))
    }

    fn set_bookmark(&mut self, node: Seq, label: Option<&str>) -> Result<()> {
        let Some(label) = label else {
            return self.execute(sql("DELETE FROM contexture.bookmarks WHERE node = $1").bind(node));
        };
        let query = "INSERT INTO contexture.bookmarks (node, label) VALUES ($1, $2)
             ON CONFLICT (node) DO UPDATE SET label = excluded.label";
        self.execute(sql(query).bind(node).bind(label.as_bytes()))
    }
}

fn with_shape(query: &'static str, tree: Seq, shape: &Shape) -> Sql {
    let marks = i64::from(shape.marks.0);
    sql(query).bind(tree).bind(shape.seq).bind(shape.parent).bind(marks).bind(shape.pruned)
}

fn name(row: &PgRow) -> Result<Name> {
    Ok(Name { local: text(row, 0)?, tree: get(row, 1)?, node: get(row, 2)? })
}

fn shape(row: &PgRow) -> Result<Shape> {
    let marks = u8::try_from(get::<i64>(row, 2)?).map_err(|error| Fault::Damaged(error.to_string()))?;
    Ok(Shape { seq: get(row, 0)?, parent: get(row, 1)?, marks: Marks(marks), pruned: get(row, 3)? })
}

fn said(row: &PgRow) -> Result<SaidRow> {
    let form: i64 = get(row, 1)?;
    Ok(SaidRow {
        seq: get(row, 0)?,
        message: Arc::new(read_body(form, &text(row, 2)?)?),
        author_type: author_type(form),
        id: text(row, 3)?,
        local: text(row, 4)?,
        author: get(row, 5)?,
        created: get(row, 6)?,
        edited_from: get(row, 7)?,
        origin: optional_text(row, 8)?,
    })
}

fn node(row: &PgRow) -> Result<NodeRow> {
    let form: i64 = get(row, 5)?;
    let hash: Vec<u8> = get(row, 10)?;
    let hash = hash.try_into().map_err(|_| Fault::Damaged("the hash of a node has another length".into()))?;
    Ok(NodeRow {
        seq: get(row, 0)?,
        tree: get(row, 1)?,
        id: text(row, 2)?,
        local: text(row, 3)?,
        author: get(row, 4)?,
        author_type: author_type(form),
        message: Arc::new(read_body(form, &text(row, 11)?)?),
        created: get(row, 6)?,
        lineage: get(row, 7)?,
        edited_from: get(row, 8)?,
        origin: optional_text(row, 9)?,
        hash: ContentHash(hash),
    })
}
