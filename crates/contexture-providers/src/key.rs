//! An API key, which nothing shows.
//!
//! Takes what somebody gave as key; gives it to the header of a request, and takes it out of texts that are to be shown. There is
//! no other way to read it: no `Display`, no `Serialize`, and a `Debug` that only says that there is one.

use super::ProviderError;
use contexture_core::render::is_hidden;
use reqwest::header::HeaderValue;
use std::fmt;

/// An API key. Spaces and line ends around it are not part of it: keys come out of files.
#[derive(Clone)]
pub struct Key(String);

/// So much of a key in a text is taken for the key: servers repeat it cut. Shorter pieces are words, or what a server shows of it
/// on purpose, with stars for the rest.
const PIECE: usize = 8;

/// Shorter keys are words that servers on one's own machine take for one (`ollama`, `none`). Answers have them for what they mean; in errors
/// and logs they are hidden all the same.
const SECRET: usize = 16;

/// As many characters as a terminal shows in three lines or four.
const SHOWN: usize = 300;

/// More of a text is not looked at.
const READ: usize = 16 * SHOWN;

impl Key {
    /// Refuses what cannot be in a header, without telling it.
    pub fn new(key: &str) -> Result<Self, ProviderError> {
        let key = key.trim();
        if key.is_empty() {
            return Err(ProviderError::Key("it is empty"));
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ProviderError::Key("it has characters other than letters, digits and signs of ASCII"));
        }
        Ok(Self(key.to_owned()))
    }

    /// The value of a header, with what stands before the key. Marked, so that HTTP libraries do not show it either.
    pub(super) fn header(&self, before: &str) -> Result<HeaderValue, ProviderError> {
        let value = HeaderValue::from_str(&format!("{before}{}", self.0));
        let mut value = value.map_err(|_| ProviderError::Key("it cannot be sent in a header"))?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// For the environment of a program that asks in our place.
    pub(super) fn give(&self, command: &mut std::process::Command, name: &str) {
        command.env(name, &self.0);
    }
}

/// A key that is not a word.
fn secret(key: Option<&Key>) -> Option<&str> {
    key.map(|key| &*key.0).filter(|key| key.len() >= SECRET)
}

/// Whether a text has the key in it as a whole.
pub(super) fn has(text: &str, key: Option<&Key>) -> bool {
    secret(key).is_some_and(|key| text.contains(key))
}

/// Whether a text ends with so much of the key that it is taken for the key.
pub(super) fn begins(text: &str, key: Option<&Key>) -> bool {
    secret(key).is_some_and(|key| held_len(text, key) >= PIECE)
}

/// A text from outside that is kept as it came, but for the key where a server repeats it as a whole.
pub(super) fn without_key(text: String, key: Option<&Key>) -> String {
    match secret(key) {
        Some(key) if text.contains(key) => text.replace(key, "…"),
        Some(_) | None => text,
    }
}

/// A text of which more may come: what can be told of it, and what has to wait, since the key may begin with it.
pub(super) fn split_held(text: String, key: Option<&Key>) -> (String, String) {
    let mut told = without_key(text, key);
    let held = secret(key).map_or(0, |key| held_len(&told, key));
    let held = told.split_off(told.len() - held);
    (told, held)
}

/// How many bytes at the end of a text the key begins with.
fn held_len(text: &str, key: &str) -> usize {
    (1..key.len()).rev().find(|length| text.ends_with(&key[..*length])).unwrap_or_default()
}

