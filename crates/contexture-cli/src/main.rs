//! The terminal: parses the command line, asks `ops`, prints. No logic of its own.

mod args;
mod clipboard;
mod commands;
mod failure;
mod ui;

use clap::Parser;
use std::process::ExitCode;

/// Many small texts from many threads: this allocator asks the system far less often than the usual one. It serves the
/// grammars' C code as well.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A parser in a process of its own, see `contexture_gather::workers`.
    if std::env::args_os().nth(1).is_some_and(|word| word == contexture_gather::workers::WORD) {
        let served = contexture_gather::workers::serve();
        return if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let ui = ui::Ui::new(&cli.global);
    ui::start_logging(&cli.global);
    match commands::run(cli, &ui) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&ui),
    }
}
