//! Runs other programs for the commands of this crate.
//!
//! Takes a program and its words; gives its output, or a sentence that names the program and what went wrong. Timing a
//! program is not done here: see `bench::measure`.

use crate::packages::BINARY;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a command with this terminal as its own, so that its output is seen while it works.
pub fn show(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cannot start `{}`: {error}", words(command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", words(command))) }
}

/// Runs a command quietly and gives what it wrote to stdout; what it wrote to stderr becomes part of the error.
pub fn capture(command: &mut Command) -> Result<String, String> {
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("cannot start `{}`: {error}", words(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{}` failed: {}: {}", words(command), output.status, last_line(&stderr)))
}

/// The program and its arguments as one line, for messages.
pub fn words(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for word in command.get_args() {
        line.push(' ');
        line.push_str(&word.to_string_lossy());
    }
    line
}

/// The root of the repository: the folder above this crate, fixed when the crate is compiled.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where builds go.
pub fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from))
}

/// Set for steps that run after [`build`]: looking whether everything is built takes seconds each time.
pub const BUILT: &str = "XTASK_BUILT";

/// The program as tests get it, built when it is not there.
pub fn program() -> Result<PathBuf, String> {
    if std::env::var_os(BUILT).is_none() {
        build()?;
    }
    Ok(target().join("debug").join(BINARY))
}

/// Builds all programs and tests. All packages are named, because cargo compiles libraries anew for every selection of packages that wants
/// other features of them.
pub fn build() -> Result<(), String> {
    show(cargo().args(["build", "--quiet", "--workspace", "--bins", "--tests"]))
}

/// `cargo` as the one that runs us, at the root of the repository.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    // What cargo tells the programs it runs about their package. Build scripts look at it, and would run anew for each of our commands.
    let is_ours = |name: &str| {
        ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"].iter().any(|of| name.starts_with(of))
    };
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_ours)) {
        command.env_remove(name);
    }
    command
}

/// The last line that says something: where programs put the cause of a failure.
fn last_line(text: &str) -> &str {
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no message")
}
