//! What is kept between runs: their manifests, and summaries that models wrote.

use super::super::answer::Wrong;
use super::super::calls::Call;
use crate::ops::{self, Clear, OpError, Repair, runs};
use crate::wire;
use contexture_gather::runs::Kept;
use serde_json::Value;

pub fn runs_list(call: &Call<'_>) -> Result<Value, Wrong> {
    let limit = call.number("limit").map_or(20, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(wire::runs::list(&runs::runs_list(&call.door, limit)?))
}

pub fn runs_show(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::runs::manifest(&runs::runs_show(&call.door, &call.run("run").unwrap_or_default())?))
}

pub fn runs_diff(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::runs::diff(&runs::runs_diff(&call.door, call.run("a").as_deref(), call.run("b").as_deref())?))
}

pub fn runs_replay(call: &Call<'_>) -> Result<Value, Wrong> {
    let replayed = runs::runs_replay(&call.door, &call.run("run").unwrap_or_default(), None)?;
    let is_told = replayed.difference.is_none() || call.flag("anyway");
    Ok(wire::runs::replay(&replayed, None, is_told))
}

pub fn runs_kept(call: &Call<'_>) -> Result<Value, Wrong> {
    let what = if call.text("what") == Some("response") { Kept::Response } else { Kept::Request };
    let bytes = runs::runs_kept(&call.door, &call.run("run").unwrap_or_default(), what)?;
    Ok(wire::runs::kept(what, &bytes))
}

pub fn cache_status(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::summaries::status(&ops::cache_status(&call.door, &call.request()?)?))
}

pub fn cache_clear(call: &Call<'_>) -> Result<Value, Wrong> {
    let paths = call.texts("paths");
    let what = match (paths.is_empty(), call.flag("stale"), call.flag("all")) {
        (false, ..) => Clear::Paths(paths),
        (true, true, _) => Clear::Stale,
        (true, false, true) => Clear::All,
        (true, false, false) => {
            return Err(OpError::usage("nothing says what to clear").hint("`paths`, `stale` or `all`").into());
        }
    };
    Ok(wire::summaries::cleared(&ops::cache_clear(&call.door, &what)?))
}

pub fn cache_gc(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::summaries::cleared(&ops::cache_gc(&call.door)?))
}

pub fn cache_verify(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::summaries::verified(&ops::cache_verify(
        &call.door,
        if call.flag("repair") { Repair::Yes } else { Repair::No },
    )?))
}
