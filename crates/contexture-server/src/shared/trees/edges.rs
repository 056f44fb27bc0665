//! Edges and their sources.

use super::{Bind, Tables, get, text};
use contexture_gather::loom::columns::{kind, kind_number, role, role_number};
use contexture_gather::loom::store::{EdgeRow, Edges, Link, Result, Seq};
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
        let seq = self.insert(
            "INSERT INTO contexture.edges (tree, id, target, kind, created) VALUES ($1, $2, $3, $4, $5) RETURNING seq",
            &[tree.into(), (&edge.id).into(), edge.target.into(), kind_number(edge.kind).into(), edge.created.into()],
        )?;
        self.insert_sources(seq, edge)?;
        Ok(seq)
    }

    fn set_sources(&mut self, edge: &EdgeRow) -> Result<()> {
        let query = "DELETE FROM contexture.sources WHERE target = $1 AND edge = $2";
        self.execute(query, &[edge.target.into(), edge.seq.into()])?;
        self.insert_sources(edge.seq, edge)
    }

    fn edge(&mut self, seq: Seq) -> Result<Option<EdgeRow>> {
        let mut found = Vec::new();
        let query = edge!("WHERE edges.seq = $1 ORDER BY sources.place");
        self.gather(query, &[seq.into()], &mut |edge| found.push(edge))?;
        Ok(found.pop())
    }

    fn edge_named(&mut self, id: &str) -> Result<Option<(Seq, Seq)>> {
        let query = "SELECT seq, target FROM contexture.edges WHERE id = $1";
        self.one(query, &[id.into()], |row| Ok((get(row, 0)?, get(row, 1)?)))
    }

    fn edges_into(&mut self, target: Seq) -> Result<Vec<EdgeRow>> {
        let mut found = Vec::new();
        let query = edge!("WHERE sources.target = $1 ORDER BY sources.edge, sources.place");
        self.gather(query, &[target.into()], &mut |edge| found.push(edge))?;
        Ok(found)
    }

    fn links(&mut self, from: Seq, to: Seq, take: &mut dyn FnMut(Link)) -> Result<()> {
        let query = "SELECT node, edge, target, kind, role FROM contexture.sources WHERE node BETWEEN $1 AND $2
             ORDER BY node, target, edge, place";
        self.all(query, &[from.into(), to.into()], link)?.into_iter().for_each(take);
        Ok(())
    }

    fn edges_of(&mut self, tree: Seq, take: &mut dyn FnMut(EdgeRow)) -> Result<()> {
        self.gather(edge!("WHERE edges.tree = $1 ORDER BY edges.seq, sources.place"), &[tree.into()], take)
    }
}

impl Tables<'_> {
    fn insert_sources(&mut self, seq: Seq, edge: &EdgeRow) -> Result<()> {
        let nodes: Vec<i64> = edge.sources.iter().map(|(node, _)| *node).collect();
        let roles: Vec<i64> = edge.sources.iter().map(|(_, role)| role_number(*role)).collect();
        self.execute(
            "INSERT INTO contexture.sources (target, edge, place, node, role, kind)
             SELECT $1, $2, place - 1, node, role, $3
             FROM UNNEST($4::bigint[], $5::bigint[]) WITH ORDINALITY AS given (node, role, place)",
            &[
                edge.target.into(),
                seq.into(),
                kind_number(edge.kind).into(),
                nodes.as_slice().into(),
                roles.as_slice().into(),
            ],
        )?;
        Ok(())
    }

    /// Edges from rows of one source each.
    fn gather(&mut self, query: &'static str, binds: &[Bind<'_>], take: &mut dyn FnMut(EdgeRow)) -> Result<()> {
        let mut last: Option<EdgeRow> = None;
        for row in self.rows(query, binds)? {
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
