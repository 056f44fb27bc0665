//! Lines of a fingerprint matched with lines of a text, in order: which of many equal lines is meant.
//!
//! Takes entries and lines; gives the heaviest chain of matches that runs forward in both. A jump costs, so that lines which
//! stand together stay together; rare lines weigh more than common ones. Work is bounded: a mark that stands everywhere is
//! matched only where its neighbours expect it.

use super::fingerprint::MarkedLine;
use super::lines::{Line, Mark};

/// An entry that could be the line `at` (0-based) of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub line: i64,
    pub at: i64,
    pub weight: i32,
}

/// A chain of points and what it is worth.
#[derive(Default, Debug)]
pub(super) struct Chain {
    pub score: i32,
    pub points: Vec<Point>,
}

/// What a good line is worth; all other weights are shares of it.
pub(super) const LINE: i32 = 100;

/// A line by its class: braces tell nearly nothing.
pub(super) fn worth(mark: Mark) -> i32 {
    [LINE / 10, LINE / 2, LINE, LINE * 3 / 2][mark.class()]
}

/// What it costs to go on from one match to another. Lines left out on both sides cost little, as edits are common; a shift
/// costs more than a weak line is worth, and grows with its logarithm.
pub(super) fn jump(from: (i64, i64), to: (i64, i64)) -> i32 {
    let (lines, places) = (to.0 - from.0, to.1 - from.1);
    let skipped = (lines.min(places) - 1).clamp(0, 8) as i32 * 2;
    match (lines - places).unsigned_abs() {
        0 => skipped,
        shift => skipped + 30 + 15 * shift.ilog2() as i32,
    }
}

/// Where each mark of a fingerprint stands in a text.
pub(super) struct Places {
    marks: Vec<Mark>,
    spots: Vec<Vec<i64>>,
}

/// A mark with more spots than this is matched only near the places where its neighbours expect it.
const SPOTS: usize = 6;

impl Places {
    pub fn of(entries: &[MarkedLine], lines: &[Line<'_>]) -> Self {
        let mut marks: Vec<Mark> = entries.iter().map(|entry| entry.mark).collect();
        marks.sort_unstable();
        marks.dedup();
        // Most lines of a large file are in no fingerprint; a table of bits says so for most of them at once.
        let slot = |mark: Mark| ((mark.0 >> 14) as usize & 1023, (mark.0 >> 8) & 63);
        let mut table = vec![0u64; 1024];
        for mark in &marks {
            let (word, bit) = slot(*mark);
            table[word] |= 1 << bit;
        }
        let mut spots = vec![Vec::new(); marks.len()];
        for (at, line) in lines.iter().enumerate() {
            let mark = line.mark();
            let (word, bit) = slot(mark);
            if table[word] >> bit & 1 == 1
                && let Ok(index) = marks.binary_search(&mark)
                && let Some(spots) = spots.get_mut(index)
            {
                spots.push(at as i64);
            }
        }
        Self { marks, spots }
    }

    pub fn spots(&self, mark: Mark) -> &[i64] {
        self.marks.binary_search(&mark).ok().and_then(|index| self.spots.get(index)).map_or(&[], Vec::as_slice)
    }

    pub fn weight(&self, mark: Mark) -> i32 {
        let rarity = match self.spots(mark).len() {
            0 | 1 => 3,
            2..=8 => 2,
            _ => 1,
        };
        worth(mark) * rarity / 2
    }

    /// All matches worth looking at, sorted by line and place. `shift` is how far the first line of the slice was from the
    /// beginning of the file; without any line that stands once, it is all there is to expect a place from.
    pub fn points(&self, entries: &[MarkedLine], shift: i64) -> Vec<Point> {
        let mut twice: Vec<Mark> = entries.iter().map(|entry| entry.mark).collect();
        twice.sort_unstable();
        let once =
            |mark: Mark| twice.partition_point(|known| *known <= mark) - twice.partition_point(|known| *known < mark);
        let sure: Vec<Point> = entries
            .iter()
            .filter(|entry| entry.mark.class() > 0 && once(entry.mark) == 1)
            .filter_map(|entry| match self.spots(entry.mark) {
                [at] => Some(Point { line: entry.line, at: *at, weight: self.weight(entry.mark) }),
                _ => None,
            })
            .collect();
        let fixed = heaviest(&sure).points;
        let mut points = Vec::new();
        for entry in entries {
            let spots = self.spots(entry.mark);
            let mut near: Vec<i64> = if spots.len() <= SPOTS {
                spots.to_vec()
            } else {
                let after = fixed.partition_point(|point| point.line < entry.line);
                let around = [after.checked_sub(1).and_then(|before| fixed.get(before)), fixed.get(after)];
                let expected = |point: &Point| point.at + entry.line - point.line;
                let mut expected: Vec<i64> = around.into_iter().flatten().map(expected).collect();
                if expected.is_empty() {
                    expected.push(entry.line + shift);
                }
                expected.into_iter().flat_map(|at| nearest(spots, at, SPOTS / 2)).collect()
            };
            near.sort_unstable();
            near.dedup();
            let weight = self.weight(entry.mark);
            points.extend(near.into_iter().map(|at| Point { line: entry.line, at, weight }));
        }
        points
    }
}

/// The `count` spots nearest to a place, from sorted ones.
pub(super) fn nearest(spots: &[i64], place: i64, count: usize) -> Vec<i64> {
    let (mut low, mut high) = {
        let at = spots.partition_point(|spot| *spot < place);
        (at, at)
    };
    while high - low < count.min(spots.len()) {
        let below = low.checked_sub(1).and_then(|index| spots.get(index)).map(|spot| place - spot);
        let above = spots.get(high).map(|spot| spot - place);
        match (below, above) {
            (Some(below), Some(above)) if below <= above => low -= 1,
            (Some(_), None) => low -= 1,
            _ => high += 1,
        }
    }
    spots.get(low..high).unwrap_or_default().to_vec()
}

/// For each point the heaviest chain that ends there: its worth, and the point before.
pub(super) fn scores(points: &[Point]) -> Vec<(i32, Option<usize>)> {
    /// How many points back are looked at. Points of one line take up to six places, so this is some hundred lines.
    const BACK: usize = 600;
    let mut best: Vec<(i32, Option<usize>)> = Vec::with_capacity(points.len());
    for (index, point) in points.iter().enumerate() {
        let mut own = (point.weight, None);
        for (before, (earlier, (score, _))) in points.iter().zip(&best).enumerate().skip(index.saturating_sub(BACK)) {
            if *score + point.weight > own.0 && earlier.line < point.line && earlier.at < point.at {
                let joined = score + point.weight - jump((earlier.line, earlier.at), (point.line, point.at));
                if joined > own.0 {
                    own = (joined, Some(before));
                }
            }
        }
        best.push(own);
    }
    best
}

/// The heaviest chain of all; of equal ones the first.
pub(super) fn heaviest(points: &[Point]) -> Chain {
    let best = scores(points);
    let Some((last, (score, _))) = best.iter().enumerate().rev().max_by_key(|(_, (score, _))| *score) else {
        return Chain::default();
    };
    let mut chain = Chain { score: *score, points: Vec::new() };
    let mut next = Some(last);
    while let Some(index) = next {
        chain.points.extend(points.get(index));
        next = best.get(index).and_then(|(_, before)| *before);
    }
    chain.points.reverse();
    chain
}
