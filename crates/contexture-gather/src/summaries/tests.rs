//! The store of summaries: what is kept, what is chosen, and what damage does.

use super::*;
use proptest::prelude::*;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn entry(path: &str, text: &str) -> SummaryEntry {
    SummaryEntry {
        file_path: path.into(),
        file_hash: ContentHash::of(text),
        summary: format!("What {path} is for."),
        outline: "a\nb".into(),
        generated_at: "2026-01-02T03:04:05Z".into(),
        generator_tier: 2,
        generator: Generator { provider: "some".into(), model: "model-1".into(), prompt_version: "1".into() },
        view: "summary".into(),
        params: "tokens=400".into(),
        input_tokens: Some(120),
        output_tokens: None,
    }
}

fn store(dir: &Path) -> Summaries {
    let opened = open(dir).unwrap();
    assert_eq!(opened.note, None);
    opened.summaries
}

fn all(summaries: &mut Summaries) -> Vec<SummaryEntry> {
    let mut all = Vec::new();
    assert_eq!(summaries.list(&mut |_, entry| all.push(entry)).unwrap(), 0);
    all.sort_by(|a, b| a.file_path.cmp(&b.file_path));
    all
}

#[test]
fn what_is_put_is_found_by_key_and_by_content() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (entry("a.rs", "same"), SummaryEntry { generator_tier: 1, ..entry("b.rs", "same") });
    let c = entry("c.rs", "other");
    store(dir.path()).put(&[a.clone(), b.clone(), c.clone()]).unwrap();
    let mut summaries = open_existing(dir.path()).unwrap().unwrap().summaries;
    let found = summaries.get(&[a.key(), c.key(), entry("d.rs", "unknown").key()]).unwrap();
    assert_eq!(found.entries.into_values().collect::<std::collections::BTreeSet<_>>().len(), 2);
    let found = summaries.by_content(&[ContentHash::of("same"), ContentHash::of("unknown")]).unwrap();
    assert_eq!(found.damaged, 0);
    assert_eq!(found.by_content()[&ContentHash::of("same")].len(), 2);
    assert_eq!(all(&mut summaries), [a.clone(), b.clone(), c.clone()]);
    // The same question asked again: the newer answer stands in the place of the older.
    let newer = SummaryEntry { summary: "better".into(), ..a.clone() };
    summaries.put(&[a, newer.clone()]).unwrap();
    assert_eq!(all(&mut summaries), [newer, b, c.clone()]);
    assert_eq!(summaries.remove(&[c.key(), c.key()]).unwrap(), 1);
    assert_eq!(summaries.remove(&[c.key()]).unwrap(), 0);
}

impl PartialOrd for SummaryEntry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SummaryEntry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.checksum().cmp(&other.checksum())
    }
}

#[test]
fn where_there_is_no_store_reading_makes_none() {
    let dir = tempfile::tempdir().unwrap();
    assert!(open_existing(&dir.path().join("below")).unwrap().is_none());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn any_text_comes_back_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let odd = SummaryEntry {
        summary: "\0 nul, \u{feff} mark, \u{202e} turn, 😀 and\r\nlines".into(),
        outline: String::new(),
        params: "\0".into(),
        input_tokens: Some(u64::MAX),
        output_tokens: Some(0),
        ..entry("a\0b", "x")
    };
    let mut summaries = store(dir.path());
    summaries.put(std::slice::from_ref(&odd)).unwrap();
    assert_eq!(all(&mut summaries), [odd]);
}

#[test]
fn a_sweep_takes_what_nobody_keeps() {
    let dir = tempfile::tempdir().unwrap();
    let mut summaries = store(dir.path());
    summaries.put(&[entry("a", "1"), entry("b", "2"), entry("c", "3")]).unwrap();
    let swept = summaries.gc(&|entry| entry.file_path != "b").unwrap();
    assert_eq!(swept, SweepResult { removed: 1, damaged: 0, kept: 2 });
    assert_eq!(all(&mut summaries).len(), 2);
    assert_eq!(summaries.clear().unwrap(), SweepResult { removed: 2, damaged: 0, kept: 0 });
    assert_eq!(all(&mut summaries), []);
}

