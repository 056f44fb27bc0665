//! `cargo xtask check-views`: judges of skeletons, symbols and outlines that know nothing of us, over real sources.
//!
//! Takes languages; brings their corpora when they are not there, lets the library read every file, asks the judges (the
//! grammar, universal-ctags, CPython's `ast`, `syn`) and prints figures with causes. Fails when a judge's demand is not met.
//! Corpora live in `target/check-views` and are never committed; with `--write` the figures go into docs/views.md.

mod causes;
mod corpora;
mod ctags;
mod definition;
mod ours;
mod packages;
mod python;
mod reparse;
mod report;
mod rust_items;
#[cfg(test)]
mod tests;

use crate::proc;
use packages::{LANGUAGES, Language};
use rayon::prelude::*;
use reparse::File;
use std::path::{Path, PathBuf};

/// What the words after `check-views` ask for.
struct Request {
    languages: Vec<&'static Language>,
    show: usize,
    only: Option<String>,
    setup: bool,
    write: bool,
    python: String,
}

pub fn run(args: &[String]) -> Result<(), String> {
    let request = parse(args)?;
    let home = proc::root().join("target/check-views");
    ctags::install()?;
    let missing = corpora::setup(&home, &request.languages);
    for line in &missing {
        println!("{line}");
    }
    if request.setup {
        return list(&home, &request.languages);
    }
    // `syn` and some grammars go as deep as the source does; two threads, as the machine of the figures has two cores.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(256 << 20).build();
    let pool = pool.map_err(|error| format!("cannot start threads: {error}"))?;
    let mut rows = Vec::new();
    for language in &request.languages {
        let row = pool.install(|| one(&home, &request, language))?;
        println!("{}", report::section(&row, request.show, &home));
        rows.push(row.summary());
    }
    if rows.len() > 1 {
        println!("{}", report::table(&rows));
    }
    if request.write {
        report::write(&proc::root().join("docs/views.md"), &rows)?;
    }
    let failed: Vec<String> = rows.iter().filter(|row| !row.passed()).map(|row| row.language.clone()).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("demands not met: {}", failed.join(", "))) }
}

/// One language through all its judges.
fn one(home: &Path, request: &Request, language: &'static Language) -> Result<report::Row, String> {
    let found = sources(home, request, language)?;
    eprintln!("{}: {} files", language.key, found.len());
    let mut files: Vec<File> =
        found.into_par_iter().filter_map(|(package, path)| read(language, package, path)).collect();
    let figures = reparse::judge(&files);
    let python = match language.key {
        "python" => Some(python::judge(home, &request.python, &files)?),
        _ => None,
    };
    let rust = (language.key == "rust").then(|| rust_items::judge(&files));
    for file in &mut files {
        if let Ok(reading) = &mut file.reading {
            reading.skeleton = String::new();
        }
    }
    let verdict = ctags::judge(home, language.key, &files)?;
    let causes = causes::of(&verdict.misses);
    Ok(report::Row::new(language.key, &files, figures, &verdict, causes, python, rust))
}

/// The files of a language with the package each belongs to, filtered by `--only`.
fn sources(home: &Path, request: &Request, language: &'static Language) -> Result<Vec<(String, PathBuf)>, String> {
    let mut found = Vec::new();
    for (package, files) in corpora::files(home, language)? {
        found.extend(files.into_iter().map(|file| (package.to_owned(), file)));
    }
    if language.key == "python" {
        for (name, folder) in python::installed(&request.python)? {
            let inside = |path: &PathBuf| {
                let below = path.strip_prefix(&folder).unwrap_or(path);
                path.extension().is_some_and(|ending| ending == "py") && !below.starts_with("site-packages")
            };
            found.extend(corpora::regular_files(&folder)?.into_iter().filter(inside).map(|file| (name.clone(), file)));
        }
    }
    if let Some(only) = &request.only {
        found.retain(|(_, path)| path.to_string_lossy().contains(only.as_str()));
    }
    Ok(found)
}

/// What the library says about a file. A header that the library takes for the other language of the pair C and C++ is left
/// to that language's corpus; any other disagreement counts as a file that was not read.
fn read(language: &Language, package: String, path: PathBuf) -> Option<File> {
    let bytes = std::fs::read(&path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut reading = ours::read(&path.to_string_lossy(), text);
    if let Ok(read) = &reading {
        let key = read.language.fence;
        if key != language.key {
            if ["c", "cpp"].contains(&key) && path.extension().is_some_and(|ending| ending == "h") {
                return None;
            }
            reading = Err(format!("taken for {key}"));
        }
    }
    Some(File { package, path, bytes: bytes.len() as u64, reading })
}

fn list(home: &Path, languages: &[&'static Language]) -> Result<(), String> {
    for language in languages {
        for (package, files) in corpora::files(home, language)? {
            let bytes: u64 = files.iter().filter_map(|file| file.metadata().ok()).map(|facts| facts.len()).sum();
            let (count, size) = (files.len(), bytes as f64 / 1e6);
            println!("{:12} {package:30} {count:6} files {size:8.1} MB", language.key);
        }
    }
    Ok(())
}

fn parse(args: &[String]) -> Result<Request, String> {
    let mut request = Request {
        languages: Vec::new(),
        show: 0,
        only: None,
        setup: false,
        write: false,
        python: "python3".to_owned(),
    };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("value missing after `{word}`"));
        match word.as_str() {
            "--show" => {
                let text = value()?;
                request.show = text.parse().map_err(|_| format!("not a number: `{text}`"))?;
            }
            "--only" => request.only = Some(value()?),
            "--python" => request.python = value()?,
            "--setup" => request.setup = true,
            "--write" => request.write = true,
            key => match LANGUAGES.iter().find(|language| language.key == key) {
                Some(language) => request.languages.push(language),
                None => return Err(format!("unknown argument of `check-views`: `{key}`; see `cargo xtask help`")),
            },
        }
    }
    if request.write && (request.only.is_some() || !request.languages.is_empty()) {
        return Err("`--write` needs all languages and files: run it without languages and `--only`".to_owned());
    }
    if request.languages.is_empty() {
        request.languages = LANGUAGES.iter().collect();
    }
    Ok(request)
}
