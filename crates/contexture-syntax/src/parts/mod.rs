//! Parts of a text: chosen definitions, whole or by their signature, with a mark for every gap.
//!
//! Takes how each definition is to be shown; gives lines of the source. Every run of lines that is left out is marked with its
//! line numbers, so that the number of every shown line follows from the marks alone. A signature without its body ends in the
//! language's own elision. With a body come the small things it needs to be understood: its decorators, and the constants,
//! fields, types and imports of the same text that it names ([`needed`]), and the lines that give them their place ([`frame`]).

use crate::language::Language;
use crate::signature::signature;
use crate::structure::{Def, Span, Structure};
use crate::symbols::{Lines, with_doc};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

mod frame;
mod imports;
mod needed;

/// How much of a definition is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum SymbolExtent {
    #[default]
    Hidden,
    Signature,
    /// Its signature and some of its lines.
    Hunks,
    /// All of it, but of long documentation the first paragraph only.
    Brief,
    Whole,
}

/// The rows of each definition that is shown in hunks, by its place in [`Structure::defs`]. Rows are lines counted from 0.
pub type HunkRows = BTreeMap<u32, Vec<Range<usize>>>;

/// Which definitions are shown, and how.
#[derive(Clone, Copy, Debug)]
pub struct ShownSymbols<'a> {
    /// For each of [`Structure::defs`]; missing entries are hidden.
    pub extents: &'a [SymbolExtent],
    pub hunks: &'a HunkRows,
}

/// Parts of a text, ready to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    pub text: String,
    /// How many lines of the source are shown, of how many.
    pub shown: usize,
    pub lines: usize,
    /// What begins a gap mark. Longer than usual where the text itself has such signs.
    pub mark: String,
}

/// The sign that begins a gap mark.
const GAP: char = '⋮';
/// Longer heads are cut: a table in a default value is not a signature.
const LONGEST_HEAD: usize = 12;
/// Decorators, and statements such as imports, of up to this many lines are shown in one piece.
const SMALL: usize = 4;
/// A hidden line of up to this many bytes is shown where nothing but blank lines is hidden with it: its mark would take as much room.
const SHORT: usize = 40;
/// With how many blank lines it is shown.
const SHORT_GAP: usize = 4;
/// Documentation loses what follows its first paragraph where that is at least this many lines.
const LONG_TAIL: usize = 3;

/// The chosen definitions in the order of the text. Definitions inside a shown one are shown with it, and definitions around it at
/// least by their signature.
pub fn parts(
    language: &Language,
    structure: &Structure,
    text: &str,
    symbols: &ShownSymbols<'_>,
    numbered: bool,
) -> Parts {
    let lines = Lines::of(text);
    let mut page = Page { text, lines: &lines, visible: vec![false; lines.count(text)], elided: BTreeMap::new() };
    let mut shown = with_parents(structure, symbols.extents);
    let is_whole = |at: usize| shown.get(at).is_some_and(|shown| *shown >= SymbolExtent::Brief);
    for def in structure.defs.iter().enumerate().filter(|(at, _)| is_whole(*at)).map(|(_, def)| def) {
        page.show(page.rows(with_doc(def, text, &lines)));
    }
    page.shorten_docs(language, structure, &shown);
    // Whole definitions show again what a brief one around them has cut.
    for (at, def) in structure.defs.iter().enumerate() {
        if shown.get(at) == Some(&SymbolExtent::Whole) {
            page.show(page.rows(with_doc(def, text, &lines)));
        }
    }
    for (at, def) in structure.defs.iter().enumerate() {
        if shown.get(at) == Some(&SymbolExtent::Hunks) {
            page.show(page.head(def));
            page.show_hunks(def, symbols.hunks.get(&(at as u32)).map_or(&[], Vec::as_slice));
        }
    }
    let owners = page.owners(structure);
    let types = page.show_needed(language, structure, &shown, &owners);
    for at in types {
        shown[at] = shown[at].max(SymbolExtent::Signature);
    }
    let shown = with_parents(structure, &shown);
    let with_head = |least, most| {
        structure.defs.iter().zip(&shown).filter(move |(_, shown)| (least..=most).contains(*shown)).map(|(def, _)| def)
    };
    for def in with_head(SymbolExtent::Signature, SymbolExtent::Signature) {
        page.show(page.head(def));
        page.show_name(def);
    }
    page.show_sections(structure, &owners);
    page.show_groups(language, structure, &owners);
    for def in with_head(SymbolExtent::Signature, SymbolExtent::Hunks) {
        page.show_brace(def);
    }
    for def in with_head(SymbolExtent::Signature, SymbolExtent::Signature) {
        page.elide(language, def);
    }
    page.close_small_gaps();
    page.written(numbered)
}

