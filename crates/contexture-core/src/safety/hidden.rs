//! Characters that nobody sees and a model reads: tags, directions, zero widths, fillers, private use.
//!
//! Takes a text; gives every such character that has no business where it stands. Joiners within emoji and within scripts that are
//! written with them, and variants of what has variants, are part of clean text.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hidden {
    /// Its first byte.
    pub at: usize,
    /// Counted from 1.
    pub line: u64,
    pub code: char,
}

impl Hidden {
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.code.len_utf8()
    }
}

/// The invisible characters of a text, in order. Time is linear; plain ASCII is only looked through.
pub fn hidden(text: &str) -> Vec<Hidden> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found;
    }
    let bytes = text.as_bytes();
    let (mut line, mut counted, mut at) = (1_u64, 0, 0);
    while let Some(step) = bytes[at..].iter().position(|byte| LEADS[usize::from(*byte)]) {
        at += step;
        let Some(code) = text[at..].chars().next() else { break };
        if is_listed(code) && !belongs(text, at, code) {
            line += memchr::memchr_iter(b'\n', &bytes[counted..at]).count() as u64;
            counted = at;
            found.push(Hidden { at, line, code });
        }
        at += code.len_utf8();
    }
    found
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
