//! What the system told within one batch, by path.

use notify::Event;
use notify::event::{EventKind, MetadataKind, ModifyKind};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Default)]
pub struct EventBatch {
    pub paths: BTreeMap<PathBuf, PathEvents>,
    /// More happened than was told.
    pub is_all: bool,
}

/// What happened to a path.
#[derive(Clone, Copy)]
pub struct PathEvents {
    /// It was not there before.
    pub is_new: bool,
    /// It came, went or got another name at some time.
    pub is_moved: bool,
    /// Owner, rights and the like, and nothing else.
    pub is_about: bool,
    /// The time of its last change, and nothing else: of a folder that says that something in it came or went.
    pub is_time: bool,
}

impl EventBatch {
    /// Whether there is anything in it.
    pub fn take(&mut self, event: notify::Result<Event>) -> bool {
        let Ok(event) = event else {
            self.is_all = true;
            return true;
        };
        if event.kind.is_access() {
            return false;
        }
        self.is_all |= event.need_rescan();
        let kind = event.kind;
        let is_time = matches!(kind, EventKind::Modify(ModifyKind::Metadata(MetadataKind::WriteTime)));
        let is_about = !is_time && matches!(kind, EventKind::Modify(ModifyKind::Metadata(_)));
        let is_data = matches!(kind, EventKind::Modify(ModifyKind::Data(_)));
        let how =
            PathEvents { is_new: kind.is_create(), is_moved: !is_time && !is_about && !is_data, is_about, is_time };
        for path in event.paths {
            let known = self.paths.entry(path).or_insert(how);
            known.is_moved |= how.is_moved;
            known.is_about &= how.is_about;
            known.is_time &= how.is_time;
        }
        self.is_all || !self.paths.is_empty()
    }
}
