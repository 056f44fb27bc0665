//! The repository's own commands: `cargo xtask test`, `walls`, `docs`, `judges`, `torture`, `bench`, `calibrate`, `check-views`, `quality`, `fuzz`.
//!
//! Takes the words after `cargo xtask`; gives exit code 0 when everything asked for succeeded, 1 when not, 2 for a command it
//! does not know. It runs other programs and reports on them; no behaviour of the product lives here.

mod docs;
mod imports;
mod judges;
mod panel;
mod postgres;
mod test;
mod torture;
mod walls;

use std::process::ExitCode;
use xtask::proc;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [STEP...]       format, lints, walls between crates and modules, documentation, all tests, judges, the panel in a browser;
                       or only these steps
  walls                only the walls between crates and modules
  docs [PACKAGE...]    only the documentation of the libraries: nothing public without a sentence, no link that leads nowhere
  judges               only judges that nobody here wrote: the providers' own libraries, the official client of MCP, Schemathesis
  panel [--big]        only the panel: its checks, its tests, and in a real browser; or at size, before a release build
  torture [NAME...]    the tests that usually run a share, at full size, see docs/reliability.md
  bench [files|views|fit|agent|loom|summaries|requests|serve|curve|setup] [--corpus NAME|DIR] [--only NAME] [--runs N] [--no-peers] [--dist] [--write]
                       speed and memory against the limit and the peers, see docs/benchmarks.md
  bench instructions   instruction count of one build, by callgrind
  calibrate [--check] [--write FILE] DIR...
                       fits the token estimate to real text, or measures it
  check-views [LANG...] [--show N] [--only FILTER] [--python PROGRAM] [--setup] [--write]
                       skeletons, symbols and outlines of real sources before judges of their own, see docs/views.md
  quality --history DIR[@REV]... [--language LANG]... [--tasks N] [--budgets N,...] [--only NAME] [--show] [--keep DIR] [--write]
                       what documents show of the code that public commits changed, see docs/quality.md
  learn features --history DIR... [--tasks N | --issues FILE] --out DIR
                       numbers to learn the ranking from, see docs/quality.md
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
        "docs" => docs::run(rest),
        "torture" => torture::run(rest),
        "bench" | "calibrate" | "check-views" | "learn" | "quality" | "fuzz" => lab(&words),
        "panel" => panel::run(rest),
        "judges" => judges::run(),
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

/// What measures is a program of its own, in the folder where we were called: words may name places from there.
fn lab(words: &[String]) -> Result<(), String> {
    let mut cargo = proc::cargo();
    if let Ok(here) = std::env::current_dir() {
        cargo.current_dir(here);
    }
    cargo.args(["run", "--quiet", "--package", "lab", "--manifest-path"]).arg(proc::root().join("Cargo.toml"));
    proc::show(cargo.arg("--").args(words))
}
