//! The lists of a manifest as bytes, in parts that runs share.
//!
//! A list of thirty thousand files is nearly the same in the next run. It is cut where a record itself says so, so that one
//! new file changes one part and the others are found again by their hash. Takes and gives records; bytes that are none are
//! refused, whatever they are.
//!
//! Records are written by `postcard`. Where to cut is decided here: a general chunker such as `fastcdc` cuts inside records, so
//! that no part could be read alone, and compressed rows would store every list of every run again.

use super::manifest::{BlockRecord, ItemRecord, Manifest};
use contexture_core::ContentHash;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

type Hash = [u8; 32];

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

pub(super) fn write(manifest: &Manifest) -> postcard::Result<Lists> {
    let mut last = None;
    Ok(Lists {
        request: vec![manifest.request.to_string().into_bytes()],
        items: cut(
            &manifest.items,
            |item| fold(item.path.as_bytes()),
            |item| {
                let ItemRecord { path, kind, view, hash, tokens, reason, error, written } = item;
                (path, kind, view, hash.map(|hash| hash.0), tokens, reason, error, written.map(|hash| hash.0))
            },
        )?,
        left_out: cut(&manifest.left_out, |left| fold(left.path.as_bytes()), |left| left)?,
        notes: cut(&manifest.notes, |note| fold(note.text.as_bytes()), |note| note)?,
        blocks: cut(
            &manifest.blocks,
            |block| fold(&block.hash.0),
            |block| {
                // The item is written as the way from the last one, which is nearly always one step: a file more at the
                // beginning then changes no later part.
                let from = last.unwrap_or_default();
                last = block.item.or(last);
                (block.item.map(|item| (item.abs_diff(from), item < from)), block.bytes, block.tokens, block.hash.0)
            },
        )?,
    })
}

fn cut<'a, T, R: Serialize>(
    list: &'a [T],
    mark: impl Fn(&T) -> u64,
    mut row: impl FnMut(&'a T) -> R,
) -> postcard::Result<Vec<Vec<u8>>> {
    let mut parts = Vec::new();
    let (mut part, mut length) = (Vec::new(), 0);
    for record in list {
        part = postcard::to_extend(&row(record), part)?;
        length += 1;
        if mark(record).is_multiple_of(SHARE) || length == LONGEST {
            parts.push(std::mem::take(&mut part));
            length = 0;
        }
    }
    parts.extend((length > 0).then_some(part));
    Ok(parts)
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
    type Row = (String, String, String, Option<Hash>, u64, String, Option<String>, Option<Hash>);
    records(parts, |(path, kind, view, hash, tokens, reason, error, written): Row| {
        let (hash, written) = (hash.map(ContentHash), written.map(ContentHash));
        Some(ItemRecord { path, kind, view, hash, tokens, reason, error, written })
    })
}

/// Records that are stored as they are.
pub(super) fn read_plain<T: DeserializeOwned>(parts: &[Vec<u8>]) -> Option<Vec<T>> {
    records(parts, Some)
}

/// `items` is how many there are: a block of another one is damage.
pub(super) fn read_blocks(parts: &[Vec<u8>], items: usize) -> Option<Vec<BlockRecord>> {
    let mut last = None;
    records(parts, |(step, bytes, tokens, hash): (Option<(usize, bool)>, u64, u64, Hash)| {
        let item = match step {
            None => None,
            Some((step, back)) => {
                let from = last.unwrap_or_default();
                let item = if back { usize::checked_sub(from, step) } else { from.checked_add(step) };
                Some(item.filter(|item| *item < items)?)
            }
        };
        last = item.or(last);
        Some(BlockRecord { item, bytes, tokens, hash: ContentHash(hash) })
    })
}

fn records<R: DeserializeOwned, T>(parts: &[Vec<u8>], mut record: impl FnMut(R) -> Option<T>) -> Option<Vec<T>> {
    let mut all = Vec::new();
    for part in parts {
        let mut rest = part.as_slice();
        while !rest.is_empty() {
            let (row, after) = postcard::take_from_bytes(rest).ok()?;
            all.push(record(row)?);
            rest = after;
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::super::manifest::LeftRecord;
    use super::*;

    #[test]
    fn stores_of_earlier_versions_are_read() {
        let hash = ContentHash([7; 32]);
        // Lengths and numbers with seven bits a byte, the lowest first; 1 before what is there, 0 for what is not.
        let item = [&b"\x01a\x04file\x04full\x01"[..], &hash.0, b"\xac\x02\x01r\x00\x00"].concat();
        let block = [&b"\x01\x00\x00\x05\x80\x01"[..], &hash.0].concat();
        let record = ItemRecord {
            path: "a".into(),
            kind: "file".into(),
            view: "full".into(),
            hash: Some(hash),
            tokens: 300,
            reason: "r".into(),
            error: None,
            written: None,
        };
        assert_eq!(read_items(&[item]), Some(vec![record]));
        assert_eq!(read_blocks(&[block], 1), Some(vec![BlockRecord { item: Some(0), bytes: 5, tokens: 128, hash }]));
        assert_eq!(read_plain::<LeftRecord>(&[b"\x01a\x01b".to_vec()]).unwrap_or_default()[0].reason, "b");
    }
}
