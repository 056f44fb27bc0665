//! YAML by its lines and their indentation: mappings as dotted keys, lists as their length and what is in them.

use super::{LONGEST_VALUE, comment, pair};
use crate::shape::summary::lines::{Lines, clip};
use crate::shape::summary::secret::mask_value;

/// Keys below this depth are not shown; their parent says that there are some.
const DEEPEST: usize = 4;
/// Values and keys gathered of a list.
const SAMPLES: usize = 8;

pub fn yaml(text: &str) -> Lines {
    let mut lines = Lines::new();
    comment(&mut lines, text);
    let mut path: Vec<(usize, &str)> = Vec::new();
    let mut list: Option<List> = None;
    // Inside a block of text (`|`, `>`) or a string of several lines: its indentation is deeper than this.
    let mut block: Option<usize> = None;
    // A key whose text begins on the next line.
    let mut waiting: Option<(usize, String)> = None;
    for raw in text.lines() {
        let line = raw.trim();
        let indent = raw.len() - raw.trim_start().len();
        if line.is_empty() {
            continue;
        }
        if block.is_some_and(|outer| indent > outer) {
            if let Some((_, key)) = waiting.take() {
                pair(&mut lines, &key, &format!("{line} …"));
            }
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        block = None;
        let item = line == "-" || line.starts_with("- ");
        if let Some(open) = &mut list {
            if indent > open.indent || (indent == open.indent && item) {
                open.take(line, indent, item);
                continue;
            }
            list.take().into_iter().for_each(|list| list.close(&mut lines));
        }
        if line == "---" || line == "..." || line.starts_with('%') {
            path.clear();
            continue;
        }
        if item {
            path.retain(|(outer, _)| *outer <= indent);
            let mut open = List { indent, path: join(&path), inner: Some(0), ..List::default() };
            open.take(line, indent, true);
            list = Some(open);
            continue;
        }
        let Some((key, value)) = key_value(line) else {
            // A plain text under its key.
            if let Some((_, key)) = waiting.take().filter(|(outer, _)| indent > *outer) {
                pair(&mut lines, &key, line);
            }
            continue;
        };
        waiting = None;
        path.retain(|(outer, _)| *outer < indent);
        path.push((indent, key));
        if path.len() > DEEPEST {
            continue;
        }
        let value = value.trim();
        if value.starts_with(['|', '>']) || (value.starts_with('!') && value.ends_with(['|', '>'])) {
            block = Some(indent);
            waiting = Some((indent, join(&path)));
        } else if is_open_string(value) {
            block = Some(indent);
            pair(&mut lines, &join(&path), &format!("{value} …"));
        } else if !value.is_empty() {
            pair(&mut lines, &join(&path), value);
        } else if path.len() == DEEPEST {
            pair(&mut lines, &join(&path), "…");
        } else {
            waiting = Some((indent, join(&path)));
        }
    }
    list.into_iter().for_each(|list| list.close(&mut lines));
    lines
}

#[derive(Default)]
struct List {
    indent: usize,
    path: String,
    items: usize,
    scalars: Vec<String>,
    keys: Vec<String>,
    /// What the items call themselves, and by which key.
    names: Vec<String>,
    named_by: Option<&'static str>,
    /// Where the keys of the item stand; `None`: on the next line.
    inner: Option<usize>,
}

/// The keys that tell one item from another, the best first.
const NAMING: &[&str] = &["name", "id", "repo", "key", "host", "hosts"];

impl List {
    fn take(&mut self, line: &str, indent: usize, item: bool) {
        if indent == self.indent && item {
            self.items += 1;
            let said = line.get(1..).unwrap_or("").trim_start();
            self.inner = (!said.is_empty()).then_some(indent + line.len() - said.len());
            if !said.is_empty() {
                self.inside(said);
            }
        } else if self.inner.is_none_or(|inner| indent == inner) {
            let begins = self.inner.replace(indent).is_none();
            if begins || key_value(line).is_some() {
                self.inside(line);
            }
        }
    }

    fn inside(&mut self, said: &str) {
        match key_value(said) {
            Some((key, value)) => self.key(key, value.trim()),
            None if self.scalars.len() < SAMPLES => {
                self.scalars.push(clip(&mask_value(&self.path, said), LONGEST_VALUE / 2));
            }
            None => {}
        }
    }

    fn key(&mut self, key: &str, value: &str) {
        if self.keys.len() < SAMPLES && !self.keys.iter().any(|known| known == key) {
            self.keys.push(clip(key, LONGEST_VALUE / 2));
        }
        // The first naming key that is met names all items.
        if self.named_by.is_none() {
            self.named_by = NAMING.iter().find(|name| **name == key).copied();
        }
        if self.named_by == Some(key) && !value.is_empty() && self.names.len() < SAMPLES {
            self.names.push(clip(&mask_value("", value.trim_matches(['"', '\''])), LONGEST_VALUE / 2));
        }
    }

    fn close(self, lines: &mut Lines) {
        let more = |shown: usize| if self.items > shown { ", …" } else { "" };
        // Names that most items have say more than the keys all of them have.
        let named = self.named_by.filter(|_| self.names.len() * 2 > self.items.min(SAMPLES));
        let said = if let Some(key) = named {
            format!("[{} items by {key}: {}{}]", self.items, self.names.join(", "), more(self.names.len()))
        } else if !self.keys.is_empty() {
            format!("[{} items: {}]", self.items, self.keys.join(", "))
        } else {
            format!("[{}{}]", self.scalars.join(", "), more(self.scalars.len()))
        };
        let lead = if self.path.is_empty() { String::new() } else { format!("{} = ", clip(&self.path, LONGEST_VALUE)) };
        lines.push_key(&self.path, format!("{lead}{said}"));
    }
}

/// `key: value`, also with a quoted key; the key must look like one, so that prose with a colon is none.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = match line.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let inside = line.get(1..)?;
            let end = inside.find(char::from(*quote))?;
            (inside.get(..end)?, inside.get(end + 1..)?.trim_start().strip_prefix(':')?)
        }
        b'{' | b'[' | b'&' | b'*' | b'-' => return None,
        _ => line.split_once(": ").or_else(|| line.strip_suffix(':').map(|key| (key, "")))?,
    };
    let comment = value.find(" #").filter(|at| !value.get(..*at).is_some_and(|lead| lead.contains(['"', '\''])));
    let value = comment.and_then(|at| value.get(..at)).unwrap_or(value);
    (!key.is_empty() && key.len() <= 200 && key.split(' ').count() <= 4).then_some((key.trim(), value))
}

/// A quoted text that goes on in the next line.
fn is_open_string(value: &str) -> bool {
    match value.as_bytes().first() {
        Some(quote @ (b'"' | b'\'')) => {
            let ends = value.len() > 1 && value.as_bytes().last() == Some(quote);
            !ends && !value.get(1..).is_some_and(|inside| inside.contains(char::from(*quote)))
        }
        _ => false,
    }
}

fn join(path: &[(usize, &str)]) -> String {
    // A deeper path is cut at its beginning: the near keys say more.
    let from = path.len().saturating_sub(DEEPEST + 2);
    path.iter().skip(from).map(|(_, key)| *key).collect::<Vec<_>>().join(".")
}
