//! What runs left behind: listed, shown, compared, made again (F16, R4).
//!
//! Every operation takes a [`Door`], whose root is the project that is asked about.

mod compare;
mod diff;
mod difference;
mod record;
mod replay;
mod since;

pub use compare::{compare, is_quoted};
pub(super) use diff::kept_bytes;
pub use diff::{Found, RunsDiff, runs_diff};
pub use difference::{Altered, Cause, Change, Common, Difference, First, What};
pub(super) use record::of_document;
pub use record::{Draft, Print, record, request_json};
pub use replay::{Replayed, runs_replay};
pub use since::{Hunk, Line, Lines, SinceLast};
pub(super) use since::{newest, since_last};

use super::OpError;
use super::document::Made;
use super::open::{Door, Opened, Request};
use contexture_core::{Format, Note};
use contexture_gather::runs::{Kept, Manifest, Runs, RunsError, Summary, Which};
use std::path::{Path, PathBuf};

/// The newest first.
pub fn runs_list(door: &Door, limit: usize) -> Result<Vec<Summary>, OpError> {
    let place = Place::of(door)?;
    match &place.runs {
        Some(runs) => Ok(runs.list(&place.project, limit)?),
        None => Ok(Vec::new()),
    }
}

/// One run: a number, `last`, or `-1`, `-2`… from the newest.
pub fn runs_show(door: &Door, which: &str) -> Result<Manifest, OpError> {
    Place::of(door)?.get(which)
}

/// The exact bytes of a request or of an answer, where they were kept.
pub fn runs_kept(door: &Door, which: &str, what: Kept) -> Result<Vec<u8>, OpError> {
    let place = Place::of(door)?;
    let (runs, number) = place.find(which)?;
    runs.kept(&place.project, number, what)?.ok_or_else(|| {
        OpError::failed(format!("the {} of run {number} was not kept", what.as_str())).hint(
            "kept are the newest 256 MB of requests to providers and of their answers, but none with the key in pieces",
        )
    })
}

/// Stores the run of a document that was built.
pub(super) fn record_document(
    door: &Door,
    opened: &Opened,
    request: &Request,
    made: &Made,
    print: Print,
    path: Option<&Path>,
) -> Result<Option<u64>, Note> {
    let bytes = match opened.options.format {
        Format::Request(_) => Some(made.compiled.output.text()),
        Format::Markdown | Format::Xml | Format::Json | Format::Messages | Format::Text => None,
    };
    let draft = record::of_document(door, opened, request, made, print, path);
    record(door, &opened.roots, &opened.config, draft, bytes.as_deref().map(str::as_bytes))
}

/// The runs of the door's project.
struct Place {
    project: PathBuf,
    /// `None`: there was no run yet.
    runs: Option<Runs>,
}

impl Place {
    fn of(door: &Door) -> Result<Self, OpError> {
        let project = door.open_roots()?.project().to_path_buf();
        let Some(dir) = &door.env.data_dir else {
            return Err(OpError::failed("this user has no data folder, so runs leave no manifest")
                .hint("set `CONTEXTURE_DATA_DIR`"));
        };
        Ok(Self { project, runs: Runs::look(dir)? })
    }

    fn find(&self, word: &str) -> Result<(&Runs, u64), OpError> {
        let which = Which::parse(word).ok_or_else(|| {
            OpError::usage(format!("`{word}` names no run"))
                .hint("a run is a number, `last`, or `-2` for the one before")
        })?;
        let found = match &self.runs {
            Some(runs) => runs.find(&self.project, which)?.map(|number| (runs, number)),
            None => None,
        };
        found.ok_or_else(|| {
            OpError::usage(format!("there is no run `{word}` of this project"))
                .hint("`contexture runs` lists what there is")
        })
    }

    fn get(&self, word: &str) -> Result<Manifest, OpError> {
        let (runs, number) = self.find(word)?;
        Ok(runs.get(&self.project, number)?)
    }
}

impl From<RunsError> for OpError {
    fn from(error: RunsError) -> Self {
        let message = error.to_string();
        match error {
            RunsError::NoRun(_) => Self::usage(message).hint("`contexture runs` lists what there is"),
            RunsError::Busy => Self::failed(message).hint("try again"),
            RunsError::Damaged(_) | RunsError::Foreign => {
                Self::failed(message).hint("move the file away; `contexture doctor` says where it is")
            }
            RunsError::Newer => Self::failed(message).hint("use that version"),
            RunsError::Io { .. } | RunsError::Store(_) => Self::failed(message).hint("see `contexture doctor`"),
        }
    }
}
