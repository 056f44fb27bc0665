//! `slice make|resolve|refresh`.

use crate::args::SliceVerb;
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, count, counted, path};
use contexture_core::Slice;
use contexture_core::anchor::Resolved;
use contexture_gather::config::{EntrySlice, Many};
use contexture_server::ops::{self, Door};
use contexture_server::wire;
use serde_json::{Value, json};
use std::io::Read;
use std::path::Path;

pub fn run(door: &Door, verb: SliceVerb, ui: &Ui) -> Result<(), Failure> {
    match verb {
        SliceVerb::Make { path, lines, tag, comment } => {
            let range = range(&lines)?;
            make(&ops::slice_make(door, &path, range, tag.as_deref(), comment.as_deref())?, ui)
        }
        SliceVerb::Resolve { path, slice } => {
            let stored = stored(door, &slice)?;
            let alone = matches!(stored, Many::One(_));
            let slices = match stored {
                Many::One(slice) => vec![*slice],
                Many::List(slices) => slices,
            };
            resolve(&ops::slice_resolve(door, &path, slices)?, alone, ui)
        }
        SliceVerb::Refresh { paths } => {
            let refreshed = ui.with_progress(&door.progress, || ops::slice_refresh(door, &paths))?;
            refresh(&refreshed, ui)
        }
    }
}

/// Prints the slice and nothing else on standard output: it is made to be stored.
fn make(made: &ops::SliceMade, ui: &Ui) -> Result<(), Failure> {
    ui.notes(&made.notes);
    if ui.json {
        ui.print_json(&made.slice.to_json())?;
        return Ok(());
    }
    ui.print(&format!("{}\n", made.slice.to_toml()))?;
    let slice = &made.slice.slice;
    let lines = counted(slice.end_line - slice.start_line + 1, "line");
    ui.say(&format!("{lines} of {}; put it into the list `custom_slices` of the entry:", path(&made.path)));
    let entry = json!(made.path);
    ui.say(&format!("  {{ path = {entry}, view_mode = \"custom\", custom_slices = [ … ] }}"));
    Ok(())
}

fn resolve(found: &ops::SlicesFound, alone: bool, ui: &Ui) -> Result<(), Failure> {
    ui.notes(&found.notes);
    if ui.json {
        let slices: Vec<Value> = found.found.iter().map(|(slice, now)| wire::slice(slice, now)).collect();
        let mut out = json!({"v": 1, "path": found.path});
        match (out.as_object_mut(), slices.first()) {
            (Some(out), Some(Value::Object(slice))) if alone => out.extend(slice.clone()),
            (Some(out), _) => drop(out.insert("slices".into(), slices.into())),
            (None, _) => {}
        }
        ui.print_json(&out)?;
        return Ok(());
    }
    let out: String = found.found.iter().map(|(slice, now)| line(slice, now)).collect();
    ui.print(&out)?;
    Ok(())
}

fn refresh(refreshed: &ops::SlicesRefreshed, ui: &Ui) -> Result<(), Failure> {
    ui.notes(&refreshed.notes);
    let stored = refreshed.slices.iter().filter(|state| state.stored).count() as u64;
    if ui.json {
        ui.print_json(&wire::refreshed(refreshed))?;
        return Ok(());
    }
    let mut out = String::new();
    for state in &refreshed.slices {
        out.push_str(&format!("{}: {}", path(&state.path), line(&state.old, &state.now)));
    }
    ui.print(&out)?;
    let lost = refreshed.slices.iter().filter(|state| state.now.lines.is_none()).count() as u64;
    ui.say(&format!("stored anew: {} of {}", count(stored), counted(refreshed.slices.len() as u64, "slice")));
    if lost > 0 {
        ui.say(&format!(
            "not found and left as they are: {}; where no note says more, `contexture slice make` marks lines anew",
            count(lost)
        ));
    }
    Ok(())
}

/// One slice on one line: what became of it, where it is, where it was, its tag, why.
fn line(slice: &Slice, now: &Resolved) -> String {
    let lines = |start: u64, end: u64| if start == end { start.to_string() } else { format!("{start}-{end}") };
    let old = lines(slice.start_line, slice.end_line);
    let place = match now.lines {
        Some((start, end)) if (start, end) == (slice.start_line, slice.end_line) => old,
        Some((start, end)) => format!("{old} -> {}", lines(start, end)),
        None => format!("was {old}"),
    };
    let tag = slice.tag.as_deref().map(|tag| format!("  {}", path(tag))).unwrap_or_default();
    format!("{:<9}  {place}{tag}  ({})\n", now.outcome, now.why)
}

/// `10-20`, or `10` for one line.
fn range(lines: &str) -> Result<(u64, u64), Failure> {
    let (start, end) = lines.split_once('-').unwrap_or((lines, lines));
    match (start.trim().parse(), end.trim().parse()) {
        (Ok(start), Ok(end)) => Ok((start, end)),
        _ => Err(Failure::new(Kind::Usage, format!("not a range of lines: `{}`", path(lines)))
            .hint("`contexture slice make PATH 10-20`")),
    }
}

fn stored(door: &Door, file: &Path) -> Result<Many, Failure> {
    let mut text = String::new();
    let cannot = |error: std::io::Error| {
        Failure::new(Kind::Usage, format!("cannot read `{}`: {}", file.display(), error.kind()))
    };
    if file == Path::new("-") {
        std::io::stdin().lock().read_to_string(&mut text).map_err(cannot)?;
    } else {
        text = std::fs::read_to_string(door.env.cwd.join(file)).map_err(cannot)?;
    }
    Ok(EntrySlice::all_from_text(&text, &file.display().to_string())?)
}
