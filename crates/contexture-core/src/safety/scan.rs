//! The one pass over a text: telling words by an automaton, and what they lead to.

use super::hidden::{VisibleText, hidden_characters};
use super::names::Name;
use super::rules::{Lead, Rules, Word};
use super::text_kind::TextKind;
use super::walk::hits;
use super::{assignment, block, calls, table};
use crate::keywords;
use sha2::{Digest, Sha256};
use std::fmt;
use std::ops::Range;

/// How bad it would be if it left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

keywords!(Severity { Low = "low", Medium = "medium", High = "high", Critical = "critical" });

/// What a secret is known by: the same wherever it stands, by whichever rule it is found. It cannot be turned back, though a short
/// password can be guessed from it as from any hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint([u8; 8]);

impl Fingerprint {
    /// What a secret is known by. Whoever has the fingerprint alone cannot get the secret from it, but can recognise a guess.
    pub fn of(secret: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(b"contexture secret\0");
        hasher.update(secret.as_bytes());
        let hash: [u8; 32] = hasher.finalize().into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        Self([a, b, c, d, e, f, g, h])
    }

    /// From 16 hexadecimal digits.
    pub fn parse(word: &str) -> Option<Self> {
        let number = u64::from_str_radix(word, 16).ok()?;
        (word.len() == 16 && !word.starts_with('+')).then(|| Self(number.to_be_bytes()))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A secret in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub rule: &'static str,
    /// The bytes of the value.
    pub range: Range<usize>,
    /// Where it begins, counted from 1.
    pub line: u64,
    pub severity: Severity,
    pub fingerprint: Fingerprint,
}

/// The secrets of a text, in order; no two overlap. A secret that is cut by invisible characters is one, too.
pub fn scan(text: &str, kind: TextKind) -> Vec<Finding> {
    scan_seen(text, kind, hidden_characters(text).splits)
}

/// The same by whoever knows already whether something unseen may stand inside of words.
pub(super) fn scan_seen(text: &str, kind: TextKind, splits: bool) -> Vec<Finding> {
    let mut found = SecretSpots { text, kind, spots: spots(text, kind), tables: 0, objects: 0 };
    if splits {
        // Both as it is and as it is seen: an invisible character may cut a token, and may set one apart from the word before it.
        let seen = VisibleText::of(text);
        let cut = spots(&seen.text, kind);
        found.spots.extend(cut.into_iter().map(|spot| Spot { range: seen.back(spot.range), ..spot }));
    }
    found.finish(splits)
}

fn spots(text: &str, kind: TextKind) -> Vec<Spot> {
    let mut found = SecretSpots { text, kind, spots: Vec::new(), tables: 0, objects: 0 };
    let rules = Rules::get();
    for (word, end) in hits(&rules.words, text.as_bytes()) {
        let Some(word) = rules.meant.get(word) else { continue };
        found.look(rules, *word, end - word.text.len()..end);
    }
    found.spots
}

/// What a word led to: whoever has a shape of its own is surer than whoever has a name only.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Spot {
    range: Range<usize>,
    rule: &'static str,
    severity: Severity,
    is_shaped: bool,
}

fn is_address(spot: &Spot) -> bool {
    spot.rule.ends_with("-connection-uri") || spot.rule == "url-credentials"
}

fn named_spot(name: Name, range: Range<usize>) -> Spot {
    Spot { range, rule: name.id(), severity: Severity::Medium, is_shaped: false }
}

fn key(range: Range<usize>) -> Spot {
    Spot { range, rule: "private-key", severity: Severity::Critical, is_shaped: true }
}

struct SecretSpots<'a> {
    text: &'a str,
    kind: TextKind,
    spots: Vec<Spot>,
    /// How far tables were looked for.
    tables: usize,
    /// How far keys as JSON were.
    objects: usize,
}

