//! The files of a project by their paths; none is read.

use super::OpError;
use super::open::{Door, Request};
use contexture_gather::{listing, literals};
use std::path::PathBuf;

/// Sorted. The composition, or the whole tree where there is none, as `build` would take it.
pub fn files(door: &Door, request: &Request) -> Result<Vec<String>, OpError> {
    let opened = door.open(request)?;
    Ok(listing(&opened.roots, &opened.config, &opened.ask)?)
}

/// What a request names literally, absolute: it is shown whatever ignore files say.
pub fn named_files(door: &Door, request: &Request) -> Result<Vec<PathBuf>, OpError> {
    let opened = door.open(request)?;
    Ok(literals(&opened.roots, &opened.config, &opened.ask))
}
