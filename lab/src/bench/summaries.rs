//! Ten thousand files that a model has written summaries about: a document of them, and what is known of each, against the limit.
//!
//! Takes the release programs; makes the files and puts the entries straight into a store of its own; gives the commands to run and
//! the targets. No model is asked.

use super::corpus::{make, remove};
use super::limit::THREADS;
use super::measure::{self, Contender};
use super::ours::{LIMIT, Programs};
use super::report::{self, Bound, Target};
use super::{Corpus, open};
use contexture_core::ContentHash;
use contexture_gather::summaries::{Generator, SummaryEntry};
use std::fs;
use std::path::Path;

const FILES: usize = 10_000;
const STATUS: &str = "contexture cache status";
const BUILD: &str = "contexture build, summaries";

const TARGETS: &[Target] = &[
    Target("status of 10,000 summaries", STATUS, LIMIT, Bound::AtMost(2.0)),
    Target("a document of 10,000 summaries", BUILD, LIMIT, Bound::AtMost(2.0)),
];

pub fn run(bench: &Path, programs: &Programs, runs: usize) -> Result<String, String> {
    let folder = bench.join("corpora/summaries");
    let home = bench.join("home-summaries");
    let out = bench.join("out");
    for dir in [&folder, &home] {
        remove(dir)?;
        make(dir)?;
    }
    make(&out)?;
    fill(&folder, &home)?;
    let corpus: Corpus = open(bench, programs, &folder.display().to_string())?;
    let corpus = Corpus { name: "10,000 files with summaries".into(), ..corpus };
    let root = corpus.folder.display().to_string();
    let row = |name: &str, about: &str, program: &Path, args: &[&str]| Contender {
        name: name.to_owned(),
        about: about.to_owned(),
        program: program.to_path_buf(),
        args: args.iter().map(|word| (*word).to_owned()).collect(),
        env: vec![
            ("HOME", home.clone()),
            ("XDG_CACHE_HOME", home.join("cache")),
            ("XDG_CONFIG_HOME", home.join("config")),
            ("XDG_DATA_HOME", home.join("data")),
        ],
        output: out.join(name.replace([' ', ','], "-")),
        from_stdout: true,
        fresh: Vec::new(),
        primed: true,
        caveat: None,
        grows: None,
    };
    let threads = THREADS.to_string();
    let ours = ["--root", &root, "--threads", &threads];
    let rows = [
        row(LIMIT, "walk, read, concatenate; to stdout", &programs.limit, &["limit", &root, "--out", "-"]),
        row(
            STATUS,
            "per file: fresh, by whom, when",
            &programs.contexture,
            &[&["cache", "status"], &ours[..]].concat(),
        ),
        row(
            BUILD,
            "`--strategy summarize`, counts remembered; to stdout",
            &programs.contexture,
            &[&["build", "--strategy", "summarize", "-o", "-"], &ours[..]].concat(),
        ),
    ];
    let outcomes = measure::rounds(&rows, runs, &bench.join("scratch"))?;
    let told = fs::read_to_string(out.join(STATUS.replace(' ', "-"))).unwrap_or_default();
    let fresh = told.lines().filter(|line| line.starts_with("fresh ")).count();
    if fresh != FILES {
        return Err(format!("{fresh} of {FILES} summaries are fresh"));
    }
    Ok(report::table(&corpus, &outcomes, TARGETS))
}

/// Files of some three kilobytes in a hundred folders, and a summary of each.
fn fill(folder: &Path, home: &Path) -> Result<(), String> {
    let mut store =
        contexture_gather::summaries::open(&home.join("cache/contexture")).map_err(|error| error.to_string())?;
    let mut entries = Vec::new();
    for at in 0..FILES {
        let path = format!("{:02}/{at:05}.md", at / 100);
        let line = format!("Paragraph of file {at}, which says a thing or two about the number {at} and no other.\n\n");
        let text = format!("# File {at}\n\n{}", line.repeat(30));
        make(&folder.join(format!("{:02}", at / 100)))?;
        fs::write(folder.join(&path), &text).map_err(|error| format!("cannot write `{path}`: {error}"))?;
        entries.push(SummaryEntry {
            file_path: format!("summaries:{path}"),
            file_hash: ContentHash::of(&text),
            summary: format!("Tells of the number {at}. ").repeat(12),
            outline: String::new(),
            generated_at: "2026-11-16T12:00:00Z".into(),
            generator_tier: 2,
            generator: Generator { provider: "some".into(), model: "model".into(), prompt_version: "1".into() },
            view: "summary".into(),
            params: String::new(),
            input_tokens: Some(900),
            output_tokens: Some(90),
        });
    }
    store.summaries.put(&entries).map_err(|error| error.to_string())
}
