//! Two runs of a project side by side, with their bytes where they can be had.

use super::compare::compare;
use super::difference::Difference;
use super::{Place, replay};
use crate::ops::OpError;
use crate::ops::open::Door;
use contexture_core::ContentHash;
use contexture_gather::names;
use contexture_gather::runs::{Kept, Manifest, Runs};
use std::path::Path;

pub struct RunsDiff {
    pub old: Manifest,
    pub new: Manifest,
    pub difference: Difference,
}

/// From `old` to `new`; without a name the last one, and the one before the other.
pub fn runs_diff(door: &Door, old: Option<&str>, new: Option<&str>) -> Result<RunsDiff, OpError> {
    let place = Place::of(door)?;
    let (old, new) = match (old, new) {
        (None, _) => (
            place.get("-2").map_err(|error| error.hint("a second `build` gives something to compare"))?,
            place.get("-1")?,
        ),
        (Some(old), new) => (place.get(old)?, place.get(new.unwrap_or("-1"))?),
    };
    let bytes = match &place.runs {
        // Only where the bytes part is not known already.
        Some(runs) if old.output.hash != new.output.hash => {
            let of = |manifest: &Manifest| bytes_of(door, runs, &place.project, manifest);
            of(&old).and_then(|old| Some((old, of(&new)?)))
        }
        _ => None,
    };
    // Here both outputs are at hand. Of two requests to one provider, what its cache can use again is told by its own rule on
    // these bytes; without them `difference.common` is the bound.
    let difference = compare(&old, &new, bytes.as_ref().map(|(old, new)| (old.as_slice(), new.as_slice())));
    Ok(RunsDiff { old, new, difference })
}

/// The exact output of a run: kept, still in its file, or made again. Whatever it comes from must have the manifest's hash.
fn bytes_of(door: &Door, runs: &Runs, project: &Path, manifest: &Manifest) -> Option<Vec<u8>> {
    let is_it = |bytes: &Vec<u8>| ContentHash::of(bytes) == manifest.output.hash;
    let kept = || runs.kept(project, manifest.number, Kept::Request).ok().flatten();
    let file = || {
        let path = names::actual(manifest.output.path.as_ref()?);
        let is_right_size =
            std::fs::metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() == manifest.output.bytes);
        is_right_size.then(|| std::fs::read(path).ok()).flatten()
    };
    let again = || {
        let (made, _) = replay::again(door, manifest, None).ok()?;
        Some(made.compiled.output.text().into_bytes())
    };
    kept().filter(is_it).or_else(|| file().filter(is_it)).or_else(|| again().filter(is_it))
}
