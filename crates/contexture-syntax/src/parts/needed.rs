//! Shows the small things that a body needs to be understood: the constants, fields and imports of the same text that it names.

use super::{Page, SMALL, SymbolExtent};
use crate::language::Language;
use crate::structure::Structure;
use std::collections::BTreeSet;
use std::ops::Range;

impl Page<'_> {
    /// Shows the constants, fields and imports that whole definitions name.
    pub(super) fn show_needed(&mut self, language: &Language, structure: &Structure, shown: &[SymbolExtent]) {
        let bodies = || structure.defs.iter().zip(shown).filter(|(_, shown)| **shown >= SymbolExtent::Hunks);
        // Prose names much that the code does not use.
        let mut is_doc = vec![false; self.visible.len()];
        for doc in structure.defs.iter().filter_map(|def| def.doc) {
            is_doc.get_mut(self.rows(doc)).into_iter().flatten().for_each(|row| *row = true);
        }
        let is_code = |row: &usize| self.visible.get(*row) == Some(&true) && is_doc.get(*row) == Some(&false);
        let rows = bodies().flat_map(|(def, _)| self.rows(def.whole)).filter(is_code);
        let used: BTreeSet<&str> = rows.flat_map(|row| words(self.lines.row(self.text, row))).collect();
        if used.is_empty() {
            return;
        }
        let around: BTreeSet<u32> = bodies().filter_map(|(def, _)| def.parent).collect();
        for def in structure.defs.iter().filter(|def| def.kind.is_value()) {
            let is_near = def.parent.is_none_or(|parent| around.contains(&parent));
            let rows = self.rows(def.whole);
            if is_near && rows.len() <= SMALL && used.contains(def.name.of(self.text)) {
                self.show(rows);
            }
        }
        for rows in self.imports(language, structure) {
            let span = self.lines.first_byte(rows.start)..self.lines.first_byte(rows.end);
            let import = self.text.get(span.start as usize..span.end as usize).unwrap_or("");
            if rows.len() <= SMALL && imported(import).any(|name| used.contains(name)) {
                self.show(rows);
            }
        }
    }

    /// The rows of every import outside of all definitions.
    fn imports(&self, language: &Language, structure: &Structure) -> Vec<Range<usize>> {
        if language.imports.is_empty() && language.quoted_imports.is_empty() {
            return Vec::new();
        }
        let mut taken = vec![false; self.visible.len()];
        for def in structure.defs.iter().filter(|def| def.parent.is_none()) {
            taken.get_mut(self.rows(def.whole)).into_iter().flatten().for_each(|row| *row = true);
        }
        let mut found = Vec::new();
        let mut row = 0;
        while row < taken.len() {
            let line = self.row(row);
            let is_import = language.imports.iter().chain(language.quoted_imports).any(|start| line.starts_with(start));
            if taken[row] || !is_import {
                row += 1;
                continue;
            }
            let start = row;
            let mut open = 0_i64;
            while row < taken.len() && row - start <= SMALL {
                let line = self.row(row);
                open += line.matches(['(', '{']).count() as i64 - line.matches([')', '}']).count() as i64;
                row += 1;
                if open <= 0 {
                    break;
                }
            }
            found.push(start..row);
        }
        found
    }
}

/// Words that identifiers could be.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The names that an import brings, not those on the way to them: `c` of `from a.b import c`, `use a::b::c` and `a.b as c`.
fn imported(import: &str) -> impl Iterator<Item = &str> {
    let brings = match (import.strip_prefix("from "), import.split_once(" from ")) {
        (Some(python), _) => python.split_once("import").map_or("", |(_, names)| names),
        (None, Some((names, _))) => names,
        (None, None) => import,
    };
    let end = |word: &str| (word.as_ptr() as usize - brings.as_ptr() as usize) + word.len();
    let leads_on = move |word: &str| {
        let rest = brings.get(end(word)..).unwrap_or("");
        // The ending of an included file leads nowhere.
        let is_path = rest.starts_with('.') && !import.starts_with('#');
        is_path || rest.starts_with(['/', '\\']) || rest.starts_with("::") || rest.trim_start().starts_with("as ")
    };
    words(brings).filter(move |word| !is_import_word(word) && !leads_on(word))
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
            | "require"
            | "using"
            | "include"
            | "h"
            | "hpp"
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
            ("import React from \"react\"", "React"),
            ("use std::{fmt, io::Write};", "fmt Write"),
            ("import java.util.List;", "List"),
            ("import \"net/http\"", "http"),
            ("use App\\Models\\User;", "User"),
            ("#include \"base/store.h\"", "store"),
        ] {
            assert_eq!(imported(import).collect::<Vec<_>>().join(" "), names, "{import}");
        }
    }
}
