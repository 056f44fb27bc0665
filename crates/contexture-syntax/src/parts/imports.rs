//! Shows the imports that shown code uses, and the lines of a class that bring methods into it.

use super::frame::without_comment;
use super::{Page, SMALL};
use crate::language::{ImportRule, Language};
use crate::structure::{Structure, SymbolKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// A statement of more lines is not closed by a bracket that was missed.
const LONGEST: usize = 400;
/// What begins a statement that unpacks a module, where `require(…)` follows.
const UNPACKS: [&str; 3] = ["const {", "let {", "var {"];
/// A line that brings methods into a class is shown up to this many bytes.
const LONGEST_MIXIN: usize = 240;

impl Page<'_> {
    /// Shows the imports that bring one of the names: those outside of all definitions, and those in the namespaces and modules
    /// around shown code. Long ones are shown as far as their lines bring such names.
    pub(super) fn show_imports(
        &mut self,
        language: &Language,
        structure: &Structure,
        owners: &[Option<u32>],
        (used, around): (&BTreeSet<&str>, &BTreeSet<u32>),
    ) {
        let is_near = |owner: u32| {
            let kind = structure.defs.get(owner as usize).map(|def| def.kind);
            matches!(kind, Some(SymbolKind::Namespace | SymbolKind::Module)) && around.contains(&owner)
        };
        let is_start = |row: usize| {
            let line = match owners[row] {
                // Rust has imports inside of macros such as `cfg_time! { … }`.
                None if language.import_rule == ImportRule::Rust => self.row(row).trim_start(),
                None => self.row(row),
                Some(owner) if is_near(owner) => self.row(row).trim_start(),
                Some(_) => return false,
            };
            let unpacks = || !language.inner_imports.is_empty() && UNPACKS.iter().any(|start| line.starts_with(start));
            language.imports.iter().chain(language.quoted_imports).any(|start| line.starts_with(start)) || unpacks()
        };
        let mut shown: Vec<Range<usize>> = Vec::new();
        let mut row = 0;
        while row < owners.len() {
            if !is_start(row) {
                row += 1;
                continue;
            }
            let rows = self.statement(language, row, owners, &is_start);
            row = rows.end;
            let (first, last) = (self.row(rows.start), self.row(rows.end - 1));
            let is_import = || language.inner_imports.iter().any(|mark| last.contains(mark));
            if UNPACKS.iter().any(|start| first.starts_with(start)) && !is_import() {
                continue;
            }
            let brings = |rows: Range<usize>| {
                let span = self.lines.first_byte(rows.start)..self.lines.first_byte(rows.end);
                let text = self.text.get(span.start as usize..self.text.len().min(span.end as usize)).unwrap_or("");
                let text = if rows.len() == 1 { without_comment(language, text) } else { text };
                imported(text.trim_start()).any(|name| used.contains(name))
            };
            if rows.len() <= SMALL {
                if brings(rows.clone()) {
                    shown.push(rows);
                }
                continue;
            }
            let lines: Vec<usize> = rows.clone().filter(|row| brings(*row..row + 1)).collect();
            if !lines.is_empty() {
                shown.extend(lines.into_iter().map(|row| row..row + 1));
                shown.extend([rows.start..rows.start + 1, rows.end - 1..rows.end]);
            }
        }
        shown.into_iter().for_each(|rows| self.show(rows));
    }

    /// Shows the short lines of these classes that bring methods from elsewhere.
    pub(super) fn show_mixins(&mut self, language: &Language, owners: &[Option<u32>], classes: &BTreeSet<u32>) {
        if language.mixins.is_empty() {
            return;
        }
        let is_start = |row: usize| {
            let line = self.row(row).trim_start();
            let is_inside = owners[row].is_some_and(|owner| classes.contains(&owner));
            is_inside && language.mixins.iter().any(|start| line.starts_with(start))
        };
        let mut shown: Vec<Range<usize>> = Vec::new();
        let mut row = 0;
        while row < owners.len() {
            if !is_start(row) {
                row += 1;
                continue;
            }
            let rows = self.statement(language, row, owners, &is_start);
            row = rows.end;
            let bytes: usize = rows.clone().map(|row| self.row(row).trim().len()).sum();
            if rows.len() <= SMALL && bytes <= LONGEST_MIXIN {
                shown.push(rows);
            }
        }
        shown.into_iter().for_each(|rows| self.show(rows));
    }

    /// The rows of a statement: up to the end of its brackets, and on after a comma or a backslash. Only its first row where it does
    /// not end before the next one of its kind.
    fn statement(
        &self,
        language: &Language,
        first: usize,
        owners: &[Option<u32>],
        is_start: &dyn Fn(usize) -> bool,
    ) -> Range<usize> {
        let mut open = 0_i64;
        for row in first..owners.len().min(first + LONGEST) {
            if owners[row] != owners[first] || row > first && is_start(row) {
                break;
            }
            let line = without_comment(language, self.row(row)).trim_end();
            open += line.matches(['(', '{']).count() as i64 - line.matches([')', '}']).count() as i64;
            if open <= 0 && !line.ends_with([',', '\\']) {
                return first..row + 1;
            }
        }
        first..first + 1
    }
}

