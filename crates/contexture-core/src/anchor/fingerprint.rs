//! What a slice keeps of its text and its surroundings, so that it can be told from everything else later.
//!
//! Takes the lines of a file and a range; gives a [`Fingerprint`], and it as one word of text. Holds hashes and sketches
//! only, never text. Whatever stands in a file as a fingerprint, reading it cannot fail other than with `None`.

use super::code::{self, BytesReader, BytesWriter};
use super::find;
use super::lines::{Line, Mark, Runs};
use super::sketch::Sketch;
use std::ops::Range;

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fingerprint {
    /// Lines of the slice, before it and after it.
    pub len: usize,
    pub lines_before: usize,
    pub lines_after: usize,
    /// How often the same lines stood in the file besides, white space aside.
    pub twins: usize,
    /// How much of the slice stood elsewhere in the file, in percent.
    pub rival: usize,
    /// The beginning of the content hash, by which a fingerprint and a slice belong together.
    pub content: u32,
    /// Hashes of the slice, of everything before it and of everything after it.
    pub slice: u64,
    pub before: u64,
    pub after: u64,
    /// Sorted by line, no line twice.
    pub entries: Vec<MarkedLine>,
    /// Of the first and the last lines of the slice, by their place in it.
    pub sketches: Vec<(usize, Sketch)>,
    /// Lines far from the slice that are like its first and last ones, sorted: what may be taken for it later.
    pub like: Vec<Mark>,
}

/// A line that is known again; 0 is the first line of the slice, lines before it are negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MarkedLine {
    pub line: i64,
    pub mark: Mark,
}

/// Every line is kept this far from the slice. On histories of real projects 4 are too few to tell twins apart, and from 8
/// to 200 nothing changes; but where lines were deleted, 12 take neighbours for the slice a fifth more often than 24.
pub(super) const NEAR: usize = 24;
/// Of a slice, every line is kept this far from its borders; that is all of nearly every slice people make.
const INSIDE: usize = 64;
/// Further away, lines that stand once in the file are kept, each a third further than the last: a dozen or two for any
/// file. They tell which of two equal stretches is meant.
const THINNING: usize = 3;
/// First and last lines with a sketch: enough for an edited signature or closing.
const SKETCHED: usize = 4;
/// A line elsewhere is like one of those from here on, in percent. A sketch is off by 12 or so, and `def test_a(client):` is
/// like `def test_b(client):` by some 80.
const LIKE: i32 = 40;
/// So many of them are kept: the functions of one shape in a long file.
const MOST_LIKE: usize = 48;
const VERSION: &str = "2.";
/// A fingerprint of a file of a billion lines has fewer entries.
const MOST_ENTRIES: usize = 4096;
/// More lines than any file has, and few enough that sums of line numbers fit.
const MOST_LINES: u64 = 1 << 40;

