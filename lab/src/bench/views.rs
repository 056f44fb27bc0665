//! Views from syntax: skeletons and outlines of every code file, against parsing alone and the peers that cut code.
//!
//! Takes a corpus; gives the commands to run and the targets. *parse alone* reads the same files and runs tree-sitter
//! over them on two threads, nothing else: what the product adds to it is the cost of finding definitions, cutting, counting and
//! writing. Only files in a language of ours take part, by `--include`.

use super::Corpus;
use super::corpus::{make, remove};
use super::limit::THREADS;
use super::measure::Contender;
use super::ours::{LIMIT, Programs};
use super::report::{Bound, Target};
use crate::proc;
use std::path::{Path, PathBuf};
use std::process::Command;

const PARSE: &str = "parse alone";
const SKELETON: &str = "contexture skeleton cold";
const FIRST: &str = "contexture skeleton first run";
const WARM: &str = "contexture skeleton warm";
const CHANGED: &str = "contexture skeleton, one file changed";
const OUTLINE: &str = "contexture outline cold";
const REPOMIX: &str = "repomix --compress";
const AST_GREP: &str = "ast-grep outline";
const AST_GREP_NAMES: &str = "ast-grep outline, names only";

pub const TARGETS: &[Target] = &[
    Target("skeletons from nothing", SKELETON, PARSE, Bound::AtMost(1.25)),
    Target("skeletons against repomix", REPOMIX, SKELETON, Bound::AtLeast(2.5)),
    Target("outlines against ast-grep", AST_GREP, OUTLINE, Bound::AtLeast(1.0)),
    Target("skeletons remembered", WARM, LIMIT, Bound::AtMost(6.0)),
    Target("one file changed", CHANGED, FIRST, Bound::AtMost(0.1)),
];

/// The commands. The corpus is copied for the row that changes a file, so that the others always see the same bytes.
pub fn contenders(bench: &Path, programs: &Programs, corpus: &Corpus, out: &Path) -> Result<Vec<Contender>, String> {
    let folder = corpus.folder.display().to_string();
    let row = |name: &str, about: &str, program: &Path, args: Vec<String>| Contender {
        name: name.to_owned(),
        about: about.to_owned(),
        program: program.to_path_buf(),
        args,
        env: Vec::new(),
        output: out.join(name.replace([' ', ','], "-")),
        from_stdout: true,
        fresh: Vec::new(),
        primed: false,
        caveat: None,
        grows: None,
    };
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let endings = contexture_syntax::LANGUAGES.iter().flat_map(|language| language.endings());
    let only: Vec<String> = endings.flat_map(|ending| ["--include".to_owned(), format!("*.{ending}")]).collect();
    let contexture = |name: &str, about: &str, root: &str, home: &str, rest: &[&str]| {
        let threads = THREADS.to_string();
        let mut args = words(&["build", "--root", root, "--threads", &threads, "-o", "-"]);
        args.extend(words(rest));
        args.extend(only.iter().cloned());
        let mut one = row(name, about, &programs.contexture, args);
        let home = bench.join(home);
        one.env = vec![("HOME", home.clone()), ("XDG_CACHE_HOME", home.join("cache"))];
        one
    };
    for home in ["home-views", "home-changed"] {
        remove(&bench.join(home))?;
        make(&bench.join(home))?;
    }
    let copy = copied(bench, corpus)?;
    let changed_file = first_code_file(&copy).ok_or("no code file in the corpus")?;
    let changed_root = copy.display().to_string();

    let skeleton = ["--view", "skeleton"];
    let cold = contexture(SKELETON, "`--no-cache`", &folder, "home-cold", &["--view", "skeleton", "--no-cache"]);
    let mut first = contexture(FIRST, "fills an empty cache", &folder, "home-first", &skeleton);
    first.fresh.push(bench.join("home-first"));
    let mut warm = contexture(WARM, "structures and counts remembered", &folder, "home-views", &skeleton);
    warm.primed = true;
    let mut changed = contexture(CHANGED, "all but one remembered", &changed_root, "home-changed", &skeleton);
    changed.primed = true;
    changed.grows = Some(changed_file);
    // The peer counts no tokens.
    let estimate = ["--view", "outline", "--no-cache", "--tokenizer", "estimate"];
    let outline = contexture(OUTLINE, "`--no-cache --tokenizer estimate`", &folder, "home-cold", &estimate);
    let limit = |name: &str, about: &str, rest: &[&str]| {
        let mut args = words(&["limit", &folder]);
        args.extend(words(rest));
        row(name, about, &programs.limit, args)
    };
    let mut rows = vec![
        limit(LIMIT, "walk, read, concatenate all text", &["--out", "-"]),
        limit(PARSE, "walk, read, parse code files, 2 threads", &["--parse"]),
        cold,
        first,
        warm,
        changed,
        outline,
    ];
    let npm = bench.join("peers/npm/node_modules");
    let repomix = npm.join("repomix/bin/repomix.cjs");
    if repomix.is_file() {
        let output = out.join("repomix-compress");
        let script = repomix.display().to_string();
        let file = output.display().to_string();
        let args = words(&[&script, &folder, "--compress", "-o", &file, "--quiet"]);
        let mut one = row(REPOMIX, "1.18.1; all files, compressed where it can", Path::new("node"), args);
        (one.output, one.from_stdout) = (output, false);
        let memory = bench.join("repomix-tmp");
        one.env = vec![("TMPDIR", memory.clone())];
        one.fresh.push(memory);
        rows.push(one);
    }
    let ast_grep = npm.join("@ast-grep/cli/ast-grep");
    if ast_grep.is_file() {
        let members = ["outline", "--items", "structure", "--view", "expanded", &folder];
        rows.push(row(AST_GREP, "0.51.0; its languages, signatures and members", &ast_grep, words(&members)));
        rows.push(row(AST_GREP_NAMES, "its default: names of exported items", &ast_grep, words(&["outline", &folder])));
    }
    Ok(rows)
}

/// A copy of a corpus that may be changed.
fn copied(bench: &Path, corpus: &Corpus) -> Result<PathBuf, String> {
    let copy = bench.join("changing").join(corpus.folder.file_name().unwrap_or_default());
    remove(&copy)?;
    make(&bench.join("changing"))?;
    proc::capture(Command::new("cp").arg("-R").arg(&corpus.folder).arg(&copy))?;
    Ok(copy)
}

/// The first file, by path, whose language has line comments with `#`, so that a line may be added to it.
fn first_code_file(folder: &Path) -> Option<PathBuf> {
    let found = std::sync::Mutex::new(Vec::new());
    super::limit::walk(folder, |path| {
        if path.extension().is_some_and(|ending| ending == "py")
            && let Ok(mut found) = found.lock()
        {
            found.push(path);
        }
    });
    found.into_inner().ok()?.into_iter().min()
}
