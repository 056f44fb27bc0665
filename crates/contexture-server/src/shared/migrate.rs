//! Brings the tables of a server to the version that this program knows. Many processes may try at once.

use super::wire::WireError;
use sqlx::{PgPool, Row};

/// Each is applied once, in this order, in one transaction with its number. What was published is never changed: a new one
/// follows.
const MIGRATIONS: [&str; 1] = [include_str!("1.sql")];

/// `ctxm` and `ctxl`: which locks of the server are ours.
const MIGRATING: i64 = 0x6374_786d;
pub(super) const WRITING_TREES: i64 = 0x6374_786c;

pub async fn migrate(pool: &PgPool) -> Result<(), WireError> {
    if version(pool).await? == Some(MIGRATIONS.len()) {
        return Ok(());
    }
    let mut transaction = pool.begin().await?;
    // Whoever comes second waits, and then finds that everything is done.
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(MIGRATING).execute(&mut *transaction).await?;
    sqlx::raw_sql(
        "CREATE SCHEMA IF NOT EXISTS contexture;
         CREATE TABLE IF NOT EXISTS contexture.versions (
             version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now());",
    )
    .execute(&mut *transaction)
    .await?;
    let applied: i64 = sqlx::query("SELECT coalesce(max(version), 0) FROM contexture.versions")
        .fetch_one(&mut *transaction)
        .await?
        .try_get(0)?;
    let applied = usize::try_from(applied).map_err(|_| WireError::Newer)?;
    let Some(missing) = MIGRATIONS.get(applied..) else { return Err(WireError::Newer) };
    for (at, migration) in missing.iter().enumerate() {
        sqlx::raw_sql(*migration).execute(&mut *transaction).await?;
        sqlx::query("INSERT INTO contexture.versions (version) VALUES ($1)")
            .bind((applied + at + 1) as i64)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Without a lock, as it is asked at every start. `None` where nothing is there yet.
async fn version(pool: &PgPool) -> Result<Option<usize>, WireError> {
    let there = sqlx::query("SELECT to_regclass('contexture.versions') IS NOT NULL").fetch_one(pool).await?;
    if !there.try_get::<bool, _>(0)? {
        return Ok(None);
    }
    let version: Option<i64> =
        sqlx::query("SELECT max(version) FROM contexture.versions").fetch_one(pool).await?.try_get(0)?;
    match version.map(usize::try_from) {
        None => Ok(None),
        Some(Ok(version)) if version <= MIGRATIONS.len() => Ok(Some(version)),
        Some(_) => Err(WireError::Newer),
    }
}
