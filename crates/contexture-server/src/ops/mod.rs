//! The operations. Each takes a [`Door`] and a request, and gives plain data or an [`OpError`].

mod agent;
pub mod bench;
mod budget;
mod cached;
mod count;
mod document;
mod error;
mod files;
mod hasty;
mod import;
pub mod loom;
mod open;
mod persona;
mod preset;
mod related;
pub mod runs;
mod safety;
mod scan;
mod search;
pub mod send;
mod session;
mod settings;
pub mod setup;
mod slice;
pub mod summarize;
mod symbols;
mod whom;
mod why;
mod written;

pub use agent::{AgentMade, AgentRequest, SessionRead, agent, session_append, session_import};
pub use budget::BudgetFrom;
pub use cached::{
    Author, CacheStatus, CacheVerified, Clear, Cleared, FileStatus, Repair, State, cache_clear, cache_gc, cache_status,
    cache_verify,
};
pub use count::{FileCount, FileTokens, Stats, StatsRow, stats, tokens};
pub use document::{Made, Preview, Shown, Views, Written, build, build_into, plan, preview, show, views};
pub use error::{Kind, OpError};
pub use files::{files, named_files};
pub use import::{Over, given_manual_slop, import_manual_slop};
pub use open::{Door, Request, Target};
pub use persona::{PersonaShown, persona_list, persona_show};
pub use preset::{PresetShown, preset_apply, preset_diff, preset_list, preset_remove, preset_save, preset_show};
pub use related::{Related, RelatedFile, related};
pub use safety::{leaving, tellable};
pub use scan::{Scanned, scan, scan_allow};
pub use search::{Found, Passage, SearchRequest, search};
pub use session::{append_inside, spoken};
pub use settings::{Check, config_of, config_set, doctor, init, prune};
pub use slice::{SliceMade, SliceState, SlicesFound, SlicesRefreshed, slice_make, slice_refresh, slice_resolve};
pub use symbols::{Symbols, symbols};
pub use whom::{Rates, Via, Who, strangers};
pub use why::{Reason, why};
pub use written::{Access, summaries};
