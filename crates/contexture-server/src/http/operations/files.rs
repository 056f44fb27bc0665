//! Documents and the files in them.

use super::super::answer::Wrong;
use super::super::calls::{self, Call};
use crate::ops::bench::{Bench, Choice, Row, Summary};
use crate::ops::{self, OpError, Request, Target, runs};
use crate::wire;
use contexture_core::Level;
use contexture_gather::config::{EntrySlice, Many};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

pub fn compose(call: &Call<'_>) -> Result<Value, Wrong> {
    let generation = call.served.generation.load(Ordering::Relaxed);
    let bench = Bench::open(&call.door, &call.request()?)?;
    let mut table = Table::default();
    let mut value = json!({
        "v": 1,
        "generation": generation,
        "tokens": tokens_of(&bench),
        "columns": table.columns(bench.rows.iter().enumerate(), Columns::All),
        "left_out": bench.left_out.iter().map(|left| json!({"path": left.path, "reason": left.why.to_string()})).collect::<Vec<_>>(),
        "notes": wire::notes(&bench.notes),
    });
    let (number, _) = call.served.benches.put(bench);
    table.finish(&mut value);
    value["bench"] = json!(number);
    Ok(value)
}

pub fn compose_set(call: &Call<'_>) -> Result<Value, Wrong> {
    let shared = call.served.benches.get(call.number("bench").unwrap_or_default()).ok_or(Wrong::Gone)?;
    let changes = call.value("set").and_then(Value::as_array).into_iter().flatten();
    let changes: Vec<(Vec<usize>, Choice)> = changes.map(change).collect::<Result<_, _>>()?;
    let mut bench = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let changed = bench.set(&call.door, &changes)?;
    let mut table = Table::default();
    let rows = changed.rows.iter().filter_map(|row| Some((*row, bench.rows.get(*row)?)));
    let mut value = json!({
        "v": 1,
        "tokens": tokens_of(&bench),
        "columns": table.columns(rows, Columns::Changed),
        "notes": wire::notes(&changed.notes),
    });
    table.finish(&mut value);
    Ok(value)
}

pub fn compose_request(call: &Call<'_>) -> Result<Value, Wrong> {
    let shared = call.served.benches.get(call.number("bench").unwrap_or_default()).ok_or(Wrong::Gone)?;
    let bench: MutexGuard<'_, Bench> = shared.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(json!({"v": 1, "request": wire::request::to_json(&bench.request())}))
}

/// One element of `set`.
fn change(value: &Value) -> Result<(Vec<usize>, Choice), OpError> {
    let wrong = |cause: &str| OpError::usage(format!("`set` cannot be understood: {cause}"));
    let mut fields = wire::fields::Fields::of(value).map_err(|cause| wrong(&cause))?;
    let index = |value: &Value| value.as_array()?.iter().map(|row| usize::try_from(row.as_u64()?).ok()).collect();
    let rows: Vec<usize> = fields.with("index", index).map_err(|cause| wrong(&cause))?.unwrap_or_default();
    let word = fields.needed("view").map_err(|cause| wrong(&cause))?;
    let mask = fields.value("mask").map_or(Ok(BTreeMap::new()), calls::mask)?;
    let slices = fields.value("slices").map_or(Ok(Vec::new()), slices)?;
    fields.end().map_err(|cause| wrong(&cause))?;
    let choice = match word.as_str() {
        "default" => Choice::Usual,
        "out" => Choice::Out,
        word => Choice::View { level: calls::view(word)?, mask, slices },
    };
    Ok((rows, choice))
}

