//! What is left of an edited slice: lines that survived, lines that were edited, and where it begins and ends now.
//!
//! Takes matches and a chain of them; gives places and shares. Whether that is enough, `border` decides.

use super::chain::{LINE, Point, worth};
use super::field::{Field, says};
use super::fingerprint::NEAR;
use super::lines::Line;
use super::sketch::Sketch;
use std::ops::Range;

/// A line is an edited one when it is at least this much like it, in percent: half of its pieces are the same.
const LIKE: i32 = 50;
/// And by this much more like it than the lines around are; in a table every row is like every other.
const LIKELIER: i32 = 20;
/// And not so far from a line that survived that most of the text in between would be new.
const BETWEEN: i64 = 4;
/// So many neighbours hold a slice in its place, and so many lines may have come or gone in between.
const MOORINGS: usize = 4;
const STEP: i64 = 8;
/// So many lines are searched for an edited one.
const SEARCHED: i64 = 64;

/// What is left of a slice, as pairs of a place in the slice and a place in the text.
#[derive(Default)]
pub(super) struct Remains {
    pub survivors: Vec<(i64, i64)>,
    /// Edited lines: places and likeness.
    edited: Vec<(i64, i64, i32)>,
    /// Whether a part was left aside because of what stands in between.
    pub torn: bool,
    /// The nearest neighbours that are still there.
    pub before: Option<(i64, i64)>,
    pub after: Option<(i64, i64)>,
}

impl Remains {
    pub fn of(field: &Field<'_>, chain: &[Point], lines: &[Line<'_>]) -> Self {
        let print = field.print;
        let len = print.len as i64;
        let pair = |point: &Point| (point.line, point.at);
        let start = (print.lines_before == 0).then_some((-1, -1));
        let end = (print.lines_after == 0).then_some((len, lines.len() as i64));
        let (survivors, torn) = survivors(field, chain);
        let mut left = Self {
            survivors,
            torn,
            edited: Vec::new(),
            before: chain.iter().rev().find(|point| point.line < 0).map(pair).or(start),
            after: chain.iter().find(|point| point.line >= len).map(pair).or(end),
        };
        left.look_for_edited(field, lines);
        left
    }

    /// Without neighbours: only what survived.
    pub fn survivors_only(field: &Field<'_>, chain: &[Point]) -> Self {
        Self { survivors: survivors(field, chain).0, ..Self::default() }
    }

    /// Finds lines with a sketch that did not survive, each between its neighbours.
    fn look_for_edited(&mut self, field: &Field<'_>, lines: &[Line<'_>]) {
        let line_at = |at: i64| usize::try_from(at).ok().and_then(|at| lines.get(at));
        let sketch_at = |at: i64| line_at(at).map(|line| Sketch::of(line.text));
        // A line that stood elsewhere before is that line, however like it is.
        let is_new = |at: &i64| line_at(*at).is_some_and(|line| !field.print.stood_elsewhere(line.mark()));
        // What stood around the slice: how like it lines of this file are anyway.
        let before = self.before.into_iter().flat_map(|(_, at)| at - 2..=at);
        let after = self.after.into_iter().flat_map(|(_, at)| at..=at + 2);
        let around: Vec<Sketch> = before.chain(after).filter_map(sketch_at).collect();
        for (place, sketch) in &field.print.sketches {
            let place = *place as i64;
            let weak = field.print.mark(place).is_some_and(|mark| mark.class() == 0);
            if weak || self.survivors.iter().any(|(line, _)| *line == place) {
                continue;
            }
            let known: Vec<(i64, i64)> = self.kept_lines().into_iter().chain(self.before).chain(self.after).collect();
            let Some(low) = known.iter().copied().filter(|(line, _)| *line < place).max() else { continue };
            let Some(high) = known.iter().copied().filter(|(line, _)| *line > place).min() else { continue };
            let from = low.1 + 1;
            let best = (from..high.1.min(from + SEARCHED))
                .filter(is_new)
                .filter_map(|at| Some((sketch_at(at)?.likeness(*sketch), at)))
                .max_by_key(|(likeness, at)| (*likeness, -at));
            let usual = around.iter().map(|other| other.likeness(*sketch)).max().unwrap_or(0);
            let Some((likeness, at)) = best else { continue };
            let came = |(line, spot): (i64, i64)| (spot - at).abs() - (line - place).abs();
            let nearby = came(low).min(came(high)) <= BETWEEN;
            if likeness >= LIKE && likeness >= usual + LIKELIER && nearby {
                self.edited.push((place, at, likeness));
            }
        }
    }

    /// Lines that survived or were edited.
    fn kept_lines(&self) -> Vec<(i64, i64)> {
        self.survivors.iter().copied().chain(self.edited.iter().map(|(line, at, _)| (*line, *at))).collect()
    }

    /// How much is left, in percent.
    pub fn share(&self, field: &Field<'_>) -> i32 {
        let partly: i32 = self.edited.iter().map(|(line, _, likeness)| weight_of_line(field, *line) * likeness).sum();
        self.share_unedited(field) + partly / total(field)
    }

    /// How much is left as it was, in percent.
    pub fn share_unedited(&self, field: &Field<'_>) -> i32 {
        self.survivors.iter().map(|(line, _)| weight_of_line(field, *line) * 100).sum::<i32>() / total(field)
    }

    /// Whether the lines that survived tell more than chance: one that says much, or two that say something.
    pub fn tells(&self, field: &Field<'_>) -> bool {
        let marks = || self.survivors.iter().filter_map(|(line, _)| field.print.mark(*line));
        marks().any(|mark| mark.class() == 3) || marks().map(worth).sum::<i32>() >= 2 * LINE
    }

    /// Whether as many lines as the slice had stand between the lines right before and right after it.
    pub fn replaced(&self, field: &Field<'_>) -> bool {
        let len = field.print.len as i64;
        matches!((self.before, self.after), (Some((-1, from)), Some((line, to))) if line == len && to - from - 1 == len)
    }

    /// Whether enough neighbours that stand nowhere else are near and about in step.
    pub fn has_neighbours(&self, field: &Field<'_>, chain: &[Point]) -> bool {
        let print = field.print;
        let len = print.len as i64;
        let kept = self.kept_lines();
        let (Some(first), Some(last)) = (kept.iter().min(), kept.iter().max()) else { return false };
        let sure = |point: &&Point| {
            print.mark(point.line).is_some_and(|mark| mark.class() > 0 && field.places.spots(mark).len() == 1)
        };
        let in_step = |point: &&Point, border: &(i64, i64)| {
            ((point.at - point.line) - (border.1 - border.0)).abs() <= STEP
                && (point.line - border.0).abs() <= STEP + NEAR as i64
        };
        let before = chain.iter().filter(|point| point.line < 0).filter(sure).filter(|point| in_step(point, first));
        let after = chain.iter().filter(|point| point.line >= len).filter(sure).filter(|point| in_step(point, last));
        before.count() + after.count() >= MOORINGS
    }

    /// From the first line that is left to the last.
    pub fn range(&self, field: &Field<'_>, lines: &[Line<'_>]) -> Option<Range<usize>> {
        let len = field.print.len as i64;
        let kept = self.kept_lines();
        let (first, last) = (*kept.iter().min()?, *kept.iter().max()?);
        let (mut start, mut end) = (first.1, last.1);
        // Lines that were edited beyond likeness still stand between a neighbour and what is left, if they are as many as before.
        if let Some((-1, at)) = self.before
            && start - at - 1 == first.0
        {
            start = at + 1;
        }
        if let Some((line, at)) = self.after
            && line == len
            && at - end - 1 == len - 1 - last.0
        {
            end = at - 1;
        }
        let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?.checked_add(1)?;
        (range.start < range.end && range.end <= lines.len()).then_some(range)
    }
}

