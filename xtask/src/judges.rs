//! `cargo xtask judges`: judges that nobody here wrote, the providers' own libraries, the official client of MCP, and Schemathesis.
//!
//! Takes no arguments; makes environments of Python below `target/` with the libraries of `xtask/judges/requirements*.txt`, lets tests write
//! random requests of every API, has each judged, asks a server of somebody else through `send`, has the client of somebody
//! else ask `mcp`, and `serve` asked whatever its own list of operations allows and forbids. Gives an error when one is refused. Without Python or the libraries it says what is missing; with `CI` set
//! that is an error.

use crate::proc;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All sorts, each though another failed.
pub fn run() -> Result<(), String> {
    let all = [requests(), mcp(), openapi()];
    let wrong: Vec<String> = all.into_iter().filter_map(Result::err).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Where each judge's libraries are installed, and their list.
const REQUESTS: (&str, &str) = ("venv", "requirements.txt");
/// It has an environment of its own: other libraries want other versions.
const MCP: (&str, &str) = ("venv-mcp", "requirements-mcp.txt");
const OPENAPI: (&str, &str) = ("venv-openapi", "requirements-openapi.txt");

/// Installs what is missing, ahead of its use. What fails is told by the judge that needs it.
pub fn install() {
    for (folder, list) in [REQUESTS, MCP, OPENAPI] {
        drop(environment(folder, list));
    }
}

/// Requests before the providers' own libraries: those that the step of the tests wrote, else written now.
pub fn requests() -> Result<(), String> {
    let Some(python) = judge(REQUESTS)? else { return Ok(()) };
    if std::env::var_os(proc::BUILT).is_none() {
        // As many as the libraries judge in half a minute.
        proc::show(
            recording(
                // All packages, as in the step of the tests: see `proc::build`.
                proc::cargo()
                    .args(["test", "--quiet", "--workspace", "--test", "agent", "--test", "laws", "--test", "requests"])
                    .args(["--", "request", "a_conversation_for", "a_document_for"]),
            )?
            .env("PROPTEST_CASES", "150"),
        )?;
    }
    proc::show(Command::new(&python).arg(proc::root().join("xtask/judges/requests.py")).arg(recorded()))?;
    // And the other way: a server that speaks two of these APIs, asked by the program.
    of_program(&python, "answers.py")
}

/// Has tests write the requests they make, for [`requests`] to judge; those of an earlier run are removed.
pub fn recording(tests: &mut Command) -> Result<&mut Command, String> {
    let file = recorded();
    std::fs::create_dir_all(folder()).map_err(|error| format!("cannot make `{}`: {error}", folder().display()))?;
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove `{}`: {error}", file.display()))
        }
        _ => Ok(tests.env("CONTEXTURE_REQUESTS", file)),
    }
}

fn recorded() -> PathBuf {
    folder().join("requests.jsonl")
}

/// The MCP server before the official client.
pub fn mcp() -> Result<(), String> {
    let Some(python) = judge(MCP)? else { return Ok(()) };
    of_program(&python, "mcp_client.py")
}

/// The HTTP server before Schemathesis.
pub fn openapi() -> Result<(), String> {
    let Some(python) = judge(OPENAPI)? else { return Ok(()) };
    of_program(&python, "openapi.py")
}

/// Has a script judge the program.
fn of_program(python: &Path, script: &str) -> Result<(), String> {
    let program = proc::program()?;
    proc::show(Command::new(python).arg(proc::root().join("xtask/judges").join(script)).arg(program))
}

/// Python with some libraries; `None` where it is not to be had and may be missing.
fn judge((folder, list): (&str, &str)) -> Result<Option<PathBuf>, String> {
    match environment(folder, list) {
        Ok(python) => Ok(Some(python)),
        Err(cause) if std::env::var_os("CI").is_some() => Err(cause),
        Err(cause) => {
            println!("not judged: {cause}");
            Ok(None)
        }
    }
}

/// Python with the libraries of a list, installed when they are not there.
fn environment(name: &str, list: &str) -> Result<PathBuf, String> {
    let list = proc::root().join("xtask/judges").join(list);
    let wanted =
        std::fs::read_to_string(&list).map_err(|error| format!("cannot read `{}`: {error}", list.display()))?;
    let venv = folder().join(name);
    // In the environment itself, so that it goes with it.
    let stamp = venv.join("installed.txt");
    let python = venv.join("bin/python");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && python.exists() {
        return Ok(python);
    }
    std::fs::create_dir_all(folder()).map_err(|error| format!("cannot make `{}`: {error}", folder().display()))?;
    println!("installing the libraries of `{}`", list.display());
    proc::capture(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    proc::capture(Command::new(&python).args(pip).arg(&list))?;
    std::fs::write(&stamp, wanted).map_err(|error| format!("cannot write `{}`: {error}", stamp.display()))?;
    Ok(python)
}

fn folder() -> PathBuf {
    proc::target().join("judges")
}
