//! Where a key stands in the text, or would: replace, insert, cut.
//!
//! Takes a path and a value as TOML on one or more lines; gives new text. Works on byte ranges that the parser names.

use crate::config::error::Problem;
use crate::config::layer::dotted;
use crate::config::node::{Node, bare};
use toml_edit::{Document, Item, Table, TableLike, Value};

/// A byte range of the text.
pub(super) type Span = (usize, usize);

/// Puts a value at a path, in the place of what is there.
pub(in crate::config) fn put(text: &str, path: &[String], value: &str) -> Result<String, Problem> {
    let document = parse(text)?;
    let Some((leaf, above)) = path.split_last() else { return Ok(text.to_owned()) };
    let mut at = document.as_item();
    // The nearest table around the key that has a body of its own, and how much of the path it covers.
    let (mut body, mut covered) = (at, 0);
    let mut reached = 0;
    for part in above {
        let Some(next) = at.as_table_like().and_then(|table| table.get(part)) else { break };
        let Some(table) = next.as_table_like() else {
            return Err(Problem::wrong_type(&Node::of_item(next), &dotted(&path[..=reached]), "a section"));
        };
        reached += 1;
        at = next;
        if !table.is_dotted() && !next.as_table().is_some_and(Table::is_implicit) {
            (body, covered) = (next, reached);
        }
    }
    if reached == above.len()
        && let Some(old) = at.as_table_like().and_then(|table| table.get(leaf))
    {
        return match old {
            Item::Value(old) if !is_dotted(old) => Ok(splice(text, range(old.span()), value)),
            // Written as sections: `[[files.paths]]`. They go, and the value takes its place as one line.
            _ => put(&remove(text, path)?, path, value),
        };
    }
    let rest = dotted(&path[covered..]);
    let at_body = covered == reached && covered == above.len();
    match body {
        Item::Value(Value::InlineTable(table)) => {
            let span = range(table.span());
            let last = ends(table).into_iter().map(|(_, end)| end).max();
            Ok(match last {
                Some(end) => splice(text, (end, end), &format!(", {rest} = {value}")),
                None => splice(text, (span.0 + 1, span.1 - 1), &format!(" {rest} = {value} ")),
            })
        }
        Item::Table(table) if at_body || at.as_table_like().is_some_and(TableLike::is_dotted) => {
            Ok(insert_line(text, table, leaf, &format!("{rest} = {value}")))
        }
        _ => Ok(append_section(text, above, &format!("{} = {value}", bare(leaf)))),
    }
}

/// Cuts a key or a section, with what is inside and the comment right above a section. A missing one is no error.
pub(in crate::config) fn remove(text: &str, path: &[String]) -> Result<String, Problem> {
    let document = parse(text)?;
    let mut at = document.as_item();
    let mut key = 0;
    for (depth, part) in path.iter().enumerate() {
        let Some(table) = at.as_table_like() else { return Ok(text.to_owned()) };
        let Some(next) = table.get(part) else { return Ok(text.to_owned()) };
        if at.is_inline_table() {
            let shown = dotted(&path[..=depth]);
            let problem = Problem::new(range(at.span()).0, &shown, format!("`{shown}` stands in an inline table"));
            return Err(problem.hint("take it out by hand"));
        }
        key = table.key(part).and_then(toml_edit::Key::span).map_or(0, |span| span.start);
        at = next;
    }
    let mut cuts = pieces(text, at, key);
    cuts.sort_unstable();
    let mut new = String::with_capacity(text.len());
    let mut from = 0;
    for (start, end) in cuts {
        new.push_str(text.get(from..start.max(from)).unwrap_or_default());
        from = end.max(from);
        // Of the blank lines before and after what went, one side is enough.
        let rest = text.get(from..).unwrap_or_default();
        let blank = new.is_empty() || new.ends_with("\n\n") || new.ends_with("\r\n\r\n");
        if blank && rest.starts_with('\n') {
            from += 1;
        } else if blank && rest.starts_with("\r\n") {
            from += 2;
        } else if blank && rest.is_empty() {
            new.truncate(new.trim_end_matches(['\r', '\n']).len());
            new.push_str(if new.is_empty() { "" } else { line_end(text) });
        }
    }
    new.push_str(text.get(from..).unwrap_or_default());
    Ok(new)
}

/// What stands at a path.
pub(super) fn find<'a>(document: &'a Document<&str>, path: &[String]) -> Option<&'a Item> {
    path.iter().try_fold(document.as_item(), |item, part| item.as_table_like()?.get(part))
}

/// The line end of the file: that of its first line.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(end) if text[..end].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

pub(super) fn parse(text: &str) -> Result<Document<&str>, Problem> {
    // The text was parsed before any edit began, so a failure here is a fault of an edit half-way.
    Document::parse(text).map_err(|error| Problem::new(0, "", format!("the edit left no TOML: {}", error.message())))
}

pub(super) fn splice(text: &str, (start, end): Span, new: &str) -> String {
    let (before, after) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
    [before, new, after].concat()
}

