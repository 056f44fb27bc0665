//! The walls of the architecture: which crate may see which, and what must stay out of the pure crates.
//!
//! Takes the dependency lists of `cargo tree` and the source files under `crates/`; gives an error that lists every breach.
//! A wall that nothing checks decays, so each rule of ARCHITECTURE.md about directions has a line in one of the tables here.

use crate::proc;
use std::fs;
use std::path::{Path, PathBuf};

/// For each crate, the crates of this workspace it may depend on. The direction is
/// `contexture -> server -> gather -> core -> syntax`; a crate that is not in the list may depend on none, so a new crate
/// has to be entered here.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("contexture-syntax", &[]),
    ("contexture-core", &["contexture-syntax"]),
    ("contexture-gather", &["contexture-core", "contexture-syntax"]),
    ("contexture-server", &["contexture-gather", "contexture-core", "contexture-syntax"]),
    ("contexture", &["contexture-server", "contexture-gather", "contexture-core", "contexture-syntax"]),
    ("contexture-testkit", &["contexture-gather", "contexture-core", "contexture-syntax"]),
];

/// Crates that bring disk, network, terminal or a runtime: none may be reached from a pure crate.
const IMPURE: &[&str] =
    &["axum", "cap-std", "clap", "hyper", "ignore", "reqwest", "rmcp", "rusqlite", "rustix", "tempfile", "tokio"];

/// The crates that are pure.
const PURE: &[&str] = &["contexture-core", "contexture-syntax"];

pub fn run() -> Result<(), String> {
    let crates = proc::root().join("crates");
    let mut breaches = Vec::new();
    let mut checked = 0_usize;
    for folder in folders(&crates)? {
        let Some(name) = folder.file_name().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
        let tree = proc::capture(proc::cargo().args([
            "tree",
            "--package",
            &name,
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--no-dedupe",
        ]))?;
        breaches.extend(directions(&name, &tree));
        for file in rust_files(&folder.join("src"))? {
            checked += 1;
            let text =
                fs::read_to_string(&file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
            if !text.starts_with("//!") {
                let file = file.strip_prefix(proc::root()).unwrap_or(&file);
                breaches.push(format!("module head `//!` missing: `{}`", file.display()));
            }
        }
    }
    if checked == 0 {
        breaches.push(format!("no source files found: `{}`", crates.display()));
    }
    if breaches.is_empty() {
        println!("walls hold, modules with a head: {checked}");
        Ok(())
    } else {
        Err(format!("walls broken: {}\n  {}", breaches.len(), breaches.join("\n  ")))
    }
}

/// The breaches of one crate, from the lines `name version …` of its dependency tree. The first line is the crate itself.
fn directions(name: &str, tree: &str) -> Vec<String> {
    let mut reached: Vec<&str> = tree.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    reached.sort_unstable();
    reached.dedup();
    let Some((_, allowed)) = DIRECTIONS.iter().find(|(known, _)| *known == name) else {
        return vec![format!("crate without a direction, add it to xtask/src/walls.rs: `{name}`")];
    };
    let ours = reached.iter().filter(|other| other.starts_with("contexture") && **other != name);
    let mut breaches: Vec<String> = ours
        .filter(|other| !allowed.contains(other))
        .map(|other| format!("`{name}` must not depend on `{other}`"))
        .collect();
    if PURE.contains(&name) {
        let impure = reached.iter().filter(|other| IMPURE.contains(other));
        breaches.extend(impure.map(|other| format!("`{name}` must stay pure, but reaches `{other}`")));
    }
    breaches
}

/// The crate folders: those with a manifest.
fn folders(crates: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = entries(crates)?;
    found.retain(|path| path.join("Cargo.toml").is_file());
    Ok(found)
}

/// All `.rs` files below a folder, sorted, without following links.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut open = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        for path in entries(&next)? {
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("cannot list `{}`: {error}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in read {
        paths.push(entry.map_err(|error| format!("cannot list `{}`: {error}", folder.display()))?.path());
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::directions;

    #[test]
    fn allowed_edges_pass() {
        assert!(
            directions(
                "contexture-core",
                "contexture-core v0.1.0 (/x)\nmemchr v2.7.1\ncontexture-syntax v0.1.0 (/y)\n"
            )
            .is_empty()
        );
    }

    #[test]
    fn a_back_edge_and_an_impure_crate_are_named_once() {
        let tree =
            "contexture-core v0.1.0\ncontexture-gather v0.1.0\ntokio v1.0.0\ntokio v1.0.0 (*)\ntokio-util v0.7.0\n";
        assert_eq!(
            directions("contexture-core", tree),
            [
                "`contexture-core` must not depend on `contexture-gather`",
                "`contexture-core` must stay pure, but reaches `tokio`"
            ]
        );
    }

    #[test]
    fn a_new_crate_must_be_entered() {
        assert_eq!(directions("contexture-new", "contexture-new v0.1.0\n").len(), 1);
    }
}
