//! Puts markers in place of values. The number of lines stays, and what was masked once is found clean.

use super::hidden::{VisibleText, hidden_characters};
use super::scan::{Finding, Fingerprint, Severity, scan, scan_seen};
use super::text_kind::TextKind;
use memchr::memmem;
use std::borrow::Cow;
use std::ops::Range;

/// A text without its secrets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redacted {
    pub text: String,
    /// What was masked, in order. Ranges are those of the text that was given, as far as it was found there at once.
    pub found: Vec<Finding>,
}

/// A secret that is shorter may be a word elsewhere: only where it was found it is masked.
const AGAIN: usize = 12;
/// What a marker uncovers is masked in turn; more often than this it was never seen to happen.
const ROUNDS: usize = 4;

/// `None`: there is nothing to mask. `is_allowed` says which secrets stay.
pub fn redact(text: &str, kind: TextKind, is_allowed: &dyn Fn(&Fingerprint) -> bool) -> Option<Redacted> {
    redact_seen(text, kind, hidden_characters(text).splits, is_allowed)
}

/// The same by whoever knows already whether something unseen may stand inside of words.
pub(super) fn redact_seen(
    text: &str,
    kind: TextKind,
    splits: bool,
    is_allowed: &dyn Fn(&Fingerprint) -> bool,
) -> Option<Redacted> {
    let mut found = scan_seen(text, kind, splits);
    found.retain(|finding| !is_allowed(&finding.fingerprint));
    if found.is_empty() {
        return None;
    }
    let mut masked = mask(text, &everywhere(text, kind, &found));
    for _ in 1..ROUNDS {
        let mut more = scan(&masked, kind);
        more.retain(|finding| !is_allowed(&finding.fingerprint));
        if more.is_empty() {
            break;
        }
        masked = mask(&masked, &everywhere(&masked, kind, &more));
        found.extend(more);
    }
    found.sort_by_key(|finding| finding.line);
    Some(Redacted { text: masked, found })
}

/// The places of the findings, and every other place where one of their values stands again. In code only severe findings
/// are certain enough to be masked elsewhere.
fn everywhere(text: &str, kind: TextKind, found: &[Finding]) -> Vec<(Range<usize>, &'static str)> {
    let mut places: Vec<(Range<usize>, &'static str)> =
        found.iter().map(|finding| (finding.range.clone(), finding.rule)).collect();
    // As they are seen: a value may stand whole in one place and cut in another.
    let seen = VisibleText::of(text);
    let is_sure = |finding: &&Finding| kind == TextKind::Data || finding.severity >= Severity::High;
    let mut values: Vec<(Cow<'_, str>, &'static str)> = found
        .iter()
        .filter(is_sure)
        .map(|finding| (VisibleText::of(&text[finding.range.clone()]).text, finding.rule))
        .collect();
    values.sort_unstable();
    values.dedup_by(|(a, _), (b, _)| a == b);
    // Many different secrets are a file of secrets: each stands there once.
    for (value, rule) in values.into_iter().filter(|(value, _)| value.len() >= AGAIN && !value.contains('\n')).take(64)
    {
        let again = memmem::find_iter(seen.text.as_bytes(), value.as_bytes());
        places.extend(again.map(|at| (seen.back(at..at + value.len()), rule)));
    }
    places.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut last = 0;
    places.retain(|(range, _)| {
        let is_free = range.start >= last;
        last = if is_free { range.end } else { last };
        is_free
    });
    places
}

fn mask(text: &str, places: &[(Range<usize>, &'static str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, rule) in places {
        out.push_str(&text[at..range.start]);
        replace(&mut out, text, range, rule);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The marker on the first line and the last, and all line ends of what it stands for. In a diff every line keeps its sign.
fn replace(out: &mut String, text: &str, range: &Range<usize>, rule: &str) {
    let value = &text[range.clone()];
    let marker = format!("[REDACTED:{rule}]");
    if !value.contains(['\n', '\r']) {
        out.push_str(&marker);
        return;
    }
    let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let is_diff = text[line_start..].starts_with(['+', '-', ' ']) && !text[line_start..].starts_with("-----");
    let mut is_stated = false;
    for (nth, line) in value.split_inclusive(['\n', '\r']).enumerate() {
        let ends = line.len() - line.trim_end_matches(['\n', '\r']).len();
        let (inside, end) = line.split_at(line.len() - ends);
        // What is before a value on its own line, and is no part of it: blanks, and the sign of a diff.
        let sign = usize::from(nth > 0 && is_diff && inside.starts_with(['+', '-', ' ']));
        let blank = inside[sign..].len() - inside[sign..].trim_start_matches([' ', '\t']).len();
        out.push_str(&inside[..sign + blank]);
        // The last line as well: were it empty at the end of a file, it would be none.
        if (!is_stated || end.is_empty()) && inside.len() > sign + blank {
            out.push_str(&marker);
            is_stated = true;
        }
        out.push_str(end);
    }
}
