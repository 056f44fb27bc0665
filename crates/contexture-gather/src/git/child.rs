//! One git process that reads, and can do nothing else.
//!
//! Takes a subcommand, its arguments and what it shall read; gives what it wrote. The environment is empty but for what
//! is set here, the repository is named outright instead of searched, and every setting by which reading could start
//! another program is overridden. Time and output are bounded: a repository may include a pipe as configuration.

use super::GitError;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Listing a million files takes a few seconds on a cold disk; a minute means that it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A million paths of 200 bytes. What asks for bytes of files asks in groups, see `objects`.
const OUTPUT_CAP: u64 = 256 * 1024 * 1024;

/// Command-line settings beat those of the repository, and git hands them on to its own children.
const SETTINGS: [&str; 17] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.askPass=",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.alternateRefsCommand=",
    "core.quotePath=off",
    "credential.helper=",
    "protocol.allow=never",
    "log.showSignature=false",
    "log.mailmap=false",
    "log.follow=false",
    "gpg.program=false",
    "gpg.openpgp.program=false",
    "gpg.x509.program=false",
    "gpg.ssh.program=false",
];

/// The user's own configuration is not read either, so that the answer depends on the repository alone. `HOME` stays
/// unset for that reason; `safe.directory` is not missed, because a repository that is named outright is not checked
/// for its owner and `location` looks at the owner itself. `GIT_ALLOW_PROTOCOL` beats any `protocol.*.allow`. Replaced and
/// grafted commits are read as they are, so that the id of a commit says what its history is.
const ENVIRONMENT: [(&str, &str); 15] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", "false"),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_ADVICE", "0"),
    ("LC_ALL", "C"),
];

/// Options of `log` by which it is the same whatever a repository's settings are. Fields and paths end with a zero byte.
pub const PLAIN_LOG: [&str; 12] = [
    "-z",
    "--no-color",
    "--no-decorate",
    "--no-notes",
    "--no-mailmap",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-relative",
    // An empty order file instead of one the repository names.
    "-O/dev/null",
    "--encoding=UTF-8",
];

#[derive(Clone, Debug)]
pub struct Git {
    program: PathBuf,
    path: OsString,
    git_dir: PathBuf,
    top: PathBuf,
    /// [`PATIENCE`], but for tests of what happens after it.
    pub patience: Duration,
}

pub struct Reply {
    pub ok: bool,
    pub stdout: Vec<u8>,
    /// Whether there was more than the caller wanted; the process was then ended, and that is no failure.
    pub cut: bool,
    /// The first line git said about a failure.
    complaint: String,
}

impl Reply {
    pub fn or_fail(self, command: &'static str) -> Result<Vec<u8>, GitError> {
        if self.ok { Ok(self.stdout) } else { Err(GitError::Failed { command, detail: self.complaint }) }
    }
}

impl Git {
    pub fn new(git_dir: PathBuf, top: PathBuf) -> Result<Self, GitError> {
        // The one thing asked of the process itself: where programs are is not a setting of a run.
        let path = env::var_os("PATH").unwrap_or_default();
        let (program, path) = find_program(&path, &top).ok_or(GitError::NoGit)?;
        Ok(Self { program, path, git_dir, top, patience: PATIENCE })
    }

    #[cfg(all(test, unix))]
    pub fn forget(&mut self) {
        self.program = "/nonexistent".into();
    }

    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Runs `git COMMAND ARGS`, writes `input` to it, and waits.
    pub fn run<A: AsRef<OsStr>>(
        &self,
        command: &'static str,
        args: impl IntoIterator<Item = A>,
        input: Vec<u8>,
    ) -> Result<Reply, GitError> {
        let reply = self.run_up_to(OUTPUT_CAP, command, args, input)?;
        if reply.cut { Err(GitError::TooMuch(command)) } else { Ok(reply) }
    }

