//! The functions that a commit changed: what a document for the task should show.
//!
//! Takes the old text of a file and the places that were touched; gives functions with the lines a reader must see. Which
//! files count (no tests, nothing generated, nothing borrowed) is decided here too. Test code in the file is passed over.

use super::diff::Touch;
use contexture_syntax as syntax;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A function as it stood before the commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its place among the definitions of its file.
    pub at: usize,
    pub name: String,
    /// The first line of its head, white space normalised, without the sign that opens the body.
    pub head: String,
    /// Its lines without white space at both ends, blank ones left out.
    pub lines: Vec<String>,
}

/// The key of a language on the command line and in tables. TSX is TypeScript to those who write it.
pub fn key(language: &syntax::Language) -> &'static str {
    if language.fence == "tsx" { "typescript" } else { language.fence }
}

/// What was touched in a file.
pub struct Touched {
    /// The innermost functions around the touched places, in the order of the file.
    pub functions: Vec<Function>,
    /// Places of constants, fields and other values that were touched outside of functions.
    pub values: Vec<usize>,
    /// Nothing but test code was touched.
    pub only_tests: bool,
}

/// Reads the old file; `None` when it cannot be read.
pub fn touched(path: &str, text: &str, touches: &[Touch]) -> Option<Touched> {
    let language = syntax::language_of(path, text)?;
    // A grammar may fail in ways of its own; one file must not end the run.
    let read = catch_unwind(AssertUnwindSafe(|| syntax::read(language, text)));
    let structure = read.ok()?.ok()?;
    let symbols = syntax::symbols(language, &structure, text);
    let def = |symbol: &syntax::Symbol| structure.defs.get(symbol.index);
    let tests: Vec<_> = symbols.iter().filter(|symbol| def(symbol).is_some_and(|def| is_test(def, text))).collect();
    let code: Vec<_> = symbols
        .iter()
        .filter(|symbol| symbol.kind.is_callable() && def(symbol).is_some_and(|def| def.body.is_some()))
        .collect();
    let values: Vec<_> = symbols.iter().filter(|symbol| symbol.kind.is_value()).collect();
    let (mut found, mut found_values) = (BTreeSet::new(), BTreeSet::new());
    let mut only_tests = true;
    for touch in touches {
        let (lines, after) = match *touch {
            Touch::Lines { first, last } => (first..=last, 0),
            Touch::After(line) => (line..=line, 1),
        };
        for line in lines {
            // What is put behind the last line of a function is not in it.
            let inside = |symbol: &&&syntax::Symbol| symbol.first_line <= line && line + after <= symbol.end_line;
            if tests.iter().any(|symbol| inside(&symbol)) {
                continue;
            }
            only_tests = false;
            let innermost = code.iter().filter(inside).max_by_key(|symbol| (symbol.head_line, symbol.index));
            if innermost.is_none() {
                let value = values.iter().filter(inside).max_by_key(|symbol| (symbol.head_line, symbol.index));
                found_values.extend(value.map(|symbol| symbol.index));
            }
            found.extend(innermost.map(|symbol| symbol.index));
        }
    }
    let lines: Vec<&str> = text.lines().collect();
    let told = found.into_iter().filter_map(|index| {
        let (symbol, def) = (symbols.get(index)?, structure.defs.get(index)?);
        let lines = lines.get(symbol.head_line.checked_sub(1)?..symbol.end_line)?;
        let lines = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
        let (name, head) = (symbol.name.clone(), head(def.head.of(text)));
        Some(Function { at: index, name, head, lines: lines.map(str::to_owned).collect() })
    });
    let functions = told.filter(|function| !function.head.is_empty()).collect();
    Some(Touched { functions, values: found_values.into_iter().collect(), only_tests })
}

/// A line that was changed, and those around it: white space at the ends and blank lines do not count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub before: Option<String>,
    pub text: String,
    pub after: Option<String>,
}

/// The touched lines that are not blank; for an insertion, the line before it.
pub fn lines(text: &str, touches: &[Touch]) -> Vec<Line> {
    let solid: Vec<(usize, &str)> =
        (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty()).collect();
    let touched = touches.iter().flat_map(|touch| match *touch {
        Touch::Lines { first, last } => first..=last,
        Touch::After(line) => line..=line,
    });
    let at = |number: usize| solid.binary_search_by_key(&number, |(number, _)| *number).ok();
    let line = |at: usize| solid.get(at).map(|(_, line)| (*line).to_owned());
    let one = |at: usize| Some(Line { before: line(at.wrapping_sub(1)), text: line(at)?, after: line(at + 1) });
    touched.filter_map(at).collect::<BTreeSet<_>>().into_iter().filter_map(one).collect()
}

/// White space of any kind and length as one space.
pub fn squash(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a path belongs to tests, benchmarks or their data.
pub fn is_test_path(path: &str) -> bool {
    const FOLDERS: [&str; 14] = [
        "test",
        "tests",
        "__tests__",
        "testing",
        "testdata",
        "test-data",
        "spec",
        "specs",
        "__mocks__",
        "mocks",
        "e2e",
        "fixtures",
        "benches",
        "testutil",
    ];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let low = stem.to_lowercase();
    folders.split('/').any(|folder| FOLDERS.contains(&&*folder.to_lowercase()))
        || [".test.", ".spec.", "-test.", "_test.", ".e2e."].iter().any(|part| name.contains(part))
        || ["test", "tests", "conftest", "vitest", "jest", "testutil", "testutils"].contains(&&*low)
        || low.starts_with("test_")
        || ["_tests", "Test", "Tests"].iter().any(|end| stem.ends_with(end))
}

/// Whether a file was written by a program or by others: nobody looks for such code.
pub fn is_foreign(path: &str, text: &str) -> bool {
    const FOLDERS: [&str; 7] = ["vendor", "node_modules", "third_party", "dist", "generated", "__generated__", "gen"];
    const NAMES: [&str; 6] = [".pb.", ".d.ts", ".min.", "_gen.", ".gen.", "bindata."];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let top: String = text.chars().take(1000).collect::<String>().to_lowercase();
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || NAMES.iter().any(|part| name.contains(part))
        || ["code generated", "@generated", "do not edit", "automatically generated"]
            .iter()
            .any(|sign| top.contains(sign))
}

/// Whether a definition is marked as a test, as in Rust: `#[test]`, `#[cfg(test)]`, `#[tokio::test]`, not `#[cfg(not(test))]`.
fn is_test(def: &syntax::Def, text: &str) -> bool {
    let attributes = text.get(def.whole.start as usize..def.head.start as usize).unwrap_or("");
    let words = || attributes.split(|c: char| !c.is_alphanumeric() && c != '_');
    attributes.starts_with("#[") && words().any(|word| word == "test") && !words().any(|word| word == "not")
}

/// The first line of a head. Where the head ends on it, what only opens the body is left out: signatures end without it.
fn head(text: &str) -> String {
    let mut lines = text.trim().lines();
    let line = squash(lines.next().unwrap_or(""));
    if lines.next().is_some() {
        return line;
    }
    let line = line.trim_end_matches('{').trim_end().trim_end_matches("=>").trim_end();
    line.trim_end_matches(':').trim_end().to_owned()
}
