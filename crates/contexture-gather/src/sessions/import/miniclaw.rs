//! miniclaw's sessions, which are ours.

use super::super::ours;
use super::super::scan::Outline;
use super::super::tally::Tally;
use super::{Found, Outcome};

pub(super) fn document(bytes: &[u8], outline: &Outline) -> Outcome {
    let read = ours::parse_outlined(bytes, outline)?;
    let mut tally = Tally::default();
    (tally.skipped, tally.notes) = (read.skipped, read.notes);
    Ok(Found { format: read.format, session: read.session, tally })
}
