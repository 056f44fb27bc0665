//! Manifests in one SQLite file, for any number of processes at once.
//!
//! The log is written ahead and synced with every transaction: a number that was given out stays given out, and what it stands
//! for is there, whatever dies when. The file is for its owner alone.

use super::FILE;
use super::error::{Result, RunsError, damage};
use super::head::{Head, StoredRequest};
use super::lists::{self, Lists};
use super::manifest::{Manifest, SentRequest, Summary};
use crate::database::{self, FileHead, PATIENCE, Schema};
use crate::{outputs, private_files};
use contexture_core::{ContentHash, keywords};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The manifests of all projects, in one file.
pub struct Runs {
    connection: Connection,
    path: PathBuf,
    limits: Limits,
    /// Whether the name of the log is on disk for good.
    is_synced: bool,
}

/// How much is held before the oldest goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Of each project.
    pub runs: u64,
    /// Bytes of requests and answers, of all projects. Their manifests stay.
    pub kept_bytes: u64,
}

impl Default for Limits {
    /// A thousand runs are weeks of work; a quarter of a gigabyte are hundreds of large requests.
    fn default() -> Self {
        Self { runs: 1_000, kept_bytes: 256 * 1024 * 1024 }
    }
}

/// Bytes that stand beside a manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptBody {
    /// The body of a request as it left.
    Request,
    /// The raw answer.
    Response,
}

keywords!(KeptBody { Request = "request", Response = "response" });

/// A run as people name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunSelector {
    Number(u64),
    /// Counted from the newest, which is 1.
    Back(u64),
}

impl RunSelector {
    /// `12`, `last`, or `-1`, `-2`… from the newest.
    pub fn parse(word: &str) -> Option<Self> {
        if word == "last" {
            return Some(Self::Back(1));
        }
        let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten();
        match word.strip_prefix('-') {
            Some(back) => digits(back).filter(|back| *back > 0).map(Self::Back),
            None => digits(word).map(Self::Number),
        }
    }
}

impl Runs {
    /// Opens the file in `dir`; one that is not there is made.
    pub fn open(dir: &Path) -> Result<Self> {
        let path = dir.join(FILE);
        make_private(&path)?;
        let connection = connect(&path)?;
        prepare(&connection)?;
        Ok(Self { connection, path, limits: Limits::default(), is_synced: false })
    }

    /// Opens the file if there is one.
    pub fn look(dir: &Path) -> Result<Option<Self>> {
        match fs::metadata(dir.join(FILE)) {
            Ok(_) => Self::open(dir).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(RunsError::Io { what: "open the file of runs", cause }),
        }
    }

    /// The same store, which from now on holds this much.
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Stores a manifest under the project's next number and gives that number. `request` are the exact bytes of a request.
    pub fn record(&mut self, project: &Path, manifest: &Manifest, request: Option<&[u8]>) -> Result<u64> {
        // What takes time is done before the file is locked.
        let head = serde_json::to_string(&Head::of(manifest)).map_err(|error| damage(&error.to_string()))?;
        let lists = lists::write(manifest).map_err(|error| damage(&error.to_string()))?;
        let limits = self.limits;
        self.write(|tables| {
            let (project, number) = tables.next(project)?;
            let lists = tables.put_lists(&lists)?;
            let insert = "INSERT INTO runs (project, number, head, lists) VALUES (?1, ?2, ?3, ?4)";
            tables.0.prepare_cached(insert)?.execute(params![project, number as i64, head, lists])?;
            let run = tables.0.last_insert_rowid();
            if let Some(request) = request {
                tables.keep(run, KeptBody::Request, request, limits)?;
            }
            tables.forget(project, limits)?;
            Ok(number)
        })
    }

    /// Adds what came of a request to its run.
    pub fn answer(&mut self, project: &Path, number: u64, sent: &SentRequest, response: Option<&[u8]>) -> Result<()> {
        let limits = self.limits;
        self.write(|tables| {
            let (run, head) = tables.run(project, number)?.ok_or(RunsError::NoRun(number))?;
            // What a later version wrote beside it stays.
            let mut head: Value = serde_json::from_str(&head).map_err(|error| damage(&error.to_string()))?;
            let object = head.as_object_mut().ok_or_else(|| damage("a head is no object"))?;
            object.insert("sent".into(), json!(StoredRequest::of(sent)));
            tables
                .0
                .prepare_cached("UPDATE runs SET head = ?2 WHERE id = ?1")?
                .execute(params![run, head.to_string()])?;
            if let Some(response) = response {
                tables.keep(run, KeptBody::Response, response, limits)?;
            }
            let owner = "SELECT project FROM runs WHERE id = ?1";
            let owner = tables.0.prepare_cached(owner)?.query_row([run], |row| row.get(0))?;
            tables.forget(owner, limits)
        })
    }

