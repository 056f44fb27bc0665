//! The operations. Each takes a [`Door`] and a request, and gives plain data or an [`OpError`].

mod agent;
mod budget;
mod cache;
mod count;
mod document;
mod driver;
mod error;
mod file_view;
mod import;
pub mod loom;
mod model_choice;
mod notes;
mod open;
mod preset;
mod related;
pub mod runs;
mod safety;
mod scan;
mod search;
pub mod send;
mod settings;
pub mod setup;
mod slice;
pub mod summarize;
mod summary_store;
mod why;
pub mod workbench;

pub use crate::requests::Via;
pub use agent::{AgentContext, ImportedSession, agent, session_append, session_append_inside, session_import};
pub use budget::BudgetFrom;
pub use cache::{
    CacheStatus, CacheVerified, ClearedAnswer, EntryAuthor, FileStatus, SummaryState, cache_clear, cache_gc,
    cache_status, cache_verify,
};
pub(crate) use count::FileTokenRow;
pub use count::{FileTokens, Stats, StatsRow, stats, tokens};
pub use document::{BuiltDocument, CompiledDocument, Preview, build, build_into, plan, preview};
pub use error::{ErrorKind, OpError};
pub use file_view::{FileSymbols, FileView, FileViews, files, named_files, show, symbols, views};
pub use import::{Overwrite, import_manual_slop, import_manual_slop_text};
pub use model_choice::{KeySource, Rates, unknown_providers_note};
pub use notes::NoteAnswer;
pub use open::{Door, Target};
pub use preset::{
    PersonaDetails, PresetDetails, persona_list, persona_show, preset_apply, preset_diff, preset_list, preset_remove,
    preset_save, preset_show,
};
pub use related::{RelatedAnswer, related};
pub use safety::{mask_answer, names_without_secrets};
pub use scan::{ScanResult, scan, scan_allow};
pub use search::{SearchResult, search};
pub(crate) use settings::CheckRow;
pub use settings::{ProjectDetails, config_of, config_set, doctor, init, project, prune};
pub use slice::{CreatedSlice, ResolvedSlices, SliceState, SlicesRefreshed, slice_make, slice_refresh, slice_resolve};
pub use why::{Reason, why};