/// Words that identifiers could be.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The names that an import brings, not those on the way to them: `c` of `from a.b import c`, `use a::b::c` and `a.b as c`.
/// Takes whole imports and single lines of long ones.
fn imported(import: &str) -> impl Iterator<Item = &str> {
    let brings = match (import.strip_prefix("from "), import.split_once(" from ")) {
        (Some(python), _) => python.split_once("import").map_or("", |(_, names)| names),
        (None, Some((names, _))) => names,
        // `const { a, b: c } = require('./d')`
        (None, None) => import.split_once("= require(").map_or(import, |(names, _)| names),
    };
    let end = |word: &str| (word.as_ptr() as usize - brings.as_ptr() as usize) + word.len();
    let leads_on = move |word: &str| {
        let rest = brings.get(end(word)..).unwrap_or("");
        // `use a::b::{self, c}` brings `b`, and the package of `"host/b/v2"` is called `b`.
        if rest.starts_with("::{self") || is_version(rest) {
            return false;
        }
        // The ending of an included file leads nowhere.
        let is_path = rest.starts_with('.') && !import.starts_with('#');
        is_path || rest.starts_with(['/', '\\']) || rest.starts_with("::") || rest.trim_start().starts_with("as ")
    };
    // `_ "host/a"` is imported for its effects.
    let is_named = !import.starts_with("_ ") && !import.starts_with("import _ ");
    words(brings).filter(move |word| is_named && !is_import_word(word) && !leads_on(word))
}

/// Whether a path goes on with a version and ends: `/v2"`, `.v3"`.
fn is_version(rest: &str) -> bool {
    let version = rest.strip_prefix(['/', '.']).and_then(|rest| rest.strip_prefix('v'));
    version.is_some_and(|version| {
        let end = version.trim_start_matches(|c: char| c.is_ascii_digit());
        end.len() < version.len() && end.starts_with('"')
    })
}

fn is_import_word(word: &str) -> bool {
    matches!(
        word,
        "import"
            | "from"
            | "use"
            | "as"
            | "pub"
            | "crate"
            | "self"
            | "super"
            | "static"
            | "const"
            | "let"
            | "var"
            | "type"
            | "function"
            | "require"
            | "using"
            | "include"
            | "h"
            | "hpp"
            | "_"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_brings_names_not_the_way_to_them() {
        for (import, names) in [
            ("from a.b import (c,\n    d as e)", "c e"),
            ("import a.b", "b"),
            ("import numpy as np", "np"),
            ("import { a, b as c } from './d'", "a c"),
            ("const { a, b } = require('./d')", "a b"),
            ("import type { A } from './d'", "A"),
            ("import React from \"react\"", "React"),
            ("use std::{fmt, io::Write};", "fmt Write"),
            ("use std::fmt::{self, Write};", "fmt Write"),
            ("import java.util.List;", "List"),
            ("import \"net/http\"", "http"),
            ("\"github.com/caddyserver/caddy/v2\"", "caddy v2"),
            ("yaml \"gopkg.in/yaml.v3\"", "yaml yaml v3"),
            ("_ \"embed\"", ""),
            ("use App\\Models\\User;", "User"),
            ("use function App\\now;", "now"),
            ("#include \"base/store.h\"", "store"),
        ] {
            assert_eq!(imported(import).collect::<Vec<_>>().join(" "), names, "{import}");
        }
    }
}
