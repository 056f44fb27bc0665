//! What the door hands in, so that nothing below it asks the process: variables, folders, the clock.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The outside world as plain values. Tests make one by hand.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// Only `CONTEXTURE_*` variables.
    pub vars: BTreeMap<String, String>,
    pub cwd: PathBuf,
    /// The user's configuration folder of contexture, e.g. `~/.config/contexture`.
    pub config_dir: Option<PathBuf>,
    /// The user's cache folder of contexture, e.g. `~/.cache/contexture`.
    pub cache_dir: Option<PathBuf>,
    /// This program, to start parsers with; `None` parses in this process.
    pub program: Option<PathBuf>,
    /// Seconds since the epoch. Used for `prune --days` only; it reaches no output byte.
    pub now: i64,
}
