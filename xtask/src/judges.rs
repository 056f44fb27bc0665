//! `cargo xtask judges`: requests before judges that nobody here wrote, the providers' own libraries.
//!
//! Takes no arguments; makes an environment of Python below `target/` with the libraries of `xtask/judges/requirements.txt`, lets tests write
//! random requests of every API, has each judged, and asks a server of somebody else through `send`. Gives an error when one is refused. Without Python or the libraries it says what is
//! missing; with `CI` set that is an error.

use crate::proc;
use std::path::PathBuf;
use std::process::Command;

pub fn run() -> Result<(), String> {
    let python = match environment() {
        Ok(python) => python,
        Err(cause) if std::env::var_os("CI").is_some() => return Err(cause),
        Err(cause) => {
            println!("not judged: {cause}");
            return Ok(());
        }
    };
    let requests = folder().join("requests.jsonl");
    if requests.exists() {
        std::fs::remove_file(&requests).map_err(|error| format!("cannot remove `{}`: {error}", requests.display()))?;
    }
    // As many as the libraries judge in half a minute.
    proc::show(
        proc::cargo()
            .args(["test", "--quiet", "--package", "contexture-core"])
            .args(["--test", "agent", "--test", "laws", "--test", "requests"])
            .args(["--", "request", "a_conversation_for", "a_document_for"])
            .env("CONTEXTURE_REQUESTS", &requests)
            .env("PROPTEST_CASES", "150"),
    )?;
    proc::show(Command::new(&python).arg(proc::root().join("xtask/judges/requests.py")).arg(&requests))?;
    // And the other way: a server that speaks two of these APIs, asked by the program.
    proc::show(proc::cargo().args(["build", "--quiet", "--package", "contexture"]))?;
    let program = target().join("debug/contexture");
    proc::show(Command::new(&python).arg(proc::root().join("xtask/judges/answers.py")).arg(program))
}

/// Python with the libraries, installed when they are not there.
fn environment() -> Result<PathBuf, String> {
    let list = proc::root().join("xtask/judges/requirements.txt");
    let wanted =
        std::fs::read_to_string(&list).map_err(|error| format!("cannot read `{}`: {error}", list.display()))?;
    let stamp = folder().join("installed.txt");
    let python = folder().join("venv/bin/python");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && python.exists() {
        return Ok(python);
    }
    std::fs::create_dir_all(folder()).map_err(|error| format!("cannot make `{}`: {error}", folder().display()))?;
    println!("installing the libraries of xtask/judges/requirements.txt");
    proc::capture(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder().join("venv")))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    proc::capture(Command::new(&python).args(pip).arg(&list))?;
    std::fs::write(&stamp, wanted).map_err(|error| format!("cannot write `{}`: {error}", stamp.display()))?;
    Ok(python)
}

fn folder() -> PathBuf {
    target().join("judges")
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| proc::root().join("target"), PathBuf::from)
}
