//! Summaries that models wrote and other results that are kept: which there are, what was removed, whether they are whole.

use super::NoteAnswer;
use super::record::answers;
use crate::ops::{CacheStatus, CacheVerified, FileStatus, SummaryState};
use contexture_gather::summaries::{Damage, StoreCheck, StoreRepair};
use std::path::Path;

answers! {
    /// Which files have a summary.
    pub struct CacheStatusAnswer of CacheStatus {
        tier: u8,
        files: Vec<SummaryStatus>,
        /// Number of files with a current summary
        fresh: usize = |status| count(status, SummaryState::Fresh),
        /// Number of files with a summary of an earlier version
        stale: usize = |status| count(status, SummaryState::Stale),
        /// Number of files without a summary
        none: usize = |status| count(status, SummaryState::None),
        /// Number of files that are not summarized
        not_summarized: usize = |status| status.unfit,
        /// Number of damaged entries
        damaged: u64,
        notes: Vec<NoteAnswer>,
    }

    /// The summary of one file.
    pub struct SummaryStatus of FileStatus {
        path: String,
        /// `fresh`, `stale` or `none`
        #[schemars(extend("enum" = SummaryState::WORDS))]
        state: &'static str = |file| file.state.as_str(),
        /// Provider and model
        by: Option<String> = |file| file.author.as_ref().map(|author| author.by.clone()),
        /// RFC 3339
        generated_at: Option<String> = |file| file.author.as_ref().map(|author| author.at.clone()),
        tier: Option<u8> = |file| file.author.as_ref().map(|author| author.tier),
        /// Tiers that have a summary of this content
        tiers: Vec<u8>,
    }

    /// Whether everything that is kept is whole.
    pub struct VerifiedAnswer of CacheVerified {
        ok: bool = |verified| verified.is_sound(),
        summaries: Option<StoreState>,
        /// Cached results; null if the cache is off
        derived: Option<DerivedState>,
        /// The repair of a damaged store
        repaired: Option<RepairAnswer>,
        /// Name of the file that a damaged cache was renamed to
        derived_aside: Option<String> = |verified| verified.derived_aside.as_deref().and_then(name),
        notes: Vec<NoteAnswer>,
    }

    /// The store of summaries.
    pub struct StoreState of StoreCheck {
        entries: u64,
        damaged: Vec<DamagedEntry>,
        problems: Vec<String>,
    }

    /// An entry that cannot be read.
    pub struct DamagedEntry of Damage {
        key: String = |damage| damage.shown_key(),
        path: Option<String> = |damage| damage.file_path.clone(),
        cause: String,
    }

    /// The cache of results that can be computed again.
    pub struct DerivedState of Result<String, String> {
        ok: bool = |derived| derived.is_ok(),
        text: String = |derived| derived.as_ref().unwrap_or_else(|cause| cause).clone(),
    }

    /// A damaged store that was set aside.
    pub struct RepairAnswer of StoreRepair {
        cause: String,
        /// Name of its file now
        aside: Option<String> = |repair| name(&repair.aside),
        /// Number of entries that were saved
        saved: u64,
    }
}

fn count(status: &CacheStatus, state: SummaryState) -> usize {
    status.files.iter().filter(|file| file.state == state).count()
}

fn name(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}
