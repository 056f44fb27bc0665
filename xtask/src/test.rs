//! `cargo xtask test [STEP…]`: everything that must hold before a change is accepted.
//!
//! Takes names of steps, all when there are none; runs each step even when an earlier one failed, so that one run shows all that is wrong,
//! and closes with a summary. Gives an error when any step failed. Nothing is skipped when `CI` is set: a missing tool is then a failure.
//!
//! Steps that compile come first, one after the other: each takes all cores. What they built is then tested in two lanes at once, because
//! browsers, clients and servers mostly wait for each other.

use crate::{docs, judges, panel, postgres, proc, walls};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// Where proptest's cases begin. A run of all tests uses a fixed one, so that the same commit always gives the same result;
/// `cargo xtask torture` searches from a new one each time.
const SEED: &str = "PROPTEST_RNG_SEED";

/// One check: it shows its own output and fails with the cause.
type Step = (&'static str, fn() -> Result<(), String>);

/// The step after which nothing is compiled any more.
const BUILD: &str = "build";

const COMPILED: &[Step] = &[
    ("format", || proc::show(proc::cargo().args(["fmt", "--all", "--check"]))),
    ("walls", walls::run),
    ("lints", || proc::show(proc::cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))),
    ("docs", || docs::run(&[])),
    ("postgres", postgres::provide),
    (BUILD, proc::build),
    ("doc-tests", || proc::show(proc::cargo().args(["test", "--workspace", "--doc", "--quiet"]))),
];

/// The longest of a lane comes first; `judges` judges the requests that `tests` wrote.
const LANES: [&[Step]; 2] = [
    &[("tests", run_tests), ("judges", judges::requests)],
    &[("browser", panel::browse), ("openapi", judges::openapi), ("mcp-client", judges::mcp), ("panel", panel::check)],
];

/// How a step went: its name, how long it took, and why it failed.
type Outcome = (&'static str, f64, Option<String>);

pub fn run(args: &[String]) -> Result<(), String> {
    let all = || COMPILED.iter().chain(LANES.into_iter().flatten());
    if let Some(word) = args.iter().find(|word| all().all(|(name, _)| name != word)) {
        let known: Vec<&str> = all().map(|(name, _)| *name).collect();
        return Err(format!("no step is called `{word}`, there are: {}", known.join(", ")));
    }
    if !args.is_empty() {
        return close(all().filter(|(name, _)| args.iter().any(|word| word == name)).map(here).collect());
    }
    // The program is built with what npm installs. What fails to install is told by the step that needs it.
    drop(panel::install());
    // Downloading needs no processor: it goes on while the compiler works.
    let installing = thread::spawn(|| {
        judges::install();
        drop(panel::browser());
    });
    let mut outcomes: Vec<Outcome> = COMPILED.iter().map(here).collect();
    let _ = installing.join();
    let is_built = outcomes.iter().any(|(name, _, cause)| *name == BUILD && cause.is_none());
    let lanes = LANES.map(|lane| {
        println!("== side by side: {}", lane.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "));
        thread::spawn(move || lane.iter().map(|step| apart(step, is_built)).collect::<Vec<Outcome>>())
    });
    for lane in lanes {
        outcomes.extend(lane.join().map_err(|_| "a lane of steps broke off")?);
    }
    close(outcomes)
}

/// Runs a step with this terminal as its own.
fn here(&(name, step): &Step) -> Outcome {
    println!("== {name}");
    let started = Instant::now();
    let cause = step().err();
    if let Some(cause) = &cause {
        eprintln!("{cause}");
    }
    (name, started.elapsed().as_secs_f64(), cause)
}

/// Runs a step in a process of its own and shows its output when it is over, so that steps side by side do not mix theirs.
fn apart(&(name, _): &Step, is_built: bool) -> Outcome {
    let started = Instant::now();
    let mut command = Command::new(proc::target().join("debug/xtask"));
    command.args(["test", name]).stdin(Stdio::null());
    if is_built {
        command.env(proc::BUILT, "yes");
    }
    let cause = match command.output() {
        Ok(output) => {
            println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            (!output.status.success()).then(|| format!("see `== {name}` above"))
        }
        Err(error) => Some(format!("cannot start `{}`: {error}", proc::words(&command))),
    };
    (name, started.elapsed().as_secs_f64(), cause)
}

fn close(outcomes: Vec<Outcome>) -> Result<(), String> {
    println!("== summary");
    for (name, seconds, cause) in &outcomes {
        match cause {
            None => println!("  ok      {name:<10} {seconds:>6.1} s"),
            Some(cause) => {
                println!("  FAILED  {name:<10} {seconds:>6.1} s  {}", cause.lines().next().unwrap_or_default())
            }
        }
    }
    let failed = outcomes.iter().filter(|(_, _, cause)| cause.is_some()).count();
    if failed == 0 { Ok(()) } else { Err(format!("steps failed: {failed} of {}", outcomes.len())) }
}

/// The tests by nextest when it is installed, because it runs each test in a process of its own; else by cargo alone.
/// Both run the same tests, so the fallback skips nothing and is good enough for CI as well.
fn run_tests() -> Result<(), String> {
    let nextest =
        Command::new("cargo").args(["nextest", "--version"]).output().is_ok_and(|output| output.status.success());
    let mut cargo = proc::cargo();
    if nextest {
        println!("runner: cargo nextest");
        // A workspace without a single test must fail: that would mean the selection is wrong.
        cargo.args(["nextest", "run", "--workspace", "--no-fail-fast", "--no-tests", "fail"]);
    } else {
        println!("runner: cargo test (install cargo-nextest for faster runs)");
        cargo.args(["test", "--workspace", "--no-fail-fast", "--all-targets"]);
    }
    let seed = std::env::var(SEED).unwrap_or_else(|_| "1".to_owned());
    proc::show(judges::recording(&mut cargo)?.env("INSTA_UPDATE", "no").env(SEED, seed))
}

#[cfg(test)]
mod tests {
    use super::{COMPILED, LANES, close, run};

    #[test]
    fn an_unknown_step_is_named_with_the_known_ones() {
        let error = run(&["lintz".to_owned()]).expect_err("unknown");
        assert!(error.starts_with("no step is called `lintz`, there are: format, "), "{error}");
    }

    #[test]
    fn a_step_is_named_once() {
        let mut names: Vec<&str> = COMPILED.iter().chain(LANES.into_iter().flatten()).map(|(name, _)| *name).collect();
        let many = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), many);
    }
    #[test]
    fn one_step_that_failed_is_a_failure() {
        let failed = ("lints", 2.0, Some("a cause".to_owned()));
        assert_eq!(close(vec![("format", 1.0, None), failed]), Err("steps failed: 1 of 2".to_owned()));
        assert_eq!(close(vec![("format", 1.0, None)]), Ok(()));
    }
}
