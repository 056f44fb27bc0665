//! Code: what the file is for, by its leading comment, what it imports, and what it defines.
//!
//! Reads comments and import lines by the row of the language; definitions come from the parser, already as lines. Licences and marks for tools
//! are not what a file is for and are skipped.

use super::lines::{Lines, head};
use contexture_syntax::Language;

/// A comment worth showing stands in the first part of a file: a licence of 30 lines, 100 imports.
const HEAD_LINES: usize = 400;
/// Lines of the first paragraph, and of what follows it.
const FIRST: usize = 8;
const MORE: usize = 16;
/// Imported names beyond this many would crowd out the rest.
const MOST_IMPORTS: usize = 80;

pub fn read(text: &str, language: &Language, defines: &[(u8, String)]) -> Lines {
    let mut lines = Lines::new();
    let mut paragraphs = purpose(text, language).into_iter();
    for line in paragraphs.next().unwrap_or_default().iter().take(FIRST) {
        lines.push(0, line);
    }
    for line in paragraphs.flatten().take(MORE) {
        lines.push(4, line);
    }
    lines.list(2, "imports", &imports(text, language));
    for (rank, line) in defines {
        lines.push_symbol(*rank, line);
    }
    if lines.is_empty() {
        // Nothing is said and nothing is imported: the first lines of code are all there is.
        let code = text.lines().filter(|line| line.contains(|c: char| c.is_alphanumeric()));
        for line in code.filter(|line| !line.starts_with("#!") && !is_licence(line) && !is_mark(line)).take(MORE) {
            lines.push(5, line);
        }
    }
    lines
}

/// The paragraphs of the first comment that is neither a licence nor a mark for a tool, as lines.
pub fn purpose(text: &str, language: &Language) -> Vec<Vec<String>> {
    let mut comment: Vec<String> = Vec::new();
    let mut closing: Option<&str> = None;
    let mut last = "";
    for raw in text.lines().take(HEAD_LINES) {
        let line = raw.trim();
        if let Some(end) = closing {
            let inside = line.find(end).and_then(|at| line.get(..at));
            comment.push(bare(inside.unwrap_or(line)));
            if inside.is_some() {
                closing = None;
                if let Some(said) = paragraphs(&mut comment) {
                    return said;
                }
            }
        } else if let Some((start, end)) = opening(line, language) {
            // A block after other comments is one of its own, and a docstring is more than a comment.
            let before = paragraphs(&mut comment);
            if let Some(said) = before.filter(|_| !is_string(end)) {
                return said;
            }
            let inside = line.get(start..).unwrap_or("");
            match inside.find(end) {
                Some(at) => {
                    comment.push(bare(inside.get(..at).unwrap_or("")));
                    if let Some(said) = paragraphs(&mut comment) {
                        return said;
                    }
                }
                None => {
                    comment.push(bare(inside));
                    closing = Some(end);
                }
            }
        } else if line.starts_with("#!") && comment.is_empty() {
            // The interpreter, or an attribute of a crate.
            continue;
        } else if let Some(mark) = language.line_comments.iter().find(|mark| line.starts_with(**mark)) {
            // Another mark is another comment; one about the whole file (`//!`) is more than one about nothing.
            if *mark != last {
                let before = paragraphs(&mut comment);
                if let Some(said) = before.filter(|_| *mark != "//!") {
                    return said;
                }
                last = mark;
            }
            comment.push(bare(line.get(mark.len()..).unwrap_or("")));
        } else {
            if let Some(said) = paragraphs(&mut comment) {
                return said;
            }
            if !line.is_empty() && !is_preamble(line, language) {
                return Vec::new();
            }
        }
    }
    paragraphs(&mut comment).unwrap_or_default()
}

