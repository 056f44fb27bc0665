//! Which of several summaries of one content is shown.

use super::{Entry, Generator, SummaryKey};
use jiff::Timestamp;
use std::cmp::Reverse;

/// Of entries about one content and of one view: what the wanted generator wrote for this tier; without a wish, the newest of
/// the tier. Of equally new ones the first by the generator's name, then by key, so that the choice never depends on the
/// order of the entries.
pub fn choose<'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
    wanted: Option<&Generator>,
    tier: u8,
) -> Option<&'a Entry> {
    entries
        .into_iter()
        .filter(|entry| entry.generator_tier == tier && wanted.is_none_or(|wanted| *wanted == entry.generator))
        .min_by_key(|entry| rank(entry))
}

fn rank(entry: &Entry) -> (Reverse<Option<Timestamp>>, &Generator, SummaryKey) {
    // Moments and not words are compared: both `Z` and an offset may stand there. What is no moment is the oldest.
    (Reverse(entry.generated_at.parse().ok()), &entry.generator, entry.key())
}
