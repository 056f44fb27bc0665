//! JSON: keys with values, nested ones dotted; lists by their length and the keys of their first record.
//!
//! A tolerant scanner instead of a parser. One pass without recursion: 5 MB on one line cost milliseconds and no nesting
//! can exhaust it; comments and trailing commas are read over. Text that is no JSON gives nothing.

use super::config::pair;
use super::lines::{Lines, head};
use super::secret::mask_words;

pub fn read(text: &str, size: u64, whole: bool) -> Lines {
    let mut scan = Scan { text, size, at: 0, lines: Lines::new(), path: Vec::new(), key: None, empty: false };
    // A single value would be no structure to show, and text that begins otherwise is no JSON.
    if scan.run(whole).is_none() {
        return Lines::new();
    }
    scan.lines
}

/// Objects below this depth are shown by their keys.
const DEEPEST: usize = 4;
/// A list of plain values is shown as it is up to this length.
const SHORT_LIST: usize = 60;
/// Keys shown of an object that is not opened.
const KEYS: usize = 10;

struct Scan<'a> {
    text: &'a str,
    size: u64,
    at: usize,
    lines: Lines,
    /// The keys of the objects being read; never longer than [`DEEPEST`].
    path: Vec<&'a str>,
    key: Option<&'a str>,
    /// Nothing was read since an object was opened.
    empty: bool,
}

enum Token<'a> {
    Open(u8),
    Close(u8),
    Comma,
    Colon,
    String(&'a str),
    Other(&'a str),
}

impl<'a> Scan<'a> {
    /// `None`: malformed.
    fn run(&mut self, whole: bool) -> Option<()> {
        match self.token()? {
            Token::Open(b'{') => {}
            Token::Open(_) => {
                let shape = self.list(whole)?;
                self.lines.push(0, format!("{shape}, {} bytes", self.size));
                return Some(());
            }
            _ => return None,
        }
        let mut depth = 1usize;
        loop {
            let Some(token) = self.token() else { return (!whole).then_some(()) };
            match token {
                Token::Comma => self.key = None,
                Token::Colon => {}
                Token::String(word) | Token::Other(word) if self.key.is_none() => self.key = Some(word),
                Token::String(word) => self.value(&format!("\"{}\"", head(word, 400))),
                Token::Other(word) => self.value(head(word, 400)),
                Token::Open(b'{') if depth < DEEPEST => {
                    self.path.push(self.key.take()?);
                    self.empty = true;
                    depth += 1;
                    continue;
                }
                Token::Open(b'{') => {
                    let shape = self.skip(whole, 1)?.keys.join(", ");
                    self.value(&format!("{{{shape}}}"));
                }
                Token::Open(_) => {
                    let shape = self.list(whole)?;
                    self.value(&shape);
                }
                Token::Close(b'}') => {
                    self.key = None;
                    depth -= 1;
                    if depth == 0 {
                        // Anything but white space behind the end is another format.
                        return self.token().is_none().then_some(());
                    }
                    let key = self.path.pop();
                    if self.empty {
                        self.key = key;
                        self.value("{}");
                    }
                }
                Token::Close(_) => return None,
            }
            self.empty = false;
        }
    }

    fn value(&mut self, shown: &str) {
        let Some(key) = self.key.take() else { return };
        let keys: Vec<&str> = self.path.iter().chain([&key]).map(|key| head(key, 100)).collect();
        pair(&mut self.lines, &keys.join("."), shown);
    }

    /// Reads to the end of a list: its values, or their number and what they are like.
    fn list(&mut self, whole: bool) -> Option<String> {
        let start = self.at - 1;
        let seen = self.skip(whole, 2)?;
        let raw = self.text.get(start..self.at).unwrap_or("");
        if !seen.nested && raw.len() <= SHORT_LIST {
            return Some(mask_words(raw));
        }
        let keys = if seen.keys.is_empty() { String::new() } else { format!(": {}", seen.keys.join(", ")) };
        Some(format!("[{}{} items{keys}]", if seen.complete { "" } else { "at least " }, seen.items))
    }

    /// Skips to the end of what was just opened. Keys are gathered at the given depth: 1 inside an object, 2 inside the
    /// first object of a list.
    fn skip(&mut self, whole: bool, keys_at: usize) -> Option<KeyUse> {
        let mut seen = KeyUse::default();
        let (mut depth, mut any) = (1usize, false);
        let mut word: Option<&str> = None;
        loop {
            let Some(token) = self.token() else {
                return (!whole).then_some(seen);
            };
            match token {
                Token::Open(_) => {
                    any |= depth == 1;
                    depth += 1;
                    seen.nested = true;
                }
                Token::Close(_) => {
                    depth -= 1;
                    if depth == 0 {
                        seen.items += usize::from(any);
                        seen.complete = true;
                        return Some(seen);
                    }
                }
                Token::Comma if depth == 1 => {
                    seen.items += usize::from(any);
                    any = false;
                }
                Token::Comma => {}
                Token::String(said) | Token::Other(said) => {
                    any |= depth == 1;
                    word = Some(said);
                    continue;
                }
                Token::Colon => {
                    let first = depth == keys_at && (keys_at == 1 || seen.items == 0) && seen.keys.len() < KEYS;
                    seen.keys.extend(word.filter(|_| first).map(|key| head(key, 40).to_owned()));
                }
            }
            word = None;
        }
    }

    fn token(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            let start = self.at;
            self.at += 1;
            return Some(match byte {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b'{' | b'[' => Token::Open(byte),
                b'}' | b']' => Token::Close(byte),
                b',' => Token::Comma,
                b':' => Token::Colon,
                b'"' => Token::String(self.string()?),
                b'/' if matches!(bytes.get(self.at), Some(b'/' | b'*')) => {
                    self.comment()?;
                    continue;
                }
                _ => {
                    let rest = self.text.get(start..)?;
                    let border = |c: char| c.is_whitespace() || "{}[],:\"/".contains(c);
                    let end = rest.char_indices().skip(1).find(|(_, c)| border(*c)).map_or(rest.len(), |(at, _)| at);
                    self.at = start + end;
                    Token::Other(rest.get(..end)?)
                }
            });
        }
    }

    /// The inside of a string, as it is written.
    fn string(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        loop {
            let found = memchr::memchr2(b'"', b'\\', bytes.get(self.at..)?)?;
            self.at += found;
            if bytes.get(self.at) == Some(&b'"') {
                self.at += 1;
                return self.text.get(start..self.at - 1);
            }
            self.at += 2;
        }
    }

    fn comment(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let length = if rest.starts_with('*') { rest.find("*/")? + 2 } else { rest.find('\n').unwrap_or(rest.len()) };
        self.at += length;
        Some(())
    }
}

#[derive(Default)]
struct KeyUse {
    items: usize,
    nested: bool,
    complete: bool,
    keys: Vec<String>,
}
