//! An API key, which nothing shows.
//!
//! Takes what somebody gave as key; gives it to the header of a request, and takes it out of texts that are to be shown. There is
//! no other way to read it: no `Display`, no `Serialize`, and a `Debug` that only says that there is one.

use super::ProviderError;
use reqwest::header::HeaderValue;
use std::fmt;

/// An API key. Spaces and line ends around it are not part of it: keys come out of files.
#[derive(Clone)]
pub struct Key(String);

/// So much of a key in a text is taken for the key: servers repeat it cut. Shorter pieces are words, or what a server shows of it
/// on purpose, with stars for the rest.
const PIECE: usize = 8;

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

/// A text from outside that is kept as it came, but for the key where a server repeats it as a whole.
pub(super) fn kept(text: String, key: Option<&Key>) -> String {
    match key {
        Some(key) if text.contains(&key.0) => text.replace(&key.0, "…"),
        Some(_) | None => text,
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// A text from outside as it may be shown: one line, not long, nothing invisible, and without the key.
pub(super) fn shown(text: &str, key: Option<&Key>) -> String {
    let visible = text.chars().take(READ).filter(|c| c.is_whitespace() || !is_hidden(*c));
    let line = visible.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
    // Behind the change to one line, which could put a key together.
    let line = key.map_or_else(|| line.clone(), |key| without(&line, &key.0));
    if line.chars().nth(SHOWN).is_none() {
        return line;
    }
    line.chars().take(SHOWN - 1).chain(['…']).collect()
}

/// Has `…` where the text has the key or a piece of it, in small or capital letters.
fn without(text: &str, key: &str) -> String {
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

/// Characters that control a terminal, or that turn or hide what stands beside them.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, key: &str) -> String {
        shown(text, Some(&Key::new(key).unwrap()))
    }

    #[test]
    fn what_is_shown_is_one_short_line() {
        assert_eq!(shown(" a\r\n\tb\u{1b}[31m c\u{202e}d\u{2028}e ", None), "a b[31m cd e");
        assert_eq!(shown(&"ä".repeat(300), None), "ä".repeat(300));
        assert_eq!(shown(&"ä".repeat(301), None), "ä".repeat(299) + "…");
        assert_eq!(shown(&"x".repeat(1 << 20), None).chars().count(), 300);
        assert_eq!(shown("", None), "");
    }

    #[test]
    fn no_piece_of_the_key_is_shown() {
        let key = "sk-0123456789abcdef";
        assert_eq!(told("wrong key: sk-0123456789abcdef.", key), "wrong key: ….");
        assert_eq!(told("wrong key: SK-0123456789ABCDEF", key), "wrong key: …");
        assert_eq!(told("sk-0123456789abcdefsk-0123456789abcdef", key), "…");
        assert_eq!(told("wrong key: sk-0123456789...", key), "wrong key: …...");
        assert_eq!(told("wrong key: sk-0***cdef", key), "wrong key: sk-0***cdef");
        assert_eq!(told("sk-0123\u{200b}456789abcdef", key), "…");
        assert_eq!(told("schlüssel sk-0123456789abcdefü", key), "schlüssel …ü");
        let end = format!("{} {key}", "x".repeat(290));
        assert_eq!(told(&end, key), "x".repeat(290) + " …");
    }

    #[test]
    fn short_keys_are_hidden_as_a_whole() {
        assert_eq!(told("the key x1 is wrong, x is not", "x1"), "the key … is wrong, x is not");
        assert_eq!(told("aaab", "a"), "…b");
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
