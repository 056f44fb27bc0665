//! Notebooks as their cells, tables and records by their head and shape.
//!
//! Takes the text of a file; gives text that shows the same in less. It never judges whether the file is worth showing, and
//! malformed input is an error with a cause or counted as it is.

mod table;
#[cfg(test)]
mod tests;

pub(crate) use table::shape_of;

use crate::kind::{FileKind, kind_of};
use serde_json::Value;

/// A table or a list of records no longer than this, in both senses, is shown as it is.
const SMALL_LINES: usize = 40;
const SMALL_BYTES: usize = 8 * 1024;

/// The cells of a Jupyter notebook, without outputs, in the percent format that editors read: `# %%` begins a cell of
/// code, `# %% [markdown]` one of text, whose lines stand as comments. The whole is a script of the notebook's language.
pub fn notebook_cells(text: &str) -> Result<String, String> {
    let mut script = String::new();
    for cell in cells(text)? {
        if !script.is_empty() {
            script.push('\n');
        }
        script.push_str(match cell.kind {
            CellKind::Code => "# %%\n",
            CellKind::Markdown => "# %% [markdown]\n",
            CellKind::Raw => "# %% [raw]\n",
        });
        for line in cell.source.lines() {
            if cell.kind != CellKind::Code {
                script.push_str(if line.is_empty() { "#" } else { "# " });
            }
            script.push_str(line);
            script.push('\n');
        }
    }
    Ok(script)
}

/// Whether a file is a table or a list of records, and long enough that its shape says more than all of it.
pub fn is_long_data(path: &str, text: &str) -> bool {
    matches!(kind_of(path, ""), FileKind::Csv { .. } | FileKind::Jsonl)
        && !text.trim().is_empty()
        && (text.len() > SMALL_BYTES || text.lines().nth(SMALL_LINES).is_some())
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellKind {
    Code,
    Markdown,
    Raw,
}

pub(crate) struct Cell {
    pub kind: CellKind,
    pub source: String,
}

/// The cells of notebook formats 4 (`cells`, `source`) and 3 (`worksheets`, `input`).
pub(crate) fn cells(text: &str) -> Result<Vec<Cell>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root: Value = serde_json::from_str(text).map_err(|cause| format!("not a notebook: {cause}"))?;
    let found: Vec<&Value> = match (list(&root), root.get("worksheets").and_then(Value::as_array)) {
        (Some(cells), _) => cells.iter().collect(),
        (None, Some(sheets)) => sheets.iter().filter_map(list).flatten().collect(),
        (None, None) => return Err("not a notebook: no `cells`".to_owned()),
    };
    Ok(found.into_iter().map(cell).collect())
}

fn list(value: &Value) -> Option<&Vec<Value>> {
    value.get("cells").and_then(Value::as_array)
}

fn cell(value: &Value) -> Cell {
    let kind = match value.get("cell_type").and_then(Value::as_str) {
        Some("code") => CellKind::Code,
        Some("markdown" | "heading") => CellKind::Markdown,
        _ => CellKind::Raw,
    };
    let source = match value.get("source").or_else(|| value.get("input")) {
        Some(Value::String(source)) => source.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    };
    Cell { kind, source }
}
