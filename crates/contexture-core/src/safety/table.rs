//! Columns of tables whose title gives them away: CSV, TSV, tables of Markdown; and rows that have a name in one cell and its value in the next.
//!
//! Takes a text and the place of a telling word in it; gives the places of values. A line is looked at once as a title, and a table once
//! as a whole, so that time stays linear whatever stands in it.

use super::calls::call;
use super::names::{Name, of_title};
use super::read::{Quoted, judge};
use super::value::is_not_a_word;
use std::ops::Range;

/// The longest line of titles, and the most columns.
const LINE: usize = 4096;
const COLUMNS: usize = 256;

/// `seen` is how far tables were looked for; a word before it says nothing new.
pub(super) fn cells(text: &str, word: Range<usize>, seen: &mut usize, mut put: impl FnMut(Name, Range<usize>)) {
    if word.start < *seen {
        return;
    }
    let bytes = text.as_bytes();
    let from = word.start.saturating_sub(LINE);
    let start = memchr::memrchr(b'\n', &bytes[from..word.start]).map_or(from, |at| from + at + 1);
    let until = bytes.len().min(word.end + LINE);
    let end = memchr::memchr(b'\n', &bytes[word.end..until]).map_or(until, |at| word.end + at);
    *seen = end;
    let is_whole = start == 0 || bytes[start - 1] == b'\n';
    let Some(titles) = text.get(start..end).filter(|line| is_whole && is_titles(line)) else { return };
    for sign in [b',', b'\t', b'|', b';'] {
        let columns: Vec<Range<usize>> = split(titles, sign).take(COLUMNS + 1).collect();
        if columns.len() < 2 || columns.len() > COLUMNS {
            continue;
        }
        let title = |nth: usize| of_title(bare(&titles[columns[nth].clone()]).1);
        // Most lines are sentences: titles have rows of as many cells below them, and none above.
        let next = text.get(end + 1..).and_then(|rest| rest.split('\n').next()).unwrap_or_default();
        if is_row(next, sign, columns.len()) && !is_row(before(text, start), sign, columns.len()) {
            let told: Vec<(usize, Name)> =
                (0..columns.len()).filter_map(|nth| title(nth).map(|name| (nth, name))).collect();
            if !told.is_empty() {
                *seen = rows(text, end, sign, columns.len(), &told, &mut put);
                return;
            }
        }
        // A name in one cell and its value in the next.
        if columns.len() == 2 || titles.trim_start().starts_with('|') {
            for nth in 1..columns.len() {
                let (at, value) = bare(&titles[columns[nth].clone()]);
                let Some(name) = is_not_a_word(value).then(|| title(nth - 1)).flatten() else { continue };
                let at = start + columns[nth].start + at;
                judge(text, at..at + value.len(), name, Quoted::Yes).into_iter().for_each(|range| put(name, range));
            }
        }
    }
}

/// The values in the rows below the titles; gives where the table ends.
fn rows(
    text: &str,
    titles_end: usize,
    sign: u8,
    columns: usize,
    told: &[(usize, Name)],
    put: &mut impl FnMut(Name, Range<usize>),
) -> usize {
    let mut at = titles_end + 1;
    let mut last = titles_end;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let line = rest.split('\n').next().unwrap_or_default();
        let cells: Vec<Range<usize>> = split(line, sign).take(columns + 1).collect();
        if cells.len() != columns {
            break;
        }
        for (nth, name) in told {
            let cell = &cells[*nth];
            let (begins, value) = bare(&line[cell.clone()]);
            let begins = at + cell.start + begins;
            judge(text, begins..begins + value.len(), *name, Quoted::Yes)
                .into_iter()
                .for_each(|range| put(*name, range));
        }
        at += line.len() + 1;
        last = at - 1;
    }
    last
}

/// The values of an `INSERT INTO`, by the names of its columns; behind the first rows nobody looks.
pub(super) fn inserted(text: &str, at: usize, mut put: impl FnMut(Name, Range<usize>)) {
    let near = &text[at..text.floor_char_boundary((at + LINE).min(text.len()))];
    let Some((titles, rest)) = near.split_once('(').and_then(|(_, rest)| rest.split_once(')')) else { return };
    if titles.len() > LINE / 4 || !is_titles(titles.replace('\n', " ").trim()) {
        return;
    }
    let titles: Vec<&str> = titles.split(',').collect();
    let title = |(nth, title): (usize, &&str)| Some((nth, of_title(bare(title.trim()).1)?));
    let told: Vec<(usize, Name)> = titles.iter().enumerate().filter_map(title).collect();
    let Some(begins) = rest.find('(').filter(|_| !told.is_empty()) else { return };
    let mut from = at + near.len() - rest.len() + begins;
    while text.as_bytes().get(from) == Some(&b'(') {
        let Some(ends) = tuple(&text[from..at + near.len()]) else { return };
        for (nth, name) in &told {
            call(text, &(from..from + 1), *nth, *name).into_iter().for_each(|range| put(*name, range));
        }
        let next = text[from + ends..at + near.len()].trim_start_matches([',', ' ', '\n', '\r', '\t']);
        from = at + near.len() - next.len();
    }
}

/// Where a bracket that opens here closes; those within strings are none.
fn tuple(text: &str) -> Option<usize> {
    let (mut quote, mut depth) = (false, 0_usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\'' => quote = !quote,
            b'(' if !quote => depth += 1,
            b')' if !quote => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 && !quote {
            return Some(at + 1);
        }
    }
    None
}

/// Names only: code and settings have other signs.
fn is_titles(line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || " \t\r_-./#\"'`*,;|?$".contains(c);
    line.chars().all(is_part)
}

/// The line before, as far as it matters.
fn before(text: &str, start: usize) -> &str {
    let end = start.saturating_sub(1);
    let from = text.floor_char_boundary(end.saturating_sub(LINE));
    text[from..end].rsplit('\n').next().unwrap_or_default()
}

fn is_row(line: &str, sign: u8, columns: usize) -> bool {
    split(line, sign).take(columns + 1).count() == columns
}

/// The cells of a line. Within quotes a sign does not divide.
fn split(line: &str, sign: u8) -> impl Iterator<Item = Range<usize>> {
    let bytes = line.as_bytes();
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let blank = bytes[start..].iter().take_while(|byte| **byte == b' ').count();
        let mut at = start;
        if bytes.get(start + blank) == Some(&b'"') {
            // To the last quote before a sign; a quote that is doubled is one inside.
            at = start + blank + 1;
            while at < bytes.len() && !(bytes[at] == b'"' && bytes.get(at + 1).is_none_or(|byte| *byte != b'"')) {
                at += if bytes[at] == b'"' { 2 } else { 1 };
            }
        }
        let at = at.min(bytes.len());
        let end = memchr::memchr(sign, &bytes[at..]).map(|found| at + found);
        next = end.map(|end| end + 1);
        Some(start..end.unwrap_or(bytes.len()))
    })
}

/// What is in a cell without its quotes, and where that begins.
fn bare(cell: &str) -> (usize, &str) {
    let marks = [' ', '\t', '\r', '"', '\'', '`', '*'];
    let left = cell.trim_start_matches(marks);
    // A password may end in a star; a word in bold ends in two.
    let inside = left.trim_end_matches([' ', '\t', '\r', '"', '\'', '`']);
    (cell.len() - left.len(), inside.strip_suffix("**").unwrap_or(inside))
}
