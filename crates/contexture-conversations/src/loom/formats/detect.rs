//! Which format a file has, by what is in it.

use super::super::store::Result;
use super::super::{Fault, LoomError};
use super::members::{Member, elements, members};
use super::read::{chatgpt, contexture, loomsidian, pi, pyloom};
use super::{ImportOptions, Imported};
use crate::sessions::import::lines::Lines;
use crate::sessions::import::pi::is_line;
use crate::sessions::value::{blank, whole};
use crate::sessions::{json, ours};
use std::collections::BTreeSet;

/// How many lines may lack a sign of their format before a file is taken for something else.
const SNIFFED: usize = 64;

pub(super) fn import(bytes: &[u8], options: &ImportOptions) -> Result<Imported> {
    let start = blank(bytes, if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 });
    match whole(bytes, start) {
        Ok(end) if blank(bytes, end) == bytes.len() => {
            document(bytes, start, options).unwrap_or_else(|| Err(Fault::Format.into()))
        }
        _ if is_lines(bytes) => pi::lines(bytes, options),
        Ok(_) => Err(Fault::Format.into()),
        Err(at) if matches!(bytes.get(start), Some(b'{' | b'[')) => {
            let what = if at >= bytes.len() { "the file ends too early" } else { "this is no JSON" };
            Err(LoomError::from(Fault::Broken(what.into())).on_line(ours::Lines::new(bytes).at(at.min(bytes.len()))))
        }
        Err(_) => Err(Fault::Format.into()),
    }
}

fn document(bytes: &[u8], start: usize, options: &ImportOptions) -> Option<Result<Imported>> {
    match bytes.get(start) {
        Some(b'{') => object(bytes, start, options),
        Some(b'[') => {
            // The first elements say what the others are; a few may be odd.
            let ranges = elements(bytes, start).take(SNIFFED).filter(|element| bytes.get(element.start) == Some(&b'{'));
            for element in ranges {
                let keys = keys(bytes, element.start);
                let has = |key: &str| keys.contains(key);
                if has("mapping") {
                    return Some(chatgpt::export(bytes, start, options));
                }
                if is_pyloom_node(&keys) {
                    return Some(pyloom::list(bytes, start, options));
                }
            }
            None
        }
        _ => None,
    }
}

fn object(bytes: &[u8], start: usize, options: &ImportOptions) -> Option<Result<Imported>> {
    let found: Vec<Member> = members(bytes, start).collect();
    let keys = found.iter().map(|(key, _)| key.clone()).collect();
    let has = |key: &str| found.iter().any(|(known, _)| known == key);
    if has("contexture_loom") {
        return Some(contexture::document(bytes, start, found));
    }
    if has("mapping") {
        return Some(chatgpt::one(bytes, start, options));
    }
    let opens = |key: &str| found.iter().any(|(known, value)| known == key && bytes.get(value.start) == Some(&b'{'));
    if has("settings") && opens("state") {
        return Some(loomsidian::plugin(bytes, found, options));
    }
    if has("current") && opens("nodes") {
        return Some(loomsidian::note(bytes, found, options));
    }
    if opens("root") {
        return Some(pyloom::document(bytes, found, options));
    }
    if is_pyloom_node(&keys) {
        return Some(pyloom::node(bytes, start, options));
    }
    let line = bytes.get(start..).and_then(json::object)?;
    is_line(json::text(&line, "type")?, &line).then(|| pi::lines(bytes, options))
}

/// A node has a text, and children or something else of a node beside it.
fn is_pyloom_node(keys: &BTreeSet<String>) -> bool {
    let has = |key: &str| keys.contains(key);
    has("children") || (has("text") && ["parent_id", "parentId", "id", "meta"].iter().any(|key| has(key)))
}

fn keys(bytes: &[u8], object: usize) -> BTreeSet<String> {
    members(bytes, object).map(|(key, _)| key).collect()
}

fn is_lines(bytes: &[u8]) -> bool {
    let Ok(mut lines) = Lines::new(Box::new(bytes)) else { return false };
    (0..SNIFFED).map_while(|index| lines.peek(index).ok().flatten().map(json::object)).flatten().any(|object| {
        let kind = json::text(&object, "type");
        kind.is_some_and(|kind| is_line(kind, &object))
    })
}
