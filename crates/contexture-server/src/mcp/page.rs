//! Cuts what is long into pages.
//!
//! Takes a text or rows and where to go on; gives what fits on a page and where the next one begins. Counted is what a model
//! reads of it, which is JSON.

use contexture::ops::OpError;
use contexture_core::{Counter, Tokenizer};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a text or list takes of an answer. Clients warn above 10,000 tokens; the contract is 8,000, and figures stand beside it.
pub const PAGE: u64 = 6000;
/// Bytes that are looked at for one page. A page of the cheapest text, long runs of spaces, may end here.
const WINDOW: usize = 128 * 1024;

pub struct Page {
    pub text: String,
    /// In bytes of the whole.
    pub next: Option<usize>,
}

/// A page of a text in pieces. Ends at a line where it can.
pub fn text<'a>(pieces: impl Iterator<Item = &'a str>, offset: usize) -> Result<Page, OpError> {
    let mut window = String::new();
    let (mut seen, mut is_more) = (0, false);
    for piece in pieces {
        let begins = seen;
        seen += piece.len();
        if seen <= offset && !(seen == offset && offset == 0) {
            continue;
        }
        let Some(rest) = piece.get(offset.saturating_sub(begins)..) else { return Err(wrong_offset(offset)) };
        let room = WINDOW - window.len();
        let part = &rest[..rest.floor_char_boundary(room)];
        window.push_str(part);
        if part.len() < rest.len() {
            is_more = true;
            break;
        }
    }
    if offset > seen || (offset == seen && offset > 0) {
        return Err(wrong_offset(offset));
    }
    let taken = fitting(&window);
    is_more |= taken < window.len();
    window.truncate(taken);
    Ok(Page { next: is_more.then_some(offset + taken), text: window })
}

fn wrong_offset(offset: usize) -> OpError {
    OpError::usage(format!("there is no page at offset {offset}"))
        .hint("take `next_offset` of the page before, or leave it out")
}

/// How many bytes of a text make a page.
fn fitting(text: &str) -> usize {
    let (mut room, mut taken) = (PAGE, 0);
    for line in text.split_inclusive('\n') {
        let cost = tokens(line);
        if cost > room {
            break;
        }
        room -= cost;
        taken += line.len();
    }
    if taken > 0 || text.is_empty() {
        return taken;
    }
    // One line that is longer than a page: halve what is tried until it fits.
    let line = text.split_inclusive('\n').next().unwrap_or(text);
    let mut length = line.len();
    while length > 1 && tokens(&line[..line.floor_char_boundary(length)]) > PAGE {
        length /= 2;
    }
    line.floor_char_boundary(length).max(line.chars().next().map_or(0, char::len_utf8))
}

/// Leaves the rows of one page in a list, from one of them on; gives where to go on.
pub fn rows<T: Serialize>(list: &mut Vec<T>, offset: usize) -> Result<Option<usize>, OpError> {
    if offset > 0 && offset >= list.len() {
        return Err(wrong_offset(offset));
    }
    list.drain(..offset);
    Ok(shorten(list, PAGE).map(|_| offset + list.len()))
}

/// Leaves as many rows as fit, and at least one; gives how many there were, where some are missing now.
pub fn shorten<T: Serialize>(list: &mut Vec<T>, mut room: u64) -> Option<usize> {
    let total = list.len();
    let mut kept = 0;
    for row in list.iter() {
        let cost = tokens(row) + 1;
        if cost > room && kept > 0 {
            break;
        }
        room = room.saturating_sub(cost);
        kept += 1;
    }
    list.truncate(kept);
    (kept < total).then_some(total)
}

/// How many rows lists beside an answer had before they were shortened, by names such as `items_total`.
#[derive(Default, Serialize)]
pub struct Totals(BTreeMap<&'static str, usize>);

impl Totals {
    pub fn shorten<T: Serialize>(mut self, name: &'static str, list: &mut Vec<T>, room: u64) -> Self {
        self.0.extend(shorten(list, room).map(|total| (name, total)));
        self
    }
}

/// What a value costs as JSON.
pub fn tokens(value: &(impl Serialize + ?Sized)) -> u64 {
    Tokenizer::O200k.count(&serde_json::to_string(value).unwrap_or_default())
}
