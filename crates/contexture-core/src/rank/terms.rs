//! Words for searching: identifiers whole and in parts, stemmed, as numbers.
//!
//! Takes text, gives [`Term`]s in its order. Text of code and of people goes through the same walk, so that `parseDate` in a
//! file meets "parsing dates" in a task.

/// A word as a number. Two words may share one; that costs a ranking a little, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub u32);

/// Longer words are data.
const LONGEST: usize = 60;

/// Calls `found` for each word: for a compound one its whole first, then its parts; for a plain one its stem.
pub fn terms(text: &str, mut found: impl FnMut(Term)) {
    words(text, |word| word_terms(word, &mut found));
}

/// The terms of one word.
pub fn word_terms(word: &str, mut found: impl FnMut(Term)) {
    if word.len() < 2 || word.len() > LONGEST {
        return;
    }
    if !word.is_ascii() {
        foreign(word, &mut found);
        return;
    }
    let mut parts = Parts { word: word.as_bytes(), at: 0 };
    let (first, second) = (parts.next(), parts.next());
    if second.is_none() && first.is_some_and(|part| part.len() == word.len()) {
        found(stemmed(word.as_bytes()));
        return;
    }
    found(whole(word));
    for part in first.into_iter().chain(second).chain(parts) {
        if part.len() > 1 {
            found(stemmed(part));
        }
    }
}

/// The stems of a word's parts, without its whole.
pub fn plain_terms(word: &str, mut found: impl FnMut(Term)) {
    if word.len() < 2 || word.len() > LONGEST {
        return;
    }
    if !word.is_ascii() {
        foreign(word, &mut found);
        return;
    }
    for part in (Parts { word: word.as_bytes(), at: 0 }) {
        if part.len() > 1 {
            found(stemmed(part));
        }
    }
}

/// The first of the terms of a word: of a compound one its whole, of a plain one its stem.
pub fn first(word: &str) -> Term {
    let mut first = None;
    word_terms(word, |term| {
        first.get_or_insert(term);
    });
    first.unwrap_or_else(|| exact(word))
}

/// How many terms a word gives, at most 127.
pub fn count(word: &str) -> u8 {
    let mut count = 0u8;
    word_terms(word, |_| count = (count + 1).min(127));
    count
}

/// A word to the letter.
pub fn exact(word: &str) -> Term {
    let mut hash = Hash::new(b'!');
    word.bytes().for_each(|byte| hash.add(byte));
    hash.term()
}

/// The term of a whole identifier, as it stands for itself and not for its parts. Case does not count.
fn whole(word: &str) -> Term {
    let mut hash = Hash::new(b'=');
    if word.is_ascii() {
        word.bytes().for_each(|byte| hash.add(byte.to_ascii_lowercase()));
    } else {
        word.to_lowercase().bytes().for_each(|byte| hash.add(byte));
    }
    hash.term()
}

/// Whether an identifier is made of several words.
pub fn is_compound(word: &str) -> bool {
    let mut parts = Parts { word: word.as_bytes(), at: 0 };
    let first = parts.next();
    first.is_none_or(|first| first.len() != word.len()) || parts.next().is_some()
}

/// Calls `found` for each run of letters, digits and underscores that does not begin with a digit.
pub fn words<'t>(text: &'t str, mut found: impl FnMut(&'t str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let class = CLASS[usize::from(bytes[at])];
        if class == Class::Other {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && CLASS[usize::from(bytes[at])] != Class::Other {
            at += 1;
        }
        if class == Class::Letter {
            found(&text[start..at]);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    /// Also every byte of a character that is not ASCII.
    Letter,
    Digit,
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        if c.is_ascii_digit() {
            table[byte] = Class::Digit;
        } else if c.is_ascii_alphabetic() || c == b'_' || c >= 0x80 {
            table[byte] = Class::Letter;
        }
        byte += 1;
    }
    table
};

/// Parts at underscores, at changes from small to capital letters, and behind digits.
struct Parts<'a> {
    word: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let word = self.word;
        while word.get(self.at) == Some(&b'_') {
            self.at += 1;
        }
        let start = self.at;
        let first = *word.get(start)?;
        let mut at = start + 1;
        // `HTTPServer` is `HTTP` and `Server`.
        while word.get(at).is_some_and(u8::is_ascii_uppercase)
            && first.is_ascii_uppercase()
            && !word.get(at + 1).is_some_and(u8::is_ascii_lowercase)
        {
            at += 1;
        }
        while word.get(at).is_some_and(u8::is_ascii_lowercase) {
            at += 1;
        }
        // Digits belong to the word before them: `utf8`, `L036`.
        while word.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        self.at = at;
        word.get(start..at)
    }
}

