//! Shows the lines that give shown ones their place: the words that say who may use a member, the brackets of a group of values,
//! and a brace on a line of its own.
//!
//! Takes the rows that are visible and the definition that each row belongs to; only ever shows more rows.

use super::Page;
use crate::language::Language;
use crate::structure::{Def, Structure, SymbolKind};
use std::collections::BTreeMap;

impl Page<'_> {
    /// The innermost definition that each row belongs to.
    pub(super) fn owners(&self, structure: &Structure) -> Vec<Option<u32>> {
        let all = self.visible.len();
        let mut owners = vec![None; all];
        // For each row, a row at or after it that may still be without an owner, so that each is assigned once.
        let mut next: Vec<usize> = (0..=all).collect();
        // Definitions inside others come after them in the list.
        for (at, def) in structure.defs.iter().enumerate().rev() {
            let rows = self.rows(def.whole);
            let mut row = open(&mut next, rows.start.min(all));
            while row < rows.end {
                owners[row] = Some(at as u32);
                next[row] = row + 1;
                row = open(&mut next, row);
            }
        }
        owners
    }

    /// Shows `private` and the like on a line of its own, where it holds for a shown member below.
    pub(super) fn show_sections(&mut self, structure: &Structure, owners: &[Option<u32>]) {
        let mut sections: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
        for (row, owner) in owners.iter().enumerate() {
            let Some((owner, def)) = owner.and_then(|owner| Some((owner, structure.defs.get(owner as usize)?))) else {
                continue;
            };
            if (def.kind.has_methods() || def.kind == SymbolKind::Module) && is_section(self.row(row)) {
                sections.entry(owner).or_default().push((row, indent(self.row(row))));
            }
        }
        if sections.is_empty() {
            return;
        }
        for def in &structure.defs {
            let row = self.rows(def.head).start;
            let Some(sections) = def.parent.and_then(|parent| sections.get(&parent)) else { continue };
            if self.visible.get(row) != Some(&true) {
                continue;
            }
            // One that is indented more belongs to a block that has ended.
            let above = sections.get(..sections.partition_point(|section| section.0 < row)).unwrap_or_default();
            let near = above.iter().rev().take(8).find(|section| section.1 <= indent(self.row(row)));
            if let Some((section, _)) = near {
                self.show(*section..section + 1);
            }
        }
    }

    /// Shows the lines that open and close a group, such as `var (` and `)`, around shown values, types and imports.
    pub(super) fn show_groups(&mut self, language: &Language, structure: &Structure, owners: &[Option<u32>]) {
        let def = |owner: &Option<u32>| owner.and_then(|owner| structure.defs.get(owner as usize));
        let is_outside = |owner: &Option<u32>| {
            def(owner).is_none_or(|def| matches!(def.kind, SymbolKind::Namespace | SymbolKind::Module))
        };
        let is_member = |owner: &Option<u32>| def(owner).is_some_and(|def| !def.kind.is_callable());
        // How many shown lines before each row a group may hold.
        let mut before = Vec::with_capacity(owners.len() + 1);
        let mut count = 0_usize;
        for (owner, visible) in owners.iter().zip(&self.visible) {
            before.push(count);
            count += usize::from(*visible && (is_member(owner) || is_outside(owner)));
        }
        let mut opened = Vec::new();
        let mut groups = Vec::new();
        for (row, owner) in owners.iter().enumerate().filter(|(_, owner)| is_outside(owner)) {
            let line = without_comment(language, self.row(row)).trim();
            // The brace of a namespace belongs to its head.
            let is_head = def(owner).is_some_and(|def| self.rows(def.head).contains(&row));
            if line.starts_with([')', '}', ']'])
                && let Some(Some(first)) = opened.pop()
            {
                groups.push((first, row));
            }
            if line.ends_with(['(', '{', '[']) {
                opened.push((line.len() > 1 && !is_head).then_some(row));
            }
        }
        for (first, last) in groups {
            if before.get(last) > before.get(first + 1) {
                self.show(first..first + 1);
                self.show(last..last + 1);
            }
        }
    }

    /// Shows a brace alone on the line after a head, where some of what it opens is shown.
    pub(super) fn show_brace(&mut self, def: &Def) {
        let (head, all) = (self.head(def), self.rows(def.whole));
        let brace = head.end;
        let is_brace = brace == self.rows(def.head).end && brace < all.end && self.row(brace).trim() == "{";
        let is_open = || self.visible.get(brace + 1..all.end).is_some_and(|rows| rows.contains(&true));
        if is_brace && is_open() {
            self.show(brace..brace + 1);
        }
    }
}

/// The first row from this one on that has no owner. Shortens the way for the next search.
fn open(next: &mut [usize], mut row: usize) -> usize {
    while next[row] != row {
        next[row] = next[next[row]];
        row = next[row];
    }
    row
}

/// `private`, `public:`, `protected slots:`.
fn is_section(line: &str) -> bool {
    let line = line.trim();
    let mut words = line.strip_suffix(':').unwrap_or(line).split_whitespace();
    let is_first = words.next().is_some_and(|word| {
        matches!(word, "private" | "protected" | "public" | "module_function" | "signals" | "Q_SIGNALS")
    });
    is_first && words.all(|word| matches!(word, "slots" | "Q_SLOTS"))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A line up to a comment that ends with it.
pub(super) fn without_comment<'t>(language: &Language, line: &'t str) -> &'t str {
    let begins = |mark: &&str| {
        let is_begin =
            |at: &usize| line.get(..*at).is_some_and(|before| before.trim_end() != before || before.is_empty());
        line.match_indices(*mark).map(|(at, _)| at).find(is_begin)
    };
    let first = language.line_comments.iter().filter_map(begins).min();
    first.and_then(|at| line.get(..at)).unwrap_or(line)
}
