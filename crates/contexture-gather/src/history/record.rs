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

/// Each path as how many bytes it shares with the one before, and the rest of it; each commit as its message and its paths.
type Body = (Vec<(usize, Vec<u8>)>, Vec<(String, Vec<usize>)>);

pub fn encode(commits: &[Commit]) -> Vec<u8> {
    let mut numbers: BTreeMap<&str, usize> =
        commits.iter().flat_map(|commit| &commit.paths).map(|path| (path.as_str(), 0)).collect();
    for (number, slot) in numbers.values_mut().enumerate() {
        *slot = number;
    }
    let mut before = "";
    let paths = numbers.keys().map(|path| {
        let shared = before.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        before = path;
        (shared, path.bytes().skip(shared).collect())
    });
    let paths = paths.collect();
    let commits = commits.iter().map(|commit| {
        let mut next = 0;
        let distances = commit.paths.iter().filter_map(|path| numbers.get(path.as_str())).map(|number| {
            let distance = number - next;
            next = number + 1;
            distance
        });
        (commit.message.clone(), distances.collect())
    });
    let body: Body = (paths, commits.collect());
    // Numbers and texts in memory can always be written.
    let body = postcard::to_stdvec(&body).unwrap_or_default();
    [sum(&body), body].concat()
}

pub fn decode(bytes: &[u8]) -> Option<Vec<Commit>> {
    let (head, body) = bytes.split_at_checked(SUM)?;
    if sum(body) != head {
        return None;
    }
    let ((rests, read), rest): (Body, &[u8]) = postcard::take_from_bytes(body).ok()?;
    let mut paths: Vec<String> = Vec::with_capacity(rests.len());
    for (shared, rest) in rests {
        let shared = paths.last().map_or("", String::as_str).as_bytes().get(..shared)?;
        paths.push(String::from_utf8([shared, &rest].concat()).ok()?);
    }
    let mut commits = Vec::with_capacity(read.len());
    for (message, distances) in read {
        let (mut touched, mut next) = (Vec::with_capacity(distances.len()), 0usize);
        for distance in distances {
            let number = next.checked_add(distance)?;
            touched.push(paths.get(number)?.clone());
            next = number + 1;
        }
        commits.push(Commit { message, paths: touched });
    }
    rest.is_empty().then_some(commits)
}

fn sum(body: &[u8]) -> Vec<u8> {
    ContentHash::of_parts([body]).0.iter().take(SUM).copied().collect()
}
