//! Benches as JSON: a table of files in columns, and what changed in it.

use super::runs::broken;
use super::{Value, json, notes};
use crate::ops::Door;
use crate::ops::bench::{Bench, Changed, Fresh, Kept, Row, Summary};
use contexture_core::Level;
use std::collections::BTreeMap;

/// All files.
pub fn table(bench: &Bench, door: &Door) -> Value {
    let mut table = Table::default();
    let columns = table.columns(bench.rows.iter().enumerate(), Columns::All);
    let left = bench.left_out.iter().map(|left| json!({"path": left.path, "reason": left.why.to_string()}));
    let mut value = figures(bench, door);
    value["columns"] = columns;
    value["left_out"] = left.collect();
    value["notes"] = notes(&bench.notes);
    table.finish(&mut value);
    value
}

/// Files that are shown otherwise now.
pub fn changed(bench: &Bench, changed: &Changed, door: &Door) -> Value {
    rows(bench, changed, Columns::Changed, door)
}

/// Files that were read again. Where `whole` is true the list itself is another one.
pub fn fresh(bench: &Bench, fresh: &Fresh, door: &Door) -> Value {
    match fresh {
        Fresh::Another => json!({"v": 1, "whole": true}),
        Fresh::Rows(changed) => {
            let mut value = rows(bench, changed, Columns::Fresh, door);
            value["whole"] = json!(false);
            value
        }
    }
}

fn rows(bench: &Bench, changed: &Changed, which: Columns, door: &Door) -> Value {
    let mut table = Table::default();
    let rows = changed.rows.iter().filter_map(|row| Some((*row, bench.rows.get(*row)?)));
    let columns = table.columns(rows, which);
    let mut value = figures(bench, door);
    value["columns"] = columns;
    value["notes"] = notes(&changed.notes);
    table.finish(&mut value);
    value
}

/// What the whole document takes.
fn figures(bench: &Bench, door: &Door) -> Value {
    let prefix = bench.prefix();
    json!({
        "v": 1,
        "tokens": {"count": bench.total.0, "exact": bench.exact, "tokenizer": bench.tokenizer, "budget": bench.budget()},
        "prefix": {"bytes": prefix.bytes, "tokens": prefix.tokens.0, "last": bench.kept(door).as_ref().map(kept)},
    })
}

/// How much of the last run's static part is still there.
fn kept(kept: &Kept) -> Value {
    let Kept { run, of, bytes, tokens, exact, breaks } = kept;
    json!({
        "run": run,
        "bytes": of.bytes,
        "tokens": of.tokens.0,
        "kept": {"bytes": bytes, "tokens": tokens, "exact": exact},
        "breaks": breaks.as_ref().map(|at| {
            let mut value = broken(at.item.as_ref(), &at.cause);
            value["byte"] = json!(bytes);
            value
        }),
    })
}

/// Rows as columns: a hundred thousand of them are read by a browser in a moment, objects are not.
#[derive(Default)]
struct Table {
    reasons: Vec<String>,
    known: BTreeMap<String, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    All,
    /// Of rows that are shown otherwise now.
    Changed,
    /// Of files that are others now.
    Fresh,
}

impl Table {
    fn columns<'a>(&mut self, rows: impl Iterator<Item = (usize, &'a Row)>, which: Columns) -> Value {
        let mut columns: BTreeMap<&'static str, Vec<Value>> = BTreeMap::new();
        for (index, row) in rows {
            let reason = self.reason(&row.reason);
            let view = row.level.and_then(|level| Level::ALL.iter().position(|known| *known == level));
            let mut put = |name, value: Value| columns.entry(name).or_default().push(value);
            put("view", view.map_or(json!(-1), |view| json!(view)));
            put("shown", json!(row.shown));
            put("reason", json!(reason));
            put("flags", json!(flags(row)));
            if which != Columns::All {
                put("index", json!(index));
            }
            if which == Columns::All {
                put("path", json!(row.path));
            }
            if which != Columns::Changed {
                put("own", json!(row.own));
                put("bytes", json!(row.bytes));
                let summary = match row.summary {
                    Summary::None => 0,
                    Summary::Stale => 1,
                    Summary::Fresh => 2,
                };
                put("summary", json!(summary));
            }
        }
        let names: &[&'static str] = match which {
            Columns::All => &["path", "own", "shown", "bytes", "view", "reason", "flags", "summary"],
            Columns::Changed => &["index", "view", "shown", "reason", "flags"],
            Columns::Fresh => &["index", "own", "shown", "bytes", "view", "reason", "flags", "summary"],
        };
        let column = |name: &'static str| (name.to_owned(), columns.remove(name).unwrap_or_default().into());
        names.iter().copied().map(column).collect::<serde_json::Map<_, _>>().into()
    }

    /// Few reasons stand for many files.
    fn reason(&mut self, reason: &str) -> usize {
        if let Some(known) = self.known.get(reason) {
            return *known;
        }
        self.reasons.push(reason.to_owned());
        self.known.insert(reason.to_owned(), self.reasons.len() - 1);
        self.reasons.len() - 1
    }

    fn finish(self, value: &mut Value) {
        value["views"] = Level::ALL.iter().map(|level| json!(level.as_str())).collect();
        value["reasons"] = json!(self.reasons);
    }
}

fn flags(row: &Row) -> u8 {
    let marks = [
        (row.is_failed, 1),
        (row.is_reduced, 2),
        (row.is_set, 4),
        (row.is_changed, 8),
        (row.has_secret, 16),
        (row.has_hidden, 32),
    ];
    marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, bit)| bit).sum()
}
