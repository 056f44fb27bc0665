//! Definitions with words: names, lines, signatures.

use crate::language::Language;
use crate::signature::signature;
use crate::structure::{Def, Span, Structure, SymbolKind, Visibility};

/// A definition as it is told to people and programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub qualified: String,
    pub kind: SymbolKind,
    pub visibility: Visibility,
    /// The line of its name, counted from 1.
    pub start_line: usize,
    pub end_line: usize,
    /// The line of its first decorator or attribute, or of its first word.
    pub first_line: usize,
    /// The line of its first word behind decorators and attributes.
    pub head_line: usize,
    /// Whether other symbols are declared by the same words: `a` in `int a, b;`.
    pub shared: bool,
    /// On one line, without the body.
    pub signature: String,
    /// The comment or docstring as it stands in the source.
    pub doc: Option<String>,
    /// Its place in [`Structure::defs`].
    pub index: usize,
    pub parent: Option<usize>,
}

/// Where lines begin: after `\n`, `\r\n` or a lone `\r`, as editors count.
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// Where the lines of a text begin: after `\n`, `\r\n` and a lone `\r`.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n') {
                continue;
            }
            starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
        }
        Self { starts }
    }

    /// How many lines the text has that this was made of.
    pub fn count(&self, text: &str) -> usize {
        let is_open = self.starts.last().is_some_and(|last| (*last as usize) < text.len());
        self.starts.len() - usize::from(!is_open)
    }

    /// The first byte of a line, counted from 0; beyond the last, a byte behind every text.
    pub fn first_byte(&self, row: usize) -> u32 {
        self.starts.get(row).copied().unwrap_or(u32::MAX)
    }

    /// A line with its end, counted from 0.
    pub fn row<'t>(&self, text: &'t str, row: usize) -> &'t str {
        let all = u32::try_from(text.len()).unwrap_or(u32::MAX);
        Span { start: self.first_byte(row).min(all), end: self.first_byte(row + 1).min(all) }.of(text)
    }

    /// The line of a byte, counted from 1.
    pub fn line(&self, at: u32) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// The first byte of the line that holds a byte.
    pub fn start(&self, at: u32) -> u32 {
        self.starts.get(self.line(at).saturating_sub(1)).copied().unwrap_or(0)
    }
}

/// All symbols, in the order of the file.
pub fn symbols(language: &Language, structure: &Structure, text: &str) -> Vec<Symbol> {
    let mut all = bare_symbols(language, structure, text);
    for (symbol, def) in all.iter_mut().zip(&structure.defs) {
        symbol.doc = def.doc.map(|doc| doc.of(text).to_owned());
    }
    all
}

/// The same without documentation, which an outline does not show.
pub(crate) fn bare_symbols(language: &Language, structure: &Structure, text: &str) -> Vec<Symbol> {
    let lines = Lines::of(text);
    let qualified = qualified_names(language, structure, text);
    let declares = |index: usize, def: &Def| structure.defs.get(index).is_some_and(|other| other.head == def.head);
    let told = structure.defs.iter().zip(qualified).enumerate().map(|(index, (def, qualified))| Symbol {
        name: one_line(def.name.of(text)),
        qualified,
        kind: def.kind,
        visibility: def.visibility,
        start_line: lines.line(def.name.start),
        end_line: lines.line(def.whole.end.max(def.whole.start + 1) - 1),
        first_line: lines.line(def.whole.start),
        head_line: lines.line(def.head.start).min(lines.line(def.name.start)),
        shared: def.kind.is_value() && (declares(index + 1, def) || index > 0 && declares(index - 1, def)),
        signature: signature(language, def, text),
        doc: None,
        index,
        parent: def.parent.map(|parent| parent as usize),
    });
    told.collect()
}

/// The names by which symbols are asked for: `Class.method`, `ns::T::f`.
pub fn qualified_names(language: &Language, structure: &Structure, text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(structure.defs.len());
    for def in &structure.defs {
        let mut name = match def.parent.and_then(|parent| names.get(parent as usize)) {
            // Deep nesting of long names must not make their list quadratic.
            Some(parent) if parent.len() < LONGEST => format!("{parent}{}", language.separator),
            _ => String::new(),
        };
        if let Some(scope) = def.scope {
            name.push_str(&one_line(scope.of(text)));
            name.push_str(language.separator);
        }
        name.push_str(&one_line(def.name.of(text)));
        names.push(name);
    }
    names
}

const LONGEST: usize = 1000;

/// White space of any kind and length as one space.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The span of the comment above and the definition, from the beginning of its line when only white space stands before it.
pub(crate) fn with_doc(def: &Def, text: &str, lines: &Lines) -> Span {
    let start = def.doc.map_or(def.whole.start, |doc| doc.start.min(def.whole.start));
    let line = lines.start(start);
    let indent = Span { start: line, end: start }.of(text);
    let start = if indent.trim().is_empty() { line } else { start };
    Span { start, end: def.whole.end }
}