impl SecretSpots<'_> {
    fn look(&mut self, rules: &Rules, word: Word, hit: Range<usize>) {
        if word.is_exact && self.text.as_bytes().get(hit.clone()) != Some(word.text.as_bytes()) {
            return;
        }
        match word.leads_to {
            Lead::Rule(nth) => {
                let Some(rule) = rules.rules.get(nth) else { return };
                if self.is_inside(rule.id, hit.start) {
                    return;
                }
                let spots = &mut self.spots;
                rule.find(self.text, hit, |range| {
                    spots.push(Spot { range, rule: rule.id, severity: rule.severity, is_shaped: true });
                });
            }
            Lead::Name(name) => {
                let range = assignment::assigned_value(self.text, self.kind, hit.clone(), name);
                self.put_named(name, range);
                if self.kind == TextKind::Data {
                    let (text, spots) = (self.text, &mut self.spots);
                    table::cells(text, hit, &mut self.tables, |name, range| spots.push(named_spot(name, range)));
                }
            }
            Lead::Form(reader, severity, is_shaped) => {
                let found = reader(self.text, hit);
                self.spots.extend(found.map(|(rule, range)| Spot { range, rule, severity, is_shaped }));
            }
            Lead::Call(nth, name) => self.put_named(name, calls::call(self.text, &hit, nth, name)),
            Lead::Behind(is_bare) => self.put_named(Name::Password, calls::behind(self.text, hit.end, is_bare)),
            Lead::Insert => {
                let spots = &mut self.spots;
                table::inserted(self.text, hit.end, |name, range| spots.push(named_spot(name, range)));
            }
            Lead::Encoded if self.is_inside("private-key", hit.start) => {}
            Lead::Encoded => self.spots.extend(block::encoded(self.text, hit).map(key)),
            Lead::Key(reader) => self.spots.extend(reader(self.text, hit).map(key)),
            Lead::Jwk if hit.start < self.objects => {}
            Lead::Jwk => {
                let spots = &mut self.spots;
                self.objects = block::jwk(self.text, hit, |range| spots.push(key(range)));
            }
        }
    }

    /// A word inside a value that the same rule has found already says nothing new.
    fn is_inside(&self, rule: &str, at: usize) -> bool {
        self.spots.iter().rev().take(4).any(|spot| spot.rule == rule && spot.range.end > at)
    }

    fn put_named(&mut self, name: Name, found: Option<Range<usize>>) {
        self.spots.extend(found.map(|range| named_spot(name, range)));
    }

    fn finish(mut self, splits: bool) -> Vec<Finding> {
        if self.spots.is_empty() {
            return Vec::new();
        }
        // Of values that overlap, one remains: what has a shape of its own, then the longer one, then the first. It takes in what
        // the others have more, so that nothing of any of them is left.
        self.spots.sort_by_key(|spot| (spot.range.start, std::cmp::Reverse(spot.range.end)));
        let mut joined: Vec<Spot> = Vec::new();
        for spot in self.spots {
            match joined.last_mut().filter(|last| spot.range.start < last.range.end) {
                // In an address it is known where a password ends; behind a name the host would go with it.
                Some(last) if is_address(&spot) && !last.is_shaped => *last = spot,
                Some(last) if is_address(last) && !spot.is_shaped => {}
                Some(last) => {
                    if spot.is_shaped && !last.is_shaped {
                        (last.rule, last.severity, last.is_shaped) = (spot.rule, spot.severity, true);
                    }
                    last.range.end = last.range.end.max(spot.range.end);
                }
                None => joined.push(spot),
            }
        }
        let (mut line, mut at) = (1_u64, 0);
        let bytes = self.text.as_bytes();
        joined
            .into_iter()
            .map(|Spot { range, rule, severity, .. }| {
                line += memchr::memchr_iter(b'\n', &bytes[at..range.start]).count() as u64;
                at = range.start;
                // The same secret has the same fingerprint, whatever was put into it.
                let value = &self.text[range.clone()];
                let value = if splits { VisibleText::of(value) } else { VisibleText::whole(value) };
                let fingerprint = Fingerprint::of(&value.text);
                Finding { rule, range, line, severity, fingerprint }
            })
            .collect()
    }
}