    /// The newest first.
    pub fn list(&self, project: &Path, limit: usize) -> Result<Vec<Summary>> {
        let mut select = self.connection.prepare_cached(
            "SELECT number, head FROM runs WHERE project = (SELECT id FROM projects WHERE root = ?1)
             ORDER BY number DESC LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = select.query(params![root_bytes(project), limit])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let number = count(row.get(0)?)?;
            let head = row.get_ref(1)?.as_str().map_err(|_| damage("a head is no text"))?;
            all.push(Head::parse(head)?.into_summary(number)?);
        }
        Ok(all)
    }

    /// Of the newest answers of a provider's model from one server, in any project: the tokens of the request by this counter, and as
    /// the server counted them. A figure that SQLite has no whole number for is none.
    pub fn token_counts(
        &self,
        provider: &str,
        server: Option<&str>,
        model: &str,
        tokenizer: &str,
    ) -> Result<Vec<(u64, u64)>> {
        let mut select = self.connection.prepare_cached(
            "SELECT ours, theirs FROM (
                 SELECT id, json_extract(head, '$.tokens.count') AS ours, json_extract(head, '$.sent.usage.input') AS theirs FROM runs
                 WHERE json_extract(head, '$.sent.provider') = ?1 AND json_extract(head, '$.sent.model') = ?2
                   AND json_extract(head, '$.tokens.tokenizer') = ?3 AND json_extract(head, '$.sent.server') IS ?4)
             WHERE typeof(ours) = 'integer' AND typeof(theirs) = 'integer' AND theirs > 0
             ORDER BY id DESC LIMIT 50",
        )?;
        let rows = select.query_map((provider, model, tokenizer, server), |row| row.try_into())?;
        let mut all = Vec::new();
        for row in rows {
            let (ours, theirs): (i64, i64) = row?;
            all.push((count(ours)?, count(theirs)?));
        }
        Ok(all)
    }

    /// The number of the run that is meant, where there is one.
    pub fn find(&self, project: &Path, which: RunSelector) -> Result<Option<u64>> {
        let (clause, value) = match which {
            RunSelector::Number(number) => ("AND number = ?2", number),
            RunSelector::Back(back) => ("ORDER BY number DESC LIMIT 1 OFFSET ?2", back.saturating_sub(1)),
        };
        let query =
            format!("SELECT number FROM runs WHERE project = (SELECT id FROM projects WHERE root = ?1) {clause}");
        let Ok(value) = i64::try_from(value) else { return Ok(None) };
        let found: Option<i64> = self
            .connection
            .prepare_cached(&query)?
            .query_row(params![root_bytes(project), value], |row| row.get(0))
            .optional()?;
        found.map(count).transpose()
    }

    /// A whole manifest.
    pub fn get(&self, project: &Path, number: u64) -> Result<Manifest> {
        // One moment for all reads: another process may forget this run in between.
        let _moment = self.connection.unchecked_transaction()?;
        let select = "SELECT head, lists FROM runs
                      WHERE project = (SELECT id FROM projects WHERE root = ?1) AND number = ?2";
        let row: Option<(String, Vec<u8>)> = self
            .connection
            .prepare_cached(select)?
            .query_row(params![root_bytes(project), number as i64], |row| row.try_into())
            .optional()?;
        let (head, ids) = row.ok_or(RunsError::NoRun(number))?;
        let mut manifest = Head::parse(&head)?.into_manifest(number)?;
        let [request, items, left_out, notes, blocks] = self.parts(&ids)?;
        let broken = || damage("a list cannot be read");
        manifest.request = lists::read_request(&request).ok_or_else(broken)?;
        manifest.items = lists::read_items(&items).ok_or_else(broken)?;
        manifest.left_out = lists::read_plain(&left_out).ok_or_else(broken)?;
        manifest.notes = lists::read_plain(&notes).ok_or_else(broken)?;
        manifest.blocks = lists::read_blocks(&blocks, manifest.items.len()).ok_or_else(broken)?;
        Ok(manifest)
    }

    /// Bytes that were kept beside a manifest, as long as there was room.
    pub fn kept_body(&self, project: &Path, number: u64, what: KeptBody) -> Result<Option<Vec<u8>>> {
        let select = "SELECT body FROM kept JOIN runs ON runs.id = kept.run
                      WHERE project = (SELECT id FROM projects WHERE root = ?1) AND number = ?2 AND name = ?3";
        let mut select = self.connection.prepare_cached(select)?;
        Ok(select.query_row(params![root_bytes(project), number as i64, what.as_str()], |row| row.get(0)).optional()?)
    }

    /// How many runs and parts there are, after a check of the whole file.
    pub fn check(&self) -> Result<String> {
        let verdict: String = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict != "ok" {
            return Err(damage(&verdict));
        }
        let runs: i64 = self.connection.query_row("SELECT count(*) FROM runs", [], |row| row.get(0))?;
        Ok(format!("{}: {runs} runs", self.path.display()))
    }

    fn parts(&self, ids: &[u8]) -> Result<[Vec<Vec<u8>>; 5]> {
        let mut select = self.connection.prepare_cached("SELECT hash, body FROM parts WHERE id = ?1")?;
        let mut lists: [Vec<Vec<u8>>; 5] = Default::default();
        for (list, ids) in lists.iter_mut().zip(part_ids(ids)?) {
            for id in ids {
                let (hash, body): (Vec<u8>, Vec<u8>) = select
                    .query_row([id as i64], |row| row.try_into())
                    .optional()?
                    .ok_or_else(|| damage("a part is missing"))?;
                if hash != ContentHash::of(&body).0 {
                    return Err(damage("a part is not what it was"));
                }
                list.push(body);
            }
        }
        Ok(lists)
    }

    fn write<T>(&mut self, work: impl FnOnce(&Tables<'_>) -> Result<T>) -> Result<T> {
        let value = database::transaction(&self.connection, "BEGIN IMMEDIATE", || work(&Tables(&self.connection)))?;
        if !self.is_synced {
            // SQLite syncs the log but not its name, and without its name the log is gone after a power cut.
            let folder = private_files::folder(&self.path);
            outputs::sync_folder(folder).map_err(|error| RunsError::Store(error.to_string()))?;
            self.is_synced = true;
        }
        Ok(value)
    }
}

