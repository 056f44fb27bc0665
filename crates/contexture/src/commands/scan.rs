//! `scan`: what would be masked, and where.

use super::listed_paths;
use crate::args::ScanArgs;
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, count, counted};
use contexture_server::ops::{self, Door, Request, Scanned};
use contexture_server::wire;

pub fn run(door: &Door, args: &ScanArgs, ui: &Ui) -> Result<(), Failure> {
    let request = Request {
        paths: args.paths.paths.iter().filter(|path| *path != "-").cloned().collect(),
        listed: listed_paths(&args.paths)?,
        preset: args.preset.clone(),
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        ..Request::default()
    };
    let scanned = ui.with_progress(&door.progress, || ops::scan(door, &request))?;
    if ui.json {
        ui.print_json(&wire::scanned(&scanned))?;
    } else {
        ui.print(&rows(&scanned))?;
        ui.notes(&scanned.notes);
    }
    let files = counted(scanned.files as u64, "file");
    let allowed = match scanned.allowed {
        0 => String::new(),
        many => format!("; {} let through by `safety.allow`", count(many as u64)),
    };
    let report = &scanned.report;
    if report.is_empty() {
        ui.say(&format!("nothing found in {files}, {} bytes{allowed}", count(scanned.bytes)));
        return Ok(());
    }
    let found = format!("{} in {files}{allowed}", found(report.secrets.len() as u64, report.hidden_count()));
    let failure = Failure::new(Kind::Blocked, found);
    let failure = match report.secrets.first() {
        Some(first) => failure.hint(format!(
            "take it out and give out a new one, or let it through: `[safety] allow = [\"{}\"]`",
            first.fingerprint
        )),
        None => failure.hint("`contexture build` shows them; `safety.hidden_text = \"strip\"` takes them out"),
    };
    Err(failure.said_already(ui))
}

/// `2 possible secrets, 1 hidden character`; without what there is none of.
pub fn found(secrets: u64, hidden: u64) -> String {
    let some = [(secrets, "possible secret"), (hidden, "hidden character")];
    let told: Vec<String> =
        some.iter().filter(|(many, _)| *many > 0).map(|(many, what)| counted(*many, what)).collect();
    told.join(", ")
}

/// A line for each finding.
fn rows(scanned: &Scanned) -> String {
    let secrets = scanned.report.secrets.iter().map(|found| format!("{found} ({})\n", found.severity.as_str()));
    let hidden = scanned.report.hidden.iter().map(|found| format!("{found}\n"));
    secrets.chain(hidden).collect()
}
