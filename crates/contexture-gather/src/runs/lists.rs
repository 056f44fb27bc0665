//! The lists of a manifest as bytes, in parts that runs share.
//!
//! A list of thirty thousand files is nearly the same in the next run. It is cut where a record itself says so, so that one
//! new file changes one part and the others are found again by their hash. Takes and gives records; bytes that are none are
//! refused, whatever they are.

use super::manifest::{BlockRecord, ItemRecord, LeftRecord, Manifest, NoteRecord};
use contexture_core::ContentHash;
use serde_json::Value;

/// A part ends at one record in so many: parts of some 30 KB, a hundred of them for a large project.
const SHARE: u64 = 256;
/// And after so many, wherever it is.
const LONGEST: usize = 4 * SHARE as usize;

/// What is long, each as its parts in order.
pub(super) struct Lists {
    /// One part: it may hold a hundred thousand paths, and is mostly that of the run before.
    pub request: Vec<Vec<u8>>,
    pub items: Vec<Vec<u8>>,
    pub left_out: Vec<Vec<u8>>,
    pub notes: Vec<Vec<u8>>,
    pub blocks: Vec<Vec<u8>>,
}

pub(super) fn write(manifest: &Manifest) -> Lists {
    let mut last = None;
    Lists {
        request: vec![manifest.request.to_string().into_bytes()],
        items: cut(&manifest.items, |item| fold(item.path.as_bytes()), write_item),
        left_out: cut(&manifest.left_out, |left| fold(left.path.as_bytes()), write_left),
        notes: cut(&manifest.notes, |note| fold(note.text.as_bytes()), write_note),
        blocks: cut(&manifest.blocks, |block| fold(&block.hash.0), |block, out| write_block(block, &mut last, out)),
    }
}

fn cut<T>(list: &[T], mark: impl Fn(&T) -> u64, mut write: impl FnMut(&T, &mut Vec<u8>)) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let (mut part, mut length) = (Vec::new(), 0);
    for record in list {
        write(record, &mut part);
        length += 1;
        if mark(record).is_multiple_of(SHARE) || length == LONGEST {
            parts.push(std::mem::take(&mut part));
            length = 0;
        }
    }
    parts.extend((length > 0).then_some(part));
    parts
}

/// FNV-1a: few instructions, and the same everywhere.
fn fold(bytes: &[u8]) -> u64 {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    hash >> 32
}

pub(super) fn read_request(parts: &[Vec<u8>]) -> Option<Value> {
    parts.first().and_then(|text| serde_json::from_slice(text).ok())
}

pub(super) fn read_items(parts: &[Vec<u8>]) -> Option<Vec<ItemRecord>> {
    records(parts, |bytes| {
        Some(ItemRecord {
            path: bytes.text()?,
            kind: bytes.text()?,
            view: bytes.text()?,
            hash: bytes.maybe(Bytes::hash)?,
            tokens: bytes.number()?,
            reason: bytes.text()?,
            error: bytes.maybe(Bytes::text)?,
            written: bytes.maybe(Bytes::hash)?,
        })
    })
}

pub(super) fn read_left(parts: &[Vec<u8>]) -> Option<Vec<LeftRecord>> {
    records(parts, |bytes| Some(LeftRecord { path: bytes.text()?, reason: bytes.text()? }))
}

pub(super) fn read_notes(parts: &[Vec<u8>]) -> Option<Vec<NoteRecord>> {
    records(parts, |bytes| {
        Some(NoteRecord {
            topic: bytes.text()?,
            path: bytes.maybe(Bytes::text)?,
            text: bytes.text()?,
            hint: bytes.maybe(Bytes::text)?,
        })
    })
}

/// `items` is how many there are: a block of another one is damage.
pub(super) fn read_blocks(parts: &[Vec<u8>], items: usize) -> Option<Vec<BlockRecord>> {
    let mut last = None;
    records(parts, |bytes| {
        let item = bytes.maybe(|bytes| {
            let (step, back) = (bytes.number()?, bytes.byte()? == 1);
            let step = usize::try_from(step).ok()?;
            let next = match (last, back) {
                (None, _) => Some(step),
                (Some(last), false) => usize::checked_add(last, step),
                (Some(last), true) => last.checked_sub(step),
            };
            next.filter(|next| *next < items)
        })?;
        last = item.or(last);
        Some(BlockRecord { item, bytes: bytes.number()?, tokens: bytes.number()?, hash: bytes.hash()? })
    })
}

fn write_item(item: &ItemRecord, out: &mut Vec<u8>) {
    let ItemRecord { path, kind, view, hash, tokens, reason, error, written } = item;
    [path, kind, view].into_iter().for_each(|text| put_text(text, out));
    put_maybe(hash.as_ref(), out, put_hash);
    put_number(*tokens, out);
    put_text(reason, out);
    put_maybe(error.as_ref(), out, |text, out| put_text(text, out));
    put_maybe(written.as_ref(), out, put_hash);
}

fn write_left(left: &LeftRecord, out: &mut Vec<u8>) {
    put_text(&left.path, out);
    put_text(&left.reason, out);
}

fn write_note(note: &NoteRecord, out: &mut Vec<u8>) {
    put_text(&note.topic, out);
    put_maybe(note.path.as_ref(), out, |text, out| put_text(text, out));
    put_text(&note.text, out);
    put_maybe(note.hint.as_ref(), out, |text, out| put_text(text, out));
}

/// The item is written as the way from the last one, which is nearly always one step: a file more at the beginning then changes
/// no later part.
fn write_block(block: &BlockRecord, last: &mut Option<usize>, out: &mut Vec<u8>) {
    put_maybe(block.item.as_ref(), out, |item, out| {
        let from = last.unwrap_or_default();
        put_number(item.abs_diff(from) as u64, out);
        out.push(u8::from(*item < from));
    });
    *last = block.item.or(*last);
    put_number(block.bytes, out);
    put_number(block.tokens, out);
    put_hash(&block.hash, out);
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    put_number(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

fn put_hash(hash: &ContentHash, out: &mut Vec<u8>) {
    out.extend_from_slice(&hash.0);
}

fn put_maybe<T>(value: Option<&T>, out: &mut Vec<u8>, put: impl FnOnce(&T, &mut Vec<u8>)) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(value, out);
    }
}

/// Seven bits a byte, the lowest first; the eighth says that more follow.
pub(super) fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn records<T>(parts: &[Vec<u8>], mut read: impl FnMut(&mut Bytes<'_>) -> Option<T>) -> Option<Vec<T>> {
    let mut all = Vec::new();
    for part in parts {
        let mut bytes = Bytes(part);
        while !bytes.0.is_empty() {
            all.push(read(&mut bytes)?);
        }
    }
    Some(all)
}

/// What is left to read.
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit.
            if shift == 63 && bits > 1 {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, length: u64) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).ok().map(str::to_owned)
    }

    fn hash(&mut self) -> Option<ContentHash> {
        self.take(32)?.try_into().ok().map(ContentHash)
    }

    fn maybe<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            1 => read(self).map(Some),
            _ => None,
        }
    }
}
