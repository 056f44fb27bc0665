//! Documents and the files in them.

use super::super::answer::Wrong;
use super::super::calls::{self, Call};
use super::projects::inside;
use crate::ops::bench::{Bench, Choice};
use crate::ops::{self, OpError, Request, SearchRequest, Target};
use crate::wire;
use contexture_gather::config::{EntrySlice, Many};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub fn compose(call: &Call<'_>) -> Result<Value, Wrong> {
    let generation = call.served.generation.load(Ordering::Relaxed);
    let request = call.request()?;
    // Before they are read: what changes later is told.
    call.served.events.name(ops::named_files(&call.door, &request)?);
    let bench = Bench::open(&call.door, &request)?;
    let mut value = wire::bench::table(&bench, &call.door);
    value["generation"] = json!(generation);
    // One that nobody waited for would push out one that somebody works on.
    if call.door.progress.is_stopped() {
        return Err(OpError::Interrupted.into());
    }
    let (number, _) = call.served.benches.put(bench);
    value["bench"] = json!(number);
    Ok(value)
}

fn bench(call: &Call<'_>) -> Result<Arc<Mutex<Bench>>, Wrong> {
    call.served.benches.get(call.number("bench").unwrap_or_default()).ok_or(Wrong::Gone)
}

pub fn compose_set(call: &Call<'_>) -> Result<Value, Wrong> {
    let shared = bench(call)?;
    let changes = call.value("set").and_then(Value::as_array).into_iter().flatten();
    let changes: Vec<(Vec<usize>, Choice)> = changes.map(change).collect::<Result<_, _>>()?;
    let mut bench = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let changed = bench.set(&call.door, &changes)?;
    Ok(wire::bench::changed(&bench, &changed, &call.door))
}

pub fn compose_refresh(call: &Call<'_>) -> Result<Value, Wrong> {
    let generation = call.served.generation.load(Ordering::Relaxed);
    let shared = bench(call)?;
    let mut bench = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let fresh = bench.refresh(&call.door, &call.texts("paths"))?;
    let mut value = wire::bench::fresh(&bench, &fresh, &call.door);
    value["generation"] = json!(generation);
    Ok(value)
}

pub fn compose_request(call: &Call<'_>) -> Result<Value, Wrong> {
    let shared = bench(call)?;
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

pub fn plan(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::document(&ops::plan(&call.door, &call.request()?)?, None))
}

pub fn preview(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::preview(&ops::preview(&call.door, &call.request()?)?))
}

pub fn build(call: &Call<'_>) -> Result<Value, Wrong> {
    let written = ops::build(&call.door, &call.request()?, &Target::Numbered)?;
    let path = written.path.as_ref().map(|path| inside(call, path));
    Ok(wire::written(&written, path.as_deref()))
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

pub fn related(call: &Call<'_>) -> Result<Value, Wrong> {
    let limit = call.number("limit").map_or(24, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(wire::related(&ops::related(&call.door, &call.request()?, &call.texts("paths"), limit)?))
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

pub fn slice_refresh(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::refreshed(&ops::slice_refresh(&call.door, &call.texts("paths"))?))
}

pub fn search(call: &Call<'_>) -> Result<Value, Wrong> {
    let request = SearchRequest {
        query: call.needed("query").to_owned(),
        include: call.texts("include"),
        max_tokens: call.number("max_tokens").unwrap_or(4_000),
        tokenizer: call.owned("tokenizer"),
    };
    Ok(wire::found(&ops::search(&call.door, &request)?))
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
