//! Time and peak memory of programs, each in a process of its own.
//!
//! Takes [`Contender`]s; gives one [`Outcome`] for each, in the same order. Runs are interleaved, so that a busy moment of the
//! machine meets all of them alike. What is compared with what, and whether it is good enough, is decided in `report`.

use super::corpus::{make, remove};
use super::limit::THREADS;
use crate::proc;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// One program with its arguments, ready to be run again and again.
#[derive(Clone)]
pub struct Contender {
    /// The name in the table.
    pub name: String,
    /// What the row is, in a few words for the table.
    pub about: String,
    pub program: PathBuf,
    pub args: Vec<String>,
    pub env: Vec<(&'static str, PathBuf)>,
    /// Where the document goes; also named in `args` unless it is taken from stdout.
    pub output: PathBuf,
    pub from_stdout: bool,
    /// Removed before every run: caches that must be empty, traces of the run before.
    pub fresh: Vec<PathBuf>,
    /// Run once beforehand, so that its cache is filled.
    pub primed: bool,
    /// What stderr says when the program left out a part of its work, and how the table tells it.
    pub caveat: Option<(&'static str, &'static str)>,
    /// A Python file that gets one more line before every run.
    pub grows: Option<PathBuf>,
}

/// What was measured of one program.
pub struct Outcome {
    pub name: String,
    pub about: String,
    /// Sorted, so the first is the smallest; empty when it failed.
    pub times: Vec<Duration>,
    pub peak_kib: Option<u64>,
    pub output_bytes: u64,
    /// Why there is no figure, or what must be known about it.
    pub remark: Option<String>,
}

impl Outcome {
    pub fn min(&self) -> Option<f64> {
        self.times.first().map(Duration::as_secs_f64)
    }

