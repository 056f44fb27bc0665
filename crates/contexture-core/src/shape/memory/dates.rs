//! Dates as they are written in notes, counted in days since 1970-01-01.
//!
//! Takes text; gives days. A moment with an offset counts on the day it was in UTC. Days that no calendar has are no dates.

/// A date at the beginning: the day, and how many bytes it took.
pub fn day(text: &str) -> Option<(i32, usize)> {
    let bytes = text.as_bytes().get(..10)?;
    let number = |range: std::ops::Range<usize>| {
        bytes
            .get(range)?
            .iter()
            .try_fold(0i32, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i32::from(byte - b'0')))
    };
    if bytes.get(4) != Some(&b'-') || bytes.get(7) != Some(&b'-') {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    if bytes_continue(text, 10) || !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
        return None;
    }
    Some((days(year, month, day), 10))
}

/// A date with or without a time behind it, such as RFC 3339 has: the day in UTC, and how many bytes it took.
pub fn moment(text: &str) -> Option<(i32, usize)> {
    if let Some(date) = day(text) {
        return match text.get(10..).and_then(|rest| rest.strip_prefix(' ')).and_then(time) {
            Some((shift, length)) => Some((date.0 + shift, 11 + length)),
            None => Some(date),
        };
    }
    let rest = text.get(10..)?.strip_prefix(['T', 't'])?;
    let (day, _) = day(text.get(..10)?)?;
    let (shift, length) = time(rest)?;
    Some((day + shift, 11 + length))
}

/// What a heading says: its day, and whether it says nothing else.
pub fn in_heading(title: &str) -> (Option<i32>, bool) {
    let bare = title.trim_matches(|c: char| c.is_whitespace() || "[]()*_`".contains(c));
    if let Some((day, length)) = moment(bare) {
        let rest = bare.get(length..).unwrap_or_default();
        let rest = rest.trim_matches(|c: char| !c.is_alphanumeric());
        return (Some(day), rest.is_empty() || is_weekday(rest));
    }
    if let Some((front, date)) = bare.rsplit_once(char::is_whitespace)
        && let Some((day, length)) = moment(date)
        && length == date.len()
    {
        return (Some(day), is_weekday(front.trim_matches(|c: char| !c.is_alphanumeric())));
    }
    (None, false)
}

fn is_weekday(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        .iter()
        .any(|day| *day == word || day.get(..3) == Some(&*word))
}

/// Whether a word goes on behind a date: `2026-02-011`, `2026-02-01-draft`, a timestamp.
fn bytes_continue(text: &str, at: usize) -> bool {
    let mut rest = text.get(at..).unwrap_or_default().chars();
    match rest.next() {
        Some('-' | '_') => rest.next().is_some_and(char::is_alphanumeric),
        Some(c) => c.is_alphanumeric(),
        None => false,
    }
}

/// `10:00`, `10:00:00.123Z`, `10:00:00+02:00`: by how many days the offset moves it, and its length.
fn time(text: &str) -> Option<(i32, usize)> {
    let bytes = text.as_bytes();
    let pair = |at: usize, most: i32| {
        let tens = bytes.get(at).filter(|byte| byte.is_ascii_digit())?;
        let ones = bytes.get(at + 1).filter(|byte| byte.is_ascii_digit())?;
        Some(i32::from(tens - b'0') * 10 + i32::from(ones - b'0')).filter(|value| *value <= most)
    };
    let colon = |at: usize| (bytes.get(at) == Some(&b':')).then_some(());
    let hour = pair(0, 23)?;
    colon(2)?;
    let minute = pair(3, 59)?;
    let mut at = 5;
    if colon(5).is_some() && pair(6, 60).is_some() {
        at = 8;
        if bytes.get(8) == Some(&b'.') {
            let digits = bytes.iter().skip(9).take_while(|byte| byte.is_ascii_digit()).count();
            at = if digits > 0 { 9 + digits } else { 8 };
        }
    }
    let offset = match bytes.get(at) {
        Some(b'Z' | b'z') => {
            at += 1;
            0
        }
        Some(sign @ (b'+' | b'-')) if pair(at + 1, 23).is_some() && colon(at + 3).is_some() => {
            let minutes = pair(at + 1, 23)? * 60 + pair(at + 4, 59)?;
            let sign = if *sign == b'+' { 1 } else { -1 };
            at += 6;
            sign * minutes
        }
        _ => 0,
    };
    Some(((hour * 60 + minute - offset).div_euclid(24 * 60), at))
}

fn days_in(year: i32, month: i32) -> i32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days of the Gregorian calendar since 1970-01-01. Years begin in March here, so that the leap day is the last of a year.
fn days(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let in_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // From March on, months of 31 and 30 days alternate in groups of five: 153 days.
    in_years + (153 * month + 2) / 5 + day - 1 - 719_468
}
