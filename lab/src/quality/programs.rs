//! The programs that are compared: ours, the baseline, and any other by its command line.
//!
//! Takes a task whose tree was exported and a budget; gives the document a program makes, or why there is none. Programs run
//! in a home of their own, so that no settings of the person at this machine take part.

use super::bm25;
use super::project::Project;
use super::tasks::Task;
use crate::proc;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Program {
    pub name: String,
    kind: Kind,
}

enum Kind {
    Baseline,
    /// Words with `{root}`, `{query}` and `{budget}` in them.
    Command(Vec<String>),
}

/// Where a task was set up.
pub struct Place<'a> {
    pub task: &'a Task,
    pub project: &'a Project,
    pub root: &'a Path,
    pub query: &'a Path,
    pub home: &'a Path,
}

pub const BASELINE: &str = "whole files in BM25 order";

pub fn baseline() -> Program {
    Program { name: BASELINE.to_owned(), kind: Kind::Baseline }
}

/// The product as users get it, built now.
pub fn contexture() -> Result<Program, String> {
    eprintln!("building contexture");
    proc::show(proc::cargo().args(["build", "--quiet", "--release", "--package", "contexture-cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| proc::root().join("target"), PathBuf::from);
    let program = proc::root().join(target).join("release/contexture");
    let words = "build --root {root} --query-file {query} --budget {budget} --tokenizer o200k_base -o -";
    let mut all = vec![program.display().to_string()];
    all.extend(words.split(' ').map(str::to_owned));
    Ok(Program { name: "contexture".to_owned(), kind: Kind::Command(all) })
}

/// A program by its command line: words between spaces, no shell.
pub fn command(line: &str) -> Result<Program, String> {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let program = words.first().ok_or("empty command after `--command`")?;
    let name = Path::new(program).file_name().map_or(program.clone(), |name| name.to_string_lossy().into_owned());
    Ok(Program { name, kind: Kind::Command(words) })
}

impl Program {
    /// One document for each budget.
    pub fn documents(&self, place: &Place, budgets: &[u64]) -> Vec<Result<String, String>> {
        match &self.kind {
            Kind::Baseline => {
                let ranked = bm25::ranked(place.project, &place.task.language, &place.task.query);
                budgets.iter().map(|budget| Ok(bm25::pack(&ranked, *budget))).collect()
            }
            Kind::Command(words) => budgets.iter().map(|budget| run(words, place, *budget)).collect(),
        }
    }
}

fn run(words: &[String], place: &Place, budget: u64) -> Result<String, String> {
    let fill = |word: &String| {
        word.replace("{root}", &place.root.to_string_lossy())
            .replace("{query}", &place.query.to_string_lossy())
            .replace("{budget}", &budget.to_string())
    };
    let words: Vec<String> = words.iter().map(fill).collect();
    let (program, rest) = words.split_first().ok_or("empty command")?;
    let mut command = Command::new(program);
    command.args(rest).current_dir(place.root).env("HOME", place.home);
    for (key, folder) in [("CACHE", "cache"), ("CONFIG", "config"), ("STATE", "state"), ("DATA", "data")] {
        command.env(format!("XDG_{key}_HOME"), place.home.join(folder));
    }
    for (key, _) in std::env::vars_os().filter(|(key, _)| key.to_string_lossy().starts_with("CONTEXTURE_")) {
        command.env_remove(key);
    }
    proc::capture(&mut command)
}