pub(super) fn range(span: Option<std::ops::Range<usize>>) -> Span {
    span.map_or((0, 0), |span| (span.start, span.end))
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    // A byte order mark belongs to the file, not to its first line.
    before.rfind('\n').map_or(if text.starts_with('\u{feff}') { 3 } else { 0 }, |end| end + 1)
}

/// Behind the line break that ends the line of `at`.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| at + end + 1)
}

/// The start of a section with the comment right above it, when that comment has a blank line or nothing before it:
/// otherwise it may belong to what stands above.
pub(super) fn with_comment(text: &str, at: usize) -> usize {
    let header = line_start(text, at);
    let mut start = header;
    while start > 0 {
        let above = line_start(text, start.saturating_sub(1));
        let line = text.get(above..start).unwrap_or_default().trim();
        if line.is_empty() {
            return start;
        }
        if !line.starts_with('#') || above == start {
            return header;
        }
        start = above;
    }
    start
}

/// Where the sections of a list or table end: behind the line of the last value inside.
pub(super) fn extent(text: &str, table: &Table) -> usize {
    let own = ends(table).into_iter().map(|(_, end)| end).max().unwrap_or(0).max(range(table.span()).1);
    let below = table.iter().map(|(_, item)| match item {
        Item::Table(inner) if !inner.is_dotted() => extent(text, inner),
        Item::ArrayOfTables(inner) => inner.iter().map(|table| extent(text, table)).max().unwrap_or(0),
        _ => 0,
    });
    below.max().unwrap_or(0).max(next_line(text, own))
}

/// The ranges to cut for an item whose key starts at `key`.
fn pieces(text: &str, item: &Item, key: usize) -> Vec<Span> {
    let inside = |table: &Table| -> Vec<Span> {
        let key_of = |name: &str| table.key(name).and_then(toml_edit::Key::span).map_or(0, |span| span.start);
        table.iter().flat_map(|(name, item)| pieces(text, item, key_of(name))).collect()
    };
    let whole = |table: &Table| [inside(table), vec![section(text, table)]].concat();
    match item {
        Item::None => Vec::new(),
        Item::Value(value) => vec![(line_start(text, key), next_line(text, range(value.span()).1))],
        Item::Table(table) if table.is_dotted() || table.is_implicit() => inside(table),
        Item::Table(table) => whole(table),
        Item::ArrayOfTables(tables) => tables.iter().flat_map(whole).collect(),
    }
}

fn section(text: &str, table: &Table) -> Span {
    let header = range(table.span());
    let end = ends(table).into_iter().map(|(_, end)| end).max().unwrap_or(0).max(header.1);
    (with_comment(text, header.0), next_line(text, end))
}

/// The values in the body of a table, those under dotted keys included.
fn ends(table: &dyn TableLike) -> Vec<Span> {
    table
        .iter()
        .flat_map(|(_, item)| match item {
            Item::Value(Value::InlineTable(inner)) if inner.is_dotted() => ends(inner),
            Item::Value(value) => vec![range(value.span())],
            Item::Table(inner) if inner.is_dotted() => ends(inner),
            _ => Vec::new(),
        })
        .collect()
}

fn is_dotted(value: &Value) -> bool {
    value.as_inline_table().is_some_and(toml_edit::InlineTable::is_dotted)
}

/// A line in a section: under the comment that explains the key, as `init` writes it, or else behind the last one.
fn insert_line(text: &str, table: &Table, leaf: &str, line: &str) -> String {
    let values = ends(table);
    let header = range(table.span()).1;
    let last = values.iter().map(|(_, end)| *end).max().unwrap_or(header).max(header);
    let mark = format!("# {leaf} = ");
    let mut start = next_line(text, header);
    let mut explained = None;
    while header > 0 && start < text.len() {
        let end = next_line(text, start);
        let content = text.get(start..end).unwrap_or_default().trim_start();
        if content.starts_with('[') {
            break;
        }
        if content.starts_with(&mark) && !values.iter().any(|(from, to)| *from < start && start < *to) {
            explained = Some(end);
            break;
        }
        start = end;
    }
    let at = explained.unwrap_or_else(|| next_line(text, last));
    let nl = line_end(text);
    let first = values.first().and_then(|(from, _)| text.get(line_start(text, *from)..)).unwrap_or_default();
    let indent: String = first.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let before = if text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('\n')) { "" } else { nl };
    splice(text, (at, at), &format!("{before}{indent}{line}{nl}"))
}

fn append_section(text: &str, path: &[String], line: &str) -> String {
    let nl = line_end(text);
    let gap = match text.trim_start_matches('\u{feff}') {
        "" => "",
        body if body.ends_with("\n\n") || body.ends_with("\n\r\n") => "",
        body if body.ends_with('\n') => nl,
        _ if nl == "\n" => "\n\n",
        _ => "\r\n\r\n",
    };
    format!("{text}{gap}[{}]{nl}{line}{nl}", dotted(path))
}
