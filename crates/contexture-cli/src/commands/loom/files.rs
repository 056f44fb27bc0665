//! Trees written to files, and the file of the store itself: checked and repaired.

use super::super::agent::to_file;
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, counted, path};
use contexture::answers::{TreeFilesAnswer, TreesImportedAnswer, TreesVerifiedAnswer};
use contexture::ops::loom::{self as ops, Missing, Trees, TreesImported};
use contexture::ops::{Door, OpError};
use contexture::requests::{ExportTreeRequest, WhichTree};
use contexture_gather::outputs;
use std::io::Write;
use std::path::PathBuf;

pub fn export(
    door: &Door,
    trees: &mut Trees<'_>,
    request: &ExportTreeRequest,
    output: Option<PathBuf>,
    ui: &Ui,
) -> Result<(), Failure> {
    let exported = trees.export(request)?;
    let is_folder = exported.files.iter().any(|(place, _)| !place.is_empty()) || exported.files.len() != 1;
    let target = to_file(&output);
    if is_folder && target.is_none() {
        let failure = Failure::new(ErrorKind::Usage, "this format is a folder of files");
        return Err(failure.hint("`-o DIR` says where"));
    }
    if let Some(target) = target {
        // Another tree may be there, and its list would be lost.
        if is_folder && std::fs::read_dir(door.env.cwd.join(target)).is_ok_and(|mut found| found.next().is_some()) {
            let failure = Failure::new(
                ErrorKind::Conflict,
                format!("the folder is not empty: `{}`", path(&target.to_string_lossy())),
            );
            return Err(failure.hint("name a new folder"));
        }
        for (place, text) in &exported.files {
            let file = if is_folder { target.join(place) } else { target.to_path_buf() };
            let file = door.env.cwd.join(file);
            if let Some(folder) = file.parent().filter(|_| is_folder) {
                std::fs::create_dir_all(folder)?;
            }
            outputs::write_private(&file, |out| out.write_all(text.as_bytes())).map_err(OpError::from)?;
        }
    }
    if ui.json {
        let path = target.map(|file| file.display().to_string());
        return Ok(ui.print_answer(TreeFilesAnswer::new(&exported, path))?);
    }
    if target.is_none() {
        let mut out = std::io::stdout().lock();
        for (_, text) in &exported.files {
            out.write_all(text.as_bytes())?;
        }
        out.flush()?;
    }
    ui.notes(&exported.notes);
    Ok(())
}

pub fn imported(imported: &TreesImported, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(TreesImportedAnswer::from(imported))?);
    }
    ui.notes(&imported.notes);
    for one in &imported.trees {
        let nodes = counted(one.nodes as u64, "node");
        ui.say(&format!("imported `{}` [{}]: {nodes} ({})", path(&one.tree.title), one.tree.local, imported.format));
    }
    let skipped: Vec<String> = imported.skipped.iter().map(|(what, many)| format!("{what} ({many})")).collect();
    if !skipped.is_empty() {
        ui.say(&format!("not part of it: {}", skipped.join(", ")));
    }
    Ok(())
}

pub fn verify(door: &Door, which: &WhichTree, repair: bool, ui: &Ui) -> Result<(), Failure> {
    if repair {
        let saved = ops::repair_store(door, which)?;
        if ui.json {
            return Ok(ui.print_answer(TreesVerifiedAnswer::from(&saved))?);
        }
        let aside: Vec<String> = saved.aside.iter().map(|file| file.display().to_string()).collect();
        ui.say(&format!("copied aside: {}", aside.join(", ")));
        ui.say(&format!("saved {} and {}", counted(saved.trees, "tree"), counted(saved.nodes, "node")));
        for lost in &saved.lost {
            ui.say(&format!("lost: {}", path(lost)));
        }
        return Ok(());
    }
    let mut trees = ops::trees(door, which, Missing::Refuse)?;
    let found = trees.verify()?;
    if ui.json {
        ui.print_answer(TreesVerifiedAnswer::from(&found))?;
    }
    let counts =
        format!("{}, {}, {}", counted(found.trees, "tree"), counted(found.nodes, "node"), counted(found.edges, "edge"));
    if found.problems.is_empty() {
        ui.say(&format!("all is well: {counts}"));
        return Ok(());
    }
    for problem in found.problems.iter().take(20) {
        ui.say(&format!("{}: {} ({})", path(&problem.id), path(&problem.what), problem.hint));
    }
    let failure = Failure::new(
        ErrorKind::Verification,
        format!("{} in {counts}", counted(found.problems.len() as u64, "problem")),
    );
    Err(failure
        .hint("`contexture loom verify --repair` copies the store aside and saves what can be read")
        .said_already(ui))
}
