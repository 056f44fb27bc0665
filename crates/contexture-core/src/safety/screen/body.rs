//! Screens one item: whatever its body is, every text of it.

use super::super::hidden::{HiddenCharacter, hidden, hidden_characters};
use super::super::policy::{HiddenText, Safety, Secrets};
use super::super::redact::redact_seen;
use super::super::report::{Action, HiddenMatch, Report};
use super::super::scan::{Finding, Fingerprint, scan, scan_seen};
use super::super::text_kind::TextKind;
use super::Clean;
use crate::anchor;
use crate::types::{
    Base, Body, Call, ContentHash, Image, ImageSource, Item, ItemKind, Message, MessagePart, Text, WrittenSummary,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn item(item: &mut Item, safety: &Safety, known: &dyn Clean) -> Report {
    let mut report = Report::new(safety);
    let path = item.path.clone();
    let kind = text_kind(item);
    let key = item.hash.filter(|_| safety.looks_for_all()).and_then(|hash| key(&hash, item, kind));
    if !key.as_ref().is_some_and(|key| known.is_clean(key)) {
        Screening { path: &path, safety, report: &mut report }.body(item, kind);
        if let Some(key) = key.filter(|_| report.is_clean()) {
            known.put(key);
        }
    }
    // These are not what the hash is of.
    if let Body::Text { base: Base::Known(base), .. } = &mut item.body {
        Screening { path: &format!("{path} (before)"), safety, report: &mut report }.replace(base, kind);
    }
    if let Some(written) = &item.written {
        let key = ContentHash(std::array::from_fn(|nth| written.hash.0[nth] ^ 0x5A));
        if !(safety.looks_for_all() && known.is_clean(&key)) {
            let mut found = Report::new(safety);
            let mut screening = Screening { path: &format!("{path} (summary)"), safety, report: &mut found };
            let masked = screening.text(1, &written.text, TextKind::Data);
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
    let mut screening = Screening { path: &format!("{path} (slice)"), safety, report: &mut report };
    for slice in &mut item.wish.slices {
        for said in [&mut slice.tag, &mut slice.comment].into_iter().flatten() {
            screening.replace_string(said);
        }
    }
    report
}

/// Files are scanned by what their paths say they are; whatever else an item holds is data.
fn text_kind(item: &Item) -> TextKind {
    match (&item.body, item.kind) {
        (Body::Text { text, .. } | Body::Huge { head: text }, ItemKind::File | ItemKind::Retrieved) => {
            TextKind::of_file(&item.path, text)
        }
        _ => TextKind::Data,
    }
}

/// Under what it is remembered that an item is clean. One hash may stand for several texts: a file, and what of it is the text of a
/// skill. The same bytes may be code under one path and data under another, and are then scanned by other rules. A body whose
/// hash may be of something else than all that is said in it has none, and is looked at each time.
fn key(hash: &ContentHash, item: &Item, kind: TextKind) -> Option<ContentHash> {
    let body = match &item.body {
        Body::Text { .. } if matches!(item.kind, ItemKind::Layer(_)) => 1,
        Body::Text { .. } => 0,
        Body::Message(_) => 2,
        Body::Skill(_) => 3,
        Body::Huge { .. } => 4,
        Body::Said { .. } | Body::Memory(_) | Body::Schemas(_) | Body::Binary { .. } => return None,
        Body::Image { .. } | Body::Unread | Body::Failed(_) => return None,
    };
    let mut key = *hash;
    key.0[0] ^= body;
    key.0[1] ^= match kind {
        TextKind::Data => 0,
        TextKind::Code => 1,
    };
    Some(key)
}

/// Screens texts that are told under one path.
pub(super) struct Screening<'a> {
    pub path: &'a str,
    pub safety: &'a Safety,
    pub report: &'a mut Report,
}

impl Screening<'_> {
    fn body(&mut self, item: &mut Item, kind: TextKind) {
        let hash = match &mut item.body {
            Body::Text { text: whole, .. } => {
                let original = whole.clone();
                self.replace(whole, kind).then(|| {
                    // Where slices are is a matter of the file as it is; lines are the same in both.
                    let slices = &item.wish.slices;
                    item.located = (!slices.is_empty())
                        .then(|| slices.iter().map(|slice| anchor::resolve(slice, &original)).collect());
                    ContentHash::of(&**whole)
                })
            }
            Body::Huge { head } => {
                self.replace(head, kind);
                None
            }
            Body::Said { role, content } => {
                let is_other = role.as_mut().is_some_and(|role| self.replace_string(role));
                let is_other = self.replace(content, TextKind::Data) || is_other;
                is_other.then(|| Item::said_hash(role.as_deref(), content))
            }
            Body::Message(said) => self.message(said).map(|masked| {
                let hash = masked.hash();
                *said = Arc::new(masked);
                hash
            }),
            Body::Memory(memory) => {
                let mut masked = (**memory).clone();
                let (first, mut trail) = (masked.line as u64, masked.trail.to_vec());
                let mut changed = false;
                for said in [&mut masked.text].into_iter().chain(&mut trail) {
                    changed |= self.replace_string_from(first, said);
                }
                if changed {
                    masked.trail = trail.into();
                    *memory = Arc::new(masked);
                }
                None
            }
            Body::Skill(skill) => {
                let mut masked = (**skill).clone();
                let mut changed = false;
                for said in [&mut masked.name, &mut masked.description] {
                    changed |= self.replace_string(said);
                }
                changed |= self.replace(&mut masked.body, TextKind::Data);
                changed.then(|| {
                    let parts = [masked.name.as_bytes(), masked.description.as_bytes(), masked.body.as_bytes()];
                    let hash = ContentHash::of_parts(parts);
                    *skill = Arc::new(masked);
                    hash
                })
            }
            Body::Schemas(schemas) => {
                let mut masked = schemas.to_vec();
                let mut changed = false;
                for schema in &mut masked {
                    changed |= self.replace_string(&mut schema.description);
                    changed |= self.replace_json(&mut schema.parameters);
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
    fn message(&mut self, said: &Message) -> Option<Message> {
        let safety = self.safety;
        // Nearly all are clean, and there may be a million of them.
        let urls = said.parts.iter().filter_map(|part| match part {
            MessagePart::Image(Image { source: ImageSource::Url(url), .. }) if !url.starts_with("data:") => {
                Some(url.as_str())
            }
            MessagePart::Image(_) | MessagePart::Text(_) => None,
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
                MessagePart::Text(text) => changed |= self.replace(text, TextKind::Data),
                MessagePart::Image(image) => {
                    if let ImageSource::Url(url) = &mut image.source
                        && !url.starts_with("data:")
                    {
                        changed |= self.replace_string(url);
                    }
                }
            }
        }
        for Call { arguments, .. } in &mut masked.calls {
            changed |= self.replace_json(arguments);
        }
        for thought in &mut masked.thoughts {
            if thought.seal.is_empty() {
                changed |= self.replace(&mut thought.text, TextKind::Data);
            } else if safety.secrets != Secrets::Off {
                let action = if safety.secrets == Secrets::Deny { Action::Denied } else { Action::Sealed };
                self.tell_secrets(1, &scan(&thought.text, TextKind::Data), action);
            }
        }
        changed.then_some(masked)
    }

    /// Tells of secrets that stay, but for those that are allowed.
    fn tell_secrets(&mut self, first_line: u64, found: &[Finding], action: Action) {
        self.report.has_seen |= !found.is_empty();
        for finding in found.iter().filter(|finding| !self.safety.is_allowed(&finding.fingerprint)) {
            self.report.add(self.path, first_line, finding, action);
        }
    }

    /// The text as it may leave; `None` when that is as it is.
    pub fn text(&mut self, first_line: u64, text: &str, kind: TextKind) -> Option<String> {
        let first = hidden_characters(text);
        let masked = self.without_secrets(first_line, text, kind, first.splits);
        if self.safety.hidden == HiddenText::Off || first.found.is_empty() {
            return masked;
        }
        let shown = masked.as_deref().unwrap_or(text);
        // What stood inside of a secret is gone with it.
        let left = if masked.is_some() { hidden(shown) } else { first.found };
        tell(self.path, first_line, &left, self.report);
        let how = match self.safety.hidden {
            HiddenText::Strip | HiddenText::Escape if !left.is_empty() => self.safety.hidden,
            _ => return masked,
        };
        let written = rewritten(shown, &left, how);
        // What is written out or closes up is a new text, and no text leaves that was not looked at.
        let mut again = Report::new(self.safety);
        let splits = hidden_characters(&written).splits;
        let masked = Screening { report: &mut again, ..*self }.without_secrets(first_line, &written, kind, splits);
        self.report.has_seen |= again.has_seen;
        // What is only told is found both times and told once.
        self.report.merge(again);
        Some(masked.unwrap_or(written))
    }

    /// The text with its secrets masked, when that is the policy; what is found is told.
    fn without_secrets(&mut self, first_line: u64, text: &str, kind: TextKind, splits: bool) -> Option<String> {
        match self.safety.secrets {
            Secrets::Off => None,
            Secrets::Redact => {
                let seen = Cell::new(false);
                let is_allowed = |print: &Fingerprint| {
                    seen.set(true);
                    self.safety.is_allowed(print)
                };
                let redacted = redact_seen(text, kind, splits, &is_allowed);
                self.report.has_seen |= seen.get();
                let redacted = redacted?;
                for finding in &redacted.found {
                    self.report.add(self.path, first_line, finding, Action::Redacted);
                }
                Some(redacted.text)
            }
            Secrets::Warn | Secrets::Deny => {
                self.tell_secrets(first_line, &scan_seen(text, kind, splits), self.safety.action());
                None
            }
        }
    }

    fn replace(&mut self, said: &mut Text, kind: TextKind) -> bool {
        self.text(1, said, kind).map(|masked| *said = masked.into()).is_some()
    }

    fn replace_string(&mut self, said: &mut String) -> bool {
        self.replace_string_from(1, said)
    }

    fn replace_string_from(&mut self, first_line: u64, said: &mut String) -> bool {
        self.text(first_line, said, TextKind::Data).map(|masked| *said = masked).is_some()
    }

    /// JSON stays JSON: where masking its text breaks it, its strings are masked one by one.
    fn replace_json(&mut self, said: &mut Text) -> bool {
        let before = said.clone();
        if !self.replace(said, TextKind::Data) {
            return false;
        }
        let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text);
        if parse(said).is_ok() {
            return true;
        }
        if let Ok(mut value) = parse(&before) {
            self.strings(&mut value);
            // A secret that only its key gives away is gone with its whole string.
            let again = value.to_string();
            let masked = self.text(1, &again, TextKind::Data).filter(|masked| parse(masked).is_ok());
            let is_clean = || scan(&again, TextKind::Data).is_empty();
            *said = masked.unwrap_or_else(|| if is_clean() { again.clone() } else { "{}".into() }).into();
        }
        true
    }

    /// Masks every string of a value, deep ones last; no recursion, as depth is the caller's.
    fn strings(&mut self, value: &mut serde_json::Value) {
        use serde_json::Value;
        let mut due = vec![value];
        while let Some(value) = due.pop() {
            match value {
                Value::String(text) => {
                    self.replace_string(text);
                }
                Value::Array(values) => due.extend(values),
                Value::Object(members) => due.extend(members.iter_mut().map(|(_, value)| value)),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
    }
}

fn is_dirty(text: &str, safety: &Safety) -> bool {
    let unseen = hidden_characters(text);
    (safety.hidden != HiddenText::Off && !unseen.found.is_empty())
        || (safety.secrets != Secrets::Off && !scan_seen(text, TextKind::Data, unseen.splits).is_empty())
}

/// So many lines of one text are told one by one; the rest together.
const LINES: usize = 100;

fn tell(path: &str, first_line: u64, unseen: &[HiddenCharacter], report: &mut Report) {
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
                report.hidden.push(HiddenMatch { path: path.to_owned(), line, code_points, count: row.len() as u64 });
            }
        }
    }
}

fn rewritten(text: &str, unseen: &[HiddenCharacter], how: HiddenText) -> String {
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
