//! A list of entries or paths replaced by another, with the text and the comments of those that stay.
//!
//! Understands both ways to write one: `paths = [ … ]` and `[[files.paths]]`. A comment behind an entry belongs to it and
//! goes with it; a comment on a line of its own may head a group and stays.

use super::spot::{self, Span, line_end, line_start, range};
use crate::config::entry;
use crate::config::error::Problem;
use crate::config::layer::dotted;
use crate::config::node::{Node, bare};
use std::collections::{BTreeMap, VecDeque};
use toml_edit::{Array, ArrayOfTables, Document, Item, Table, Value};

/// A list of up to this many characters stays on one line; it is the width to which people wrap such files.
const WIDTH: usize = 100;

pub(super) fn replace(text: &str, path: &[String], new: &[Node]) -> Result<String, Problem> {
    let document = spot::parse(text)?;
    match spot::find(&document, path) {
        Some(Item::Value(Value::Array(array))) => {
            let nodes: Vec<Node> = array.iter().map(Node::of_value).collect();
            match ElementMatch::of(&nodes, new, path)? {
                Some(matched) => Ok(spot::splice(text, range(array.span()), &array_text(text, array, &matched, new))),
                None => Ok(text.to_owned()),
            }
        }
        Some(Item::ArrayOfTables(tables)) => {
            let nodes: Vec<Node> =
                Node::of_item(&Item::ArrayOfTables(tables.clone())).as_list().unwrap_or_default().to_vec();
            match ElementMatch::of(&nodes, new, path)? {
                Some(matched) if !new.is_empty() => match tables_text(text, &document, tables, &matched, path, new) {
                    Some(text) => Ok(text),
                    None => spot::put(text, path, &render_list(new, line_end(text))),
                },
                Some(_) => spot::put(text, path, "[]"),
                None => Ok(text.to_owned()),
            }
        }
        _ => spot::put(text, path, &render_list(new, line_end(text))),
    }
}

/// For each new element, the old one that says the same.
struct ElementMatch {
    sources: Vec<Option<usize>>,
    kept: Vec<bool>,
}

impl ElementMatch {
    /// `None` when the list says the same already.
    fn of(old: &[Node], new: &[Node], path: &[String]) -> Result<Option<Self>, Problem> {
        let canonical = |node: &Node| entry::read(node, &dotted(path)).map(|entry| entry.to_toml());
        let mut places: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        for (index, node) in old.iter().enumerate() {
            places.entry(canonical(node)?).or_default().push_back(index);
        }
        let mut kept = vec![false; old.len()];
        let mut sources = Vec::with_capacity(new.len());
        for node in new {
            let source = places.get_mut(&canonical(node)?).and_then(VecDeque::pop_front);
            if let Some(kept) = source.and_then(|index| kept.get_mut(index)) {
                *kept = true;
            }
            sources.push(source);
        }
        let same =
            sources.len() == old.len() && sources.iter().enumerate().all(|(index, source)| *source == Some(index));
        Ok((!same).then_some(Self { sources, kept }))
    }
}

/// A new list where there was none.
fn render_list(new: &[Node], nl: &str) -> String {
    let line = one_line(new.iter().map(Node::to_string));
    if line.chars().count() <= WIDTH {
        return line;
    }
    let elements = new.iter().map(|node| format!("    {node},{nl}"));
    format!("[{nl}{}]", elements.collect::<String>())
}

fn one_line(elements: impl Iterator<Item = String>) -> String {
    format!("[{}]", elements.collect::<Vec<_>>().join(", "))
}

/// An element of the old list: the comments above it, its own text, the comment behind it.
#[derive(Default)]
struct Element<'a> {
    above: Vec<&'a str>,
    text: &'a str,
    behind: Option<&'a str>,
}

fn array_text(text: &str, array: &Array, matched: &ElementMatch, new: &[Node]) -> String {
    let (start, end) = range(array.span());
    let whole = text.get(start..end).unwrap_or_default();
    let spans: Vec<Span> = array.iter().map(|value| range(value.span())).collect();
    let (opening, mut elements, mut tail) = elements(text, (start + 1, end.saturating_sub(1)), &spans);

    // Comments above an element that goes pass on to the next one that stays.
    let mut passed = Vec::new();
    for (element, kept) in elements.iter_mut().zip(&matched.kept) {
        let above = std::mem::take(&mut element.above);
        passed.extend(above);
        if *kept {
            element.above = std::mem::take(&mut passed);
        }
    }
    passed.append(&mut tail);

    let texts: Vec<String> = matched
        .sources
        .iter()
        .zip(new)
        .map(|(source, node)| match source.and_then(|index| elements.get(index)) {
            Some(element) => element.text.to_owned(),
            None => node.to_string(),
        })
        .collect();
    // A list without line breaks has no comments either.
    let line = one_line(texts.iter().cloned());
    if !whole.contains('\n') && line.chars().count() <= WIDTH {
        return line;
    }
    let nl = line_end(text);
    let indent = spans.first().and_then(|(from, _)| text.get(line_start(text, *from)..*from)).unwrap_or_default();
    let indent = if !indent.is_empty() && indent.trim().is_empty() { indent } else { "    " };
    let mut built = String::from("[");
    if let Some(comment) = opening {
        built.extend([" ", comment]);
    }
    built.push_str(nl);
    let lines = |built: &mut String, comments: &[&str]| {
        for comment in comments {
            built.extend([if comment.is_empty() { "" } else { indent }, comment, nl]);
        }
    };
    for (source, element) in matched.sources.iter().zip(&texts) {
        let old = source.and_then(|index| elements.get(index));
        lines(&mut built, old.map(|old| old.above.as_slice()).unwrap_or_default());
        built.extend([indent, element, ","]);
        if let Some(comment) = old.and_then(|old| old.behind) {
            built.extend([" ", comment]);
        }
        built.push_str(nl);
    }
    lines(&mut built, &passed);
    let closing = whole.strip_suffix(']').and_then(|inner| inner.rsplit_once('\n')).map_or("", |(_, last)| last);
    built.push_str(if closing.trim().is_empty() { closing } else { "" });
    built.push(']');
    built
}

