//! All matches of a fingerprint with a text, and what they say of a place.
//!
//! Takes a fingerprint and lines; gives scores, neighbours and shares. Decides nothing.

use super::chain::{self, Chain, Places, Point, jump};
use super::fingerprint::{Fingerprint, MarkedLine};
use super::lines::{Line, Mark};

/// How many places with the same lines are weighed against each other.
const CANDIDATES: usize = 64;

/// The matches of a fingerprint with a text.
pub(super) struct Field<'a> {
    pub print: &'a Fingerprint,
    pub places: Places,
    pub points: Vec<Point>,
    lines: usize,
    /// What the slice is worth when all its lines are there.
    pub weight: i32,
    /// Chains up to each point before the slice, and from each point after it, mirrored.
    before: Vec<(Point, i32)>,
    after: Vec<(Point, i32)>,
}

impl<'a> Field<'a> {
    pub fn of(print: &'a Fingerprint, lines: &[Line<'_>]) -> Self {
        let places = Places::of(&print.entries, lines);
        let points = places.points(&print.entries, print.lines_before as i64);
        let weight = print.of_slice().map(|entry| places.weight(entry.mark)).sum();
        let side = |points: Vec<Point>| {
            let scores = chain::scores(&points);
            points.into_iter().zip(scores).map(|(point, (score, _))| (point, score)).collect()
        };
        let before = side(points.iter().filter(|point| point.line < 0).copied().collect());
        let mirrored = |point: &Point| Point { line: -point.line, at: -point.at, weight: point.weight };
        let after = side(points.iter().rev().filter(|point| point.line >= print.len as i64).map(mirrored).collect());
        Self { print, places, points, lines: lines.len(), weight, before, after }
    }

    /// The matches of everything but the slice.
    pub fn context(&self) -> Vec<Point> {
        self.points.iter().filter(|point| !self.print.within(point.line)).copied().collect()
    }

    /// The matches of the slice alone.
    pub fn own(&self) -> Vec<Point> {
        self.points.iter().filter(|point| self.print.within(point.line)).copied().collect()
    }

    /// What the whole chain is worth with the slice, unedited, at a place.
    pub fn score(&self, at: i64) -> i32 {
        let side = |points: &[(Point, i32)], (line, at): (i64, i64)| {
            let reachable = points.iter().filter(|(point, _)| point.at < at);
            reachable.map(|(point, score)| score - jump((point.line, point.at), (line, at))).max().unwrap_or(0).max(0)
        };
        let last = self.print.len as i64 - 1;
        side(&self.before, (0, at)) + self.weight + side(&self.after, (-last, -(at + last)))
    }

    /// How many of the nearest lines around the slice still stand about where they stood, seen from a place.
    pub fn neighbours_in_place(&self, at: i64) -> usize {
        /// Of each side, this many lines that say anything.
        const NEIGHBOURS: usize = 6;
        /// Lines that may have come or gone in between.
        const SLACK: i64 = 8;
        let len = self.print.len as i64;
        let entries = &self.print.entries;
        let telling = |entry: &&MarkedLine| entry.mark.class() > 0;
        let before = entries.iter().rev().filter(|entry| entry.line < 0).filter(telling).take(NEIGHBOURS);
        let after = entries.iter().filter(|entry| entry.line >= len).filter(telling).take(NEIGHBOURS);
        let stands = |entry: &&MarkedLine| {
            let expected = at + entry.line;
            let near = chain::nearest(self.places.spots(entry.mark), expected, 1);
            // Never inside the slice itself.
            near.iter().any(|spot| (spot - expected).abs() <= SLACK && !(at..at + len).contains(spot))
        };
        let neighbours = before.chain(after).filter(stands).count();
        // The beginning and the end of the file are neighbours too.
        let first = self.print.lines_before == 0 && at == 0;
        let last = self.print.lines_after == 0 && at + len == self.lines as i64;
        neighbours + 2 * usize::from(first) + 2 * usize::from(last)
    }

    /// The candidates that are weighed: all, or those nearest to where the surroundings or the old number expect one.
    pub fn candidates(&self, places: &[i64]) -> Vec<i64> {
        if places.len() <= CANDIDATES {
            return places.to_vec();
        }
        let mut chosen = chain::nearest(places, self.print.lines_before as i64, CANDIDATES / 2);
        let context: Chain = chain::heaviest(&self.context());
        let before = context.points.iter().rev().find(|point| point.line < 0);
        let after = context.points.iter().find(|point| point.line > 0);
        for point in before.into_iter().chain(after) {
            chosen.extend(chain::nearest(places, point.at - point.line, CANDIDATES / 4));
        }
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// How much of the slice a chain holds, in percent.
    pub fn share(&self, chain: &Chain) -> i32 {
        let total: i32 = self.print.of_slice().map(|entry| says(entry.mark)).sum();
        let held: i32 = chain
            .points
            .iter()
            .filter(|point| self.print.within(point.line))
            .filter_map(|point| self.print.mark(point.line))
            .map(says)
            .sum();
        held * 100 / total.max(1)
    }
}

/// What a line counts for the share that is left: a line that says something is a line, braces are nearly none.
pub(super) fn says(mark: Mark) -> i32 {
    [1, 10, 20, 20][mark.class()]
}
