//! The shape of tables (CSV, TSV) and of lists of records (JSON lines): columns, number of rows, first rows.
//!
//! One pass over the bytes. Quoted fields may hold line breaks; a quote that never closes is taken as an ordinary
//! character, so that one stray quote does not turn a million rows into one.

use super::super::summary::secret::{mask_field, mask_statements};
use crate::kind::FileKind;
use serde_json::Value;

/// What can be said of a table in a few lines.
pub(crate) struct Shape {
    /// `1200 rows × 4 columns`.
    pub title: String,
    /// Names of the columns, or keys with their types.
    pub columns: Vec<String>,
    /// The first rows, long ones cut.
    pub head: Vec<String>,
}

/// Enough to see what the values are like.
const HEAD_ROWS: usize = 10;
/// A row longer than this is cut: some 60 tokens.
const LONGEST_ROW: usize = 200;
/// What is read of a row before it is cut: masks may be shorter than what they hide.
const ROW_READ: usize = 4096;
/// Names of columns beyond this many are counted only.
const MOST_COLUMNS: usize = 40;
/// Keys are gathered from so many records: optional keys show up in a few dozen.
const KEY_RECORDS: usize = 50;
/// A record longer than this is not parsed for its keys.
const LONGEST_RECORD: usize = 64 * 1024;

/// `None` when the kind is no table or there is no row.
pub(crate) fn shape_of(kind: FileKind, text: &str, whole: bool) -> Option<Shape> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match kind {
        FileKind::Csv { separator } => table(text, separator, whole),
        FileKind::Jsonl => records(text, whole),
        _ => None,
    }
}

fn table(text: &str, separator: char, whole: bool) -> Option<Shape> {
    // Files named `.csv` are often separated by semicolons or tabs: what the first line has most of.
    let first_line = text.lines().next().unwrap_or("");
    let separator = [separator, ';', '\t', '|']
        .into_iter()
        .rev()
        .max_by_key(|candidate| first_line.matches(*candidate).count())
        .unwrap_or(separator);
    let (mut rows, first) = rows_of(text, separator, true).or_else(|| rows_of(text, separator, false))?;
    if !whole && !text.ends_with('\n') {
        rows = rows.saturating_sub(1);
    }
    let fields = fields_of(first.first()?, separator);
    let named = fields.iter().all(|field| !field.is_empty() && field.parse::<f64>().is_err());
    let body = rows.saturating_sub(usize::from(named));
    let title = format!("{} rows × {} columns", counted(body, whole), fields.len());
    let mut columns = Vec::new();
    if named {
        columns.extend(fields.iter().take(MOST_COLUMNS).map(|name| clip(name, 40)));
        if fields.len() > MOST_COLUMNS {
            columns.push(format!("… {} more", fields.len() - MOST_COLUMNS));
        }
    }
    let names: &[String] = if named { &fields } else { &[] };
    let lines = first.iter().skip(usize::from(named)).map(|row| clip(&masked(row, separator, names), LONGEST_ROW));
    Some(Shape { title, columns, head: lines.take(HEAD_ROWS).collect() })
}

/// The number of rows and the first of them; `None` when a quote is left open.
fn rows_of(text: &str, separator: char, quotes: bool) -> Option<(usize, Vec<&str>)> {
    let bytes = text.as_bytes();
    let (mut rows, mut first) = (0, Vec::new());
    let (mut start, mut quoted, mut field_start) = (0, false, true);
    let mut row = |start: usize, end: usize| {
        let row = text.get(start..end).unwrap_or("").trim_end_matches('\r');
        if !row.trim().is_empty() {
            rows += 1;
            if first.len() <= HEAD_ROWS {
                first.push(row);
            }
        }
    };
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' if quotes && quoted => quoted = false,
            // A doubled quote inside a field closes it and opens it again.
            b'"' if quotes && (field_start || bytes.get(at.wrapping_sub(1)) == Some(&b'"')) => quoted = true,
            b'\n' if !quoted => {
                row(start, at);
                start = at + 1;
            }
            _ => {}
        }
        field_start = !quoted && (*byte == b'\n' || (*byte as char == separator && byte.is_ascii()));
    }
    row(start, bytes.len());
    (!quoted).then_some((rows, first))
}

fn fields_of(row: &str, separator: char) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    for c in row.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c == separator && !quoted => fields.push(std::mem::take(&mut field).trim().to_owned()),
            c => field.push(c),
        }
    }
    fields.push(field.trim().to_owned());
    fields
}

/// The beginning of a row, without the values of columns whose name is that of a secret.
fn masked(row: &str, separator: char, names: &[String]) -> String {
    let row = row.get(..row.floor_char_boundary(ROW_READ)).unwrap_or(row);
    let mut quoted = false;
    let fields = row.split(|c: char| {
        quoted ^= c == '"';
        c == separator && !quoted
    });
    let mut names = names.iter();
    let shown: Vec<String> = fields
        .map(|field| names.next().and_then(|name| mask_field(name, field)).unwrap_or_else(|| field.to_owned()))
        .collect();
    shown.join(separator.encode_utf8(&mut [0; 4]))
}

fn records(text: &str, whole: bool) -> Option<Shape> {
    let (mut rows, mut head) = (0usize, Vec::new());
    let mut columns: Vec<String> = Vec::new();
    let mut last = "";
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        rows += 1;
        last = line;
        if head.len() < HEAD_ROWS {
            let beginning = line.get(..line.floor_char_boundary(ROW_READ)).unwrap_or(line);
            head.push(clip(&mask_statements(beginning), LONGEST_ROW));
        }
        if rows > KEY_RECORDS || line.len() > LONGEST_RECORD {
            continue;
        }
        if let Ok(Value::Object(object)) = serde_json::from_str(line) {
            for (key, value) in &object {
                if columns.len() == MOST_COLUMNS {
                    break;
                }
                let key = clip(key, 40);
                if !columns.iter().any(|seen| seen.rsplit_once(" (").is_some_and(|(name, _)| name == key)) {
                    columns.push(format!("{key} ({})", type_of(value)));
                }
            }
        }
    }
    if !whole && !text.ends_with('\n') && !last.is_empty() {
        rows -= 1;
    }
    (rows > 0).then(|| Shape { title: format!("{} records", counted(rows, whole)), columns, head })
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn counted(rows: usize, whole: bool) -> String {
    if whole { rows.to_string() } else { format!("at least {rows}") }
}

/// At most `most` characters on one line, `…` at the cut.
fn clip(text: &str, most: usize) -> String {
    let mut clipped: String =
        text.chars().take(most).map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
    if text.chars().nth(most).is_some() {
        clipped.push('…');
    }
    clipped
}
