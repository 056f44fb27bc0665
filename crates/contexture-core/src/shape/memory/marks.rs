//! What an entry says about itself: when it was written and how important it is.
//!
//! Takes lines of an entry outside of code; gives them back without the marks that were understood. Forms it does not know
//! stay text. Each byte is looked at a bounded number of times.

use super::dates;
use std::borrow::Cow;

#[derive(Default)]
pub struct Marks {
    /// The latest day that the entry names: one that was added to is as new as what was added.
    pub day: Option<i32>,
    pub importance: Option<f32>,
}

const PINNED: f32 = 1.0;
const HIGH: f32 = 0.9;
const MEDIUM: f32 = 0.5;
const LOW: f32 = 0.1;
/// No mark is longer than this, in bytes.
const LONGEST: usize = 160;

impl Marks {
    /// `2026-02-01: text`, `[2026-02-01] text`, also bold. A date with a time is read and stays: the day alone would say less.
    pub fn take_date_in_front<'a>(&mut self, line: &'a str) -> &'a str {
        let bare = line.trim_start_matches(['[', '(', '*', '_', '`']);
        let Some((day, length)) = dates::moment(bare) else { return line };
        let rest = bare.get(length..).unwrap_or_default();
        if rest.starts_with("](") {
            return line;
        }
        let opened = line.len() - bare.len();
        let (closed, text) = closers(rest, opened);
        let text = text.trim_start_matches([' ', '\t']);
        let separated = text.strip_prefix([':', '–', '—']).or_else(|| text.strip_prefix("- "));
        // `**2026-02-01:** text` closes behind the colon.
        let (closed_late, text) = closers(separated.unwrap_or(text), opened - closed);
        if separated.is_none() && closed == 0 {
            return line;
        }
        self.see(day);
        let text = text.trim_start_matches([' ', '\t']);
        if length > 10 || closed + closed_late < opened || text.is_empty() { line } else { text }
    }

    /// Marks inside and at the end of a line.
    pub fn take<'a>(&mut self, line: &'a str) -> Cow<'a, str> {
        let line = self.take_brackets(line);
        match line {
            Cow::Borrowed(line) => Cow::Borrowed(self.take_bare(line)),
            Cow::Owned(line) => Cow::Owned(self.take_bare(&line).to_owned()),
        }
    }

    fn take_brackets<'a>(&mut self, line: &'a str) -> Cow<'a, str> {
        let mut kept: Option<String> = None;
        let mut copied = 0;
        let mut in_code = false;
        let mut at = 0;
        while let Some(found) = line.get(at..).and_then(|rest| memchr::memchr3(b'[', b'(', b'`', rest.as_bytes())) {
            let open = at + found;
            at = open + 1;
            let byte = line.as_bytes().get(open);
            if byte == Some(&b'`') {
                in_code = !in_code;
                continue;
            }
            let close = if byte == Some(&b'[') { b']' } else { b')' };
            let inside = line.as_bytes().get(open + 1..line.len().min(open + 1 + LONGEST)).unwrap_or_default();
            let Some(length) = memchr::memchr(close, inside).filter(|_| !in_code) else { continue };
            let Some(mark) = line.get(open + 1..open + 1 + length) else { continue };
            let end = open + length + 2;
            // `[pinned](https://…)` is a link.
            let is_link = line.as_bytes().get(end) == Some(&b'(') && close == b']';
            if is_link || !self.understands(mark) {
                continue;
            }
            let text = kept.get_or_insert_default();
            text.push_str(line.get(copied..open).unwrap_or_default());
            let rest = line.get(end..).unwrap_or_default();
            if rest.is_empty() || rest.starts_with([' ', '\t']) {
                let to = text.trim_end_matches([' ', '\t']).len();
                // White space in front of a line is its place in a list.
                if to > 0 {
                    text.truncate(to);
                }
            }
            copied = end;
            if text.trim().is_empty() {
                copied += rest.len() - rest.trim_start_matches([' ', '\t']).len();
            }
            at = copied;
        }
        match kept {
            Some(mut text) => {
                text.push_str(line.get(copied..).unwrap_or_default());
                Cow::Owned(text)
            }
            None => Cow::Borrowed(line),
        }
    }

    /// Whether what stands in brackets is a mark that is taken off. `from: …, date` is read, and stays.
    fn understands(&mut self, mark: &str) -> bool {
        let lower = mark.trim().to_ascii_lowercase();
        let importance = match &*lower {
            "important" => Some(HIGH),
            "pinned" => Some(PINNED),
            other => other.strip_prefix("importance:").and_then(|value| weight(value.trim(), true)),
        };
        if let Some(importance) = importance {
            self.weigh(importance);
            return true;
        }
        if let Some(rest) = lower.strip_prefix("added") {
            let rest = rest.trim_start();
            let rest = rest.strip_prefix("at").or_else(|| rest.strip_prefix("on")).unwrap_or(rest);
            let date = rest.trim_start_matches([' ', '\t', ':']);
            if let Some((day, length)) = dates::moment(&date.to_ascii_uppercase())
                && length == date.len()
            {
                self.see(day);
                return true;
            }
        }
        if let Some(rest) = lower.strip_prefix("from:")
            && let Some((_, date)) = rest.rsplit_once([',', ' '])
            && let Some((day, _)) = dates::moment(&date.trim().to_ascii_uppercase())
        {
            self.see(day);
        }
        false
    }

    /// `importance: 8/10` at the end of a line. Only numbers: words after a colon may be the sentence itself.
    fn take_bare<'a>(&mut self, line: &'a str) -> &'a str {
        const WORD: &str = "importance:";
        let end = line.trim_end();
        let from = end.floor_char_boundary(end.len().saturating_sub(LONGEST));
        let tail = end.get(from..).unwrap_or_default().to_ascii_lowercase();
        let Some(at) = tail.rfind(WORD) else { return line };
        let begins = tail.get(..at).is_some_and(|left| !left.ends_with(|c: char| c.is_alphanumeric() || c == '`'));
        let value = tail.get(at + WORD.len()..).unwrap_or_default();
        match weight(value.trim().trim_end_matches('.'), false) {
            Some(importance) if begins => {
                self.weigh(importance);
                let text = end.get(..from + at).unwrap_or_default().trim_end();
                text.trim_end_matches([',', ';', '|', '·', '–', '—']).trim_end()
            }
            _ => line,
        }
    }

    fn see(&mut self, day: i32) {
        self.day = self.day.max(Some(day));
    }

    fn weigh(&mut self, importance: f32) {
        self.importance = Some(self.importance.map_or(importance, |known| known.max(importance)));
    }
}

/// Up to so many signs that close brackets and emphasis, and what stands behind them.
fn closers(text: &str, most: usize) -> (usize, &str) {
    let signs = text.bytes().take(most).take_while(|byte| matches!(byte, b']' | b')' | b'*' | b'_' | b'`')).count();
    (signs, text.get(signs..).unwrap_or_default())
}

/// `0.8`, `8/10`, `80%`, and words. A number above 1 without its scale says nothing.
fn weight(value: &str, words: bool) -> Option<f32> {
    let number = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        text.parse::<f32>().ok().filter(|number| plain && number.is_finite())
    };
    let weight = if let Some((part, whole)) = value.split_once('/') {
        let whole = number(whole.trim()).filter(|whole| *whole > 0.0)?;
        number(part.trim())? / whole
    } else if let Some(percent) = value.strip_suffix('%') {
        number(percent.trim_end())? / 100.0
    } else {
        match value {
            "high" if words => HIGH,
            "medium" if words => MEDIUM,
            "low" if words => LOW,
            value => number(value)?,
        }
    };
    (0.0..=1.0).contains(&weight).then_some(weight)
}