#[test]
fn a_changed_column_is_a_miss_that_is_counted_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (entry("a.rs", "a"), entry("b.rs", "b"));
    store(dir.path()).put(&[a.clone(), b.clone()]).unwrap();
    let path = dir.path().join(FILE);
    let columns = "key checksum file_path file_hash summary outline generated_at tier provider model prompt_version view params \
        input_tokens output_tokens";
    for column in columns.split(' ') {
        let connection = Connection::open(&path).unwrap();
        let set = match column {
            "key" | "checksum" | "file_hash" => format!("{column} = zeroblob(32)"),
            "tier" | "input_tokens" => format!("{column} = {column} + 1"),
            "output_tokens" => "output_tokens = 0".into(),
            _ => format!("{column} = {column} || ' '"),
        };
        connection.execute_batch("BEGIN").unwrap();
        connection.execute(&format!("UPDATE summaries SET {set} WHERE file_path = 'a.rs'"), []).unwrap();
        connection.execute_batch("COMMIT").unwrap();
        let mut summaries = open_existing(dir.path()).unwrap().unwrap().summaries;
        let found = summaries.get(&[a.key(), b.key()]).unwrap();
        assert!(!found.entries.contains_key(&a.key()), "{column}");
        assert_eq!(found.entries.get(&b.key()), Some(&b), "{column}");
        // Under another key or about another content it is simply not found.
        assert_eq!(found.damaged, u64::from(column != "key"), "{column}");
        let found = summaries.by_content(&[a.file_hash, b.file_hash]).unwrap();
        assert_eq!(found.entries.values().collect::<Vec<_>>(), [&b], "{column}");
        assert_eq!(found.damaged, u64::from(column != "file_hash"), "{column}");
        let verified = summaries.verify().unwrap();
        assert_eq!((verified.entries, verified.damaged.len()), (1, 1), "{column}");
        assert!(!verified.is_sound());
        // What is written again is whole again; under a key of its own the old row is swept.
        summaries.put(std::slice::from_ref(&a)).unwrap();
        summaries.gc(&|_| true).unwrap();
        assert!(summaries.verify().unwrap().is_sound(), "{column}");
    }
}

#[test]
fn a_flipped_byte_of_the_file_is_never_read_as_an_entry() {
    let dir = tempfile::tempdir().unwrap();
    let entries = [entry("a.rs", "a"), entry("marked-path.rs", "b"), entry("c.rs", "c")];
    store(dir.path()).put(&entries).unwrap();
    let path = dir.path().join(FILE);
    // All of it into the one file.
    Connection::open(&path).unwrap().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let row = whole.windows(14).position(|bytes| bytes == b"marked-path.rs").unwrap();
    // Every byte of one row, and of the rest of the file a share that takes a second.
    let share = if std::env::var_os("CONTEXTURE_TORTURE").is_some() { 1 } else { 97 };
    let places = (0..whole.len()).filter(|at| (row - 100..row + 300).contains(at) || at % share == 0);
    let keys: Vec<SummaryKey> = entries.iter().map(SummaryEntry::key).collect();
    let hashes: Vec<ContentHash> = entries.iter().map(|entry| entry.file_hash).collect();
    let (mut damaged_reads, mut aside) = (0, 0);
    for at in places {
        let copy = tempfile::tempdir().unwrap();
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(copy.path().join(FILE), bytes).unwrap();
        let opened = match open_existing(copy.path()) {
            Ok(opened) => opened.unwrap(),
            Err(SummaryError::Newer) => continue,
            Err(error) => panic!("{at}: {error}"),
        };
        aside += usize::from(opened.note.is_some());
        let mut summaries = opened.summaries;
        for found in [summaries.get(&keys), summaries.by_content(&hashes)] {
            let found = found.unwrap_or_else(|error| panic!("{at}: {error}"));
            for entry in found.entries.values() {
                assert!(entries.contains(entry), "{at}: {entry:?}");
            }
            damaged_reads += usize::from(found.damaged > 0);
        }
    }
    assert!(damaged_reads > 100, "{damaged_reads}");
    assert!(aside > 0, "{aside}");
}

