//! What changed in one file, as a unified diff the way git writes it.
//!
//! Takes the two texts of a file (`None`: it does not exist on that side); gives `---`/`+++` and hunks, or nothing. The hunks
//! of any two texts can be had as data.
//! Does not know git, and has no clock: time is bounded by the size of what is searched, never by a deadline.

mod anchors;
#[cfg(test)]
mod tests;

use crate::types::printable;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

/// One place where the texts differ: these lines of the old text became those lines of the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

/// The diff from `old` to `new` with `context` unchanged lines around each change.
///
/// Equal texts give an empty string; so do two texts of which one ends every line with CRLF and the other every line
/// with LF, because that is what a checkout with `autocrlf` looks like. If such texts also differ otherwise, only
/// those differences are shown, in LF. A file that was added or deleted empty gives the two header lines alone.
pub fn unified(path: &str, old: Option<&str>, new: Option<&str>, context: usize) -> String {
    let (before, after) = same_line_ends(old.unwrap_or_default(), new.unwrap_or_default());
    if before == after && old.is_some() == new.is_some() {
        return String::new();
    }
    let mut out = String::new();
    push_name(&mut out, "---", "a/", old.map(|_| path));
    push_name(&mut out, "+++", "b/", new.map(|_| path));
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let (old_ids, new_ids) = number_lines(&old, &new);
    for group in grouped(&anchors::changes(&old_ids, &new_ids), context) {
        if let (Some(hunk), Some(first)) = (hunk(group, &old, &new, context), group.first()) {
            push_hunk(&mut out, &hunk, enclosing(&old, first.old.start, hunk.old.start));
        }
    }
    out
}

/// Lines of two texts around changes that stand close together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// Lines of each text, counted from 0.
    pub old: Range<usize>,
    pub new: Range<usize>,
    /// In the order of a unified diff, each with its line end.
    pub lines: Vec<(Sign, &'a str)>,
}

/// What became of a line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Same,
    Removed,
    Added,
}

/// What leads from `old` to `new`, to the byte, with `context` unchanged lines around each change.
pub fn hunks<'a>(old: &'a str, new: &'a str, context: usize) -> Vec<Hunk<'a>> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    // Long documents differ in few places: only what lies between the first and the last is given numbers.
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_ids, new_ids) = number_lines(&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let moved = |range: Range<usize>| range.start + head..range.end + head;
    let changes: Vec<Change> = anchors::changes(&old_ids, &new_ids)
        .into_iter()
        .map(|change| Change { old: moved(change.old), new: moved(change.new) })
        .collect();
    grouped(&changes, context).filter_map(|group| hunk(group, &old, &new, context)).collect()
}

fn hunk<'a>(group: &[Change], old: &[&'a str], new: &[&'a str], context: usize) -> Option<Hunk<'a>> {
    let (first, last) = (group.first()?, group.last()?);
    let before = context.min(first.old.start);
    let after = context.min(old.len() - last.old.end);
    let old_span = first.old.start - before..last.old.end + after;
    let new_span = first.new.start - before..last.new.end + after;
    let mut lines = Vec::new();
    let mut at = old_span.start;
    for change in group {
        lines.extend(old[at..change.old.start].iter().map(|line| (Sign::Same, *line)));
        lines.extend(old[change.old.clone()].iter().map(|line| (Sign::Removed, *line)));
        lines.extend(new[change.new.clone()].iter().map(|line| (Sign::Added, *line)));
        at = change.old.end;
    }
    lines.extend(old[at..old_span.end].iter().map(|line| (Sign::Same, *line)));
    Some(Hunk { old: old_span, new: new_span, lines })
}

/// Both texts in LF if one is in CRLF throughout and the other in LF throughout; otherwise both as they are.
fn same_line_ends<'a>(old: &'a str, new: &'a str) -> (Cow<'a, str>, Cow<'a, str>) {
    match (line_ends(old), line_ends(new)) {
        (LineEnds::CrLf, LineEnds::Lf) => (Cow::Owned(old.replace("\r\n", "\n")), Cow::Borrowed(new)),
        (LineEnds::Lf, LineEnds::CrLf) => (Cow::Borrowed(old), Cow::Owned(new.replace("\r\n", "\n"))),
        _ => (Cow::Borrowed(old), Cow::Borrowed(new)),
    }
}

