//! Trees on the server, for the rules that `contexture_gather::loom` keeps.
//!
//! Writers take turns: each transaction that writes holds one lock of the server, so rows are numbered in the order of
//! writing, as in one file. Readers see one moment and wait for nobody.

mod edges;
mod memories;
mod nodes;
mod paths;
mod rows;

use super::address::Address;
use super::migrate::WRITING_TREES;
use super::wire::{Wire, WireError, told};
use contexture_gather::loom::store::{Result, Store, Work};
use contexture_gather::loom::{Fault, Loom, LoomError};
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
                // What failed is told; a transaction that is dropped is undone as well.
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

/// A value for a statement. Texts go as bytes.
enum Bind<'a> {
    Number(Option<i64>),
    Numbers(&'a [i64]),
    Bytes(Option<&'a [u8]>),
}

impl From<i64> for Bind<'_> {
    fn from(number: i64) -> Self {
        Self::Number(Some(number))
    }
}

impl From<Option<i64>> for Bind<'_> {
    fn from(number: Option<i64>) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Bind<'_> {
    fn from(is_on: bool) -> Self {
        Self::Number(Some(is_on.into()))
    }
}

impl<'a> From<&'a str> for Bind<'a> {
    fn from(text: &'a str) -> Self {
        Self::Bytes(Some(text.as_bytes()))
    }
}

impl<'a> From<&'a String> for Bind<'a> {
    fn from(text: &'a String) -> Self {
        Self::Bytes(Some(text.as_bytes()))
    }
}

impl<'a> From<Option<&'a str>> for Bind<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Self::Bytes(text.map(str::as_bytes))
    }
}

impl<'a> From<&'a [u8]> for Bind<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(Some(bytes))
    }
}

impl<'a> From<&'a [i64]> for Bind<'a> {
    fn from(numbers: &'a [i64]) -> Self {
        Self::Numbers(numbers)
    }
}

fn query(statement: &'static str, binds: &[Bind<'_>]) -> Query<'static, Postgres, PgArguments> {
    binds.iter().fold(sqlx::query(statement), |query, bind| match bind {
        Bind::Number(number) => query.bind(*number),
        Bind::Numbers(numbers) => query.bind(*numbers),
        Bind::Bytes(bytes) => query.bind(*bytes),
    })
}

impl Tables<'_> {
    fn execute(&mut self, statement: &'static str, binds: &[Bind<'_>]) -> Result<u64> {
        let done = self.wire.wait(query(statement, binds).execute(&mut **self.transaction));
        Ok(done.map_err(fail)?.rows_affected())
    }

    /// A statement that gives back the number of its row.
    fn insert(&mut self, statement: &'static str, binds: &[Bind<'_>]) -> Result<i64> {
        let row = self.wire.wait(query(statement, binds).fetch_one(&mut **self.transaction)).map_err(fail)?;
        get(&row, 0)
    }

    fn rows(&mut self, statement: &'static str, binds: &[Bind<'_>]) -> Result<Vec<PgRow>> {
        self.wire.wait(query(statement, binds).fetch_all(&mut **self.transaction)).map_err(fail)
    }

    fn all<T>(
        &mut self,
        statement: &'static str,
        binds: &[Bind<'_>],
        read: impl Fn(&PgRow) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.rows(statement, binds)?.iter().map(read).collect()
    }

    fn one<T>(
        &mut self,
        statement: &'static str,
        binds: &[Bind<'_>],
        read: impl Fn(&PgRow) -> Result<T>,
    ) -> Result<Option<T>> {
        let row = self.wire.wait(query(statement, binds).fetch_optional(&mut **self.transaction)).map_err(fail)?;
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
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Fault::Damaged(told(&error)),
        _ => Fault::Store(told(&error)),
    };
    fault.into()
}
