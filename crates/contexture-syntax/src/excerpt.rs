//! Chosen symbols of a text: some by their signature, some whole, each under the signatures of what it stands in.
//!
//! Takes how each definition is to be shown; gives lines. Unlike a mask it is made to be short: a signature takes one line,
//! without documentation and without a mark for what is left out.

use crate::language::Language;
use crate::signature::signature;
use crate::structure::{Def, Span, Structure};
use crate::symbols::{Lines, with_doc};

/// How much of a definition is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Shown {
    #[default]
    Hidden,
    Signature,
    Whole,
}

/// The chosen definitions in the order of the text. `shown` has an entry for each of [`Structure::defs`]; what is missing is
/// hidden. What stands in a whole definition is shown with it.
pub fn excerpt(language: &Language, structure: &Structure, text: &str, shown: &[Shown]) -> String {
    let lines = Lines::of(text);
    let needed = with_parents(structure, shown);
    let mut parts: Vec<(Span, &Def, Shown)> = structure
        .defs
        .iter()
        .zip(needed)
        .filter(|(_, shown)| *shown != Shown::Hidden)
        .map(|(def, shown)| (with_doc(def, text, &lines), def, shown))
        .collect();
    // Of names that one declaration shares, the one that shows most speaks for all.
    parts.sort_by_key(|(span, _, shown)| (span.start, std::cmp::Reverse((span.end, *shown))));
    let mut out = String::new();
    let (mut covered, mut spaced) = (0, true);
    let mut last = None;
    for (span, def, shown) in parts {
        // In broken code a definition may end in the middle of another.
        if span.start < covered || last.replace(def.head) == Some(def.head) {
            continue;
        }
        let whole = shown == Shown::Whole;
        if whole && !spaced && def.parent.is_none() {
            out.push('\n');
        }
        if whole {
            covered = span.end;
        }
        out.push_str(&excerpt_of(language, def, text, &lines, shown));
        spaced = whole && def.parent.is_none();
        if spaced {
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The lines of one definition in an [`excerpt`].
pub fn excerpt_of(language: &Language, def: &Def, text: &str, lines: &Lines, shown: Shown) -> String {
    match shown {
        Shown::Hidden => String::new(),
        Shown::Signature => format!("{}{}\n", indent(text, def, lines), signature(language, def, text)),
        Shown::Whole => format!("{}\n", with_doc(def, text, lines).of(text)),
    }
}

/// What a shown definition stands in is shown at least by its signature.
fn with_parents(structure: &Structure, shown: &[Shown]) -> Vec<Shown> {
    let mut all = shown.to_vec();
    all.resize(structure.defs.len(), Shown::Hidden);
    // Parents stand before their children, so that one walk from the end reaches every ancestor.
    for (index, def) in structure.defs.iter().enumerate().rev() {
        let is_shown = all.get(index).is_some_and(|shown| *shown != Shown::Hidden);
        if let (true, Some(parent)) = (is_shown, def.parent.and_then(|parent| all.get_mut(parent as usize))) {
            *parent = (*parent).max(Shown::Signature);
        }
    }
    all
}

fn indent<'t>(text: &'t str, def: &Def, lines: &Lines) -> &'t str {
    let before = Span { start: lines.start(def.head.start), end: def.head.start }.of(text);
    before.get(..before.len() - before.trim_start().len()).unwrap_or("")
}
