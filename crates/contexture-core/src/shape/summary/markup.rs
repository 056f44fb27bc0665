//! HTML, XML and CSS: what a page says and loads, the values of a document, the names in a style sheet.
//!
//! One scanner of tags serves HTML and XML. It keeps no tree: open elements below a fixed depth are only counted.
//! `quick-xml` would replace some 50 lines of it, but takes a lone `<`, a `>` inside `{% … %}` and the text of scripts for tags:
//! what follows in an HTML page or a template would be misread.

use super::config::pair;
use super::lines::{Lines, flat, head};
use std::collections::{BTreeMap, BTreeSet};

/// Names listed of one sort.
const MOST: usize = 120;

pub fn html(text: &str) -> Lines {
    let mut lines = Lines::new();
    let (mut scripts, mut styles) = (Vec::new(), Vec::new());
    // The heading being read, its rank, and its text.
    let mut open: Option<(u8, String)> = None;
    let mut rest = text;
    while let Some(piece) = next_piece(&mut rest) {
        match piece {
            Piece::Text(said) => {
                if let Some((_, title)) = open.as_mut().filter(|(_, title)| title.len() < 400) {
                    title.push_str(head(said, 400));
                    title.push(' ');
                }
            }
            Piece::Open { name, attributes, .. } => {
                let name = name.to_ascii_lowercase();
                match name.as_str() {
                    "title" => open = Some((0, String::new())),
                    "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                        open = Some((name.as_bytes().get(1).map_or(1, |digit| digit - b'0'), String::new()));
                    }
                    "meta" if attribute(attributes, "name").is_some_and(|name| name == "description") => {
                        lines.push(1, format!("description: {}", attribute(attributes, "content").unwrap_or("")));
                    }
                    "link" if attribute(attributes, "rel").is_some_and(|rel| rel.contains("stylesheet")) => {
                        styles.extend(attribute(attributes, "href").filter(|_| styles.len() < MOST));
                    }
                    "script" => {
                        scripts.extend(attribute(attributes, "src").filter(|_| scripts.len() < MOST));
                        skip_raw(&mut rest, "script");
                    }
                    "style" => skip_raw(&mut rest, "style"),
                    _ => {}
                }
            }
            Piece::Close(name) => {
                let ends = name.eq_ignore_ascii_case("title") || (name.len() == 2 && name.starts_with(['h', 'H']));
                if let Some((level, title)) = open.take_if(|_| ends) {
                    let indent = "  ".repeat(usize::from(level.saturating_sub(1)));
                    let marks = "#".repeat(usize::from(level));
                    let lead = if level == 0 { "title:".to_owned() } else { format!("{indent}{marks}") };
                    if !title.trim().is_empty() {
                        lines.push(level, format!("{lead} {}", flat(&title)));
                    }
                }
            }
        }
        if lines.is_full() {
            break;
        }
    }
    lines.list(2, "scripts", &scripts);
    lines.list(2, "styles", &styles);
    lines
}

/// Elements with nothing but text in them, as dotted keys with values, and the names of the elements under the root.
pub fn xml(text: &str) -> Lines {
    /// Values below this depth are details.
    const DEEPEST: usize = 5;
    let mut lines = Lines::new();
    let mut path: Vec<&str> = Vec::new();
    let mut deeper = 0usize;
    let mut said: Option<&str> = None;
    let (mut children, mut seen) = (Vec::new(), BTreeSet::new());
    let mut rest = text;
    while let Some(piece) = next_piece(&mut rest) {
        match piece {
            Piece::Text(inside) => said = Some(inside.trim()).filter(|inside| !inside.is_empty()),
            Piece::Open { name, closed, .. } => {
                said = None;
                if path.len() == 1 && deeper == 0 && children.len() < MOST && seen.insert(name) {
                    children.push(name);
                }
                match (closed, path.len() < DEEPEST) {
                    (true, _) => {}
                    (false, true) => path.push(name),
                    (false, false) => deeper += 1,
                }
            }
            Piece::Close(_) if deeper > 0 => deeper -= 1,
            Piece::Close(_) => {
                if let Some(value) = said.take().filter(|_| path.len() > 1) {
                    let keys: Vec<&str> = path.iter().skip(1).map(|name| head(name, 60)).collect();
                    pair(&mut lines, &keys.join("."), value);
                }
                path.pop();
            }
        }
        if lines.is_full() {
            break;
        }
    }
    lines.list(1, "elements", &children);
    lines
}

