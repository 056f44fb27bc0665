//! The files of a project by their paths; none is read.

use super::OpError;
use super::open::{Door, Request};
use contexture_gather::listing;

/// Sorted. The composition, or the whole tree where there is none, as `build` would take it.
pub fn files(door: &Door, request: &Request) -> Result<Vec<String>, OpError> {
    let opened = door.open(request)?;
    Ok(listing(&opened.roots, &opened.config, &opened.ask)?)
}