/// The names a file imports, in its order, each once.
pub fn imports(text: &str, language: &Language) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut in_block = false;
    let mut closing: Option<&str> = None;
    for line in text.lines() {
        let mut found = Vec::new();
        if let Some(end) = closing {
            closing = closing.filter(|_| !line.contains(end));
        } else if let Some((start, end)) = opening(line, language).filter(|(_, end)| !is_string(end)) {
            // An example in a comment imports nothing. Strings are left out: where one ends another would seem to begin.
            closing = (!line.get(start..).is_some_and(|inside| inside.contains(end))).then_some(end);
        } else if in_block {
            // The lines of Go's `import (`.
            in_block = !line.trim_start().starts_with(')');
            found.extend(in_quotes(line));
        } else if line.starts_with([' ', '\t', '*', '/']) || line.is_empty() {
            continue;
        } else if let Some((lead, rest)) = after(line, language.imports) {
            add_names(lead, rest, &mut found);
        } else if let Some((_, rest)) = after(line, language.quoted_imports) {
            in_block = rest.trim() == "(";
            found.extend(in_quotes(rest));
        } else if let Some(at) = language.inner_imports.iter().find_map(|word| line.find(word)) {
            found.extend(in_quotes(line.get(at..).unwrap_or("")));
        }
        for name in found.into_iter().filter(|name| !name.is_empty() && name.len() < 200) {
            if names.len() == MOST_IMPORTS {
                names.push("…".to_owned());
                return names;
            }
            if seen.insert(name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn after<'a>(line: &'a str, leads: &'static [&'static str]) -> Option<(&'static str, &'a str)> {
    leads.iter().find_map(|lead| line.strip_prefix(lead).map(|rest| (*lead, rest)))
}

/// `a::b::{c, d};` is `a::b`, `static java.util.List` is `java.util.List`, `a, b as c` is `a` and `b`.
fn add_names<'a>(lead: &str, rest: &'a str, found: &mut Vec<&'a str>) {
    // Modifiers between the word and the name.
    const SKIPPED: &[&str] = &["static", "type", "function", "const", "qualified", "struct", "class", "func", "enum"];
    let rest = rest.trim_start();
    if lead.starts_with('#') && rest.starts_with(['<', '"']) {
        // An include: with its brackets, they say where it is looked for.
        let end =
            rest.char_indices().skip(1).find(|(_, c)| matches!(c, '>' | '"')).map_or(rest.len(), |(at, _)| at + 1);
        found.extend(rest.get(..end));
        return;
    }
    let end = rest.find(['{', ';', '(', ')', '=', '#']).unwrap_or(rest.len());
    let list = rest.get(..end).unwrap_or(rest);
    for part in list.split(',') {
        let name = part.split_whitespace().find(|word| !SKIPPED.contains(word)).unwrap_or("");
        found.push(name.trim_end_matches([':', '.', '\\']).trim_matches(['"', '\'']));
        // `from a import b, c`: only `a`.
        if lead == "from " {
            break;
        }
    }
}

fn in_quotes(line: &str) -> Option<&str> {
    let start = line.find(['"', '\'', '`'])?;
    let quote = line.get(start..)?.chars().next()?;
    let inside = line.get(start + 1..)?;
    inside.get(..inside.find(quote)?)
}

/// Where the inside of a block comment begins, and what ends it.
fn opening(line: &str, language: &Language) -> Option<(usize, &'static str)> {
    language.block_comments.iter().find_map(|(open, end)| {
        let at = match *open {
            // Python's prefixes of a string: r"""…""".
            "\"\"\"" | "'''" => line.find(open).filter(|at| *at <= 1)?,
            _ => line.starts_with(open).then_some(0)?,
        };
        Some((at + open.len(), *end))
    })
}

fn is_string(mark: &str) -> bool {
    matches!(mark, "\"\"\"" | "'''")
}

/// Code that may stand before what a file is for.
fn is_preamble(line: &str, language: &Language) -> bool {
    const WORDS: &str = "package |<?php|namespace |module |'use strict'|\"use strict\"|\"use client\"|#!|#pragma|#ifndef |#define |\
         #if |#endif|declare(|syntax |option |from __future__|<script|<template|set -|extern \"C\"|@file:";
    WORDS.split('|').any(|word| line.starts_with(word))
        || after(line, language.imports).is_some()
        || after(line, language.quoted_imports).is_some()
        || language.inner_imports.iter().any(|word| line.contains(word))
        // The lines between the brackets of an import, and its end.
        || line.starts_with([')', '}', '"', '#'])
        || (line.ends_with(',') && line.split_whitespace().count() == 1)
}

/// A comment line without its decoration.
fn bare(line: &str) -> String {
    if is_banner(line.trim()) {
        return String::new();
    }
    let line =
        line.trim().trim_start_matches(['*', '!', '/', '#', ';', '-', '=', '|']).trim_end_matches(['*', '/', '=']);
    let line = line.trim();
    // `@file` and `\brief` name what the line is; other tags begin details.
    for tag in ["@fileoverview", "@fileOverview", "@file", "@brief", "\\file", "\\brief", "@module", "@summary"] {
        if let Some(rest) = line.strip_prefix(tag) {
            return rest.trim().to_owned();
        }
    }
    if line.starts_with("@") { String::new() } else { line.to_owned() }
}

