//! The commands that measure: `cargo xtask bench`, `calibrate`, `check-views`, `quality`, `fuzz`.
//!
//! Takes the words after `cargo xtask`, which starts it; gives exit code 0 when everything asked for succeeded, else 1. It is apart from `xtask`
//! because it needs the product and large libraries, which nobody should wait for who wants to run the tests.

mod bench;
mod calibrate;
mod check_views;
mod fuzz;
mod learn;
mod quality;

use std::process::ExitCode;
use xtask::proc;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = words.split_first().map_or(("", &[][..]), |(command, rest)| (command.as_str(), rest));
    let result = match command {
        "bench" => bench::run(rest),
        "calibrate" => calibrate::run(rest),
        "check-views" => check_views::run(rest),
        "learn" => learn::run(rest),
        "quality" => quality::run(rest),
        "fuzz" => fuzz::run(rest),
        // `bench` starts itself again with this word, so that the limit pays for a process start as the others do.
        "limit" => bench::limit::run(rest),
        other => Err(format!("unknown command: `{other}`; `cargo xtask help` lists them")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("lab: {cause}");
            ExitCode::FAILURE
        }
    }
}