impl Fingerprint {
    /// `range` is not empty and lies within the lines.
    pub fn take(lines: &[Line<'_>], range: &Range<usize>, content: u32) -> Self {
        let runs = Runs::of(lines);
        let len = range.len();
        let hash = |start: usize, len: usize| runs.hash(start, len).unwrap_or_default();
        let slice = hash(range.start, len);
        let mut own = Self {
            len,
            rival: 0,
            lines_before: range.start,
            lines_after: lines.len().saturating_sub(range.end),
            twins: runs.find(slice, len).len().saturating_sub(1),
            content,
            slice,
            before: hash(0, range.start),
            after: hash(range.end, lines.len().saturating_sub(range.end)),
            entries: entries(lines, range),
            sketches: sketched(len)
                .filter_map(|place| Some((place, Sketch::of(lines.get(range.start + place)?.text))))
                .collect(),
            like: Vec::new(),
        };
        own.like = own.alike(lines, range);
        own.rival = usize::try_from(find::rival(&own, lines)).unwrap_or_default();
        own
    }

    pub fn to_text(&self) -> String {
        let mut out = BytesWriter::default();
        for number in [self.len, self.lines_before, self.lines_after, self.twins, self.rival] {
            out.number(number as u64);
        }
        out.fixed(self.content.into(), 4);
        [self.slice, self.before, self.after].into_iter().for_each(|hash| out.fixed(hash, 8));
        let shift = self.lines_before as i64;
        let groups: Vec<&[MarkedLine]> = self.entries.chunk_by(|a, b| a.line + 1 == b.line).collect();
        out.number(groups.len() as u64);
        let mut next = 0;
        for group in groups {
            let first = group.first().map_or(0, |entry| entry.line + shift);
            out.number((first - next) as u64);
            out.number(group.len() as u64);
            group.iter().for_each(|entry| out.fixed(entry.mark.0.into(), 3));
            next = first + group.len() as i64;
        }
        self.sketches.iter().for_each(|(_, sketch)| out.fixed(sketch.0, 8));
        self.like.iter().for_each(|mark| out.fixed(mark.0.into(), 3));
        format!("{VERSION}{}", code::to_text(&out.0))
    }

    pub fn of_text(text: &str) -> Option<Self> {
        let bytes = code::to_bytes(text.strip_prefix(VERSION)?)?;
        let mut from = BytesReader(&bytes);
        let mut number = || from.number().and_then(|number| usize::try_from(number).ok());
        let (len, lines_before, lines_after, twins, rival) = (number()?, number()?, number()?, number()?, number()?);
        let total = len.checked_add(lines_before)?.checked_add(lines_after)?;
        if len == 0 || total as u64 > MOST_LINES || rival > 100 {
            return None;
        }
        let content = from.fixed(4)? as u32;
        let (slice, before, after) = (from.fixed(8)?, from.fixed(8)?, from.fixed(8)?);
        let mut entries = Vec::new();
        let mut next = 0usize;
        for _ in 0..from.count(5)? {
            let first = next.checked_add(usize::try_from(from.number()?).ok()?)?;
            let count = from.count(3)?;
            next = first.checked_add(count).filter(|next| *next <= total)?;
            if entries.len() + count > MOST_ENTRIES {
                return None;
            }
            for line in first..next {
                entries.push(MarkedLine { line: line as i64 - lines_before as i64, mark: Mark(from.fixed(3)? as u32) });
            }
        }
        let sketches: Option<Vec<_>> = sketched(len).map(|place| Some((place, Sketch(from.fixed(8)?)))).collect();
        let sketches = sketches?;
        let mut like = Vec::new();
        while !from.0.is_empty() {
            like.push(Mark(from.fixed(3)? as u32));
        }
        let known = like.is_sorted() && like.len() <= MOST_LIKE;
        #[rustfmt::skip]
        let own = Self { len, lines_before, lines_after, twins, rival, content, slice, before, after, entries, sketches, like };
        known.then_some(own)
    }

    /// Lines of the file that are like a sketched line of the slice and are not kept anyway, the likest first.
    fn alike(&self, lines: &[Line<'_>], range: &Range<usize>) -> Vec<Mark> {
        let kept: std::collections::BTreeSet<Mark> = self.entries.iter().map(|entry| entry.mark).collect();
        let near = range.start.saturating_sub(NEAR)..range.end.saturating_add(NEAR);
        let likeness = |line: &Line<'_>| {
            let sketch = Sketch::of(line.text);
            self.sketches.iter().map(|(_, own)| own.likeness(sketch)).max().unwrap_or(0)
        };
        let far = lines.iter().enumerate().filter(|(at, _)| !near.contains(at)).map(|(_, line)| line);
        let telling = far.filter(|line| line.mark().class() >= 2 && !kept.contains(&line.mark()));
        let mut found: Vec<(i32, Mark)> = telling.map(|line| (-likeness(line), line.mark())).collect();
        found.retain(|(likeness, _)| -likeness >= LIKE);
        found.sort_unstable();
        found.truncate(MOST_LIKE);
        let mut marks: Vec<Mark> = found.into_iter().map(|(_, mark)| mark).collect();
        marks.sort_unstable();
        marks.dedup();
        marks
    }

    /// Whether a line stood in the file, but not in the slice.
    pub fn stood_elsewhere(&self, mark: Mark) -> bool {
        let stands =
            |inside: bool| self.entries.iter().any(|entry| entry.mark == mark && self.within(entry.line) == inside);
        mark.class() >= 2 && !stands(true) && (stands(false) || self.like.binary_search(&mark).is_ok())
    }

    /// The entries of the slice itself.
    pub fn of_slice(&self) -> impl Iterator<Item = &MarkedLine> {
        self.entries.iter().filter(|entry| self.within(entry.line))
    }

    /// What is known of a line.
    pub fn mark(&self, line: i64) -> Option<Mark> {
        let at = self.entries.binary_search_by_key(&line, |entry| entry.line).ok()?;
        self.entries.get(at).map(|entry| entry.mark)
    }

    pub fn within(&self, line: i64) -> bool {
        (0..self.len as i64).contains(&line)
    }
}

fn sketched(len: usize) -> impl Iterator<Item = usize> {
    (0..len.min(SKETCHED)).chain(len.saturating_sub(SKETCHED).max(SKETCHED.min(len))..len)
}

fn entries(lines: &[Line<'_>], range: &Range<usize>) -> Vec<MarkedLine> {
    let mut marks: Vec<Mark> = lines.iter().map(Line::mark).collect();
    marks.sort_unstable();
    let once = |mark: Mark| {
        let at = marks.partition_point(|known| *known < mark);
        marks.get(at) == Some(&mark) && marks.get(at + 1) != Some(&mark)
    };
    let mut kept = Vec::new();
    // From a border of the slice outwards or inwards: all lines nearby, then fewer and fewer.
    let mut walk = |steps: &mut dyn Iterator<Item = usize>, dense: usize| {
        let mut wanted = dense;
        for (distance, index) in steps.enumerate() {
            let Some(line) = lines.get(index) else { break };
            let mark = line.mark();
            let landmark = distance >= wanted && mark.class() >= 2 && once(mark);
            if landmark {
                wanted = distance + 1 + distance / THINNING;
            }
            if distance < dense || landmark {
                kept.push(MarkedLine { line: index as i64 - range.start as i64, mark });
            }
        }
    };
    let middle = range.start + range.len().div_ceil(2);
    walk(&mut (0..range.start).rev(), NEAR);
    walk(&mut (range.start..middle), INSIDE);
    walk(&mut (middle..range.end).rev(), INSIDE);
    walk(&mut (range.end..lines.len()), NEAR);
    kept.sort_unstable_by_key(|entry| entry.line);
    kept
}