/// The lines of one definition, about as [`parts`] would show them: what it costs.
pub fn part_of(language: &Language, def: &Def, text: &str, lines: &Lines, shown: SymbolExtent) -> String {
    let span = with_doc(def, text, lines);
    match shown {
        SymbolExtent::Hidden => String::new(),
        // The rows of hunks are counted with `part_of_rows`.
        SymbolExtent::Signature | SymbolExtent::Hunks => format!("{}\n", signature(language, def, text)),
        SymbolExtent::Whole => format!("{}\n", span.of(text)),
        SymbolExtent::Brief => {
            let tail = doc_tail(language, def, text, lines)
                .map(|rows| (lines.first_byte(rows.start), lines.first_byte(rows.end)));
            let (start, end) = tail.filter(|(start, end)| span.start <= *start && *end <= span.end).unwrap_or_default();
            let (before, after) = (
                Span { start: span.start, end: start.max(span.start) },
                Span { start: end.max(span.start), end: span.end },
            );
            format!("{}{}\n", before.of(text), after.of(text))
        }
    }
}

/// The lines of hunks, about as [`parts`] shows them: what they cost beside the signature.
pub fn part_of_rows(text: &str, lines: &Lines, hunks: &[Range<usize>]) -> String {
    let mut out = String::new();
    for rows in hunks {
        rows.clone().for_each(|row| out.push_str(lines.row(text, row)));
        let _ = writeln!(out, "{GAP} {}", range(rows));
    }
    out
}

/// Lines of a text while it is decided which of them are shown. Rows are lines counted from 0.
struct Page<'a> {
    text: &'a str,
    lines: &'a Lines,
    visible: Vec<bool>,
    /// Rows that end a signature without its body, with the elision that follows and the row after the body.
    elided: BTreeMap<usize, (String, usize)>,
}

impl<'a> Page<'a> {
    /// The rows that a span touches.
    fn rows(&self, span: Span) -> Range<usize> {
        let first = self.lines.line(span.start) - 1;
        let last = self.lines.line(span.end.max(span.start + 1) - 1);
        first..last.min(self.visible.len())
    }

