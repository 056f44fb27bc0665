//! Everything that can still be read of a damaged file: a row that cannot is left out and told, and the rest is looked for
//! from the other end and row by row.

use super::super::Fault;
use super::super::columns::{author_type, read_body};
use super::super::store::{Choice, Marks, NodeRow, PathRow, Result, Seq, Shape, TreeRow};
use super::{get, trees};
use contexture_core::{Action, ContentHash, LoomAgent, Message, RawResponse, Role, Stash, Text};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

#[derive(Default)]
pub(in super::super) struct Salvaged {
    pub trees: Vec<(Seq, TreeRow)>,
    pub agents: Vec<(Seq, LoomAgent)>,
    pub nodes: Vec<(Seq, NodeRow)>,
    pub shapes: BTreeMap<Seq, Shape>,
    /// Id, target, kind, when.
    pub edges: BTreeMap<Seq, (String, Seq, i64, i64)>,
    /// By edge.
    pub sources: Sources,
    /// With their trees.
    pub paths: Vec<(Seq, (Seq, PathRow))>,
    /// With their paths.
    pub choices: Vec<(Seq, (Seq, Choice))>,
    pub bookmarks: Vec<(Seq, String)>,
    /// The next three with their trees.
    pub pins: Vec<(Seq, (Seq, Seq))>,
    pub stashes: Vec<(Seq, (Seq, Stash))>,
    pub actions: Vec<(Seq, (Seq, Action))>,
    pub responses: Vec<(Seq, (Seq, RawResponse))>,
    pub current: Option<Seq>,
    pub lost: Vec<String>,
}

/// By edge: target, kind, and the sources with their roles.
pub(in super::super) type Sources = BTreeMap<Seq, (Seq, i64, Vec<(Seq, i64)>)>;

/// Gaps larger than this come from numbers that are damaged themselves.
const GAP: Seq = 4_000_000;

/// `path` is a copy: SQLite may write to it. A database without any table of ours is somebody else's.
pub(in super::super) fn salvage(path: &Path) -> Result<Salvaged> {
    let mut all = Salvaged::default();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags);
    let connection = match opened.and_then(|connection| {
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map(|()| connection)
    }) {
        Ok(connection) => connection,
        Err(error) => {
            all.lost.push(format!("nothing can be read: {error}"));
            return Ok(all);
        }
    };
    let tables = |ours: &str| {
        let query = format!("SELECT count(*) FROM sqlite_schema {ours}");
        connection.query_row(&query, [], |row| row.get::<_, i64>(0)).ok()
    };
    match (tables(""), tables("WHERE name IN ('trees', 'nodes', 'shapes', 'sources')")) {
        // A store that was being made.
        (Some(0), _) if std::fs::metadata(path).is_ok_and(|meta| meta.len() <= 4096) => return Ok(all),
        (Some(1..), Some(0)) => return Err(Fault::Foreign.into()),
        _ => {}
    }
    let mut table = TableReader { connection: &connection, lost: &mut all.lost };
    all.trees = table.rows("trees", trees::TREE, trees::tree);
    all.agents = table.rows("agents", trees::AGENT, |row| Ok(trees::agent(row)?.1));
    all.nodes = table.rows("nodes", super::nodes::NODE, node);
    all.edges = table
        .rows("edges", "seq, id, target, kind, created", |row| {
            Ok((text(row, 1)?, get(row, 2)?, get(row, 3)?, get(row, 4)?))
        })
        .into_iter()
        .collect();
    all.paths = table.rows("paths", "seq, tree, id, name, active", |row| {
        Ok((get(row, 1)?, PathRow { seq: get(row, 0)?, id: text(row, 2)?, name: text(row, 3)?, active: get(row, 4)? }))
    });
    all.choices = table.rows("choices", "seq, path, target, edge, source", |row| {
        Ok((get(row, 1)?, Choice { target: get(row, 2)?, edge: get(row, 3)?, source: get(row, 4)? }))
    });
    all.bookmarks = table.rows("bookmarks", "node, label", |row| text(row, 1));
    all.pins = table.rows("pins", "seq, tree, node", |row| Ok((get(row, 1)?, get(row, 2)?)));
    all.stashes = table.rows("stashes", "seq, tree, label, text, recalled", |row| {
        Ok((get(row, 1)?, Stash { label: text(row, 2)?, text: text(row, 3)?.into(), recalled: get(row, 4)? }))
    });
    all.actions = table.rows("actions", "seq, tree, at, text", |row| {
        Ok((get(row, 1)?, Action { at: get(row, 2)?, text: text(row, 3)? }))
    });
    all.responses = table.rows(
        "responses",
        "seq, node, provider, model, body, input_tokens, output_tokens, latency, created",
        |row| Ok((get(row, 1)?, response(row)?)),
    );
    for (seq, row) in &all.nodes {
        table.shape(*seq, row.tree, &mut all.shapes);
        table.sources(*seq, &mut all.sources);
    }
    let current = connection.query_row("SELECT value FROM settings WHERE name = 'tree'", [], |row| row.get(0));
    all.current = current.ok();
    Ok(all)
}

struct TableReader<'a> {
    connection: &'a Connection,
    lost: &'a mut Vec<String>,
}

