//! The outline: one line for each symbol, indented by nesting, private ones last.

use crate::language::Language;
use crate::structure::{Structure, Visibility};
use crate::symbols::{Symbol, bare_symbols};
use crate::text::is_word;

/// One line of an outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineLine {
    /// Without its documentation.
    pub symbol: Symbol,
    pub depth: usize,
}

/// As text: kind, name with signature, lines.
pub fn outline(language: &Language, structure: &Structure, text: &str) -> String {
    let mut out = String::new();
    for line in outline_lines(language, structure, text) {
        let OutlineLine { symbol, depth } = &line;
        // Deeper than this nobody reads, and the indentation alone would be quadratic.
        let indent = "  ".repeat((*depth).min(DEEPEST));
        let (kind, label) = (symbol.kind.as_str(), symbol_label(language, symbol));
        let lines = match (symbol.head_line, symbol.end_line) {
            (first, last) if first == last => format!("L{last}"),
            (first, last) => format!("L{first}-{last}"),
        };
        out.push_str(&format!("{indent}{kind} {label}  {lines}\n"));
    }
    out
}

const DEEPEST: usize = 32;

/// Name and signature. Words that only repeat the kind are left out.
pub fn symbol_label(language: &Language, symbol: &Symbol) -> String {
    let Some(at) = find_word(&symbol.signature, &symbol.name).filter(|_| !symbol.shared) else {
        return if symbol.signature.is_empty() {
            symbol.name.clone()
        } else {
            format!("{}: {}", symbol.name, symbol.signature)
        };
    };
    let (before, rest) = symbol.signature.split_at(at);
    let says_more = before.split_whitespace().any(|word| language.keywords.split(' ').all(|known| known != word));
    let kind = symbol.kind.as_str();
    let label = if says_more {
        symbol.signature.strip_prefix(kind).filter(|rest| !rest.starts_with(is_word)).unwrap_or(&symbol.signature)
    } else {
        rest.strip_suffix(kind).filter(|rest| rest.ends_with(' ')).unwrap_or(rest)
    };
    label.trim().to_owned()
}

/// Where a name stands as a word of its own.
fn find_word(text: &str, name: &str) -> Option<usize> {
    text.match_indices(name)
        .map(|(at, _)| at)
        .find(|at| !text[..*at].ends_with(is_word) && !text[*at + name.len()..].starts_with(is_word))
}

/// The lines in the order they are printed: for each parent its public symbols, then the others.
pub fn outline_lines(language: &Language, structure: &Structure, text: &str) -> Vec<OutlineLine> {
    let mut all: Vec<Option<Symbol>> = bare_symbols(language, structure, text).into_iter().map(Some).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); all.len() + 1];
    for symbol in all.iter().flatten() {
        let place = symbol.parent.map_or(0, |parent| parent + 1);
        if let Some(list) = children.get_mut(place) {
            list.push(symbol.index);
        }
    }
    for list in &mut children {
        list.sort_by_key(|index| {
            all.get(*index).and_then(Option::as_ref).is_some_and(|symbol| symbol.visibility == Visibility::Private)
        });
    }
    let mut out = Vec::with_capacity(all.len());
    let mut open: Vec<(usize, usize)> = children.first().into_iter().flatten().rev().map(|index| (*index, 0)).collect();
    while let Some((index, depth)) = open.pop() {
        let Some(symbol) = all.get_mut(index).and_then(Option::take) else { continue };
        out.push(OutlineLine { symbol, depth });
        open.extend(children.get(index + 1).into_iter().flatten().rev().map(|child| (*child, depth + 1)));
    }
    out
}