/// The comment behind the opening bracket, the elements, and the comments before the closing one.
fn elements<'a>(
    text: &'a str,
    (start, end): Span,
    spans: &[Span],
) -> (Option<&'a str>, Vec<Element<'a>>, Vec<&'a str>) {
    let mut found: Vec<Element<'a>> = Vec::with_capacity(spans.len());
    let mut opening = None;
    let mut from = start;
    for (begin, finish) in spans {
        let (behind, above) = comments(text.get(from..*begin).unwrap_or_default());
        match found.last_mut() {
            Some(before) => before.behind = behind,
            None => opening = behind,
        }
        found.push(Element { above, text: text.get(*begin..*finish).unwrap_or_default(), behind: None });
        from = *finish;
    }
    let (behind, tail) = comments(text.get(from..end).unwrap_or_default());
    match found.last_mut() {
        Some(before) => before.behind = behind,
        None => opening = behind,
    }
    (opening, found, tail)
}

/// What stands between two elements besides the comma: a comment on the first line, and lines of their own.
fn comments(gap: &str) -> (Option<&str>, Vec<&str>) {
    let lines: Vec<&str> = gap.split('\n').collect();
    let count = lines.len();
    let mut behind = None;
    let mut own = Vec::new();
    for (index, line) in lines.into_iter().enumerate() {
        let comment = line.find('#').and_then(|at| line.get(at..)).map(str::trim_end);
        match comment {
            Some(comment) if index == 0 => behind = Some(comment),
            Some(comment) => own.push(comment),
            // A blank line between; the first and the last are the ends of the elements' own lines.
            None if index > 0 && index + 1 < count && line.trim().is_empty() => own.push(""),
            None => {}
        }
    }
    (behind, own)
}

/// The list as sections, rebuilt from the blocks of those that stay. `None` when other sections stand between them.
fn tables_text(
    text: &str,
    document: &Document<&str>,
    tables: &ArrayOfTables,
    matched: &ElementMatch,
    path: &[String],
    new: &[Node],
) -> Option<String> {
    let starts: Vec<usize> = tables.iter().map(|table| spot::with_comment(text, range(table.span()).0)).collect();
    let end = tables.iter().map(|table| spot::extent(text, table)).max()?;
    let first = *starts.first()?;
    let own: usize = tables.iter().map(headers).map(|spans| spans.len()).sum();
    let within = headers(document.as_table()).into_iter().filter(|(at, _)| (first..end).contains(at)).count();
    if own != within {
        return None;
    }
    let nl = line_end(text);
    let block = |index: usize| {
        let to = starts.get(index + 1).copied().unwrap_or(end);
        text.get(*starts.get(index)?..to)
    };
    let mut built = String::new();
    for (source, node) in matched.sources.iter().zip(new) {
        match source.and_then(block) {
            Some(block) => built.push_str(block),
            None => built.push_str(&table_text(node, path, nl)),
        }
        if !built.ends_with('\n') {
            built.push_str(nl);
        }
    }
    Some(spot::splice(text, (first, end), &built))
}

fn table_text(node: &Node, path: &[String], nl: &str) -> String {
    let mut built = format!("[[{}]]{nl}", dotted(path));
    match node.as_map() {
        Some(fields) => {
            for field in fields.iter().filter(|field| !field.node.is_null()) {
                built.push_str(&format!("{} = {}{nl}", bare(&field.key), field.node));
            }
        }
        None => built.push_str(&format!("path = {node}{nl}")),
    }
    built
}

/// The headers of a table and of all sections inside it.
fn headers(table: &Table) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open = vec![table];
    while let Some(table) = open.pop() {
        if !table.is_dotted() && !table.is_implicit() && table.span().is_some_and(|span| !span.is_empty()) {
            found.push(range(table.span()));
        }
        for (_, item) in table.iter() {
            match item {
                Item::Table(inner) => open.push(inner),
                Item::ArrayOfTables(inner) => open.extend(inner.iter()),
                _ => {}
            }
        }
    }
    found
}