#[derive(PartialEq)]
enum LineEnds {
    CrLf,
    Lf,
    /// Both kinds, or no line end at all.
    Neither,
}

fn line_ends(text: &str) -> LineEnds {
    let (mut crlf, mut lf) = (false, false);
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        if line.ends_with("\r\n") {
            crlf = true;
        } else {
            lf = true;
        }
    }
    match (crlf, lf) {
        (true, false) => LineEnds::CrLf,
        (false, true) => LineEnds::Lf,
        _ => LineEnds::Neither,
    }
}

/// Each distinct line as a number, so that comparing two lines costs the same whatever their length.
fn number_lines(old: &[&str], new: &[&str]) -> (Vec<u32>, Vec<u32>) {
    let mut numbers = BTreeMap::new();
    let mut number = |line| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(line).or_insert(next)
    };
    let old = old.iter().map(|line| number(*line)).collect();
    let new = new.iter().map(|line| number(*line)).collect();
    (old, new)
}

/// Changes whose context would touch or overlap stand in one hunk.
fn grouped(changes: &[Change], context: usize) -> impl Iterator<Item = &[Change]> {
    changes.chunk_by(move |a, b| b.old.start - a.old.end <= context.saturating_mul(2))
}

/// The longest name of a hunk, as git has it.
const LONGEST_NAME: usize = 80;

/// The line that opens what a change stands in, where it is above the hunk: the nearest one that is indented less and begins with
/// a word that opens no statement. It is found by indentation, so that it works in every language.
fn enclosing<'a>(lines: &[&'a str], change: usize, hunk: usize) -> Option<&'a str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_blank = |line: &&&str| line.trim().is_empty();
    let changed = lines.get(change..).unwrap_or_default().iter().find(|line| !is_blank(line));
    let mut least = changed.map_or(0, |line| indent(line));
    for (at, line) in lines.get(..change.min(lines.len()))?.iter().enumerate().rev() {
        if line.trim().is_empty() || indent(line) >= least {
            continue;
        }
        least = indent(line);
        let word = line.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        if !word.is_empty() && !is_statement(word) {
            let name = line.trim_end();
            return (at < hunk).then(|| name.get(..name.floor_char_boundary(LONGEST_NAME)).unwrap_or(name));
        }
    }
    None
}

/// Words that open a block inside of a function.
fn is_statement(word: &str) -> bool {
    matches!(
        word,
        "if" | "elif"
            | "else"
            | "elsif"
            | "unless"
            | "for"
            | "foreach"
            | "while"
            | "until"
            | "loop"
            | "do"
            | "switch"
            | "case"
            | "default"
            | "match"
            | "when"
            | "try"
            | "catch"
            | "except"
            | "finally"
            | "rescue"
            | "ensure"
            | "with"
            | "return"
            | "let"
            | "var"
            | "val"
            | "await"
            | "yield"
            | "begin"
            | "then"
            | "select"
            | "unsafe"
    )
}

fn push_hunk(out: &mut String, hunk: &Hunk<'_>, name: Option<&str>) {
    let name = name.map(|name| format!(" {name}")).unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "@@ -{} +{} @@{name}", place(&hunk.old), place(&hunk.new));
    for (sign, line) in &hunk.lines {
        out.push(match sign {
            Sign::Same => ' ',
            Sign::Removed => '-',
            Sign::Added => '+',
        });
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// First line and number of lines: the number is left out when it is 1, and no lines stand after the line before them.
fn place(span: &Range<usize>) -> String {
    match span.len() {
        0 => format!("{},0", span.start),
        1 => format!("{}", span.start + 1),
        count => format!("{},{count}", span.start + 1),
    }
}

fn push_name(out: &mut String, mark: &str, side: &str, path: Option<&str>) {
    let name = path.map(|path| format!("{side}{path}"));
    let _ = writeln!(out, "{mark} {}", name.as_deref().map_or(Cow::Borrowed("/dev/null"), printable));
}
