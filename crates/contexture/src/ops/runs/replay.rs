//! A run once more: its request is compiled again, and what comes of it has to be the same bytes.

use super::ProjectRuns;
use super::compare::compare;
use super::difference::Difference;
use super::record::RunDraft;
use crate::ops::document::{CompiledDocument, compile_document};
use crate::ops::open::Door;
use crate::ops::{ErrorKind, OpError};
use crate::requests::{DocumentRequest, RunName};
use contexture_gather::names;
use contexture_gather::runs::{Manifest, RunKind};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A run that was compiled again.
pub struct ReplayedRun {
    pub manifest: Manifest,
    pub document: CompiledDocument,
    /// What leads from the run to what it would be now. `None`: the same bytes.
    pub difference: Option<Difference>,
}

/// `target` is where the bytes will go: an earlier file there is not taken for a file of the project.
pub fn runs_replay(door: &Door, which: &RunName, target: Option<&Path>) -> Result<ReplayedRun, OpError> {
    let manifest = ProjectRuns::of(door)?.get(which)?;
    let (document, now) = recompile(door, &manifest, target)?;
    let is_same = now.output.hash == manifest.output.hash;
    let difference = (!is_same).then(|| compare(&manifest, &now, None));
    Ok(ReplayedRun { manifest, document, difference })
}

/// What the request of a run gives now, and the manifest it would have.
pub(super) fn recompile(
    door: &Door,
    manifest: &Manifest,
    target: Option<&Path>,
) -> Result<(CompiledDocument, Manifest), OpError> {
    let number = manifest.number;
    match manifest.kind {
        RunKind::Build => {}
        RunKind::Send | RunKind::Agent => {
            let kind = manifest.kind.as_str();
            return Err(OpError::usage(format!("run {number} is of the kind `{kind}`: only builds are made again"))
                .hint(format!("`contexture runs show {number} --request` prints its bytes")));
        }
    }
    let (door, mut request) = restore_request(door, manifest)?;
    if request.target.is_none() {
        request.target = target.map(Path::to_path_buf);
    }
    let opened = door.open(&request).map_err(|error| cannot_recompile(number, &error))?;
    let document = compile_document(&door, &opened).map_err(|error| cannot_recompile(number, &error))?;
    let now = RunDraft::of_document(&door, &opened, &request, &document, None).manifest(&door, &opened.config);
    // The same request by definition; only where it is written to may differ.
    let now = Manifest { request: manifest.request.clone(), ..now };
    Ok((document, now))
}

/// The door and the request as they were.
fn restore_request(door: &Door, manifest: &Manifest) -> Result<(Door, DocumentRequest), OpError> {
    let refuse = |cause: String| {
        let message = format!("the request of run {} cannot be made again: {cause}", manifest.number);
        let hint = format!("it was made by version {}, this is {}", manifest.version, env!("CARGO_PKG_VERSION"));
        OpError::of(ErrorKind::Verification, message).hint(hint)
    };
    let fields = manifest.request.as_object().ok_or_else(|| refuse("it is no object".into()))?;
    if let Some(unknown) = fields.keys().find(|key| !["roots", "config_file", "document"].contains(&key.as_str())) {
        return Err(refuse(format!("its field `{unknown}` is not known")));
    }
    let paths = |list: &Value| list.as_array()?.iter().map(|path| Some(names::original_path(path.as_str()?))).collect();
    let further: Option<Vec<PathBuf>> = fields.get("roots").map_or(Some(Vec::new()), paths);
    let further = further.ok_or_else(|| refuse("its field `roots` cannot be understood".into()))?;
    let config_file = match fields.get("config_file") {
        None | Some(Value::Null) => None,
        Some(Value::String(path)) => Some(names::original_path(path)),
        Some(_) => return Err(refuse("its field `config_file` cannot be understood".into())),
    };
    let document = fields.get("document").cloned().unwrap_or_default();
    let request = DocumentRequest::from_manifest(document).map_err(refuse)?;
    let project = door.root_paths().into_iter().take(1);
    let door = Door { roots: project.chain(further).collect(), config_file, input: None, ..door.clone() };
    Ok((door, request))
}

/// A preset that is gone, a budget that nothing fits any more: the same bytes cannot be had.
fn cannot_recompile(number: u64, error: &OpError) -> OpError {
    let message = format!("run {number} cannot be made again: {error}");
    OpError::of(ErrorKind::Verification, message).with_hints(error.hints())
}
