//! Whether what is left of an edited slice is ENOUGH to claim it.
//!
//! Takes the matches of a fingerprint and the heaviest chains of them, with and without the slice; gives a claim or the
//! reason for none. Lines that survived decide; lines that were edited count by their likeness.

use super::chain::{self, Chain, LINE, Point, worth};
use super::field::Field;
use super::find::{AHEAD, ENOUGH, ENOUGH_ALONE, Find, TELLING};
use super::lines::Line;
use super::remains::Remains;
use std::ops::Range;

/// With less than this share unedited, in percent, likeness decides.
const UNEDITED: i32 = 25;
/// The likeness that is needed when nothing survived; chance makes 50 of 30 once in twenty times, 60 hardly ever.
const LIKE_ALONE: i32 = 60;

pub(super) fn find_edited(field: &Field<'_>, all: &Chain, absent: &Chain, lines: &[Line<'_>]) -> Find {
    let print = field.print;
    let left = Remains::of(field, &all.points, lines);
    let share = left.share(field);
    let rival = print.rival as i32;
    let gain = all.score - absent.score;
    // Lines that the surroundings claim as theirs are no gain, and most of what is left must be one.
    let worth_left: i32 = all.points.iter().filter(|point| print.within(point.line)).map(|point| point.weight).sum();
    let needed = LINE.min(field.weight / 2).max(worth_left / 2);
    // Likeness alone, or nearly alone, is believed only where nothing came or went; so are a `return` and a `break`.
    let explained = match left.share_unedited(field) {
        0 => left.replaced(field) && share >= LIKE_ALONE,
        1..UNEDITED => left.replaced(field) && gain >= needed,
        _ => (left.replaced(field) || left.tells(field)) && gain >= needed,
    };
    let telling: i32 = print.of_slice().map(|entry| worth(entry.mark)).sum();
    // Of braces nothing tells which they were; of two words half is nothing, unless they stand exactly between their
    // neighbours; and of a slice that was torn apart one half is as good as the other.
    let needed_share = match telling {
        0..LINE => i32::MAX,
        _ if left.replaced(field) || telling >= 2 * LINE && !left.torn => ENOUGH,
        _ => ENOUGH_ALONE,
    };
    let ahead = share >= rival + AHEAD;
    if let Some(at) = left
        .range(field, lines)
        .filter(|_| share >= needed_share && explained && (ahead || left.has_neighbours(field, &all.points)))
    {
        // Functions of one shape that changed their places look like one that was edited.
        let new = at.clone().filter(|place| left.survivors.iter().all(|(_, at)| *at != *place as i64));
        let mut new = new.filter_map(|place| lines.get(place));
        if !ahead && new.any(|line| print.stood_elsewhere(line.mark())) {
            return Find::Ambiguous("what stands in its place stood elsewhere in the file before".into());
        }
        // The same lines elsewhere would do as well?
        let others: Vec<Point> =
            field.points.iter().filter(|point| !print.within(point.line) || !inside(&at, point.at)).copied().collect();
        let other = chain::heaviest(&others);
        if field.share(&other) >= ENOUGH && other.score + LINE > all.score {
            return Find::Ambiguous("what is left of it could stand in two places".into());
        }
        let sides = i32::from(left.before.is_some()) + i32::from(left.after.is_some());
        let confidence = f64::from(40 + share * 2 / 5 + sides * 7) / 100.0;
        let why = match left.survivors.is_empty() {
            true => format!("its neighbours are there, and the text between them is {share} % like it"),
            false => format!("{share} % of it is left, in its place"),
        };
        return Find::Here { at, confidence, why };
    }

    // Cut, pasted elsewhere and edited: only when most of it is there and nobody else claims those lines.
    let alone = field.own();
    let chain = chain::heaviest(&alone);
    let moved = Remains::survivors_only(field, &chain.points);
    let share = moved.share(field);
    if let Some(at) =
        moved.range(field, lines).filter(|_| share >= ENOUGH_ALONE.max(rival + AHEAD) && telling >= TELLING)
    {
        let claimed: i32 = absent.points.iter().filter(|point| inside(&at, point.at)).map(|point| point.weight).sum();
        let others: Vec<Point> = alone.iter().filter(|point| !inside(&at, point.at)).copied().collect();
        if claimed < LINE && field.share(&chain::heaviest(&others)) < ENOUGH {
            let why = format!("{share} % of it is left, away from its old neighbours");
            return Find::Here { at, confidence: f64::from(20 + share / 2) / 100.0, why };
        }
    }
    Find::Lost(match share.max(field.share(all)) {
        0 => "none of its lines is left".into(),
        share if share >= ENOUGH => "such lines are there, but they stood elsewhere in the file before".into(),
        share => format!("only {share} % of it is left"),
    })
}

fn inside(range: &Range<usize>, at: i64) -> bool {
    usize::try_from(at).is_ok_and(|at| range.contains(&at))
}
