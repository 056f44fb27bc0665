//! A run once more: its request is compiled again, and what comes of it has to be the same bytes.

use super::Place;
use super::compare::compare;
use super::difference::Difference;
use super::record::{self, Print};
use crate::ops::OpError;
use crate::ops::document::{Made, make};
use crate::ops::open::{Door, Opened, Request};
use crate::wire;
use contexture_gather::names;
use contexture_gather::runs::{Manifest, RunKind};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Replayed {
    pub manifest: Manifest,
    pub made: Made,
    /// What leads from the run to what it would be now. `None`: the same bytes.
    pub difference: Option<Difference>,
}

/// `target` is where the bytes will go: an earlier file there is not taken for a file of the project.
pub fn runs_replay(door: &Door, which: &str, target: Option<&Path>) -> Result<Replayed, OpError> {
    let manifest = Place::of(door)?.get(which)?;
    let (made, now) = again(door, &manifest, target)?;
    let is_same = now.output.hash == manifest.output.hash;
    let difference = (!is_same).then(|| compare(&manifest, &now, None));
    Ok(Replayed { manifest, made, difference })
}

/// What the request of a run gives now, and the manifest it would have.
pub(super) fn again(door: &Door, manifest: &Manifest, target: Option<&Path>) -> Result<(Made, Manifest), OpError> {
    let number = manifest.number;
    match manifest.kind {
        RunKind::Build => {}
        RunKind::Send | RunKind::Agent => {
            let kind = manifest.kind.as_str();
            return Err(OpError::usage(format!("run {number} is of the kind `{kind}`: only builds are made again"))
                .hint(format!("`contexture runs show {number} --request` prints its bytes")));
        }
    }
    let (door, mut request) = made_by(door, manifest)?;
    if request.target.is_none() {
        request.target = target.map(Path::to_path_buf);
    }
    let opened = door.open(&request).map_err(|error| not_again(number, &error))?;
    let made = make(&door, &opened).map_err(|error| not_again(number, &error))?;
    let now = now(&door, &opened, &request, manifest, &made);
    Ok((made, now))
}

fn now(door: &Door, opened: &Opened, request: &Request, then: &Manifest, made: &Made) -> Manifest {
    let print = Print::of(&made.compiled.output, &made.snapshot.items);
    let draft = record::of_document(door, opened, request, made, print, None);
    let mut now = record::manifest(door, &opened.config, draft);
    // The same request by definition; only where it is written to may differ.
    now.request = then.request.clone();
    now
}

/// The door and the request as they were.
fn made_by(door: &Door, manifest: &Manifest) -> Result<(Door, Request), OpError> {
    let refuse = |cause: String| OpError::Verification {
        message: format!("the request of run {} cannot be made again: {cause}", manifest.number),
        hints: vec![format!("it was made by version {}, this is {}", manifest.version, env!("CARGO_PKG_VERSION"))],
    };
    let fields = manifest.request.as_object().ok_or_else(|| refuse("it is no object".into()))?;
    if let Some(unknown) = fields.keys().find(|key| !["roots", "config_file", "document"].contains(&key.as_str())) {
        return Err(refuse(format!("its field `{unknown}` is not known")));
    }
    let paths = |list: &Value| list.as_array()?.iter().map(|path| Some(names::actual(path.as_str()?))).collect();
    let further: Option<Vec<PathBuf>> = fields.get("roots").map_or(Some(Vec::new()), paths);
    let further = further.ok_or_else(|| refuse("its field `roots` cannot be understood".into()))?;
    let config_file = match fields.get("config_file") {
        None | Some(Value::Null) => None,
        Some(Value::String(path)) => Some(names::actual(path)),
        Some(_) => return Err(refuse("its field `config_file` cannot be understood".into())),
    };
    let document = fields.get("document").unwrap_or(&Value::Null);
    let request = wire::request::from_json(document).map_err(refuse)?;
    let project = door.root_paths().into_iter().take(1);
    let door = Door {
        env: door.env.clone(),
        roots: project.chain(further).collect(),
        config_file,
        no_cache: door.no_cache,
        threads: door.threads,
        progress: Arc::clone(&door.progress),
        input: None,
    };
    Ok((door, request))
}

/// A preset that is gone, a budget that nothing fits any more: the same bytes cannot be had.
fn not_again(number: u64, error: &OpError) -> OpError {
    OpError::Verification { message: format!("run {number} cannot be made again: {error}"), hints: error.hints() }
}
