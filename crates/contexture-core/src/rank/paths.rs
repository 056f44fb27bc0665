//! What a path says: whether it is a test, and whether the task names it.

use super::query::Query;
use super::terms::{self, Term};

/// Whether a path holds tests, as people name them in all languages.
pub fn is_test(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or("");
    let stem = name.split('.').next().unwrap_or(name);
    let folder = |part: &str| {
        matches!(
            part,
            "tests"
                | "test"
                | "testing"
                | "__tests__"
                | "spec"
                | "specs"
                | "testdata"
                | "fixtures"
                | "e2e"
                | "testsuite"
                | "__testfixtures__"
                | "__fixtures__"
                | "__mocks__"
                | "__snapshots__"
        )
    };
    parts.any(folder)
        || matches!(stem, "conftest" | "tests")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || name.contains(".test.")
        || name.contains(".spec.")
}

/// Whether a path is beside the point: examples, documentation, benchmarks, what others wrote.
pub fn is_aside(path: &str) -> bool {
    path.split('/').rev().skip(1).any(|part| {
        matches!(
            part,
            "docs"
                | "doc"
                | "examples"
                | "example"
                | "benchmarks"
                | "benches"
                | "bench"
                | "vendor"
                | "vendored"
                | "third_party"
                | "_vendor"
                | "external"
                | "extern"
                | "asv_bench"
                | "demo"
                | "demos"
                | "samples"
                | "scripts"
                | "tools"
        )
    })
}

/// Whether a path is in a folder of vendored code.
pub fn is_vendored(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|part| {
        matches!(part, "vendor" | "vendored" | "_vendor" | "third_party" | "external" | "extern" | "node_modules")
    })
}

/// What the task says of a path.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mention {
    /// By its path, or the end of it.
    pub path: f32,
    /// By its name alone.
    pub name: f32,
    /// In a traceback, the more the nearer to the error.
    pub frame: f32,
    /// As a module: `a.b` for `a/b.py`.
    pub module: f32,
    /// Its name without ending is a word of the task.
    pub stem: f32,
}

pub fn mention(path: &str, query: &Query) -> Mention {
    let mut said = Mention::default();
    let name = path.rsplit('/').next().unwrap_or(path);
    let ends =
        |long: &str, short: &str| long == short || long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    for quoted in &query.paths {
        if quoted.contains('/') {
            if ends(path, quoted) || ends(quoted, path) {
                said.path = 1.0;
            }
        } else if quoted == name && !is_everywhere(name) {
            said.name = 1.0;
        }
    }
    for frame in &query.frames {
        if is_frame_of(&frame.path, path) {
            said.frame = said.frame.max(frame.near);
        }
    }
    let module = path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_lowercase();
    let module = module.strip_suffix("/__init__").unwrap_or(&module);
    let is_module = |dotted: &str| dotted.contains('/') && ends(module, dotted);
    for dotted in &query.modules {
        // The last part may be what the module holds.
        if is_module(dotted) || dotted.rsplit_once('/').is_some_and(|(scope, _)| is_module(scope)) {
            said.module = 1.0;
        }
    }
    let stem = name.split('.').next().unwrap_or("").to_ascii_lowercase();
    if stem.len() > 2 && query.stems.contains(&stem) {
        said.stem = 1.0;
    }
    said
}

/// A frame has the path of another machine: its end must be the same, by two parts where it has them.
pub fn is_frame_of(frame: &str, path: &str) -> bool {
    let mut ours = path.rsplit('/');
    let mut theirs = frame.rsplit('/');
    ours.next() == theirs.next()
        && match (ours.next(), theirs.next()) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => true,
        }
}

/// Names that every folder has.
fn is_everywhere(name: &str) -> bool {
    matches!(
        name,
        "__init__.py"
            | "setup.py"
            | "conftest.py"
            | "index.js"
            | "index.ts"
            | "mod.rs"
            | "lib.rs"
            | "main.rs"
            | "main.go"
            | "README.md"
    )
}

/// The words of a path.
pub fn words(path: &str, mut found: impl FnMut(Term)) {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    terms::terms(stem, &mut found);
}
