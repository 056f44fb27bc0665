//! Slices of files: where they are now.

use super::NoteAnswer;
use super::record::{Show, answers};
use crate::ops::{ResolvedSlices, SliceState, SlicesRefreshed};
use crate::requests::Word;
use contexture_core::anchor::Resolved;
use contexture_core::{Outcome, Slice};

answers! {
    /// Where a slice is now. Its lines are null where none are certain.
    pub struct ResolvedSlice of Resolved {
        outcome: Word<Outcome>,
        start_line: Option<u64> = |now| now.lines.map(|(start, _)| start),
        end_line: Option<u64> = |now| now.lines.map(|(_, end)| end),
        confidence: f64,
        why: String,
    }

    /// A stored slice and where it is now.
    pub struct SliceAnswer of (Slice, Resolved) {
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String> = |_| None,
        #[serde(flatten)]
        now: ResolvedSlice = |(_, now)| now.show(),
        tag: Option<String> = |(stored, _)| stored.tag.clone(),
        old_start_line: u64 = |(stored, _)| stored.start_line,
        old_end_line: u64 = |(stored, _)| stored.end_line,
        /// Whether it was stored anew
        #[serde(skip_serializing_if = "Option::is_none")]
        stored: Option<bool> = |_| None,
    }

    /// Slices of a file.
    pub struct SlicesAnswer of ResolvedSlices {
        path: String,
        slices: Vec<SliceAnswer> = |found| found.found.show(),
        /// Left out where they are printed for people
        #[serde(skip_serializing_if = "Option::is_none")]
        notes: Option<Vec<NoteAnswer>> = |found| Some(found.notes.show()),
    }

    /// Slices of the composition as they were stored anew.
    pub struct SlicesRefreshedAnswer of SlicesRefreshed {
        file: String = |refreshed| refreshed.file.display().to_string(),
        slices: Vec<SliceAnswer>,
        notes: Vec<NoteAnswer>,
    }
}

impl Show<SliceAnswer> for SliceState {
    fn show(&self) -> SliceAnswer {
        let slice = (self.old.clone(), self.now.clone()).show();
        SliceAnswer { path: Some(self.path.clone()), stored: Some(self.stored), ..slice }
    }
}
