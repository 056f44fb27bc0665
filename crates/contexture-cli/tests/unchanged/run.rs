//! Runs the steps of a case in a copy of the inputs and puts what they printed and wrote into one text.

use crate::cases::{Case, words};
use crate::client::{Mcp, Server};
use crate::given::{Files, Given};
use crate::normalize::{Names, json, normalize};
use serde_json::Value;
use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The inputs, and a copy that cases work on. A case that changes its copy makes the next one begin with another.
pub struct Workshop {
    original: Given,
    before: Files,
    copy: Option<Given>,
}

impl Workshop {
    pub fn new() -> Self {
        let original = Given::original();
        Self { before: original.contents(), original, copy: None }
    }

    pub fn record(&mut self, case: &Case) -> String {
        let given = self.copy.take().unwrap_or_else(|| self.original.copied());
        let (mut text, names) = steps(case, &given);
        let after = given.contents();
        written(&self.before, &after, &mut text);
        let text = normalize(&text, given.path(), &names);
        given.empty_home();
        let is_same = after.iter().filter(|(name, _)| !name.starts_with("home/")).eq(&self.before);
        let uses_git = case.steps.iter().any(|step| step.starts_with("git "));
        self.copy = (is_same && !uses_git).then_some(given);
        text
    }
}

fn steps(case: &Case, given: &Given) -> (String, Names) {
    let mut names = Names::default();
    let (mut serve, mut mcp) = (None, None);
    let mut text = String::new();
    for step in &case.steps {
        let _ = writeln!(text, "$ {step}");
        let mut words: Vec<String> = words(step).iter().map(|word| names.fill(word)).collect();
        let name = match words.get(1).map(String::as_str) {
            Some("=") => words.drain(..2).next(),
            _ => None,
        };
        let rest: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let kept = match (words[0].as_str(), rest.as_slice()) {
            ("write", [path, content]) => {
                given.write(path, content);
                None
            }
            ("remove", [path]) => {
                std::fs::remove_file(given.root().join(path)).expect("the file");
                None
            }
            ("git", args) => {
                given.git(args);
                None
            }
            ("start", ["serve", args @ ..]) => {
                serve = Some(Server::start(command(given, "serve", args)));
                None
            }
            ("start", ["mcp", args @ ..]) => {
                mcp = Some(Mcp::start(command(given, "mcp", args)));
                None
            }
            (method @ ("GET" | "POST"), [path, body @ ..]) => {
                let server: &Server = serve.as_ref().expect("`start serve` comes first");
                let (status, answer) = server.ask(method, path, body.first().unwrap_or(&""));
                let _ = writeln!(text, "status {status}");
                section(&mut text, "answer", &json(&answer).unwrap_or_else(|| answer.clone()));
                name.as_deref().map(|name| field(&answer, name.trim_start_matches('$')))
            }
            // The list of operations is what must stay; their descriptions may be written anew.
            ("LIST", [path]) => {
                let server: &Server = serve.as_ref().expect("`start serve` comes first");
                section(&mut text, "answer", &operations(&server.ask("GET", path, "").1));
                None
            }
            ("CALL", [method, params]) => {
                let server: &mut Mcp = mcp.as_mut().expect("`start mcp` comes first");
                section(&mut text, "answer", &json(&server.ask(method, params)).expect("an answer is JSON"));
                None
            }
            _ => Some(run(given, &words, &mut text)),
        };
        if let Some(name) = name {
            names.keep(&name, kept.as_deref().unwrap_or_default().trim());
        }
    }
    (text, names)
}

/// A field of an answer, however deep, as a word.
fn field(answer: &str, name: &str) -> String {
    fn search(value: &Value, name: &str) -> Option<String> {
        match value {
            Value::Object(fields) => match fields.get(name) {
                Some(Value::String(text)) => Some(text.clone()),
                Some(Value::Number(number)) => Some(number.to_string()),
                _ => fields.values().find_map(|value| search(value, name)),
            },
            Value::Array(items) => items.iter().find_map(|value| search(value, name)),
            _ => None,
        }
    }
    let value = serde_json::from_str(answer).expect("an answer is JSON");
    search(&value, name).unwrap_or_else(|| panic!("no field `{name}`: {answer}"))
}

