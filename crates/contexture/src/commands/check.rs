//! `check`: whether a provider would take a request.

use crate::args::CheckArgs;
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, counted};
use contexture_core::check::check;
use contexture_server::wire;
use std::io::Read;
use std::path::Path;

/// A request of more is no request.
const LARGEST: u64 = 1 << 30;

pub fn run(args: &CheckArgs, ui: &Ui) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    let read = match args.file == Path::new("-") {
        true => std::io::stdin().lock().take(LARGEST).read_to_end(&mut bytes),
        false => std::fs::File::open(&args.file).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)),
    };
    read.map_err(|error| {
        Failure::new(Kind::Usage, format!("`{}` cannot be read: {}", args.file.display(), error.kind()))
            .hint("`check` takes the body of a request, as `build --format anthropic -o FILE` writes it")
    })?;
    let body = String::from_utf8_lossy(&bytes);
    let found = check(args.provider, &body);
    if ui.json {
        ui.print_json(&wire::checked(args.provider, &found))?;
    } else {
        for violation in &found {
            ui.print(&format!("{violation} ({})\n", violation.hint))?;
        }
    }
    if found.is_empty() {
        ui.say(&format!("`{}` would take it: {} bytes", args.provider, bytes.len()));
        return Ok(());
    }
    let many = counted(found.len() as u64, "violation");
    Err(Failure::new(Kind::Verification, format!("`{}` would refuse it: {many}", args.provider)).said_already(ui))
}
