//! The only place that knows the library under judgement: a file in, what it says about the file out.
//!
//! Takes a path and a text; gives plain data that the judges compare with what others say. No judgement here, and a panic of
//! the library becomes a sentence, so that one file does not end the run.

use contexture_syntax as syntax;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the library says about one file.
pub struct Reading {
    pub language: &'static syntax::Language,
    pub symbols: Vec<Named>,
    /// ERROR and MISSING nodes in the source and in its skeleton.
    pub errors: usize,
    pub skeleton_errors: usize,
    pub skeleton: String,
    pub outline_agrees: bool,
}

/// A symbol, as far as others can know it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    pub name: String,
    pub line: usize,
    pub kind: &'static str,
}

/// Reads one file, or says why not.
pub fn read(path: &str, text: &str) -> Result<Reading, String> {
    let language = syntax::language_of(path, text).ok_or("not recognised as a language")?;
    catch_unwind(AssertUnwindSafe(|| views(language, text))).unwrap_or_else(|_| Err("panic".to_owned()))
}

fn views(language: &'static syntax::Language, text: &str) -> Result<Reading, String> {
    let structure = syntax::read(language, text).map_err(|refusal| refusal.to_string())?;
    let skeleton = syntax::skeleton(language, &structure, text);
    let count = |text: &str| syntax::errors(language, text).map_err(|refusal| refusal.to_string());
    let skeleton_errors = count(&skeleton)?;
    // A second parse of the source is needed only to compare numbers that are not both zero.
    let errors = if structure.errors || skeleton_errors > 0 { count(text)? } else { 0 };
    let symbols = syntax::symbols(language, &structure, text);
    let outline_agrees = outline_agrees(language, &structure, text, &symbols);
    let named =
        |symbol: syntax::Symbol| Named { name: symbol.name, line: symbol.start_line, kind: symbol.kind.as_str() };
    let symbols = symbols.into_iter().map(named).collect();
    Ok(Reading { language, symbols, errors, skeleton_errors, skeleton, outline_agrees })
}

/// Whether the lines of the outline as text name all symbols, each once, and nothing else.
fn outline_agrees(
    language: &syntax::Language,
    structure: &syntax::Structure,
    text: &str,
    symbols: &[syntax::Symbol],
) -> bool {
    let outline = syntax::outline(language, structure, text);
    let lines = syntax::outline_lines(language, structure, text);
    let mut listed: Vec<&str> = lines.iter().map(|line| line.symbol.qualified.as_str()).collect();
    let mut wanted: Vec<&str> = symbols.iter().map(|symbol| symbol.qualified.as_str()).collect();
    listed.sort_unstable();
    wanted.sort_unstable();
    let told = outline.lines().count() == lines.len()
        && outline.lines().zip(&lines).all(|(told, line)| told.contains(line.symbol.name.as_str()));
    listed == wanted && told
}
