//! Numbers, limits, names of runs, and who may read the file.

use super::*;
use contexture_gather::runs::{FILE, KeptBody, Limits, RunSelector, Runs, RunsError, SentRequest, Usage};
use std::path::Path;

const PROJECT: &str = "/a/project";

fn project() -> &'static Path {
    Path::new(PROJECT)
}

#[test]
fn numbers_are_given_once_for_each_project_also_when_runs_are_gone() {
    let dir = tempfile::tempdir().unwrap();
    let mut runs = Runs::open(dir.path()).unwrap().with_limits(Limits { runs: 2, kept_bytes: 100 });
    let one = manifest(&[("a", "a\n")]);
    let numbers: Vec<u64> = (0..5).map(|_| runs.record(project(), &one, None).unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert_eq!(runs.record(Path::new("/another"), &one, None).unwrap(), 1);
    let left: Vec<u64> = runs.list(project(), 10).unwrap().iter().map(|run| run.number).collect();
    assert_eq!(left, [5, 4]);
    assert!(matches!(runs.get(project(), 3), Err(RunsError::NoRun(3))));
    drop(runs);
    assert_eq!(Runs::open(dir.path()).unwrap().record(project(), &one, None).unwrap(), 6);
}

#[test]
fn lists_are_shared_between_runs_and_go_with_the_last_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let texts: Vec<(String, String)> = (0..5_000).map(|n| (format!("src/{n:05}.rs"), format!("text {n}\n"))).collect();
    let mut files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut runs = Runs::open(dir.path()).unwrap().with_limits(Limits { runs: 3, kept_bytes: 0 });
    let parts = || {
        let connection = rusqlite::Connection::open(dir.path().join(FILE)).unwrap();
        let count = |table: &str| -> i64 {
            connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        };
        (count("parts"), count("uses"))
    };
    runs.record(project(), &manifest(&files), None).unwrap();
    let (first, _) = parts();
    assert!(first > 20, "{first} parts");
    runs.record(project(), &manifest(&files), None).unwrap();
    assert_eq!(parts().0, first, "the same lists are stored once");
    // A new file at the very beginning moves all others by one place.
    files.insert(0, ("a.rs", "new\n"));
    runs.record(project(), &manifest(&files), None).unwrap();
    assert!(parts().0 <= first + 4, "{} parts, {first} before", parts().0);
    for _ in 0..3 {
        runs.record(project(), &manifest(&[("x", "x\n")]), None).unwrap();
    }
    let (left, uses) = parts();
    assert_eq!((left, uses), (5, 5), "what nobody uses is gone");
    assert_eq!(runs.get(project(), 6).unwrap().items[0].path, "x");
}

#[test]
fn bytes_are_kept_as_long_as_there_is_room_and_manifests_longer() {
    let dir = tempfile::tempdir().unwrap();
    let mut runs = Runs::open(dir.path()).unwrap().with_limits(Limits { runs: 100, kept_bytes: 25 });
    let one = manifest(&[("a", "a\n")]);
    for _ in 0..3 {
        runs.record(project(), &one, Some(b"0123456789")).unwrap();
    }
    let kept = |runs: &Runs, number: u64| runs.kept_body(project(), number, KeptBody::Request).unwrap();
    assert_eq!(kept(&runs, 1), None);
    assert_eq!(kept(&runs, 2).as_deref(), Some(&b"0123456789"[..]));
    assert_eq!(runs.get(project(), 1).unwrap().items, one.items);
    // More than all the room is not kept, and takes nothing else away.
    runs.record(project(), &one, Some(&[b'x'; 26])).unwrap();
    assert_eq!(kept(&runs, 4), None);
    assert!(kept(&runs, 3).is_some());
    assert_eq!(runs.list(project(), 10).unwrap().len(), 4);
}

#[test]
fn an_answer_is_added_to_its_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut runs = Runs::open(dir.path()).unwrap();
    let number = runs.record(project(), &manifest(&[("a", "a\n")]), Some(b"{}")).unwrap();
    let sent =
        SentRequest { provider: "anthropic".into(), model: "m".into(), latency_ms: Some(12), ..SentRequest::default() };
    runs.answer(project(), number, &sent, Some(b"an answer")).unwrap();
    assert_eq!(runs.get(project(), number).unwrap().sent, Some(sent));
    assert_eq!(runs.kept_body(project(), number, KeptBody::Response).unwrap().as_deref(), Some(&b"an answer"[..]));
    assert!(matches!(runs.answer(project(), 9, &SentRequest::default(), None), Err(RunsError::NoRun(9))));
}

#[test]
fn counts_are_of_one_server_and_odd_ones_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut runs = Runs::open(dir.path()).unwrap();
    let local = Some("http://127.0.0.1:1/v1");
    for (provider, server, input) in [
        ("openai", None, 9),
        ("openai", None, u64::MAX),
        ("responses", None, 70),
        ("openai", None, 0),
        ("openai", local, 100),
        ("openai", None, 8),
    ] {
        let number = runs.record(project(), &manifest(&[("a", "a\n")]), None).unwrap();
        let usage = Some(Usage { input, ..Usage::default() });
        let server = server.map(str::to_owned);
        let sent =
            SentRequest { provider: provider.into(), model: "m".into(), server, usage, ..SentRequest::default() };
        runs.answer(project(), number, &sent, None).unwrap();
    }
    let counted = |provider, server| runs.token_counts(provider, server, "m", "o200k_base").unwrap();
    assert_eq!((counted("openai", None), counted("responses", None)), (vec![(7, 8), (7, 9)], vec![(7, 70)]));
    assert_eq!((counted("openai", local), counted("responses", local)), (vec![(7, 100)], vec![]));
    assert_eq!(runs.list(project(), 9).unwrap().len(), 6);
}

#[test]
fn runs_are_named_by_number_or_from_the_newest() {
    for (word, which) in [
        ("12", Some(RunSelector::Number(12))),
        ("last", Some(RunSelector::Back(1))),
        ("-1", Some(RunSelector::Back(1))),
        ("-20", Some(RunSelector::Back(20))),
        ("-0", None),
        ("", None),
        ("-", None),
        ("+1", None),
        ("--1", None),
        ("1x", None),
        ("99999999999999999999999", None),
    ] {
        assert_eq!(RunSelector::parse(word), which, "{word}");
    }
    let dir = tempfile::tempdir().unwrap();
    assert!(Runs::look(dir.path()).unwrap().is_none(), "looking makes nothing");
    assert!(!dir.path().join(FILE).exists());
    let mut runs = Runs::open(dir.path()).unwrap();
    for _ in 0..3 {
        runs.record(project(), &manifest(&[]), None).unwrap();
    }
    let found = |which| runs.find(project(), which).unwrap();
    assert_eq!(found(RunSelector::Back(1)), Some(3));
    assert_eq!(found(RunSelector::Back(3)), Some(1));
    assert_eq!(found(RunSelector::Back(4)), None);
    assert_eq!(found(RunSelector::Number(2)), Some(2));
    assert_eq!(found(RunSelector::Number(u64::MAX)), None);
    assert_eq!(runs.find(Path::new("/another"), RunSelector::Back(1)).unwrap(), None);
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("data/contexture");
    Runs::open(&folder).unwrap().record(project(), &manifest(&[("a", "a\n")]), Some(b"secret")).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 2);
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}
