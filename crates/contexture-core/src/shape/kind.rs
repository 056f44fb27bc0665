//! What kind of file this is, by its name and its first lines.
//!
//! Takes a path and the beginning of a text; gives a [`Kind`], the word behind a Markdown fence, or the reason why a
//! file is better shown by its name alone. Reads no more than the beginning, never fails: what it does not know is
//! [`Kind::Unknown`]. The names themselves are data in `names` and `languages`.

mod languages;
mod names;
mod reduced;
#[cfg(test)]
mod tests;

pub use reduced::reduced_reason;

/// What a file is, as far as its views differ by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Code(&'static CodeKind),
    Markdown,
    Restructured,
    /// Markup whose headings are led by a repeated mark: `=` in AsciiDoc, `*` in Org.
    Headed {
        mark: char,
    },
    Text,
    Toml,
    Yaml,
    Json,
    Ini,
    Env,
    Html,
    Css,
    Xml,
    Sql,
    Csv {
        separator: char,
    },
    Jsonl,
    Notebook,
    Makefile,
    Dockerfile,
    Unknown,
}

/// A programming language as far as its comments and imports go.
#[derive(PartialEq, Eq, Debug)]
pub struct CodeKind {
    pub name: &'static str,
    /// The word behind a fence.
    pub fence: &'static str,
    /// What begins a comment line; longer ones first, so that `//!` is not read as `//` and `!`.
    pub line: &'static [&'static str],
    pub block: &'static [(&'static str, &'static str)],
    /// Beginnings of import lines where the name follows: `use `, `#include`.
    pub named: &'static [&'static str],
    /// Beginnings of import lines where the name stands in quotes: `require `.
    pub quoted: &'static [&'static str],
    /// What makes a line an import wherever it stands in it, with the name in quotes: `require(`.
    pub within: &'static [&'static str],
}

/// The kind of a file. `head` is its beginning (the whole text will do, only the first 4 KiB are looked at); it decides
/// where the name says nothing or two things.
pub fn kind_of(path: &str, head: &str) -> Kind {
    look_up(path, head).0
}

/// The word behind a Markdown fence: lower-case letters, digits, `-`; it ends with a letter or a digit, and it is `text`
/// where nothing is known.
pub fn fence_word(path: &str, head: &str) -> &'static str {
    look_up(path, head).1
}

/// Names longer than this are in no table.
const LONGEST_NAME: usize = 24;
/// How much of the beginning may decide between two kinds: a licence comment and the first includes fit.
const HEAD: usize = 4096;

fn look_up(path: &str, head: &str) -> (Kind, &'static str) {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let mut buffer = [0; LONGEST_NAME];
    if let Some(found) = lower(name, &mut buffer).and_then(|name| find(names::NAMES, name)) {
        return found;
    }
    if let Some(found) = by_stem(name) {
        return found;
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let found = match lower(ending, &mut buffer) {
        // Three endings have two meanings; the head decides.
        Some("h") if is_cpp(head) => Some((Kind::Code(&languages::CPP), "cpp")),
        Some("m") if is_matlab(head) => Some((Kind::Code(&languages::MATLAB), "matlab")),
        Some("ts") if head.trim_start().starts_with("<?xml") => Some((Kind::Xml, "xml")),
        Some(ending) => find(names::ENDINGS, ending),
        None => None,
    };
    found.or_else(|| by_head(head)).or_else(|| by_syntax(name, head)).unwrap_or((Kind::Unknown, "text"))
}

/// A name that only the parsers know.
fn by_syntax(name: &str, head: &str) -> Option<(Kind, &'static str)> {
    let language = contexture_syntax::language_of(name, head)?;
    let kind = languages::PARSED.iter().find(|kind| kind.name == language.name)?;
    Some((Kind::Code(kind), kind.fence))
}

/// `Dockerfile.dev`, `Makefile.linux`, `.env.local`: the part before the dot decides.
fn by_stem(name: &str) -> Option<(Kind, &'static str)> {
    let starts = |word: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    match name.as_bytes().first()? {
        b'D' | b'd' if starts("dockerfile.") => Some((Kind::Dockerfile, "dockerfile")),
        b'C' | b'c' if starts("containerfile.") => Some((Kind::Dockerfile, "dockerfile")),
        b'M' if name.starts_with("Makefile.") => Some((Kind::Makefile, "makefile")),
        b'.' if starts(".env.") => Some((Kind::Env, "dotenv")),
        _ => None,
    }
}

/// A file without a telling name: the interpreter it names, or the declaration it begins with.
fn by_head(head: &str) -> Option<(Kind, &'static str)> {
    let head = head.strip_prefix('\u{feff}').unwrap_or(head);
    if let Some(line) = head.strip_prefix("#!") {
        let line = line.get(..line.find('\n').unwrap_or(line.len()).min(256)).unwrap_or("");
        // `/usr/bin/env -S python3.12 -u`: the last part of the first word that is neither `env` nor an option.
        let program = line
            .split_whitespace()
            .map(|word| word.rsplit('/').next().unwrap_or(word))
            .find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let mut buffer = [0; LONGEST_NAME];
        return find(names::INTERPRETERS, lower(program, &mut buffer)?);
    }
    let start = head.trim_start();
    let begins = |word: &str| start.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    if begins("<!doctype html") || begins("<html") {
        Some((Kind::Html, "html"))
    } else if begins("<?xml") {
        Some((Kind::Xml, "xml"))
    } else if begins("<?php") {
        Some((Kind::Code(&languages::PHP), "php"))
    } else {
        None
    }
}

fn is_cpp(head: &str) -> bool {
    beginning(head).lines().any(|line| {
        let line = line.trim_start();
        ["class ", "namespace ", "template ", "template<", "using ", "public:", "private:", "protected:"]
            .iter()
            .any(|word| line.starts_with(word))
            // The C++ library has no `.h`: `#include <vector>`.
            || line.strip_prefix("#include <").is_some_and(|rest| !rest.contains(".h") && rest.contains('>'))
    })
}

fn is_matlab(head: &str) -> bool {
    let first = beginning(head).lines().map(str::trim_start).find(|line| !line.is_empty()).unwrap_or("");
    first.starts_with('%') || first.starts_with("function ") || first.starts_with("classdef ")
}

fn beginning(head: &str) -> &str {
    head.get(..head.floor_char_boundary(HEAD)).unwrap_or(head)
}

fn find(rows: &[names::Row], name: &str) -> Option<(Kind, &'static str)> {
    let at = rows.binary_search_by(|row| row.0.cmp(name)).ok()?;
    rows.get(at).map(|row| (row.1, row.2))
}

/// The name in lower case, in a buffer of the caller: this runs for every file of a walk.
fn lower<'a>(name: &str, buffer: &'a mut [u8; LONGEST_NAME]) -> Option<&'a str> {
    let place = buffer.get_mut(..name.len())?;
    place.copy_from_slice(name.as_bytes());
    place.make_ascii_lowercase();
    std::str::from_utf8(place).ok()
}