fn weight_of_line(field: &Field<'_>, line: i64) -> i32 {
    field.print.mark(line).map_or(0, says)
}

fn total(field: &Field<'_>) -> i32 {
    field.print.of_slice().map(|entry| says(entry.mark)).sum::<i32>().max(1)
}

/// The lines of the slice in a chain, without stragglers: a brace out of step with everything else, or the smaller part of
/// a slice that was torn apart by a long stretch of other text; whether it was, is told.
fn survivors(field: &Field<'_>, chain: &[Point]) -> (Vec<(i64, i64)>, bool) {
    let print = field.print;
    let class = |line: i64| print.mark(line).map_or(0, |mark| mark.class());
    let mut kept: Vec<(i64, i64)> =
        chain.iter().filter(|point| print.within(point.line)).map(|point| (point.line, point.at)).collect();
    let weak = |pair: &(i64, i64)| class(pair.0) == 0;
    let shift = |pair: &(i64, i64)| pair.1 - pair.0;
    // At the borders, a weak line stays only in step with the next line that says something.
    while let Some(first) = kept.first().copied().filter(|first| weak(first))
        && let next = kept.iter().find(|pair| !weak(pair))
        && next.is_some_and(|next| shift(next) != shift(&first))
    {
        kept.remove(0);
    }
    while let Some(last) = kept.last().copied().filter(|last| weak(last))
        && let next = kept.iter().rev().find(|pair| !weak(pair))
        && next.is_some_and(|next| shift(next) != shift(&last))
    {
        kept.pop();
    }
    // Torn apart: by more new lines than twice its own and some.
    let far = 2 * print.len as i64 + 20;
    let said = |pairs: &[(i64, i64)]| pairs.iter().map(|(line, _)| print.mark(*line).map_or(0, says)).sum::<i32>();
    let mut torn = false;
    loop {
        let total = said(&kept);
        let gap = kept.windows(2).position(|pair| matches!(pair, [a, b] if b.1 - a.1 - (b.0 - a.0) > far));
        let Some(gap) = gap else { return (kept, torn) };
        torn = true;
        let (head, tail) = kept.split_at(gap + 1);
        kept = if said(head) * 2 < total { tail.to_vec() } else { head.to_vec() };
    }
}
