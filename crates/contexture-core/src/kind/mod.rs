//! What kind of file this is, by its name and its first lines.
//!
//! Takes a path and the beginning of a text; gives a [`FileKind`], the word behind a Markdown fence, or the reason why a
//! file is better shown by its name alone. Reads no more than the beginning, never fails: what it does not know is
//! [`FileKind::Unknown`]. The names themselves are data: in `names`, and for code in
//! `contexture-syntax`.

mod names;
mod reduced;
#[cfg(test)]
mod tests;

pub use reduced::reduced_reason;

use contexture_syntax::{Language, all_languages, shebang_program};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What a file is, as far as its views differ by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    Code(&'static Language),
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

/// The kind of a file. `head` is its beginning (the whole text will do, only the first 4 KiB are looked at); it decides
/// where the name says nothing or two things.
pub fn kind_of(path: &str, head: &str) -> FileKind {
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

/// A kind and the word after a fence.
type KindWithFence = (FileKind, &'static str);

/// What each name means: `*.ending`, a whole name or `#!program`, in lower case.
static KNOWN: LazyLock<BTreeMap<String, KindWithFence>> = LazyLock::new(|| rows().collect());

fn rows() -> impl Iterator<Item = (String, KindWithFence)> {
    let code = all_languages().flat_map(|language| {
        let files = language.files.split_ascii_whitespace().chain(language.unparsed.split_ascii_whitespace());
        files.map(|name| name.to_ascii_lowercase()).map(move |name| {
            let fence = language.fences.iter().find(|(one, _)| *one == name).map_or(language.fence, |(_, word)| word);
            (name, (FileKind::Code(language), fence))
        })
    });
    let rest = names::ROWS
        .iter()
        .flat_map(|(kind, fence, names)| names.split_whitespace().map(|name| (name.to_owned(), (*kind, *fence))));
    code.chain(rest)
}

fn look_up(path: &str, head: &str) -> KindWithFence {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if let Some(known) = find("", name).or_else(|| by_stem(name)) {
        return known;
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is = |one: &str| ending.eq_ignore_ascii_case(one);
    // Endings with two meanings: the head decides.
    let known = if is("h") && is_cpp(head) {
        code("C++")
    } else if is("m") && is_matlab(head) {
        code("MATLAB")
    } else if is("ts") && head.trim_start().starts_with("<?xml") {
        Some((FileKind::Xml, "xml"))
    } else if is("inc") {
        None
    } else {
        find("*.", ending)
    };
    known.or_else(|| by_head(head)).unwrap_or((FileKind::Unknown, "text"))
}

fn code(name: &str) -> Option<KindWithFence> {
    all_languages().find(|language| language.name == name).map(|language| (FileKind::Code(language), language.fence))
}

/// `Dockerfile.dev`, `Makefile.linux`, `.env.local`: the part before the dot decides.
fn by_stem(name: &str) -> Option<KindWithFence> {
    let starts = |word: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    match name.as_bytes().first()? {
        b'D' | b'd' if starts("dockerfile.") => Some((FileKind::Dockerfile, "dockerfile")),
        b'C' | b'c' if starts("containerfile.") => Some((FileKind::Dockerfile, "dockerfile")),
        b'M' if name.starts_with("Makefile.") => Some((FileKind::Makefile, "makefile")),
        b'.' if starts(".env.") => Some((FileKind::Env, "dotenv")),
        _ => None,
    }
}

/// A file without a telling name: the interpreter it names, or the declaration it begins with.
fn by_head(head: &str) -> Option<KindWithFence> {
    let head = head.strip_prefix('\u{feff}').unwrap_or(head);
    if head.starts_with("#!") {
        return find("#!", shebang_program(head)?);
    }
    let start = head.trim_start();
    let begins = |word: &str| start.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    if begins("<!doctype html") || begins("<html") {
        Some((FileKind::Html, "html"))
    } else if begins("<?xml") {
        Some((FileKind::Xml, "xml"))
    } else if begins("<?php") {
        code("PHP")
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

/// What a name in any case means. No memory is taken for it: this runs for every file of a walk.
fn find(lead: &str, name: &str) -> Option<KindWithFence> {
    let mut buffer = [0; LONGEST_NAME];
    let key = buffer.get_mut(..lead.len() + name.len())?;
    let (before, rest) = key.split_at_mut(lead.len());
    before.copy_from_slice(lead.as_bytes());
    rest.copy_from_slice(name.as_bytes());
    rest.make_ascii_lowercase();
    KNOWN.get(std::str::from_utf8(key).ok()?).copied()
}
