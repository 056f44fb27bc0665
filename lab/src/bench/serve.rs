//! The server: a warm plan against the program's own time, what a change of a view costs among very many files, and how soon a change on disk is told.
//!
//! Takes the release program and two projects; starts it on each with a home of its own and asks as a program would. Gives tables and verdicts.
//! Commands and questions are asked in turns, so that a busy moment meets both. What the panel makes of the answers is measured in a browser,
//! by `cargo xtask panel --big`.

use super::corpus::{make, package, remove};
use super::ours::Programs;
use crate::proc;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Some 7,000 files, as the target names.
const CORPUS: &str = "django";
const MANY: usize = 100_000;
/// Changes of a view, each of another file; enough that the twentieth part of them is not chance.
const TOGGLES: usize = 100;
const CHANGES: usize = 20;

pub fn run(bench: &Path, programs: &Programs, runs: usize) -> Result<String, String> {
    let mut text = String::from("| question | median ms | p95 ms | of |\n|---|--:|--:|--:|\n");
    let mut verdicts = String::from("\n| target | figure | verdict |\n|---|--:|---|\n");
    let mut row = |name: &str, times: &Times| {
        let _ = writeln!(text, "| {name} | {:.1} | {:.1} | {} |", times.part(0.5), times.part(0.95), times.0.len());
    };
    let mut target = |what: &str, figure: String, is_met: bool| {
        let _ = writeln!(verdicts, "| {what} | {figure} | {} |", if is_met { "met" } else { "MISS" });
    };

    eprintln!("the server on {CORPUS}");
    let folder = package(bench, CORPUS)?;
    let served = Served::start(&programs.contexture, &folder, &bench.join("home-serve"))?;
    let (mut command, mut plan, mut compose, mut preview) =
        (Times::default(), Times::default(), Times::default(), Times::default());
    // Once for counts that are remembered.
    served.command(&folder)?;
    served.ask("plan", &json!({}))?;
    for _ in 0..runs.max(7) {
        command.take(|| served.command(&folder))?;
        plan.take(|| served.ask("plan", &json!({})))?;
        compose.take(|| served.ask("compose", &json!({})))?;
        preview.take(|| served.ask("preview", &json!({})))?;
    }
    row("`contexture --json`, warm, the program itself", &command);
    row("`plan`", &plan);
    row("`compose`", &compose);
    row("`preview`", &preview);
    let ratio = plan.best() / command.best();
    target("warm plan over HTTP: at most 2 × the program", format!("{ratio:.2}"), ratio <= 2.0);
    let mut told = Times::default();
    let mut events = served.events()?;
    let note = folder.join("changed_by_the_benchmark.txt");
    for turn in 0..CHANGES {
        told.take(|| {
            fs::write(&note, format!("{turn}\n")).map_err(|error| format!("cannot write: {error}"))?;
            events.until("files")
        })?;
    }
    remove(&note)?;
    row("a file is written, until its event is here", &told);
    target("a change is told within 300 ms (p95)", format!("{:.0} ms", told.part(0.95)), told.part(0.95) <= 300.0);
    drop(served);

    eprintln!("the server on {MANY} files");
    let folder = many(bench)?;
    let served = Served::start(&programs.contexture, &folder, &bench.join("home-serve-many"))?;
    let mut opened = Times::default();
    served.ask("compose", &json!({}))?;
    let mut bench_number = Value::Null;
    for _ in 0..3 {
        opened.take(|| {
            bench_number = served.ask("compose", &json!({}))?["bench"].clone();
            Ok(())
        })?;
    }
    let mut toggles = Times::default();
    for turn in 0..TOGGLES {
        let view = ["skeleton", "out", "summary"][turn % 3];
        let body = json!({"bench": bench_number, "set": [{"index": [turn * (MANY / TOGGLES)], "view": view}]});
        toggles.take(|| served.ask("compose/set", &body))?;
    }
    row(&format!("`compose` of {MANY} files, warm"), &opened);
    row(&format!("`compose/set` of one among {MANY}"), &toggles);
    let p95 = toggles.part(0.95);
    target("a toggle among 100,000 files is answered within 100 ms (p95)", format!("{p95:.0} ms"), p95 <= 100.0);
    Ok(text + &verdicts)
}

/// Milliseconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn take<T>(&mut self, work: impl FnOnce() -> Result<T, String>) -> Result<(), String> {
        let started = Instant::now();
        work()?;
        self.0.push(started.elapsed().as_secs_f64() * 1e3);
        self.0.sort_by(f64::total_cmp);
        Ok(())
    }

    fn best(&self) -> f64 {
        self.part(0.0)
    }

    /// What this part of them does not exceed.
    fn part(&self, share: f64) -> f64 {
        let place = (self.0.len() as f64 * share).ceil() as usize;
        self.0.get(place.saturating_sub(1)).copied().unwrap_or(f64::NAN)
    }
}

/// Small files of code in a thousand folders.
fn many(bench: &Path) -> Result<PathBuf, String> {
    let folder = bench.join("corpora").join(format!("many-{MANY}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    let fresh = folder.with_extension("part");
    remove(&fresh)?;
    for at in 0..MANY {
        let below = fresh.join(format!("pkg{:03}/mod{:02}", at / 500, at / 25 % 20));
        if at % 25 == 0 {
            make(&below)?;
        }
        let code =
            format!("//! File {at}.\n\npub fn value_{at}() -> u64 {{\n    let twice = {at} * 2;\n    twice\n}}\n");
        fs::write(below.join(format!("file_{}.rs", at % 25)), code)
            .map_err(|error| format!("cannot write: {error}"))?;
    }
    fs::rename(&fresh, &folder).map_err(|error| format!("cannot rename: {error}"))?;
    Ok(folder)
}

/// The program, serving.
struct Served {
    child: Child,
    program: PathBuf,
    home: PathBuf,
    address: String,
    token: String,
}

impl Served {
    fn start(program: &Path, folder: &Path, home: &Path) -> Result<Self, String> {
        remove(home)?;
        make(home)?;
        let mut serve = at_home(program, home);
        serve.args(["serve", "--listen", "127.0.0.1:0", "--root"]).arg(folder);
        serve.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = serve.spawn().map_err(|error| format!("the server does not start: {error}"))?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line).map_err(|error| format!("the server says nothing: {error}"))?;
        }
        let told = line.trim().strip_prefix("http://").and_then(|url| url.split_once("/?token="));
        let (address, token) = told.ok_or("the server told no address")?;
        let (address, token) = (address.to_owned(), token.to_owned());
        Ok(Self { child, program: program.to_owned(), home: home.to_owned(), address, token })
    }

    /// The same question by the command line.
    fn command(&self, folder: &Path) -> Result<(), String> {
        let mut plan = at_home(&self.program, &self.home);
        proc::capture(plan.args(["--json", "--root"]).arg(folder)).map(drop)
    }

    fn ask(&self, name: &str, body: &Value) -> Result<Value, String> {
        let body = body.to_string();
        let head = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        let mut stream = self.send(&format!("POST /api/{name}"), &head, &body)?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map_err(|error| format!("`{name}` broke off: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        match text.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with("HTTP/1.1 200") => {
                serde_json::from_str(body).map_err(|error| format!("`{name}` answered no JSON: {error}"))
            }
            _ => Err(format!("`{name}` failed: {}", text.chars().take(400).collect::<String>())),
        }
    }

    fn events(&self) -> Result<Events, String> {
        let mut events = Events(BufReader::new(self.send("GET /api/events", "", "")?));
        events.until("hello")?;
        Ok(events)
    }

    fn send(&self, line: &str, head: &str, body: &str) -> Result<TcpStream, String> {
        let Self { address, token, .. } = self;
        let broken = |error: std::io::Error| format!("the server does not answer: {error}");
        let mut stream = TcpStream::connect(address).map_err(broken)?;
        let own = format!("host: {address}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n");
        stream.write_all(format!("{line} HTTP/1.1\r\n{own}{head}\r\n{body}").as_bytes()).map_err(broken)?;
        Ok(stream)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Events(BufReader<TcpStream>);

impl Events {
    /// Reads on to the next event of this name.
    fn until(&mut self, name: &str) -> Result<(), String> {
        let wanted = format!("event: {name}");
        let mut line = String::new();
        while line.trim_end() != wanted {
            line.clear();
            if self.0.read_line(&mut line).map_err(|error| format!("events broke off: {error}"))? == 0 {
                return Err("events ended".to_owned());
            }
        }
        Ok(())
    }
}

/// Neither the settings nor the cache of the person at this machine take part.
fn at_home(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("HOME", home);
    for (name, folder) in [("CONFIG", "config"), ("CACHE", "cache"), ("DATA", "data")] {
        command.env(format!("CONTEXTURE_{name}_DIR"), home.join(folder));
    }
    command
}
