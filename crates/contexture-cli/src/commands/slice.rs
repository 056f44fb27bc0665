//! `slice make|resolve|refresh`.

use crate::args::SliceVerb;
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count, counted, path};
use contexture::answers::{SliceAnswer, SlicesAnswer, SlicesRefreshedAnswer};
use contexture::ops::{self, Door};
use contexture::requests::{SlicesRequest, StoredSlice};
use contexture_core::Slice;
use contexture_core::anchor::Resolved;
use contexture_gather::config::{EntrySlice, EntrySlices};
use serde_json::json;
use std::io::Read;
use std::path::Path;

pub fn run(door: &Door, verb: SliceVerb, ui: &Ui) -> Result<(), Failure> {
    match verb {
        SliceVerb::Make { mut slice, lines } => {
            door.check_typed(std::slice::from_ref(&slice.path))?;
            (slice.start_line, slice.end_line) = range(&lines)?;
            make(&ops::slice_make(door, &slice)?, ui)
        }
        SliceVerb::Resolve { slices: request, slice } => {
            door.check_typed(std::slice::from_ref(&request.path))?;
            let stored = stored(door, &slice)?;
            let alone = matches!(stored, EntrySlices::One(_));
            let slices = match stored {
                EntrySlices::One(slice) => vec![*slice],
                EntrySlices::List(slices) => slices,
            };
            let slices = slices.into_iter().map(StoredSlice).collect();
            resolve(&ops::slice_resolve(door, SlicesRequest { slices, ..request })?, alone, ui)
        }
        SliceVerb::Refresh(request) => {
            let refreshed = ui.with_progress(&door.progress, || ops::slice_refresh(door, &request.paths))?;
            refresh(&refreshed, ui)
        }
    }
}

/// Prints the slice and nothing else on standard output: it is made to be stored.
fn make(made: &ops::CreatedSlice, ui: &Ui) -> Result<(), Failure> {
    ui.notes(&made.notes);
    if ui.json {
        return Ok(ui.print_json(&made.slice.to_json())?);
    }
    ui.print(&format!("{}\n", made.slice.to_toml()))?;
    let slice = &made.slice.slice;
    let lines = counted(slice.end_line - slice.start_line + 1, "line");
    ui.say(&format!("{lines} of {}; put it into the list `custom_slices` of the entry:", path(&made.path)));
    let entry = json!(made.path);
    ui.say(&format!("  {{ path = {entry}, view_mode = \"custom\", custom_slices = [ … ] }}"));
    Ok(())
}

fn resolve(found: &ops::ResolvedSlices, alone: bool, ui: &Ui) -> Result<(), Failure> {
    ui.notes(&found.notes);
    if ui.json {
        let answer = SlicesAnswer { notes: None, ..found.into() };
        let printed = match answer.slices.as_slice() {
            [slice] if alone => ui.print_answer(SliceAnswer { path: Some(answer.path), ..slice.clone() }),
            _ => ui.print_answer(answer),
        };
        return Ok(printed?);
    }
    let out: String = found.found.iter().map(|(slice, now)| line(slice, now)).collect();
    Ok(ui.print(&out)?)
}

fn refresh(refreshed: &ops::SlicesRefreshed, ui: &Ui) -> Result<(), Failure> {
    ui.notes(&refreshed.notes);
    let stored = refreshed.slices.iter().filter(|state| state.stored).count() as u64;
    if ui.json {
        return Ok(ui.print_answer(SlicesRefreshedAnswer::from(refreshed))?);
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
        _ => Err(Failure::new(ErrorKind::Usage, format!("not a range of lines: `{}`", path(lines)))
            .hint("`contexture slice make PATH 10-20`")),
    }
}

fn stored(door: &Door, file: &Path) -> Result<EntrySlices, Failure> {
    let mut text = String::new();
    let cannot = |error: std::io::Error| {
        Failure::new(ErrorKind::Usage, format!("cannot read `{}`: {}", file.display(), error.kind()))
    };
    if file == Path::new("-") {
        std::io::stdin().lock().read_to_string(&mut text).map_err(cannot)?;
    } else {
        text = std::fs::read_to_string(door.env.cwd.join(file)).map_err(cannot)?;
    }
    Ok(EntrySlice::all_from_text(&text, &file.display().to_string())?)
}
