//! What changed in one file, as a unified diff the way git writes it.
//!
//! Takes the two texts of a file (`None`: it does not exist on that side); gives `---`/`+++` and hunks, or nothing.
//! Does not know git, and has no clock: time is bounded by the size of what is searched, never by a deadline.

mod anchors;
#[cfg(test)]
mod tests;

use crate::render::printable;
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
    for hunk in hunks(&anchors::changes(&old_ids, &new_ids), context) {
        push_hunk(&mut out, hunk, &old, &new, context);
    }
    out
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
fn hunks(changes: &[Change], context: usize) -> impl Iterator<Item = &[Change]> {
    changes.chunk_by(move |a, b| b.old.start - a.old.end <= context.saturating_mul(2))
}

fn push_hunk(out: &mut String, hunk: &[Change], old: &[&str], new: &[&str], context: usize) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let before = context.min(first.old.start);
    let after = context.min(old.len() - last.old.end);
    let old_span = first.old.start - before..last.old.end + after;
    let new_span = first.new.start - before..last.new.end + after;
    // Writing to a string cannot fail.
    let _ = writeln!(out, "@@ -{} +{} @@", place(&old_span), place(&new_span));
    let mut at = old_span.start;
    for change in hunk {
        push_lines(out, ' ', &old[at..change.old.start]);
        push_lines(out, '-', &old[change.old.clone()]);
        push_lines(out, '+', &new[change.new.clone()]);
        at = change.old.end;
    }
    push_lines(out, ' ', &old[at..old_span.end]);
}

/// First line and number of lines: the number is left out when it is 1, and no lines stand after the line before them.
fn place(span: &Range<usize>) -> String {
    match span.len() {
        0 => format!("{},0", span.start),
        1 => format!("{}", span.start + 1),
        count => format!("{},{count}", span.start + 1),
    }
}

fn push_lines(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

fn push_name(out: &mut String, mark: &str, side: &str, path: Option<&str>) {
    let name = path.map(|path| format!("{side}{path}"));
    let _ = writeln!(out, "{mark} {}", name.as_deref().map_or(Cow::Borrowed("/dev/null"), printable));
}