/// A drawing: its title, its size, and how many elements of each sort it has.
pub fn svg(text: &str) -> Lines {
    let mut lines = Lines::new();
    let (mut counts, mut title) = (BTreeMap::<&str, usize>::new(), false);
    let mut rest = text;
    while let Some(piece) = next_piece(&mut rest) {
        match piece {
            Piece::Open { name: "svg", attributes, .. } if lines.is_empty() => {
                let given = ["viewBox", "width", "height"].into_iter().filter_map(|name| {
                    let value = attribute(attributes, name)?;
                    Some(format!("{name} {}", flat(value)))
                });
                lines.push(0, format!("drawing: {}", given.collect::<Vec<_>>().join(", ")));
            }
            Piece::Open { name, .. } => {
                title = name == "title" || name == "desc";
                // So many different names are no drawing's.
                if counts.len() < MOST || counts.contains_key(name) {
                    *counts.entry(head(name, 40)).or_default() += 1;
                }
            }
            Piece::Text(said) if title => lines.push(1, flat(said)),
            Piece::Text(_) => {}
            Piece::Close(_) => title = false,
        }
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    lines.list(2, "elements", &counts);
    lines
}

pub fn css(text: &str) -> Lines {
    let (mut rules, mut properties, mut selectors) = (Names::default(), Names::default(), Names::default());
    // What stands before the next `{`, `}` or `;`.
    let mut start = 0;
    // Nothing but white space and comments since then.
    let mut blank = true;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let Some(end) = text.get(at..).and_then(|rest| rest.find("*/")) else { break };
                at += end + 2;
                // A comment before a selector is no part of it.
                start = if blank { at } else { start };
                continue;
            }
            b'"' | b'\'' => {
                let inside = bytes.get(at + 1..).unwrap_or(&[]);
                at += memchr::memchr2(*byte, b'\n', inside).map_or(inside.len(), |end| end + 1);
            }
            b'{' | b'}' | b';' => {
                let said = text.get(start..at).unwrap_or("").trim();
                start = at + 1;
                blank = true;
                if said.starts_with('@') && *byte != b'}' {
                    rules.add(said);
                } else if let Some((name, _)) =
                    said.split_once(':').filter(|_| said.starts_with("--") || said.starts_with('$'))
                {
                    properties.add(name.trim());
                } else if *byte == b'{' {
                    // `:is(a, b)` is one selector, `a, b` are two.
                    let border = |c: char| c == ',' && !said.contains('(');
                    said.split(border).for_each(|selector| selectors.add(selector));
                }
            }
            byte => blank &= byte.is_ascii_whitespace(),
        }
        at += 1;
    }
    let mut lines = Lines::new();
    if let Some((comment, _)) = text.trim_start().strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
        let comment = flat(comment.trim_matches(['*', '!', ' ', '\n']));
        if !comment.to_lowercase().contains("copyright") {
            lines.push(0, super::lines::sentence(&comment));
        }
    }
    lines.list(1, "at-rules", &rules.list);
    lines.list(1, "custom properties", &properties.list);
    lines.list(2, "selectors", &selectors.list);
    lines
}

/// Names in the order of the file, each once.
#[derive(Default)]
struct Names {
    list: Vec<String>,
    seen: BTreeSet<String>,
}

impl Names {
    fn add(&mut self, name: &str) {
        let name = flat(head(name, 120));
        if self.list.len() < MOST && !name.is_empty() && self.seen.insert(name.clone()) {
            self.list.push(name);
        }
    }
}