    fn row(&self, row: usize) -> &'a str {
        self.lines.row(self.text, row)
    }

    fn show(&mut self, rows: Range<usize>) {
        self.visible.get_mut(rows).into_iter().flatten().for_each(|row| *row = true);
    }

    /// Shows the rows of a definition that are in hunks; none outside of it.
    fn show_hunks(&mut self, def: &Def, hunks: &[Range<usize>]) {
        let own = self.rows(def.whole);
        for rows in hunks {
            self.show(rows.start.max(own.start)..rows.end.min(own.end).max(rows.start.max(own.start)));
        }
    }

    /// Hides all but the first paragraph of the documentation of brief definitions, and of what is defined in them.
    fn shorten_docs(&mut self, language: &Language, structure: &Structure, shown: &[SymbolExtent]) {
        let mut is_brief: Vec<bool> = Vec::with_capacity(structure.defs.len());
        for (def, shown) in structure.defs.iter().zip(shown) {
            let above = def.parent.and_then(|parent| is_brief.get(parent as usize)).copied();
            is_brief.push(*shown == SymbolExtent::Brief || above == Some(true));
        }
        for (def, _) in structure.defs.iter().zip(is_brief).filter(|(_, is_brief)| *is_brief) {
            if let Some(tail) = doc_tail(language, def, self.text, self.lines) {
                self.visible.get_mut(tail).into_iter().flatten().for_each(|row| *row = false);
            }
        }
    }

    /// The rows of a signature with its decorators, without them where they are too many. A value has one.
    fn head(&self, def: &Def) -> Range<usize> {
        let all = self.rows(Span { start: def.whole.start.min(def.head.start), end: def.head.end });
        if def.kind.is_value() {
            let longest = if all.len() > SMALL { 1 } else { LONGEST_HEAD };
            return all.start..all.end.min(all.start + longest);
        }
        let rows = if all.len() > LONGEST_HEAD { self.rows(def.head) } else { all };
        rows.start..rows.end.min(rows.start + LONGEST_HEAD)
    }

    /// Shows the row of a name that follows the body: `} name;` of a `typedef struct` in C.
    fn show_name(&mut self, def: &Def) {
        let is_after = def.body.is_some_and(|body| body.end <= def.name.start) && def.name.end <= def.whole.end;
        if is_after {
            self.show(self.rows(def.name));
        }
    }

    /// Notes the elision after a signature, where its body is there and none of it is shown.
    fn elide(&mut self, language: &Language, def: &Def) {
        let head = self.head(def);
        let rest = head.end..self.rows(def.whole).end;
        let is_cut = head.end < self.rows(def.head).end;
        let is_hidden =
            self.visible.get(rest.clone()).is_some_and(|rows| !rows.is_empty() && rows.iter().all(|row| !row));
        let after = rest.end;
        let is_blank = rest.into_iter().all(|row| self.row(row).trim().is_empty());
        if !is_hidden || is_blank || def.body.is_none() {
            return;
        }
        let Some(last) = head.end.checked_sub(1) else { return };
        let end = match is_cut {
            true if def.kind.is_value() => None,
            true => self.cut_elision(language, head),
            false => Some(elision(language, self.row(last)).into()),
        };
        if let Some(end) = end {
            self.elided.insert(last, (end, after));
        }
    }

    /// Shows hidden lines whose mark would take more room than they do: blank ones, and a single short one such as a bracket.
    fn close_small_gaps(&mut self) {
        for rows in self.gaps() {
            let elided = rows.start.checked_sub(1).and_then(|row| self.elided.get(&row));
            // The body that a signature leaves out has its mark on the line of the signature.
            let rest = elided.map_or(rows.start, |(_, after)| (*after).max(rows.start))..rows.end;
            let mut said = rest.clone().map(|row| self.row(row).trim()).filter(|line| !line.is_empty());
            let is_small = match (said.next(), said.next()) {
                (None, _) => elided.is_none() && rows.start > 0 && rows.end < self.visible.len(),
                (Some(line), None) => {
                    let is_marked = elided.is_none() || line.contains(char::is_alphanumeric);
                    line.len() <= SHORT && rest.len() <= SHORT_GAP && is_marked
                }
                _ => false,
            };
            if is_small {
                self.show(rest);
            }
        }
    }

    /// Runs of hidden rows.
    fn gaps(&self) -> Vec<Range<usize>> {
        let mut gaps = Vec::new();
        let mut row = 0;
        for run in self.visible.chunk_by(|a, b| a == b) {
            if run.first() == Some(&false) {
                gaps.push(row..row + run.len());
            }
            row += run.len();
        }
        gaps
    }

    /// What ends a signature that is cut between its brackets, so that it reads as a complete one.
    fn cut_elision(&self, language: &Language, head: Range<usize>) -> Option<String> {
        let mut open = Vec::new();
        for sign in head.flat_map(|row| self.row(row).chars()) {
            match sign {
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                ')' | ']' | '}' if open.last() == Some(&sign) => drop(open.pop()),
                _ => {}
            }
        }
        let closed: String = open.into_iter().rev().collect();
        (!closed.is_empty()).then(|| match (language.marks.rim, language.marks.body) {
            (_, "...") => format!(" ...{closed}: ..."),
            (0, _) => format!(" …{closed} …"),
            _ => format!(" …{closed} {{ … }}"),
        })
    }

    fn written(&self, numbered: bool) -> Parts {
        let shown = self.visible.iter().filter(|row| **row).count();
        let lines = self.visible.len();
        let mut out = String::new();
        let mark = GAP.to_string().repeat(longest_run(self.text, GAP) + 1);
        let width = lines.to_string().len();
        let mut gaps = self.gaps().into_iter().peekable();
        let mut row = 0;
        while row < lines && shown > 0 {
            if let Some(gap) = gaps.next_if(|gap| gap.start == row) {
                let _ = writeln!(out, "{mark} {}", range(&gap));
                row = gap.end;
                continue;
            }
            if numbered {
                let _ = write!(out, "{:>width$}  ", row + 1);
            }
            let line = self.row(row);
            let bare = line.trim_end_matches(['\n', '\r']);
            match self.elided.get(&row) {
                Some((elision, after)) => {
                    let _ = write!(out, "{}{elision}", bare.trim_end());
                    if let Some(gap) = gaps.next_if(|gap| gap.start == row + 1) {
                        // What is hidden after the body is a gap of its own, so that the mark says how long the body is.
                        let is_telling = |row: usize| self.row(row).contains(char::is_alphanumeric);
                        let is_more = (*after..gap.end).any(is_telling);
                        let body = gap.start..if is_more { *after } else { gap.end };
                        let _ = write!(out, " {mark} {}", range(&body));
                        if body.end < gap.end {
                            let _ = write!(out, "\n{mark} {}", range(&(body.end..gap.end)));
                        }
                        row = gap.end - 1;
                    }
                    out.push('\n');
                }
                None => {
                    out.push_str(line);
                    if !line.ends_with(['\n', '\r']) {
                        out.push('\n');
                    }
                }
            }
            row += 1;
        }
        Parts { text: out, shown, lines, mark }
    }
}

