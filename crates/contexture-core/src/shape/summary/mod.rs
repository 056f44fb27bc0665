//! The offline summary of a file: what it is for and what is in it, in at most a quarter of it and 400 tokens.
//!
//! Takes a path, a text and a way to count tokens; gives a few lines, always the same for the same input. Each kind of
//! file has its reader below, which gives ranked lines; `lines` keeps the best that fit. No reader fails: what it
//! cannot read is summarised as plain text. Everything comes from the file, so whoever prints it must frame it.

mod code;
mod config;
mod from_model;
mod json;
mod keys;
mod lines;
mod markup;
mod prose;
mod recipes;
mod rows;
pub(crate) mod secret;
#[cfg(test)]
mod tests;

use super::data::{self, CellKind};
use crate::kind::{FileKind, kind_of};
pub(super) use from_model::capped;
use lines::{Lines, head};
pub use secret::{is_configuration, mask_text};

/// A file to summarise.
#[derive(Clone, Copy, Debug)]
pub struct SummarySource<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// Bytes on disk.
    pub size: u64,
    /// False: `text` is only the beginning of a huge file.
    pub whole: bool,
    /// What code defines, a line each with its rank.
    pub defines: &'a [(u8, String)],
}

/// The most a summary may cost.
pub const MAX_TOKENS: u64 = 400;

/// How much of a text is read for structure. Documentation, imports and most headings stand in the first part; a file
/// longer than this would fill its 400 tokens anyway.
const READ: usize = 1024 * 1024;

/// The summary of a file, possibly empty when the file is tiny. It never ends with a line break.
pub fn summarize(source: &SummarySource<'_>, count: &dyn Fn(&str) -> u64) -> String {
    let text = source.text.strip_prefix('\u{feff}').unwrap_or(source.text);
    if text.trim().is_empty() {
        return String::new();
    }
    let read = head(text, READ);
    let kind = kind_of(source.path, read);
    let mut lines = match kind {
        FileKind::Code(language) => code::read(read, language, source.defines),
        FileKind::Markdown => prose::markdown(read),
        FileKind::Restructured => prose::underlined(read),
        FileKind::Headed { mark } => prose::headed(read, mark),
        FileKind::Text | FileKind::Unknown if ends_with(source.path, &["po", "pot"]) => {
            rows::catalogue(text, source.whole)
        }
        FileKind::Text | FileKind::Unknown => {
            let found =
                prose::by_content(read).or_else(|| rows::listing(read, source.whole && read.len() == text.len()));
            found.unwrap_or_else(|| if kind == FileKind::Text { Lines::new() } else { prose::first_lines(read) })
        }
        FileKind::Toml => config::toml(read),
        FileKind::Ini | FileKind::Env => config::pairs(read),
        FileKind::Yaml => config::yaml(read),
        FileKind::Json => json::read(text, source.size, source.whole),
        FileKind::Html => markup::html(read),
        FileKind::Xml if ends_with(source.path, &["svg"]) => markup::svg(read),
        FileKind::Xml => markup::xml(read),
        FileKind::Css => markup::css(read),
        FileKind::Sql => recipes::sql(read),
        FileKind::Makefile => recipes::makefile(read),
        FileKind::Dockerfile => recipes::dockerfile(read),
        FileKind::Csv { .. } | FileKind::Jsonl => table(kind, text, source),
        FileKind::Notebook => notebook(text),
    };
    if lines.is_empty() {
        lines = prose::paragraphs(read);
    }
    if lines.is_empty() {
        lines = prose::first_lines(read);
    }
    let file = if source.whole { text.len() as u64 } else { source.size.max(source.text.len() as u64) };
    lines.fit(usize::try_from(file / 4).unwrap_or(usize::MAX), MAX_TOKENS, count)
}

fn ends_with(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn table(kind: FileKind, text: &str, source: &SummarySource<'_>) -> Lines {
    let mut lines = Lines::new();
    if let Some(shape) = data::shape_of(kind, text, source.whole) {
        lines.push(0, format!("{}, {} bytes", shape.title, source.size));
        lines.list(1, "columns", &shape.columns);
        for row in &shape.head {
            lines.push(2, row);
        }
    }
    lines
}

fn notebook(text: &str) -> Lines {
    let mut lines = Lines::new();
    let Ok(cells) = data::cells(text) else { return lines };
    let (mut script, mut prose) = (String::new(), String::new());
    for cell in &cells {
        let part = if cell.kind == CellKind::Code { &mut script } else { &mut prose };
        part.push_str(&cell.source);
        part.push_str("\n\n");
    }
    let codes = cells.iter().filter(|cell| cell.kind == CellKind::Code).count();
    lines.push(0, format!("notebook of {} cells, {codes} of them code", cells.len()));
    lines.append(prose::markdown(head(&prose, READ)));
    if let FileKind::Code(python) = kind_of("cells.py", "") {
        lines.list(2, "imports", &code::imports(head(&script, READ), python));
    }
    lines
}