#[test]
fn a_damaged_file_is_set_aside_and_what_can_be_read_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(FILE);
    let entries: Vec<SummaryEntry> = (0..200)
        .map(|at| SummaryEntry { summary: "long ".repeat(300), ..entry(&format!("{at:03}"), &at.to_string()) })
        .collect();
    store(dir.path()).put(&entries).unwrap();
    Connection::open(&path).unwrap().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let opened = open(dir.path()).unwrap();
    let note = opened.note.unwrap();
    assert!(
        note.text.starts_with("the store of summaries was damaged: it is set aside as `summaries.sqlite.damaged-1`, ")
    );
    assert_eq!(std::fs::read(dir.path().join("summaries.sqlite.damaged-1")).unwrap().len(), bytes.len());
    let mut summaries = opened.summaries;
    let saved = all(&mut summaries);
    // A page that was filled takes a few entries with it, at most those of one page that leads to others.
    assert!(saved.len() > 150 && saved.len() < 200, "{}", saved.len());
    assert!(saved.iter().all(|entry| entries.contains(entry)));
    assert!(summaries.verify().unwrap().is_sound());
    drop(summaries);
    // What is no database at all is set aside by whoever reads, too, under the next name.
    std::fs::write(&path, "no database at all, but long enough to have a header".repeat(20)).unwrap();
    let opened = open_existing(dir.path()).unwrap().unwrap();
    insta::assert_snapshot!(opened.note.unwrap(), @"the store of summaries was damaged: it is set aside as `summaries.sqlite.damaged-2`, 0 entries could be saved");
    assert!(open(dir.path()).unwrap().note.is_none());
    assert!(repair(dir.path()).is_err_and(|error| matches!(error, SummaryError::Busy)));
    drop(opened.summaries);
    assert_eq!(repair(dir.path()).unwrap(), None);
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let below = dir.path().join("cache/contexture");
    store(&below).put(&[entry("a", "1")]).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&below), 0o700);
    for file in std::fs::read_dir(&below).unwrap() {
        assert_eq!(mode(&file.unwrap().path()), 0o600);
    }
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    store(dir.path()).put(&[entry("a", "1")]).unwrap();
    Connection::open(dir.path().join(FILE)).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(open(dir.path()), Err(SummaryError::Newer)));
    assert!(matches!(open_existing(dir.path()), Err(SummaryError::Newer)));
}

/// Counts the questions.
struct Counting(Arc<AtomicUsize>);

