//! The words of `runs`, `persona` and `import`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct RunsArgs {
    #[command(subcommand)]
    pub verb: Option<RunsVerb>,
}

#[derive(Subcommand, Debug)]
pub enum RunsVerb {
    /// List the runs of this project, the newest first.
    List {
        /// At most so many.
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
        limit: u64,
    },
    /// Print what a run showed and why.
    Show {
        /// A number, `last`, or -1, -2… from the newest.
        #[arg(value_name = "N", allow_hyphen_values = true)]
        run: String,
        /// Print the exact bytes of its request instead.
        #[arg(long, conflicts_with = "response")]
        request: bool,
        /// Print the raw answer instead.
        #[arg(long)]
        response: bool,
    },
    /// What differs between two runs, the first byte that differs, and why.
    Diff {
        /// The earlier run [default: the one before the last].
        #[arg(value_name = "A", allow_hyphen_values = true)]
        old: Option<String>,
        /// The later run [default: the last].
        #[arg(value_name = "B", allow_hyphen_values = true)]
        new: Option<String>,
    },
    /// Make a run's document again: the same bytes, or the names of what changed.
    Replay {
        /// A number, `last`, or -1, -2… from the newest.
        #[arg(value_name = "N", allow_hyphen_values = true)]
        run: String,
        /// Write here; `-` is standard output.
        #[arg(long, short, value_name = "FILE", default_value = "-")]
        output: PathBuf,
        /// Write also what is not the same.
        #[arg(long)]
        anyway: bool,
    },
}

#[derive(Subcommand, Debug)]
pub enum PersonaVerb {
    /// List personas; those of the project win over global ones.
    List,
    /// Print a persona: what it sets, and what it leaves to others.
    Show { name: String },
}

#[derive(Subcommand, Debug)]
pub enum ImportVerb {
    /// Read a Manual Slop project, manual_slop.toml, and print it as a contexture.toml.
    ManualSlop {
        /// The project's file.
        file: PathBuf,
        /// Write here instead of to standard output.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Also over a file that is there.
        #[arg(long, requires = "output")]
        force: bool,
    },
}