/// The tables within a transaction.
struct Tables<'a>(&'a Connection);

impl Tables<'_> {
    /// The project and its next number, which is taken from now on.
    fn next(&self, project: &Path) -> Result<(i64, u64)> {
        let insert = "INSERT INTO projects (root, next) VALUES (?1, 2)
                      ON CONFLICT (root) DO UPDATE SET next = next + 1 RETURNING id, next - 1";
        let (id, number): (i64, i64) =
            self.0.prepare_cached(insert)?.query_row([root_bytes(project)], |row| row.try_into())?;
        Ok((id, count(number)?))
    }

    fn run(&self, project: &Path, number: u64) -> Result<Option<(i64, String)>> {
        let select = "SELECT id, head FROM runs
                      WHERE project = (SELECT id FROM projects WHERE root = ?1) AND number = ?2";
        let mut select = self.0.prepare_cached(select)?;
        Ok(select.query_row(params![root_bytes(project), number as i64], |row| row.try_into()).optional()?)
    }

    /// The ids of all parts: for each list how many, then which.
    fn put_lists(&self, lists: &Lists) -> Result<Vec<u8>> {
        let mut ids: [Vec<u64>; 5] = Default::default();
        let lists = [&lists.request, &lists.items, &lists.left_out, &lists.notes, &lists.blocks];
        for (ids, list) in ids.iter_mut().zip(lists) {
            *ids = list.iter().map(|part| count(self.put_part(part)?)).collect::<Result<_>>()?;
        }
        postcard::to_stdvec(&ids).map_err(|error| damage(&error.to_string()))
    }

    fn put_part(&self, body: &[u8]) -> Result<i64> {
        let hash = ContentHash::of(body);
        let known = self
            .0
            .prepare_cached("SELECT id FROM parts WHERE hash = ?1")?
            .query_row([&hash.0[..]], |row| row.get(0))
            .optional()?;
        let id = match known {
            Some(id) => id,
            None => {
                let insert = "INSERT INTO parts (hash, body) VALUES (?1, ?2)";
                self.0.prepare_cached(insert)?.execute(params![&hash.0[..], body])?;
                self.0.last_insert_rowid()
            }
        };
        let add = "INSERT INTO uses (part, times) VALUES (?1, 1) ON CONFLICT (part) DO UPDATE SET times = times + 1";
        self.0.prepare_cached(add)?.execute([id])?;
        Ok(id)
    }

    /// What alone is more than all the room is not kept, and nothing else has to go for it.
    fn keep(&self, run: i64, what: KeptBody, body: &[u8], limits: Limits) -> Result<()> {
        if body.len() as u64 > limits.kept_bytes {
            return Ok(());
        }
        let insert = "INSERT OR REPLACE INTO kept (run, name, bytes, body) VALUES (?1, ?2, ?3, ?4)";
        self.0.prepare_cached(insert)?.execute(params![run, what.as_str(), body.len() as i64, body])?;
        Ok(())
    }

    /// The oldest runs of a project and the oldest bytes of all, as far as there are too many.
    fn forget(&self, project: i64, limits: Limits) -> Result<()> {
        let old = "SELECT id, lists FROM runs WHERE project = ?1 ORDER BY number DESC LIMIT -1 OFFSET ?2";
        let most = i64::try_from(limits.runs.max(1)).unwrap_or(i64::MAX);
        let mut select = self.0.prepare_cached(old)?;
        let old: Vec<(i64, Vec<u8>)> =
            select.query_map([project, most], |row| row.try_into())?.collect::<rusqlite::Result<_>>()?;
        for (run, lists) in old {
            self.drop_parts(&lists)?;
            self.0.prepare_cached("DELETE FROM kept WHERE run = ?1")?.execute([run])?;
            self.0.prepare_cached("DELETE FROM runs WHERE id = ?1")?.execute([run])?;
        }
        // Of the newest to the oldest, all that go beyond the limit together with what is newer than they.
        let over = "DELETE FROM kept WHERE run IN (
                        SELECT run FROM (SELECT run, sum(bytes) OVER (ORDER BY run DESC) AS so_far FROM kept)
                        WHERE so_far > ?1)";
        let most = i64::try_from(limits.kept_bytes).unwrap_or(i64::MAX);
        self.0.prepare_cached(over)?.execute([most])?;
        Ok(())
    }

    fn drop_parts(&self, lists: &[u8]) -> Result<()> {
        for id in part_ids(lists)?.into_iter().flatten() {
            let less = "UPDATE uses SET times = times - 1 WHERE part = ?1 RETURNING times";
            let left: Option<i64> = self.0.prepare_cached(less)?.query_row([id as i64], |row| row.get(0)).optional()?;
            if left.is_some_and(|left| left <= 0) {
                self.0.prepare_cached("DELETE FROM uses WHERE part = ?1")?.execute([id as i64])?;
                self.0.prepare_cached("DELETE FROM parts WHERE id = ?1")?.execute([id as i64])?;
            }
        }
        Ok(())
    }
}

