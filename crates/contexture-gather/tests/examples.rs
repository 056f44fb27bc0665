//! The examples do what they say. Each is run as it stands, in a folder of its own.
#![allow(clippy::unwrap_used)]

use std::error::Error;
use std::fs;
use std::io::Write;

#[allow(dead_code)]
#[path = "../examples/request.rs"]
mod request;
#[allow(dead_code)]
#[path = "../examples/skeletons.rs"]
mod skeletons;

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

const CODE: &str =
    "/// Reads the settings.\npub fn settings(text: &str) -> Vec<&str> {\n    text.lines().collect()\n}\n";

#[test]
fn skeletons() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lib.rs"), CODE).unwrap();
    let mut told = Vec::new();
    let printed = printed(|out| skeletons::run(folder.path(), out, &mut told));
    has_all(&printed, &["### `lib.rs` (skeleton)", "pub fn settings"]);
    assert!(String::from_utf8(told).unwrap().ends_with(" tokens\n"));
    assert!(!printed.contains("text.lines()"), "{printed}");
}

#[test]
fn request() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lib.rs"), CODE).unwrap();
    fs::write(folder.path().join("other.rs"), "pub fn other() {}\n").unwrap();
    let printed = printed(|out| request::run(folder.path(), "Where are the settings read?", out));
    has_all(
        &printed,
        &[r#""model":"gpt-5""#, "text.lines()", "Where are the settings read?", "of 2000 tokens", "lib.rs as full"],
    );
}
