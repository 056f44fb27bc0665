//! The gate between what was read and what is made of it: a [`Snapshot`] goes in, a [`Screened`] one comes out.
//!
//! [`compile`](crate::compile) takes nothing else, so no assembler can forget it. Everything of a snapshot that can reach an output passes:
//! texts, earlier texts, messages with their calls and results, memories, skills, tools, written summaries, names, notes. What is clean
//! stays as it is, byte for byte and hash for hash; what was masked has the hash of the masked text, so that every memory of counts and
//! structures stays true.

mod body;
mod words;

use super::policy::{Safety, Secrets};
use super::report::{Action, Report};
use super::text_kind::TextKind;
use crate::types::{ContentHash, Note, Options, Snapshot};
use rayon::prelude::*;
use std::fmt;
use std::ops::Deref;

/// What is known of texts that were scanned before. Only clean ones are remembered: what has findings is scanned again.
/// The [`TextKind`] of a text is part of its key: a file that is clean as code may have findings as data.
pub trait Clean: Sync {
    /// Whether the text with this key was scanned by the same rules and nothing was found.
    fn is_clean(&self, key: &ContentHash) -> bool;
    /// Remembers that the text with this key is clean.
    fn put(&self, key: ContentHash);
}

/// Nothing is known, nothing is remembered.
pub struct Unknown;

impl Clean for Unknown {
    fn is_clean(&self, _: &ContentHash) -> bool {
        false
    }
    fn put(&self, _: ContentHash) {}
}

/// A snapshot whose texts may leave. There is no other way to one than [`screen`].
#[derive(Clone, Debug)]
pub struct Screened {
    snapshot: Snapshot,
    safety: Safety,
    report: Report,
}

impl Deref for Screened {
    type Target = Snapshot;
    fn deref(&self) -> &Snapshot {
        &self.snapshot
    }
}

/// A policy forbids to go on: what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Denied(pub Report);

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(report) = self;
        let told: Vec<String> = match report.secrets_policy == Secrets::Deny && !report.secrets.is_empty() {
            true => report.secrets.iter().map(ToString::to_string).collect(),
            false => report.hidden.iter().map(ToString::to_string).collect(),
        };
        write!(f, "{}", told.join("; "))
    }
}

/// Scans everything of a snapshot that can reach an output, and masks what the policies say. `known` spares texts that were
/// scanned before; [`Unknown`] spares none.
pub fn screen(mut snapshot: Snapshot, safety: &Safety, known: &dyn Clean) -> Screened {
    let mut report = Report::new(safety);
    if !safety.is_off() {
        words::names(&mut snapshot, safety, known, &mut report);
        let found: Vec<Report> = snapshot
            .items
            .par_iter_mut()
            .with_min_len(16)
            .map(|item| body::item(item, safety, known))
            .filter(|report| !report.is_empty())
            .collect();
        found.into_iter().for_each(|found| {
            report.secrets.extend(found.secrets);
            report.hidden.extend(found.hidden);
        });
        report.order();
        snapshot.notes.extend(report.notes());
    }
    Screened { snapshot, safety: safety.clone(), report }
}

impl Screened {
    /// What was found, and what became of it.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The snapshot, when nothing in it is forbidden.
    pub fn passed(&self) -> Result<&Snapshot, Denied> {
        if self.report.is_denied() { Err(Denied(self.report.clone())) } else { Ok(&self.snapshot) }
    }

    /// The masked snapshot and what was found. What is made of the snapshot by hand has to be screened again before it is
    /// compiled.
    pub fn into_parts(self) -> (Snapshot, Report) {
        (self.snapshot, self.report)
    }

    /// Adds what was found elsewhere of the same run, with its notes.
    pub fn with(mut self, found: Report) -> Self {
        self.snapshot.notes.extend(found.notes());
        self.report.merge(found);
        self
    }

    /// What is said beside the items: the system text and the question of a request, the task and the instructions of a document.
    pub(crate) fn options(&self, options: &Options) -> (Options, Report) {
        self.safety.options(options)
    }
}

impl Safety {
    /// One text by itself: `None` when it may leave as it is. What is found is added to the report.
    pub fn text(&self, path: &str, text: &str, kind: TextKind, report: &mut Report) -> Option<String> {
        body::Screening { path, safety: self, report }.text(1, text, kind)
    }

    /// Masks the system text and the question of a request, the task and the instructions of a document.
    pub(crate) fn options(&self, options: &Options) -> (Options, Report) {
        let mut report = Report::new(self);
        let mut options = options.clone();
        let said = [
            ("system prompt", &mut options.request.system),
            ("message", &mut options.request.message),
            ("instructions", &mut options.frame.instructions),
            ("task", &mut options.frame.task),
        ];
        for (name, text) in said {
            let masked = text.as_ref().and_then(|text| self.text(name, text, TextKind::Data, &mut report));
            *text = masked.map(Into::into).or_else(|| text.take());
        }
        report.order();
        (options, report)
    }

    /// Notes that were made elsewhere than in a snapshot. No secret stands in a note.
    pub fn notes(&self, notes: &mut [Note]) {
        words::notes(notes, self);
    }

    fn action(&self) -> Action {
        match self.secrets {
            Secrets::Redact => Action::Redacted,
            Secrets::Deny => Action::Denied,
            Secrets::Warn | Secrets::Off => Action::Shown,
        }
    }
}
