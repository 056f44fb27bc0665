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
    // Inside a block of text (`|`, `>`): its indentation is deeper than this.
    let mut block: Option<usize> = None;
    for raw in text.lines() {
        let line = raw.trim();
        let indent = raw.len() - raw.trim_start().len();
        if line.is_empty() || line.starts_with('#') || block.is_some_and(|outer| indent > outer) {
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
        if lines.is_full() {
            break;
        }
        if line == "---" || line == "..." || line.starts_with('%') {
            path.clear();
            continue;
        }
        if item {
            path.retain(|(outer, _)| *outer <= indent);
            let mut open = List::new(indent, join(&path));
            open.take(line, indent, true);
            list = Some(open);
            continue;
        }
        let Some((key, value)) = key_value(line) else { continue };
        path.retain(|(outer, _)| *outer < indent);
        path.push((indent, key));
        if path.len() > DEEPEST {
            continue;
        }
        let value = value.trim();
        if value.starts_with(['|', '>']) {
            block = Some(indent);
            pair(&mut lines, &join(&path), "(text)");
        } else if !value.is_empty() {
            pair(&mut lines, &join(&path), value);
        } else if path.len() == DEEPEST {
            pair(&mut lines, &join(&path), "…");
        }
    }
    list.into_iter().for_each(|list| list.close(&mut lines));
    lines
}

struct List {
    indent: usize,
    path: String,
    items: usize,
    scalars: Vec<String>,
    keys: Vec<String>,
    /// Where the keys of the first item stand.
    inner: usize,
}

impl List {
    fn new(indent: usize, path: String) -> Self {
        Self { indent, path, items: 0, scalars: Vec::new(), keys: Vec::new(), inner: 0 }
    }

    fn take(&mut self, line: &str, indent: usize, item: bool) {
        if indent == self.indent && item {
            self.items += 1;
            let said = line.get(1..).unwrap_or("").trim_start();
            self.inner = indent + line.len() - said.len();
            match key_value(said) {
                Some((key, _)) => self.key(key),
                None if self.scalars.len() < SAMPLES => {
                    self.scalars.push(clip(&mask_value(&self.path, said), LONGEST_VALUE / 2));
                }
                None => {}
            }
        } else if indent == self.inner
            && let Some((key, _)) = key_value(line)
        {
            self.key(key);
        }
    }

    fn key(&mut self, key: &str) {
        if self.keys.len() < SAMPLES && !self.keys.iter().any(|known| known == key) {
            self.keys.push(clip(key, LONGEST_VALUE / 2));
        }
    }

    fn close(self, lines: &mut Lines) {
        let more = if self.items > self.scalars.len() { ", …" } else { "" };
        let said = if !self.keys.is_empty() {
            format!("[{} items: {}]", self.items, self.keys.join(", "))
        } else {
            format!("[{}{more}]", self.scalars.join(", "))
        };
        let depth = self.path.matches('.').count().min(5) as u8;
        let lead = if self.path.is_empty() { String::new() } else { format!("{} = ", clip(&self.path, LONGEST_VALUE)) };
        lines.push(1 + depth, format!("{lead}{said}"));
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

fn join(path: &[(usize, &str)]) -> String {
    // A deeper path is cut at its beginning: the near keys say more.
    let from = path.len().saturating_sub(DEEPEST + 2);
    path.iter().skip(from).map(|(_, key)| *key).collect::<Vec<_>>().join(".")
}