enum Piece<'a> {
    Text(&'a str),
    Open { name: &'a str, attributes: &'a str, closed: bool },
    Close(&'a str),
}

/// The next tag or the text before it. A tag that never ends is the end.
fn next_piece<'a>(rest: &mut &'a str) -> Option<Piece<'a>> {
    loop {
        let text: &'a str = rest;
        if text.is_empty() {
            return None;
        }
        let start = memchr::memchr(b'<', text.as_bytes()).unwrap_or(text.len());
        if start > 0 {
            *rest = text.get(start..).unwrap_or("");
            return text.get(..start).map(Piece::Text);
        }
        for (open, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")] {
            if let Some(inside) = text.strip_prefix(open) {
                let (_, after) = inside.split_once(end)?;
                *rest = after;
                break;
            }
        }
        if rest.len() < text.len() {
            continue;
        }
        let tag = text.get(1..)?;
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '_') {
            // A lone `<` is text.
            *rest = tag;
            return Some(Piece::Text(text.get(..1)?));
        }
        let end = tag_end(tag)?;
        *rest = tag.get(end + 1..).unwrap_or("");
        let tag = tag.get(..end)?;
        if let Some(name) = tag.strip_prefix('/') {
            return Some(Piece::Close(name.trim()));
        }
        let length = tag.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(tag.len());
        let (name, attributes) = tag.split_at(length);
        return Some(Piece::Open { name, attributes, closed: tag.ends_with('/') });
    }
}

/// Where the `>` of a tag is, not counting those in quoted values and in `{% … %}` or `{{ … }}`.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    walk(tag, |byte| {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && byte == b'>'
    })
}

/// The first place outside of template marks that is wanted.
fn walk(text: &str, mut wanted: impl FnMut(u8) -> bool) -> Option<usize> {
    /// A template mark is shorter; what does not end within this is none.
    const LONGEST_MARK: usize = 300;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let end = match (byte, bytes.get(at + 1)) {
            (b'{', Some(b'%')) => Some("%}"),
            (b'{', Some(b'{')) => Some("}}"),
            _ => None,
        };
        let near = bytes.get(at..bytes.len().min(at + LONGEST_MARK)).unwrap_or(&[]);
        if let Some(length) = end.and_then(|end| near.windows(2).position(|pair| pair == end.as_bytes())) {
            at += length + 2;
        } else if wanted(*byte) {
            return Some(at);
        } else {
            at += 1;
        }
    }
    None
}

/// The value of an attribute; of a value made by a template the path inside, if there is one.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let attributes = head(attributes, 2000);
    let value = attributes.match_indices(name).find_map(|(at, _)| {
        let before = attributes.get(..at)?.chars().next_back()?;
        let value = attributes.get(at + name.len()..)?.trim_start().strip_prefix('=')?.trim_start();
        before.is_whitespace().then_some(value)
    })?;
    let value = match value.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let inside = value.get(1..)?;
            inside.get(..walk(inside, |byte| byte == *quote).unwrap_or(inside.len()))?
        }
        _ => value.get(..walk(value, |byte| byte.is_ascii_whitespace() || byte == b'/').unwrap_or(value.len()))?,
    };
    let template = value.starts_with("{%") || value.starts_with("{{");
    let path = value.split(['"', '\'']).skip(1).step_by(2).find(|part| part.contains(['/', '.']));
    Some(path.filter(|_| template).unwrap_or(value))
}

/// Goes to the end of a script or a style: `<` is no tag there. Without an end, to the end of the text.
fn skip_raw(rest: &mut &str, name: &str) {
    let text = *rest;
    let end = memchr::memchr_iter(b'<', text.as_bytes()).find(|at| {
        text.get(at + 2..at + 2 + name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name))
            && text.as_bytes().get(at + 1) == Some(&b'/')
    });
    *rest = end.and_then(|at| text.get(at..)).unwrap_or("");
}
