//! Our own programs in the table: the limit and the product.
//!
//! Takes a corpus and a folder for outputs; gives the commands to run. A document on stdout is compared with a limit that
//! writes to stdout, a document as a file, which the product makes durable, with a limit that syncs its file too.

use super::corpus::{make, remove};
use super::limit::THREADS;
use super::measure::Contender;
use crate::proc;
use std::path::{Path, PathBuf};

/// The names of the rows; `report` finds them by these.
pub const LIMIT: &str = "limit";
pub const LIMIT_SYNC: &str = "limit, synced";
pub const LIMIT_COUNT: &str = "limit + count";
pub const WARM: &str = "contexture warm";
pub const WARM_FILE: &str = "contexture warm, file";
pub const COLD: &str = "contexture cold";
pub const FIRST: &str = "contexture first run";
/// The same programs as packages have them, by the profile `dist`.
pub const WARM_DIST: &str = "contexture warm, dist";
pub const COLD_DIST: &str = "contexture cold, dist";

/// The rows that are followed over the curve.
pub const ON_CURVE: [&str; 4] = [LIMIT, LIMIT_COUNT, WARM, COLD];

/// The release programs.
pub struct Programs {
    pub limit: PathBuf,
    pub contexture: PathBuf,
    /// Built by the profile of packages, when it is to be compared.
    pub dist: Option<PathBuf>,
}

/// Builds both as people get them who build from source; with `dist` also the program of packages.
pub fn build(dist: bool) -> Result<Programs, String> {
    eprintln!("building contexture and the limit");
    let build = |profile: &str, packages: &[&str]| {
        let packages = packages.iter().flat_map(|name| ["--package", name]);
        proc::show(proc::cargo().args(["build", "--quiet", "--profile", profile]).args(packages))
    };
    build("release", &["contexture-cli", "lab"])?;
    if dist {
        build("dist", &["contexture-cli"])?;
    }
    let release = proc::target().join("release");
    let dist = dist.then(|| proc::target().join("dist/contexture"));
    Ok(Programs { limit: release.join("lab"), contexture: release.join("contexture"), dist })
}

pub fn contenders(bench: &Path, programs: &Programs, corpus: &Path, out: &Path) -> Result<Vec<Contender>, String> {
    let folder = corpus.display().to_string();
    let row = |name: &str, about: &str, program: &Path, args: &[&str]| {
        let output = out.join(name.replace([' ', ',', '+'], "-"));
        let from_stdout = args.contains(&"-");
        let file = output.display().to_string();
        Contender {
            name: name.to_owned(),
            about: about.to_owned(),
            program: program.to_path_buf(),
            args: args.iter().map(|word| word.replace("{out}", &file)).collect(),
            env: Vec::new(),
            output,
            from_stdout,
            fresh: vec![corpus.join(".contexture")],
            primed: false,
            caveat: None,
            grows: None,
        }
    };
    let limit =
        |name, about, rest: &[&str]| row(name, about, &programs.limit, &[&["limit", folder.as_str()], rest].concat());
    let threads = THREADS.to_string();
    let build = ["build", "--root", folder.as_str(), "--threads", threads.as_str()];
    let contexture = |name, about, home: &str, rest: &[&str]| {
        let home = bench.join(home);
        let mut one = row(name, about, &programs.contexture, &[&build, rest].concat());
        // A home of its own: neither the settings nor the cache of the person at this machine take part.
        one.env = vec![
            ("HOME", home.clone()),
            ("XDG_CACHE_HOME", home.join("cache")),
            ("XDG_CONFIG_HOME", home.join("config")),
            ("XDG_STATE_HOME", home.join("state")),
            ("XDG_DATA_HOME", home.join("data")),
        ];
        one
    };
    remove(&bench.join("home-warm"))?;
    make(&bench.join("home-warm"))?;
    let mut warm = contexture(WARM, "counts remembered; to stdout", "home-warm", &["-o", "-"]);
    warm.primed = true;
    let mut warm_file = contexture(WARM_FILE, "counts remembered; to a durable file", "home-warm", &["-o", "{out}"]);
    warm_file.primed = true;
    let cold = contexture(COLD, "counts o200k, `--no-cache`; to stdout", "home-cold", &["--no-cache", "-o", "-"]);
    let mut first = contexture(FIRST, "counts o200k, fills an empty cache; to stdout", "home-first", &["-o", "-"]);
    first.fresh.push(bench.join("home-first"));
    let packaged = |row: &Contender, name: &str| {
        let program = programs.dist.clone()?;
        Some(Contender {
            name: name.to_owned(),
            output: out.join(name.replace([' ', ','], "-")),
            program,
            ..row.clone()
        })
    };
    let dist = [packaged(&warm, WARM_DIST), packaged(&cold, COLD_DIST)];
    let mut rows = vec![
        limit(LIMIT, "walk, read, concatenate; to stdout", &["--out", "-"]),
        limit(LIMIT_SYNC, "the same; to a file, with fsync", &["--out", "{out}", "--sync"]),
        limit(LIMIT_COUNT, "the same, and count o200k; to stdout", &["--out", "-", "--count"]),
        warm,
        warm_file,
        cold,
        first,
    ];
    rows.extend(dist.into_iter().flatten());
    Ok(rows)
}
