//! What the door hands in, so that nothing below it asks the process: variables, folders, the clock.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The outside world as plain values. Tests make one by hand.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// Only `CONTEXTURE_*` variables.
    pub vars: BTreeMap<String, String>,
    /// The working directory.
    pub cwd: PathBuf,
    /// The user's configuration folder of contexture, e.g. `~/.config/contexture`.
    pub config_dir: Option<PathBuf>,
    /// The user's cache folder of contexture, e.g. `~/.cache/contexture`.
    pub cache_dir: Option<PathBuf>,
    /// This program, to start parsers with; `None` parses in this process.
    pub program: Option<PathBuf>,
    /// The user's data folder of contexture, e.g. `~/.local/share/contexture`.
    pub data_dir: Option<PathBuf>,
    /// The user's home, where other programs have their settings.
    pub home: Option<PathBuf>,
    /// Where programs of this user keep settings, e.g. `~/.config`.
    pub config_home: Option<PathBuf>,
    /// Seconds since the epoch, for `prune --days`; of it, an agent's context tells the day.
    pub now: i64,
    /// The name of the time zone, e.g. `Europe/Berlin`.
    pub zone: String,
}

impl Env {
    /// Now as RFC 3339, to the second.
    pub fn timestamp(&self) -> String {
        jiff::Timestamp::from_second(self.now).unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string()
    }
}
