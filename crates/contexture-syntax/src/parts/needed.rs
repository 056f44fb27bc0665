//! Shows the small things that a body needs to be understood: the constants, fields, types and imports of the same text that it
//! names, and the type that its method belongs to.
//!
//! Names are compared as words, without scopes: where two definitions have one name, both are shown.

use super::imports::words;
use super::{Page, SymbolExtent};
use crate::language::Language;
use crate::structure::{Def, Structure, SymbolKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// A constant or field of up to this many lines is shown with the body that names it. Longer ones are mostly tables.
const SMALL_VALUE: usize = 8;
/// The same for types.
const SMALL_TYPE: usize = 12;
/// Neither is shown with more bytes than this: a table may be written on a few long lines.
const SMALL_BYTES: usize = 800;

impl<'a> Page<'a> {
    /// Shows the small constants, fields, types and imports that shown bodies name. Gives the larger types, which are to be shown by
    /// their signature.
    pub(super) fn show_needed(
        &mut self,
        language: &Language,
        structure: &Structure,
        shown: &[SymbolExtent],
        owners: &[Option<u32>],
    ) -> Vec<usize> {
        let bodies = || structure.defs.iter().zip(shown).filter(|(_, shown)| **shown >= SymbolExtent::Hunks);
        let classes: BTreeSet<u32> = bodies().filter_map(|(def, _)| def.parent).collect();
        let mut around = ancestors(structure, &classes);
        // Prose names much that the code does not use.
        let mut is_code = self.visible.clone();
        for doc in structure.defs.iter().filter_map(|def| def.doc) {
            is_code.get_mut(self.rows(doc)).into_iter().flatten().for_each(|row| *row = false);
        }
        let mut is_used = vec![false; is_code.len()];
        let mut mark = |rows: Range<usize>| is_used.get_mut(rows).into_iter().flatten().for_each(|row| *row = true);
        for (def, _) in bodies() {
            mark(self.rows(def.whole));
        }
        let rows = || (0..is_code.len()).filter(|row| is_code[*row] && is_used[*row]);
        let mut used: BTreeSet<&str> = rows().flat_map(|row| words(self.lines.row(self.text, row))).collect();
        if used.is_empty() {
            return Vec::new();
        }
        // The classes around a body are shown by their heads, which name other types.
        for def in around.iter().filter_map(|at| structure.defs.get(*at as usize)) {
            if !matches!(def.kind, SymbolKind::Namespace | SymbolKind::Module) {
                used.extend(self.head(def).flat_map(|row| words(self.lines.row(self.text, row))));
            }
        }
        let receivers = self.receivers(structure, shown, &classes);
        let is_near = |def: &Def, around: &BTreeSet<u32>| def.parent.is_none_or(|parent| around.contains(&parent));
        let mut large = Vec::new();
        for (at, def) in structure.defs.iter().enumerate().filter(|(_, def)| is_type(def.kind)) {
            let name = def.name.of(self.text);
            let is_receiver = receivers.contains(name);
            if !is_near(def, &around) || !is_receiver && !used.contains(name) {
                continue;
            }
            let rows = self.rows(def.whole);
            if rows.len() <= SMALL_TYPE && def.whole.len() <= SMALL_BYTES {
                self.show(rows);
            } else if def.body.is_some() {
                large.push(at);
            }
            // The fields of the type that a method belongs to are used by it as if it were around it.
            if is_receiver {
                around.insert(at as u32);
            }
        }
        for def in structure.defs.iter().filter(|def| def.kind.is_value() || is_macro_value(def, self.text)) {
            // `$name` of PHP and `#name` of JavaScript are words without their sign. `_` is what nothing is called.
            let name = def.name.of(self.text).trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
            let rows = self.rows(def.whole);
            let is_small = rows.len() <= SMALL_VALUE && def.whole.len() <= SMALL_BYTES;
            if is_small && name != "_" && used.contains(name) && is_near(def, &around) {
                self.show(rows);
            }
        }
        self.show_imports(language, structure, owners, (&used, &around));
        self.show_mixins(language, owners, &classes);
        large
    }

    /// The names of the types that shown methods belong to, where the methods are not written in the type: receivers of Go, `impl`
    /// blocks, extensions.
    fn receivers(&self, structure: &Structure, shown: &[SymbolExtent], classes: &BTreeSet<u32>) -> BTreeSet<&'a str> {
        let bodies = structure.defs.iter().zip(shown).filter(|(_, shown)| **shown >= SymbolExtent::Hunks);
        let bodies = bodies.map(|(def, _)| def);
        let is_apart = |def: &&Def| matches!(def.kind, SymbolKind::Impl | SymbolKind::Extension);
        let scopes = bodies.clone().filter_map(|def| def.scope);
        let blocks = classes.iter().filter_map(|at| structure.defs.get(*at as usize)).chain(bodies).filter(is_apart);
        let names = scopes.chain(blocks.map(|def| def.name)).map(|name| name.of(self.text));
        // `Store` of `base::Store<K, V>`.
        names.filter_map(|name| words(name.split(['<', '[']).next().unwrap_or(name)).last()).collect()
    }
}

/// These definitions and all around them.
fn ancestors(structure: &Structure, of: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut all = BTreeSet::new();
    for first in of {
        let mut next = Some(*first);
        while let Some(at) = next.filter(|at| all.insert(*at)) {
            next = structure.defs.get(at as usize).and_then(|def| def.parent);
        }
    }
    all
}

/// Whether it is a constant of the preprocessor: `#define LIMIT 3`, not `#define max(a, b) …` and not `macro_rules!`.
fn is_macro_value(def: &Def, text: &str) -> bool {
    let after = text.get(def.name.end as usize..).unwrap_or("");
    let whole = def.whole.of(text);
    def.kind == SymbolKind::Macro && whole.starts_with('#') && !whole.starts_with("#[") && !after.starts_with('(')
}

/// Whether it is a type, and not a block of methods for one.
fn is_type(kind: SymbolKind) -> bool {
    use SymbolKind::*;
    matches!(kind, Class | Struct | Enum | Union | Trait | Interface | Protocol | Object | Type)
}
