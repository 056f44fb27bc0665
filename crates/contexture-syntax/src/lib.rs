//! Languages as data: what a source file defines, and the views that follow from it.
//!
//! Takes a path and a text; gives a [`Structure`] (definitions and cuts as byte ranges), and from it with the text
//! [`symbols`], [`skeleton`], [`outline`] and [`masked_view`] views. Pure: no files, no clock, no threads. Views are exact cuts
//! of the source; what is left out is marked in a way the language itself accepts.

mod cuts;
mod detect;
mod exports;
mod extract;
mod language;
mod languages;
mod mask;
mod names;
mod outline;
mod parse;
mod parts;
mod prepare;
mod query;
mod signature;
mod skeleton;
mod structure;
mod symbols;
mod text;
mod visibility;
mod words;

pub use detect::{all_languages, by_name, language_of, shebang_program};
pub use language::{ImportRule, Language};
pub use languages::{LANGUAGES, PLAIN};
pub use mask::{Mask, MaskedView, is_symbol_named, masked_view, plain_name};
pub use outline::{OutlineLine, outline, outline_lines, symbol_label};
pub use parse::{Refusal, errors, sexp};
pub use parts::{HunkRows, Parts, ShownSymbols, SymbolExtent, part_of, part_of_rows, parts};
pub use signature::signature;
pub use skeleton::{skeleton, skeleton_with};
pub use structure::{Cut, Def, Mark, Span, Structure, SymbolKind, Visibility};
pub use symbols::{Lines, Symbol, qualified_names, symbols};
pub use text::has_word;

/// Raised whenever the same text may give another structure: it is part of the key under which structures are remembered.
pub const VERSION: u32 = 4;

/// Parses a text and writes down what it defines.
///
/// A grammar is C code made by a generator and may crash on hostile input: `contexture-gather` asks it in processes of their own.
pub fn read(language: &Language, text: &str) -> Result<Structure, Refusal> {
    let prepared = language.prepare.and_then(|prepare| prepare(text)).filter(|same| same.len() == text.len());
    let (compiled, tree) = parse::parse(language, prepared.as_deref().unwrap_or(text))?;
    let mut structure = extract::extract(language, compiled, &tree, text)?;
    if compiled.grammar.id_for_node_kind("preproc_if", true) != 0 {
        skeleton::untear(text, &mut structure.cuts);
    }
    // What was prepared may hide errors of the text itself.
    if (structure.errors || prepared.is_some()) && !structure.cuts.is_empty() {
        skeleton::mend(language, text, &mut structure);
    }
    Ok(structure)
}