impl SummaryStore for Counting {
    fn by_key(&mut self, keys: &[SummaryKey]) -> Result<Vec<Raw>> {
        assert!(keys.len() <= BATCH && keys.is_sorted_by(|a, b| a < b));
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Vec::new())
    }
    fn by_content(&mut self, hashes: &[ContentHash]) -> Result<Vec<Raw>> {
        assert!(hashes.len() <= BATCH && hashes.is_sorted_by(|a, b| a < b));
        self.0.fetch_add(1, Ordering::Relaxed);
        // Nobody asked for this one.
        let entry = entry("x", "not asked for");
        Ok(vec![Raw { key: entry.key().bytes().to_vec(), checksum: entry.checksum().0.to_vec(), entry: Ok(entry) }])
    }
    fn put(&mut self, entries: &[(SummaryKey, &SummaryEntry)]) -> Result<()> {
        assert!(entries.len() <= BATCH && entries.is_sorted_by(|a, b| a.0 < b.0));
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn each(&mut self, _: &mut dyn FnMut(Raw)) -> Result<()> {
        Ok(())
    }
    fn remove(&mut self, keys: &[Vec<u8>]) -> Result<u64> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(keys.len() as u64)
    }
    fn check(&mut self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

#[test]
fn a_thousand_keys_are_one_question_and_answers_to_others_are_damage() {
    let asked = Arc::new(AtomicUsize::new(0));
    let mut summaries = Summaries::new(Box::new(Counting(asked.clone())));
    let entries: Vec<SummaryEntry> = (0..2_500).map(|at| entry("a", &at.to_string())).collect();
    let keys: Vec<SummaryKey> = entries.iter().chain(&entries).map(SummaryEntry::key).collect();
    let hashes: Vec<ContentHash> = entries.iter().chain(&entries).map(|entry| entry.file_hash).collect();
    let count = |done: &dyn Fn(&mut Summaries), summaries: &mut Summaries| {
        let before = asked.load(Ordering::Relaxed);
        done(summaries);
        asked.load(Ordering::Relaxed) - before
    };
    assert_eq!(count(&|summaries| drop(summaries.get(&keys).unwrap()), &mut summaries), 3);
    assert_eq!(count(&|summaries| assert_eq!(summaries.by_content(&hashes).unwrap().damaged, 3), &mut summaries), 3);
    assert_eq!(count(&|summaries| summaries.put(&entries).unwrap(), &mut summaries), 3);
    assert_eq!(count(&|summaries| assert_eq!(summaries.remove(&keys).unwrap(), 2_500), &mut summaries), 3);
    assert_eq!(count(&|summaries| drop(summaries.get(&[]).unwrap()), &mut summaries), 0);
}

#[test]
fn the_wanted_one_is_chosen_else_the_newest_of_the_tier() {
    let named = |model: &str, tier: u8, at: &str| SummaryEntry {
        generator: Generator { model: model.into(), ..entry("a", "1").generator },
        generator_tier: tier,
        generated_at: at.into(),
        ..entry("a", "1")
    };
    let entries = [
        named("m1", 2, "2026-01-01T00:00:00Z"),
        // Later, though the words sort before.
        named("m2", 2, "2025-12-31T23:30:00-02:00"),
        named("m3", 1, "2026-06-01T00:00:00Z"),
        named("m4", 2, "no moment at all"),
        named("m0", 3, "2026-01-01T00:00:00Z"),
        named("m9", 3, "2026-01-01T01:00:00+01:00"),
    ];
    let chosen =
        |wanted: Option<&Generator>, tier| choose(&entries, wanted, tier).map(|entry| entry.generator.model.as_str());
    assert_eq!(chosen(None, 2), Some("m2"));
    assert_eq!(chosen(None, 1), Some("m3"));
    assert_eq!(chosen(None, 3), Some("m0"));
    assert_eq!(chosen(None, 4), None);
    assert_eq!(chosen(Some(&entries[3].generator), 2), Some("m4"));
    assert_eq!(chosen(Some(&entries[2].generator), 2), None);
}

fn part() -> impl Strategy<Value = String> {
    // Few letters and lengths, so that parts often look like their neighbours.
    "[a\0/]{0,3}"
}

proptest! {
    #[test]
    fn keys_are_equal_exactly_where_their_inputs_are(
        a in (0_u8..3, part(), part(), part(), part(), part(), 1_u8..5),
        b in (0_u8..3, part(), part(), part(), part(), part(), 1_u8..5),
    ) {
        let key = |(content, view, params, provider, model, version, tier): &(u8, String, String, String, String, String, u8)| {
            let generator = Generator { provider: provider.clone(), model: model.clone(), prompt_version: version.clone() };
            SummaryKey::of(&ContentHash::of([*content]), view, params, &generator, *tier)
        };
        prop_assert_eq!(key(&a) == key(&b), a == b);
    }

    #[test]
    fn the_choice_does_not_depend_on_the_order(
        entries in proptest::collection::vec((0_u8..3, 0_u8..3, 1_u8..3, "[ab]"), 0..12),
        turn in 0_usize..12,
    ) {
        let mut entries: Vec<SummaryEntry> = entries
            .iter()
            .map(|(model, hour, tier, params)| SummaryEntry {
                generator: Generator { model: model.to_string(), ..entry("a", "1").generator },
                generated_at: format!("2026-01-01T0{hour}:00:00Z"),
                generator_tier: *tier,
                params: params.clone(),
                ..entry("a", "1")
            })
            .collect();
        let first = choose(&entries, None, 2).cloned();
        let length = entries.len().max(1);
        entries.rotate_left(turn % length);
        entries.reverse();
        prop_assert_eq!(choose(&entries, None, 2).cloned(), first.clone());
        for entry in entries.iter().filter(|entry| entry.generator_tier == 2) {
            prop_assert!(first.as_ref().is_some_and(|first| first.generated_at >= entry.generated_at));
        }
    }
}
