//! The examples do what they say. Each is run as it stands, in a folder of its own.
#![allow(clippy::unwrap_used)]

use std::error::Error;
use std::fs;
use std::io::Write;

#[allow(dead_code)]
#[path = "../examples/loom.rs"]
mod loom;
#[allow(dead_code)]
#[path = "../examples/session.rs"]
mod session;

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
fn session() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("anything");
    let lines = [
        r#"{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s","cwd":"/w","message":{"role":"user","content":"What is in src?"}}"#,
        r#"{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","cwd":"/w","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Glob","input":{"pattern":"src/*"}}]}}"#,
        r#"{"type":"user","uuid":"3","parentUuid":"2","sessionId":"s","cwd":"/w","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"src/lib.rs"}]}}"#,
    ];
    fs::write(&file, lines.join("\n")).unwrap();
    has_all(
        &printed(|out| session::run(&file, out)),
        &["claude-code: ", "3 messages", "user: What is in src?", "[calls Glob]"],
    );
}

#[test]
fn loom() {
    let folder = tempfile::tempdir().unwrap();
    let printed = printed(|out| loom::run(&folder.path().join("trees.sqlite"), 1_700_000_000_000, out));
    has_all(
        &printed,
        &["Tea: 3 nodes on the path, 5 in the tree", "Black tea.", "How long does it brew?", "Be brief."],
    );
    assert!(!printed.contains("Green tea") && !printed.contains("evening"), "{printed}");
}
