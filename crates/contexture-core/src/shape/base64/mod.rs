//! Cuts long runs of base64 out of a text: embedded pictures, fonts, certificates. They cost tokens and say nothing.
//!
//! Takes a text; gives the text with each run replaced by a note of its length, or `None` when there is nothing to cut.
//! It must not touch ordinary text: long identifiers, paths, hexadecimal digits and repeated characters stay.

#[cfg(test)]
mod tests;

use contexture_syntax::Span;
use memchr::memchr;

/// Shorter runs are keys, hashes and signatures that a reader may want to compare.
const SHORTEST: usize = 512;
/// The widths base64 is wrapped to: 64 in PEM, 76 in MIME, 60 and 72 in older tools.
const WRAPPED: std::ops::RangeInclusive<usize> = 60..=76;

/// The text without its base64 runs of at least 512 characters, each replaced by `[base64: N characters cut]`.
///
/// A run is one unbroken word, or lines of one width between 60 and 76 that follow each other, the last one shorter.
/// An ordinary file costs next to nothing: most of its bytes are never looked at.
pub fn cut_base64(text: &str) -> Option<String> {
    let cuts = cuts(text);
    if cuts.is_empty() {
        return None;
    }
    let mut kept = String::with_capacity(text.len() / 2);
    let mut from = 0;
    for cut in &cuts {
        kept.push_str(text.get(from..cut.start).unwrap_or(""));
        kept.push_str(&format!("[base64: {} characters cut]", cut.characters));
        from = cut.end;
    }
    kept.push_str(text.get(from..).unwrap_or(""));
    Some(kept)
}

/// Where the runs stand that [`cut_base64`] cuts, sorted.
pub fn spans(text: &str) -> Vec<Span> {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    cuts(text).into_iter().map(|cut| Span { start: number(cut.start), end: number(cut.end) }).collect()
}

fn cuts(text: &str) -> Vec<Cut> {
    if has_long_word(text.as_bytes()) { find_cuts(text) } else { Vec::new() }
}

/// Whether any unbroken word is as long as the narrowest wrapped line: every run that is cut holds one. Looks at the end of
/// each window first, so that a sign there lets the whole window be skipped.
fn has_long_word(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(window) = bytes.get(at..at + WRAPPED.start()) {
        match window.iter().rposition(|byte| !IS_BASE64[usize::from(*byte)]) {
            Some(sign) => at += sign + 1,
            None => return true,
        }
    }
    false
}

const IS_BASE64: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_base64(byte as u8);
        byte += 1;
    }
    table
};

struct Cut {
    start: usize,
    end: usize,
    characters: usize,
}

fn find_cuts(text: &str) -> Vec<Cut> {
    let bytes = text.as_bytes();
    let mut cuts = Vec::new();
    let mut block = Block::default();
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or(&[]);
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or(rest);
        if !block.take(line, at) {
            cuts.extend(std::mem::take(&mut block).cut());
            // The line that ended one block may begin the next.
            block.take(line, at);
        }
        if length >= SHORTEST {
            runs_of_line(line, at, &mut cuts);
        }
        at += length + 1;
    }
    cuts.extend(block.cut());
    cuts
}

fn runs_of_line(line: &[u8], offset: usize, cuts: &mut Vec<Cut>) {
    let mut at = 0;
    while at < line.len() {
        let rest = line.get(at..).unwrap_or(&[]);
        let length = rest.iter().position(|byte| !is_base64(*byte)).unwrap_or(rest.len());
        let padding = rest.iter().skip(length).take(2).take_while(|byte| **byte == b'=').count();
        if length >= SHORTEST && rest.get(..length).map(Mix::of).is_some_and(|mix| mix.looks_encoded()) {
            let (start, end) = (offset + at, offset + at + length + padding);
            cuts.push(Cut { start, end, characters: length + padding });
        }
        at += (length + padding).max(1);
    }
}

/// Wrapped lines that may become one cut.
#[derive(Default)]
struct Block {
    width: usize,
    start: usize,
    end: usize,
    characters: usize,
    mix: Mix,
    closed: bool,
}

impl Block {
    /// Takes the line in if it continues the block, or begins one.
    fn take(&mut self, line: &[u8], offset: usize) -> bool {
        // Indentation and quoting marks around a wrapped line are few; a longer line is none.
        if self.closed || line.len() > 2 * WRAPPED.end() || (self.width == 0 && line.len() < *WRAPPED.start()) {
            return false;
        }
        let indent = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let word = line.trim_ascii();
        let padding = word.iter().rev().take(2).take_while(|byte| **byte == b'=').count();
        let body = word.get(..word.len() - padding).unwrap_or(word);
        if body.is_empty() || !body.iter().all(|byte| is_base64(*byte)) {
            return false;
        }
        if self.width == 0 {
            if padding > 0 || !WRAPPED.contains(&word.len()) {
                return false;
            }
            self.width = word.len();
            self.start = offset + indent;
        } else if word.len() > self.width {
            return false;
        }
        self.closed = word.len() < self.width || padding > 0;
        self.end = offset + indent + word.len();
        self.characters += word.len();
        self.mix.add(body);
        true
    }

    fn cut(self) -> Option<Cut> {
        (self.characters >= SHORTEST && self.mix.looks_encoded()).then_some(Cut {
            start: self.start,
            end: self.end,
            characters: self.characters,
        })
    }
}

/// What a run is made of.
#[derive(Default)]
struct Mix {
    /// How many upper, lower, digits and marks.
    classes: [usize; 4],
    /// How often the class of character changes from one to the next.
    changes: usize,
    seen: u128,
}

impl Mix {
    fn of(run: &[u8]) -> Self {
        let mut mix = Self::default();
        mix.add(run);
        mix
    }

    fn add(&mut self, run: &[u8]) {
        let mut last = 4;
        for byte in run {
            let class = match byte {
                b'A'..=b'Z' => 0,
                b'a'..=b'z' => 1,
                b'0'..=b'9' => 2,
                _ => 3,
            };
            self.classes[class] += 1;
            self.changes += usize::from(class != last);
            self.seen |= 1 << (byte & 127);
            last = class;
        }
    }

    /// Encoded bytes have about 40 % upper, 40 % lower, 16 % digits, 3 % marks, and the class changes at two of three
    /// steps. The bounds are far from that, for data with long runs of zeros, and farther from words: these have few
    /// digits or capitals, change class once in five steps, and paths have a mark at one of eight.
    fn looks_encoded(&self) -> bool {
        let [upper, lower, digits, marks] = self.classes;
        let all = upper + lower + digits + marks;
        upper * 100 >= all * 8
            && lower * 100 >= all * 8
            && digits * 100 >= all * 2
            && marks * 100 <= all * 10
            && self.changes * 100 >= all * 25
            && self.seen.count_ones() >= 24
    }
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}
