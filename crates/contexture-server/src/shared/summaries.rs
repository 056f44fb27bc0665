//! Summaries on the server. One question, and one round trip, for a thousand of them.

use super::address::Address;
use super::wire::{Wire, WireError, cause};
use contexture_core::ContentHash;
use contexture_gather::summaries::{
    BATCH, Generator, Raw, Result, Summaries, SummaryEntry, SummaryError, SummaryKey, SummaryStore,
};
use sqlx::Row;
use sqlx::postgres::PgRow;

pub fn open(address: &Address) -> Result<Summaries> {
    let wire = Wire::open(address).map_err(|error| match error {
        WireError::Newer => SummaryError::Newer,
        WireError::Io(_) | WireError::Database(_) => SummaryError::Store(format!("{address}: {error}")),
    })?;
    Ok(Summaries::new(Box::new(PostgresSummaries { wire, name: address.to_string() })))
}

struct PostgresSummaries {
    wire: Wire,
    name: String,
}

/// The columns in their order, and what may stand around them.
macro_rules! columns {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            "key, checksum, file_path, file_hash, summary, outline, generated_at, tier, provider, model, \
             prompt_version, view, params, input_tokens, output_tokens",
            $after
        )
    };
}

impl PostgresSummaries {
    fn fail(&self, error: &sqlx::Error) -> SummaryError {
        SummaryError::Store(format!("{}: {}", self.name, cause(error)))
    }

    fn rows(&self, query: &'static str, values: Vec<Vec<u8>>) -> Result<Vec<Raw>> {
        let rows = self.wire.wait(sqlx::query(query).bind(values).fetch_all(&self.wire.pool));
        Ok(rows.map_err(|error| self.fail(&error))?.iter().map(raw).collect())
    }
}

impl SummaryStore for PostgresSummaries {
    fn by_key(&mut self, keys: &[SummaryKey]) -> Result<Vec<Raw>> {
        let query = columns!("SELECT ", " FROM contexture.summaries WHERE key = ANY($1)");
        self.rows(query, keys.iter().map(|key| key.bytes().to_vec()).collect())
    }

    fn by_content(&mut self, hashes: &[ContentHash]) -> Result<Vec<Raw>> {
        let query = columns!("SELECT ", " FROM contexture.summaries WHERE file_hash = ANY($1)");
        self.rows(query, hashes.iter().map(|hash| hash.0.to_vec()).collect())
    }