    pub fn median(&self) -> Option<f64> {
        self.times.get(self.times.len() / 2).map(Duration::as_secs_f64)
    }
}

/// A program slower than this is run twice in all, one slower than six times this only once: the ratios it stands for are
/// then far from one, and more runs would not change what they say.
const SLOW: Duration = Duration::from_secs(5);

/// A program that takes longer is ended. The slowest peer needed 54 s for the largest corpus on two busy cores.
const PATIENCE: Duration = Duration::from_secs(300);

/// GNU time tells the peak memory of a program after its end.
const TIME: &str = "/usr/bin/time";

/// Measures all of them: first one run each for the memory (and to warm the page cache), then `runs` timed rounds.
pub fn rounds(contenders: &[Contender], runs: usize, scratch: &Path) -> Result<Vec<Outcome>, String> {
    make(scratch)?;
    let mut outcomes = Vec::new();
    for contender in contenders {
        eprintln!("  {}", contender.name);
        outcomes.push(first(contender, scratch)?);
    }
    let wanted: Vec<usize> = outcomes.iter_mut().map(|outcome| timed_runs(outcome, runs)).collect();
    for round in 1..=runs {
        eprintln!("  round {round} of {runs}");
        for ((contender, outcome), wanted) in contenders.iter().zip(&mut outcomes).zip(&wanted) {
            if outcome.times.len() < *wanted {
                prepare(contender)?;
                match once(contender, None, scratch)? {
                    (status, time) if status.success() => outcome.times.push(time),
                    (status, _) => outcome.remark = Some(format!("failed once: {status}")),
                }
            }
        }
    }
    for outcome in &mut outcomes {
        outcome.times.sort_unstable();
    }
    Ok(outcomes)
}

/// How many times a program must have. The first run was the one under the memory measurement, so it is forgotten, except where
/// the program is so slow that neither that nor a cold page cache matters.
fn timed_runs(outcome: &mut Outcome, runs: usize) -> usize {
    match outcome.times.first() {
        None => 0,
        Some(time) if *time > SLOW * 6 => 1,
        Some(time) if *time > SLOW => 2,
        Some(_) => {
            outcome.times.clear();
            runs
        }
    }
}

/// The run that tells the peak memory, and whether the program works at all.
fn first(contender: &Contender, scratch: &Path) -> Result<Outcome, String> {
    if contender.primed {
        prepare(contender)?;
        once(contender, None, scratch)?;
    }
    prepare(contender)?;
    let note = scratch.join("peak");
    remove(&note)?;
    let (status, time) = once(contender, Some(&note), scratch)?;
    let said =
        fs::read(scratch.join("stderr")).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let mut outcome = Outcome {
        name: contender.name.clone(),
        about: contender.about.clone(),
        times: Vec::new(),
        peak_kib: None,
        output_bytes: fs::metadata(&contender.output).map_or(0, |data| data.len()),
        remark: None,
    };
    if time >= PATIENCE {
        outcome.remark = Some(format!("ended after {} s", PATIENCE.as_secs()));
    } else if !status.success() {
        let cause = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        outcome.remark = Some(format!("failed: {status}: {}", cause.chars().take(120).collect::<String>()));
    } else if outcome.output_bytes == 0 {
        outcome.remark = Some("failed: wrote nothing".to_owned());
    } else {
        outcome.times.push(time);
        outcome.peak_kib = fs::read_to_string(&note).ok().and_then(|text| text.lines().last()?.trim().parse().ok());
        outcome.remark =
            contender.caveat.filter(|(needle, _)| said.contains(needle)).map(|(_, tells)| tells.to_owned());
    }
    Ok(outcome)
}

/// An equal start: no old output, no old traces, and nothing of the run before waiting to be written to disk.
fn prepare(contender: &Contender) -> Result<(), String> {
    remove(&contender.output)?;
    contender.fresh.iter().try_for_each(|path| remove(path))?;
    if let Some(file) = &contender.grows {
        let grown = File::options().append(true).open(file).and_then(|mut file| writeln!(file, "# one more line"));
        grown.map_err(|error| format!("cannot change `{}`: {error}", file.display()))?;
    }
    for (_, path) in &contender.env {
        if path.is_absolute() {
            make(path)?;
        }
    }
    proc::capture(&mut Command::new("sync")).map(drop)
}

/// The command, under GNU time when the peak memory is wanted and it is installed.
fn command(contender: &Contender, peak: Option<&Path>) -> Command {
    let mut command = match peak {
        Some(note) if Path::new(TIME).is_file() => {
            let mut command = Command::new(TIME);
            command.args(["-q", "-f", "%M", "-o"]).arg(note).arg(&contender.program);
            command
        }
        _ => Command::new(&contender.program),
    };
    command.args(&contender.args).env("RAYON_NUM_THREADS", THREADS.to_string());
    command.envs(contender.env.iter().map(|(name, path)| (name, path)));
    command
}

/// One run from start to end, as the clock on the wall sees it.
fn once(contender: &Contender, peak: Option<&Path>, scratch: &Path) -> Result<(ExitStatus, Duration), String> {
    let open = |path: &Path| File::create(path).map_err(|error| format!("cannot write `{}`: {error}", path.display()));
    let sink = if contender.from_stdout { contender.output.clone() } else { scratch.join("stdout") };
    let mut command = command(contender, peak);
    command.stdin(Stdio::null()).stdout(open(&sink)?).stderr(open(&scratch.join("stderr"))?);
    let started = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("cannot start `{}`: {error}", proc::words(&command)))?;
    let id = child.id().to_string();
    thread::scope(|scope| {
        // Dropping a sender tells its watcher that the program has ended.
        let (done, waiting) = mpsc::channel::<()>();
        scope.spawn(|| patience(&id, waiting));
        let (gone, polling) = mpsc::channel::<()>();
        if let Some(note) = peak.filter(|_| !Path::new(TIME).is_file()) {
            scope.spawn(|| poll(&id, polling, note));
        }
        let status = child.wait().map_err(|error| format!("cannot wait for `{}`: {error}", contender.name));
        let time = started.elapsed();
        drop((done, gone));
        Ok((status?, time))
    })
}

/// Ends a program that takes too long: the children first, because a timing program may stand in between.
fn patience(id: &str, waiting: mpsc::Receiver<()>) {
    if waiting.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
        for mut command in [Command::new("pkill"), Command::new("kill")] {
            let parent = if command.get_program() == "pkill" { &["-KILL", "-P"][..] } else { &["-KILL"][..] };
            // Nothing to do about a failure: the program has then ended by itself.
            let _ = command.args(parent).arg(id).status();
        }
    }
}

/// Without GNU time: asks the kernel for the high-water mark every two milliseconds until the program is gone. What it takes
/// in its very last moment can be missed, which is why GNU time is preferred.
fn poll(id: &str, polling: mpsc::Receiver<()>, note: &Path) {
    let mut peak = 0_u64;
    while polling.recv_timeout(Duration::from_millis(2)) == Err(mpsc::RecvTimeoutError::Timeout) {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
        peak = peak.max(now.unwrap_or_default());
    }
    let _ = fs::write(note, peak.to_string());
}