fn tokens_of(bench: &Bench) -> Value {
    json!({"count": bench.total.0, "exact": bench.exact, "tokenizer": bench.tokenizer, "budget": bench.budget()})
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
    /// Of rows that are otherwise now.
    Changed,
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
            match which {
                Columns::Changed => put("index", json!(index)),
                Columns::All => {
                    put("path", json!(row.path));
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
        }
        let names: &[&'static str] = match which {
            Columns::All => &["path", "own", "shown", "bytes", "view", "reason", "flags", "summary"],
            Columns::Changed => &["index", "view", "shown", "reason", "flags"],
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

pub fn plan(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::document(&ops::plan(&call.door, &call.request()?)?, None))
}

pub fn preview(call: &Call<'_>) -> Result<Value, Wrong> {
    let made = ops::plan(&call.door, &call.request()?)?;
    let text = made.compiled.output.text();
    let last = runs::since_last(&call.door, &text);
    Ok(json!({
        "v": 1,
        "sections": sections(&text),
        "prefix": {"bytes": made.compiled.output.prefix_bytes(), "tokens": made.compiled.prefix.0},
        "last": last.map(|last| json!({"run": last.run, "same": last.first.is_none(), "first_difference": last.first.map(|byte| json!({"byte": byte}))})),
        "document": wire::document(&made, None),
        "text": text,
    }))
}

/// Headings of the first two levels outside of fences, with the bytes they stand for.
fn sections(text: &str) -> Vec<Value> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut fence: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if ticks >= open && line.trim_end().len() == ticks => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None if line.starts_with("## ") || line.starts_with("### ") => found.push((line.trim_end().to_owned(), at)),
            None => {}
        }
        at += line.len();
    }
    let ends: Vec<usize> = found.iter().skip(1).map(|(_, start)| *start).chain([text.len()]).collect();
    found.iter().zip(ends).map(|((title, start), end)| json!({"title": title, "start": start, "end": end})).collect()
}

pub fn build(call: &Call<'_>) -> Result<Value, Wrong> {
    let written = ops::build(&call.door, &call.request()?, &Target::Numbered)?;
    let path = written.path.as_ref().map(|path| {
        let project = call.door.root_paths().into_iter().next().unwrap_or_default();
        let real = project.canonicalize().unwrap_or(project);
        path.strip_prefix(real).unwrap_or(path).display().to_string()
    });
    let mut value = wire::document(&written.made, path.as_deref());
    value["run"] = json!(written.run);
    Ok(value)
}

pub fn views(call: &Call<'_>) -> Result<Value, Wrong> {
    let request = Request { mask: call.mask()?, ..call.request()? };
    let all = ops::views(&call.door, &request, call.needed("path"))?;
    let views: Vec<Value> = all
        .views
        .iter()
        .map(|shown| json!({"view": shown.level.as_str(), "tokens": shown.tokens, "text": &*shown.text, "fell_back": shown.fell_back, "error": shown.error}))
        .collect();
    Ok(
        json!({"v": 1, "path": all.path, "language": all.language, "lines": all.lines, "views": views, "notes": wire::notes(&all.notes)}),
    )
}

pub fn show(call: &Call<'_>) -> Result<Value, Wrong> {
    let request = Request { view: call.view()?, mask: call.mask()?, ..call.request()? };
    Ok(wire::shown(&ops::show(&call.door, &request, call.needed("path"))?))
}

pub fn symbols(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::symbols(&ops::symbols(&call.door, call.needed("path"))?))
}

pub fn why(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::reason(&ops::why(&call.door, &call.request()?, call.needed("path"))?))
}

pub fn tokens(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::tokens(&ops::tokens(&call.door, &call.request()?)?))
}

pub fn stats(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::stats(&ops::stats(&call.door, &call.request()?)?))
}

pub fn scan(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::scanned(&ops::scan(&call.door, &call.request()?)?))
}

pub fn slice_make(call: &Call<'_>) -> Result<Value, Wrong> {
    let lines = (call.number("start_line").unwrap_or_default(), call.number("end_line").unwrap_or_default());
    let made = ops::slice_make(&call.door, call.needed("path"), lines, call.text("tag"), call.text("comment"))?;
    Ok(made.slice.to_json())
}

pub fn slice_resolve(call: &Call<'_>) -> Result<Value, Wrong> {
    let slices = call.value("slices").map_or(Ok(Vec::new()), slices)?;
    Ok(wire::slices(&ops::slice_resolve(&call.door, call.needed("path"), slices)?))
}

fn slices(value: &Value) -> Result<Vec<EntrySlice>, OpError> {
    match EntrySlice::all_from_text(&value.to_string(), "slices")? {
        Many::One(slice) => Ok(vec![*slice]),
        Many::List(slices) => Ok(slices),
    }
}
