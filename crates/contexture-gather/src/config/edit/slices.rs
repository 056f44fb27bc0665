//! Stored slices brought up to date where they stand: only their own values change, every other byte stays.
//!
//! Takes the text and the new slices by their place in the list; gives new text. What a person wrote around a slice, and
//! its tag and comment, are not touched.

use super::spot::{self, Span, line_end, range};
use crate::config::entry::{self, EntrySlice};
use crate::config::error::Problem;
use crate::config::layer::dotted;
use crate::config::node::bare;
use contexture_core::Slice;
use toml_edit::{Item, TableLike, Value};

/// A slice that is stored anew: the place of its entry in the list of files, its place in the entry, and what it is now.
#[derive(Clone, Debug)]
pub struct NewSlice {
    pub entry: usize,
    pub place: usize,
    /// What was read there: if it is something else now, nothing is stored.
    pub old: Slice,
    pub slice: Slice,
}

/// The fields that follow from the text; the others are a person's.
const DERIVED: [&str; 5] = ["start_line", "end_line", "content_hash", "anchor_lines", "fingerprint"];

pub(super) fn store(text: &str, path: &[String], new: &[NewSlice]) -> Result<String, Problem> {
    let document = spot::parse(text)?;
    let list = spot::find(&document, path);
    let gone = || Problem::new(0, dotted(path), "the list of files has changed meanwhile").hint("run it once more");
    let mut changes: Vec<(Span, String)> = Vec::new();
    for NewSlice { entry, place, old: read, slice } in new {
        let old = list
            .and_then(|list| table(list, *entry))
            .and_then(|(entry, _)| table(entry.get("custom_slices")?, *place))
            .filter(|(table, _)| says(*table, read))
            .ok_or_else(gone)?;
        changes.extend(of_slice(text, old, slice));
    }
    changes.sort_by_key(|((start, end), _)| (*start, *end));
    let mut result = String::with_capacity(text.len());
    let mut from = 0;
    for ((start, end), value) in changes {
        result.push_str(text.get(from..start).unwrap_or_default());
        result.push_str(&value);
        from = end;
    }
    result.push_str(text.get(from..).unwrap_or_default());
    Ok(result)
}

/// An element of `[ … ]` or of `[[ … ]]`, and whether it stands on one line.
fn table(list: &Item, index: usize) -> Option<(&dyn TableLike, bool)> {
    match list {
        Item::Value(Value::Array(array)) => array.get(index)?.as_inline_table().map(|table| (table as _, true)),
        Item::ArrayOfTables(tables) => tables.get(index).map(|table| (table as _, false)),
        _ => None,
    }
}

fn says(table: &dyn TableLike, slice: &Slice) -> bool {
    let line = |key: &str| table.get(key).and_then(Item::as_integer).and_then(|line| u64::try_from(line).ok());
    let hash = table.get("content_hash").and_then(Item::as_str);
    (line("start_line"), line("end_line"), hash)
        == (Some(slice.start_line), Some(slice.end_line), slice.content_hash.as_deref())
}

fn of_slice(text: &str, (old, inline): (&dyn TableLike, bool), new: &Slice) -> Vec<(Span, String)> {
    let node = entry::slice_node(&EntrySlice::from(new.clone()));
    let mut changes = Vec::new();
    let mut added = Vec::new();
    for field in node.as_map().unwrap_or_default().iter().filter(|field| DERIVED.contains(&field.key.as_str())) {
        let value = field.node.to_string();
        match old.get(&field.key).and_then(Item::as_value).map(|value| range(value.span())) {
            Some(span) if text.get(span.0..span.1) == Some(&value) => {}
            Some(span) => changes.push((span, value)),
            None => added.push(format!("{} = {value}", bare(&field.key))),
        }
    }
    let last = old.iter().filter_map(|(_, item)| item.as_value()).map(|value| range(value.span()).1).max();
    if let (Some(last), false) = (last, added.is_empty()) {
        // Inline, fields follow a comma; in a section, each has a line, and a comment behind the last value stays with it.
        let insert = if inline {
            (last, added.iter().map(|field| format!(", {field}")).collect::<String>())
        } else {
            let nl = line_end(text);
            let at = spot::next_line(text, last);
            let before = if text.get(..at).is_some_and(|before| before.ends_with('\n')) { "" } else { nl };
            (at, format!("{before}{}{nl}", added.join(nl)))
        };
        changes.push(((insert.0, insert.0), insert.1));
    }
    // Neighbours that are gone: a slice that is the whole file has none.
    if let Some(value) = old.get("anchor_lines").and_then(Item::as_value).filter(|_| new.anchor_lines.is_empty()) {
        changes.push((range(value.span()), "[]".into()));
    }
    changes
}
