//! Configuration: keys with values, secrets masked. TOML, INI, `.env`, properties and YAML, read line by line.
//!
//! A tolerant reader of lines instead of a parser: it reads a file that is being edited, it costs one pass, and no
//! nesting can exhaust it. What it does not understand it leaves out; without any pair it gives nothing. `saphyr-parser` would not replace it: its events end at the first error, so
//! these readers would have to stay for the rest, and values are shown as they are written, not as they are meant.

mod yaml;

pub use yaml::yaml;

use super::code::is_mark;
use super::lines::{Lines, clip, flat, sentence};
use super::secret::mask_value;
use std::collections::BTreeMap;

/// A longer value is cut: enough for a version, an address, a short list.
pub const LONGEST_VALUE: usize = 80;
/// Of `[[tables]]` of one name so many are shown, the rest is counted.
const TABLES: usize = 2;
/// What is gathered of a value over several lines.
const GATHERED: usize = 1000;

pub fn toml(text: &str) -> Lines {
    let mut lines = Lines::new();
    comment(&mut lines, text);
    let mut header = "";
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut hidden = false;
    let mut open: Option<(String, Value)> = None;
    for line in text.lines() {
        if let Some((key, mut value)) = open.take() {
            value.add(line);
            if value.is_open() {
                open = Some((key, value));
            } else if !hidden {
                pair(&mut lines, &key, &value.text);
            }
            continue;
        }
        let line = line.trim();
        if let Some(name) = line.strip_prefix("[[").and_then(|rest| rest.split("]]").next()) {
            header = name.trim();
            let count = counts.entry(header).or_default();
            *count += 1;
            hidden = *count > TABLES;
        } else if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            header = name.trim();
            // A table inside a hidden one; deeper than eight dots nobody looks.
            hidden = header.match_indices('.').take(8).any(|(dot, _)| {
                header.get(..dot).and_then(|array| counts.get(array)).is_some_and(|count| *count > TABLES)
            });
        } else if let Some((key, rest)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            let key = dotted(header, key);
            let mut value = Value::default();
            value.add(rest);
            if value.is_open() {
                open = Some((key, value));
            } else if !hidden {
                pair(&mut lines, &key, &value.text);
            }
        }
    }
    // A bracket that is never closed takes the rest of the file; its key is still a key.
    if let Some((key, value)) = open {
        pair(&mut lines, &key, &value.text);
    }
    for (name, count) in counts.iter().filter(|(_, count)| **count > TABLES) {
        lines.push(1, format!("{name}: {count} tables"));
    }
    lines
}

/// INI, `.env` and properties: `key = value` or `key: value` under `[section]`.
pub fn pairs(text: &str) -> Lines {
    let mut lines = Lines::new();
    comment(&mut lines, text);
    let mut section = "";
    let mut last: Option<(String, String)> = None;
    for raw in text.lines() {
        let line = raw.trim();
        if line.is_empty() || line.starts_with(['#', ';', '!']) {
            continue;
        }
        if let Some((_, value)) = last.as_mut().filter(|_| raw.starts_with([' ', '\t'])) {
            // A value continues on indented lines.
            if value.len() < GATHERED {
                value.push(' ');
                value.push_str(line);
            }
            continue;
        }
        flush(&mut lines, &mut last);
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            section = name.trim();
        } else if let Some((key, value)) = line.split_once(['=', ':']) {
            let key = key.trim().strip_prefix("export ").unwrap_or(key);
            last = Some((dotted(section, key), value.trim().to_owned()));
        }
    }
    flush(&mut lines, &mut last);
    lines
}

fn flush(lines: &mut Lines, last: &mut Option<(String, String)>) {
    if let Some((key, value)) = last.take() {
        pair(lines, &key, &value);
    }
}

/// One key with its value. Deeper keys rank lower.
pub fn pair(lines: &mut Lines, key: &str, value: &str) {
    if lines.is_full() {
        lines.note(key);
        return;
    }
    let value = clip(&mask_value(key, &flat(value)), LONGEST_VALUE);
    lines.push_key(key, format!("{} = {value}", clip(key, LONGEST_VALUE)));
}

/// What the file is for, if its first lines say so.
pub fn comment(lines: &mut Lines, text: &str) {
    let mut said = String::new();
    let first = text.lines().skip_while(|line| line.trim().is_empty() || line.trim() == "---");
    for line in first.take_while(|line| line.starts_with(['#', ';'])).take(20) {
        let line = line.trim_matches(['#', ';', '!', ' ', '\t']);
        if is_mark(line) {
            continue;
        }
        if line.is_empty() && !said.is_empty() {
            break;
        }
        said.push_str(line);
        said.push(' ');
    }
    let said = said.trim();
    // A commented-out setting or a mark for an editor is no description.
    if said.contains(' ') && !said.contains(['=', '{']) && !said.to_lowercase().contains("copyright") {
        lines.push(0, format!("# {}", sentence(said)));
    }
}

fn dotted(prefix: &str, key: &str) -> String {
    let key = key.trim();
    if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") }
}

/// A TOML value that may go over several lines: brackets left open, or a string of three quotes.
#[derive(Default)]
struct Value {
    text: String,
    brackets: usize,
    quotes: Option<&'static str>,
}

impl Value {
    fn is_open(&self) -> bool {
        self.brackets > 0 || self.quotes.is_some()
    }

    fn add(&mut self, line: &str) {
        let mut rest = line;
        let end = loop {
            if let Some(quotes) = self.quotes {
                let Some(at) = rest.find(quotes) else { break line.len() };
                rest = rest.get(at + quotes.len()..).unwrap_or("");
                self.quotes = None;
            }
            let Some(at) = rest.find(['"', '\'', '[', ']', '{', '}', '#']) else { break line.len() };
            let (_, found) = rest.split_at(at);
            if let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|quotes| found.starts_with(quotes)) {
                self.quotes = Some(quotes);
                rest = found.get(3..).unwrap_or("");
                continue;
            }
            let inside = found.get(1..).unwrap_or("");
            rest = match found.as_bytes().first() {
                Some(b'[' | b'{') => {
                    self.brackets += 1;
                    inside
                }
                Some(b']' | b'}') => {
                    self.brackets = self.brackets.saturating_sub(1);
                    inside
                }
                Some(b'#') => break line.len() - found.len(),
                Some(quote) => after_string(inside, *quote),
                None => break line.len(),
            };
        };
        if self.text.len() < GATHERED {
            self.text.push_str(line.get(..end).unwrap_or(line).trim());
            self.text.push(' ');
        }
    }
}

fn after_string(inside: &str, quote: u8) -> &str {
    let mut escaped = false;
    let end = inside.bytes().position(|byte| {
        let ends = byte == quote && !escaped;
        escaped = byte == b'\\' && quote == b'"' && !escaped;
        ends
    });
    end.and_then(|at| inside.get(at + 1..)).unwrap_or("")
}
