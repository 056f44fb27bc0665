//! The repository's own commands: `cargo xtask test`, `judges`, `torture`, `bench`, `calibrate`, `check-views`, `quality`, `fuzz`.
//!
//! Takes the words after `cargo xtask`; gives exit code 0 when everything asked for succeeded, 1 when not, 2 for a command it
//! does not know. It runs other programs and reports on them; no behaviour of the product lives here.

mod bench;
mod calibrate;
mod check_views;
mod fuzz;
mod judges;
mod panel;
mod postgres;
mod proc;
mod quality;
mod test;
mod torture;
mod walls;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test                 format, lints, walls between crates, all tests, judges, the panel in a browser
  walls                only the walls between crates
  judges               only requests before the providers' own libraries, and the MCP server before the official client
  panel [--big]        only the panel: its checks, its tests, and in a real browser; or at size, before a release build
  torture [NAME...]    the tests that usually run a share, at full size, see docs/reliability.md
  bench [files|views|fit|agent|loom|summaries|requests|curve|setup] [--corpus NAME|DIR] [--only NAME] [--runs N] [--no-peers] [--write]
                       speed and memory against the limit and the peers, see docs/benchmarks.md
  bench instructions   instruction count of one build, by callgrind
  calibrate [--check] [--write FILE] DIR...
                       fits the token estimate to real text, or measures it
  check-views [LANG...] [--show N] [--only FILTER] [--python PROGRAM] [--setup] [--write]
                       skeletons, symbols and outlines of real sources before judges of their own, see docs/views.md
  quality --history DIR[@REV]... [--language LANG]... [--tasks N] [--budgets N,...] [--only NAME] [--show] [--keep DIR] [--write]
                       what documents show of the code that public commits changed, see docs/quality.md
  fuzz [symbols|skeleton|slices]... [--seconds N]
                       the fuzz targets, ten minutes each, see docs/reliability.md";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match words.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let result = match command {
        "test" => test::run(rest),
        "walls" => walls::run(),
        "torture" => torture::run(rest),
        "bench" => bench::run(rest),
        "calibrate" => calibrate::run(rest),
        "check-views" => check_views::run(rest),
        "quality" => quality::run(rest),
        "fuzz" => fuzz::run(rest),
        "panel" => panel::run(rest),
        "judges" => judges::run(),
        // Not in the usage: `bench` starts itself again with this word, so that the limit pays for a process start as the others do.
        "limit" => bench::limit::run(rest),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        other => {
            eprintln!("xtask: unknown command: `{other}`\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("xtask: {cause}");
            ExitCode::FAILURE
        }
    }
}
