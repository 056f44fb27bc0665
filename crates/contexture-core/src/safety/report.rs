//! What was found in a run, where, and what became of it. No part of a secret is in it.

use super::policy::{HiddenText, Safety, Secrets};
use super::scan::{Finding, Fingerprint, Severity};
use crate::keywords;
use crate::types::{Note, Topic, printable};
use std::collections::BTreeSet;
use std::fmt;

/// Everything that was found in a run, and the policies it was judged by.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    pub secrets_policy: Secrets,
    pub hidden_policy: HiddenText,
    /// By path and line.
    pub secrets: Vec<SecretMatch>,
    pub hidden: Vec<HiddenMatch>,
    /// Something was found, though it may be allowed: what is allowed today may not be tomorrow.
    pub(super) has_seen: bool,
}

/// A secret, known by its place, its rule and its fingerprint.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SecretMatch {
    pub path: String,
    /// Counted from 1; of a name, 0.
    pub line: u64,
    pub rule: &'static str,
    pub fingerprint: Fingerprint,
    pub severity: Severity,
    pub action: Action,
}

/// What became of a secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    Redacted,
    Shown,
    /// Shown, because it is part of what a provider takes back unchanged or not at all.
    Sealed,
    Denied,
}

keywords!(Action { Redacted = "redacted", Shown = "shown", Sealed = "sealed", Denied = "denied" });

/// Invisible characters of one line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HiddenMatch {
    pub path: String,
    /// Counted from 1; of a name, 0.
    pub line: u64,
    /// Each once, sorted.
    pub code_points: Vec<char>,
    pub count: u64,
}

impl fmt::Display for SecretMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, rule, fingerprint, .. } = self;
        let path = printable(path);
        match line {
            0 => write!(f, "{path}: {rule} in its name, fingerprint {fingerprint}"),
            line => write!(f, "{path}:{line}: {rule}, fingerprint {fingerprint}"),
        }
    }
}

impl fmt::Display for HiddenMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, count, .. } = self;
        let characters = if *count == 1 { "character" } else { "characters" };
        write!(f, "{}:{line}: {count} invisible {characters}: {}", printable(path), self.named())
    }
}

impl HiddenMatch {
    /// `U+202E, U+2066`.
    pub fn named(&self) -> String {
        let named: Vec<String> =
            self.code_points.iter().take(SOME).map(|code| format!("U+{:04X}", *code as u32)).collect();
        let more = if self.code_points.len() > SOME { ", …" } else { "" };
        format!("{}{more}", named.join(", "))
    }
}

impl Report {
    /// An empty report under these policies.
    pub fn new(safety: &Safety) -> Self {
        Self { secrets_policy: safety.secrets, hidden_policy: safety.hidden, ..Self::default() }
    }

    /// Whether nothing was found that has to be told.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty() && self.hidden.is_empty()
    }

    /// Whether there was nothing to find, whatever is allowed.
    pub(super) fn is_clean(&self) -> bool {
        self.is_empty() && !self.has_seen
    }

    /// Whether a policy forbids to go on.
    pub fn is_denied(&self) -> bool {
        (self.secrets_policy == Secrets::Deny && self.secrets.iter().any(|found| found.action == Action::Denied))
            || (self.hidden_policy == HiddenText::Deny && !self.hidden.is_empty())
    }

    /// How many hidden characters were found, in all places together.
    pub fn hidden_count(&self) -> u64 {
        self.hidden.iter().map(|found| found.count).sum()
    }

    pub(super) fn add(&mut self, path: &str, first_line: u64, finding: &Finding, action: Action) {
        self.secrets.push(SecretMatch {
            path: path.to_owned(),
            line: first_line + finding.line - 1,
            rule: finding.rule,
            fingerprint: finding.fingerprint,
            severity: finding.severity,
            action,
        });
    }

    /// Adds what another report found; what both found is told once. The policies stay.
    pub fn merge(&mut self, other: Self) {
        self.secrets.extend(other.secrets);
        self.hidden.extend(other.hidden);
        self.order();
    }

    pub(super) fn order(&mut self) {
        self.secrets.sort();
        self.secrets.dedup();
        self.hidden.sort();
        self.hidden.dedup();
    }

    /// One note for each place: what, where, why, and one thing to do.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        for found in self.secrets.chunk_by(|a, b| a.path == b.path) {
            let done = |action: Action| found.iter().filter(|found| found.action == action).collect::<Vec<_>>();
            for action in [Action::Redacted, Action::Shown, Action::Sealed, Action::Denied] {
                let some = done(action);
                let Some(first) = some.first() else { continue };
                let (is, hint) = match action {
                    Action::Redacted => (
                        "masked",
                        "`contexture scan` lists fingerprints; `safety.allow` in your settings lets one through",
                    ),
                    Action::Shown => ("shown", "`--secrets redact` masks it"),
                    Action::Sealed => (
                        "shown, because a provider takes thoughts back unchanged or not at all",
                        "start a new session without it",
                    ),
                    Action::Denied => {
                        ("not let out", "`safety.allow` in your settings lets one through by its fingerprint")
                    }
                };
                notes.push(
                    Note::new(Topic::Secret, format!("{} {is}: {}", secrets(some.len()), listed(&some)))
                        .at(&first.path)
                        .hint(hint),
                );
            }
        }
        for found in self.hidden.chunk_by(|a, b| a.path == b.path) {
            let Some(first) = found.first() else { continue };
            let codes: BTreeSet<char> = found.iter().flat_map(|found| found.code_points.iter().copied()).collect();
            let count = found.iter().map(|found| found.count).sum();
            let all = HiddenMatch { code_points: codes.into_iter().collect(), count, ..first.clone() };
            let characters = if count == 1 { "character" } else { "characters" };
            let is = match self.hidden_policy {
                HiddenText::Warn | HiddenText::Off => "shown",
                HiddenText::Strip => "taken out",
                HiddenText::Escape => "written out",
                HiddenText::Deny => "not let out",
            };
            let line = first.line;
            let text = format!("{count} invisible {characters} {is}, first on line {line}: {}", all.named());
            let hint = match self.hidden_policy {
                HiddenText::Warn | HiddenText::Off | HiddenText::Deny => {
                    "look at it with `contexture scan`; `safety.hidden_text = \"escape\"` writes it out"
                }
                HiddenText::Strip | HiddenText::Escape => "`contexture scan` lists every line",
            };
            notes.push(Note::new(Topic::Hidden, text).at(&first.path).hint(hint));
        }
        notes
    }
}

/// How many are told in one note.
const SOME: usize = 5;

fn secrets(count: usize) -> String {
    if count == 1 { "a possible secret is".into() } else { format!("{count} possible secrets are") }
}

fn listed(found: &[&SecretMatch]) -> String {
    let one = |found: &&SecretMatch| match found.line {
        0 => format!("{} in its name", found.rule),
        line => format!("{} on line {line}", found.rule),
    };
    let mut told: Vec<String> = found.iter().take(SOME).map(one).collect();
    if found.len() > SOME {
        told.push(format!("and {} more", found.len() - SOME));
    }
    told.join(", ")
}
