//! What people see: colours where they help, notes grouped, progress after half a second. Data goes to standard output,
//! everything else to standard error.

use crate::args::Global;
pub use contexture_core::render::grouped as count;
use contexture_core::render::{grouped, printable, visible};
use contexture_core::{Note, Topic};
use contexture_gather::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use owo_colors::OwoColorize;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

pub struct Ui {
    pub json: bool,
    quiet: bool,
    pub timings: bool,
}

/// How many sorts of notes are shown, and how many paths of one sort, before the rest is only counted.
const GROUPS_SHOWN: usize = 12;
const PATHS_SHOWN: usize = 3;
/// How long a run may be silent.
const PATIENCE: Duration = Duration::from_millis(500);

impl Ui {
    pub fn new(global: &Global) -> Self {
        Self { json: global.json, quiet: global.quiet, timings: global.timings }
    }

    /// Data for standard output.
    pub fn print(&self, text: &str) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// The answer of an operation as JSON.
    pub fn print_answer(&self, answer: impl Serialize) -> io::Result<()> {
        self.print_json(&contexture::answers::versioned(answer))
    }

    pub fn print_json(&self, value: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
        text.push('\n');
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// The answer as JSON, or as a text for people.
    pub fn show<A: Serialize>(&self, answer: impl FnOnce() -> A, text: impl FnOnce() -> String) -> io::Result<()> {
        if self.json { self.print_answer(answer()) } else { self.print(&text()) }
    }

    /// Talk for standard error.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{}", harmless(text));
        }
    }

    pub fn error(&self, message: &str, hints: &[String]) {
        let mut err = anstream::stderr();
        let _ = writeln!(err, "{} {}", "error:".red().bold(), harmless(message));
        for hint in hints {
            let _ = writeln!(err, "{} {}", "hint:".cyan(), harmless(hint));
        }
    }

    /// Notes, grouped by what they say, so that four thousand of one sort take a line.
    pub fn notes(&self, notes: &[Note]) {
        if self.quiet || self.json {
            return;
        }
        let mut groups: BTreeMap<(Topic, &str, Option<&str>), Vec<&Note>> = BTreeMap::new();
        for note in notes {
            groups.entry((note.topic, &note.text, note.hint.as_deref())).or_default().push(note);
        }
        let mut err = anstream::stderr();
        let mut hints: Vec<&str> = Vec::new();
        for ((_, text, hint), notes) in groups.iter().take(GROUPS_SHOWN) {
            let _ = match notes.as_slice() {
                [note] => writeln!(err, "{} {}", "note:".yellow(), harmless(&note.to_string())),
                many => {
                    let mut paths: Vec<String> =
                        many.iter().filter_map(|note| note.path.as_deref()).take(PATHS_SHOWN).map(path).collect();
                    if many.len() > PATHS_SHOWN {
                        paths.push("…".into());
                    }
                    let many = grouped(many.len() as u64);
                    writeln!(err, "{} {many} × {}: {}", "note:".yellow(), harmless(text), paths.join(", "))
                }
            };
            hints.extend(hint.filter(|hint| !hints.contains(hint)));
        }
        if groups.len() > GROUPS_SHOWN {
            let more = grouped((groups.len() - GROUPS_SHOWN) as u64);
            let _ = writeln!(err, "{} {more} more sorts of notes; `--json` has them all", "note:".yellow());
        }
        for hint in hints {
            let _ = writeln!(err, "{} {}", "hint:".cyan(), harmless(hint));
        }
    }

    /// Runs `work` and shows how far it is once it has taken half a second, on a terminal only.
    pub fn with_progress<T>(&self, progress: &Arc<Progress>, work: impl FnOnce() -> T) -> T {
        if self.quiet || self.json || !io::stderr().is_terminal() {
            return work();
        }
        let (done, wait) = mpsc::channel::<()>();
        let watched = Arc::clone(progress);
        let watcher = std::thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            loop {
                bar.set_message(watched.to_string());
                bar.tick();
                if wait.recv_timeout(Duration::from_millis(100)) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(done);
        let _ = watcher.join();
        result
    }
}

/// How many of a number of things are done, on a terminal only.
pub struct Counting(ProgressBar);

impl Counting {
    pub fn set(&self, done: u64, text: &str) {
        self.0.set_position(done);
        if !text.is_empty() {
            self.0.set_message(text.to_owned());
        }
    }

    /// Makes room for lines of others.
    pub fn aside(&self, say: impl FnOnce()) {
        self.0.suspend(say);
    }

    pub fn finish(self) {
        self.0.finish_and_clear();
    }
}

impl Ui {
    /// A bar over so many things; none where nobody would see it.
    pub fn counting(&self, total: u64) -> Option<Counting> {
        if self.quiet || self.json || !io::stderr().is_terminal() {
            return None;
        }
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos}/{len} {wide_bar} {msg} {elapsed}") {
            bar.set_style(style);
        }
        // It moves though one answer may take a minute.
        bar.enable_steady_tick(Duration::from_millis(200));
        Some(Counting(bar))
    }
}

/// Lines for a terminal. What servers, models and files say may not move its cursor, nor turn what stands beside it. Each character is
/// judged by itself, so it does not matter where a text is cut.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.split('\n').all(|line| matches!(visible(line), Cow::Borrowed(_))) {
        return text.into();
    }
    text.replace("\r\n", "\n").split('\n').map(visible).collect::<Vec<_>>().join("\n").into()
}

/// `1 file`, `2 files`.
pub fn counted(number: u64, what: &str) -> String {
    let plural = match (number, what.strip_suffix('y')) {
        (1, _) => what.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        (_, None) => format!("{what}s"),
    };
    format!("{} {plural}", grouped(number))
}

pub fn path(path: &str) -> String {
    printable(path).into_owned()
}

pub fn start_logging(global: &Global) {
    let level = match global.verbose {
        0 => return,
        1 => {
            "contexture=info,contexture_core=info,contexture_gather=info,contexture_conversations=info,contexture_providers=info,contexture_server=info"
        }
        2 => {
            "contexture=debug,contexture_core=debug,contexture_gather=debug,contexture_conversations=debug,contexture_providers=debug,contexture_server=debug"
        }
        // The protocol's library writes down whatever a client sends, and an agent's words may hold a key.
        _ => "trace,rmcp=info",
    };
    let filter = tracing_subscriber::EnvFilter::new(level);
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    if global.json { builder.json().init() } else { builder.with_ansi(io::stderr().is_terminal()).init() }
}
