//! What is needed for a task, where names, words or size decide.
#![allow(clippy::unwrap_used)]

use contexture_core::rank::{Basis, Digest, Query, RankEntry, Ranking, SYMBOL_PARTS, rank};
use contexture_core::shape::TextForm;
use contexture_core::{Body, CodeReader, InProcess, Options, Past, Tokens};
use contexture_testkit::{compiled, snapshot};
use std::fmt::Write;
use std::sync::Arc;

/// Many functions that share the words of a task, and a class that only its name belongs to it.
fn project() -> String {
    let mut text = String::new();
    for file in 0..12 {
        let _ = writeln!(text, "//- /src/names_{file}.py");
        for at in 0..12 {
            let _ = write!(
                text,
                "def decode_name_{file}_{at}(name, bytes):\n    \"\"\"Decodes the bytes of a name.\"\"\"\n    return name.decode(bytes) + {at}\n\n\n"
            );
        }
    }
    text.push_str("//- /src/people.py\nclass PersonGroup3:\n    limit = 12\n\n    def shrink(self):\n        return self.limit\n\n    def grow(self):\n        return self.limit\n");
    text.push_str("//- /vendor/people.py\ndef decode_name_of_vendor(name, bytes):\n    return name.decode(bytes)\n");
    text
}

/// The ranking for a task, and each symbol's first line with its probability, the first first.
fn ranked(task: &str) -> (Ranking, Vec<(String, f32)>) {
    ranked_in(&project(), task)
}

fn ranked_in(project: &str, task: &str) -> (Ranking, Vec<(String, f32)>) {
    let snapshot = snapshot(project);
    let files: Vec<(&str, &str, Arc<Digest>)> = (snapshot.items.iter())
        .filter_map(|item| {
            let Body::Text { text, .. } = &item.body else { return None };
            let language = contexture_syntax::language_of(&item.path, text);
            Some((item.path.as_str(), &**text, InProcess.digest(language, text, TextForm::AsItIs, None)))
        })
        .collect();
    let entries: Vec<RankEntry<'_>> =
        files.iter().map(|(path, text, digest)| RankEntry { path, digest: Some(digest), text: Some(text) }).collect();
    let ranking = rank(&Query::parse(task), &entries, &Past::default());
    let mut symbols = Vec::new();
    for (entry, scores) in entries.iter().zip(&ranking.symbols) {
        for (symbol, score) in entry.digest.unwrap().symbols.iter().zip(scores) {
            let line = symbol.span.of(entry.text.unwrap()).lines().next().unwrap().trim();
            symbols.push((line.to_owned(), score.probability));
        }
    }
    symbols.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    (ranking, symbols)
}

#[test]
fn a_definition_with_a_unique_named_name_is_needed() {
    let task = "Decoding the bytes of a name fails\n\nThe bytes of the name are decoded twice, see `PersonGroup3`.";
    let (ranking, symbols) = ranked(task);
    let named = symbols.iter().find(|(line, _)| line == "class PersonGroup3:").unwrap().1;
    assert!(named >= 0.009, "{named}");
    let all: f32 = symbols.iter().map(|(_, probability)| probability).sum();
    assert!((all - 1.0).abs() < 1e-3 && ranking.matches, "{all}");
}

#[test]
fn a_task_that_is_one_name_ranks_its_definition_first() {
    for task in ["shrink", "`PersonGroup3.shrink()`", "PersonGroup3::shrink", "PersonGroup3#shrink"] {
        let (_, symbols) = ranked(task);
        assert_eq!(symbols[0].0, "def shrink(self):", "{task}: {:?}", &symbols[..3]);
        assert!(symbols[0].1 > 0.5, "{task}: {:?}", symbols[0]);
    }
    // The name of a file is not the name of a definition.
    assert_eq!(Query::parse("people.py").only, None);
    assert_eq!(Query::parse("shrink the group").only, None);
}

#[test]
fn a_task_without_a_known_word_ranks_by_importance() {
    let (ranking, _) = ranked("qwxyz flurble zzyzx");
    assert_eq!((ranking.matches, ranking.basis), (false, Basis::Importance));
    let options = |query: &str| Options { query: Some(query.into()), budget: Some(Tokens(2000)), ..Options::default() };
    let notes = |query: &str| {
        let notes = compiled(&project(), &options(query)).unwrap().notes;
        notes.iter().filter(|note| note.text.starts_with("no word of the query")).count()
    };
    assert_eq!((notes("qwxyz flurble zzyzx"), notes("\u{6f22}\u{5b57}"), notes("decode a name")), (1, 1, 0));
}

#[test]
fn vendored_code_ranks_below_similar_code() {
    let (_, symbols) = ranked("decode the bytes of a name");
    let place = |of: &str| symbols.iter().position(|(line, _)| line.starts_with(of)).unwrap();
    assert!(place("def decode_name_of_vendor") > place("def decode_name_11_11"), "{:?}", &symbols[..5]);
}

/// Two files of functions that only their names and lines tell apart: `load_0` to `load_9`, each of three lines and a blank one.
fn stores() -> String {
    let functions =
        |of: &str| -> String { (0..10).map(|at| format!("fn load_{at}() {{\n    {of}(true)\n}}\n\n")).collect() };
    format!("//- /a/src/store.rs\n{}//- /b/src/store.rs\n{}", functions("check"), functions("verify"))
}

#[test]
fn a_frame_means_the_symbol_around_its_line() {
    let first = |task: &str| {
        let (ranking, symbols) = ranked_in(&stores(), task);
        let file = ranking.files.iter().position(|file| file.rank == 0).unwrap();
        (file, symbols[0].0.clone(), symbols[1].1 < symbols[0].1)
    };
    let meant = |file, symbol: &str| (file, format!("fn {symbol}() {{"), true);
    // The line alone, and with it the end of the path.
    assert_eq!(first("thread 'main' panicked at /x/b/src/store.rs:14:5:\nfailed"), meant(1, "load_3"));
    assert_eq!(first("error: failed\n --> a/src/store.rs:22:5"), meant(0, "load_5"));
    assert_eq!(first("PANIC\n#0  0x12 in ?? (x=1) at b/src/store.rs:6"), meant(1, "load_1"));
    // The frame that is nearest to the error.
    let trace = "failed\n   0: x::load_7\n             at b/src/store.rs:30:5\n   1: x::load_2\n             at b/src/store.rs:10:5";
    assert_eq!(first(trace), meant(1, "load_7"));
    // A line that has moved still counts, the name more: the task also says it.
    let (_, symbols) = ranked_in(&stores(), "failed\n  File \"b/src/store.rs\", line 30, in load_2\n");
    let three: Vec<&str> = symbols[..3].iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(three, ["fn load_2() {", "fn load_2() {", "fn load_7() {"]);
    // A file of another program, and a line that the file does not have.
    let part = SYMBOL_PARTS.iter().position(|part| *part == "in the traceback").unwrap();
    for task in ["panicked at /rustc/std/panic.rs:14:5:\nload", "panicked at b/src/store.rs:4000:5:\nload"] {
        let (ranking, _) = ranked_in(&stores(), task);
        assert!(ranking.symbols.iter().flatten().all(|symbol| symbol.parts[part] == 0.0), "{task}");
    }
}
