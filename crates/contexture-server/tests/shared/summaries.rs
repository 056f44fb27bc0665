//! Summaries on the server: whole batches in one round trip, many writers, damage.

use super::address;
use contexture_core::ContentHash;
use contexture_gather::summaries::{Generator, Summaries, SummaryEntry, SummaryKey};
use contexture_server::shared;
use contexture_testkit::Postgres;

fn entry(path: &str, summary: &str) -> SummaryEntry {
    SummaryEntry {
        file_path: path.into(),
        file_hash: ContentHash::of(path),
        summary: summary.into(),
        outline: String::new(),
        generated_at: "2026-01-02T03:04:05Z".into(),
        generator_tier: 2,
        generator: Generator { provider: "some".into(), model: "model".into(), prompt_version: "1".into() },
        view: "summary".into(),
        params: String::new(),
        input_tokens: Some(u64::MAX),
        output_tokens: None,
    }
}

fn open(url: &str) -> Summaries {
    shared::open_summaries(&address(url)).unwrap()
}

fn database(url: &str) -> String {
    address(url).to_string().rsplit('/').next().unwrap().to_owned()
}

#[test]
fn what_is_put_is_found_and_taken_away() {
    let Some(server) = Postgres::start() else { return };
    let url = server.database();
    let (a, b) = (entry("a\0b", "\0 nul, 😀 and\r\nlines"), entry("b", "Second."));
    open(&url).put(&[a.clone(), b.clone()]).unwrap();
    let mut summaries = open(&url);
    let found = summaries.get(&[a.key(), entry("c", "").key()]).unwrap();
    assert_eq!((found.damaged, found.entries.into_values().collect::<Vec<_>>()), (0, vec![a.clone()]));
    let newer = SummaryEntry { summary: "Better.".into(), ..b.clone() };
    summaries.put(std::slice::from_ref(&newer)).unwrap();
    let found = summaries.by_content(&[a.file_hash, b.file_hash]).unwrap();
    assert_eq!(found.by_content()[&b.file_hash], [&newer]);
    assert_eq!(summaries.gc(&|entry| entry.file_path == "b").unwrap().removed, 1);
    assert_eq!(summaries.remove(&[b.key()]).unwrap(), 1);
    assert!(summaries.verify().unwrap().is_sound());
    assert_eq!(summaries.list(&mut |_, entry| panic!("{entry:?}")).unwrap(), 0);
}

#[test]
fn a_thousand_keys_are_one_statement() {
    let Some(server) = Postgres::start() else { return };
    let url = server.database();
    let entries: Vec<SummaryEntry> = (0..2_500).map(|at| entry(&at.to_string(), "Text.")).collect();
    let mut summaries = open(&url);
    summaries.put(&entries).unwrap();
    let name = database(&url);
    server.ask(&name, "CREATE EXTENSION pg_stat_statements");
    server.ask(&name, "SELECT pg_stat_statements_reset()");
    let keys: Vec<SummaryKey> = entries.iter().map(SummaryEntry::key).collect();
    let hashes: Vec<ContentHash> = entries.iter().map(|entry| entry.file_hash).collect();
    assert_eq!(summaries.get(&keys).unwrap().entries.len(), 2_500);
    assert_eq!(summaries.by_content(&hashes).unwrap().entries.len(), 2_500);
    summaries.put(&entries).unwrap();
    let calls = |like: &str| {
        // Every statement of ours that ran, and how often.
        let query = format!(
            "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query LIKE '{like}' AND query NOT LIKE '%pg_stat%'"
        );
        server.ask(&name, &query)
    };
    assert_eq!(calls("%WHERE key = ANY%"), "3");
    assert_eq!(calls("%WHERE file_hash = ANY%"), "3");
    assert_eq!(calls("INSERT INTO contexture.summaries%"), "3");
    assert_eq!(calls("%contexture.summaries%"), "9");
    let mut listed = 0;
    summaries.list(&mut |_, _| listed += 1).unwrap();
    assert_eq!(listed, 2_500);
}

#[test]
fn many_write_the_same_keys_at_once() {
    let Some(server) = Postgres::start() else { return };
    let url = server.database();
    let keys: Vec<SummaryKey> = (0..200).map(|at| entry(&at.to_string(), "").key()).collect();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let url = &url;
            scope.spawn(move || {
                // The tables are made by all of them, too.
                let mut summaries = open(url);
                for round in 0..5 {
                    let mut entries: Vec<SummaryEntry> =
                        (0..200).map(|at| entry(&at.to_string(), &format!("{writer}.{round}"))).collect();
                    entries.rotate_left(writer * 25);
                    summaries.put(&entries).unwrap();
                }
            });
        }
    });
    let mut summaries = open(&url);
    let found = summaries.get(&keys).unwrap();
    assert_eq!((found.entries.len(), found.damaged), (200, 0));
    // Each is the last word of somebody.
    assert!(found.entries.values().all(|entry| entry.summary.ends_with(".4")));
    assert!(summaries.verify().unwrap().is_sound());
}

#[test]
fn a_changed_column_is_a_miss_that_is_counted_and_told() {
    let Some(server) = Postgres::start() else { return };
    let url = server.database();
    let (a, b) = (entry("a", "First."), entry("b", "Second."));
    let mut summaries = open(&url);
    summaries.put(&[a.clone(), b.clone()]).unwrap();
    let name = database(&url);
    let zeros = "decode(repeat('00', 32), 'hex')";
    for (column, value) in [
        ("key", zeros),
        ("checksum", zeros),
        ("file_path", "'c'"),
        ("file_hash", zeros),
        ("file_hash", "'short'"),
        ("summary", "summary || '\\xff'::bytea"),
        ("summary", "set_byte(summary, 0, 71)"),
        ("outline", "'x'"),
        ("generated_at", "'x'"),
        ("tier", "1"),
        ("tier", "1000"),
        ("provider", "'x'"),
        ("model", "'x'"),
        ("prompt_version", "'x'"),
        ("view", "'x'"),
        ("params", "'x'"),
        ("input_tokens", "NULL"),
        ("output_tokens", "0"),
    ] {
        let key = a.key();
        server.ask(&name, &format!("UPDATE contexture.summaries SET {column} = {value} WHERE key = '\\x{key}'"));
        let found = summaries.get(&[a.key(), b.key()]).unwrap();
        assert_eq!(found.entries.values().collect::<Vec<_>>(), [&b], "{column}");
        let verified = summaries.verify().unwrap();
        assert_eq!((verified.entries, verified.damaged.len()), (1, 1), "{column}");
        summaries.put(std::slice::from_ref(&a)).unwrap();
        summaries.gc(&|_| true).unwrap();
        assert!(summaries.verify().unwrap().is_sound(), "{column}");
    }
}

#[test]
fn a_refused_login_is_told_without_the_password() {
    let Some(server) = Postgres::start() else { return };
    let url = server.database().replace("user=test", "user=missing&password=hidden");
    let error = shared::open_summaries(&address(&url)).err().unwrap();
    let said = format!("{error}\n{}\n{error:?}", error.hint());
    assert!(said.contains("role \"missing\" does not exist"), "{said}");
    assert!(!said.contains("hidden"), "{said}");
}
