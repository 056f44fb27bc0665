//! The members of an object and the elements of an array, as places in the bytes.
//!
//! Takes a document that was found whole; gives ranges and never values, so that a file is not held twice and what nobody
//! asks for is passed over. Each level that is taken apart costs one pass over its bytes.

use crate::sessions::value::{blank, member, whole};
use std::ops::Range;

/// Key and value.
pub(super) type Member = (String, Range<usize>);

/// Each member of the object that begins here; nothing if none does.
pub(super) fn members(bytes: &[u8], object: usize) -> impl Iterator<Item = Member> {
    let mut at = if bytes.get(object) == Some(&b'{') { object + 1 } else { bytes.len() };
    std::iter::from_fn(move || {
        at = past_comma(bytes, at);
        let (key, _, value) = member(bytes, at)?;
        at = whole(bytes, value).ok()?;
        Some((key, value..at))
    })
}

/// Each element of the array that begins here; nothing if none does.
pub(super) fn elements(bytes: &[u8], array: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = if bytes.get(array) == Some(&b'[') { array + 1 } else { bytes.len() };
    std::iter::from_fn(move || {
        let start = past_comma(bytes, at);
        at = whole(bytes, start).ok()?;
        Some(start..at)
    })
}

pub(super) fn past_comma(bytes: &[u8], at: usize) -> usize {
    let at = blank(bytes, at);
    if bytes.get(at) == Some(&b',') { blank(bytes, at + 1) } else { at }
}
