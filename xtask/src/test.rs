//! `cargo xtask test`: everything that must hold before a change is accepted.
//!
//! Takes no arguments; runs each step even when an earlier one failed, so that one run shows all that is wrong, and closes
//! with a summary. Gives an error when any step failed. Nothing is skipped when `CI` is set: a missing tool is then a failure.

use crate::{docs, judges, panel, postgres, proc, walls};
use std::process::Command;
use std::time::Instant;

/// One check: it shows its own output and fails with the cause.
type Step = fn() -> Result<(), String>;

/// The first step that needs what is installed meanwhile.
const JUDGED: &str = "judges";

pub fn run(args: &[String]) -> Result<(), String> {
    if let Some(word) = args.first() {
        return Err(format!("`test` takes no arguments: `{word}`"));
    }
    // Downloading needs no processor: it goes on while the compiler works.
    let mut preparing = Some(std::thread::spawn(judges::prepare));
    let steps: [(&str, Step); 12] = [
        ("format", || proc::show(proc::cargo().args(["fmt", "--all", "--check"]))),
        ("lints", || {
            proc::show(proc::cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
        }),
        ("walls", walls::run),
        ("docs", docs::run),
        ("postgres", postgres::provide),
        ("doc tests", || proc::show(proc::cargo().args(["test", "--workspace", "--doc", "--quiet"]))),
        ("tests", tests),
        (JUDGED, judges::requests),
        ("mcp client", judges::mcp),
        ("openapi", judges::openapi),
        ("panel", panel::check),
        ("browser", panel::browse),
    ];
    let mut lines = Vec::new();
    let mut failed = 0_usize;
    for (name, step) in steps {
        println!("== {name}");
        if name == JUDGED {
            // One that broke off has prepared nothing, which the judges will say.
            let _ = preparing.take().map(std::thread::JoinHandle::join);
        }
        let started = Instant::now();
        let outcome = step();
        let seconds = started.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => lines.push(format!("  ok      {name:<10} {seconds:>6.1} s")),
            Err(cause) => {
                eprintln!("{cause}");
                failed += 1;
                lines.push(format!(
                    "  FAILED  {name:<10} {seconds:>6.1} s  {}",
                    cause.lines().next().unwrap_or_default()
                ));
            }
        }
    }
    println!("== summary\n{}", lines.join("\n"));
    if failed == 0 { Ok(()) } else { Err(format!("steps failed: {failed} of {}", lines.len())) }
}

/// The tests by nextest when it is installed, because it runs each test in a process of its own; else by cargo alone.
/// Both run the same tests, so the fallback skips nothing and is good enough for CI as well.
fn tests() -> Result<(), String> {
    let nextest =
        Command::new("cargo").args(["nextest", "--version"]).output().is_ok_and(|output| output.status.success());
    if nextest {
        println!("runner: cargo nextest");
        // A workspace without a single test must fail: that would mean the selection is wrong.
        proc::show(
            proc::cargo()
                .args(["nextest", "run", "--workspace", "--no-fail-fast", "--no-tests", "fail"])
                .env("INSTA_UPDATE", "no"),
        )
    } else {
        println!("runner: cargo test (install cargo-nextest for faster runs)");
        proc::show(
            proc::cargo().args(["test", "--workspace", "--no-fail-fast", "--all-targets"]).env("INSTA_UPDATE", "no"),
        )
    }
}
