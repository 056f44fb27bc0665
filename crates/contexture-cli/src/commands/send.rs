//! `send`: a document with a question to a model, the answer on standard output while it comes.

use super::build::document;
use crate::args::SendArgs;
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count, harmless};
use contexture::answers::{OutgoingRequest, SendEvent, SendPlanAnswer, versioned};
use contexture::ops::loom::KeyOf;
use contexture::ops::send::{self, PreparedSend, SendStep, Sender};
use contexture::ops::{Door, OpError};
use contexture::requests::SendRequest;
use contexture_core::Api;
use contexture_providers::{CLI_VARIABLE, Cancel, Event, Key, Policy, Usage, Wait, pause};
use serde::Serialize;
use serde_json::Value;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

pub fn run(door: &Door, args: SendArgs, ui: &Ui) -> Result<(), Failure> {
    let key_env = args.key.key_env.as_deref();
    let key = |api: Api| key(KeyOf::Provider(api), key_env);
    let document = document(door, &args.document.0, &args.paths, &args.query, &args.history)?;
    let request = SendRequest { request: document, ..args.request };
    let sender = Sender {
        key: &key,
        is_own_key: key_env.is_some(),
        cli: std::env::var_os(CLI_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from),
        policy: Policy { pause: &|wait, cancel| waiting(ui, wait, cancel), ..Policy::default() },
    };
    if request.dry_run {
        let ready = ui.with_progress(&door.progress, || send::prepare(door, &request, &sender))?;
        if ui.json {
            return Ok(ui.print_answer(SendPlanAnswer { request: OutgoingRequest::new(&ready, None) })?);
        }
        ui.notes(&ready.document.compiled.notes);
        return Ok(ui.print(&format!("{}\n", request_line(&ready)))?);
    }
    let cancel = &door.progress.cancel;
    on_interrupt(cancel);
    let mut printer =
        Printer { ui, is_terminal: io::stdout().is_terminal(), ends_line: true, calls: Vec::new(), failed: None };
    let done = send::send(door, &request, &sender, &mut |step| printer.step(&step, cancel));
    printer.close()?;
    if let Some(error) = printer.failed {
        return Err(error.into());
    }
    let done = done.map_err(|error| {
        let failure = Failure::from(error);
        if ui.json {
            // One line, as all that came before it.
            let _ = line(&failure.answer());
        }
        failure.said_already(ui)
    })?;
    if ui.json {
        event(SendEvent::from(&done))?;
    }
    ui.notes(&done.notes);
    ui.say(&spent(&done.answer.usage, done.cost, Some(done.answer.latency), done.run));
    Ok(())
}

/// Says for what it waits, and waits.
fn waiting(ui: &Ui, wait: &Wait<'_>, cancel: &Cancel) -> bool {
    let seconds = wait.delay.as_secs_f64();
    if ui.json {
        // Who reads no more is found out with the next event.
        let _ = event(SendEvent::from(wait));
    } else {
        ui.say(&format!("waits {seconds:.1} s: {}", wait.error));
    }
    pause(cancel, wait.delay);
    true
}

/// The first time, what is done is kept and the rest is left; the second time, everything ends at once.
pub fn on_interrupt(cancel: &Cancel) {
    let cancel = cancel.clone();
    let handler = move || {
        if cancel.is_cancelled() {
            std::process::exit(ErrorKind::Interrupted as i32);
        }
        cancel.cancel();
    };
    // Without it, an interrupt ends the program as it does any other.
    let _ = ctrlc::set_handler(handler);
}

/// From the environment alone: what stands on a command line is read by others.
pub fn key(of: KeyOf, named: Option<&str>) -> Result<Option<Key>, OpError> {
    let read = |name: &str| std::env::var_os(name).filter(|key| !key.to_string_lossy().trim().is_empty());
    let found = match named {
        Some(name) => {
            let key = read(name).ok_or_else(|| {
                OpError::usage(unset(name)).hint("`--key-env` names the variable that holds the key, never the key")
            })?;
            Some((name, key))
        }
        None => of.variables().iter().find_map(|name| Some((*name, read(name)?))),
    };
    let made = |(name, key): (&str, OsString)| {
        // What is no UTF-8 is no ASCII either, and is refused as that.
        Key::new(&key.to_string_lossy())
            .map_err(|error| OpError::usage(format!("`{name}`: {error}")).hint(error.hint()))
    };
    found.map(made).transpose()
}

/// What is said of a variable that is not set. What is no name of one, as names of keys are written, may be the key itself.
pub fn unset(name: &str) -> String {
    let is_name = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    match is_name {
        true => format!("the variable `{name}` is not set"),
        false => "the variable that `--key-env` names is not set".into(),
    }
}

/// Puts what comes on standard output: text as it is, or events, a line each.
struct Printer<'a> {
    ui: &'a Ui,
    is_terminal: bool,
    ends_line: bool,
    /// Names and arguments of the tools that are called.
    calls: Vec<(String, String)>,
    failed: Option<io::Error>,
}