/// What follows a signature whose body is not shown.
fn elision(language: &Language, line: &str) -> &'static str {
    match (language.marks.rim, language.marks.body) {
        (_, "...") => " ...",
        (0, _) => " …",
        _ if line.trim_end().ends_with('{') => " … }",
        _ => " { … }",
    }
}

/// The rows of documentation that follow its first paragraph, where they are many.
fn doc_tail(language: &Language, def: &Def, text: &str, lines: &Lines) -> Option<Range<usize>> {
    let doc = def.doc?;
    let (first, last) = (lines.line(doc.start) - 1, lines.line(doc.end.max(doc.start + 1) - 1) - 1);
    let has_words = |at: &usize| lines.row(text, *at).chars().any(char::is_alphanumeric);
    // The first paragraph begins with the first row that says something.
    let begin = (first..=last).find(has_words)?;
    let end = (begin..=last).find(|at| !has_words(at))?;
    // Line comments can be cut anywhere. The sign that ends a block comment or a string has to stay, with the words before it.
    let end_line = lines.row(text, last).trim();
    let is_line = language.line_comments.iter().any(|mark| end_line.starts_with(mark))
        && !language.block_comments.iter().any(|(_, close)| end_line.ends_with(close));
    let close = if is_line { last + 1 } else { last };
    // A comment that begins behind the cut would end without having begun.
    let begins = |at: usize| {
        let row = lines.row(text, at).trim_start();
        language.block_comments.iter().any(|(open, close)| open != close && row.starts_with(open))
    };
    (close >= end + LONG_TAIL && !(end..=last).any(begins)).then_some(end..close)
}

fn longest_run(text: &str, sign: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == sign { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Rows as the numbers of lines.
fn range(rows: &Range<usize>) -> String {
    if rows.len() == 1 { rows.end.to_string() } else { format!("{}-{}", rows.start + 1, rows.end) }
}

/// The stretches of whole definitions with the comments above them, in order and apart from each other. In broken code a
/// definition may end in the middle of another: then both are one stretch.
pub(crate) fn whole_spans(structure: &Structure, text: &str, lines: &Lines, shown: &[SymbolExtent]) -> Vec<Span> {
    let whole = structure.defs.iter().zip(shown).filter(|(_, shown)| **shown >= SymbolExtent::Brief);
    let mut spans: Vec<Span> = whole.map(|(def, _)| with_doc(def, text, lines)).collect();
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    spans.dedup_by(|next, last| {
        let overlaps = next.start < last.end || next == last;
        if overlaps {
            last.end = last.end.max(next.end);
        }
        overlaps
    });
    spans
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
