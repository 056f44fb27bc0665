//! A manifest read back is the one that was written, whatever is in it; bytes that are none are refused.

use super::*;
use contexture_gather::runs::{FILE, Runs, RunsError, SentRequest, Usage};
use proptest::option::of;
use proptest::prelude::*;
use std::path::Path;

fn hash() -> impl Strategy<Value = ContentHash> {
    any::<[u8; 32]>().prop_map(ContentHash)
}

prop_compose! {
    fn item()(
        path in ".{0,16}", kind in "[a-z]{0,6}", view in "[a-z]{0,6}", hash_ in of(hash()), tokens in any::<u64>(),
        reason in ".{0,20}", error in of(".{0,20}"), written in of(hash()),
    ) -> ItemRecord {
        ItemRecord { path, kind, view, hash: hash_, tokens, reason, error, written }
    }
}

prop_compose! {
    fn block()(item in of(any::<prop::sample::Index>()), bytes in any::<u64>(), tokens in any::<u64>(), hash in hash())
        -> (Option<prop::sample::Index>, BlockRecord) {
        (item, BlockRecord { item: None, bytes, tokens, hash })
    }
}

prop_compose! {
    fn note()(topic in "[a-z]{0,6}", path in of(".{0,9}"), text in ".{0,30}", hint in of(".{0,9}")) -> NoteRecord {
        NoteRecord { topic, path, text, hint }
    }
}

prop_compose! {
    fn sent()(
        provider in ".{0,9}", model in ".{0,9}", usage in of(any::<[u64; 4]>()), latency_ms in of(any::<u64>()),
        cost in of(0.0f64..1e6), error in of(".{0,9}"),
    ) -> SentRequest {
        let usage = usage.map(|[input, output, cached, written]| Usage { input, output, cached, written });
        SentRequest { provider, model, server: None, usage, latency_ms, cost, error }
    }
}

prop_compose! {
    fn any_manifest()(
        // Long lists are cut into parts, short ones are not.
        items in prop_oneof![4 => prop::collection::vec(item(), 0..8), 1 => prop::collection::vec(item(), 500..900)],
        blocks in prop::collection::vec(block(), 0..40),
        left_out in prop::collection::vec((".{0,9}", ".{0,9}"), 0..9), notes in prop::collection::vec(note(), 0..5),
        settings in prop::collection::btree_map(".{0,9}", ".{0,9}", 0..4), sent in of(sent()),
        words in prop::collection::vec(".{0,9}", 6..7), numbers in any::<[u64; 5]>(), maybe in of((any::<u64>(), ".{0,6}")),
        kind in prop::sample::select(RunKind::ALL.to_vec()), whole in hash(), config in hash(), path in of(".{0,9}"),
    ) -> Manifest {
        let blocks = blocks.into_iter().map(|(index, block)| {
            let item = index.filter(|_| !items.is_empty()).map(|index| index.index(items.len()));
            BlockRecord { item, ..block }
        });
        let [count, bytes, prefix_bytes, prefix_tokens, budget] = numbers;
        Manifest {
            number: 0,
            kind,
            created: words[0].clone(),
            version: words[1].clone(),
            request: json!({"document": {"paths": words.clone()}}),
            options: EffectiveOptions {
                strategy: words[2].clone(), strategy_from: words[3].clone(), format: words[4].clone(),
                tokenizer: words[5].clone(), budget: maybe.as_ref().map(|(budget, _)| *budget),
                budget_from: maybe.map(|(_, from)| from),
            },
            tokens: RunTokens { count, exact: count % 2 == 0, tokenizer: words[5].clone(), budget: Some(budget) },
            output: RunOutput { hash: whole, bytes, path },
            prefix: RunPrefix { bytes: prefix_bytes, tokens: prefix_tokens },
            config,
            settings,
            left_out: left_out.into_iter().map(|(path, reason)| LeftRecord { path, reason }).collect(),
            notes,
            blocks: blocks.collect(),
            items,
            sent,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_manifest_read_back_is_the_one_that_was_written(all in prop::collection::vec(any_manifest(), 1..4)) {
        let dir = tempfile::tempdir().unwrap();
        let project = Path::new("/some/project");
        let mut runs = Runs::open(dir.path()).unwrap();
        for (index, manifest) in all.iter().enumerate() {
            let number = runs.record(project, manifest, None).unwrap();
            prop_assert_eq!(number, index as u64 + 1);
        }
        // Read by another process, so to say.
        let runs = Runs::look(dir.path()).unwrap().unwrap();
        for (index, manifest) in all.iter().enumerate() {
            let number = index as u64 + 1;
            prop_assert_eq!(runs.get(project, number).unwrap(), Manifest { number, ..manifest.clone() });
        }
        let summaries = runs.list(project, 10).unwrap();
        prop_assert_eq!(summaries.len(), all.len());
        prop_assert_eq!(summaries[0].items, all[all.len() - 1].items.len() as u64);
    }

    /// Wherever a byte of the file is flipped, what is read is what was written, or an error, or nothing; never another run.
    #[test]
    fn a_damaged_file_gives_no_other_run(at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let dir = tempfile::tempdir().unwrap();
        let project = Path::new("/some/project");
        let texts: Vec<(String, String)> = (0..60).map(|n| (format!("src/{n}.rs"), format!("text {n}\n"))).collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let written = manifest(&files);
        Runs::open(dir.path()).unwrap().record(project, &written, None).unwrap();
        let path = dir.path().join(FILE);
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        drop(connection);
        let mut bytes = std::fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        std::fs::write(&path, bytes).unwrap();
        let read = Runs::open(dir.path()).and_then(|runs| runs.get(project, 1));
        if let Ok(read) = read {
            // The lists have hashes. The head is JSON: a letter of a name may be another one there, as in any file.
            prop_assert_eq!(read.items, written.items);
            prop_assert_eq!(read.blocks, written.blocks);
        }
    }
}

#[test]
fn a_file_that_is_no_database_is_refused_and_stays() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(FILE);
    let text = "no database at all, but long enough to have a head".repeat(20);
    std::fs::write(&path, &text).unwrap();
    assert!(matches!(Runs::open(dir.path()), Err(RunsError::Damaged(_))));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    std::fs::remove_file(&path).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE theirs (a)").unwrap();
    drop(other);
    assert!(matches!(Runs::open(dir.path()), Err(RunsError::Foreign)));
}
