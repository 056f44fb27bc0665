//! Cuts what is long into pages.
//!
//! Takes a text or rows and where to go on; gives what fits on a page and where the next one begins. Counted is what a model
//! reads of it, which is JSON.

use crate::ops::OpError;
use contexture_core::{Counter, Tokenizer};
use serde_json::{Map, Value, json};

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
        let cost = cost(line);
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
    while length > 1 && cost(&line[..line.floor_char_boundary(length)]) > PAGE {
        length /= 2;
    }
    line.floor_char_boundary(length).max(line.chars().next().map_or(0, char::len_utf8))
}

/// Rows of a list from one of them on, and where to go on.
pub fn rows(all: Vec<Value>, offset: usize) -> Result<(Vec<Value>, Option<usize>), OpError> {
    if offset > 0 && offset >= all.len() {
        return Err(wrong_offset(offset));
    }
    let total = all.len();
    let page = head(all.into_iter().skip(offset), PAGE);
    let next = offset + page.len();
    Ok((page, (next < total).then_some(next)))
}

/// As many rows as fit, and at least one.
fn head(rows: impl Iterator<Item = Value>, mut room: u64) -> Vec<Value> {
    let mut page = Vec::new();
    for row in rows {
        let cost = Tokenizer::O200k.count(&row.to_string()) + 1;
        if cost > room && !page.is_empty() {
            break;
        }
        room = room.saturating_sub(cost);
        page.push(row);
    }
    page
}

/// Shortens a list that only stands beside the answer; how many there are stands beside it then.
pub fn shorten(object: &mut Map<String, Value>, key: &str, room: u64) {
    let Some(Value::Array(list)) = object.get_mut(key) else { return };
    let total = list.len();
    let kept = head(std::mem::take(list).into_iter(), room);
    let is_short = kept.len() < total;
    *list = kept;
    if is_short {
        object.insert(format!("{key}_total"), json!(total));
    }
}

fn cost(text: &str) -> u64 {
    Tokenizer::O200k.count(&Value::from(text).to_string())
}
