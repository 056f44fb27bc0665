//! Bytes of files in revisions, by object id.
//!
//! Takes ids as `Repo::tree` gave them; gives sizes and contents from `cat-file --batch`. Sizes are asked first, so
//! that a huge blob is never written into a pipe only to be thrown away.

use super::{GitError, Repo};
use crate::FILE_CAP;
use sha1::{Digest, Sha1};
use sha2::Sha256;
use std::collections::{BTreeMap, BTreeSet};

/// How much one `cat-file` is asked for: what it says is held twice for a moment. Most runs need one.
const GROUP: u64 = 64 * 1024 * 1024;

/// As much as all files of a run may have together.
const RUN_CAP: u64 = 500 * 1024 * 1024;

impl Repo {
    /// The size of each blob; `None` for an id that is missing here (a partial clone) or names no blob.
    pub fn sizes(&self, oids: &[&str]) -> Result<BTreeMap<String, Option<u64>>, GitError> {
        let mut sizes: BTreeMap<String, Option<u64>> = oids.iter().map(|oid| ((*oid).to_owned(), None)).collect();
        let asked: BTreeSet<&str> = oids.iter().copied().filter(|oid| is_oid(oid)).collect();
        if asked.is_empty() {
            return Ok(sizes);
        }
        let reply = self.cat_file("--batch-check", asked)?;
        for line in String::from_utf8_lossy(&reply).lines() {
            if let Some((oid, size)) = header(line) {
                sizes.insert(oid.to_owned(), Some(size));
            }
        }
        Ok(sizes)
    }

    /// The contents of blobs. An id is absent from the answer if the blob is missing, larger than `FILE_CAP`, or past
    /// the 500 MiB that one call gives; [`Repo::sizes`] tells which.
    pub fn blobs(&self, oids: &[&str]) -> Result<BTreeMap<String, Vec<u8>>, GitError> {
        let sizes = self.sizes(oids)?;
        let mut contents = BTreeMap::new();
        let (mut group, mut in_group, mut in_all) = (Vec::new(), 0, 0);
        for (oid, size) in sizes.iter().filter_map(|(oid, size)| Some((oid.as_str(), (*size)?))) {
            if size > FILE_CAP || in_all + size > RUN_CAP {
                continue;
            }
            if in_group + size > GROUP {
                self.read_group(std::mem::take(&mut group), &mut contents)?;
                in_group = 0;
            }
            group.push(oid);
            in_group += size;
            in_all += size;
        }
        self.read_group(group, &mut contents)?;
        Ok(contents)
    }

    fn read_group(&self, oids: Vec<&str>, contents: &mut BTreeMap<String, Vec<u8>>) -> Result<(), GitError> {
        if oids.is_empty() {
            return Ok(());
        }
        let reply = self.cat_file("--batch", oids)?;
        let mut rest = reply.as_slice();
        while !rest.is_empty() {
            let answer = next_answer(rest)
                .ok_or_else(|| GitError::Failed { command: "cat-file", detail: "its answer is cut off".into() })?;
            contents.extend(answer.blob.map(|(oid, bytes)| (oid.to_owned(), bytes.to_vec())));
            rest = answer.rest;
        }
        Ok(())
    }

    fn cat_file<'a>(&self, mode: &str, oids: impl IntoIterator<Item = &'a str>) -> Result<Vec<u8>, GitError> {
        let requests: String = oids.into_iter().flat_map(|oid| [oid, "\n"]).collect();
        self.git.run("cat-file", [mode, "--buffer"], requests.into_bytes())?.or_fail("cat-file")
    }
}

/// The id git gives to these bytes as a file: by SHA-256 if ids have 64 digits in this repository, else by SHA-1. A file
/// whose id stands in the tree is unchanged, and git need not be asked.
pub fn blob_oid(bytes: &[u8], oid_len: usize) -> String {
    let head = format!("blob {}\0", bytes.len());
    if oid_len == 64 {
        hex(&Sha256::new().chain_update(head).chain_update(bytes).finalize())
    } else {
        hex(&Sha1::new().chain_update(head).chain_update(bytes).finalize())
    }
}

pub fn is_oid(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// `OID blob SIZE`; anything else is `OID missing` or an object of another kind.
fn header(line: &str) -> Option<(&str, u64)> {
    let mut fields = line.split(' ');
    let oid = fields.next().filter(|oid| is_oid(oid))?;
    (fields.next()? == "blob").then_some(())?;
    Some((oid, fields.next()?.parse().ok()?))
}

/// One answer of `cat-file --batch`, and what follows it.
struct Answer<'a> {
    /// Only blobs are asked for; one that vanished since its size was asked is not there.
    blob: Option<(&'a str, &'a [u8])>,
    rest: &'a [u8],
}

fn next_answer(reply: &[u8]) -> Option<Answer<'_>> {
    let end = reply.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(reply.get(..end)?).ok()?;
    let rest = reply.get(end + 1..)?;
    match header(line) {
        Some((oid, size)) => {
            let (bytes, rest) = rest.split_at_checked(usize::try_from(size).ok()?)?;
            Some(Answer { blob: Some((oid, bytes)), rest: rest.strip_prefix(b"\n")? })
        }
        None => line.ends_with(" missing").then_some(Answer { blob: None, rest }),
    }
}

pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
