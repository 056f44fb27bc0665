//! Children that are killed: the test binary again, sent to one of its tests.
//!
//! A test named `child` does the work of a [`ChildJob`], and nothing in a process that has none. What it [acknowledges](acknowledge)
//! must be there afterwards, whatever killed it; [`acknowledged`] reads it from its output.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const JOB: &str = "CONTEXTURE_TEST_JOB";

/// What a child is to do.
pub struct ChildJob {
    /// The path of the test that does it, such as `processes::child`.
    pub test: &'static str,
    /// One line of the test's own.
    pub name: String,
    /// How often.
    pub count: u64,
    /// After so many microseconds it kills itself; 0 is never.
    pub kill_after: u64,
    /// Where.
    pub path: PathBuf,
}

impl ChildJob {
    /// The job of this process, if it is a child; its time begins to run.
    pub fn of_this_process(test: &'static str) -> Option<Self> {
        let job = std::env::var(JOB).ok()?;
        let mut parts = job.splitn(4, '\n');
        let mut next = || parts.next().expect("four lines");
        let (name, count, kill_after, path) = (next().to_owned(), next(), next(), next().into());
        let number = |text: &str| text.parse().expect("a number");
        let job = Self { test, name, count: number(count), kill_after: number(kill_after), path };
        job.arm();
        Some(job)
    }

    /// The variable that makes a process a child with this job.
    pub fn variable(&self) -> (&'static str, String) {
        (JOB, format!("{}\n{}\n{}\n{}", self.name, self.count, self.kill_after, self.path.display()))
    }

    /// Starts a child with this job.
    pub fn spawn(&self) -> Child {
        let program = std::env::current_exe().expect("this program");
        let (name, job) = self.variable();
        let mut command = Command::new(program);
        command.args(["--exact", self.test, "--nocapture"]).env(name, job);
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a child")
    }

    /// Busy until its end, because a sleep is too coarse to hit every step of a write.
    fn arm(&self) {
        #[cfg(unix)]
        if self.kill_after > 0 {
            let end = Instant::now() + Duration::from_micros(self.kill_after);
            std::thread::spawn(move || {
                while Instant::now() < end {
                    std::thread::yield_now();
                }
                rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
            });
        }
    }
}

/// Children with all these jobs at once; their output when the last has ended.
pub fn run_children(jobs: impl IntoIterator<Item = ChildJob>) -> Vec<Output> {
    let children: Vec<Child> = jobs.into_iter().map(|job| job.spawn()).collect();
    children.into_iter().map(|child| child.wait_with_output().expect("its output")).collect()
}

/// Says in a child that these are done. One write, so that a kill cannot tear a line; the newline before it ends the harness's own text.
pub fn acknowledge(done: &[&str]) {
    let lines: String = done.iter().map(|done| format!("\nack {done}\n")).collect();
    let mut out = std::io::stdout();
    out.write_all(lines.as_bytes()).and_then(|()| out.flush()).expect("standard output");
}

/// What children said to be done.
pub fn acknowledged(outputs: &[Output]) -> Vec<String> {
    let lines = |output: &Output| -> Vec<String> {
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines().filter_map(|line| line.strip_prefix("ack ")).map(String::from).collect()
    };
    outputs.iter().flat_map(lines).collect()
}

/// xorshift64: the same numbers in every run.
pub struct Random(pub u64);

impl Default for Random {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Random {
    /// A number from 1 to `most`.
    pub fn up_to(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        1 + self.0 % most
    }
}