/// Words of other scripts: as they are, and where words are written without spaces, every two characters of them.
fn foreign(word: &str, found: &mut impl FnMut(Term)) {
    let lower = word.to_lowercase();
    let unspaced = |c: char| matches!(u32::from(c), 0x0E00..=0x0EFF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF | 0x20000..=0x3FFFF);
    if !lower.chars().any(unspaced) {
        found(hash_of(lower.as_bytes()));
        return;
    }
    let mut last = None;
    for c in lower.chars() {
        if let Some(last) = last.replace(c) {
            let mut pair = String::with_capacity(8);
            pair.extend([last, c]);
            found(hash_of(pair.as_bytes()));
        }
    }
}

/// A word in small letters without its ending. Light on purpose: it joins "parse", "parses", "parsed", "parsing", and leaves
/// words alone that are too short to be sure of.
fn stemmed(word: &[u8]) -> Term {
    let mut lower = [0u8; LONGEST];
    let Some(lower) = lower.get_mut(..word.len()) else { return hash_of(word) };
    for (to, from) in lower.iter_mut().zip(word) {
        *to = from.to_ascii_lowercase();
    }
    hash_of(stem(lower))
}

/// Endings, by their last letter; the first that fits and leaves at least [`SHORTEST_STEM`] letters goes.
fn endings(last: u8) -> &'static [&'static str] {
    match last {
        b's' => &["izations", "ations", "ators", "ates", "ments", "ings", "ers", "ies", "es", "s"],
        b'n' => &["ization", "ation"],
        b'r' => &["ator", "er"],
        b'g' => &["ating", "ing"],
        b'd' => &["ated", "ied", "ed"],
        b'e' => &["ate", "able", "ible"],
        b't' => &["ment"],
        b'y' => &["edly", "ly"],
        _ => &[],
    }
}
const SHORTEST_STEM: usize = 3;

pub(crate) fn stem(word: &[u8]) -> &[u8] {
    let [.., before, last] = word else { return word };
    if word.len() <= 3 || (*before, *last) == (b's', b's') {
        return word;
    }
    for ending in endings(*last) {
        // Most do not fit, and that is seen at the letter before the last.
        if ending.len() > 1 && ending.as_bytes().get(ending.len() - 2) != Some(before) {
            continue;
        }
        if let Some(left) = word.strip_suffix(ending.as_bytes())
            && left.len() >= SHORTEST_STEM + usize::from(ending.len() > 1 && left.len() + ending.len() < 6)
        {
            return trim(left);
        }
    }
    trim(word)
}

/// A silent `e`, a `y` or `i` at the end, and a doubled consonant say nothing: "parse" and "pars", "setting" and "set".
fn trim(word: &[u8]) -> &[u8] {
    match word {
        [rest @ .., a, b] if a == b && !b"aeiouls".contains(b) && rest.len() >= 2 => &word[..word.len() - 1],
        [rest @ .., b'e' | b'y' | b'i'] if rest.len() >= SHORTEST_STEM => rest,
        _ => word,
    }
}

fn hash_of(word: &[u8]) -> Term {
    let mut hash = Hash::new(b'~');
    word.iter().for_each(|byte| hash.add(*byte));
    hash.term()
}

/// FNV-1a with a last mix: fixed for all time, so that remembered numbers stay right.
struct Hash(u64);

impl Hash {
    fn new(kind: u8) -> Self {
        let mut hash = Self(0xcbf2_9ce4_8422_2325);
        hash.add(kind);
        hash
    }

    fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    fn term(self) -> Term {
        Term((self.0 ^ (self.0 >> 32)) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str) -> Vec<String> {
        text.split(' ').map(|word| String::from_utf8_lossy(stem(word.as_bytes())).into_owned()).collect()
    }

    #[test]
    fn forms_of_a_word_meet() {
        for forms in [
            "parse parses parsed parsing parser parsers",
            "serialize serialized serializes serializing",
            "query queries",
            "validate validated validation validations validator",
            "set sets setting settings",
            "load loads loaded loading loader",
        ] {
            let all = stems(forms);
            assert!(all.windows(2).all(|two| two[0] == two[1]), "{forms}: {all:?}");
        }
        assert_eq!(stems("is class this bus red ring"), ["is", "class", "thi", "bus", "red", "ring"]);
    }

    #[test]
    fn identifiers_are_taken_whole_and_in_parts() {
        let of = |text: &str| {
            let mut all = Vec::new();
            terms(text, |term| all.push(term));
            all
        };
        assert_eq!(of("parseDate"), [whole("parsedate"), of("parse")[0], of("date")[0]]);
        assert_eq!(of("HTTPServer2"), [whole("httpserver2"), of("http")[0], of("server2")[0]]);
        assert_eq!(of("__init__"), [whole("__init__"), of("init")[0]]);
        assert_eq!(of("a b1 12 漢字文 naïve").len(), 1 + 2 + 1);
        assert!(is_compound("a_b") && is_compound("aB") && is_compound("_x") && !is_compound("word"));
    }
}
