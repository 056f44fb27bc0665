//! A rendered document as a reader sees it: lines, and which file each of them belongs to.
//!
//! Takes any text and the paths of the project; answers whether lines stand there. Knows nothing of the program that wrote
//! the text: line numbers and gutters are looked through, and a heading is any line that says little beside one path.

use super::gold::squash;
use std::collections::{BTreeMap, BTreeSet};

pub struct Document<'a> {
    text: &'a str,
    /// All of it with white space normalised.
    squashed: String,
    lines: Vec<Line<'a>>,
    /// Where a text stands as a whole line.
    places: BTreeMap<&'a str, Vec<usize>>,
}

struct Line<'a> {
    /// The line, and the line without a number or a gutter in front.
    readings: Vec<&'a str>,
    /// A number alone: a blank line of a numbered listing.
    blank: bool,
    /// The path of the heading above.
    owner: Option<&'a str>,
}

/// Letters that may stand beside a path in a heading; code that mentions a path says more.
const HEADING_LETTERS: usize = 24;
/// Longer lines are no headings.
const HEADING_BYTES: usize = 400;

impl<'a> Document<'a> {
    pub fn read(text: &'a str, paths: &BTreeSet<String>) -> Self {
        let mut lines: Vec<Line> = Vec::new();
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut owner = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            owner = heading(line, paths).or(owner);
            let readings = readings(line);
            let blank = readings.iter().any(|reading| reading.is_empty());
            for reading in readings.iter().filter(|reading| !reading.is_empty()) {
                places.entry(reading).or_default().push(lines.len());
            }
            lines.push(Line { readings, blank, owner });
        }
        Self { text, squashed: squash(text), lines, places }
    }

    /// Whether a path is named, not as the end of a longer one.
    pub fn names(&self, path: &str) -> bool {
        let part = |c: char| c.is_alphanumeric() || "_-+@/".contains(c);
        self.text.match_indices(path).any(|(at, _)| {
            let before = self.text.get(..at).unwrap_or("");
            let before = before.strip_suffix("./").unwrap_or(before);
            let after = self.text.get(at + path.len()..).unwrap_or("");
            // A full stop may end a sentence, or go on with a longer name.
            let longer = after.strip_prefix('.').unwrap_or(after).starts_with(part);
            !before.ends_with(|c: char| part(c) || c == '.') && !longer
        })
    }

    /// Whether a head stands anywhere, or in the part of one file.
    pub fn declares(&self, head: &str, part: Option<&str>) -> bool {
        let Some(path) = part else { return self.squashed.contains(head) };
        let own = self.lines.iter().filter(|line| line.owner == Some(path));
        let own: Vec<&str> = own.filter_map(|line| line.readings.first().copied()).collect();
        squash(&own.join(" ")).contains(head)
    }

    /// Whether lines stand one after the other, blank ones not counted; with a path, whether they begin in its part.
    pub fn shows(&self, wanted: &[String], part: Option<&str>) -> bool {
        self.place(wanted, part).is_some()
    }

    /// Where they begin, as a share of the document.
    pub fn place(&self, wanted: &[String], part: Option<&str>) -> Option<f64> {
        let first = wanted.first()?;
        let places = self.places.get(first.as_str()).map(Vec::as_slice).unwrap_or_default();
        let found = places.iter().find(|start| {
            let lines = self.lines.get(**start..).unwrap_or_default();
            let mut wanted = wanted.iter().peekable();
            let here = part.is_none_or(|path| lines.first().is_some_and(|line| line.owner == Some(path)));
            for line in lines.iter().take_while(|_| here) {
                match wanted.peek() {
                    Some(next) if line.readings.contains(&next.as_str()) => drop(wanted.next()),
                    Some(_) if line.blank => {}
                    _ => break,
                }
            }
            wanted.peek().is_none()
        });
        found.map(|start| *start as f64 / self.lines.len().max(1) as f64)
    }

    /// The share of the text in lines that are a signature whose body is left out.
    pub fn bare(&self) -> f64 {
        let is_bare = |line: &Line<'_>| {
            let code = line.readings.last().copied().unwrap_or("");
            let code = code.split(" ⋮").next().unwrap_or(code).trim_end();
            ["{ … }", "{ ... }", "{ /* … */ }", "): ...", ") ..."].iter().any(|end| code.ends_with(end))
        };
        let bare = self.lines.iter().filter(|line| is_bare(line)).filter_map(|line| line.readings.first());
        bare.map(|line| line.len()).sum::<usize>() as f64 / self.text.len().max(1) as f64
    }
}

/// The one path of the project that a heading names.
fn heading<'a>(line: &'a str, paths: &BTreeSet<String>) -> Option<&'a str> {
    if line.len() > HEADING_BYTES {
        return None;
    }
    // Paths with spaces or brackets are only found whole: between quotes, or as all that the line says.
    let bare = line.trim_matches(|c: char| " #=*:`\"'<>-".contains(c));
    let quoted = line.split_once('`').and_then(|(_, rest)| rest.rsplit_once('`')).map(|(inner, _)| inner);
    let words = line.split(|c: char| !c.is_alphanumeric() && !"_.@+/~-".contains(c));
    let candidates = [Some(bare), quoted].into_iter().flatten().chain(words);
    let mut found = None;
    for word in candidates {
        let word = word.strip_prefix("./").unwrap_or(word);
        let path = [word, word.trim_end_matches('.')].into_iter().find(|word| paths.contains(*word));
        if path.is_some() && found.is_some() && path != found {
            return None;
        }
        found = found.or(path);
    }
    let beside = line.replacen(found?, " ", 1);
    (beside.chars().filter(char::is_ascii_alphabetic).count() <= HEADING_LETTERS).then_some(found).flatten()
}

/// A line as it stands, and without `12 `, `12 | `, `| ` in front.
fn readings(line: &str) -> Vec<&str> {
    let gutter = |text: &str| text.starts_with(['|', '│', '>', '→', ':']);
    let behind = |text: &'_ str| -> usize { text.chars().next().map_or(0, char::len_utf8) };
    let mut all = vec![line];
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < line.len();
    if numbered && (rest.is_empty() || rest.starts_with(char::is_whitespace)) {
        all.push(rest.trim());
    }
    let rest = if numbered { rest.trim_start() } else { line };
    if gutter(rest) && (numbered || !rest.starts_with(['→', ':'])) {
        all.push(rest.get(behind(rest)..).unwrap_or("").trim());
    }
    all
}
