//! `summarize` and `cache` through the program, against a provider on this machine.
#![allow(clippy::unwrap_used)]

mod asking;
mod cache;
mod faults;
mod frame;
mod kills;

use contexture_gather::summaries::{self, SummaryEntry};
use contexture_testkit::{Heard, Provider, Ran, Reply, TestEnv};
use std::path::PathBuf;

pub const KEY: &str = "sk-ant-test-7f3a9c0e51d24b86";
const PROSE: &str = "A text about nothing in particular, long enough for a summary.\n\n";
const CODE: &str =
    "//! Counts.\n\n/// Counts to one.\npub fn one(start: u32) -> u32 {\n    start + 1\n}\n\nfn hidden() {}\n";

/// A text, code, a configuration, and files that nobody is asked about.
pub fn env() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    env.write("a.md", PROSE.repeat(20))
        .write("c.rs", CODE.repeat(10))
        .write("conf.toml", format!("[db]\nhost = \"h\"\npassword = \"hunter2hunter2\"\n{}", "# filler\n".repeat(60)))
        .write("tiny.md", "Small.\n")
        .write("Cargo.lock", "# lock\n".repeat(100))
        .write("pixel.bin", [0_u8; 1000]);
    env
}

/// Says something else about every file.
pub fn describe(heard: &Heard) -> String {
    format!("Says what `{}` holds, in a sentence of its own.", path_of(heard))
}

pub fn path_of(heard: &Heard) -> String {
    let path = heard.body.split("Path: ").nth(1).and_then(|rest| rest.split("\\n").next());
    path.unwrap_or_default().to_owned()
}

/// Of Anthropic's API, always with an answer.
pub fn provider() -> Provider {
    Provider::start(|heard, _| Reply::anthropic(&describe(heard)))
}

pub fn run(env: &TestEnv, provider: &Provider, more: &[&str]) -> Ran {
    let model = ["--provider", "anthropic", "--model", "claude-haiku-5-5", "--base-url", &provider.url];
    run_as(env, &[&["summarize"], more, &model].concat())
}

/// With a key.
pub fn run_as(env: &TestEnv, args: &[&str]) -> Ran {
    let output = env.command(args).env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

pub fn folder(env: &TestEnv) -> PathBuf {
    env.home().join(".cache/contexture")
}

/// Everything that is kept, by path.
pub fn kept(env: &TestEnv) -> Vec<SummaryEntry> {
    let mut entries = Vec::new();
    if let Some(mut opened) = summaries::open_existing(&folder(env)).unwrap() {
        assert_eq!(opened.summaries.list(&mut |_, entry| entries.push(entry)).unwrap(), 0);
    }
    entries.sort_by(|a, b| (&a.file_path, a.key()).cmp(&(&b.file_path, b.key())));
    entries
}

/// The last line of what `--json` prints.
pub fn last(ran: &Ran) -> serde_json::Value {
    let line = ran.stdout.lines().last().unwrap_or_else(|| panic!("nothing: {}", ran.stderr));
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

/// No byte of the key is anywhere in the user's folders.
pub fn assert_no_key(env: &TestEnv) {
    let mut folders = vec![env.temp().to_owned()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
                let bytes = std::fs::read(&path).unwrap();
                assert!(!bytes.windows(16).any(|part| part == &KEY.as_bytes()[8..24]), "{}", path.display());
            }
        }
    }
    assert!(files > 3, "{files}");
}
