//! Screens one item: whatever its body is, every text of it.

use super::super::hidden::{Hidden, hidden, unseen};
use super::super::policy::{HiddenText, Safety, Secrets};
use super::super::redact::redact_seen;
use super::super::report::{Action, HiddenFound, Report};
use super::super::scan::{Fingerprint, scan, scan_seen};
use super::Clean;
use crate::anchor;
use crate::model::{
    Base, Body, Call, ContentHash, Image, ImageSource, Item, ItemKind, Message, Part, Text, WrittenSummary,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn item(item: &mut Item, safety: &Safety, known: &dyn Clean) -> Report {
    let mut report = Report::new(safety);
    let path = item.path.clone();
    let key = item.hash.filter(|_| safety.looks_for_all()).and_then(|hash| key(&hash, item));
    if !key.as_ref().is_some_and(|key| known.is_clean(key)) {
        body(item, &path, safety, &mut report);
        if let Some(key) = key.filter(|_| report.is_clean()) {
            known.put(key);
        }
    }
    // These are not what the hash is of.
    if let Body::Text { base: Base::Known(base), .. } = &mut item.body {
        replace(base, &format!("{path} (before)"), 1, safety, &mut report);
    }
    if let Some(written) = &item.written {
        let key = ContentHash(std::array::from_fn(|nth| written.hash.0[nth] ^ 0x5A));
        if !(safety.looks_for_all() && known.is_clean(&key)) {
            let mut found = Report::new(safety);
            let masked = text(&format!("{path} (summary)"), 1, &written.text, safety, &mut found);
            if safety.looks_for_all() && found.is_clean() {
                known.put(key);
            }
            if let Some(masked) = masked {
                let hash = ContentHash::of(&masked);
                item.written = Some(Arc::new(WrittenSummary { text: masked.into(), hash, ..(**written).clone() }));
            }
            report.merge(found);
        }
    }
    for slice in &mut item.wish.slices {
        for said in [&mut slice.tag, &mut slice.comment].into_iter().flatten() {
            if let Some(masked) = text(&format!("{path} (slice)"), 1, said, safety, &mut report) {
                *said = masked;
            }
        }
    }
    report
}

/// Under what it is remembered that an item is clean. One hash may stand for several texts: a file, and what of it is the text of a
/// skill. A body whose hash may be of something else than all that is said in it has none, and is looked at each time.
fn key(hash: &ContentHash, item: &Item) -> Option<ContentHash> {
    let kind = match (&item.body, item.kind) {
        (Body::Text { .. }, ItemKind::Layer(_)) => 1,
        (Body::Text { .. }, _) => 0,
        (Body::Message(_), _) => 2,
        (Body::Skill(_), _) => 3,
        (Body::Huge { .. }, _) => 4,
        (
            Body::Said { .. }
            | Body::Memory(_)
            | Body::Schemas(_)
            | Body::Binary { .. }
            | Body::Image { .. }
            | Body::Unread
            | Body::Failed(_),
            _,
        ) => return None,
    };
    let mut key = *hash;
    key.0[0] ^= kind;
    Some(key)
}

fn body(item: &mut Item, path: &str, safety: &Safety, report: &mut Report) {
    let hash = match &mut item.body {
        Body::Text { text: whole, .. } => {
            let original = whole.clone();
            if replace(whole, path, 1, safety, report) {
                // Where slices are is a matter of the file as it is; lines are the same in both.
                let slices = &item.wish.slices;
                item.located = (!slices.is_empty())
                    .then(|| slices.iter().map(|slice| anchor::resolve(slice, &original)).collect());
                Some(ContentHash::of(&**whole))
            } else {
                None
            }
        }
        Body::Huge { head } => {
            replace(head, path, 1, safety, report);
            None
        }
        Body::Said { role, content } => {
            let is_other = replace_string(role.as_mut(), path, safety, report);
            let is_other = replace(content, path, 1, safety, report) || is_other;
            is_other.then(|| Item::said_hash(role.as_deref(), content))
        }
        Body::Message(said) => message(said, path, safety, report).map(|masked| {
            let hash = masked.hash();
            *said = Arc::new(masked);
            hash
        }),
        Body::Memory(memory) => {
            let mut masked = (**memory).clone();
            let first = masked.line as u64;
            let mut changed = text(path, first, &masked.text, safety, report).map(|text| masked.text = text).is_some();
            let trail: Option<Vec<String>> = {
                let parts: Vec<Option<String>> =
                    masked.trail.iter().map(|part| text(path, first, part, safety, report)).collect();
                let is_changed = parts.iter().any(Option::is_some);
                is_changed.then(|| {
                    parts
                        .into_iter()
                        .zip(masked.trail.iter())
                        .map(|(new, old)| new.unwrap_or_else(|| old.clone()))
                        .collect()
                })
            };
            if let Some(trail) = trail {
                (masked.trail, changed) = (trail.into(), true);
            }
            if changed {
                *memory = Arc::new(masked);
            }
            None
        }
        Body::Skill(skill) => {
            let mut masked = (**skill).clone();
            let mut changed = false;
            for said in [&mut masked.name, &mut masked.description] {
                changed |= replace_string(Some(said), path, safety, report);
            }
            changed |= replace(&mut masked.body, path, 1, safety, report);
            changed.then(|| {
                let hash = ContentHash::of_parts([
                    masked.name.as_bytes(),
                    masked.description.as_bytes(),
                    masked.body.as_bytes(),
                ]);
                *skill = Arc::new(masked);
                hash
            })
        }
        Body::Schemas(schemas) => {
            let mut masked = schemas.to_vec();
            let mut changed = false;
            for schema in &mut masked {
                changed |= replace_string(Some(&mut schema.description), path, safety, report);
                changed |= replace_json(&mut schema.parameters, path, safety, report);
            }
            if changed {
                *schemas = masked.into();
            }
            None
        }
        Body::Binary { .. } | Body::Image { .. } | Body::Unread | Body::Failed(_) => None,
    };
    if let (Some(hash), true) = (hash, item.hash.is_some()) {
        item.hash = Some(hash);
    }
}

/// A message without its secrets; `None` when it has none. What is sealed goes back to its provider byte for byte, so it is only told.
fn message(said: &Message, path: &str, safety: &Safety, report: &mut Report) -> Option<Message> {
    // Nearly all are clean, and there may be a million of them.
    let urls = said.parts.iter().filter_map(|part| match part {
        Part::Image(Image { source: ImageSource::Url(url), .. }) if !url.starts_with("data:") => Some(url.as_str()),
        Part::Image(_) | Part::Text(_) => None,
    });
    let calls = said.calls.iter().map(|call| &*call.arguments);
    let thoughts = said.thoughts.iter().map(|thought| &*thought.text);
    if !said.texts().chain(urls).chain(calls).chain(thoughts).any(|text| is_dirty(text, safety)) {
        return None;
    }
    let mut masked = said.clone();
    let mut changed = false;
    for part in &mut masked.parts {
        match part {
            Part::Text(text) => changed |= replace(text, path, 1, safety, report),
            Part::Image(image) => {
                if let ImageSource::Url(url) = &mut image.source
                    && !url.starts_with("data:")
                {
                    changed |= replace_string(Some(url), path, safety, report);
                }
            }
        }
    }
    for Call { arguments, .. } in &mut masked.calls {
        changed |= replace_json(arguments, path, safety, report);
    }
    for thought in &mut masked.thoughts {
        if thought.seal.is_empty() {
            changed |= replace(&mut thought.text, path, 1, safety, report);
            continue;
        }
        if safety.secrets == Secrets::Off {
            continue;
        }
        report.has_seen |= !scan(&thought.text).is_empty();
        let action = if safety.secrets == Secrets::Deny { Action::Denied } else { Action::Sealed };
        for finding in scan(&thought.text).iter().filter(|finding| !safety.is_allowed(&finding.fingerprint)) {
            report.add(path, 1, finding, action);
        }
    }
    changed.then_some(masked)
}

fn is_dirty(text: &str, safety: &Safety) -> bool {
    let unseen = unseen(text);
    (safety.hidden != HiddenText::Off && !unseen.found.is_empty())
        || (safety.secrets != Secrets::Off && !scan_seen(text, unseen.splits).is_empty())
}

/// The text as it may leave; `None` when that is as it is.
pub(super) fn text(path: &str, first_line: u64, text: &str, safety: &Safety, report: &mut Report) -> Option<String> {
    let first = unseen(text);
    let masked = without_secrets(path, first_line, text, first.splits, safety, report);
    if safety.hidden == HiddenText::Off || first.found.is_empty() {
        return masked;
    }
    let shown = masked.as_deref().unwrap_or(text);
    // What stood inside of a secret is gone with it.
    let left = if masked.is_some() { hidden(shown) } else { first.found };
    tell(path, first_line, &left, report);
    let how = match safety.hidden {
        HiddenText::Strip | HiddenText::Escape if !left.is_empty() => safety.hidden,
        _ => return masked,
    };
    let written = rewritten(shown, &left, how);
    // What is written out or closes up is a new text, and no text leaves that was not looked at.
    let mut again = Report::new(safety);
    let splits = unseen(&written).splits;
    let masked = without_secrets(path, first_line, &written, splits, safety, &mut again);
    report.has_seen |= again.has_seen;
    // What is only told is found both times and told once.
    report.merge(again);
    Some(masked.unwrap_or(written))
}

/// The text with its secrets masked, when that is the policy; what is found is told.
fn without_secrets(
    path: &str,
    first_line: u64,
    text: &str,
    splits: bool,
    safety: &Safety,
    report: &mut Report,
) -> Option<String> {
    match safety.secrets {
        Secrets::Off => None,
        Secrets::Redact => {
            let seen = Cell::new(false);
            let is_allowed = |print: &Fingerprint| {
                seen.set(true);
                safety.is_allowed(print)
            };
            let redacted = redact_seen(text, splits, &is_allowed);
            report.has_seen |= seen.get();
            redacted.map(|redacted| {
                redacted.found.iter().for_each(|finding| report.add(path, first_line, finding, Action::Redacted));
                redacted.text
            })
        }
        Secrets::Warn | Secrets::Deny => {
            let found = scan_seen(text, splits);
            report.has_seen |= !found.is_empty();
            let found = found.iter().filter(|finding| !safety.is_allowed(&finding.fingerprint));
            found.for_each(|finding| report.add(path, first_line, finding, safety.action()));
            None
        }
    }
}

/// So many lines of one text are told one by one; the rest together.
const LINES: usize = 100;

fn tell(path: &str, first_line: u64, unseen: &[Hidden], report: &mut Report) {
    let rows = unseen.chunk_by(|a, b| a.line == b.line);
    let at = report.hidden.len();
    for row in rows {
        let codes: BTreeSet<char> = row.iter().map(|hidden| hidden.code).collect();
        let line = first_line + row.first().map_or(1, |hidden| hidden.line) - 1;
        match report.hidden.get_mut(at + LINES) {
            Some(last) => {
                let all: BTreeSet<char> = last.code_points.iter().copied().chain(codes).collect();
                last.code_points = all.into_iter().collect();
                last.count += row.len() as u64;
            }
            None => {
                let code_points = codes.into_iter().collect();
                report.hidden.push(HiddenFound { path: path.to_owned(), line, code_points, count: row.len() as u64 });
            }
        }
    }
}

fn rewritten(text: &str, unseen: &[Hidden], how: HiddenText) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for hidden in unseen {
        let range = hidden.range();
        out.push_str(&text[at..range.start]);
        if how == HiddenText::Escape {
            out.push_str(&format!("<U+{:04X}>", hidden.code as u32));
        }
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

fn replace(said: &mut Text, path: &str, first_line: u64, safety: &Safety, report: &mut Report) -> bool {
    let masked = text(path, first_line, said, safety, report);
    let changed = masked.is_some();
    if let Some(masked) = masked {
        *said = masked.into();
    }
    changed
}

fn replace_string(said: Option<&mut String>, path: &str, safety: &Safety, report: &mut Report) -> bool {
    let Some(said) = said else { return false };
    let masked = text(path, 1, said, safety, report);
    let changed = masked.is_some();
    if let Some(masked) = masked {
        *said = masked;
    }
    changed
}

/// JSON stays JSON: where masking its text breaks it, its strings are masked one by one.
fn replace_json(said: &mut Text, path: &str, safety: &Safety, report: &mut Report) -> bool {
    let before = said.clone();
    if !replace(said, path, 1, safety, report) {
        return false;
    }
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text);
    if parse(said).is_ok() {
        return true;
    }
    if let Ok(mut value) = parse(&before) {
        strings(&mut value, &mut |text_of| text(path, 1, text_of, safety, report));
        // A secret that only its key gives away is gone with its whole string.
        let again = value.to_string();
        let masked = text(path, 1, &again, safety, report).filter(|masked| parse(masked).is_ok());
        *said = masked.unwrap_or_else(|| if scan(&again).is_empty() { again } else { "{}".into() }).into();
    }
    true
}

/// Every string of a value, deep ones last; no recursion, as depth is the caller's.
pub(super) fn strings(value: &mut serde_json::Value, masked: &mut dyn FnMut(&str) -> Option<String>) {
    use serde_json::Value;
    let mut due = vec![value];
    while let Some(value) = due.pop() {
        match value {
            Value::String(text) => {
                if let Some(new) = masked(text) {
                    *text = new;
                }
            }
            Value::Array(values) => due.extend(values),
            Value::Object(members) => due.extend(members.iter_mut().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
