//! `why PATH`.

use super::request;
use crate::args::WhyArgs;
use crate::failure::Failure;
use crate::ui::{Ui, count, path};
use contexture_server::ops::{self, Door};
use contexture_server::wire;

pub fn run(door: &Door, args: &WhyArgs, ui: &Ui) -> Result<(), Failure> {
    let request = request(&args.select, None)?;
    let reason = ui.with_progress(&door.progress, || ops::why(door, &request, &args.path))?;
    if ui.json {
        ui.print_json(&wire::reason(&reason))?;
        return Ok(());
    }
    let state = match (reason.shown, reason.view, reason.tokens) {
        (true, Some(view), Some(tokens)) => format!("shown as `{view}`, {} tokens", count(tokens)),
        (true, _, Some(tokens)) => format!("shown, {} tokens", count(tokens)),
        (true, _, None) => "shown".to_owned(),
        (false, ..) => "not shown".to_owned(),
    };
    let mut out = format!("{}: {state}\n  because: {}\n", path(&reason.path), reason.why);
    for detail in &reason.details {
        out.push_str(&format!("  {detail}\n"));
    }
    if let Some(hint) = &reason.hint {
        out.push_str(&format!("  hint: {hint}\n"));
    }
    ui.print(&out)?;
    Ok(())
}
