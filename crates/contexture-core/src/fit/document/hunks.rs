//! Which lines of a long function or table are shown when all of it would take too much room.
//!
//! Takes the weight of each line for the task; gives runs of rows with a few lines around each hit, and how probable it is that they
//! hold what the task needs. Chooses without regard to any budget: the order of steps must not depend on one.

use super::super::FreeItem;
use super::ranking::RankedItems;
use crate::rank::{LineWeights, Symbol};
use crate::shape::{self, CodeReader};
use crate::types::{Body, Level};
use contexture_syntax::{Def, Lines, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// The lines of one symbol.
#[derive(Clone, Debug)]
pub struct Hunks {
    pub rows: Vec<Range<usize>>,
    /// About how many tokens they take with their gap marks.
    pub cost: f32,
    /// How probable it is that they hold what is needed of the symbol.
    pub share: f32,
    /// Whether the rest is a table: it is worth no more for being long.
    pub is_table: bool,
}

/// How many symbols are looked at, the most probable first: more than a large budget shows.
const LOOKED_AT: usize = 400;
/// A symbol of fewer tokens is not looked at, and a function of fewer lines is shown whole or not at all.
const LONG: u32 = 300;
const LONG_ROWS: usize = 50;
/// Lines of context on each side of a hit. In 2,458 changes of long functions in 17 projects, with the commit's message as the task and
/// a quarter of the lines shown, 1, 2, 3, 5 and 8 lines found 0.52, 0.51, 0.49, 0.45 and 0.33 of the changed ones; a random choice 0.20.
/// Fewer than three are hard to read.
const CONTEXT: usize = 3;
/// Of the lines of a function, the share that hunks may take, and how many at least and at most.
const SHARE: f32 = 0.4;
const LEAST_ROWS: f32 = 24.0;
const MOST_ROWS: f32 = 100.0;
/// Hunks that would show more than this share of a function are not worth their gaps.
const NEARLY_ALL: f32 = 0.7;
/// A line of less than this part of the best line's weight begins no hunk: on the same changes, 0.44 of the changed lines were shown with
/// 0.17 of all lines, and without this border 0.47 with 0.19.
const HARDLY: f32 = 0.3;
/// Gaps of up to so many lines are closed.
const SMALL_GAP: usize = 6;
/// The probability that the needed lines are among the shown ones: their share of the function to this power. It was 0.44 on the changes
/// that [`CONTEXT`] was measured on; above that, a long function is shown whole rather than many by hunks, and as many bodies are
/// shown as without hunks.
const POWER: f32 = 0.8;
/// What the changed lines are worth of their function.
const CHANGED_SHARE: f32 = 0.8;
/// Lines of a table's beginning, and of context around a hit in it.
const TABLE_HEAD: usize = 3;
const TABLE_CONTEXT: usize = 1;
const TABLE_ROWS: usize = 16;
const TABLE_SHARE: f32 = 0.85;
/// Tokens of a gap mark.
const GAP: f32 = 8.0;

/// The hunks of each free item, by the place of the symbol.
pub fn hunks(ranked: &RankedItems, free: &[FreeItem<'_>], code: &dyn CodeReader) -> Vec<BTreeMap<u32, Hunks>> {
    let mut all = vec![BTreeMap::new(); free.len()];
    let long = long_symbols(ranked, free);
    if long.is_empty() {
        return all;
    }
    let weights = ranked.line_weights(free);
    for (at, symbols) in long {
        let item = free[at].item;
        let Body::Text { text, .. } = &item.body else { continue };
        let Some(language) = shape::language_of(item, text) else { continue };
        let Ok(structure) = code.structure(language, text, item.hash.as_ref()) else { continue };
        let lines = Lines::of(text);
        for symbol in symbols {
            let Some(def) = structure.defs.get(symbol as usize) else { continue };
            let body = BodyLines::of(def, text, &lines);
            let made = match ranked.changed.get(&(at, symbol)) {
                _ if def.kind.is_value() => table(&body, weights.as_ref()),
                Some(changed) => around_changes(&body, changed),
                None => function(&body, weights.as_ref()),
            };
            all[at].extend(made.map(|made| (symbol, made)));
        }
    }
    all
}

/// The most probable of the symbols that are long, by item.
fn long_symbols(ranked: &RankedItems, free: &[FreeItem<'_>]) -> BTreeMap<usize, Vec<u32>> {
    let is_long = |symbol: &Symbol| symbol.whole >= LONG && (symbol.kind.is_callable() || symbol.kind.is_value());
    let mut long: Vec<(f32, usize, u32)> = Vec::new();
    for at in ranked.inside.iter().copied().filter(|at| free[*at].top == Level::Full) {
        let Some(digest) = ranked.digests[at].as_deref() else { continue };
        let scores = digest.symbols.iter().zip(&ranked.ranking.symbols[at]).enumerate();
        let wanted = scores.filter(|(_, (symbol, _))| is_long(symbol));
        long.extend(wanted.map(|(index, (_, score))| (score.probability, at, index as u32)));
    }
    long.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut by_item: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    long.into_iter().take(LOOKED_AT).for_each(|(_, at, symbol)| by_item.entry(at).or_default().push(symbol));
    by_item
}

/// The lines of a definition behind its signature.
struct BodyLines<'a> {
    first: usize,
    rows: Vec<&'a str>,
    /// Those of its documentation, counted as in `rows`.
    doc: Range<usize>,
}

impl<'a> BodyLines<'a> {
    fn of(def: &Def, text: &'a str, lines: &Lines) -> Self {
        let last = |span: Span| lines.line(span.end.max(span.start + 1) - 1);
        let first = if def.kind.is_value() { lines.line(def.head.start) } else { last(def.head) };
        let rows: Vec<&str> = (first..last(def.whole)).map(|row| lines.row(text, row)).collect();
        let all = rows.len();
        let inside = |at: usize| at.saturating_sub(first).min(all);
        let doc = def.doc.map_or(0..0, |doc| inside(lines.line(doc.start) - 1)..inside(last(doc)));
        Self { first, rows, doc }
    }

    /// Runs of shown rows, with what they cost.
    fn made(&self, shown: &[bool], share: f32, is_table: bool) -> Hunks {
        let mut rows = Vec::new();
        let mut at = 0;
        let mut cost = 0.0;
        for run in shown.chunk_by(|a, b| a == b) {
            if run.first() == Some(&true) {
                rows.push(self.first + at..self.first + at + run.len());
                let solid = |row: &&str| row.bytes().filter(|byte| !byte.is_ascii_whitespace()).count() as f32;
                cost += GAP + self.rows[at..at + run.len()].iter().map(solid).sum::<f32>() / 3.2;
            }
            at += run.len();
        }
        Hunks { rows, cost, share, is_table }
    }
}

fn function(body: &BodyLines<'_>, weights: Option<&LineWeights<'_>>) -> Option<Hunks> {
    // Documentation is left out here: the step after this one has its beginning.
    let all = body.rows.len() - body.doc.len();
    if all < LONG_ROWS {
        return None;
    }
    let mut weights = weights?.of(&body.rows);
    weights[body.doc.clone()].fill(0.0);
    let most = (all as f32 * SHARE).clamp(LEAST_ROWS, MOST_ROWS) as usize;
    let mut shown = around_hits(&weights, CONTEXT, most);
    if !shown.contains(&true) {
        return None;
    }
    complete_statements(&body.rows, &mut shown);
    show_blocks(&body.rows, &mut shown);
    // A head may be a statement of several lines.
    complete_statements(&body.rows, &mut shown);
    shown[body.doc.clone()].fill(false);
    close_gaps(&body.rows, &mut shown);
    let share = shown.iter().filter(|row| **row).count() as f32 / all as f32;
    (share <= NEARLY_ALL).then(|| body.made(&shown, share.powf(POWER), false))
}

/// The changed lines, each with lines around it. They are what is needed, however much of the function they are.
fn around_changes(body: &BodyLines<'_>, changed: &[(u64, u64)]) -> Option<Hunks> {
    if body.rows.len() < LONG_ROWS {
        return None;
    }
    let mut shown = vec![false; body.rows.len()];
    for (first, last) in changed {
        let inside = |line: u64| (line as usize).saturating_sub(body.first).min(body.rows.len());
        shown[inside(first.saturating_sub(CONTEXT as u64 + 1))..inside(last + CONTEXT as u64)].fill(true);
    }
    complete_statements(&body.rows, &mut shown);
    show_blocks(&body.rows, &mut shown);
    complete_statements(&body.rows, &mut shown);
    close_gaps(&body.rows, &mut shown);
    shown.contains(&true).then(|| body.made(&shown, CHANGED_SHARE, false))
}

/// The beginning of a value that is mostly literals, its end, and the lines that the task mentions.
fn table(body: &BodyLines<'_>, weights: Option<&LineWeights<'_>>) -> Option<Hunks> {
    let all = body.rows.len();
    if all <= TABLE_ROWS || !is_literal(&body.rows) {
        return None;
    }
    let mut shown = match weights {
        Some(weights) => around_hits(&weights.of(&body.rows), TABLE_CONTEXT, TABLE_ROWS),
        None => vec![false; all],
    };
    shown[..TABLE_HEAD].fill(true);
    shown[all - 1] = true;
    close_gaps(&body.rows, &mut shown);
    Some(body.made(&shown, TABLE_SHARE, true))
}

/// The lines with the most weight, each with lines around it, until there are `most`.
fn around_hits(weights: &[f32], context: usize, most: usize) -> Vec<bool> {
    let mut shown = vec![false; weights.len()];
    let near = |at: usize| -> f32 {
        let beside = (at.saturating_sub(2)..(at + 3).min(weights.len())).map(|row| weights[row]).sum::<f32>();
        weights[at] + beside / 4.0
    };
    let mut hits: Vec<(f32, usize)> =
        (0..weights.len()).filter(|at| weights[*at] > 0.0).map(|at| (near(at), at)).collect();
    hits.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (mut left, best) = (most, hits.first().map_or(0.0, |hit| hit.0));
    for (weight, at) in hits {
        let rows = at.saturating_sub(context)..(at + context + 1).min(weights.len());
        let new = shown[rows.clone()].iter().filter(|row| !**row).count();
        if weight < best * HARDLY || new > left {
            break;
        }
        left -= new;
        shown[rows].fill(true);
    }
    shown
}

/// Shows the lines that open the blocks around each run: `if`, `for`, `else`.
fn show_blocks(rows: &[&str], shown: &mut [bool]) {
    let indent = |row: &str| (!row.trim().is_empty()).then(|| row.len() - row.trim_start().len());
    let firsts: Vec<usize> = (0..rows.len()).filter(|at| shown[*at] && (*at == 0 || !shown[at - 1])).collect();
    for first in firsts {
        let Some(first) = (first..rows.len()).find(|at| indent(rows[*at]).is_some()) else { continue };
        let mut least = indent(rows[first]).unwrap_or(0);
        // The word of a branch whose head is searched among the lines with the same indentation.
        let mut branch = None;
        let head = Head::of(rows[first]);
        if let Head::Continues(word) = head {
            (least, branch) = (least + 1, word);
        }
        for at in (0..first).rev() {
            let Some(own) = indent(rows[at]).filter(|own| *own < least) else { continue };
            match Head::of(rows[at]) {
                Head::Comment => {}
                Head::Continues(word) if word.is_some() && word == branch && own + 1 == least => {}
                Head::Continues(word) => {
                    (least, branch) = (own + 1, word);
                    shown[at] = true;
                }
                // A bracket that closes opens nothing.
                Head::Closes => (least, branch) = (own, None),
                Head::Opens => {
                    (least, branch) = (own, None);
                    shown[at] = true;
                }
            }
        }
    }
}

/// What a line is to the block under it.
#[derive(PartialEq)]
enum Head {
    /// The head, or its first line.
    Opens,
    /// A later line of the head, or a later branch: `) => {`, `} else if a {`, `elif a:`, `{`. Of branches that may be many, the word.
    Continues(Option<&'static str>),
    Closes,
    /// A comment, an attribute or a line for the preprocessor, whose indentation says nothing.
    Comment,
}

impl Head {
    fn of(row: &str) -> Self {
        let row = row.trim();
        let word = row.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
        let opens = row.ends_with(['{', '(', '[', ':', '|']) || row.ends_with("=>") || row.ends_with("->");
        let opens = opens || row.ends_with(" do") || row.ends_with(" then");
        match word {
            "else" | "elif" | "elsif" | "elseif" | "except" | "catch" | "finally" | "rescue" | "ensure" => {
                Self::Continues(None)
            }
            "case" | "default" if row.contains(':') => Self::Continues(Some("case")),
            "when" if !row.ends_with('{') => Self::Continues(Some("when")),
            _ if row == "{" => Self::Continues(None),
            _ if row.starts_with([')', ']', '}']) && opens => Self::Continues(None),
            _ if row.starts_with([')', ']', '}']) => Self::Closes,
            _ if row.starts_with('#') || ["//", "/*", "* "].iter().any(|mark| row.starts_with(mark)) => Self::Comment,
            _ => Self::Opens,
        }
    }
}

/// Completes statements of several lines of which all but a few are shown.
fn complete_statements(rows: &[&str], shown: &mut [bool]) {
    for statement in statements(rows) {
        let missing = shown[statement.clone()].iter().filter(|row| !**row).count();
        if missing <= SMALL_GAP && missing < statement.len() {
            shown[statement].fill(true);
        }
    }
}

/// Longer statements are not completed: of each, fewer lines are shown.
const LONG_STATEMENT: usize = 40;
/// How deep the bracket that a closing one belongs to is searched.
const DEEP: usize = 32;

/// The rows between brackets, and those joined by operators and chained calls; inner ones first. Tells strings and comments apart
/// only as far as most lines need it.
fn statements(rows: &[&str]) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut joined = 0;
    for (at, row) in rows.iter().enumerate() {
        let trimmed = row.trim();
        let is_chained = trimmed.starts_with('.') && !trimmed.starts_with("..");
        let before = at.checked_sub(1).map_or("", |before| rows[before].trim_end());
        let goes_on = ["=", "\\", "&&", "||", "+"].iter().any(|end| before.ends_with(end)) && !before.ends_with("++");
        if !trimmed.is_empty() && (is_chained || goes_on) {
            all.push(joined..at + 1);
        } else {
            joined = at;
        }
        each_bracket(row, |bracket| match bracket {
            b'(' | b'[' | b'{' => open.push((at, bracket)),
            _ => {
                let wanted = if bracket == b')' { b'(' } else { bracket - 2 };
                let found = open.iter().rev().take(DEEP).position(|(_, open)| *open == wanted);
                let Some((first, _)) = found.and_then(|above| {
                    open.truncate(open.len() - above);
                    open.pop()
                }) else {
                    return;
                };
                // Blocks are shown by their heads.
                if bracket != b'}' && first < at && at - first < LONG_STATEMENT {
                    all.push(first..at + 1);
                }
            }
        });
    }
    all.retain(|rows| rows.len() <= LONG_STATEMENT);
    all
}

/// Calls `found` with the brackets of a line that are neither in a string nor in a comment.
fn each_bracket(row: &str, mut found: impl FnMut(u8)) {
    let bytes = row.as_bytes();
    let (mut at, mut before) = (0, b' ');
    while let Some(byte) = bytes.get(at).copied() {
        let is_comment = byte == b'/' && bytes.get(at + 1) == Some(&b'/') && before != b':';
        if is_comment || byte == b'#' && before == b' ' && bytes.get(at + 1) == Some(&b' ') {
            return;
        }
        // An apostrophe may also be part of a word or of a lifetime.
        let is_quote = matches!(byte, b'"' | b'`') || byte == b'\'' && b" (,=[{:".contains(&before);
        if is_quote && let Some(length) = quoted(&bytes[at + 1..], byte) {
            at += length + 1;
        } else if b"()[]{}".contains(&byte) {
            found(byte);
        }
        (at, before) = (at + 1, byte);
    }
}

/// How many bytes there are up to the quote that closes a string.
fn quoted(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut is_escaped = false;
    bytes.iter().take(LONGEST_STRING).position(|byte| {
        let is_end = *byte == quote && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    })
}

/// Strings of more bytes are not skipped, so that a line of a million quotes takes linear time.
const LONGEST_STRING: usize = 1000;

/// Closes short gaps, and takes blank lines from both ends of a run.
fn close_gaps(rows: &[&str], shown: &mut [bool]) {
    let is_blank = |at: usize| rows[at].trim().is_empty();
    for at in 0..rows.len() {
        if shown[at] && is_blank(at) && (at == 0 || !shown[at - 1]) {
            shown[at] = false;
        }
    }
    for at in (0..rows.len()).rev() {
        if shown[at] && is_blank(at) && shown.get(at + 1) != Some(&true) {
            shown[at] = false;
        }
    }
    let mut last = None;
    for at in 0..rows.len() {
        if !shown[at] {
            continue;
        }
        if let Some(last) = last.replace(at)
            && at - last - 1 <= SMALL_GAP
        {
            shown[last..at].fill(true);
        }
    }
}

/// Whether a value is data: hardly any of it is a name.
fn is_literal(rows: &[&str]) -> bool {
    let (mut names, mut all) = (0_usize, 0_usize);
    for row in rows {
        let mut quote = None;
        let mut word = false;
        for byte in row.bytes() {
            all += usize::from(!byte.is_ascii_whitespace());
            match quote {
                Some(open) if byte == open => quote = None,
                Some(_) => {}
                None if byte == b'"' || byte == b'\'' => quote = Some(byte),
                None => {
                    let is_letter = byte.is_ascii_alphabetic() || byte == b'_';
                    word = is_letter || word && byte.is_ascii_digit();
                    names += usize::from(word);
                }
            }
        }
    }
    names * 4 <= all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows that are shown with those that contain `hit`.
    fn with_blocks(text: &str) -> String {
        let rows: Vec<&str> = text.lines().collect();
        let mut shown: Vec<bool> = rows.iter().map(|row| row.contains("hit")).collect();
        complete_statements(&rows, &mut shown);
        show_blocks(&rows, &mut shown);
        complete_statements(&rows, &mut shown);
        rows.iter().zip(shown).filter(|(_, shown)| *shown).map(|(row, _)| format!("{row}\n")).collect()
    }

    #[test]
    fn heads_of_several_lines_and_branches_are_shown() {
        insta::assert_snapshot!(with_blocks(
            "fn f() {\n    match x {\n        Some(\n            A,\n        ) => {\n            one();\n            hit();\n        }\n    }\n}\n"
        ), @"
        fn f() {
            match x {
                Some(
                    A,
                ) => {
                    hit();
        ");
        insta::assert_snapshot!(with_blocks(
            "function f() {\n  if (a) {\n    one();\n  } else if (b) {\n    two();\n    hit();\n  }\n}\n"
        ), @"
        function f() {
          if (a) {
          } else if (b) {
            hit();
        ");
        insta::assert_snapshot!(with_blocks(
            "def f():\n    try:\n        one()\n# comment\n    except (\n        A,\n    ):\n        two()\n        hit()\n"
        ), @"
        def f():
            try:
            except (
                A,
            ):
                hit()
        ");
        insta::assert_snapshot!(with_blocks(
            "void f()\n{\n    switch (x) {\n    case 1:\n        one();\n    case 2:\n        two();\n#ifdef A\n        hit();\n    }\n}\n"
        ), @"
        void f()
        {
            switch (x) {
            case 2:
                hit();
        ");
        insta::assert_snapshot!(with_blocks(
            "def f\n  case x\n  when 1\n    one\n  when 2\n    two\n    hit\n  end\nend\n"
        ), @"
        def f
          case x
          when 2
            hit
        ");
    }

    #[test]
    fn a_statement_is_completed_when_a_few_lines_are_missing() {
        insta::assert_snapshot!(with_blocks(
            "one(\n    a,\n)\nself.add_option(\n    \"listen_host (\",\n    str,\n    hit,\n    [\n        x,\n    ],\n)\ntwo()\n"
        ), @r#"
        self.add_option(
            "listen_host (",
            str,
            hit,
            [
                x,
            ],
        )
        "#);
        insta::assert_snapshot!(with_blocks(
            "let x =\n    a\n        .hit()\n        .map(|x| {\n            x\n        })\n        .one();\ntwo();\n"
        ), @"
        let x =
            a
                .hit()
                .map(|x| {
                    x
                })
                .one();
        ");
        // Too long to be completed.
        let long: String = (0..20).map(|n| format!("    a{n},\n")).collect();
        assert_eq!(with_blocks(&format!("f(\n    hit,\n{long})\n")), "f(\n    hit,\n");
    }

    #[test]
    fn brackets_of_any_text_are_read() {
        // Of this length, anything but linear time would not end.
        for text in ["(", ")", "\"", "'(", "({", "(\n", ")\n", "}\n(\n", "{\n", ".\n", "else\n", "case:\n"] {
            let text = text.repeat(100_000);
            let rows: Vec<&str> = text.lines().collect();
            let mut shown = vec![false; rows.len()];
            shown[rows.len() / 2] = true;
            complete_statements(&rows, &mut shown);
            show_blocks(&rows, &mut shown);
        }
    }
}