/// Runs the program; gives its standard output.
fn run(given: &Given, words: &[String], text: &mut String) -> String {
    let at = words.iter().position(|word| word == "contexture").unwrap_or_else(|| panic!("not a step: {words:?}"));
    let (variables, mut args) = (&words[..at], words[at + 1..].to_vec());
    let mut input = Vec::new();
    if let Some(at) = args.iter().position(|word| word == "<" || word == "<<<") {
        let source = &args[at + 1];
        input = match args[at].as_str() {
            "<" => std::fs::read(given.root().join(source)).unwrap_or_else(|error| panic!("{source}: {error}")),
            _ => source.as_bytes().to_vec(),
        };
        args.truncate(at);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut command = command(given, args.first().unwrap_or(&""), args.get(1..).unwrap_or_default());
    for variable in variables {
        let (name, value) = variable.split_once('=').unwrap_or_else(|| panic!("not a variable: {variable}"));
        command.env(name, value);
    }
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program runs");
    // A program that ends without reading its input closes it; that is no fault of the case.
    let _ = child.stdin.take().expect("standard input").write_all(&input);
    let done = child.wait_with_output().expect("the program ends");
    let (stdout, stderr) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    let _ = writeln!(text, "exit {}", done.status.code().map_or("by a signal".into(), |code| code.to_string()));
    let is_json = args.contains(&"--json");
    section(text, "stdout", &is_json.then(|| json(&stdout)).flatten().unwrap_or(stdout.to_string()));
    section(text, "stderr", &stderr);
    stdout.into_owned()
}

/// The program in the project folder, with nothing of the machine in its environment but the search path.
fn command(given: &Given, verb: &str, args: &[&str]) -> Command {
    let home = given.path().join("home");
    let mut command = Command::new(env!("CARGO_BIN_EXE_contexture"));
    command
        .args([verb].iter().filter(|verb| !verb.is_empty()))
        .args(args)
        .current_dir(given.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", &home)
        .env("XDG_CONFIG_HOME", home.join(".config"))
        .env("XDG_CACHE_HOME", home.join(".cache"))
        .env("XDG_DATA_HOME", home.join(".local/share"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("NO_COLOR", "1")
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Files that were written, changed or removed. Of the user's data folder only names are recorded: these are databases.
fn written(before: &Files, after: &Files, text: &mut String) {
    for (name, bytes) in after.iter().filter(|(name, bytes)| before.get(*name) != Some(bytes)) {
        if name.ends_with("-wal") || name.ends_with("-shm") {
            continue;
        }
        match std::str::from_utf8(bytes) {
            _ if name.starts_with("home/.local/") => section(text, &format!("file {name}"), ""),
            Ok(content) => section(text, &format!("file {name}"), content),
            Err(_) => section(text, &format!("file {name} ({} bytes)", bytes.len()), ""),
        }
    }
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        section(text, &format!("removed {name}"), "");
    }
}

/// Path and method of every operation in an OpenAPI document.
fn operations(document: &str) -> String {
    let document: Value = serde_json::from_str(document).expect("an OpenAPI document");
    let paths = document["paths"].as_object().expect("paths").iter();
    let methods = |(path, methods): (&String, &Value)| {
        methods.as_object().expect("methods").keys().map(|method| format!("{path} {method}\n")).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = paths.flat_map(methods).collect();
    all.sort();
    all.concat()
}

fn section(text: &mut String, title: &str, content: &str) {
    let is_cut = !content.is_empty() && !content.ends_with('\n');
    let _ = writeln!(text, "--- {title}{}", if is_cut { " (no newline at the end)" } else { "" });
    text.push_str(content);
    if is_cut {
        text.push('\n');
    }
}
