//! Trees on the server, for the rules that `contexture_conversations::loom` keeps.
//!
//! Writers take turns: each transaction that writes holds one lock of the server, so rows are numbered in the order of
//! writing, as in one file. Readers see one moment and wait for nobody.

mod edges;
mod memories;
mod nodes;
mod rows;

use super::address::Address;
use super::migrate::WRITING_TREES;
use super::wire::{Wire, WireError, cause};
use contexture_conversations::loom::store::{Result, Store, Work};
use contexture_conversations::loom::{Fault, Loom, LoomError};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{Decode, Postgres, Row, Transaction, Type};

pub fn open(address: &Address, now: i64) -> Result<Loom> {
    let name = address.to_string();
    let wire = Wire::open(address).map_err(|error| {
        let fault = match error {
            WireError::Newer => Fault::Newer,
            WireError::Io(_) | WireError::Database(_) => Fault::Store(error.to_string()),
        };
        LoomError::from(fault).at(name.as_ref())
    })?;
    Ok(Loom::over(Box::new(Shared { wire }), &name, now))
}

struct Shared {
    wire: Wire,
}

impl Shared {
    fn run(&self, begin: &'static str, before: Option<String>, work: Work<'_>) -> Result<()> {
        let mut transaction = self.wire.wait(self.wire.pool.begin_with(begin)).map_err(fail)?;
        if let Some(before) = before {
            let done = self.wire.wait(sqlx::raw_sql(sqlx::AssertSqlSafe(before)).execute(&mut *transaction));
            done.map_err(fail)?;
        }
        let done = work(&mut Tables { wire: &self.wire, transaction: &mut transaction });
        match done {
            Ok(()) => self.wire.wait(transaction.commit()).map_err(fail),
            Err(error) => {
                // The failure is returned; a transaction that is dropped is undone as well.
                let _ = self.wire.wait(transaction.rollback());
                Err(error)
            }
        }
    }
}

impl Store for Shared {
    fn write(&mut self, work: Work<'_>) -> Result<()> {
        // Only numbers of our own are put into the statement.
        let lock = format!("SET LOCAL lock_timeout = '10s'; SELECT pg_advisory_xact_lock({WRITING_TREES})");
        self.run("BEGIN", Some(lock), work)
    }

    fn read(&mut self, work: Work<'_>) -> Result<()> {
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", None, work)
    }

    /// A server watches over its own files, and never lets a row name one that is not there.
    fn check(&mut self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

/// The tables within a transaction.
struct Tables<'a> {
    wire: &'a Wire,
    transaction: &'a mut Transaction<'static, Postgres>,
}

/// A statement with its values. Texts go as bytes.
type Sql = Query<'static, Postgres, PgArguments>;

fn sql(statement: &'static str) -> Sql {
    sqlx::query(statement)
}

impl Tables<'_> {
    fn execute(&mut self, sql: Sql) -> Result<()> {
        self.change(sql).map(drop)
    }

    /// Gives how many rows a statement changed.
    fn change(&mut self, sql: Sql) -> Result<u64> {
        Ok(self.wire.wait(sql.execute(&mut **self.transaction)).map_err(fail)?.rows_affected())
    }

    /// A statement that gives back the number of its row.
    fn insert(&mut self, sql: Sql) -> Result<i64> {
        get(&self.wire.wait(sql.fetch_one(&mut **self.transaction)).map_err(fail)?, 0)
    }

    fn rows(&mut self, sql: Sql) -> Result<Vec<PgRow>> {
        self.wire.wait(sql.fetch_all(&mut **self.transaction)).map_err(fail)
    }

    fn all<T>(&mut self, sql: Sql, read: impl Fn(&PgRow) -> Result<T>) -> Result<Vec<T>> {
        self.rows(sql)?.iter().map(read).collect()
    }

    fn one<T>(&mut self, sql: Sql, read: impl Fn(&PgRow) -> Result<T>) -> Result<Option<T>> {
        let row = self.wire.wait(sql.fetch_optional(&mut **self.transaction)).map_err(fail)?;
        row.as_ref().map(read).transpose()
    }
}

fn get<'r, T: Decode<'r, Postgres> + Type<Postgres>>(row: &'r PgRow, at: usize) -> Result<T> {
    row.try_get(at).map_err(fail)
}

fn text(row: &PgRow, at: usize) -> Result<String> {
    let bytes: Vec<u8> = get(row, at)?;
    String::from_utf8(bytes).map_err(|error| Fault::Damaged(error.to_string()).into())
}

fn optional_text(row: &PgRow, at: usize) -> Result<Option<String>> {
    let bytes: Option<Vec<u8>> = get(row, at)?;
    bytes.map(String::from_utf8).transpose().map_err(|error| Fault::Damaged(error.to_string()).into())
}

/// A word of a list; any other is damage.
fn known<T>(row: &PgRow, at: usize, parse: impl Fn(&str) -> Option<T>) -> Result<T> {
    let word = text(row, at)?;
    parse(&word).ok_or_else(|| Fault::Damaged("an unknown word stands where one of a list should".into()).into())
}

fn fail(error: sqlx::Error) -> LoomError {
    let fault = match &error {
        // lock_not_available
        sqlx::Error::Database(error) if error.code().as_deref() == Some("55P03") => Fault::Busy,
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Fault::Damaged(cause(&error)),
        _ => Fault::Store(cause(&error)),
    };
    fault.into()
}
