//! What a path says: whether it is a test, and whether the task names it.

use super::RankEntry;
use super::frames::Frame;
use super::query::Query;
use super::terms::{self, Term};
use std::collections::BTreeMap;

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

/// The frames of a task by the places of the files that they mean. A frame has the path of another machine: it means the files that
/// share most of its end, and at least the last two parts where both have them.
pub fn frames<'q>(query: &'q Query, files: &[RankEntry<'_>]) -> BTreeMap<usize, Vec<&'q Frame>> {
    // For each frame, how much the best files share of its end, and these files.
    let mut meant: Vec<(usize, Vec<usize>)> = vec![(1, Vec::new()); query.frames.len()];
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, frame) in query.frames.iter().enumerate() {
        by_name.entry(frame.path.rsplit('/').next().unwrap_or("")).or_default().push(at);
    }
    for (file, entry) in files.iter().enumerate().filter(|_| !query.frames.is_empty()) {
        let name = entry.path.rsplit('/').next().unwrap_or("");
        for frame in by_name.get(name).into_iter().flatten() {
            let shared = shared_end(&query.frames[*frame].path, entry.path);
            let (most, places) = &mut meant[*frame];
            if shared > *most {
                (*most, *places) = (shared, Vec::new());
            }
            if shared == *most {
                places.push(file);
            }
        }
    }
    let mut by_file: BTreeMap<usize, Vec<&Frame>> = BTreeMap::new();
    for (frame, (_, places)) in query.frames.iter().zip(meant) {
        places.into_iter().for_each(|file| by_file.entry(file).or_default().push(frame));
    }
    by_file
}

/// How many of their last parts two paths share; none when only the name is the same, though both have folders.
fn shared_end(theirs: &str, ours: &str) -> usize {
    let shared = ours.rsplit('/').zip(theirs.rsplit('/')).take_while(|(ours, theirs)| ours == theirs).count();
    if shared == 1 && ours.contains('/') && theirs.contains('/') { 0 } else { shared }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_means_the_files_that_share_most_of_its_end() {
        let paths = ["a/src/lib.rs", "b/src/lib.rs", "lib.rs", "c/other/lib.rs"];
        let entries = paths.map(|path| RankEntry { path, digest: None, text: None });
        let meant = |frame: &str| -> Vec<usize> {
            frames(&Query::parse(&format!("panicked at {frame}:3:1:")), &entries).into_keys().collect()
        };
        assert_eq!(meant("/home/me/b/src/lib.rs"), [1]);
        assert_eq!(meant("./src/lib.rs"), [0, 1]);
        assert_eq!(meant("/x/lib.rs"), [2]);
        assert_eq!(meant("lib.rs"), [0, 1, 2, 3]);
        assert!(meant("/rustc/0123/std/panicking.rs").is_empty());
    }
}