/// The opposite of [`Tables::put_lists`].
fn part_ids(ids: &[u8]) -> Result<[Vec<u64>; 5]> {
    postcard::from_bytes(ids).map_err(|_| damage("a list of parts cannot be read"))
}

fn root_bytes(project: &Path) -> &[u8] {
    project.as_os_str().as_encoded_bytes()
}

fn count(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(|_| damage("a number is below zero"))
}

/// `ctxr`.
const SCHEMA: Schema = Schema { application: 0x6374_7872, version: 1, tables: include_str!("schema.sql") };

fn connect(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(32);
    // A log that stays costs the next run nothing; one that is emptied at every end costs this run two more syncs.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
         PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
    )?;
    Ok(connection)
}

/// The tables as this version knows them. A file that is neither ours nor empty is refused.
fn prepare(connection: &Connection) -> Result<()> {
    database::prepare(connection, &SCHEMA, |head| match head {
        FileHead::New => Ok(false),
        FileHead::Ready => Ok(true),
        FileHead::Newer => Err(RunsError::Newer),
        FileHead::Damaged => Err(damage("its head is not the one of a file of runs")),
        FileHead::Foreign => Err(RunsError::Foreign),
    })
}

/// The file and its folder, for their owner alone, before SQLite opens it. What SQLite puts beside the file has its permissions.
fn make_private(path: &Path) -> Result<()> {
    let fail = |what| move |cause| RunsError::Io { what, cause };
    let dir = private_files::folder(path);
    private_files::make_folder(dir).map_err(fail("make the folder of the runs"))?;
    match fs::metadata(path) {
        Ok(meta) if !meta.is_file() => Err(RunsError::Foreign),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            private_files::make_file(path).map_err(fail("make the file of runs"))?;
            outputs::sync_ancestors(dir).map_err(|error| RunsError::Store(error.to_string()))
        }
        Err(cause) => Err(fail("open the file of runs")(cause)),
    }
}
