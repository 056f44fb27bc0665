//! What is wrong with a configuration, where, and what to do about it.
//!
//! Readers report a [`Problem`] at a byte; a [`SourceText`] knows the file and turns it into a [`ConfigError`] with line and
//! column. Messages stay on one line and show no control characters, whatever the file holds.

use super::node::Node;
use contexture_core::render::printable;
use std::fmt;

/// A configuration that cannot be used. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// A file as the person knows it, `env NAME`, `flag --name`, or empty when the input has no name.
    pub place: String,
    /// Counted from 1, in characters.
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub key: Option<Box<str>>,
    pub cause: String,
    pub hint: Option<String>,
}

/// Position, key, cause. The hint is for a line of its own.
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            f.write_str(&printable(&self.place))?;
            if let (Some(line), Some(column)) = (self.line, self.column) {
                write!(f, ":{line}:{column}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.cause)
    }
}

/// A problem before anyone knows which file it is in.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub at: usize,
    pub key: Option<String>,
    pub cause: String,
    pub hint: Option<String>,
}

impl Problem {
    pub fn new(at: usize, key: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { at, key: Some(key.into()), cause: cause.into(), hint: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The value is of another type than `expected`.
    pub fn wrong_type(node: &Node, key: &str, expected: &str) -> Self {
        let cause = format!("`{key}` must be {expected}, found {}: {}", node.type_name(), quoted_value(node));
        Self::new(node.at.0, key, cause)
    }

    /// The value is of the right type, but not an allowed one.
    pub fn wrong_value(node: &Node, key: &str, expected: &str) -> Self {
        Self::new(node.at.0, key, format!("`{key}` must be {expected}, found: {}", quoted_value(node)))
    }

    /// The word is none of `words`.
    pub fn wrong_word(node: &Node, key: &str, word: &str, words: &[&str]) -> Self {
        let list = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let problem = Self::wrong_value(node, key, &format!("one of {list}"));
        match nearest(word, words.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem,
        }
    }
}

/// Where a text comes from, with its line starts, so that many positions cost no more than one.
pub(super) struct SourceText<'a> {
    name: String,
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> SourceText<'a> {
    pub fn file(name: impl Into<String>, text: &'a str) -> Self {
        let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        Self { name: name.into(), text, starts: std::iter::once(0).chain(starts).collect() }
    }

    /// A place without lines: a variable, a flag, a value handed in.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), text: "", starts: Vec::new() }
    }

    /// 0 when the place has no lines.
    pub fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    pub fn error(&self, problem: Problem) -> ConfigError {
        let line = self.line(problem.at);
        let position = line.checked_sub(1).and_then(|index| self.starts.get(index)).map(|start| {
            let before = self.text.get(*start..problem.at).unwrap_or_default();
            (line, before.trim_start_matches('\u{feff}').chars().count() + 1)
        });
        ConfigError {
            place: self.name.clone(),
            line: position.map(|(line, _)| line),
            column: position.map(|(_, column)| column),
            key: problem.key.map(Into::into),
            cause: problem.cause,
            hint: problem.hint,
        }
    }

    /// The parser's message on one line, in lower case.
    pub fn syntax(&self, error: &toml_edit::TomlError) -> ConfigError {
        let mut message = error.message().lines().map(str::trim).collect::<Vec<_>>().join(", ");
        let hint = match message.as_str() {
            "duplicate key" => Some("each key may stand once; remove or rename one of the two"),
            text if text.starts_with("string values must be quoted") => {
                message = "not a value; strings must be in quotes".into();
                Some("for example `name = \"text\"`")
            }
            _ => None,
        };
        let at = error.span().map_or(0, |span| span.start);
        let mut found = self.error(Problem { at, key: None, cause: message, hint: hint.map(str::to_owned) });
        if error.message() == "duplicate key" {
            let name = error.span().and_then(|span| self.text.get(span)).unwrap_or_default();
            found.cause = format!("duplicate key: `{}`", clip(name));
            found.key = Some(name.into());
        }
        found
    }

    /// The file as a whole cannot be used.
    pub fn failed(&self, cause: impl Into<String>) -> ConfigError {
        ConfigError { place: self.name.clone(), line: None, column: None, key: None, cause: cause.into(), hint: None }
    }
}

/// The candidate a person most likely meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody mistypes a known word into more than 64 characters, and the distance would cost too much.
    if word.len() > 64 {
        return None;
    }
    let lower = word.to_lowercase();
    // A third of the letters may differ, at least one: `stratgy` and `secerts` are found, `colour` is not `color_mode`.
    let limit = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A value in a message: one line, no control characters, short.
pub(super) fn quoted_value(node: &Node) -> String {
    format!("`{}`", clip(&node.to_string()))
}

/// 60 characters are enough to recognise a value and leave the message on one line of a terminal.
pub(super) fn clip(text: &str) -> String {
    let plain = |c: char| if c.is_control() || c == '`' { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(60).map(plain).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}
