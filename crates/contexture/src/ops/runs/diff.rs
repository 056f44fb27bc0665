//! Two runs of a project side by side, with their bytes where they can be had.

use super::compare::{cause_at, compare};
use super::difference::{Cause, Difference};
use super::{ProjectRuns, replay};
use crate::ops::OpError;
use crate::ops::open::Door;
use crate::requests::RunsDiffRequest;
use contexture_core::reuse::{self, Reuse, Rule};
use contexture_core::{Api, ContentHash, Counter, Tokenizer};
use contexture_gather::names;
use contexture_gather::runs::{KeptBody, Manifest, Runs};
use contexture_providers::{cli_prompt, unstreamed};
use std::path::Path;

/// Two runs and what differs between them.
pub struct RunsDiff {
    pub old: Manifest,
    pub new: Manifest,
    pub difference: Difference,
    /// Of two requests to one API: what its cache finds again.
    pub found: Option<PredictedReuse>,
}

/// What a provider finds again of the earlier request, by its rule.
pub struct PredictedReuse {
    pub rule: Rule,
    pub reuse: Reuse,
    /// The item that holds the first byte that is another, and why it is. Marks for the cache are no difference.
    pub item: Option<String>,
    pub cause: Option<Cause>,
}

/// From one run to a later one; without a name the last one, and the one before the other.
pub fn runs_diff(door: &Door, request: &RunsDiffRequest) -> Result<RunsDiff, OpError> {
    let place = ProjectRuns::of(door)?;
    let (old, new) = match (request.a.as_deref(), request.b.as_deref()) {
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
    let difference = compare(&old, &new, bytes.as_ref().map(|(old, new)| (old.as_slice(), new.as_slice())));
    let found = bytes.as_ref().and_then(|bytes| found(&old, &new, bytes, &difference));
    Ok(RunsDiff { old, new, difference, found })
}

fn found(
    old: &Manifest,
    new: &Manifest,
    bytes: &(Vec<u8>, Vec<u8>),
    difference: &Difference,
) -> Option<PredictedReuse> {
    let api = Api::parse(&new.options.format).filter(|_| old.options.format == new.options.format)?;
    let tokenizer = Tokenizer::parse(&new.tokens.tokenizer)?;
    let count = |text: &str| tokenizer.count(text);
    let read = |bytes: &'_ [u8]| std::str::from_utf8(bytes).ok().map(str::to_owned);
    let (old_body, new_body) = (read(&bytes.0)?, read(&bytes.1)?);
    let earlier = reuse::Request::read(api, &old_body, &count).ok()?;
    let later = reuse::Request::read(api, &new_body, &count).ok()?;
    let rule = *reuse::rule(api, later.model.as_deref())?;
    let reuse = reuse::predict(&rule, &[&earlier], &later);
    let at = reuse.difference.as_ref().map(|first| (first.earlier_byte as u64, first.byte as u64));
    let (item, cause) = at.map(|at| cause_at(old, new, &difference.altered, at)).unzip();
    Some(PredictedReuse { rule, reuse, item: item.flatten(), cause })
}

/// The exact output of a run: kept, still in its file, or made again. Whatever it comes from must have the manifest's hash.
pub(super) fn bytes_of(door: &Door, runs: &Runs, project: &Path, manifest: &Manifest) -> Option<Vec<u8>> {
    let recompiled = || {
        let (document, _) = replay::recompile(door, manifest, None).ok()?;
        Some(document.compiled.output.text().into_bytes())
    };
    kept_bytes(runs, project, manifest).or_else(|| recompiled().filter(|bytes| has_hash_of(bytes, manifest)))
}

fn has_hash_of(bytes: &[u8], manifest: &Manifest) -> bool {
    ContentHash::of(bytes) == manifest.output.hash
}

/// The same without making it again.
pub(in crate::ops) fn kept_bytes(runs: &Runs, project: &Path, manifest: &Manifest) -> Option<Vec<u8>> {
    let is_it = |bytes: &Vec<u8>| has_hash_of(bytes, manifest);
    let kept = || {
        let left = runs.kept_body(project, manifest.number, KeptBody::Request).ok().flatten()?;
        if is_it(&left) { Some(left) } else { compiled(&left, manifest.output.bytes).filter(is_it) }
    };
    let file = || {
        let path = names::original_path(manifest.output.path.as_ref()?);
        let is_right_size =
            std::fs::metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() == manifest.output.bytes);
        is_right_size.then(|| std::fs::read(path).ok()).flatten()
    };
    kept().or_else(|| file().filter(is_it))
}

/// The output in what left: a request to which was added that its answer is to stream, or a prompt that goes on behind it.
fn compiled(left: &[u8], bytes: u64) -> Option<Vec<u8>> {
    let left = std::str::from_utf8(left).ok()?;
    let mut output = unstreamed(left).or_else(|| cli_prompt(left))?.into_bytes();
    output.truncate(usize::try_from(bytes).ok()?);
    Some(output)
}
