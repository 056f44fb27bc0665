//! `cache status|clear|gc|verify`.

use super::listed_paths;
use crate::args::CacheVerb;
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count, counted, path};
use contexture::answers::{CacheStatusAnswer, VerifiedAnswer};
use contexture::ops::{self, CacheStatus, CacheVerified, ClearedAnswer, Door, SummaryState};
use contexture::requests::DocumentRequest;
use std::fmt::Write;

pub fn run(door: &Door, verb: CacheVerb, ui: &Ui) -> Result<(), Failure> {
    match verb {
        CacheVerb::Status { paths, document } => {
            let request = DocumentRequest {
                listed: listed_paths(&paths)?,
                paths: paths.paths.into_iter().filter(|path| path != "-").collect(),
                ..document.0
            };
            status(&ui.with_progress(&door.progress, || ops::cache_status(door, &request))?, ui)
        }
        CacheVerb::Clear(request) => {
            cleared(&ui.with_progress(&door.progress, || ops::cache_clear(door, &request))?, ui)
        }
        CacheVerb::Gc => cleared(&ui.with_progress(&door.progress, || ops::cache_gc(door))?, ui),
        CacheVerb::Verify(request) => verified(&ops::cache_verify(door, &request)?, ui),
    }
}

fn status(status: &CacheStatus, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(CacheStatusAnswer::from(status))?);
    }
    let mut out = String::new();
    // In the order of the states.
    let mut counts = [0_u64; SummaryState::ALL.len()];
    // Fresh ones that another tier lends, and others that have one for another tier only.
    let (mut lent, mut elsewhere) = (0_u64, 0_u64);
    for file in &status.files {
        counts[file.state as usize] += 1;
        let _ = write!(out, "{:<5}  {}", file.state.as_str(), path(&file.path));
        if let Some(author) = &file.author {
            let _ = write!(out, "  {}, tier {}, {}", path(&author.by), author.tier, path(&author.at));
        }
        let tiers: Vec<String> = file.tiers.iter().map(u8::to_string).collect();
        if file.state == SummaryState::Fresh {
            lent += u64::from(file.author.as_ref().is_some_and(|author| author.tier != status.tier));
        } else if !tiers.is_empty() {
            elsewhere += 1;
            let _ = write!(out, "  (there is one for tier {})", tiers.join(", "));
        }
        out.push('\n');
    }
    ui.print(&out)?;
    ui.notes(&status.notes);
    let [fresh, stale, none] = counts.map(count);
    let damaged = if status.damaged > 0 {
        format!(", {} damaged (`cache verify`)", count(status.damaged))
    } else {
        String::new()
    };
    let told = |number: u64, text: &str| match number {
        0 => String::new(),
        number => text.replace('N', &count(number)),
    };
    ui.say(&format!(
        "tier {}: {fresh} fresh{}, {stale} stale, {none} without; {} not summarised{}{damaged}",
        status.tier,
        told(lent, " (N of another tier, shown in its place)"),
        count(status.unfit as u64),
        told(elsewhere, "; N with one for another tier, which is not shown"),
    ));
    if counts[1] + counts[2] + lent > 0 {
        ui.say(&format!("`contexture summarize --tier {}` asks for what is missing", status.tier));
    }
    Ok(())
}

fn cleared(cleared: &ClearedAnswer, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(cleared)?);
    }
    ui.notes(&cleared.notes);
    let mut out = format!("{} removed, {} kept", counted(cleared.swept.removed, "summary"), count(cleared.swept.kept));
    if cleared.swept.damaged > 0 {
        let _ = write!(out, ", {} damaged removed", count(cleared.swept.damaged));
    }
    if let Some(derived) = cleared.derived {
        let _ = write!(out, "; {} derived results forgotten", count(derived));
    }
    if cleared.freed_bytes > 0 {
        let _ = write!(out, "; {} bytes freed", count(cleared.freed_bytes));
    }
    Ok(ui.print(&format!("{out}\n"))?)
}

fn verified(verified: &CacheVerified, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        ui.print_answer(VerifiedAnswer::from(verified))?;
    } else {
        ui.notes(&verified.notes);
        ui.print(&listed(verified))?;
    }
    if verified.is_sound() {
        return Ok(());
    }
    let failure = if verified.was_set_aside() {
        Failure::new(ErrorKind::Verification, "what was there was damaged and is set aside")
            .hint("`contexture summarize` writes what is missing")
    } else {
        Failure::new(ErrorKind::Verification, "the cache is damaged")
            .hint("`contexture cache verify --repair` sets a damaged store aside and saves what can be read")
    };
    Err(failure.said_already(ui))
}

fn listed(verified: &CacheVerified) -> String {
    let mut out = String::new();
    if let Some(repaired) = &verified.repaired {
        let (place, cause) = (path(&repaired.aside.to_string_lossy()), path(&repaired.cause));
        let saved = counted(repaired.saved, "summary");
        let _ = writeln!(out, "the store of summaries was damaged ({cause}): set aside as {place}, {saved} saved");
    }
    if let Some(aside) = &verified.derived_aside {
        let place = path(&aside.to_string_lossy());
        let _ = writeln!(out, "the cache of derived results was damaged: set aside as {place}; it is made anew");
    }
    match &verified.summaries {
        None => out.push_str("summaries: none yet\n"),
        Some(found) => {
            let _ = writeln!(out, "summaries: {} whole, {} damaged", count(found.entries), found.damaged.len());
            for damage in &found.damaged {
                let name = damage.file_path.as_deref().map(path).unwrap_or_default();
                let key: String = damage.shown_key().chars().take(12).collect();
                let _ = writeln!(out, "  damaged: {key} {name}: {}", path(&damage.cause));
            }
            for problem in &found.problems {
                let _ = writeln!(out, "  problem: {}", path(problem));
            }
        }
    }
    match &verified.derived {
        None => out.push_str("derived results: switched off\n"),
        Some(Ok(text)) => {
            let _ = writeln!(out, "derived results: {}", path(text));
        }
        Some(Err(cause)) => {
            let _ = writeln!(out, "derived results: damaged: {}", path(cause));
        }
    }
    out
}
