//! Commits as bytes, for the cache.
//!
//! A sum over the rest, then every path once (sorted, as its difference from the one before), then for each commit its
//! message and the numbers of its paths as distances. Whatever does not read back as exactly that is no record.

use contexture_core::{Commit, ContentHash};
use std::collections::BTreeMap;

/// Raised when the bytes, or what is held to be worth remembering, change.
pub const VERSION: u32 = 2;

/// Enough of a hash to tell damage; nobody gains by forging a file of his own cache.
const SUM: usize = 8;

pub fn encode(commits: &[Commit]) -> Vec<u8> {
    let mut numbers: BTreeMap<&str, usize> =
        commits.iter().flat_map(|commit| &commit.paths).map(|path| (path.as_str(), 0)).collect();
    for (number, slot) in numbers.values_mut().enumerate() {
        *slot = number;
    }
    let mut body = Vec::new();
    put(&mut body, numbers.len());
    let mut before = "";
    for path in numbers.keys() {
        let shared = before.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        put(&mut body, shared);
        put(&mut body, path.len() - shared);
        body.extend(path.bytes().skip(shared));
        before = path;
    }
    put(&mut body, commits.len());
    for commit in commits {
        put(&mut body, commit.message.len());
        body.extend(commit.message.bytes());
        put(&mut body, commit.paths.len());
        let mut next = 0;
        for number in commit.paths.iter().filter_map(|path| numbers.get(path.as_str())) {
            put(&mut body, number - next);
            next = number + 1;
        }
    }
    let mut bytes = sum(&body);
    bytes.extend(body);
    bytes
}

pub fn decode(bytes: &[u8]) -> Option<Vec<Commit>> {
    let (head, mut body) = bytes.split_at_checked(SUM)?;
    if sum(body) != head {
        return None;
    }
    let body = &mut body;
    let mut paths: Vec<String> = Vec::new();
    for _ in 0..get(body)? {
        let shared = get(body)?;
        let length = get(body)?;
        let mut path = paths.last().map_or("", String::as_str).as_bytes().get(..shared)?.to_vec();
        path.extend_from_slice(body.split_off(..length)?);
        paths.push(String::from_utf8(path).ok()?);
    }
    let mut commits = Vec::new();
    for _ in 0..get(body)? {
        let length = get(body)?;
        let message = String::from_utf8(body.split_off(..length)?.to_vec()).ok()?;
        let (mut touched, mut next) = (Vec::new(), 0usize);
        for _ in 0..get(body)? {
            let number = next.checked_add(get(body)?)?;
            touched.push(paths.get(number)?.clone());
            next = number + 1;
        }
        commits.push(Commit { message, paths: touched });
    }
    body.is_empty().then_some(commits)
}

fn sum(body: &[u8]) -> Vec<u8> {
    ContentHash::of_parts([body]).0.iter().take(SUM).copied().collect()
}

/// Seven bits a byte, the lowest first.
fn put(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn get(bytes: &mut &[u8]) -> Option<usize> {
    let mut value = 0usize;
    // Four bytes count further than any record goes.
    for shift in [0, 7, 14, 21] {
        let byte = *bytes.split_off_first()?;
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
