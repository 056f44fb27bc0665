//! `related PATH...`.

use crate::args::RelatedArgs;
use crate::failure::Failure;
use crate::ui::{Ui, counted, path};
use contexture_server::ops::{self, Door, Request};
use contexture_server::wire;

pub fn run(door: &Door, args: &RelatedArgs, ui: &Ui) -> Result<(), Failure> {
    let request = Request { preset: args.preset.clone(), ..Request::default() };
    let found = ui.with_progress(&door.progress, || ops::related(door, &request, &args.paths, args.limit))?;
    ui.notes(&found.notes);
    if ui.json {
        return Ok(ui.print_json(&wire::related(&found))?);
    }
    let lines: String = found.files.iter().map(|file| format!("{}\n", path(&file.path))).collect();
    ui.print(&lines)?;
    for file in &found.files {
        ui.say(&format!("{}: {}", path(&file.path), file.reason()));
    }
    ui.say(&format!("{} referred to", counted(found.files.len() as u64, "file")));
    Ok(())
}