/// Takes the comment, splits it, drops licences and marks for tools; `None` when nothing is left.
fn paragraphs(comment: &mut Vec<String>) -> Option<Vec<Vec<String>>> {
    let mut example = false;
    let mut kept = |line: &String| {
        let fence = line.starts_with("```");
        example ^= fence;
        !example && !fence && !is_mark(line)
    };
    let lines: Vec<String> = std::mem::take(comment).into_iter().filter(|line| kept(line)).collect();
    let said: Vec<Vec<String>> = lines
        .split(|line| !line.contains(|c: char| c.is_alphanumeric()))
        // What stands above a licence in its paragraph is often the name and purpose of the file.
        .map(|paragraph| paragraph.iter().take_while(|line| !is_licence(line)).cloned().collect::<Vec<_>>())
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    // One word says nothing about a file.
    said.iter().flatten().any(|line| line.contains(' ')).then_some(said)
}

/// The beginnings of the lines licences are made of.
fn is_licence(line: &str) -> bool {
    const WORDS: &str = "copyright|(c) 20|©|spdx-|all rights reserved|licensed under|licensed to |under the license|\
         permission is hereby granted|redistribution and use|redistributions of source|redistributions in|\
         is free software|in the hope that|should have received a copy|the software is provided|\
         this software is provided|neither the name|required by applicable law|you may not use this file|\
         obtain a copy|apache.org/licenses|gnu.org/licenses|use of this source code is governed|\
         this source code is licensed|source code form|gnu general public|gnu lesser|gnu affero|\
         free software foundation|distributed under the|distributed under a|released under the|this file is part of|\
         see license|license file|for license information|gpl version|runtime library exception|\
         warranties or conditions|see the license for";
    let line = head(line, 400).to_lowercase();
    WORDS.split('|').any(|words| line.contains(words))
}

/// `---- helpers ----`: the title of a section, not of the file. With ` - ` in it, it names the file and its purpose.
fn is_banner(line: &str) -> bool {
    let is_rule = |part: &str| {
        let mark = part.chars().next().filter(|c| "-=#~_".contains(*c));
        mark.is_some_and(|mark| part.chars().take_while(|c| *c == mark).count() >= 3)
    };
    let end = line.get(line.ceil_char_boundary(line.len().saturating_sub(3))..).unwrap_or("");
    is_rule(line) && is_rule(end) && !line.contains(" - ")
}

/// A line for an editor, a linter or a compiler.
pub fn is_mark(said: &str) -> bool {
    const WORDS: &str = "eslint-|jshint |jslint |tslint:|prettier-|vim:|vi:|coding:|coding=|pylint:|flake8:|mypy:|noqa|type: ignore|\
         clang-format|nolint|go:build|go:generate|+build|rubocop:|shellcheck |frozen_string_literal|istanbul |\
         encoding:|isort:|fmt:|ruff:|cython:|$id|@ts-|@flow|@jsx|ex:|jshint:|eslint:|biome-|deno-lint|deno-fmt|\
         pyright:|yapf:|black:|nosec|nowarn|yamllint |yaml-language-server:|code: language=|cspell:|spell-checker:|\
         sourcemappingurl|local variables:|phpcs:|@phpstan|swiftlint:|ktlint-|pragma:|hadolint |<reference";
    let said = head(said, 120).trim_start_matches(['#', '/', '*', ' ']);
    let said = said.trim_end_matches(['/', '*', ' ']);
    let line = said.to_lowercase();
    WORDS.split('|').any(|mark| line.starts_with(mark))
        || line.contains("-*-")
        || said.starts_with("region ")
        || is_directive(said)
}

/// Directives by their form: `global a, b:true`, `eslint no-x: 0`, `Requires -Version 5`.
fn is_directive(said: &str) -> bool {
    let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
    let mut names = rest.split(',').map(str::trim).filter(|name| !name.is_empty());
    match word {
        "global" | "globals" | "exported" => names.all(|name| {
            let name = name.split(':').next().unwrap_or(name).trim_end();
            !name.contains(' ')
        }),
        "eslint" => rest.contains(':'),
        "jshint" | "jslint" => true,
        _ => {
            // A name with an option behind it.
            word.starts_with(|c: char| c.is_ascii_uppercase())
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && rest.strip_prefix('-').is_some_and(|option| option.starts_with(|c: char| c.is_ascii_alphabetic()))
        }
    }
}
