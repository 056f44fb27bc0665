//! The examples do what they say. Each is run as it stands; what it prints is looked at for what the reader is promised.
#![allow(clippy::unwrap_used)]

use std::error::Error;
use std::io::Write;

#[allow(dead_code)]
#[path = "../examples/agent.rs"]
mod agent;
#[allow(dead_code)]
#[path = "../examples/document.rs"]
mod document;
#[allow(dead_code)]
#[path = "../examples/secrets.rs"]
mod secrets;
#[allow(dead_code)]
#[path = "../examples/slices.rs"]
mod slices;
#[allow(dead_code)]
#[path = "../examples/tokens.rs"]
mod tokens;

fn printed(run: impl FnOnce(&mut dyn Write) -> Result<(), Box<dyn Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn has_all(text: &str, wanted: &[&str]) {
    for word in wanted {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
}

#[test]
fn document() {
    let printed = printed(document::run);
    has_all(&printed, &["pub fn lines(text: &str)", "tokens of 110", "src/parse.rs as masked", "orders.csv as name"]);
    assert!(!printed.contains("pub fn words"), "{printed}");
}

#[test]
fn agent() {
    let printed = printed(agent::run);
    has_all(&printed, &["Ann waters on Mondays", r#""tool_use_id":"call_1""#, "history: 4 of 4 items"]);
    let (body, _) = printed.rsplit_once("\n\n").unwrap();
    assert!(contexture_core::check::check(contexture_core::Api::Anthropic, body).is_empty(), "{body}");
}

#[test]
fn tokens() {
    has_all(
        &printed(tokens::run),
        &["o200k_base: 19 (exact)", "claude: 24 (estimated)", "of 400000 tokens", "US dollars"],
    );
}

#[test]
fn slices() {
    let printed = printed(slices::run);
    has_all(
        &printed,
        &["as it was: exact, lines 8 to 9", "edited above: moved, lines 12 to 13", "edited inside: changed"],
    );
    has_all(&printed, &["taken out: lost"]);
}

#[test]
fn secrets() {
    let printed = printed(secrets::run);
    has_all(&printed, &["[REDACTED:github-pat]", "denied: settings.toml:3", "allowed: true"]);
    assert!(!printed.contains("x7Kd92LmQpR4"), "{printed}");
}