impl TableReader<'_> {
    /// All rows of a table whose first column is its number.
    fn rows<T>(&mut self, name: &str, columns: &str, read: impl Fn(&Row<'_>) -> Result<T>) -> Vec<(Seq, T)> {
        let key = columns.split(',').next().unwrap_or_default();
        let mut found: BTreeMap<Seq, T> = BTreeMap::new();
        let from = format!("SELECT {columns} FROM {name} NOT INDEXED");
        let up = self.scan(&format!("{from} ORDER BY {key}"), name, &read, &mut found, |next, last| next > last);
        if let Err((error, last)) = up {
            self.lost
                .push(format!("{name}: {error}; the rows from {} on are looked for one by one", last.unwrap_or(0)));
            let mut behind = BTreeMap::new();
            let down = format!("{from} ORDER BY {key} DESC");
            let _ = self.scan(&down, name, &read, &mut behind, |next, last| next < last);
            let start = last.map_or(1, |last| last.saturating_add(1));
            let end = behind.keys().next().copied().unwrap_or_else(|| self.greatest(name, key));
            found.append(&mut behind);
            if end.saturating_sub(start) < GAP {
                let query = format!("{from} WHERE {key} = ?1");
                for seq in start..end.saturating_add(1) {
                    self.one(&query, seq, &read, &mut found);
                }
            }
        }
        found.into_iter().collect()
    }

    /// Until the end, or to where the file cannot be read or does not ascend any more.
    fn scan<T>(
        &mut self,
        query: &str,
        name: &str,
        read: &impl Fn(&Row<'_>) -> Result<T>,
        found: &mut BTreeMap<Seq, T>,
        follows: fn(Seq, Seq) -> bool,
    ) -> std::result::Result<(), (String, Option<Seq>)> {
        let mut last = None;
        let fail = |error: rusqlite::Error, last| (error.to_string(), last);
        let mut statement = self.connection.prepare(query).map_err(|error| fail(error, last))?;
        let mut rows = statement.query([]).map_err(|error| fail(error, last))?;
        while let Some(row) = rows.next().map_err(|error| fail(error, last))? {
            let seq: Seq = row.get(0).map_err(|error| fail(error, last))?;
            if last.is_some_and(|last| !follows(seq, last)) {
                return Err(("the rows are out of order".into(), last));
            }
            last = Some(seq);
            match read(row) {
                Ok(value) => drop(found.insert(seq, value)),
                Err(error) => self.lost.push(format!("{name} {seq}: {error}")),
            }
        }
        Ok(())
    }

    fn one<T>(&mut self, query: &str, seq: Seq, read: &impl Fn(&Row<'_>) -> Result<T>, found: &mut BTreeMap<Seq, T>) {
        let Ok(mut statement) = self.connection.prepare_cached(query) else { return };
        let Ok(mut rows) = statement.query([seq]) else { return };
        if let Ok(Some(row)) = rows.next()
            && let Ok(value) = read(row)
        {
            found.entry(seq).or_insert(value);
        }
    }

    fn greatest(&self, name: &str, key: &str) -> Seq {
        let query = format!("SELECT max({key}) FROM {name}");
        self.connection.query_row(&query, [], |row| row.get::<_, Option<Seq>>(0)).ok().flatten().unwrap_or(0)
    }

    fn shape(&mut self, seq: Seq, tree: Seq, found: &mut BTreeMap<Seq, Shape>) {
        let query = "SELECT parent, marks, pruned FROM shapes WHERE tree = ?1 AND seq = ?2";
        let read = self.connection.prepare_cached(query).and_then(|mut statement| {
            statement.query_row([tree, seq], |row| {
                Ok(Shape { seq, parent: row.get(0)?, marks: Marks(row.get(1)?), pruned: row.get(2)? })
            })
        });
        if let Ok(shape) = read {
            found.insert(seq, shape);
        }
    }

    fn sources(&mut self, target: Seq, found: &mut Sources) {
        let query = "SELECT edge, node, role, kind FROM sources WHERE target = ?1 ORDER BY edge, place";
        let Ok(mut statement) = self.connection.prepare_cached(query) else { return };
        let Ok(mut rows) = statement.query([target]) else { return };
        while let Ok(Some(row)) = rows.next() {
            let row: std::result::Result<(Seq, Seq, i64, i64), _> = row.try_into();
            if let Ok((edge, node, role, kind)) = row {
                let (_, _, sources) = found.entry(edge).or_insert_with(|| (target, kind, Vec::new()));
                sources.push((node, role));
            }
        }
    }
}

/// A text as far as it is text.
fn text(row: &Row<'_>, at: usize) -> Result<String> {
    match row.get_ref(at)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
        _ => get(row, at),
    }
}

/// A node with whatever its text has become; its hash tells whether that is right.
fn node(row: &Row<'_>) -> Result<NodeRow> {
    let form: i64 = get(row, 5)?;
    let said = text(row, 11)?;
    let message = read_body(form, &said).unwrap_or_else(|_| Message::new(Role::User, said));
    let hash: Option<[u8; 32]> = get(row, 10).ok();
    let origin = if matches!(row.get_ref(9), Ok(ValueRef::Null)) { None } else { Some(text(row, 9)?) };
    Ok(NodeRow {
        seq: get(row, 0)?,
        tree: get(row, 1)?,
        id: text(row, 2)?,
        local: text(row, 3)?,
        author: get(row, 4)?,
        author_type: author_type(form),
        message: Arc::new(message),
        created: get(row, 6)?,
        lineage: get(row, 7)?,
        edited_from: get(row, 8)?,
        origin,
        hash: ContentHash(hash.unwrap_or_default()),
    })
}

fn response(row: &Row<'_>) -> Result<RawResponse> {
    let number = |at: usize| -> Result<Option<u64>> { Ok(get::<Option<i64>>(row, at)?.map(i64::cast_unsigned)) };
    Ok(RawResponse {
        node: String::new(),
        provider: text(row, 2)?,
        model: text(row, 3)?,
        body: Text::from(text(row, 4)?),
        input_tokens: number(5)?,
        output_tokens: number(6)?,
        latency_ms: number(7)?.unwrap_or_default(),
        created: get(row, 8)?,
    })
}