    /// The same for a caller who can use the first `cap` bytes. Reading and writing go on at the same time in threads of
    /// their own, so that no full pipe can stop both sides.
    pub fn run_up_to<A: AsRef<OsStr>>(
        &self,
        cap: u64,
        command: &'static str,
        args: impl IntoIterator<Item = A>,
        input: Vec<u8>,
    ) -> Result<Reply, GitError> {
        let failed = |error: std::io::Error| GitError::Failed { command, detail: error.to_string() };
        let mut child = self.command(command).args(args).spawn().map_err(failed)?;
        let until = Instant::now() + self.patience;
        let receive = |incoming: &Incoming| match receive(incoming, until) {
            None => Err(GitError::Slow { command, seconds: self.patience.as_secs() }),
            Some(received) => received.map_err(failed),
        };
        let answer = exchange(&mut child, input, cap).map_err(failed).and_then(|(stdout, stderr)| {
            let stdout = receive(&stdout)?;
            let cut = stdout.len() as u64 > cap;
            Ok((stdout, if cut { Vec::new() } else { receive(&stderr)? }, cut))
        });
        if !matches!(answer, Ok((.., false))) {
            // It may have ended by itself meanwhile; either way it is gone after this.
            let _ = child.kill();
        }
        let status = child.wait().map_err(failed)?;
        let (mut stdout, stderr, cut) = answer?;
        stdout.truncate(usize::try_from(cap).unwrap_or(usize::MAX));
        Ok(Reply { ok: cut || status.success(), stdout, cut, complaint: complaint(&stderr) })
    }

    fn command(&self, command: &'static str) -> Command {
        let mut git = Command::new(&self.program);
        git.env_clear().env("PATH", &self.path).envs(ENVIRONMENT);
        if let Some(root) = env::var_os("SystemRoot") {
            git.env("SystemRoot", root);
        }
        git.current_dir(&self.top).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        git.arg("--no-pager").arg("--git-dir").arg(&self.git_dir).arg("--work-tree").arg(&self.top);
        for setting in SETTINGS {
            git.args(["-c", setting]);
        }
        git.arg(command);
        git
    }
}

type Incoming = Receiver<std::io::Result<Vec<u8>>>;

fn exchange(child: &mut Child, input: Vec<u8>, cap: u64) -> std::io::Result<(Incoming, Incoming)> {
    if let Some(mut stdin) = child.stdin.take() {
        // A process that ends before it has read everything says so by its exit code.
        thread::Builder::new().spawn(move || stdin.write_all(&input))?;
    }
    let stdout = collect(child.stdout.take(), cap + 1)?;
    let stderr = collect(child.stderr.take(), 4096)?;
    Ok((stdout, stderr))
}

/// The first `cap` bytes of a pipe, once it is at its end or the cap.
fn collect(pipe: Option<impl Read + Send + 'static>, cap: u64) -> std::io::Result<Incoming> {
    let (sender, receiver) = channel();
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let Some(mut pipe) = pipe else { return };
        let read = pipe.by_ref().take(cap).read_to_end(&mut bytes);
        // Whoever waited may have given up. The rest is drained, so that a talkative process is not stopped half-way.
        if sender.send(read.map(|_| bytes)).is_ok() {
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
    })?;
    Ok(receiver)
}

/// `None` when nothing came in time.
fn receive(incoming: &Incoming, until: Instant) -> Option<std::io::Result<Vec<u8>>> {
    match incoming.recv_timeout(until.saturating_duration_since(Instant::now())) {
        Ok(received) => Some(received),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Err(std::io::Error::other("its output was lost"))),
    }
}

fn complaint(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no reason given");
    line.trim_start_matches("fatal: ").chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The first `git` in an absolute folder of `PATH` that is not part of the work tree: a relative entry, or one that a
/// project put there, would let the repository bring its own. What git itself may start is looked up the same way.
pub fn find_program(path: &OsStr, top: &Path) -> Option<(PathBuf, OsString)> {
    let inside = |dir: &Path| dir.canonicalize().is_ok_and(|dir| dir.starts_with(top));
    let dirs: Vec<PathBuf> = env::split_paths(path).filter(|dir| dir.is_absolute() && !inside(dir)).collect();
    let name = format!("git{}", env::consts::EXE_SUFFIX);
    let program = dirs.iter().map(|dir| dir.join(&name)).find(|file| is_program(file))?;
    Some((program, env::join_paths(dirs).ok()?))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}
