//! Where the slice of a fingerprint stands in a text now, if it stands there.
//!
//! Takes a fingerprint and lines; gives a [`Find`] with a reason. Candidates are the places with the same lines, and the
//! place that the heaviest chain of single lines names. A place is taken only when the surroundings explain it better than
//! they explain its absence, and better than any other place; otherwise nothing is claimed.

use super::border;
use super::chain::{self, Chain, LINE, Point, worth};
use super::field::Field;
use super::fingerprint::Fingerprint;
use super::lines::{Line, Runs};
use std::ops::Range;

pub(super) enum Find {
    /// The same lines, white space aside, or enough of them in order in the place where they are expected.
    Here {
        at: Range<usize>,
        confidence: f64,
        why: String,
    },
    Ambiguous(String),
    Lost(String),
}

/// By how much one explanation must be heavier than another: a good line.
const MARGIN: i32 = LINE;
/// Lines that stand once in a file may be taken for the slice wherever they are if they say at least as much as three good
/// ones; less than that is written twice by chance.
pub(super) const TELLING: i32 = 3 * LINE;
/// An edited slice keeps at least this share of its lines, in percent, each by what it says.
pub(super) const ENOUGH: i32 = 50;
/// The same for a slice that left its surroundings.
pub(super) const ENOUGH_ALONE: i32 = 70;
/// More must be left of a slice, in percent, than ever stood elsewhere in its file.
pub(super) const AHEAD: i32 = 15;
/// So many neighbours tell that a place is the old one.
const HELD: usize = 2;
/// So many more neighbours settle it between two places that are otherwise alike.
const LEAD: i64 = 3;

pub(super) fn find(print: &Fingerprint, lines: &[Line<'_>]) -> Find {
    let runs = Runs::of(lines);
    let same = runs.find(print.slice, print.len);
    if let Some(found) = beside_the_unchanged(print, &runs, &same, lines.len()) {
        return found;
    }
    let field = Field::of(print, lines);
    // Without the slice: how well do the surroundings explain the text by themselves?
    let absent = chain::heaviest(&field.context());
    let edited = chain::heaviest(&field.points);
    if let Some(found) = among_the_same(&field, &same, &absent, &edited) {
        return found;
    }
    match (border::find_edited(&field, &edited, &absent, lines), same.len()) {
        (Find::Lost(_), 1) => Find::Ambiguous("its lines stand in one place, but not with its neighbours".into()),
        (Find::Lost(_), count @ 2..) => {
            Find::Ambiguous(format!("its lines stand in {count} places, but in none with its neighbours"))
        }
        (found, _) => found,
    }
}

/// When all that stood before it, or all that stood after it, is as it was, the place is known at once.
fn beside_the_unchanged(print: &Fingerprint, runs: &Runs, same: &[usize], lines: usize) -> Option<Find> {
    let len = print.len;
    let here = |at: usize, why: &str| Some(Find::Here { at: at..at + len, confidence: 1.0, why: why.into() });
    let tells = |side: &dyn Fn(i64) -> bool| {
        let entries = print.entries.iter().filter(|entry| side(entry.line));
        entries.map(|entry| worth(entry.mark)).sum::<i32>() >= 2 * LINE
    };
    let before_is_same = runs.hash(0, print.lines_before) == Some(print.before);
    let rest = lines.checked_sub(print.lines_after);
    let after_is_same = rest.and_then(|rest| runs.hash(rest, print.lines_after)) == Some(print.after);
    let in_place = same.contains(&print.lines_before);
    if in_place && before_is_same && after_is_same && print.lines_before + len + print.lines_after == lines {
        return here(print.lines_before, "the file has not changed, white space aside");
    }
    // With more copies than there were, this one may be new; with fewer, it may be another.
    if same.len() != print.twins + 1 {
        return None;
    }
    if in_place && before_is_same && tells(&|line| line < 0) {
        return here(print.lines_before, "nothing before it has changed");
    }
    let at = rest.and_then(|rest| rest.checked_sub(len)).filter(|at| after_is_same && same.contains(at))?;
    if tells(&|line| line >= len as i64) { here(at, "nothing after it has changed") } else { None }
}

/// The place with the same lines that the neighbours name; `None` when no place has them, or none of those is it.
fn among_the_same(field: &Field<'_>, same: &[usize], absent: &Chain, edited: &Chain) -> Option<Find> {
    let print = field.print;
    let places: Vec<i64> = same.iter().map(|at| *at as i64).collect();
    let mut weighed: Vec<(i32, i64)> = field.candidates(&places).into_iter().map(|at| (field.score(at), at)).collect();
    weighed.sort_by_key(|(score, at)| (-score, *at));
    let (score, at) = *weighed.first()?;
    let lines = at as usize..at as usize + print.len;
    let here = |confidence: f64, why: &str| Some(Find::Here { at: lines.clone(), confidence, why: why.into() });

    let only = places.len() == 1;
    let copied = places.len() > print.twins + 1;
    let telling = print.of_slice().map(|entry| worth(entry.mark)).sum::<i32>();
    let known_by_itself = only && print.twins == 0 && telling >= TELLING;
    // On the lines where it was, less will do.
    let in_place = only && print.twins == 0 && telling >= LINE && at == print.lines_before as i64;
    let held = field.neighbours_in_place(at);
    let explained = score >= absent.score + MARGIN.min(field.weight) && score >= edited.score - MARGIN;
    let ahead = weighed.iter().skip(1).all(|(other_score, other)| {
        let lead = held as i64 - field.neighbours_in_place(*other) as i64;
        let clear = score >= other_score + MARGIN && (lead > 0 || !copied);
        clear || (score >= *other_score && lead >= LEAD)
    });
    if explained && ahead && (held >= HELD || known_by_itself || in_place) {
        return match only {
            true => here(0.99, "its lines stand there and nowhere else"),
            false => here(0.95, "its lines stand in several places, its neighbours only here"),
        };
    }
    // Cut and pasted: no more of it stayed behind than was like it before.
    let elsewhere = |point: &&Point| !print.within(point.line) || !lines.contains(&(point.at as usize));
    let elsewhere: Vec<Point> = field.points.iter().filter(elsewhere).copied().collect();
    let stayed = field.share(&chain::heaviest(&elsewhere));
    if known_by_itself && stayed < ENOUGH.max(print.rival as i32 + AHEAD) {
        return here(0.85, "its lines stand there and nowhere else, away from their old neighbours");
    }
    if known_by_itself {
        return Some(Find::Ambiguous("its lines stand in one place, and an edited copy where it was".into()));
    }
    let rivals = !only && field.share(edited) >= ENOUGH && score + MARGIN > edited.score;
    (explained || rivals).then(|| {
        Find::Ambiguous(match places.len() {
            1 => "its lines stand there, but too little tells that they are the same".into(),
            count => format!("its lines stand in {count} places, and its neighbours do not tell which is meant"),
        })
    })
}

/// How much of a slice would seem to be left if it were deleted, in percent: what must not be taken for it later.
pub(super) fn rival(print: &Fingerprint, lines: &[Line<'_>]) -> i32 {
    let mut without = lines.to_vec();
    without.drain(print.lines_before..print.lines_before + print.len);
    let field = Field::of(print, &without);
    field.share(&chain::heaviest(&field.own()))
}
