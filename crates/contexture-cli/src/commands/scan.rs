//! `scan`: what would be masked, and where. `check`: whether a provider would take a request.

use super::{read_beginning, request};
use crate::args::{CheckArgs, ScanArgs};
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count, counted};
use contexture::answers::{CheckAnswer, ScanAnswer};
use contexture::ops::{self, Door, ScanResult};
use contexture_core::check::check as provider_check;

pub fn run(door: &Door, args: &ScanArgs, ui: &Ui) -> Result<(), Failure> {
    let request = request(door, &args.document.0, Some(&args.paths), None)?;
    let scanned = ui.with_progress(&door.progress, || ops::scan(door, &request))?;
    if ui.json {
        ui.print_answer(ScanAnswer::from(&scanned))?;
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
    let failure = Failure::new(ErrorKind::Blocked, found);
    let failure = match report.secrets.first() {
        Some(first) => failure.hint(format!(
            "remove the secret and rotate it, or allow it in your settings: `[safety] allow = [\"{}\"]`",
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
fn rows(scanned: &ScanResult) -> String {
    let secrets = scanned.report.secrets.iter().map(|found| format!("{found} ({})\n", found.severity.as_str()));
    let hidden = scanned.report.hidden.iter().map(|found| format!("{found}\n"));
    secrets.chain(hidden).collect()
}

/// A request of more is no request.
const LARGEST: u64 = 1 << 30;

pub fn check(args: &CheckArgs, ui: &Ui) -> Result<(), Failure> {
    let provider = args.request.provider.get();
    let bytes = read_beginning(&args.file, LARGEST).map_err(|error| {
        Failure::new(ErrorKind::Usage, format!("`{}` cannot be read: {}", args.file.display(), error.kind()))
            .hint("`check` takes the body of a request, as `build --format anthropic -o FILE` writes it")
    })?;
    let body = String::from_utf8_lossy(&bytes);
    let found = provider_check(provider, &body);
    if ui.json {
        ui.print_answer(CheckAnswer::new(provider, &found))?;
    } else {
        for violation in &found {
            ui.print(&format!("{violation} ({})\n", violation.hint))?;
        }
    }
    if found.is_empty() {
        ui.say(&format!("`{provider}` would take it: {} bytes", bytes.len()));
        return Ok(());
    }
    let many = counted(found.len() as u64, "violation");
    Err(Failure::new(ErrorKind::Verification, format!("`{provider}` would refuse it: {many}")).said_already(ui))
}
