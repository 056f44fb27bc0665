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
pub enum SymbolExtent {
    #[default]
    Hidden,
    Signature,
    Whole,
}

/// The chosen definitions in the order of the text. `shown` has an entry for each of [`Structure::defs`]; what is missing is
/// hidden. What stands in a whole definition is shown with it. Showing more never takes away what less has shown.
pub fn excerpt(language: &Language, structure: &Structure, text: &str, shown: &[SymbolExtent]) -> String {
    let lines = Lines::of(text);
    let needed = with_parents(structure, shown);
    let whole = whole_spans(structure, text, &lines, &needed);
    let is_inside = |def: &Def| {
        let next = whole.partition_point(|(span, _)| span.start <= def.head.start);
        next.checked_sub(1).and_then(|at| whole.get(at)).is_some_and(|(span, _)| span.holds(def.head))
    };
    let mut signatures: Vec<&Def> = structure
        .defs
        .iter()
        .zip(&needed)
        .filter(|(def, shown)| **shown == SymbolExtent::Signature && !is_inside(def))
        .map(|(def, _)| def)
        .collect();
    // Of names that one declaration shares, the last speaks for all: its signature has the others in it.
    signatures.sort_by_key(|def| (def.head, std::cmp::Reverse(def.name.end)));
    signatures.dedup_by_key(|def| def.head);
    let mut signatures = signatures.into_iter().peekable();
    let mut out = String::new();
    let mut spaced = true;
    for (span, is_outer) in whole {
        while let Some(def) = signatures.next_if(|def| def.head.start < span.start) {
            out.push_str(&excerpt_of(language, def, text, &lines, SymbolExtent::Signature));
            spaced = false;
        }
        if is_outer && !spaced {
            out.push('\n');
        }
        out.push_str(span.of(text));
        out.push_str(if is_outer { "\n\n" } else { "\n" });
        spaced = is_outer;
    }
    for def in signatures {
        out.push_str(&excerpt_of(language, def, text, &lines, SymbolExtent::Signature));
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The stretches of whole definitions with the comments above them, in order and apart from each other, and whether they
/// stand in nothing else. In broken code a definition may end in the middle of another: then both are one stretch.
pub(crate) fn whole_spans(
    structure: &Structure,
    text: &str,
    lines: &Lines,
    shown: &[SymbolExtent],
) -> Vec<(Span, bool)> {
    let whole = structure.defs.iter().zip(shown).filter(|(_, shown)| **shown == SymbolExtent::Whole);
    let mut spans: Vec<(Span, bool)> =
        whole.map(|(def, _)| (with_doc(def, text, lines), def.parent.is_none())).collect();
    spans.sort_by_key(|(span, is_outer)| (span.start, std::cmp::Reverse((span.end, *is_outer))));
    spans.dedup_by(|next, last| {
        let overlaps = next.0.start < last.0.end || next.0 == last.0;
        if overlaps {
            last.0.end = last.0.end.max(next.0.end);
        }
        overlaps
    });
    spans
}

/// The lines of one definition in an [`excerpt`].
pub fn excerpt_of(language: &Language, def: &Def, text: &str, lines: &Lines, shown: SymbolExtent) -> String {
    match shown {
        SymbolExtent::Hidden => String::new(),
        SymbolExtent::Signature => format!("{}{}\n", indent(text, def, lines), signature(language, def, text)),
        SymbolExtent::Whole => format!("{}\n", with_doc(def, text, lines).of(text)),
    }
}

/// What a shown definition stands in is shown at least by its signature.
fn with_parents(structure: &Structure, shown: &[SymbolExtent]) -> Vec<SymbolExtent> {
    let mut all = shown.to_vec();
    all.resize(structure.defs.len(), SymbolExtent::Hidden);
    // Parents stand before their children, so that one walk from the end reaches every ancestor.
    for (index, def) in structure.defs.iter().enumerate().rev() {
        let is_shown = all.get(index).is_some_and(|shown| *shown != SymbolExtent::Hidden);
        if let (true, Some(parent)) = (is_shown, def.parent.and_then(|parent| all.get_mut(parent as usize))) {
            *parent = (*parent).max(SymbolExtent::Signature);
        }
    }
    all
}

fn indent<'t>(text: &'t str, def: &Def, lines: &Lines) -> &'t str {
    let before = Span { start: lines.start(def.head.start), end: def.head.start }.of(text);
    before.get(..before.len() - before.trim_start().len()).unwrap_or("")
}
