//! A store on a PostgreSQL server, by the program itself: trees and summaries of a team, and no password anywhere.
#![allow(clippy::unwrap_used)]

use contexture_core::ContentHash;
use contexture_gather::summaries::{Generator, SummaryEntry};
use contexture_server::shared::{Address, open_summaries};
use contexture_testkit::{Postgres, TestEnv};

const TEXT: &str = "A text about nothing in particular, long enough for a summary.\n\n";
const PASSWORD: &str = "hidden-pass";

fn env() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    env.write("a.md", TEXT.repeat(20));
    env
}

/// What the program wrote to both, with its exit code before.
fn run(env: &TestEnv, url: &str, args: &[&str]) -> (i32, String, String) {
    let output = env.command(args).env("CONTEXTURE_STORE_URL", url).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn trees_and_summaries_are_on_the_server() {
    let Some(server) = Postgres::start() else { return };
    let env = env();
    // The server trusts its socket, and is given a password all the same.
    let url = format!("{}&password={PASSWORD}", server.database());
    for args in [&["loom", "new", "A tree"][..], &["loom", "add", "Hello there"], &["loom", "verify"]] {
        let (code, _, stderr) = run(&env, &url, args);
        assert_eq!(code, 0, "{args:?}: {stderr}");
    }
    // Somebody else, with a home of their own.
    let other = self::env();
    let (code, shown, stderr) = run(&other, &url, &["loom", "show"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(shown.contains("Hello there"), "{shown}");
    let (code, _, stderr) = run(&other, &url, &["loom", "verify", "--repair"]);
    assert_eq!(code, 2, "{stderr}");

    let entry = SummaryEntry {
        file_path: "a.md".into(),
        file_hash: ContentHash::of(TEXT.repeat(20)),
        summary: "Says nothing.".into(),
        outline: String::new(),
        generated_at: "2026-01-02T03:04:05Z".into(),
        generator_tier: 2,
        generator: Generator { provider: "some".into(), model: "model".into(), prompt_version: "1".into() },
        view: "summary".into(),
        params: String::new(),
        input_tokens: None,
        output_tokens: None,
    };
    open_summaries(&Address::parse(&url).unwrap()).unwrap().put(&[entry]).unwrap();
    let build = ["build", "-o", "-", "--strategy", "summarize", "-vv"];
    let (code, document, log) = run(&env, &url, &build);
    assert_eq!(code, 0, "{log}");
    assert!(document.contains("Says nothing."), "{document}");
    assert!(!log.contains(PASSWORD), "{log}");
    for args in [
        &["config", "--origins"][..],
        &["config", "--json"],
        &["config", "get", "store.url"],
        &["doctor"],
        &["doctor", "--json"],
    ] {
        let (_, stdout, stderr) = run(&env, &url, args);
        assert!(stdout.contains("postgres://"), "{args:?}: {stdout}");
        assert!(!format!("{stdout}{stderr}").contains(PASSWORD), "{args:?}: {stdout}{stderr}");
    }
}

#[test]
fn a_server_that_is_not_there_is_a_note_for_documents_and_an_error_for_trees() {
    let env = env();
    let url = format!("postgres:///team?host={}&user=ann&password={PASSWORD}", env.temp().display());
    let (code, document, log) = run(&env, &url, &["build", "-o", "-", "--strategy", "summarize", "-vv"]);
    assert_eq!(code, 0, "{log}");
    assert!(document.contains("a.md"));
    assert!(log.contains("no written summaries are shown: the store of summaries failed: postgres://ann@"), "{log}");
    let (strict, _, _) = run(&env, &url, &["build", "-o", "-", "--strategy", "summarize", "--strict"]);
    assert_eq!(strict, 5);
    // Who wants none need not wait for it.
    let (code, _, quiet) = run(&env, &url, &["build", "-o", "-", "--strategy", "summarize", "--no-written"]);
    assert_eq!(code, 0);
    assert!(!quiet.contains("summaries"), "{quiet}");
    let (code, _, error) = run(&env, &url, &["loom", "list"]);
    assert_eq!(code, 1);
    assert!(error.contains("the server cannot be reached"), "{error}");
    let (_, doctor, _) = run(&env, &url, &["doctor"]);
    for text in [log, error, doctor] {
        assert!(!text.contains(PASSWORD), "{text}");
    }
    let (code, _, error) =
        run(&env, &format!("postgres://ann:{PASSWORD}@h/d?pasword={PASSWORD}"), &["loom", "list", "-vv"]);
    assert_eq!(code, 2);
    assert!(!error.contains(PASSWORD), "{error}");
}

#[test]
fn a_refusal_is_told_at_once() {
    let env = env();
    // A port that nobody listens on any more.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let begun = std::time::Instant::now();
    let (code, _, error) = run(&env, &format!("postgres://ann@127.0.0.1:{port}/team"), &["cache", "status"]);
    assert_eq!(code, 1);
    assert!(error.contains("the server cannot be reached: Connection refused"), "{error}");
    assert!(begun.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn an_unknown_scheme_is_told_by_all_who_need_the_store() {
    let env = env();
    let url = format!("mysql://ann:{PASSWORD}@h/d");
    let summarize = ["summarize", "--provider", "anthropic", "--model", "claude-haiku-5-5"];
    for args in [&["loom", "list"][..], &["cache", "status"], &["cache", "verify"], &summarize] {
        let (code, _, error) = run(&env, &url, args);
        assert_eq!(code, 2, "{args:?}: {error}");
        assert_eq!(
            error,
            "error: `store.url`: a store of the scheme `mysql` is not known\nhint: `sqlite:FILE` and `postgres://…` are\n"
        );
    }
    let (code, _, note) = run(&env, &url, &["build", "-o", "-", "--strategy", "summarize"]);
    assert_eq!(code, 0);
    assert!(note.contains("no written summaries are shown: `store.url`: a store of the scheme `mysql`"), "{note}");
    let (code, _, error) = run(&env, "sqlite:trees.db", &["cache", "status"]);
    assert_eq!(code, 0, "{error}");
}

#[test]
fn a_project_cannot_name_a_server() {
    let env = env();
    let url = format!("postgres://ann:{PASSWORD}@192.0.2.1/team");
    env.write("contexture.toml", format!("[store]\nurl = \"{url}\"\n"));
    let ran = env.run(&["build", "a.md", "-o", "-", "--strategy", "summarize"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    insta::assert_snapshot!(ran.stderr, @"
    note: contexture.toml:2: `store.url` of a project may not name a server
    hint: `contexture config set --global store.url URL` or CONTEXTURE_STORE_URL sets it for this user
    1 item, 31 tokens (exact, o200k_base), 118 bytes, 0 left out
    ");
    let ran = env.run(&["loom", "list"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("`store.url` of a project may not name a server"), "{}", ran.stderr);
    assert!(!ran.stderr.contains(PASSWORD));
}
