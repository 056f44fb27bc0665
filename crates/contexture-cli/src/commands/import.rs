//! `import manual-slop`.

use crate::args::ImportVerb;
use crate::failure::Failure;
use crate::ui::Ui;
use contexture::answers::ImportedProjectAnswer;
use contexture::ops::{self, Door, Overwrite};
use std::path::Path;

pub fn run(door: &Door, verb: ImportVerb, ui: &Ui) -> Result<(), Failure> {
    let ImportVerb::ManualSlop { file, output, force } = verb;
    let output = output.filter(|output| output != Path::new("-"));
    let over = if force { Overwrite::Always } else { Overwrite::Never };
    let imported = ops::import_manual_slop(door, &file, output.as_deref().map(|output| (output, over)))?;
    let path = output.as_ref().map(|output| output.display().to_string());
    if ui.json {
        ui.print_answer(ImportedProjectAnswer::new(&imported, path.as_deref()))?;
    } else if path.is_none() {
        ui.print(&imported.text)?;
    }
    // Each one names a key and a line, so none is only counted.
    for note in imported.notes.iter().filter(|_| !ui.json) {
        let hint = note.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        ui.say(&format!("note: {note}{hint}"));
    }
    if let Some(path) = path {
        ui.say(&format!("wrote {path}"));
    }
    Ok(())
}
