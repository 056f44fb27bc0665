//! The names of formats, and moments as files write them.

use contexture_core::keywords;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Programs whose trees can be read and written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TreeFormat {
    Contexture,
    Pyloom,
    Loomsidian,
    LoomEngine,
    Pi,
    ChatGpt,
}

keywords!(TreeFormat {
    Contexture = "contexture",
    Pyloom = "pyloom",
    Loomsidian = "loomsidian",
    LoomEngine = "loom-engine",
    Pi = "pi",
    ChatGpt = "chatgpt",
});

/// How pyloom writes a moment: the clock on the wall, without a zone.
const WALL: &str = "%Y-%m-%d-%H.%M.%S";

/// RFC 3339 with milliseconds, in UTC; nothing for a moment that is no date.
pub(super) fn moment(millis: i64) -> Option<String> {
    Timestamp::from_millisecond(millis).ok().map(|at| format!("{at:.3}"))
}

pub(super) fn millis(text: &str) -> Option<i64> {
    text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond)
}

/// A clock on a wall somewhere is read as UTC: the order of moments stays right.
pub(super) fn wall_millis(text: &str) -> Option<i64> {
    let at = DateTime::strptime(WALL, text).ok()?;
    Some(at.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond())
}

pub(super) fn wall(millis: i64) -> Option<String> {
    Timestamp::from_millisecond(millis).ok().map(|at| at.strftime(WALL).to_string())
}