    fn put(&mut self, entries: &[(SummaryKey, &SummaryEntry)]) -> Result<()> {
        // A statement alone is a transaction. Rows are locked in the order they come in, which is that of their keys, so that
        // two writers never wait for each other in a circle.
        let query = columns!(
            "INSERT INTO contexture.summaries (",
            ") SELECT * FROM UNNEST($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[],
                 $7::bytea[], $8::bigint[], $9::bytea[], $10::bytea[], $11::bytea[], $12::bytea[], $13::bytea[],
                 $14::bigint[], $15::bigint[])
             ON CONFLICT (key) DO UPDATE SET checksum = excluded.checksum, file_path = excluded.file_path,
                 file_hash = excluded.file_hash, summary = excluded.summary, outline = excluded.outline,
                 generated_at = excluded.generated_at, tier = excluded.tier, provider = excluded.provider,
                 model = excluded.model, prompt_version = excluded.prompt_version, view = excluded.view,
                 params = excluded.params, input_tokens = excluded.input_tokens,
                 output_tokens = excluded.output_tokens"
        );
        let bytes =
            |of: fn(&SummaryEntry) -> &[u8]| entries.iter().map(|(_, entry)| of(entry).to_vec()).collect::<Vec<_>>();
        // The same bits: PostgreSQL has no unsigned numbers.
        let number = |of: fn(&SummaryEntry) -> Option<u64>| {
            entries.iter().map(|(_, entry)| of(entry).map(u64::cast_signed)).collect::<Vec<_>>()
        };
        let tiers: Vec<i64> = entries.iter().map(|(_, entry)| entry.generator_tier.into()).collect();
        let insert = sqlx::query(query)
            .bind(entries.iter().map(|(key, _)| key.bytes().to_vec()).collect::<Vec<_>>())
            .bind(entries.iter().map(|(_, entry)| entry.checksum().0.to_vec()).collect::<Vec<_>>())
            .bind(bytes(|entry| entry.file_path.as_bytes()))
            .bind(bytes(|entry| &entry.file_hash.0))
            .bind(bytes(|entry| entry.summary.as_bytes()))
            .bind(bytes(|entry| entry.outline.as_bytes()))
            .bind(bytes(|entry| entry.generated_at.as_bytes()))
            .bind(tiers)
            .bind(bytes(|entry| entry.generator.provider.as_bytes()))
            .bind(bytes(|entry| entry.generator.model.as_bytes()))
            .bind(bytes(|entry| entry.generator.prompt_version.as_bytes()))
            .bind(bytes(|entry| entry.view.as_bytes()))
            .bind(bytes(|entry| entry.params.as_bytes()))
            .bind(number(|entry| entry.input_tokens))
            .bind(number(|entry| entry.output_tokens));
        self.wire.wait(insert.execute(&self.wire.pool)).map_err(|error| self.fail(&error))?;
        Ok(())
    }

    fn each(&mut self, take: &mut dyn FnMut(Raw)) -> Result<()> {
        let query = columns!("SELECT ", " FROM contexture.summaries WHERE key > $1 ORDER BY key LIMIT $2");
        let mut last: Vec<u8> = Vec::new();
        loop {
            let page = sqlx::query(query).bind(last.clone()).bind(BATCH as i64).fetch_all(&self.wire.pool);
            let rows = self.wire.wait(page).map_err(|error| self.fail(&error))?;
            let Some(row) = rows.last() else { return Ok(()) };
            last = row.try_get(0).map_err(|error| self.fail(&error))?;
            rows.iter().map(raw).for_each(&mut *take);
        }
    }

    fn remove(&mut self, keys: &[Vec<u8>]) -> Result<u64> {
        let query = "DELETE FROM contexture.summaries WHERE key = ANY($1)";
        let done = self.wire.wait(sqlx::query(query).bind(keys.to_vec()).execute(&self.wire.pool));
        Ok(done.map_err(|error| self.fail(&error))?.rows_affected())
    }

    /// A server watches over its own files.
    fn check(&mut self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

fn raw(row: &PgRow) -> Raw {
    let bytes = |at: usize| row.try_get::<Vec<u8>, _>(at).unwrap_or_default();
    Raw { key: bytes(0), checksum: bytes(1), entry: entry(row) }
}

fn entry(row: &PgRow) -> std::result::Result<SummaryEntry, String> {
    let text = |at: usize| {
        let bytes: Vec<u8> = row.try_get(at).map_err(|error| cause(&error))?;
        String::from_utf8(bytes).map_err(|error| error.to_string())
    };
    let number = |at: usize| row.try_get::<Option<i64>, _>(at).map_err(|error| cause(&error));
    let hash: Vec<u8> = row.try_get(3).map_err(|error| cause(&error))?;
    let hash = hash.try_into().map_err(|_| "the hash of the file has another length".to_owned())?;
    let tier = number(7)?.and_then(|tier| u8::try_from(tier).ok()).ok_or("no such tier")?;
    Ok(SummaryEntry {
        file_path: text(2)?,
        file_hash: ContentHash(hash),
        summary: text(4)?,
        outline: text(5)?,
        generated_at: text(6)?,
        generator_tier: tier,
        generator: Generator { provider: text(8)?, model: text(9)?, prompt_version: text(10)? },
        view: text(11)?,
        params: text(12)?,
        input_tokens: number(13)?.map(i64::cast_unsigned),
        output_tokens: number(14)?.map(i64::cast_unsigned),
    })
}
