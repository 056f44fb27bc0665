//! Checks that the server has every verb. Verbs that only the command line has are listed below, each with its reason.

use super::Cli;
use clap::{Command, CommandFactory};
use contexture_server::http::operation_names;

/// Verbs that are about this terminal, this program or this machine.
const HERE_ALONE: &[&str] = &[
    // Made for a shell, and for `man`.
    "completions",
    "man",
    // Doors themselves.
    "serve",
    "mcp",
    // Changes settings of other programs, and asks a person before it does.
    "setup",
];

/// What a verb is called behind `/api/`, where that is not its own name.
const OTHERWISE: &[(&str, &[&str])] = &[
    ("build", &["build", "preview"]),
    ("config", &["config/get"]),
    ("config/get", &["config/get"]),
    ("loom/list", &["loom/trees"]),
    ("loom/path", &["loom/path", "loom/paths", "loom/go", "loom/choose"]),
    ("loom/set", &["loom/set", "loom/use"]),
    ("loom/agent", &["loom/agent", "loom/agents"]),
    ("loom/show", &["loom/show", "loom/outline"]),
    ("loom/stash", &["loom/stash", "loom/recall", "loom/drop", "loom/memory"]),
    ("preset/rm", &["preset/remove"]),
    ("runs", &["runs/list"]),
    ("runs/show", &["runs/show", "runs/kept"]),
    ("show", &["show", "views"]),
    ("scan", &["scan", "scan/allow"]),
];

#[test]
fn every_verb_is_an_operation_of_the_server() {
    let known: Vec<&str> = operation_names().collect();
    let mut missing = Vec::new();
    for verb in verbs("", &Cli::command()) {
        if HERE_ALONE.contains(&verb.as_str()) {
            assert!(!known.contains(&verb.as_str()), "`{verb}` is an operation: it needs no exception");
            continue;
        }
        let names =
            OTHERWISE.iter().find(|(name, _)| *name == verb).map_or(vec![verb.as_str()], |(_, all)| all.to_vec());
        missing.extend(names.iter().filter(|name| !known.contains(name)).map(|name| format!("{verb}: {name}")));
    }
    assert!(missing.is_empty(), "verbs that the server has not: {missing:?}");
}

/// Every verb that does something, as `loom/add`.
fn verbs(above: &str, command: &Command) -> Vec<String> {
    let mut all = Vec::new();
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        let name = if above.is_empty() { verb.get_name().to_owned() } else { format!("{above}/{}", verb.get_name()) };
        let below = verbs(&name, verb);
        if below.is_empty() || !verb.is_subcommand_required_set() {
            all.push(name);
        }
        all.extend(below);
    }
    all
}
