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
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for (def, shown) in bodies() {
            if *shown == SymbolExtent::Hunks {
                let rows = self.rows(def.whole).filter(|row| self.visible.get(*row) == Some(&true));
                used.extend(rows.flat_map(|row| words(self.lines.row(self.text, row))));
            } else {
                used.extend(words(def.whole.of(self.text)));
            }
        }
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
            let names = rows.clone().flat_map(|row| words(self.row(row)));
            if rows.len() <= SMALL && names.filter(|word| !is_import_word(word)).any(|word| used.contains(word)) {
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
    )
}
