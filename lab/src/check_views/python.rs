//! The judge of Python skeletons: CPython's own `ast`, by the script beside this file.
//!
//! Takes files with their skeletons; gives how many definitions were compared and every difference with its cause. Also
//! names the folders of the installed Python, whose standard library and packages are the largest corpus.

use super::reparse::File;
use crate::proc;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("python_judge.py");

#[derive(Default)]
pub struct Verdict {
    pub compared: usize,
    pub definitions: u64,
    /// Why sources were not compared, with their number.
    pub skipped: BTreeMap<String, usize>,
    pub problems: Vec<Problem>,
}

pub struct Problem {
    pub path: PathBuf,
    pub line: u64,
    pub cause: String,
    pub told: String,
}

/// Name and folder of the installed Python's own sources.
pub fn installed(python: &str) -> Result<Vec<(String, PathBuf)>, String> {
    let ask = "import sysconfig; print(sysconfig.get_path('stdlib')); print(sysconfig.get_path('purelib'))";
    let told = proc::capture(Command::new(python).args(["-c", ask]))?;
    let mut folders = told.lines().map(PathBuf::from);
    let (Some(library), Some(packages)) = (folders.next(), folders.next()) else {
        return Err(format!("`{python}` does not tell its folders"));
    };
    Ok(vec![("standard library".to_owned(), library), ("site-packages".to_owned(), packages)])
}

/// Compares all skeletons, in two processes.
pub fn judge(home: &Path, python: &str, files: &[File]) -> Result<Verdict, String> {
    let script = home.join("python_judge.py");
    fs::write(&script, SCRIPT).map_err(|error| format!("cannot write `{}`: {error}", script.display()))?;
    let asked: Vec<(&Path, &str)> = files
        .iter()
        .filter_map(|file| Some((file.path.as_path(), file.reading.as_ref().ok()?.skeleton.as_str())))
        .collect();
    // Every second file to the same process: neighbours are alike in size, so both end at about the same time.
    let halves: Vec<Result<Vec<String>, String>> =
        [0, 1].par_iter().map(|turn| ask(python, &script, asked.iter().skip(*turn).step_by(2).copied())).collect();
    let mut verdict = Verdict::default();
    for half in halves {
        for line in half? {
            note(&mut verdict, &line)?;
        }
    }
    verdict.problems.sort_by(|a, b| (&a.path, a.line, &a.cause).cmp(&(&b.path, b.line, &b.cause)));
    Ok(verdict)
}

/// One process: questions go in from a thread of their own while answers are read, so that neither side waits for ever.
fn ask<'a>(
    python: &str,
    script: &Path,
    files: impl Iterator<Item = (&'a Path, &'a str)> + Send,
) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("cannot ask `{python}`: {error}");
    let mut child = Command::new(python)
        .args(["-I", "-X", "utf8"])
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (Some(mut questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(format!("cannot ask `{python}`: no pipes"));
    };
    let lines = std::thread::scope(|scope| {
        scope.spawn(move || {
            for (path, skeleton) in files {
                let question = serde_json::json!({ "path": path.to_string_lossy(), "skeleton": skeleton });
                // A judge that has died says so by its exit code below.
                if writeln!(questions, "{question}").is_err() {
                    return;
                }
            }
        });
        BufReader::new(answers).lines().collect::<Result<Vec<_>, _>>()
    });
    let status = child.wait().map_err(failed)?;
    if status.success() { lines.map_err(failed) } else { Err(format!("`{python}` failed: {status}")) }
}

pub(super) fn note(verdict: &mut Verdict, line: &str) -> Result<(), String> {
    let answer: serde_json::Value =
        serde_json::from_str(line).map_err(|error| format!("the judge's answer is no JSON: {error}"))?;
    let path = PathBuf::from(answer["path"].as_str().unwrap_or_default());
    if let Some(reason) = answer["skipped"].as_str() {
        // The part before the colon: the rest is the sentence of one file.
        let reason = reason.split(':').next().unwrap_or(reason).to_owned();
        *verdict.skipped.entry(reason).or_default() += 1;
        return Ok(());
    }
    verdict.compared += 1;
    verdict.definitions += answer["definitions"].as_u64().unwrap_or(0);
    for problem in answer["problems"].as_array().into_iter().flatten() {
        let text = |index: usize| problem[index].as_str().unwrap_or_default().to_owned();
        let line = problem[1].as_u64().unwrap_or(0);
        verdict.problems.push(Problem { path: path.clone(), line, cause: text(0), told: text(2) });
    }
    Ok(())
}
