//! Looks at a request of our own before anybody gets it.
//!
//! Takes the bytes as they were written; gives what its API would refuse. Reading ten megabytes as JSON takes longer than writing them,
//! so it reads a sketch: the same JSON with long strings cut short. All that is looked at stands at the beginning of a string or around
//! it, and a quote that was not escaped would end its string in the sketch as it does in the request. That the rest of a string is
//! escaped rightly is a law of `render` with a test of its own.

use super::{NO_MODEL, Violation, check};
use crate::types::{Api, Output};
use rayon::prelude::*;
use std::fmt;

/// A request that its API would not take. It is not handed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub api: Option<Api>,
    /// At least one.
    pub violations: Vec<Violation>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.api {
            Some(api) => write!(f, "`{api}` would refuse the request")?,
            None => f.write_str("the request would be refused")?,
        }
        self.violations.first().map_or(Ok(()), |first| write!(f, ": {first}"))?;
        match self.violations.len() {
            0 | 1 => Ok(()),
            many => write!(f, " (and {} more)", many - 1),
        }
    }
}

impl std::error::Error for Refused {}

impl Refused {
    /// Nothing to show, and nothing to ask.
    pub(crate) fn empty(api: Option<Api>) -> Self {
        let text = "there is nothing to show, and nothing is asked".to_owned();
        let hint = "`--message TEXT` asks something; `--root DIR` names another folder";
        Self { api, violations: vec![Violation { at: String::new(), text, hint }] }
    }

    /// What to do about the first of them.
    pub fn hint(&self) -> Option<&'static str> {
        self.violations.first().map(|first| first.hint)
    }
}

/// The request again, unless it would be refused. Only the name of the model may be missing: whoever sends it can add it.
pub(crate) fn checked(api: Api, output: Output) -> Result<Output, Refused> {
    let mut violations = check(api, &sketch(&output));
    violations.retain(|violation| violation.text != NO_MODEL);
    if violations.is_empty() { Ok(output) } else { Err(Refused { api: Some(api), violations }) }
}

/// More than the longest id or name that is allowed.
const KEPT: usize = 256;

fn sketch(output: &Output) -> String {
    let mut sketch = Sketch::default();
    let pieces: Vec<&str> = output.pieces().collect();
    // Whether a string ends in a piece is found out on all threads: that is where the time goes.
    let ends: Vec<bool> = pieces.par_iter().with_min_len(16).map(|piece| has_end(piece)).collect();
    for (piece, ends) in pieces.into_iter().zip(ends) {
        match &mut sketch.open {
            Some(text) if !ends && text.is_cut() => text.length += piece.len(),
            _ => sketch.piece(piece),
        }
    }
    sketch.out
}

/// Whether there is a quote that is not escaped. Of more than one backslash before it nobody counts: that is looked at closely.
fn has_end(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let is_escaped = |at: usize| at >= 1 && bytes[at - 1] == b'\\' && (at < 2 || bytes[at - 2] != b'\\');
    memchr::memchr_iter(b'"', bytes).any(|at| !is_escaped(at))
}

#[derive(Default)]
struct Sketch {
    out: String,
    /// The string that is not closed yet.
    open: Option<Text>,
}

struct Text {
    length: usize,
    kept: usize,
    /// What is empty is looked for, so white space is never cut.
    is_blank: bool,
}

impl Sketch {
    fn piece(&mut self, piece: &str) {
        let mut rest = piece;
        while !rest.is_empty() {
            let Some(text) = &mut self.open else {
                let end = memchr::memchr(b'"', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
                self.out.push_str(&rest[..end]);
                if rest[..end].ends_with('"') {
                    self.open = Some(Text { length: 0, kept: 0, is_blank: true });
                }
                rest = &rest[end..];
                continue;
            };
            let end = memchr::memchr2(b'"', b'\\', rest.as_bytes()).unwrap_or(rest.len());
            let (plain, more) = rest.split_at(end);
            text.add(plain, text.wanted(plain), &mut self.out);
            rest = more;
            if rest.starts_with('"') {
                // Of the same length by fours: base64 stays what it is.
                self.out.push_str(&"AAA"[..(text.length - text.kept) % 4]);
                self.out.push('"');
                self.open = None;
                rest = &rest[1..];
            } else if !rest.is_empty() {
                // An escape is kept whole or not at all.
                let (escape, more) = rest.split_at(escape_length(rest));
                text.add(escape, escape.len(), &mut self.out);
                rest = more;
            }
        }
    }
}

impl Text {
    /// Nothing more of it is kept.
    fn is_cut(&self) -> bool {
        self.kept >= KEPT && !self.is_blank
    }

    /// How much of a text without escapes is kept: enough to see that it is not blank.
    fn wanted(&self, plain: &str) -> usize {
        let blank = if self.is_blank { plain.len() - plain.trim_start().len() } else { 0 };
        let least = KEPT.saturating_sub(self.kept).max(blank + 1);
        (least..plain.len()).find(|at| plain.is_char_boundary(*at)).unwrap_or(plain.len())
    }

    fn add(&mut self, more: &str, wanted: usize, out: &mut String) {
        self.length += more.len();
        if !self.is_cut() {
            out.push_str(&more[..wanted]);
            self.kept += wanted;
            self.is_blank &= more.trim().is_empty() || matches!(more, "\\n" | "\\r" | "\\t");
        }
    }
}

/// The bytes of an escape, with the second half where it is one of a pair.
fn escape_length(text: &str) -> usize {
    let length = match text.as_bytes() {
        [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] => 12,
        [b'\\', b'u', ..] => 6,
        _ => 2,
    };
    if text.is_char_boundary(length) { length } else { text.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Block;
    use proptest::prelude::*;

    fn sketched(pieces: &[&str]) -> String {
        let blocks = pieces.iter().map(|piece| Block::frame(*piece)).collect();
        sketch(&Output { blocks, prefix_blocks: 0 })
    }

    #[test]
    fn long_strings_are_cut_and_nothing_else() {
        let short = r#"{"a":["b\"c","\\"],"d":1}"#;
        assert_eq!(sketched(&[short]), short);
        let blank = format!(r#"{{"a":"{}x{}"}}"#, " \\n".repeat(400), "y".repeat(400));
        assert_eq!(sketched(&[&blank]), format!(r#"{{"a":"{}x"}}"#, " \\n".repeat(400)));
        assert_eq!(sketched(&["\"", &"z".repeat(1_003), "\""]), format!("\"{}AAA\"", "z".repeat(KEPT)));
        let pairs = format!("\"{}\"", "\\ud83d\\ude00".repeat(100));
        assert!(serde_json::from_str::<String>(&sketched(&[&pairs])).is_ok());
    }

    proptest! {
        #[test]
        fn a_sketch_is_empty_where_the_text_is(texts in prop::collection::vec("[ \n\"\\\\a\u{1}é😀]{0,300}", 0..4)) {
            let text = texts.concat();
            let inner = texts.iter().map(|text| crate::providers::writing::json_text(text)).collect::<Vec<_>>();
            let pieces: Vec<&str> = ["\""].into_iter().chain(inner.iter().map(String::as_str)).chain(["\""]).collect();
            let short: String = serde_json::from_str(&sketched(&pieces)).unwrap();
            prop_assert_eq!(short.trim().is_empty(), text.trim().is_empty());
            prop_assert!(short.len() <= text.len() + 3);
        }
    }
}
