//! Characters that nobody sees and a model reads: tags, directions, zero widths, fillers, private use.
//!
//! Takes a text; gives every such character that has no business where it stands. Joiners within emoji and within scripts that are
//! written with them, and variants of what has variants, are part of clean text.

use std::borrow::Cow;
use std::ops::Range;

/// A character that nobody sees, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HiddenCharacter {
    /// Its first byte.
    pub at: usize,
    /// Counted from 1.
    pub line: u64,
    pub code: char,
}

impl HiddenCharacter {
    /// The bytes of the character.
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.code.len_utf8()
    }
}

/// The invisible characters of a text, in order. Time is linear; plain ASCII is only looked through.
pub fn hidden(text: &str) -> Vec<HiddenCharacter> {
    hidden_characters(text).found
}

/// What nobody sees of a text.
#[derive(Default)]
pub(super) struct HiddenCharacters {
    /// What has no business where it stands.
    pub found: Vec<HiddenCharacter>,
    /// Whether something of it may stand inside a word: then the text is not what a reader takes it for.
    pub splits: bool,
}

pub(super) fn hidden_characters(text: &str) -> HiddenCharacters {
    let mut all = HiddenCharacters::default();
    if text.is_ascii() {
        return all;
    }
    let bytes = text.as_bytes();
    let (mut line, mut counted) = (1_u64, 0);
    for (at, code) in listed(text) {
        if belongs(text, at, code) {
            // A variant behind a digit may belong to it, and still stand in the middle of a key.
            let after = text[at + code.len_utf8()..].chars().next();
            all.splits |= at > 0 && bytes[at - 1].is_ascii() && after.is_some_and(|c| c.is_ascii() || is_listed(c));
        } else {
            line += memchr::memchr_iter(b'\n', &bytes[counted..at]).count() as u64;
            counted = at;
            all.found.push(HiddenCharacter { at, line, code });
        }
    }
    all.splits |= !all.found.is_empty();
    all
}

/// A text as a reader sees it: without any invisible character, and where each of its bytes stands in the text itself.
pub(super) struct VisibleText<'a> {
    pub text: Cow<'a, str>,
    /// A place in the seen text, and how many bytes were taken out before it; both grow.
    gaps: Vec<(usize, usize)>,
}

impl<'a> VisibleText<'a> {
    pub fn whole(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), gaps: Vec::new() }
    }

    pub fn of(text: &'a str) -> Self {
        let (mut out, mut gaps, mut kept) = (String::with_capacity(text.len()), Vec::new(), 0);
        for (at, code) in listed(text) {
            out.push_str(&text[kept..at]);
            kept = at + code.len_utf8();
            gaps.push((out.len(), kept - out.len()));
        }
        if gaps.is_empty() {
            return Self::whole(text);
        }
        out.push_str(&text[kept..]);
        Self { text: Cow::Owned(out), gaps }
    }

    /// Where a range of the seen text stands in the text itself. What is unseen around it is left out, what is unseen inside is in it.
    pub fn back(&self, range: Range<usize>) -> Range<usize> {
        let shift = |until: usize| match self.gaps.partition_point(|(at, _)| *at < until) {
            0 => 0,
            nth => self.gaps[nth - 1].1,
        };
        let start = range.start + shift(range.start + 1);
        start..(range.end + shift(range.end)).max(start)
    }
}

/// The first bytes of characters that may be among them.
const LEADS: [bool; 256] = {
    let mut leads = [false; 256];
    // U+00AD, U+034F, U+061C, U+115F and U+180E, U+200B and on, U+3164, private use, variants and U+FEFF, tags and planes of private use.
    let all = [0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEE, 0xEF, 0xF3, 0xF4];
    let mut nth = 0;
    while nth < all.len() {
        leads[all[nth]] = true;
        nth += 1;
    }
    leads
};

/// The listed characters of a text, with their places. Most bytes are only looked at.
fn listed(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut next = 0;
    let lead = move || {
        let at = next + text.as_bytes()[next..].iter().position(|byte| LEADS[usize::from(*byte)])?;
        let code = text[at..].chars().next()?;
        next = at + code.len_utf8();
        Some((at, code))
    };
    std::iter::from_fn(lead).filter(|(_, code)| is_listed(*code))
}

fn is_listed(code: char) -> bool {
    matches!(code,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{180E}' | '\u{3164}' | '\u{FEFF}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}'
        | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

/// Whether a listed character is part of clean text where it stands.
fn belongs(text: &str, at: usize, code: char) -> bool {
    let before = text[..at].chars().next_back();
    let after = || text[at + code.len_utf8()..].chars().next();
    match code {
        // A byte order mark at the very beginning says how the file is written.
        '\u{FEFF}' => at == 0,
        '\u{200D}' => {
            before.is_some_and(is_joined_script)
                || (before.is_some_and(is_pictured) && after().is_some_and(is_pictured))
        }
        '\u{200C}' => before.is_some_and(is_joined_script),
        '\u{FE0E}' | '\u{FE0F}' => {
            before.is_some_and(|before| is_pictured(before) || matches!(before, '#' | '*' | '0'..='9'))
        }
        '\u{FE00}'..='\u{FE0D}' => before.is_some_and(has_variants),
        '\u{E0100}'..='\u{E01EF}' => before.is_some_and(is_ideograph),
        '\u{E0020}'..='\u{E007F}' => is_flag(text, at),
        _ => false,
    }
}

/// Emoji, symbols that may be shown as one, their modifiers and variants.
fn is_pictured(code: char) -> bool {
    matches!(code,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{20E3}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}'
        | '\u{24C2}' | '\u{25A0}'..='\u{27BF}' | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Scripts in which a joiner decides what a word looks like.
fn is_joined_script(code: char) -> bool {
    matches!(code,
        '\u{0600}'..='\u{07FF}' | '\u{0840}'..='\u{08FF}' | '\u{0900}'..='\u{0DFF}' | '\u{0F00}'..='\u{109F}' | '\u{1780}'..='\u{18AF}'
        | '\u{1A20}'..='\u{1AAF}' | '\u{A840}'..='\u{A8FF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{11000}'..='\u{11FFF}')
        && code != '\u{061C}'
}

fn has_variants(code: char) -> bool {
    is_ideograph(code)
        || matches!(code, '\u{2010}'..='\u{2BFF}' | '\u{1000}'..='\u{109F}' | '\u{3000}'..='\u{30FF}' | '\u{A840}'..='\u{A877}' | '\u{FF00}'..='\u{FFEF}' | '0')
            && !is_listed(code)
}

fn is_ideograph(code: char) -> bool {
    matches!(code, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Tags spell out the flags of England, Scotland and Wales behind a black flag, and nothing else that is in use.
fn is_flag(text: &str, at: usize) -> bool {
    let is_tag = |code: &char| matches!(code, '\u{E0020}'..='\u{E007F}');
    let before: usize = text[..at].chars().rev().take(8).take_while(is_tag).map(char::len_utf8).sum();
    let start = at - before;
    let word: String = text[start..]
        .chars()
        .take(7)
        .take_while(is_tag)
        .filter_map(|code| char::from_u32(code as u32 - 0xE0000))
        .collect();
    text[..start].ends_with('\u{1F3F4}') && ["gbeng\u{7f}", "gbsct\u{7f}", "gbwls\u{7f}"].contains(&word.as_str())
}
