//! The peers: other programs with this task, from their registries, each in its fixed version.
//!
//! Takes the bench folder; installs what is missing below `target/bench/peers` and gives the commands to run. A peer that
//! cannot be installed is named with its cause, and the others are measured without it.

use super::corpus::make;
use super::measure::Contender;
use crate::proc;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who brings the program.
enum Registry {
    Crates,
    Npm,
    Pypi,
    /// The same, with versions of what it needs that others do not bear.
    PypiApart,
}

/// A peer and the version that is measured.
struct Peer(&'static str, &'static str, Registry);

/// The peer that makes a map for a task.
pub const AIDER: &str = "aider-chat";

const PEERS: &[Peer] = &[
    Peer("yek", "0.25.5", Registry::Crates),
    Peer("code2prompt", "4.3.0", Registry::Crates),
    Peer("repomix", "1.18.1", Registry::Npm),
    Peer("@ast-grep/cli", "0.51.0", Registry::Npm),
    Peer("gitingest", "0.3.1", Registry::Pypi),
    Peer("files-to-prompt", "0.6", Registry::Pypi),
    Peer(AIDER, "0.86.2", Registry::PypiApart),
];

/// Installs the peers that are asked for and not there yet; gives one line for each that cannot be.
pub fn install(bench: &Path, only: Option<&str>) -> Vec<String> {
    let mut missing = Vec::new();
    for peer in PEERS.iter().filter(|peer| only.is_none_or(|only| only.contains(peer.0) || peer.0.contains(only))) {
        if !program(bench, peer).is_file() {
            println!("peer {} {}: installing", peer.0, peer.1);
            if let Err(cause) = install_one(bench, peer) {
                missing.push(format!("{} {} could not be installed: {cause}", peer.0, peer.1));
            }
        }
    }
    missing
}

/// The commands of the installed peers for one corpus. Options are set so that each does the same work as far as it can:
/// everything in the folder, no cut, exact o200k counts where it counts at all.
pub fn contenders(bench: &Path, corpus: &Path, out: &Path) -> Vec<Contender> {
    let corpus_text = corpus.display().to_string();
    let mut rows = Vec::new();
    for peer in PEERS {
        let Peer(name, version, _) = peer;
        let program = program(bench, peer);
        if !program.is_file() {
            continue;
        }
        let output = out.join(name);
        let file = output.display().to_string();
        let row = |title: &str, about: &str, args: &[&str], from_stdout| Contender {
            name: title.to_owned(),
            about: format!("{version}; {about}"),
            program: program.clone(),
            args: args.iter().map(|word| (*word).to_owned()).collect(),
            env: Vec::new(),
            output: output.clone(),
            from_stdout,
            fresh: vec![corpus.join(".contexture")],
            primed: false,
            caveat: None,
            grows: None,
        };
        match *name {
            // Its default stops at 10 MB of output.
            "yek" => rows.push(row(name, "no count", &["--max-size", "4000MB", &corpus_text], true)),
            "code2prompt" => {
                let args = [corpus_text.as_str(), "--encoding", "o200k", "--token-format", "raw", "-O", &file];
                rows.push(row(name, "counts o200k", &args, false));
            }
            "repomix" => {
                let script = program.display().to_string();
                let args = [script.as_str(), &corpus_text, "-o", &file, "--quiet"];
                // It remembers counts in the folder for temporary files, so a folder of our own decides what it remembers.
                let memory = bench.join("repomix-tmp");
                let node = |mut row: Contender| {
                    row.program = PathBuf::from("node");
                    row.env = vec![("TMPDIR", memory.clone())];
                    row
                };
                let mut cold = node(row("repomix", "counts o200k from nothing", &args, false));
                cold.fresh.push(memory.clone());
                let mut warm = node(row("repomix warm", "counts remembered", &args, false));
                warm.env = vec![("TMPDIR", bench.join("repomix-tmp-warm"))];
                warm.primed = true;
                rows.extend([cold, warm]);
            }
            // It cuts code and makes no document; `views` measures it.
            "@ast-grep/cli" => {}
            // It makes a map for a task; `fit` measures it.
            AIDER => {}
            "gitingest" => {
                let mut one = row(name, "counts o200k", &[&corpus_text, "-o", &file], false);
                one.caveat =
                    Some(("Failed to download tiktoken model", "did not count: its vocabulary could not be fetched"));
                rows.push(one);
            }
            _ => rows.push(row(name, "no count", &[&corpus_text], true)),
        }
    }
    rows
}

/// The Python that has aider, and aider's version.
pub fn aider(bench: &Path) -> Option<(PathBuf, &'static str)> {
    let peer = PEERS.iter().find(|peer| peer.0 == AIDER)?;
    let program = program(bench, peer);
    program.is_file().then(|| (program.with_file_name("python"), peer.1))
}

/// The file that shows that a peer is installed, and that is run.
fn program(bench: &Path, Peer(name, _, registry): &Peer) -> PathBuf {
    let peers = bench.join("peers");
    match registry {
        Registry::Crates => peers.join("bin").join(name),
        Registry::Npm if name.starts_with('@') => peers.join("npm/node_modules").join(name).join("ast-grep"),
        Registry::Npm => peers.join("npm/node_modules").join(name).join("bin").join(format!("{name}.cjs")),
        Registry::Pypi => peers.join("venv/bin").join(name),
        Registry::PypiApart => peers.join(name).join("bin/aider"),
    }
}

fn install_one(bench: &Path, Peer(name, version, registry): &Peer) -> Result<(), String> {
    let peers = bench.join("peers");
    make(&peers)?;
    let mut command = match registry {
        Registry::Crates => {
            let mut command = Command::new("cargo");
            command.args(["install", "--locked", "--version", version, "--root"]).arg(&peers).arg(name);
            // Outside of the repository, so that neither its build folder nor its settings are touched.
            command.env("CARGO_TARGET_DIR", bench.join("peers-build")).current_dir(&peers);
            command
        }
        Registry::Npm => {
            let mut command = Command::new("npm");
            command.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(peers.join("npm"));
            command.arg(format!("{name}@{version}"));
            command
        }
        Registry::Pypi | Registry::PypiApart => {
            let venv = peers.join(if matches!(registry, Registry::Pypi) { "venv" } else { name });
            if !venv.is_dir() {
                proc::capture(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
            }
            let mut command = Command::new(venv.join("bin/pip"));
            command.args(["install", "--quiet"]).arg(format!("{name}=={version}"));
            command
        }
    };
    proc::capture(&mut command).map(drop)
}
