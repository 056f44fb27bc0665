//! What runs left behind: listed, shown, compared, made again.
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
pub use diff::{PredictedReuse, RunsDiff, runs_diff};
pub use difference::{
    AlteredKind, AlteredOption, Cause, CauseAnswer, CommonPrefix, Difference, DifferenceStart, ItemChange,
};
pub(super) use record::{OutputHashes, RunDraft};
pub use replay::{ReplayedRun, runs_replay};
pub use since::{HunkAnswer, LineAnswer, LineChanges, LinesLeft, SinceLast};
pub(super) use since::{newest, since_last};

use super::OpError;
use super::open::Door;
use crate::requests::{RunName, RunsListRequest};
use contexture_gather::runs::{KeptBody, Manifest, RunSelector, Runs, Summary};
use std::path::PathBuf;

/// The newest first.
pub fn runs_list(door: &Door, request: &RunsListRequest) -> Result<Vec<Summary>, OpError> {
    let place = ProjectRuns::of(door)?;
    match &place.runs {
        Some(runs) => Ok(runs.list(&place.project, usize::try_from(request.limit).unwrap_or(usize::MAX))?),
        None => Ok(Vec::new()),
    }
}

/// Everything that is known of one run.
pub fn runs_show(door: &Door, which: &RunName) -> Result<Manifest, OpError> {
    ProjectRuns::of(door)?.get(which)
}

/// The exact bytes of a request or of an answer, where they were kept.
pub fn runs_kept(door: &Door, which: &RunName, what: KeptBody) -> Result<Vec<u8>, OpError> {
    let place = ProjectRuns::of(door)?;
    let (runs, number) = place.find(which)?;
    runs.kept_body(&place.project, number, what)?.ok_or_else(|| {
        OpError::failed(format!("the {} of run {number} was not kept", what.as_str())).hint(
            "kept are the newest 256 MB of requests to providers and of their answers, but none with the key in pieces",
        )
    })
}

/// The runs of the door's project.
struct ProjectRuns {
    project: PathBuf,
    /// `None`: there was no run yet.
    runs: Option<Runs>,
}

impl ProjectRuns {
    fn of(door: &Door) -> Result<Self, OpError> {
        let project = door.open_roots()?.project().to_path_buf();
        let Some(dir) = &door.env.data_dir else {
            return Err(OpError::failed("this user has no data folder, so runs leave no manifest")
                .hint("set `CONTEXTURE_DATA_DIR`"));
        };
        Ok(Self { project, runs: Runs::look(dir)? })
    }

    fn find(&self, word: &str) -> Result<(&Runs, u64), OpError> {
        let which = RunSelector::parse(word).ok_or_else(|| {
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
