//! Projects of other programs, read as ours.

use super::open::Door;
use super::{ErrorKind, OpError};
use crate::requests::{ImportProjectRequest, Via};
use contexture_core::{Note, Topic};
use contexture_gather::config::manual_slop::{self, HistoryFile, ImportedProject};
use contexture_gather::config::write_file;
use std::path::Path;

/// Whether a file that is there may be replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overwrite {
    Never,
    Always,
}

/// A project of Manual Slop as a `contexture.toml`; with `output` it is also written there.
pub fn import_manual_slop(
    door: &Door,
    file: &Path,
    output: Option<(&Path, Overwrite)>,
) -> Result<ImportedProject, OpError> {
    let target = output.map(|(path, over)| (door.env.cwd.join(path), over));
    if let Some((target, Overwrite::Never)) = &target
        && target.symlink_metadata().is_ok()
    {
        let message = format!("`{}` is there already", output.map_or(target.as_path(), |(path, _)| path).display());
        return Err(OpError::of(ErrorKind::Conflict, message).hint("`--force` replaces it"));
    }
    let root = match target.as_ref().and_then(|(target, _)| target.parent()) {
        Some(folder) => folder.to_path_buf(),
        None => door.open_roots()?.project().to_path_buf(),
    };
    let mut imported = manual_slop::import_file(&door.env.cwd.join(file), &file.display().to_string(), &root)?;
    note_unknown_providers(&mut imported);
    if let Some((target, _)) = &target {
        write_file(target, &imported.text).map_err(|error| OpError::io("cannot write", target, &error))?;
    }
    Ok(imported)
}

/// The same for a text, with that of its discussion.
pub fn import_manual_slop_text(request: &ImportProjectRequest) -> Result<ImportedProject, OpError> {
    let history = request.history.as_deref().map(|text| HistoryFile { name: "history.toml", text });
    let mut imported = manual_slop::import(&request.text, &request.name, history)?;
    note_unknown_providers(&mut imported);
    Ok(imported)
}

fn note_unknown_providers(imported: &mut ImportedProject) {
    let strange = imported.providers.iter().filter(|(provider, _)| Via::parse(provider).is_none());
    imported.notes.extend(strange.map(|(provider, place)| {
        Note::new(Topic::Setting, format!("no provider `{provider}` is known: its model is passed over"))
            .at(place.clone())
            .hint(format!("there are: {}", Via::WORDS.join(", ")))
    }));
}
