//! Where the words stand that begin definitions.
//!
//! Takes a text and a list of words; answers whether a part of the text has one of them. Most code of a function holds no
//! definition, and its words tell so for a fraction of what a walk over its tree takes. A word is one of letters or, as
//! `=>`, a sign. It may say yes for a word in a
//! string or a comment; it never says no where a definition stands.

use crate::structure::Span;

pub(crate) struct Words<'a> {
    text: &'a [u8],
    words: &'a [String],
    /// The lengths of the words as bits, so that almost every run of letters is passed by at one test.
    lengths: u64,
    /// The first bytes of the signs as bits.
    signs: u128,
    /// The last word that was found, and up to where the text is known.
    found: Option<u32>,
    known: u32,
}

impl<'a> Words<'a> {
    /// No words: any part may hold a definition.
    pub fn of(text: &'a str, words: &'a [String]) -> Self {
        let (mut lengths, mut signs) = (0, 0);
        for word in words {
            match word.bytes().next() {
                Some(first) if is_letter(first) => lengths |= 1 << word.len().min(63),
                Some(first) => signs |= 1 << (first & 0x7f),
                None => {}
            }
        }
        Self { text: text.as_bytes(), words, lengths, signs, found: None, known: 0 }
    }

    /// Whether a word begins in a part of the text. Parts are asked for in the order of their beginnings, so that no byte is
    /// read twice.
    pub fn any_in(&mut self, part: Span) -> bool {
        if self.words.is_empty() {
            return true;
        }
        if let Some(found) = self.found.filter(|found| *found >= part.start) {
            return found < part.end;
        }
        let from = self.known.max(part.start);
        self.found = self.next(from, part.end);
        self.known = self.found.map_or(self.known.max(part.end), |found| found + 1);
        self.found.is_some()
    }

    fn next(&self, from: u32, end: u32) -> Option<u32> {
        let part = self.text.get(from as usize..end as usize)?;
        let mut start = 0;
        for (at, byte) in part.iter().chain([&b' ']).enumerate() {
            if is_letter(*byte) {
                continue;
            }
            let long = at - start;
            if long < 64 && self.lengths >> long & 1 == 1 {
                let run = part.get(start..at)?;
                if self.words.iter().any(|word| word.as_bytes() == run) {
                    return Some(from + Span::new(start, at).start);
                }
            }
            if self.signs >> (byte & 0x7f) & 1 == 1 {
                let rest = part.get(at..)?;
                if self.words.iter().any(|word| rest.starts_with(word.as_bytes())) {
                    return Some(from + Span::new(at, at).start);
                }
            }
            start = at + 1;
        }
        None
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
