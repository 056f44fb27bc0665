//! Screens what stands around items: their names, the names of what is left out, notes.
//!
//! Names seldom hold anything, so they are looked through together, as one text; only when something is found each is looked at alone.

use super::super::policy::{Safety, Secrets};
use super::super::redact::redact;
use super::super::report::Report;
use super::super::scan::scan;
use super::super::text_kind::TextKind;
use super::Clean;
use crate::types::{ContentHash, Item, ItemId, ItemKind, Layer, Note, Snapshot};

pub(super) fn names(snapshot: &mut Snapshot, safety: &Safety, known: &dyn Clean, report: &mut Report) {
    if safety.secrets == Secrets::Off {
        return;
    }
    let mut all = String::new();
    // The nodes of a path and the messages of a session are numbered by us.
    let is_named = |item: &&Item| item.kind != ItemKind::Layer(Layer::History);
    let items = snapshot.items.iter().filter(is_named).map(|item| &item.path);
    let left = snapshot.left_out.iter().map(|left| &left.path);
    for name in items.chain(left).chain(&snapshot.paths) {
        all.push_str(name);
        all.push('\n');
    }
    for note in &snapshot.notes {
        [note.path.as_ref(), Some(&note.text), note.hint.as_ref()].into_iter().flatten().for_each(|text| {
            all.push_str(text);
            all.push('\n');
        });
    }
    // The same project has the same names: a warm run needs no rules at all.
    let key = ContentHash::of_parts([b"names".as_slice(), all.as_bytes()]);
    if known.is_clean(&key) {
        return;
    }
    if scan(&all, TextKind::Data).is_empty() {
        known.put(key);
        return;
    }
    for (nth, item) in snapshot.items.iter_mut().enumerate() {
        if let Some(masked) = name(&item.path, safety, report) {
            // Two names may look alike now; what tells items apart must not.
            item.id = ItemId(format!("{masked}#{nth}").into());
            item.path = masked;
        }
    }
    for path in snapshot.left_out.iter_mut().map(|left| &mut left.path).chain(&mut snapshot.paths) {
        if let Some(masked) = name(path, safety, report) {
            *path = masked;
        }
    }
    notes(&mut snapshot.notes, safety);
}

/// A name without its secrets; what is found stands under the masked name.
fn name(path: &str, safety: &Safety, report: &mut Report) -> Option<String> {
    let redacted = redact(path, TextKind::Data, &|print| safety.is_allowed(print))?;
    // Under every policy it is told without the secret.
    let mut found = Report::new(safety);
    redacted.found.iter().for_each(|finding| found.add(&redacted.text, 1, finding, safety.action()));
    found.secrets.iter_mut().for_each(|secret| secret.line = 0);
    report.secrets.extend(found.secrets);
    (safety.secrets != Secrets::Warn).then_some(redacted.text)
}

/// Notes are for people and for stores: no secret stands in them under any policy.
pub(super) fn notes(notes: &mut [Note], safety: &Safety) {
    if safety.secrets == Secrets::Off {
        return;
    }
    for note in notes {
        let texts = [note.path.as_mut(), Some(&mut note.text), note.hint.as_mut()];
        for text in texts.into_iter().flatten() {
            if let Some(redacted) = redact(text, TextKind::Data, &|print| safety.is_allowed(print)) {
                *text = redacted.text;
            }
        }
    }
}
