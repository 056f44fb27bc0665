//! The walls of the architecture: which crate may see which, and what must stay out of the pure crates.
//!
//! Takes the dependency lists of `cargo tree` and the source files under `crates/`; gives an error that lists every breach.
//! A wall that nothing checks decays, so each rule of ARCHITECTURE.md about directions has a line in one of the tables here.

use crate::imports::{SourceFile, breaches as import_breaches};
use crate::proc;
use std::fs;
use std::path::{Path, PathBuf};
use xtask::packages::{CONVERSATIONS, CORE, GATHER, LIBRARY, PROGRAM, PROVIDERS, SERVER, SYNTAX};

/// The crates of this workspace from the bottom up. A crate may depend on those before it and on no others, so a new crate has to be
/// entered here.
const ORDER: &[&str] = &[SYNTAX, CORE, GATHER, CONVERSATIONS, PROVIDERS, LIBRARY, SERVER, PROGRAM];

/// The order of modules inside of crates, as ARCHITECTURE.md has it: a group may import those before it.
const MODULES: &[(&str, &[&[&str]])] = &[
    (
        CORE,
        &[
            &["types"],
            &["kind"],
            &["count", "anchor", "safety", "rank"],
            &["providers"],
            &["shape"],
            &["fit"],
            &["render"],
            &["compile"],
        ],
    ),
    (LIBRARY, &[&["requests"], &["shared"], &["agent"], &["ops"], &["answers"]]),
];

/// What tests use may see the pure crates only, so that all of them can use it.
const TESTKIT: &str = "contexture-testkit";

/// Crates that bring disk, network, terminal or a runtime: none may be reached from a pure crate.
const IMPURE: &[&str] =
    &["axum", "cap-std", "clap", "hyper", "ignore", "reqwest", "rmcp", "rusqlite", "rustix", "tempfile", "tokio"];

/// The crates that are pure.
const PURE: &[&str] = &[CORE, SYNTAX];

/// Crates that a program which embeds the library must not get with it: servers, databases beside SQLite, the command line.
const DOORS: &[&str] = &["axum", "clap", "rmcp", "sqlx", "utoipa"];

/// The crates that others embed.
const EMBEDDED: &[&str] = &[LIBRARY, CONVERSATIONS, GATHER, PROVIDERS];

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
        let src = folder.join("src");
        let mut sources = Vec::new();
        for file in rust_files(&src)? {
            checked += 1;
            let text =
                fs::read_to_string(&file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
            let shown = file.strip_prefix(proc::root()).unwrap_or(&file).display().to_string();
            if !text.starts_with("//!") {
                breaches.push(format!("module head `//!` missing: `{shown}`"));
            }
            let path = file.strip_prefix(&src).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            sources.push(SourceFile { shown, path, text });
        }
        let order = MODULES.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, order)| order);
        breaches.extend(import_breaches(&name, &sources, order));
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
    let Some(allowed) = below(name) else {
        return vec![format!("crate without a place in the order, add it to xtask/src/walls.rs: `{name}`")];
    };
    let ours = reached.iter().filter(|other| other.starts_with("contexture") && **other != name);
    let mut breaches: Vec<String> = ours
        .filter(|other| !allowed.contains(other))
        .map(|other| format!("`{name}` must not depend on `{other}`"))
        .collect();
    if EMBEDDED.contains(&name) {
        let doors = reached.iter().filter(|other| DOORS.contains(other));
        breaches.extend(doors.map(|other| format!("`{name}` is embedded by others, but reaches `{other}`")));
    }
    if PURE.contains(&name) {
        let impure = reached.iter().filter(|other| IMPURE.contains(other));
        breaches.extend(impure.map(|other| format!("`{name}` must stay pure, but reaches `{other}`")));
    }
    breaches
}

/// The crates that a crate may depend on.
fn below(name: &str) -> Option<&'static [&'static str]> {
    if name == TESTKIT {
        return Some(PURE);
    }
    ORDER.iter().position(|known| *known == name).map(|at| &ORDER[..at])
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

    /// Whoever builds from source waits for it once; link-time optimization is for packages.
    #[test]
    fn source_builds_have_no_link_time_optimization() {
        let manifest = std::fs::read_to_string(crate::proc::root().join("Cargo.toml")).expect("the manifest");
        let section = |name: &str| {
            let start = manifest.find(&format!("[profile.{name}]")).expect("the profile");
            manifest[start + 1..].split("\n[").next().unwrap_or_default().to_owned()
        };
        assert!(section("release").contains("lto = false"));
        assert!(section("dist").contains("lto = \"thin\""));
    }

    #[test]
    fn a_new_crate_must_be_entered() {
        assert_eq!(directions("contexture-new", "contexture-new v0.1.0\n").len(), 1);
    }
}