impl Printer<'_> {
    fn step(&mut self, step: &SendStep<'_>, cancel: &Cancel) {
        let written = match step {
            step if self.ui.json => event(SendEvent::from(step)),
            SendStep::Leaving { ready, .. } => {
                self.ui.say(&request_line(ready));
                Ok(())
            }
            SendStep::Failed { usage: used, cost, run, .. } => {
                // What was said of an answer stands on a line of its own.
                let closed = self.close();
                let counted = used.filter(|used| *used != Usage::default());
                if counted.is_some() || cost.is_some() {
                    let spent = spent(&counted.unwrap_or_default(), *cost, None, *run);
                    self.ui.say(&format!("without an answer: {spent}"));
                }
                closed
            }
            SendStep::Instead { model, because } => {
                self.ui.say(&format!("note: `{model}` is asked instead: {because}"));
                Ok(())
            }
            SendStep::Event(event) => self.event(event),
        };
        // Nobody reads any more: there is nothing to wait for.
        if let Err(error) = written {
            self.failed.get_or_insert(error);
            cancel.cancel();
        }
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Text(text) => {
                self.ends_line = text.ends_with('\n');
                self.write(text)
            }
            // Calls are told when the answer is whole: pieces of several may come in turns.
            Event::Call { name, .. } => {
                self.calls.push((name.clone(), String::new()));
                Ok(())
            }
            Event::Arguments { call, piece } => {
                if let Some((_, arguments)) = self.calls.get_mut(*call) {
                    arguments.push_str(piece);
                }
                Ok(())
            }
            Event::End(_) => self.print_calls(),
            Event::Thought(_) | Event::Usage(_) => Ok(()),
        }
    }

    /// The tools that the model calls, a line each: nobody here answers for them.
    fn print_calls(&mut self) -> io::Result<()> {
        if !self.calls.is_empty() {
            self.close()?;
        }
        for (name, arguments) in std::mem::take(&mut self.calls) {
            let arguments = if arguments.trim().is_empty() { "{}" } else { &arguments };
            self.write(&format!("calls {} {}\n", one_line(&name), one_line(arguments)))?;
        }
        Ok(())
    }

    /// As it is, but on a terminal, where it must not do anything.
    fn write(&self, text: &str) -> io::Result<()> {
        let text = if self.is_terminal { harmless(text) } else { text.into() };
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    fn close(&mut self) -> io::Result<()> {
        if !self.ends_line && !self.ui.json {
            self.write("\n")?;
            self.ends_line = true;
        }
        Ok(())
    }
}

/// Line ends as JSON writes them. Between the members of JSON they are spaces.
fn one_line(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value) if text.contains(['\n', '\r']) => value.to_string(),
        _ => text.replace('\r', "\\r").replace('\n', "\\n"),
    }
}

/// A line of JSON for an event.
pub fn event(event: impl Serialize) -> io::Result<()> {
    line(&versioned(event))
}

fn line(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", contexture::answers::to_value(value))?;
    out.flush()
}

/// What leaves, in one line.
fn request_line(ready: &PreparedSend) -> String {
    let model = ready.model.as_ref().map(|model| format!(" {model}")).unwrap_or_default();
    let how = match (ready.document.exact, ready.learnt) {
        (true, 0) => String::new(),
        (false, 0) => " (estimated)".into(),
        (_, many) => format!(" (learnt from {})", crate::ui::counted(many as u64, "answer")),
    };
    let cached = ready.reuse.as_ref().map(|reuse| reuse.tokens).filter(|tokens| *tokens > 0);
    let cached = cached.map(|tokens| format!(", about {} of them kept by its cache", count(tokens)));
    let cost = ready.cost().map(|cost| format!(", {} without the answer", dollars(cost)));
    format!(
        "to {}{model}: {} tokens{how}, {} bytes{}{}",
        ready.via.as_str(),
        count(ready.expected),
        count(ready.document.compiled.output.bytes() as u64),
        cached.unwrap_or_default(),
        cost.unwrap_or_default(),
    )
}

fn spent(used: &Usage, cost: Option<f64>, latency: Option<Duration>, run: Option<u64>) -> String {
    let tokens = |name: &str, tokens: Option<u64>| tokens.map(|tokens| format!("{} {name}", count(tokens)));
    let cached = used.cached.filter(|cached| *cached > 0).map(|cached| format!("{} of it cached", count(cached)));
    let latency = latency.map(|latency| format!("{:.1} s", latency.as_secs_f64()));
    let run = run.map(|run| format!("run {run}"));
    let parts = [tokens("in", used.input), cached, tokens("out", used.output), cost.map(dollars), latency, run];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

pub fn dollars(cost: f64) -> String {
    if cost < 0.01 { format!("${cost:.5}") } else { format!("${cost:.2}") }
}