/// What waited and is not the key. A long piece of the key is not told either.
pub(super) fn release_held(held: &str, key: Option<&Key>) -> String {
    secret(key).map_or_else(|| held.to_owned(), |key| without_pieces(held, key))
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// A text from outside as it may be shown: one line, not long, nothing invisible, and without the key.
pub(super) fn printable(text: &str, key: Option<&Key>) -> String {
    let visible = text.chars().take(READ).filter(|c| c.is_whitespace() || !is_hidden(*c));
    let line = visible.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
    // Behind the change to one line, which could put a key together.
    let line = key.map_or_else(|| line.clone(), |key| without_pieces(&line, &key.0));
    if line.chars().nth(SHOWN).is_none() {
        return line;
    }
    line.chars().take(SHOWN - 1).chain(['…']).collect()
}

/// Has `…` where the text has the key or a piece of it, in small or capital letters.
fn without_pieces(text: &str, key: &str) -> String {
    let (lower, key) = (text.to_ascii_lowercase().into_bytes(), key.to_ascii_lowercase().into_bytes());
    let piece = PIECE.min(key.len());
    // All pieces of the key, sorted, so that the time does not grow with its length.
    let mut pieces: Vec<&[u8]> = key.windows(piece).collect();
    pieces.sort_unstable();
    let mut told = String::with_capacity(text.len());
    // Up to where the last piece reaches. It is all ASCII, so no character is cut.
    let (mut until, mut is_hiding) = (0, false);
    for (at, c) in text.char_indices() {
        if lower.get(at..at + piece).is_some_and(|window| pieces.binary_search(&window).is_ok()) {
            until = at + piece;
        }
        if at >= until {
            told.push(c);
        } else if !is_hiding {
            told.push('…');
        }
        is_hiding = at < until;
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str, key: &str) -> String {
        printable(text, Some(&Key::new(key).unwrap()))
    }

    #[test]
    fn what_is_shown_is_one_short_line() {
        assert_eq!(printable(" a\r\n\tb\u{1b}[31m c\u{202e}d\u{2028}e ", None), "a b[31m cd e");
        assert_eq!(printable(&"ä".repeat(300), None), "ä".repeat(300));
        assert_eq!(printable(&"ä".repeat(301), None), "ä".repeat(299) + "…");
        assert_eq!(printable(&"x".repeat(1 << 20), None).chars().count(), 300);
        assert_eq!(printable("", None), "");
    }

    #[test]
    fn no_piece_of_the_key_is_shown() {
        let key = "sk-0123456789abcdef";
        assert_eq!(printed("wrong key: sk-0123456789abcdef.", key), "wrong key: ….");
        assert_eq!(printed("wrong key: SK-0123456789ABCDEF", key), "wrong key: …");
        assert_eq!(printed("sk-0123456789abcdefsk-0123456789abcdef", key), "…");
        assert_eq!(printed("wrong key: sk-0123456789...", key), "wrong key: …...");
        assert_eq!(printed("wrong key: sk-0***cdef", key), "wrong key: sk-0***cdef");
        assert_eq!(printed("sk-0123\u{200b}456789abcdef", key), "…");
        assert_eq!(printed("schlüssel sk-0123456789abcdefü", key), "schlüssel …ü");
        let end = format!("{} {key}", "x".repeat(290));
        assert_eq!(printed(&end, key), "x".repeat(290) + " …");
    }

    #[test]
    fn a_key_is_found_wherever_it_is_cut() {
        let key = Key::new("sk-0123456789abcdef").unwrap();
        let text = "it is sk-sk-0123456789abcdef, sk-01 and sk-0123456789";
        let wanted = "it is sk-…, sk-01 and …";
        for first in 0..text.len() {
            for second in first..text.len() {
                let (mut told, mut held) = (String::new(), String::new());
                for piece in [&text[..first], &text[first..second], &text[second..]] {
                    let (shown, wait) = split_held(held + piece, Some(&key));
                    told.push_str(&shown);
                    held = wait;
                }
                told.push_str(&release_held(&held, Some(&key)));
                assert_eq!(told, wanted, "{first} {second}");
            }
        }
        assert_eq!(split_held("so".into(), None), ("so".into(), String::new()));
    }

    #[test]
    fn short_keys_are_hidden_as_a_whole() {
        assert_eq!(printed("the key x1 is wrong, x is not", "x1"), "the key … is wrong, x is not");
        assert_eq!(printed("aaab", "a"), "…b");
    }

    #[test]
    fn words_that_stand_for_a_key_stay_in_answers() {
        let word = Key::new("ollama").unwrap();
        let text = "Use ollama to run oll";
        assert_eq!(without_key(text.into(), Some(&word)), text);
        assert_eq!(split_held(text.into(), Some(&word)), (text.into(), String::new()));
        assert!(!has(text, Some(&word)) && !begins(text, Some(&word)));
        assert_eq!(printed("wrong key: ollama", "ollama"), "wrong key: …");
        let key = "a".repeat(SECRET);
        assert_eq!(without_key(format!("it is {key}"), Some(&Key::new(&key).unwrap())), "it is …");
    }

    #[test]
    fn keys_are_letters_and_signs() {
        assert_eq!(format!("{:?}", Key::new(" sk-1\r\n").unwrap()), "Key(…)");
        for wrong in ["", " \n", "a b", "a\nb", "schlüssel", "a\u{7f}"] {
            let error = Key::new(wrong).unwrap_err();
            assert!(matches!(error, ProviderError::Key(_)), "{error}");
        }
    }
}
